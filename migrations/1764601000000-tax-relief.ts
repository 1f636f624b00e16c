import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Relief for bad debt: the tax of what a client does not pay is claimed back, by rate. */
export class TaxRelief1764601000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The other facts are those of the migrations before.
      DO $$
      DECLARE known text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conname = 'ledger_fact_known' AND contypid = 'ledger_fact'::regtype);
      BEGIN
        ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
        EXECUTE 'ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known ' ||
          replace(known, '|write_off_reversed', '|write_off_reversed|tax_relieved');
      END $$;

      ALTER TABLE documents ADD COLUMN tax_relief jsonb;
      ALTER TABLE documents ADD CONSTRAINT documents_tax_relief_is_a_list_of_an_invoice
        CHECK (tax_relief IS NULL OR kind = 'invoice' AND jsonb_typeof(tax_relief) = 'array');
      COMMENT ON COLUMN documents.tax_relief IS
        'Taxes of what is not credited, while the tax of what was let go is claimed back; null: it is not.';

      CREATE TABLE tax_reliefs (
        account_id    uuid NOT NULL,
        relief_id     uuid NOT NULL,
        document_id   uuid NOT NULL,
        currency      text NOT NULL,
        tax_category  text NOT NULL,
        tax_rate      numeric NOT NULL,
        base          bigint NOT NULL,
        tax           bigint NOT NULL,
        effective_on  date NOT NULL,
        recorded_at   timestamptz NOT NULL,
        xact          bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, relief_id, tax_category, tax_rate),
        FOREIGN KEY (account_id, document_id, currency)
          REFERENCES documents (account_id, document_id, currency),
        CONSTRAINT tax_reliefs_change_something CHECK (base <> 0 OR tax <> 0)
      );
      COMMENT ON TABLE tax_reliefs IS
        'Tax that was claimed back of what a client did not pay, and what of it was owed again. Append-only.';
      COMMENT ON COLUMN tax_reliefs.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN tax_reliefs.relief_id IS
        'One claim or correction: the fact of its transfers.';
      COMMENT ON COLUMN tax_reliefs.document_id IS 'Invoice that was not paid.';
      COMMENT ON COLUMN tax_reliefs.currency IS 'ISO 4217 code, that of the invoice.';
      COMMENT ON COLUMN tax_reliefs.tax_category IS 'Category of tax (EN 16931, UNCL 5305).';
      COMMENT ON COLUMN tax_reliefs.tax_rate IS 'Rate of tax in percent.';
      COMMENT ON COLUMN tax_reliefs.base IS
        'Sum that the tax was on, in minor units; below zero: money came after all.';
      COMMENT ON COLUMN tax_reliefs.tax IS
        'Tax that is claimed back, in minor units; below zero: it is owed again.';
      COMMENT ON COLUMN tax_reliefs.effective_on IS
        'Day it counts for, in the time zone of the account.';
      COMMENT ON COLUMN tax_reliefs.recorded_at IS 'When it was booked.';
      COMMENT ON COLUMN tax_reliefs.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX tax_reliefs_xact ON tax_reliefs USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER tax_reliefs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_reliefs
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('tax reliefs are append-only');
    `);
  }

  /** Transfers stay: where the fact is not known any more, no relief may have been claimed. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE tax_reliefs;
      ALTER TABLE documents DROP COLUMN tax_relief;
      DO $$
      DECLARE known text := (SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conname = 'ledger_fact_known' AND contypid = 'ledger_fact'::regtype);
      BEGIN
        ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
        EXECUTE 'ALTER DOMAIN ledger_fact ADD CONSTRAINT ledger_fact_known ' ||
          replace(known, '|tax_relieved', '');
      END $$;
    `);
  }
}
