-- Files of banks and their entries.

CREATE TABLE bank_file_mappings (
  account_id    uuid NOT NULL REFERENCES accounts,
  mapping_id    uuid NOT NULL,
  bank_account  text NOT NULL,
  header        text[] NOT NULL,
  hints         jsonb NOT NULL,
  told_at       timestamptz NOT NULL,
  client_id     uuid,
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
COMMENT ON COLUMN bank_file_mappings.client_id IS 'Client that told it; null: the operator.';

CREATE TABLE bank_statements (
  account_id      uuid NOT NULL REFERENCES accounts,
  statement_id    uuid NOT NULL,
  sha256          bytea NOT NULL,
  format          text NOT NULL,
  sections        jsonb NOT NULL,
  entries         integer NOT NULL,
  known_before    integer NOT NULL,
  pending         integer NOT NULL,
  client_id       uuid,
  imported_at     timestamptz NOT NULL,
  xact            bigint NOT NULL DEFAULT book_xact(),
  rejected        integer NOT NULL DEFAULT 0,
  unused_columns  text[] NOT NULL DEFAULT '{}',
  hints           jsonb NOT NULL DEFAULT '{}',
  withdrawn_at    timestamptz,
  mapping_id      uuid,
  PRIMARY KEY (account_id, statement_id),
  CONSTRAINT bank_statements_sha256_is_a_digest CHECK (octet_length(sha256) = 32),
  CONSTRAINT bank_statements_sections_are_a_list CHECK (jsonb_typeof(sections) = 'array'),
  CONSTRAINT bank_statements_entries_not_negative CHECK (entries >= 0),
  CONSTRAINT bank_statements_known_within_entries CHECK (known_before BETWEEN 0 AND entries),
  CONSTRAINT bank_statements_pending_not_negative CHECK (pending >= 0),
  CONSTRAINT bank_statements_rejected_not_negative CHECK (rejected >= 0),
  CONSTRAINT bank_statements_format_known
    CHECK (format IN ('camt.052', 'camt.053', 'camt.054', 'csv', 'mt940')),
  CONSTRAINT bank_statements_hints_are_an_object CHECK (jsonb_typeof(hints) = 'object')
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
COMMENT ON COLUMN bank_statements.rejected IS
  'How many failed, were declined or cancelled; they are kept out.';
COMMENT ON COLUMN bank_statements.unused_columns IS
  'Columns, fields and labels of the file that no rule took, and rows that are a balance.';
COMMENT ON COLUMN bank_statements.hints IS
  'How the file was read, as its caller and its mapping said.';
COMMENT ON COLUMN bank_statements.withdrawn_at IS
  'When it was taken back: its entries count no more; null while it stands.';
COMMENT ON COLUMN bank_statements.mapping_id IS
  'Mapping that the file was read by, which may be gone; null: none.';

CREATE INDEX bank_statements_xact ON bank_statements USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
CREATE UNIQUE INDEX bank_statements_file ON bank_statements (account_id, sha256)
  WHERE withdrawn_at IS NULL;

CREATE TRIGGER bank_statements_stay_withdrawn BEFORE UPDATE OF withdrawn_at ON bank_statements
  FOR EACH ROW WHEN (OLD.withdrawn_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change('a withdrawn bank statement stays withdrawn');
CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OF account_id, statement_id,
  sha256, format, sections, entries, known_before, pending,
  client_id, imported_at, xact, rejected, hints, unused_columns, mapping_id
  OR TRUNCATE ON bank_statements
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
  fee                   bigint NOT NULL DEFAULT 0,
  transaction_type      text,
  return_reason         text,
  ledger_account        text,
  payout_id             uuid,
  batch_key             bytea,
  batch_amount          bigint,
  PRIMARY KEY (account_id, entry_id),
  FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements,
  FOREIGN KEY (account_id, payment_id) REFERENCES payments,
  CONSTRAINT bank_entries_key_is_a_digest CHECK (octet_length(entry_key) = 32),
  CONSTRAINT bank_entries_direction_known CHECK (direction IN ('credit', 'debit')),
  CONSTRAINT bank_entries_amount_not_negative CHECK (amount >= 0),
  CONSTRAINT bank_entries_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT bank_entries_matched_when_judged
    CHECK (status IN ('unmatched', 'debit') OR judged_at IS NOT NULL),
  CONSTRAINT bank_entries_booked_has_its_payment
    CHECK ((status IN ('booked', 'recorded', 'returned')) = (payment_id IS NOT NULL)),
  CONSTRAINT bank_entries_posted_has_its_account
    CHECK ((status = 'posted') = (ledger_account IS NOT NULL)),
  CONSTRAINT bank_entries_account_known CHECK (
    ledger_account IN ('bank_fees', 'other_expenses', 'other_income', 'opening_balances',
    'gateway_clearing', 'currency_exchange', 'payouts_in_transit')),
  CONSTRAINT bank_entries_payout_is_in_transit
    CHECK ((payout_id IS NOT NULL) = (ledger_account IS NOT DISTINCT FROM 'payouts_in_transit')),
  CONSTRAINT bank_entries_status_known CHECK (
    status IN ('booked', 'recorded', 'returned', 'posted', 'proposed', 'unmatched', 'ignored',
    'debit', 'replaced', 'withdrawn')),
  CONSTRAINT bank_entries_debit_is_no_payment CHECK (
    CASE direction WHEN 'debit' THEN status IN ('debit', 'returned', 'posted', 'replaced',
    'withdrawn') ELSE status NOT IN ('debit', 'returned') END),
  CONSTRAINT bank_entries_batch_key_is_a_digest CHECK (octet_length(batch_key) = 32),
  CONSTRAINT bank_entries_batch_has_its_amount
    CHECK (batch_key IS NULL OR batch_amount IS NOT NULL)
);
COMMENT ON TABLE bank_entries IS
  'Movements on bank accounts. Files that overlap bring an entry once. Only status, payment_id, '
  'payout_id, ledger_account and judged_at change.';
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
COMMENT ON COLUMN bank_entries.payment_id IS 'Payment that it is, or that it took back.';
COMMENT ON COLUMN bank_entries.judged_at IS 'When documents for it were looked for; null: not yet.';
COMMENT ON COLUMN bank_entries.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';
COMMENT ON COLUMN bank_entries.fee IS
  'What the bank kept beside the amount, in minor units; below zero: what it gave back.';
COMMENT ON COLUMN bank_entries.transaction_type IS 'The word of the bank for what it is.';
COMMENT ON COLUMN bank_entries.return_reason IS 'Why it came back, as the bank says.';
COMMENT ON COLUMN bank_entries.ledger_account IS 'Account of the chart that it is posted to.';
COMMENT ON COLUMN bank_entries.payout_id IS 'Payout that it is.';
COMMENT ON COLUMN bank_entries.batch_key IS
  'Of a part of a batch: the entry_key of the batch, where a file tells of it as one entry.';
COMMENT ON COLUMN bank_entries.batch_amount IS
  'Of a part of a batch: the amount of the batch, in minor units.';

CREATE INDEX bank_entries_of_statement ON bank_entries (account_id, statement_id, entry_id);
CREATE INDEX bank_entries_by_status ON bank_entries (account_id, status, entry_id);
CREATE INDEX bank_entries_of_payer ON bank_entries
  (account_id, counterparty_iban, entry_id) WHERE payment_id IS NOT NULL;
CREATE INDEX bank_entries_xact ON bank_entries USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);
-- One entry for each payment: neither two files nor two people book money twice.
CREATE UNIQUE INDEX bank_entries_of_payment ON bank_entries (account_id, payment_id)
  WHERE status = 'booked' OR status = 'recorded';
CREATE INDEX bank_entries_by_end_to_end_id ON bank_entries (account_id, end_to_end_id)
  WHERE payment_id IS NOT NULL AND end_to_end_id IS NOT NULL;
-- One entry for each payout: neither two files nor two people book it twice.
CREATE UNIQUE INDEX bank_entries_of_payout ON bank_entries (account_id, payout_id)
  WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX bank_entries_once ON bank_entries (account_id, entry_key)
  WHERE status <> 'withdrawn';
CREATE INDEX bank_entries_of_batch ON bank_entries (account_id, batch_key)
  WHERE batch_key IS NOT NULL;
CREATE INDEX bank_entries_in_batches ON bank_entries
  (account_id, booked_on, batch_amount, entry_id) WHERE batch_amount IS NOT NULL;
CREATE INDEX bank_entries_of_day ON bank_entries (account_id, booked_on, amount, entry_id);
CREATE UNIQUE INDEX bank_entries_returned ON bank_entries (account_id, payment_id)
  WHERE status = 'returned';

CREATE TRIGGER bank_entries_xact_stays BEFORE UPDATE OF xact ON bank_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON bank_entries
  FOR EACH ROW WHEN (OLD.status = 'returned'
    OR OLD.status = 'booked' AND NEW.status <> 'unmatched')
  EXECUTE FUNCTION refuse_change('a bank entry is booked once');
CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id,
  statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on,
  bank_account, counterparty_name, counterparty_iban, remittance, structured_reference,
  end_to_end_id, bank_reference, fee, transaction_type, return_reason, batch_key, batch_amount
  OR TRUNCATE ON bank_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
CREATE TRIGGER bank_entries_stay_withdrawn BEFORE UPDATE OF status ON bank_entries
  FOR EACH ROW WHEN (OLD.status = 'withdrawn')
  EXECUTE FUNCTION refuse_change('a withdrawn bank entry stays withdrawn');

ALTER TABLE payments
  ADD CONSTRAINT payments_bank_entry_exists
    FOREIGN KEY (account_id, bank_entry_id) REFERENCES bank_entries;

CREATE TABLE bank_entry_mentions (
  account_id    uuid NOT NULL,
  statement_id  uuid NOT NULL,
  entry_id      uuid NOT NULL,
  xact          bigint NOT NULL DEFAULT book_xact(),
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
