import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reductions for early payers, and particulars that new documents take over. None were there. */
export class CashDiscounts1764602700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD cash_discounts jsonb,
        ADD CONSTRAINT documents_cash_discounts_is_a_list
          CHECK (jsonb_typeof(cash_discounts) = 'array');
      COMMENT ON COLUMN documents.cash_discounts IS
        'Reductions for those who pay early: percent, days and, once issued, their ends; null: none.';
      COMMENT ON COLUMN documents.amount_waived IS
        'What an underpayment within the tolerance or a cash discount left, in minor units.';
      CREATE TRIGGER documents_cash_discounts_frozen_when_issued
        BEFORE UPDATE OF cash_discounts ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft' AND OLD.cash_discounts IS DISTINCT FROM NEW.cash_discounts)
        EXECUTE FUNCTION refuse_change('an issued document is frozen');

      ALTER TABLE customers ADD cash_discounts jsonb,
        ADD CONSTRAINT customers_cash_discounts_is_a_list
          CHECK (jsonb_typeof(cash_discounts) = 'array');
      COMMENT ON COLUMN customers.cash_discounts IS
        'Reductions for those who pay its documents early; null leaves them to the account.';

      ALTER TABLE accounts ADD document_defaults jsonb;
      COMMENT ON COLUMN accounts.document_defaults IS
        'Cash discounts, payee and tax representative of new documents; null: none.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts DROP document_defaults;
      ALTER TABLE customers DROP cash_discounts;
      ALTER TABLE documents DROP cash_discounts;
      COMMENT ON COLUMN documents.amount_waived IS
        'What an underpayment within the tolerance left, in minor units.';
    `);
  }
}
