import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each bank account and till has a number of its own. Charts from before keep theirs: money in cash
 * stays on the number of `cash`, so that no closed month has another journal.
 */
export class CashAccounts1764644000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chart_settings ADD COLUMN cash_accounts jsonb NOT NULL DEFAULT '[]'
        CONSTRAINT chart_settings_cash_accounts_are_a_list
        CHECK (jsonb_typeof(cash_accounts) = 'array');
      COMMENT ON COLUMN chart_settings.cash_accounts IS
        'Numbers of bank accounts and of methods by hand, before those of the template.';

      ALTER TABLE chart_settings DISABLE TRIGGER chart_settings_append_only;
      UPDATE chart_settings SET cash_accounts = jsonb_build_array(jsonb_build_object(
        'bankAccount', NULL, 'method', 'cash', 'currency', NULL,
        'number', coalesce(numbers->>'cash', CASE template WHEN 'skr03' THEN '1200' ELSE '1800' END)))
      WHERE template IN ('skr03', 'skr04');
      ALTER TABLE chart_settings ENABLE TRIGGER chart_settings_append_only;

      CREATE UNIQUE INDEX bank_entries_returned ON bank_entries (account_id, payment_id)
        WHERE status = 'returned';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX bank_entries_returned;
      ALTER TABLE chart_settings DROP COLUMN cash_accounts;
    `);
  }
}
