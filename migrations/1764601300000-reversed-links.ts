import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payment of a link may be reversed: its money is a receipt then. */
export class ReversedLinks1764601300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE unmatched_receipts
        DROP CONSTRAINT unmatched_receipts_reason_known,
        ADD CONSTRAINT unmatched_receipts_reason_known CHECK (reason IN
          ('unknown_link', 'currency_mismatch', 'document_not_payable', 'amount_too_large',
           'unconfirmed', 'foreign_gateway', 'payment_reversed'));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Receipts of reversed payments would break the old list: restore a backup.');
  }
}
