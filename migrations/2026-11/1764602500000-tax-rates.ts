import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tax rates that lines name, and the one that an account begins with. */
export class TaxRates1764602500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tax_rates (
        account_id        uuid NOT NULL REFERENCES accounts,
        tax_rate_id       uuid NOT NULL,
        name              text NOT NULL,
        description       text,
        tax_rate          numeric NOT NULL,
        tax_category      text NOT NULL,
        exemption_reason  text,
        exemption_code    text,
        country           text,
        metadata          jsonb NOT NULL,
        version           integer NOT NULL,
        created_at        timestamptz NOT NULL,
        updated_at        timestamptz NOT NULL,
        archived_at       timestamptz,
        PRIMARY KEY (account_id, tax_rate_id),
        CONSTRAINT tax_rates_name_not_empty CHECK (name <> ''),
        CONSTRAINT tax_rates_rate_is_a_percentage CHECK (tax_rate BETWEEN 0 AND 100),
        CONSTRAINT tax_rates_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'),
        CONSTRAINT tax_rates_version_from_one CHECK (version > 0)
      );
      CREATE INDEX tax_rates_archived ON tax_rates (account_id, tax_rate_id)
        WHERE archived_at IS NOT NULL;
      COMMENT ON TABLE tax_rates IS 'Taxes that lines name. Lines keep a copy.';
      COMMENT ON COLUMN tax_rates.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN tax_rates.tax_rate_id IS 'Identifies the tax rate.';
      COMMENT ON COLUMN tax_rates.name IS 'What the account calls it.';
      COMMENT ON COLUMN tax_rates.description IS 'What it is for.';
      COMMENT ON COLUMN tax_rates.tax_rate IS 'Rate in percent.';
      COMMENT ON COLUMN tax_rates.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
      COMMENT ON COLUMN tax_rates.exemption_reason IS 'Why no tax is charged.';
      COMMENT ON COLUMN tax_rates.exemption_code IS 'The same as a VATEX code.';
      COMMENT ON COLUMN tax_rates.country IS 'Country whose tax it is (ISO 3166-1).';
      COMMENT ON COLUMN tax_rates.metadata IS 'Values that the caller attached; never read.';
      COMMENT ON COLUMN tax_rates.version IS 'Goes up by one with each change; the ETag.';
      COMMENT ON COLUMN tax_rates.created_at IS 'When the tax rate was made.';
      COMMENT ON COLUMN tax_rates.updated_at IS 'When the tax rate was changed last.';
      COMMENT ON COLUMN tax_rates.archived_at IS 'Since when no new line may name it; null: in use.';
      CREATE TRIGGER tax_rates_fixed
        BEFORE UPDATE OF tax_rate, tax_category, exemption_reason, exemption_code, country ON tax_rates
        FOR EACH ROW EXECUTE FUNCTION refuse_change('a tax rate keeps its tax');

      ALTER TABLE accounts
        ADD COLUMN default_tax_rate_id uuid,
        ADD CONSTRAINT accounts_account_id_default_tax_rate_id_fkey
          FOREIGN KEY (account_id, default_tax_rate_id) REFERENCES tax_rates;
      COMMENT ON COLUMN accounts.default_tax_rate_id IS
        'Tax rate of lines that say nothing of tax; null: none.';

      ALTER TABLE document_lines
        ADD COLUMN tax_rate_id uuid,
        ADD CONSTRAINT document_lines_account_id_tax_rate_id_fkey
          FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates;
      COMMENT ON COLUMN document_lines.tax_rate_id IS
        'Tax rate that the line took its tax from; null: it said its own.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE document_lines DROP COLUMN tax_rate_id;
      ALTER TABLE accounts DROP COLUMN default_tax_rate_id;
      DROP TABLE tax_rates;
    `);
  }
}
