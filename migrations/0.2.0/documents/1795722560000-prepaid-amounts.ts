import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The amount that was paid before an invoice was issued, as it says (EN 16931 BT-113). */
export class PrepaidAmounts1795722560000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE documents
         ADD COLUMN amount_prepaid bigint NOT NULL DEFAULT 0,
         ADD CONSTRAINT documents_amount_prepaid_is_of_issued_invoice
           CHECK (amount_prepaid = 0 OR (kind = 'invoice' AND lifecycle <> 'draft'
             AND amount_prepaid BETWEEN 0 AND total))`,
    );
    await runner.query(
      `CREATE TRIGGER documents_prepaid_frozen_when_issued BEFORE UPDATE OF amount_prepaid ON documents
         FOR EACH ROW WHEN (old.lifecycle <> 'draft' AND old.amount_prepaid <> new.amount_prepaid)
         EXECUTE FUNCTION refuse_change('an issued document is frozen')`,
    );
    await runner.query(
      `COMMENT ON COLUMN documents.amount_prepaid IS
         'Of an invoice: what was paid before its issue, in minor units (BT-113). Frozen at issue.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP COLUMN amount_prepaid CASCADE');
  }
}
