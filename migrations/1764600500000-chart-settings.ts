import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The numbers of an accountant's chart, for files that the accountant's program reads. */
export class ChartSettings1764600500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chart_settings (
        account_id  uuid PRIMARY KEY REFERENCES accounts,
        template    text NOT NULL,
        numbers     jsonb NOT NULL,
        revenue     jsonb NOT NULL,
        datev       jsonb,
        version     integer NOT NULL,
        updated_at  timestamptz NOT NULL,
        CONSTRAINT chart_settings_template_known CHECK (template IN ('plain', 'skr03', 'skr04')),
        CONSTRAINT chart_settings_numbers_are_an_object CHECK (jsonb_typeof(numbers) = 'object'),
        CONSTRAINT chart_settings_revenue_is_a_list CHECK (jsonb_typeof(revenue) = 'array'),
        CONSTRAINT chart_settings_version_from_one CHECK (version > 0)
      );
      COMMENT ON TABLE chart_settings IS
        'The numbers by which an accountant knows the accounts of the ledger.';
      COMMENT ON COLUMN chart_settings.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN chart_settings.template IS 'Chart that the numbers come from.';
      COMMENT ON COLUMN chart_settings.numbers IS
        'By account of the ledger, a number other than that of the template.';
      COMMENT ON COLUMN chart_settings.revenue IS
        'Accounts of revenue by category and rate of tax, before those of the template.';
      COMMENT ON COLUMN chart_settings.datev IS
        'What the header of a DATEV file says; null: no such file is made.';
      COMMENT ON COLUMN chart_settings.version IS 'Goes up by one with each change; the ETag.';
      COMMENT ON COLUMN chart_settings.updated_at IS 'When it was changed last.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chart_settings');
  }
}
