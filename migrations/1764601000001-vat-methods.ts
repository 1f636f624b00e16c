import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When tax is due: by invoice, or by payment. Each account decides for a day and all after it. */
export class VatMethods1764601000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE vat_methods (
        account_id  uuid NOT NULL,
        method_id   uuid NOT NULL,
        method      text NOT NULL,
        from_day    date NOT NULL,
        decided_at  timestamptz NOT NULL,
        xact        bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, method_id),
        FOREIGN KEY (account_id) REFERENCES accounts,
        CONSTRAINT vat_methods_method_known CHECK (method IN ('accrual', 'cash'))
      );
      COMMENT ON TABLE vat_methods IS
        'How an account owes tax, from a day on, over all that was decided before. Append-only.';
      COMMENT ON COLUMN vat_methods.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN vat_methods.method_id IS 'Identifies the decision; sorts by time.';
      COMMENT ON COLUMN vat_methods.method IS
        'accrual: tax is due when it is invoiced; cash: when it is paid.';
      COMMENT ON COLUMN vat_methods.from_day IS 'First day of issue of the invoices it holds for.';
      COMMENT ON COLUMN vat_methods.decided_at IS 'When it was decided.';
      COMMENT ON COLUMN vat_methods.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX vat_methods_xact ON vat_methods USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER vat_methods_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON vat_methods
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('vat methods are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE vat_methods');
  }
}
