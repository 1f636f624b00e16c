import type { MigrationInterface, QueryRunner } from 'typeorm';

const SEALED = `account_id, statement_id, sha256, format, sections, entries, known_before, pending,
  client_id, imported_at, xact, rejected, hints, unused_columns`;

const appendOnly = (columns: string) => `
  DROP TRIGGER bank_statements_append_only ON bank_statements;
  CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OF ${columns}
    OR TRUNCATE ON bank_statements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');`;

/** How the files of a bank account are read is kept, and a statement tells by which of them it was read. */
export class BankFileMappings1764643000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bank_file_mappings (
        account_id uuid NOT NULL REFERENCES accounts,
        mapping_id uuid NOT NULL,
        bank_account text NOT NULL,
        header text[] NOT NULL,
        hints jsonb NOT NULL,
        told_at timestamptz NOT NULL,
        client_id uuid,
        PRIMARY KEY (account_id, mapping_id),
        CONSTRAINT bank_file_mappings_account UNIQUE (account_id, bank_account),
        CONSTRAINT bank_file_mappings_bank_account_not_empty CHECK (bank_account <> ''),
        CONSTRAINT bank_file_mappings_header_not_empty CHECK (cardinality(header) > 0),
        CONSTRAINT bank_file_mappings_hints_are_an_object CHECK (jsonb_typeof(hints) = 'object'),
        CONSTRAINT bank_file_mappings_say_something CHECK (hints <> '{}' AND NOT hints ? 'account')
      );
      COMMENT ON TABLE bank_file_mappings IS
        'How CSV files of a bank account are read, as it was told last; one row each.';
      COMMENT ON COLUMN bank_file_mappings.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN bank_file_mappings.mapping_id IS 'Identifies the mapping.';
      COMMENT ON COLUMN bank_file_mappings.bank_account IS
        'The account at the bank: an IBAN where it has one.';
      COMMENT ON COLUMN bank_file_mappings.header IS
        'Header of the file that it was told for, cell by cell.';
      COMMENT ON COLUMN bank_file_mappings.hints IS
        'How the files are read; the bank account is none of it.';
      COMMENT ON COLUMN bank_file_mappings.told_at IS 'When it was told.';
      COMMENT ON COLUMN bank_file_mappings.client_id IS
        'Client that told it; null: the operator.';

      ALTER TABLE bank_statements ADD COLUMN mapping_id uuid;
      COMMENT ON COLUMN bank_statements.mapping_id IS
        'Mapping that the file was read by, which may be gone; null: none.';
      COMMENT ON COLUMN bank_statements.hints IS
        'How the file was read, as its caller and its mapping said.';
      ${appendOnly(`${SEALED}, mapping_id`)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${appendOnly(SEALED)}
      COMMENT ON COLUMN bank_statements.hints IS 'How the file was read, as its caller said.';
      ALTER TABLE bank_statements DROP COLUMN mapping_id;
      DROP TABLE bank_file_mappings;
    `);
  }
}
