import type { MigrationInterface, QueryRunner } from 'typeorm';

/** References that bank transfers name invoices by, and the statements that bring the transfers. */
export class BankStatements1763810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- As the code makes it (ISO 11649): from the number, or from the end of the id where the
      -- number has other characters or is too long.
      CREATE FUNCTION creditor_reference(number text, id uuid) RETURNS text
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN (
          SELECT 'RF' || lpad((98 - (
              SELECT string_agg(
                CASE WHEN c ~ '^[0-9]$' THEN c ELSE (ascii(c) - 55)::text END, '' ORDER BY place)
              FROM regexp_split_to_table(body || 'RF00', '') WITH ORDINALITY AS letters (c, place)
            )::numeric % 97)::text, 2, '0') || body
          FROM (
            SELECT CASE WHEN short ~ '^[A-Za-z0-9]{1,21}$' THEN upper(short COLLATE "C") ELSE (
                SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
                  (div(random, 36::numeric ^ place) % 36)::integer + 1, 1), '' ORDER BY place DESC)
                FROM generate_series(0, 11) place) END AS body
            FROM (SELECT regexp_replace(number COLLATE "C", '[-/._# ]', '', 'g') AS short,
                ('x0' || right(replace(id::text, '-', ''), 15))::bit(64)::bigint::numeric AS random
            ) given
          ) said);

      ALTER TABLE documents ADD COLUMN payment_reference text;
      UPDATE documents SET payment_reference = creditor_reference(number, document_id)
        WHERE kind = 'invoice' AND lifecycle <> 'draft';
      ALTER TABLE documents
        ADD CONSTRAINT documents_issued_invoice_has_reference CHECK (
          payment_reference IS NOT NULL OR kind <> 'invoice' OR lifecycle = 'draft');
      CREATE TRIGGER documents_reference_frozen_when_issued BEFORE UPDATE OF payment_reference
        ON documents FOR EACH ROW
        WHEN (OLD.lifecycle <> 'draft'
          AND OLD.payment_reference IS DISTINCT FROM NEW.payment_reference)
        EXECUTE FUNCTION refuse_change('an issued document is frozen');
      -- Not unique: a match asks for exactly one.
      CREATE INDEX documents_payment_reference ON documents (account_id, payment_reference)
        WHERE payment_reference IS NOT NULL;
      -- What a transfer with no readable reference may be for.
      CREATE INDEX documents_pending_total ON documents (account_id, currency, total)
        WHERE lifecycle = 'open' AND settled_at IS NULL;
    `);
    await runner.query(STATEMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payments_bank_entry;
      ALTER TABLE payments DROP CONSTRAINT payments_bank_entry_exists;
      DROP TABLE bank_entries, bank_statements;
      DROP INDEX documents_pending_total;
      DROP TRIGGER documents_reference_frozen_when_issued ON documents;
      ALTER TABLE documents DROP COLUMN payment_reference;
      DROP FUNCTION creditor_reference;
    `);
  }
}

const STATEMENTS = `
  -- One file. sections: what it says of each bank account, with the balances.
  CREATE TABLE bank_statements (
    account_id    uuid NOT NULL REFERENCES accounts,
    statement_id  uuid NOT NULL,
    sha256        bytea NOT NULL CHECK (octet_length(sha256) = 32),
    format        text NOT NULL CHECK (format IN ('camt.053', 'csv')),
    sections      jsonb NOT NULL CHECK (jsonb_typeof(sections) = 'array'),
    entries       integer NOT NULL CHECK (entries >= 0),
    -- Of those, the ones that an earlier file brought.
    known_before  integer NOT NULL CHECK (known_before BETWEEN 0 AND entries),
    -- Not booked by the bank yet: kept out.
    pending       integer NOT NULL CHECK (pending >= 0),
    -- Null: the operator.
    client_id     uuid,
    imported_at   timestamptz NOT NULL,
    PRIMARY KEY (account_id, statement_id),
    CONSTRAINT bank_statements_file UNIQUE (account_id, sha256)
  );
  CREATE TRIGGER bank_statements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
    ON bank_statements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');

  -- The key is a digest of what the bank says, so that overlapping files bring an entry once.
  CREATE TABLE bank_entries (
    account_id            uuid NOT NULL,
    entry_id              uuid NOT NULL,
    statement_id          uuid NOT NULL,
    entry_key             bytea NOT NULL CHECK (octet_length(entry_key) = 32),
    direction             text NOT NULL CHECK (direction IN ('credit', 'debit')),
    is_reversal           boolean NOT NULL,
    amount                bigint NOT NULL CHECK (amount >= 0),
    currency              text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    booked_on             date NOT NULL,
    value_on              date,
    bank_account          text,
    counterparty_name     text,
    counterparty_iban     text,
    remittance            text,
    structured_reference  text,
    end_to_end_id         text,
    bank_reference        text,
    status                text NOT NULL
      CHECK (status IN ('booked', 'proposed', 'unmatched', 'ignored', 'debit')),
    payment_id            uuid,
    -- Null until somebody looked for its documents.
    judged_at             timestamptz,
    PRIMARY KEY (account_id, entry_id),
    CONSTRAINT bank_entries_once UNIQUE (account_id, entry_key),
    FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements,
    FOREIGN KEY (account_id, payment_id) REFERENCES payments,
    CHECK ((status = 'booked') = (payment_id IS NOT NULL)),
    CHECK ((status = 'debit') = (direction = 'debit')),
    CHECK (status IN ('unmatched', 'debit') OR judged_at IS NOT NULL)
  );
  CREATE INDEX bank_entries_of_statement ON bank_entries (account_id, statement_id, entry_id);
  CREATE INDEX bank_entries_by_status ON bank_entries (account_id, status, entry_id);
  CREATE INDEX bank_entries_of_payer ON bank_entries (account_id, counterparty_iban, entry_id)
    WHERE payment_id IS NOT NULL;
  CREATE INDEX bank_entries_of_day ON bank_entries (account_id, booked_on, amount)
    WHERE payment_id IS NOT NULL;
  CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR TRUNCATE OR UPDATE OF account_id,
    entry_id, statement_id, entry_key, direction, is_reversal, amount, currency, booked_on,
    value_on, bank_account, counterparty_name, counterparty_iban, remittance,
    structured_reference, end_to_end_id, bank_reference ON bank_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
  CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON bank_entries FOR EACH ROW
    WHEN (OLD.status IN ('booked', 'debit'))
    EXECUTE FUNCTION refuse_change('a bank entry is booked once');

  ALTER TABLE payments
    ADD CONSTRAINT payments_bank_entry_exists
      FOREIGN KEY (account_id, bank_entry_id) REFERENCES bank_entries;
  CREATE UNIQUE INDEX payments_bank_entry ON payments (account_id, bank_entry_id)
    WHERE bank_entry_id IS NOT NULL;`;
