import type { MigrationInterface, QueryRunner } from 'typeorm';

const atMost = (most: string) =>
  `ALTER TABLE documents DROP CONSTRAINT documents_amount_prepaid_is_of_issued_invoice,
     ADD CONSTRAINT documents_amount_prepaid_is_of_issued_invoice
       CHECK (amount_prepaid = 0 OR (kind = 'invoice' AND lifecycle <> 'draft' AND ${most}))`;

/** More may have come before an issue than the invoice asks for: the rest is credit. */
export class PrepaidAboveTheTotal1795722610000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(atMost('amount_prepaid > 0'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(atMost('amount_prepaid BETWEEN 0 AND total'));
  }
}
