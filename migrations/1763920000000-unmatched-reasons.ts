import type { MigrationInterface, QueryRunner } from 'typeorm';

const BEFORE = `('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large')`;
const NOW = `('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large',
  'unconfirmed', 'foreign_gateway')`;

/**
 * Money is also kept for a person when only a checksum speaks for it, and when it came by a gateway
 * of another account.
 */
export class UnmatchedReasons1763920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reasons(NOW));
  }

  /** Fails while such money is kept: no earlier version knows what it is. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(reasons(BEFORE));
  }
}

function reasons(list: string): string {
  return `
    ALTER TABLE provider_receipts
      DROP CONSTRAINT provider_receipts_unmatched_reason_check,
      ADD CONSTRAINT provider_receipts_unmatched_reason_check CHECK (unmatched_reason IN ${list});
    ALTER TABLE unmatched_receipts
      DROP CONSTRAINT unmatched_receipts_reason_check,
      ADD CONSTRAINT unmatched_receipts_reason_check CHECK (reason IN ${list});
  `;
}
