-- What banks say: files, and the movements in them.

CREATE TABLE bank_statements (
  account_id    uuid NOT NULL REFERENCES accounts,
  statement_id  uuid NOT NULL,
  sha256        bytea NOT NULL,
  format        text NOT NULL,
  sections      jsonb NOT NULL,
  entries       integer NOT NULL,
  known_before  integer NOT NULL,
  pending       integer NOT NULL,
  client_id     uuid,
  imported_at   timestamptz NOT NULL,
  xact          bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, statement_id),
  CONSTRAINT bank_statements_file UNIQUE (account_id, sha256),
  CONSTRAINT bank_statements_sha256_is_a_digest CHECK (octet_length(sha256) = 32),
  CONSTRAINT bank_statements_format_known CHECK (format IN ('camt.053', 'csv')),
  CONSTRAINT bank_statements_sections_are_a_list CHECK (jsonb_typeof(sections) = 'array'),
  CONSTRAINT bank_statements_entries_not_negative CHECK (entries >= 0),
  CONSTRAINT bank_statements_known_within_entries CHECK (known_before BETWEEN 0 AND entries),
  CONSTRAINT bank_statements_pending_not_negative CHECK (pending >= 0)
);
COMMENT ON TABLE bank_statements IS 'Files that banks gave, one row each. Append-only.';
COMMENT ON COLUMN bank_statements.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN bank_statements.statement_id IS 'Identifies the file.';
COMMENT ON COLUMN bank_statements.sha256 IS 'SHA-256 of the file: it is imported once.';
COMMENT ON COLUMN bank_statements.format IS 'Format of the file.';
COMMENT ON COLUMN bank_statements.sections IS
  'What the file says of each bank account, with its balances.';
COMMENT ON COLUMN bank_statements.entries IS 'How many entries the file has.';
COMMENT ON COLUMN bank_statements.known_before IS 'How many of those an earlier file brought.';
COMMENT ON COLUMN bank_statements.pending IS
  'How many the bank has not booked yet; they are kept out.';
COMMENT ON COLUMN bank_statements.client_id IS 'Client that imported it; null: the operator.';
COMMENT ON COLUMN bank_statements.imported_at IS 'When it was imported.';
COMMENT ON COLUMN bank_statements.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX bank_statements_xact ON bank_statements USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER bank_statements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');

CREATE TABLE bank_entries (
  account_id            uuid NOT NULL,
  entry_id              uuid NOT NULL,
  statement_id          uuid NOT NULL,
  entry_key             bytea NOT NULL,
  direction             text NOT NULL,
  is_reversal           boolean NOT NULL,
  amount                bigint NOT NULL,
  currency              text NOT NULL,
  booked_on             date NOT NULL,
  value_on              date,
  bank_account          text,
  counterparty_name     text,
  counterparty_iban     text,
  remittance            text,
  structured_reference  text,
  end_to_end_id         text,
  bank_reference        text,
  status                text NOT NULL,
  payment_id            uuid,
  judged_at             timestamptz,
  xact                  bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, entry_id),
  CONSTRAINT bank_entries_once UNIQUE (account_id, entry_key),
  FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT bank_entries_key_is_a_digest CHECK (octet_length(entry_key) = 32),
  CONSTRAINT bank_entries_direction_known CHECK (direction IN ('credit', 'debit')),
  CONSTRAINT bank_entries_amount_not_negative CHECK (amount >= 0),
  CONSTRAINT bank_entries_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT bank_entries_status_known
    CHECK (status IN ('booked', 'proposed', 'unmatched', 'ignored', 'debit')),
  CONSTRAINT bank_entries_booked_has_its_payment
    CHECK ((status = 'booked') = (payment_id IS NOT NULL)),
  CONSTRAINT bank_entries_debit_is_only_kept CHECK ((status = 'debit') = (direction = 'debit')),
  CONSTRAINT bank_entries_matched_when_judged
    CHECK (status IN ('unmatched', 'debit') OR judged_at IS NOT NULL)
);
COMMENT ON TABLE bank_entries IS
  'Movements on bank accounts. Files that overlap bring an entry once. Only status, payment_id '
  'and judged_at change.';
COMMENT ON COLUMN bank_entries.account_id IS 'Account that the row belongs to.';
COMMENT ON COLUMN bank_entries.entry_id IS 'Identifies the entry.';
COMMENT ON COLUMN bank_entries.statement_id IS 'File that brought it.';
COMMENT ON COLUMN bank_entries.entry_key IS 'Digest of what the bank says of it.';
COMMENT ON COLUMN bank_entries.direction IS 'Whether money came in (credit) or went out (debit).';
COMMENT ON COLUMN bank_entries.is_reversal IS 'Whether it takes another entry back.';
COMMENT ON COLUMN bank_entries.amount IS 'The amount, in minor units.';
COMMENT ON COLUMN bank_entries.currency IS 'ISO 4217 code of the amount.';
COMMENT ON COLUMN bank_entries.booked_on IS 'Day on which the bank booked it.';
COMMENT ON COLUMN bank_entries.value_on IS 'Day from which it counts for interest.';
COMMENT ON COLUMN bank_entries.bank_account IS 'Own account that it is on, as the file names it.';
COMMENT ON COLUMN bank_entries.counterparty_name IS 'Who paid, or was paid.';
COMMENT ON COLUMN bank_entries.counterparty_iban IS 'IBAN of the counterparty.';
COMMENT ON COLUMN bank_entries.remittance IS 'Text that came with it.';
COMMENT ON COLUMN bank_entries.structured_reference IS 'Structured reference that came with it.';
COMMENT ON COLUMN bank_entries.end_to_end_id IS 'Id that the payer gave it.';
COMMENT ON COLUMN bank_entries.bank_reference IS 'Id that the bank gave it.';
COMMENT ON COLUMN bank_entries.status IS 'What became of it.';
COMMENT ON COLUMN bank_entries.payment_id IS 'Payment that it was booked as.';
COMMENT ON COLUMN bank_entries.judged_at IS 'When documents for it were looked for; null: not yet.';
COMMENT ON COLUMN bank_entries.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX bank_entries_of_statement ON bank_entries (account_id, statement_id, entry_id);
CREATE INDEX bank_entries_by_status ON bank_entries (account_id, status, entry_id);
CREATE INDEX bank_entries_of_payer ON bank_entries
  (account_id, counterparty_iban, entry_id) WHERE payment_id IS NOT NULL;
CREATE INDEX bank_entries_of_day ON bank_entries
  (account_id, booked_on, amount) WHERE payment_id IS NOT NULL;
CREATE INDEX bank_entries_xact ON bank_entries USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id,
  statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on,
  bank_account, counterparty_name, counterparty_iban, remittance, structured_reference,
  end_to_end_id, bank_reference OR TRUNCATE ON bank_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON bank_entries
  FOR EACH ROW WHEN (OLD.status IN ('booked', 'debit'))
  EXECUTE FUNCTION refuse_change('a bank entry is booked once');
CREATE TRIGGER bank_entries_xact_stays BEFORE UPDATE OF xact ON bank_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

ALTER TABLE payments
  ADD CONSTRAINT payments_bank_entry_exists
    FOREIGN KEY (account_id, bank_entry_id) REFERENCES bank_entries;
