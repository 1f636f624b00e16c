import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATUSES = 'booked recorded returned posted proposed unmatched ignored debit';

const words = (text: string) =>
  text
    .split(' ')
    .map((word) => `'${word}'`)
    .join(', ');

const statusChecks = (all: string, ofBoth: string) => `
  ALTER TABLE bank_entries DROP CONSTRAINT bank_entries_status_known,
    DROP CONSTRAINT bank_entries_debit_is_no_payment,
    ADD CONSTRAINT bank_entries_status_known CHECK (status IN (${words(all)})),
    ADD CONSTRAINT bank_entries_debit_is_no_payment CHECK (CASE direction
      WHEN 'debit' THEN status IN (${words(`debit returned posted ${ofBoth}`.trim())})
      ELSE status NOT IN ('debit', 'returned') END);`;

/**
 * An entry is one movement. Files that tell of it again are mentioned. Parts of a batch take the place
 * of their sum, and a file that was read wrongly is withdrawn.
 */
export class OneMovement1764641000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${statusChecks(`${STATUSES} replaced withdrawn`, 'replaced withdrawn')}
      ALTER TABLE bank_entries ADD COLUMN batch_key bytea, ADD COLUMN batch_amount bigint,
        ADD CONSTRAINT bank_entries_batch_key_is_a_digest CHECK (octet_length(batch_key) = 32),
        ADD CONSTRAINT bank_entries_batch_has_its_amount
          CHECK (batch_key IS NULL OR batch_amount IS NOT NULL);
      COMMENT ON COLUMN bank_entries.batch_key IS
        'Of a part of a batch: the entry_key of the batch, where a file tells of it as one entry.';
      COMMENT ON COLUMN bank_entries.batch_amount IS
        'Of a part of a batch: the amount of the batch, in minor units.';
      DROP TRIGGER bank_entries_append_only ON bank_entries;
      CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id,
        statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on,
        bank_account, counterparty_name, counterparty_iban, remittance, structured_reference,
        end_to_end_id, bank_reference, fee, transaction_type, return_reason, batch_key, batch_amount
        OR TRUNCATE ON bank_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
      CREATE TRIGGER bank_entries_stay_withdrawn BEFORE UPDATE OF status ON bank_entries
        FOR EACH ROW WHEN (OLD.status = 'withdrawn')
        EXECUTE FUNCTION refuse_change('a withdrawn bank entry stays withdrawn');

      ALTER TABLE bank_entries DROP CONSTRAINT bank_entries_once;
      CREATE UNIQUE INDEX bank_entries_once ON bank_entries (account_id, entry_key)
        WHERE status <> 'withdrawn';
      CREATE INDEX bank_entries_of_batch ON bank_entries (account_id, batch_key)
        WHERE batch_key IS NOT NULL;
      CREATE INDEX bank_entries_in_batches ON bank_entries
        (account_id, booked_on, batch_amount, entry_id) WHERE batch_amount IS NOT NULL;
      DROP INDEX bank_entries_of_day;
      CREATE INDEX bank_entries_of_day ON bank_entries (account_id, booked_on, amount, entry_id);

      CREATE TABLE bank_entry_mentions (
        account_id uuid NOT NULL,
        statement_id uuid NOT NULL,
        entry_id uuid NOT NULL,
        xact bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, entry_id, statement_id),
        FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements (account_id, statement_id),
        FOREIGN KEY (account_id, entry_id) REFERENCES bank_entries (account_id, entry_id)
      );
      COMMENT ON TABLE bank_entry_mentions IS
        'Files that tell of an entry that another file brought. Append-only.';
      COMMENT ON COLUMN bank_entry_mentions.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN bank_entry_mentions.statement_id IS 'File that tells of it again.';
      COMMENT ON COLUMN bank_entry_mentions.entry_id IS 'The entry.';
      COMMENT ON COLUMN bank_entry_mentions.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX bank_entry_mentions_xact ON bank_entry_mentions
        USING brin (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER bank_entry_mentions_append_only
        BEFORE DELETE OR UPDATE OR TRUNCATE ON bank_entry_mentions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('mentions of bank entries are append-only');

      ALTER TABLE bank_statements ADD COLUMN hints jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN withdrawn_at timestamptz,
        ADD CONSTRAINT bank_statements_hints_are_an_object CHECK (jsonb_typeof(hints) = 'object'),
        DROP CONSTRAINT bank_statements_file;
      COMMENT ON COLUMN bank_statements.hints IS 'How the file was read, as its caller said.';
      COMMENT ON COLUMN bank_statements.withdrawn_at IS
        'When it was taken back: its entries count no more; null while it stands.';
      CREATE UNIQUE INDEX bank_statements_file ON bank_statements (account_id, sha256)
        WHERE withdrawn_at IS NULL;
      DROP TRIGGER bank_statements_append_only ON bank_statements;
      CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OF account_id,
        statement_id, sha256, format, sections, entries, known_before, pending, client_id,
        imported_at, xact, rejected, hints, unused_columns OR TRUNCATE ON bank_statements
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');
      CREATE TRIGGER bank_statements_stay_withdrawn BEFORE UPDATE OF withdrawn_at ON bank_statements
        FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL)
        EXECUTE FUNCTION refuse_change('a withdrawn bank statement stays withdrawn');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER bank_statements_stay_withdrawn ON bank_statements;
      DROP TRIGGER bank_statements_append_only ON bank_statements;
      CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE
        ON bank_statements
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');
      DROP INDEX bank_statements_file;
      ALTER TABLE bank_statements DROP COLUMN hints, DROP COLUMN withdrawn_at,
        ADD CONSTRAINT bank_statements_file UNIQUE (account_id, sha256);
      DROP TABLE bank_entry_mentions;
      DROP INDEX bank_entries_of_day;
      CREATE INDEX bank_entries_of_day ON bank_entries (account_id, booked_on, amount)
        WHERE payment_id IS NOT NULL;
      DROP INDEX bank_entries_once;
      ALTER TABLE bank_entries ADD CONSTRAINT bank_entries_once UNIQUE (account_id, entry_key);
      DROP TRIGGER bank_entries_stay_withdrawn ON bank_entries;
      DROP TRIGGER bank_entries_append_only ON bank_entries;
      ALTER TABLE bank_entries DROP COLUMN batch_key, DROP COLUMN batch_amount;
      CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id,
        statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on,
        bank_account, counterparty_name, counterparty_iban, remittance, structured_reference,
        end_to_end_id, bank_reference, fee, transaction_type, return_reason
        OR TRUNCATE ON bank_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
      ${statusChecks(STATUSES, '')}
    `);
  }
}
