-- Written by `npm run schema`: what the migrations make, to be read. Tables, then domains and
-- functions. Amounts are in minor units, times in UTC. The source is migrations/.

-- Tenants. Every other tenant table begins its key with account_id.
CREATE TABLE accounts (
  account_id uuid NOT NULL, -- Identifies the account.
  name text NOT NULL, -- Name that operators know the account by.
  seller jsonb NOT NULL, -- Seller as printed on documents: names, address, tax ids, bank account, logo. Written by the settings.
  currency text NOT NULL, -- ISO 4217 code that new documents begin with.
  time_zone text NOT NULL, -- IANA time zone that decides which day it is.
  language text NOT NULL, -- BCP 47 tag of the language that documents are printed in.
  payment_terms_days integer NOT NULL, -- Days between issue date and due date of a new document.
  document_notes text, -- Notes that a new document begins with.
  version integer NOT NULL, -- Goes up by one with each change; the ETag of the settings.
  created_at timestamp with time zone NOT NULL, -- When the account was made.
  updated_at timestamp with time zone NOT NULL, -- When the settings were changed last.
  books_from date NOT NULL, -- First day of the books: no document is dated before it.
  books_open_from date NOT NULL, -- First day of the first open month: no transfer is dated before it from then on.
  issue_days_ahead integer NOT NULL, -- Days in the future that a document may be dated to when it is issued.
  base_currency text NOT NULL, -- ISO 4217 code of the currency by way of which a rate is found that nobody told directly.
  strict boolean NOT NULL, -- Whether an invoice that lacks what the law asks for is refused when it is issued.
  default_tax_rate_id uuid, -- Tax rate of lines that say nothing of tax; null: none.
  document_defaults jsonb, -- Cash discounts, payee and tax representative of new documents; null: none.
  mode text NOT NULL, -- test: made for trying. The sandbox and the page of mails serve no other.
  CONSTRAINT accounts_pkey PRIMARY KEY (account_id),
  CONSTRAINT accounts_mode_of UNIQUE (account_id, mode),
  CONSTRAINT accounts_account_id_default_tax_rate_id_fkey FOREIGN KEY (account_id, default_tax_rate_id) REFERENCES tax_rates(account_id, tax_rate_id),
  CONSTRAINT accounts_base_currency_is_a_code CHECK (base_currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT accounts_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT accounts_document_notes_not_too_long CHECK (length(document_notes) <= 5000),
  CONSTRAINT accounts_issue_at_most_a_year_ahead CHECK (issue_days_ahead >= 0 AND issue_days_ahead <= 366),
  CONSTRAINT accounts_mode_known CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  CONSTRAINT accounts_name_not_empty CHECK (name <> ''::text),
  CONSTRAINT accounts_open_within_the_books CHECK (books_open_from >= books_from),
  CONSTRAINT accounts_payment_terms_at_most_ten_years CHECK (payment_terms_days >= 0 AND payment_terms_days <= 3650),
  CONSTRAINT accounts_version_from_one CHECK (version > 0)
);
CREATE TRIGGER accounts_mode_stays BEFORE UPDATE OF mode ON accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an account stays live or test');

-- What a payment pays beside, or instead of, the document that its own row names. Append-only. The sum of both is what it pays there, refunds apart.
CREATE TABLE allocations (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  allocation_id uuid NOT NULL, -- Identifies the allocation.
  payment_id uuid NOT NULL, -- The payment.
  document_id uuid NOT NULL, -- The document.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  amount bigint NOT NULL, -- What the document takes, in minor units; below zero: taken off it again.
  reason text NOT NULL, -- Why it is here.
  created_at timestamp with time zone NOT NULL, -- When it was written.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  counts_on date, -- Day of a move in the ledger; null: the day of created_at.
  CONSTRAINT allocations_pkey PRIMARY KEY (account_id, allocation_id),
  CONSTRAINT allocations_account_id_document_id_currency_fkey FOREIGN KEY (account_id, document_id, currency) REFERENCES documents(account_id, document_id, currency),
  CONSTRAINT allocations_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT allocations_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT allocations_only_moves_are_dated CHECK (counts_on IS NULL OR reason = 'move'::text),
  CONSTRAINT allocations_reason_known CHECK (reason = ANY (ARRAY['receipt'::text, 'move'::text, 'reversal'::text]))
);
CREATE INDEX allocations_of_document ON allocations USING btree (account_id, document_id);
CREATE INDEX allocations_of_payment ON allocations USING btree (account_id, payment_id);
CREATE INDEX allocations_xact ON allocations USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER allocations_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON allocations FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('allocations are append-only');

-- OAuth clients. Global, because a client presents its id before its account is known.
CREATE TABLE api_clients (
  client_id uuid NOT NULL, -- Identifies the client.
  account_id uuid NOT NULL, -- Account that the client acts for.
  name text NOT NULL, -- Name that people know the client by.
  secret_sha256 bytea NOT NULL, -- SHA-256 of the client secret.
  previous_secret_sha256 bytea, -- SHA-256 of the secret before, while both are good.
  previous_secret_ends_at timestamp with time zone, -- When the secret before is refused.
  scopes text[] NOT NULL, -- Scopes that a token of the client may have.
  addresses text[], -- CIDR blocks that the client may call from; null: from anywhere.
  version integer NOT NULL DEFAULT 1, -- Goes up by one with each change; access tokens name the version that they were made for.
  created_at timestamp with time zone NOT NULL, -- When the client was made.
  expires_at timestamp with time zone, -- When the client ends; null: never.
  last_used_at timestamp with time zone, -- When the client asked for a token last, a few minutes behind.
  revoked_at timestamp with time zone, -- When the client was revoked; null: it is good.
  had_scopes text[] NOT NULL, -- Scopes that the client ever had.
  had_addresses text[], -- CIDR blocks from which it ever might call; null: from anywhere.
  had_expires_at timestamp with time zone, -- The latest end that it ever had; null: there was none.
  CONSTRAINT api_clients_pkey PRIMARY KEY (client_id),
  CONSTRAINT api_clients_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT api_clients_addresses_are_few CHECK (cardinality(addresses) >= 1 AND cardinality(addresses) <= 20),
  CONSTRAINT api_clients_had_its_addresses CHECK (had_addresses IS NULL OR addresses IS NOT NULL),
  CONSTRAINT api_clients_had_its_end CHECK (had_expires_at IS NULL OR COALESCE(expires_at <= had_expires_at, false)),
  CONSTRAINT api_clients_had_its_scopes CHECK (scopes <@ had_scopes),
  CONSTRAINT api_clients_name_not_empty CHECK (name <> ''::text),
  CONSTRAINT api_clients_previous_secret_ends CHECK ((previous_secret_sha256 IS NULL) = (previous_secret_ends_at IS NULL)),
  CONSTRAINT api_clients_previous_secret_is_a_digest CHECK (length(previous_secret_sha256) = 32),
  CONSTRAINT api_clients_secret_is_a_digest CHECK (length(secret_sha256) = 32),
  CONSTRAINT api_clients_version_from_one CHECK (version > 0)
);
CREATE INDEX api_clients_of_account ON api_clients USING btree (account_id, client_id);

-- Bytes of files that support a document. Frozen with the document.
CREATE TABLE attachment_files (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that the file supports.
  sha256 bytea NOT NULL, -- SHA-256 of the bytes, as the details of the document say it.
  content bytea, -- The bytes; null: the store of files has them.
  CONSTRAINT attachment_files_pkey PRIMARY KEY (account_id, document_id, sha256),
  CONSTRAINT attachment_files_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE CASCADE,
  CONSTRAINT attachment_files_content_is_bounded CHECK (length(content) >= 1 AND length(content) <= 5242880),
  CONSTRAINT attachment_files_sha256_is_a_digest CHECK (length(sha256) = 32),
  CONSTRAINT attachment_files_sha256_is_that_of_content CHECK (sha256 = sha256(content))
);
CREATE INDEX attachment_files_elsewhere ON attachment_files USING btree (account_id, sha256) WHERE (content IS NULL);
CREATE TRIGGER attachment_files_frozen BEFORE INSERT OR DELETE ON attachment_files FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER attachment_files_moved BEFORE UPDATE ON attachment_files FOR EACH ROW EXECUTE FUNCTION refuse_change_but_of_place();
CREATE TRIGGER attachment_files_stay BEFORE TRUNCATE ON attachment_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');
CREATE TRIGGER attachment_files_there BEFORE INSERT OR UPDATE ON attachment_files FOR EACH ROW WHEN (new.content IS NULL) EXECUTE FUNCTION refuse_removed_file();

-- Who changed what the books do not tell of, and what was refused. Append-only. It references nothing: the account of zeros has what belongs to no account.
CREATE TABLE audit_entries (
  account_id uuid NOT NULL, -- Account that the entry belongs to; zeros: to none.
  entry_id uuid NOT NULL, -- Identifies the entry.
  action text NOT NULL, -- What was done, such as `client.revoked`. A closed set in the code.
  subject text, -- What it was done to, by its public id.
  actor_type text NOT NULL, -- Kind of actor.
  actor_id text, -- Public id of the actor; null where there is none.
  address inet, -- Network address of the caller.
  request_id text, -- Id of the request, as in the log.
  before jsonb, -- The fields that changed, as they were.
  after jsonb, -- The fields that changed, as they are.
  occurrences integer NOT NULL DEFAULT 1, -- How many refusals of one minute, all alike, the entry stands for.
  occurred_at timestamp with time zone NOT NULL, -- When it happened.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT audit_entries_pkey PRIMARY KEY (account_id, entry_id),
  CONSTRAINT audit_entries_action_is_dotted CHECK (action ~ '^[a-z_-]+([.][a-z_-]+)+$'::text),
  CONSTRAINT audit_entries_actor_type_known CHECK (actor_type = ANY (ARRAY['client'::text, 'portal'::text, 'gateway'::text, 'operator'::text, 'none'::text])),
  CONSTRAINT audit_entries_after_is_an_object CHECK (jsonb_typeof(after) = 'object'::text),
  CONSTRAINT audit_entries_before_is_an_object CHECK (jsonb_typeof(before) = 'object'::text),
  CONSTRAINT audit_entries_nobody_has_no_id CHECK (actor_type <> 'none'::text OR actor_id IS NULL),
  CONSTRAINT audit_entries_occurrences_from_one CHECK (occurrences > 0),
  CONSTRAINT audit_entries_subject_length CHECK (length(subject) >= 1 AND length(subject) <= 255)
);
CREATE INDEX audit_entries_latest ON audit_entries USING btree (account_id, occurred_at, entry_id);
CREATE INDEX audit_entries_of_skipped_numbers ON audit_entries USING btree (account_id, subject) WHERE (action = 'numbering.skipped'::text);
CREATE INDEX audit_entries_of_subject ON audit_entries USING btree (account_id, subject, occurred_at, entry_id);
CREATE INDEX audit_entries_xact ON audit_entries USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is append-only');

-- Movements on bank accounts. Files that overlap bring an entry once. Only status, payment_id, payout_id, ledger_account and judged_at change.
CREATE TABLE bank_entries (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  entry_id uuid NOT NULL, -- Identifies the entry.
  statement_id uuid NOT NULL, -- File that brought it.
  entry_key bytea NOT NULL, -- Digest of what the bank says of it.
  direction text NOT NULL, -- Whether money came in (credit) or went out (debit).
  is_reversal boolean NOT NULL, -- Whether it takes another entry back.
  amount bigint NOT NULL, -- The amount, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  booked_on date NOT NULL, -- Day on which the bank booked it.
  value_on date, -- Day from which it counts for interest.
  bank_account text, -- Own account that it is on, as the file names it.
  counterparty_name text, -- Who paid, or was paid.
  counterparty_iban text, -- IBAN of the counterparty.
  remittance text, -- Text that came with it.
  structured_reference text, -- Structured reference that came with it.
  end_to_end_id text, -- Id that the payer gave it.
  bank_reference text, -- Id that the bank gave it.
  status text NOT NULL, -- What became of it.
  payment_id uuid, -- Payment that it is, or that it took back.
  judged_at timestamp with time zone, -- When documents for it were looked for; null: not yet.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  fee bigint NOT NULL DEFAULT 0, -- What the bank kept beside the amount, in minor units; below zero: what it gave back.
  transaction_type text, -- The word of the bank for what it is.
  return_reason text, -- Why it came back, as the bank says.
  ledger_account text, -- Account of the chart that it is posted to.
  payout_id uuid, -- Payout that it is.
  batch_key bytea, -- Of a part of a batch: the entry_key of the batch, where a file tells of it as one entry.
  batch_amount bigint, -- Of a part of a batch: the amount of the batch, in minor units.
  CONSTRAINT bank_entries_pkey PRIMARY KEY (account_id, entry_id),
  CONSTRAINT bank_entries_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT bank_entries_account_id_payout_id_fkey FOREIGN KEY (account_id, payout_id) REFERENCES payouts(account_id, payout_id),
  CONSTRAINT bank_entries_account_id_statement_id_fkey FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements(account_id, statement_id),
  CONSTRAINT bank_entries_account_known CHECK (ledger_account = ANY (ARRAY['bank_fees'::text, 'other_expenses'::text, 'other_income'::text, 'opening_balances'::text, 'gateway_clearing'::text, 'currency_exchange'::text, 'payouts_in_transit'::text])),
  CONSTRAINT bank_entries_amount_not_negative CHECK (amount >= 0),
  CONSTRAINT bank_entries_batch_has_its_amount CHECK (batch_key IS NULL OR batch_amount IS NOT NULL),
  CONSTRAINT bank_entries_batch_key_is_a_digest CHECK (octet_length(batch_key) = 32),
  CONSTRAINT bank_entries_booked_has_its_payment CHECK ((status = ANY (ARRAY['booked'::text, 'recorded'::text, 'returned'::text])) = (payment_id IS NOT NULL)),
  CONSTRAINT bank_entries_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT bank_entries_debit_is_no_payment CHECK (
CASE direction
    WHEN 'debit'::text THEN status = ANY (ARRAY['debit'::text, 'returned'::text, 'posted'::text, 'replaced'::text, 'withdrawn'::text])
    ELSE status <> ALL (ARRAY['debit'::text, 'returned'::text])
END),
  CONSTRAINT bank_entries_direction_known CHECK (direction = ANY (ARRAY['credit'::text, 'debit'::text])),
  CONSTRAINT bank_entries_key_is_a_digest CHECK (octet_length(entry_key) = 32),
  CONSTRAINT bank_entries_matched_when_judged CHECK ((status = ANY (ARRAY['unmatched'::text, 'debit'::text])) OR judged_at IS NOT NULL),
  CONSTRAINT bank_entries_payout_is_in_transit CHECK ((payout_id IS NOT NULL) = (NOT ledger_account IS DISTINCT FROM 'payouts_in_transit'::text)),
  CONSTRAINT bank_entries_posted_has_its_account CHECK ((status = 'posted'::text) = (ledger_account IS NOT NULL)),
  CONSTRAINT bank_entries_status_known CHECK (status = ANY (ARRAY['booked'::text, 'recorded'::text, 'returned'::text, 'posted'::text, 'proposed'::text, 'unmatched'::text, 'ignored'::text, 'debit'::text, 'replaced'::text, 'withdrawn'::text]))
);
CREATE INDEX bank_entries_by_end_to_end_id ON bank_entries USING btree (account_id, end_to_end_id) WHERE ((payment_id IS NOT NULL) AND (end_to_end_id IS NOT NULL));
CREATE INDEX bank_entries_by_status ON bank_entries USING btree (account_id, status, entry_id);
CREATE INDEX bank_entries_for_a_person ON bank_entries USING btree (status, booked_on) WHERE (status = ANY (ARRAY['proposed'::text, 'unmatched'::text]));
CREATE INDEX bank_entries_in_batches ON bank_entries USING btree (account_id, booked_on, batch_amount, entry_id) WHERE (batch_amount IS NOT NULL);
CREATE INDEX bank_entries_of_batch ON bank_entries USING btree (account_id, batch_key) WHERE (batch_key IS NOT NULL);
CREATE INDEX bank_entries_of_day ON bank_entries USING btree (account_id, booked_on, amount, entry_id);
CREATE INDEX bank_entries_of_payer ON bank_entries USING btree (account_id, counterparty_iban, entry_id) WHERE (payment_id IS NOT NULL);
CREATE UNIQUE INDEX bank_entries_of_payment ON bank_entries USING btree (account_id, payment_id) WHERE ((status = 'booked'::text) OR (status = 'recorded'::text));
CREATE UNIQUE INDEX bank_entries_of_payout ON bank_entries USING btree (account_id, payout_id) WHERE (payout_id IS NOT NULL);
CREATE INDEX bank_entries_of_statement ON bank_entries USING btree (account_id, statement_id, entry_id);
CREATE UNIQUE INDEX bank_entries_once ON bank_entries USING btree (account_id, entry_key) WHERE (status <> 'withdrawn'::text);
CREATE UNIQUE INDEX bank_entries_returned ON bank_entries USING btree (account_id, payment_id) WHERE (status = 'returned'::text);
CREATE INDEX bank_entries_xact ON bank_entries USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER bank_entries_append_only BEFORE DELETE OR UPDATE OF account_id, entry_id, statement_id, entry_key, direction, is_reversal, amount, currency, booked_on, value_on, bank_account, counterparty_name, counterparty_iban, remittance, structured_reference, end_to_end_id, bank_reference, fee, transaction_type, return_reason, batch_key, batch_amount OR TRUNCATE ON bank_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank entries are append-only');
CREATE TRIGGER bank_entries_booked_once BEFORE UPDATE ON bank_entries FOR EACH ROW WHEN (old.status = 'returned'::text OR old.status = 'booked'::text AND new.status <> 'unmatched'::text) EXECUTE FUNCTION refuse_change('a bank entry is booked once');
CREATE TRIGGER bank_entries_stay_withdrawn BEFORE UPDATE OF status ON bank_entries FOR EACH ROW WHEN (old.status = 'withdrawn'::text) EXECUTE FUNCTION refuse_change('a withdrawn bank entry stays withdrawn');
CREATE TRIGGER bank_entries_xact_stays BEFORE UPDATE OF xact ON bank_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- Files that tell of an entry that another file brought. Append-only.
CREATE TABLE bank_entry_mentions (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  statement_id uuid NOT NULL, -- File that tells of it again.
  entry_id uuid NOT NULL, -- The entry.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT bank_entry_mentions_pkey PRIMARY KEY (account_id, entry_id, statement_id),
  CONSTRAINT bank_entry_mentions_account_id_entry_id_fkey FOREIGN KEY (account_id, entry_id) REFERENCES bank_entries(account_id, entry_id),
  CONSTRAINT bank_entry_mentions_account_id_statement_id_fkey FOREIGN KEY (account_id, statement_id) REFERENCES bank_statements(account_id, statement_id)
);
CREATE INDEX bank_entry_mentions_xact ON bank_entry_mentions USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER bank_entry_mentions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON bank_entry_mentions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('mentions of bank entries are append-only');

-- How CSV files of a bank account are read, as it was told last; one row each.
CREATE TABLE bank_file_mappings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  mapping_id uuid NOT NULL, -- Identifies the mapping.
  bank_account text NOT NULL, -- The account at the bank: an IBAN where it has one.
  header text[] NOT NULL, -- Header of the file that it was told for, cell by cell.
  hints jsonb NOT NULL, -- How the files are read; the bank account is none of it.
  told_at timestamp with time zone NOT NULL, -- When it was told.
  client_id uuid, -- Client that told it; null: the operator.
  CONSTRAINT bank_file_mappings_pkey PRIMARY KEY (account_id, mapping_id),
  CONSTRAINT bank_file_mappings_account UNIQUE (account_id, bank_account),
  CONSTRAINT bank_file_mappings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT bank_file_mappings_bank_account_not_empty CHECK (bank_account <> ''::text),
  CONSTRAINT bank_file_mappings_header_not_empty CHECK (cardinality(header) > 0),
  CONSTRAINT bank_file_mappings_hints_are_an_object CHECK (jsonb_typeof(hints) = 'object'::text),
  CONSTRAINT bank_file_mappings_say_something CHECK (hints <> '{}'::jsonb AND NOT hints ? 'account'::text)
);

-- Files that banks gave, one row each. Append-only.
CREATE TABLE bank_statements (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  statement_id uuid NOT NULL, -- Identifies the file.
  sha256 bytea NOT NULL, -- SHA-256 of the file: it is imported once.
  format text NOT NULL, -- Format of the file.
  sections jsonb NOT NULL, -- What the file says of each bank account, with its balances.
  entries integer NOT NULL, -- How many entries the file has.
  known_before integer NOT NULL, -- How many of those an earlier file brought.
  pending integer NOT NULL, -- How many the bank has not booked yet; they are kept out.
  client_id uuid, -- Client that imported it; null: the operator.
  imported_at timestamp with time zone NOT NULL, -- When it was imported.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  rejected integer NOT NULL DEFAULT 0, -- How many failed, were declined or cancelled; they are kept out.
  unused_columns text[] NOT NULL DEFAULT '{}'::text[], -- Columns, fields and labels of the file that no rule took, and rows that are a balance.
  hints jsonb NOT NULL DEFAULT '{}'::jsonb, -- How the file was read, as its caller and its mapping said.
  withdrawn_at timestamp with time zone, -- When it was taken back: its entries count no more; null while it stands.
  mapping_id uuid, -- Mapping that the file was read by, which may be gone; null: none.
  CONSTRAINT bank_statements_pkey PRIMARY KEY (account_id, statement_id),
  CONSTRAINT bank_statements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT bank_statements_entries_not_negative CHECK (entries >= 0),
  CONSTRAINT bank_statements_format_known CHECK (format = ANY (ARRAY['camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'csv'::text, 'mt940'::text])),
  CONSTRAINT bank_statements_hints_are_an_object CHECK (jsonb_typeof(hints) = 'object'::text),
  CONSTRAINT bank_statements_known_within_entries CHECK (known_before >= 0 AND known_before <= entries),
  CONSTRAINT bank_statements_pending_not_negative CHECK (pending >= 0),
  CONSTRAINT bank_statements_rejected_not_negative CHECK (rejected >= 0),
  CONSTRAINT bank_statements_sections_are_a_list CHECK (jsonb_typeof(sections) = 'array'::text),
  CONSTRAINT bank_statements_sha256_is_a_digest CHECK (octet_length(sha256) = 32)
);
CREATE UNIQUE INDEX bank_statements_file ON bank_statements USING btree (account_id, sha256) WHERE (withdrawn_at IS NULL);
CREATE INDEX bank_statements_xact ON bank_statements USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER bank_statements_append_only BEFORE DELETE OR UPDATE OF account_id, statement_id, sha256, format, sections, entries, known_before, pending, client_id, imported_at, xact, rejected, hints, unused_columns, mapping_id OR TRUNCATE ON bank_statements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('bank statements are append-only');
CREATE TRIGGER bank_statements_stay_withdrawn BEFORE UPDATE OF withdrawn_at ON bank_statements FOR EACH ROW WHEN (old.withdrawn_at IS NOT NULL) EXECUTE FUNCTION refuse_change('a withdrawn bank statement stays withdrawn');

-- The numbers by which an accountant knows the accounts of the ledger; the last version counts. Append-only.
CREATE TABLE chart_settings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  template text NOT NULL, -- Chart that the numbers come from.
  numbers jsonb NOT NULL, -- By account of the ledger, a number other than that of the template.
  revenue jsonb NOT NULL, -- Accounts of revenue by category and rate of tax, before those of the template.
  datev jsonb, -- What the header of a DATEV file says; null: no such file is made.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  updated_at timestamp with time zone NOT NULL, -- When it was decided.
  losses jsonb NOT NULL DEFAULT '[]'::jsonb, -- Accounts of losses by category and rate of tax, before those of the template.
  cash_accounts jsonb NOT NULL DEFAULT '[]'::jsonb, -- Numbers of bank accounts and of methods by hand, before those of the template.
  CONSTRAINT chart_settings_pkey PRIMARY KEY (account_id, version),
  CONSTRAINT chart_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT chart_settings_cash_accounts_are_a_list CHECK (jsonb_typeof(cash_accounts) = 'array'::text),
  CONSTRAINT chart_settings_numbers_are_an_object CHECK (jsonb_typeof(numbers) = 'object'::text),
  CONSTRAINT chart_settings_revenue_is_a_list CHECK (jsonb_typeof(revenue) = 'array'::text),
  CONSTRAINT chart_settings_template_known CHECK (template = ANY (ARRAY['plain'::text, 'skr03'::text, 'skr04'::text])),
  CONSTRAINT chart_settings_version_from_one CHECK (version > 0)
);
CREATE TRIGGER chart_settings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON chart_settings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closed months keep their chart');

-- Pay pages of which a provider is still asked what became of them.
CREATE TABLE checkout_look_ups (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payment_link_id uuid NOT NULL, -- The link whose page it is.
  next_look_at timestamp with time zone NOT NULL, -- When the provider is asked next.
  CONSTRAINT checkout_look_ups_pkey PRIMARY KEY (account_id, payment_link_id),
  CONSTRAINT checkout_look_ups_account_id_payment_link_id_fkey FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links(account_id, payment_link_id)
);
CREATE INDEX checkout_look_ups_due ON checkout_look_ups USING btree (next_look_at);

-- What claims on customers and their credit moved by, by day and by month and by due date of the document, as far as `transfer_sums`. Made from `transfers`.
CREATE TABLE claim_sums (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  span text NOT NULL, -- How long: `day` or `month`.
  begins_on date NOT NULL, -- The day, or the first of the month.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  due_date date NOT NULL, -- Of the document; `infinity` where there is none.
  owed numeric NOT NULL, -- Debits less credits of `receivables`, in minor units.
  rejected numeric NOT NULL, -- The same of `rejected_receivables`.
  credit numeric NOT NULL, -- Credits less debits of `customer_credit`.
  CONSTRAINT claim_sums_pkey PRIMARY KEY (account_id, span, begins_on, currency, due_date),
  CONSTRAINT claim_sums_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT claim_sums_span_known CHECK (span = ANY (ARRAY['day'::text, 'month'::text]))
);

-- Payment links that are collected by a mandate, instead of paid at a page.
CREATE TABLE collections (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payment_link_id uuid NOT NULL, -- The link, which has amount and state; its id is the key of the call to the provider.
  document_id uuid NOT NULL, -- Document that is paid by it, as the link says.
  mandate_id uuid NOT NULL, -- Mandate by which it is collected.
  charge_on date NOT NULL, -- Day on which the customer is to be debited.
  automatic boolean NOT NULL, -- Whether it began by itself, without a call.
  withdrawn_at timestamp with time zone, -- When it was given up because less was due than it asks for; null: it stands.
  retry integer, -- Number of the try, where a debit before it had failed; null: none was planned.
  CONSTRAINT collections_pkey PRIMARY KEY (account_id, payment_link_id),
  CONSTRAINT collections_account_id_mandate_id_fkey FOREIGN KEY (account_id, mandate_id) REFERENCES mandates(account_id, mandate_id),
  CONSTRAINT collections_account_id_payment_link_id_document_id_fkey FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES payment_links(account_id, payment_link_id, document_id),
  CONSTRAINT collections_retry_was_planned FOREIGN KEY (account_id, document_id, retry) REFERENCES debit_retries(account_id, document_id, number)
);
CREATE UNIQUE INDEX collections_automatic_once ON collections USING btree (account_id, document_id) WHERE (automatic AND (withdrawn_at IS NULL));
CREATE INDEX collections_of_mandate ON collections USING btree (account_id, mandate_id);
CREATE UNIQUE INDEX collections_retry_once ON collections USING btree (account_id, document_id, retry) WHERE ((retry IS NOT NULL) AND (withdrawn_at IS NULL));
CREATE TRIGGER collections_stay BEFORE DELETE OR UPDATE OF account_id, payment_link_id, document_id, mandate_id, charge_on, automatic, retry OR TRUNCATE ON collections FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a collection stays what it is');

-- Money of a payment or a refund that moved in another currency than it counts in. Append-only.
CREATE TABLE conversions (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  conversion_id uuid NOT NULL, -- The payment or the refund: each has at most one.
  payment_id uuid, -- Payment that came in so.
  refund_id uuid, -- Refund that was paid out so.
  amount bigint NOT NULL, -- What moved, in minor units.
  currency text NOT NULL, -- ISO 4217 code of what moved.
  exchange_rate numeric NOT NULL, -- Worth of one unit of it in the other currency.
  worth bigint NOT NULL, -- Worth of all of it, in minor units.
  worth_currency text NOT NULL, -- ISO 4217 code of the worth: the currency of the payment.
  rate_from text NOT NULL, -- stated: the caller sent the rate; table: it is from the exchange rates.
  rate_source text, -- Who says so, such as ECB; null: nobody was named.
  rate_day date, -- Day that the rate of the table is of.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT conversions_pkey PRIMARY KEY (account_id, conversion_id),
  CONSTRAINT conversions_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT conversions_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT conversions_amount_within_limits CHECK (amount >= 1 AND amount <= '10000000000000'::bigint),
  CONSTRAINT conversions_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT conversions_of_a_payment_or_a_refund CHECK (num_nonnulls(payment_id, refund_id) = 1 AND conversion_id = COALESCE(payment_id, refund_id)),
  CONSTRAINT conversions_rate_above_zero CHECK (exchange_rate > 0::numeric),
  CONSTRAINT conversions_rate_from_known CHECK (rate_from = ANY (ARRAY['stated'::text, 'table'::text])),
  CONSTRAINT conversions_rate_of_the_table_has_its_day CHECK ((rate_from = 'table'::text) = (rate_day IS NOT NULL)),
  CONSTRAINT conversions_rate_of_the_table_has_its_source CHECK (rate_from = 'stated'::text OR rate_source IS NOT NULL),
  CONSTRAINT conversions_rate_source_not_too_long CHECK (length(rate_source) <= 250),
  CONSTRAINT conversions_two_currencies CHECK (currency <> worth_currency),
  CONSTRAINT conversions_worth_currency_is_a_code CHECK (worth_currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT conversions_worth_within_limits CHECK (worth >= 1 AND worth <= '10000000000000'::bigint)
);
CREATE INDEX conversions_xact ON conversions USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER conversions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON conversions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('conversions are append-only');

-- Which part of which line of an invoice a credit note takes back. Append-only.
CREATE TABLE credited_lines (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  credit_note_id uuid NOT NULL, -- The credit note.
  invoice_id uuid NOT NULL, -- The invoice.
  "position" integer NOT NULL, -- Line of the invoice, and place on the credit note.
  amount bigint NOT NULL, -- What is taken back of the line, with tax, in minor units; below zero where the line is.
  quantity numeric, -- How many units are taken back, with the sign of the line; null: an amount only.
  CONSTRAINT credited_lines_pkey PRIMARY KEY (account_id, credit_note_id, "position"),
  CONSTRAINT credited_lines_account_id_credit_note_id_fkey FOREIGN KEY (account_id, credit_note_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT credited_lines_account_id_invoice_id_position_fkey FOREIGN KEY (account_id, invoice_id, "position") REFERENCES document_lines(account_id, document_id, "position"),
  CONSTRAINT credited_lines_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT credited_lines_position_from_one CHECK ("position" > 0),
  CONSTRAINT credited_lines_signs_agree CHECK (quantity <> 0::numeric AND (quantity < 0::numeric) = (amount < 0))
);
CREATE INDEX credited_lines_of_invoice ON credited_lines USING btree (account_id, invoice_id);
CREATE TRIGGER credited_lines_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON credited_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credited lines are append-only');

-- The credit of a customer. Stored, so that it cannot fall below zero whoever writes.
CREATE TABLE customer_balances (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  customer_id uuid NOT NULL, -- Customer whose credit it is.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  credit bigint NOT NULL, -- Sum of the movements, in minor units.
  reserved bigint NOT NULL DEFAULT 0, -- Credit that is on its way back to the customer, in minor units: it may not be spent.
  CONSTRAINT customer_balances_pkey PRIMARY KEY (account_id, customer_id, currency),
  CONSTRAINT customer_balances_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT customer_balances_not_negative CHECK (credit >= reserved),
  CONSTRAINT customer_balances_reserved_not_negative CHECK (reserved >= 0)
);

-- Movements of a customer's credit. Append-only.
CREATE TABLE customer_credits (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  credit_id uuid NOT NULL, -- Identifies the movement.
  customer_id uuid NOT NULL, -- Customer whose credit it is.
  payment_id uuid, -- Payment that it came from, or that spent it.
  credit_note_id uuid, -- Credit note that it came from.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  amount bigint NOT NULL, -- Credit that was given, in minor units; below zero: spent.
  created_at timestamp with time zone NOT NULL, -- When it was written.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT customer_credits_pkey PRIMARY KEY (account_id, credit_id),
  CONSTRAINT customer_credits_account_id_credit_note_id_fkey FOREIGN KEY (account_id, credit_note_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT customer_credits_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT customer_credits_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT customer_credits_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT customer_credits_from_payment_or_credit_note CHECK ((payment_id IS NULL) <> (credit_note_id IS NULL))
);
CREATE INDEX customer_credits_of_credit_note ON customer_credits USING btree (account_id, credit_note_id) WHERE (credit_note_id IS NOT NULL);
CREATE INDEX customer_credits_of_customer ON customer_credits USING btree (account_id, customer_id);
CREATE INDEX customer_credits_of_payment ON customer_credits USING btree (account_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX customer_credits_xact ON customer_credits USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER customer_credits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON customer_credits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('customer credits are append-only');

-- Who documents are addressed to. Issued documents keep a copy.
CREATE TABLE customers (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  customer_id uuid NOT NULL, -- Identifies the customer.
  profile jsonb NOT NULL, -- Names, address, contact and tax ids, as the API shows them.
  currency text, -- ISO 4217 code that documents for the customer begin with.
  payment_terms_days integer, -- Days between issue date and due date; null: as the account says.
  external_id text, -- Id that the caller gave, unique in the account.
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb, -- Values that the caller attached; never read.
  version integer NOT NULL DEFAULT 1, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When the customer was made.
  updated_at timestamp with time zone NOT NULL DEFAULT now(), -- When the customer was changed last.
  archived_at timestamp with time zone, -- When the customer was archived; null: in use.
  sort_name text NOT NULL GENERATED ALWAYS AS "left"(folded((profile ->> 'name'::text)), 100), -- Name that lists are ordered by. The order of people, not of bytes, but alike everywhere: a database's own collation differs from place to place. Generated.
  search tsvector NOT NULL GENERATED ALWAYS AS array_to_tsvector(search_lexemes(account_id, (((((((((((((((((profile ->> 'name'::text) || ' '::text) || COALESCE((profile ->> 'legal_name'::text), ''::text)) || ' '::text) || COALESCE((profile ->> 'contact_name'::text), ''::text)) || ' '::text) || COALESCE((profile ->> 'email'::text), ''::text)) || ' '::text) || COALESCE((profile ->> 'city'::text), ''::text)) || ' '::text) || COALESCE((profile ->> 'tax_id'::text), ''::text)) || ' '::text) || (jsonb_path_query_array(profile, '$."tax_ids"[*]."value"'::jsonpath))::text) || ' '::text) || COALESCE((profile ->> 'registration_id'::text), ''::text)) || ' '::text) || COALESCE(external_id, ''::text)))), -- Words that a search finds, each beginning with the end of the account id. Generated.
  cash_discounts jsonb, -- Reductions for those who pay its documents early; null leaves them to the account.
  kind text, -- Business or consumer; null: nobody has said.
  erased_at timestamp with time zone, -- When its personal data were erased; null: they are there.
  CONSTRAINT customers_pkey PRIMARY KEY (account_id, customer_id),
  CONSTRAINT customers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT customers_cash_discounts_is_a_list CHECK (jsonb_typeof(cash_discounts) = 'array'::text),
  CONSTRAINT customers_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT customers_external_id_not_empty CHECK (external_id <> ''::text),
  CONSTRAINT customers_kind_known CHECK (kind = ANY (ARRAY['business'::text, 'consumer'::text])),
  CONSTRAINT customers_payment_terms_at_most_ten_years CHECK (payment_terms_days >= 0 AND payment_terms_days <= 3650),
  CONSTRAINT customers_version_from_one CHECK (version > 0)
);
CREATE INDEX customers_archived ON customers USING btree (account_id, customer_id) WHERE (archived_at IS NOT NULL);
CREATE INDEX customers_country ON customers USING btree (account_id, ((profile ->> 'country'::text)), customer_id) WHERE ((profile ->> 'country'::text) IS NOT NULL);
CREATE INDEX customers_currency ON customers USING btree (account_id, currency, customer_id) WHERE (currency IS NOT NULL);
CREATE INDEX customers_email ON customers USING btree (account_id, lower((profile ->> 'email'::text)), customer_id) WHERE ((profile ->> 'email'::text) IS NOT NULL);
CREATE UNIQUE INDEX customers_external_id ON customers USING btree (account_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX customers_name ON customers USING btree (account_id, sort_name, customer_id);
CREATE INDEX customers_search ON customers USING gin (search) WITH (fastupdate=off);
CREATE TRIGGER customers_stay_erased BEFORE UPDATE ON customers FOR EACH ROW WHEN (old.erased_at IS NOT NULL) EXECUTE FUNCTION refuse_change('a customer who is erased stays so');

-- Debits that failed and are to be tried again, each once.
CREATE TABLE debit_retries (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that is debited.
  number integer NOT NULL, -- Number of the try among those of the document.
  payment_link_id uuid NOT NULL, -- Link of the debit that failed before it.
  mandate_id uuid NOT NULL, -- Mandate by which it is tried.
  try_on date NOT NULL, -- Day of the try, in the zone of the account.
  status text NOT NULL, -- Whether it is to come, has begun, or was dropped as nothing is to be debited any more.
  planned_at timestamp with time zone NOT NULL, -- When the debit before it was known to have failed.
  settled_at timestamp with time zone, -- When it began or was dropped; null: it is to come.
  CONSTRAINT debit_retries_pkey PRIMARY KEY (account_id, document_id, number),
  CONSTRAINT debit_retries_account_id_mandate_id_fkey FOREIGN KEY (account_id, mandate_id) REFERENCES mandates(account_id, mandate_id),
  CONSTRAINT debit_retries_account_id_payment_link_id_document_id_fkey FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES payment_links(account_id, payment_link_id, document_id),
  CONSTRAINT debit_retries_number_from_one CHECK (number > 0),
  CONSTRAINT debit_retries_settled_has_its_time CHECK ((status = 'planned'::text) = (settled_at IS NULL)),
  CONSTRAINT debit_retries_status_known CHECK (status = ANY (ARRAY['planned'::text, 'begun'::text, 'dropped'::text]))
);
CREATE UNIQUE INDEX debit_retries_planned_once ON debit_retries USING btree (account_id, document_id) WHERE (status = 'planned'::text);
CREATE TRIGGER debit_retries_stay BEFORE DELETE OR UPDATE OF account_id, document_id, number, payment_link_id, mandate_id, planned_at OR TRUNCATE ON debit_retries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a try of a debit stays what it is');

-- Customers in the order in which a file for the accountant had them first. Append-only.
CREATE TABLE debtors (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  customer_id uuid NOT NULL, -- The customer.
  place integer NOT NULL, -- Counts from 1; the number of the debtor follows from it.
  numbered_at timestamp with time zone NOT NULL, -- When a file had the customer first.
  CONSTRAINT debtors_pkey PRIMARY KEY (account_id, customer_id),
  CONSTRAINT debtors_account_id_place_key UNIQUE (account_id, place),
  CONSTRAINT debtors_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT debtors_begin_with_one CHECK (place > 0)
);
CREATE TRIGGER debtors_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON debtors FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('debtors keep their numbers');

-- Documents that disputed money has paid: changes, by the step of the dispute. Append-only.
CREATE TABLE dispute_parts (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  dispute_id uuid NOT NULL, -- The dispute.
  step integer NOT NULL, -- Its step.
  document_id uuid NOT NULL, -- The document.
  payment_id uuid NOT NULL, -- The payment.
  amount bigint NOT NULL, -- What is disputed of the payment on the document, in minor units; below zero: no longer.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT dispute_parts_pkey PRIMARY KEY (account_id, dispute_id, step, document_id),
  CONSTRAINT dispute_parts_account_id_dispute_id_step_fkey FOREIGN KEY (account_id, dispute_id, step) REFERENCES dispute_steps(account_id, dispute_id, step),
  CONSTRAINT dispute_parts_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT dispute_parts_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT dispute_parts_amount_not_zero CHECK (amount <> 0)
);
CREATE INDEX dispute_parts_of_document ON dispute_parts USING btree (account_id, document_id);
CREATE INDEX dispute_parts_of_payment ON dispute_parts USING btree (account_id, payment_id);
CREATE INDEX dispute_parts_xact ON dispute_parts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER dispute_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON dispute_parts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('parts of disputes are append-only');

-- What a provider told of a dispute, one change after the other; amounts are changes, and their sums are the state. Append-only.
CREATE TABLE dispute_steps (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  dispute_id uuid NOT NULL, -- The dispute.
  step integer NOT NULL, -- Place among the steps of the dispute, from 1.
  payment_id uuid, -- Payment that is disputed; null: an unmatched receipt is.
  receipt_id uuid, -- Unmatched receipt that is disputed; null: a payment is.
  status text NOT NULL, -- State since; closed: an inquiry that came to nothing.
  amount bigint NOT NULL, -- What the payer disputes since, in minor units.
  reason text NOT NULL, -- Why, as the provider says.
  evidence_due_by timestamp with time zone, -- Until when the provider takes evidence.
  said_at timestamp with time zone NOT NULL, -- When, at the word of the provider.
  disputed bigint NOT NULL, -- Change of what may not be refunded or moved, in minor units.
  withdrawn bigint NOT NULL, -- What the provider took out of its balance, in minor units; below zero: what it put back.
  adopted bigint NOT NULL, -- What a reversal had taken for this dispute before it was told of, in minor units.
  fee bigint NOT NULL, -- What the provider charged for it, in minor units; below zero: what it returned.
  reference text, -- Id of the provider for a reversal that is the money of this dispute.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  booked_on date, -- First open day, on which the ledger has what it moved; null: the day of said_at was open, or nothing moved.
  CONSTRAINT dispute_steps_pkey PRIMARY KEY (account_id, dispute_id, step),
  CONSTRAINT dispute_steps_account_id_dispute_id_fkey FOREIGN KEY (account_id, dispute_id) REFERENCES disputes(account_id, dispute_id),
  CONSTRAINT dispute_steps_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT dispute_steps_account_id_receipt_id_fkey FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts(account_id, receipt_id),
  CONSTRAINT dispute_steps_adopted_not_negative CHECK (adopted >= 0),
  CONSTRAINT dispute_steps_amount_positive CHECK (amount > 0),
  CONSTRAINT dispute_steps_from_one CHECK (step > 0),
  CONSTRAINT dispute_steps_of_payment_or_receipt CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT dispute_steps_status_known CHECK (status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text]))
);
CREATE INDEX dispute_steps_of_payment ON dispute_steps USING btree (account_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX dispute_steps_of_receipt ON dispute_steps USING btree (account_id, receipt_id) WHERE (receipt_id IS NOT NULL);
CREATE INDEX dispute_steps_with_a_deadline ON dispute_steps USING btree (evidence_due_by) WHERE ((status = ANY (ARRAY['inquiry'::text, 'open'::text])) AND (evidence_due_by IS NOT NULL));
CREATE INDEX dispute_steps_xact ON dispute_steps USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER dispute_steps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON dispute_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of disputes are append-only');

-- Payments that their payers dispute at a provider. What became of them stands in dispute_steps. Append-only.
CREATE TABLE disputes (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  dispute_id uuid NOT NULL, -- Identifies the dispute.
  gateway text NOT NULL, -- Gateway that told it.
  provider_dispute_id text NOT NULL, -- Id of the provider for the dispute.
  provider_payment_id text NOT NULL, -- Id of the provider for the payment.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT disputes_pkey PRIMARY KEY (account_id, dispute_id),
  CONSTRAINT disputes_of_provider UNIQUE (account_id, gateway, provider_dispute_id)
);
CREATE INDEX disputes_of_payment ON disputes USING btree (gateway, provider_payment_id);
CREATE INDEX disputes_xact ON disputes USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER disputes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON disputes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('disputes are append-only');

-- Words and lines of documents, one row each. Frozen with the document, but for metadata.
CREATE TABLE document_contents (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- The document.
  seller jsonb NOT NULL, -- The seller as printed: a copy that was frozen at issue.
  customer jsonb NOT NULL, -- The customer as printed: a copy that was frozen at issue.
  notes text, -- Text that is printed below the lines.
  metadata jsonb NOT NULL, -- Values that the caller attached; only a filter reads them.
  details jsonb, -- Dates, references, delivery and parties of EN 16931 that the document has; null: none.
  discounts jsonb NOT NULL, -- Discounts on the whole document, as the API shows them.
  charges jsonb NOT NULL, -- Charges on the whole document, as the API shows them.
  lines json NOT NULL, -- The rows of document_lines, for readers.
  tax_groups json NOT NULL, -- The rows of document_tax_groups, for readers.
  search tsvector NOT NULL, -- Words that a search finds, each beginning with the end of the account id. Written with the document.
  CONSTRAINT document_contents_pkey PRIMARY KEY (account_id, document_id),
  CONSTRAINT document_contents_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE CASCADE
);
CREATE INDEX document_contents_metadata ON document_contents USING gin (metadata_pairs(account_id, metadata)) WITH (fastupdate=off) WHERE (metadata <> '{}'::jsonb);
CREATE INDEX document_contents_search ON document_contents USING gin (search) WITH (fastupdate=off);
CREATE TRIGGER document_contents_frozen BEFORE INSERT OR DELETE OR UPDATE OF account_id, document_id, seller, customer, notes, details, discounts, charges, lines, tax_groups ON document_contents FOR EACH ROW EXECUTE FUNCTION keep_issued_content();
CREATE TRIGGER document_contents_stay BEFORE TRUNCATE ON document_contents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

-- Lines of documents. Frozen with the document.
CREATE TABLE document_lines (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that the line is on.
  "position" integer NOT NULL, -- Place on the document, from 1.
  description text NOT NULL, -- What is sold.
  quantity numeric NOT NULL, -- How many units; below zero, as many are taken back.
  unit text NOT NULL DEFAULT 'C62'::text, -- Unit of measure (UN/ECE Recommendation 20); C62: one.
  unit_amount numeric NOT NULL, -- Price of one unit in minor units, fractions allowed.
  tax_category text NOT NULL, -- Category of tax (EN 16931, UNCL 5305).
  tax_rate numeric NOT NULL, -- Rate of tax in percent.
  exemption_reason text, -- Why no tax is charged.
  discounts jsonb NOT NULL DEFAULT '[]'::jsonb, -- Discounts on the line, as the API shows them.
  charges jsonb NOT NULL DEFAULT '[]'::jsonb, -- Charges on the line, as the API shows them.
  amount bigint NOT NULL, -- Amount of the line as entered, in minor units; with tax where prices include it.
  net bigint NOT NULL, -- Amount of the line without tax, in minor units.
  line_id uuid NOT NULL, -- Id of the line; it stays while a draft changes.
  external_id text, -- The line in the caller's own books.
  sku text, -- The seller's number of what is sold.
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb, -- Values that the caller attached; never read.
  credited_line_id uuid, -- Line of the invoice that the line of a credit note takes from.
  details jsonb, -- Period, item ids and classification of EN 16931 that the line has; null: none.
  tax_rate_id uuid, -- Tax rate that the line took its tax from; null: it said its own.
  item_id uuid, -- Item that the line copied what it did not say from; null: none.
  CONSTRAINT document_lines_pkey PRIMARY KEY (account_id, document_id, "position"),
  CONSTRAINT document_lines_line_id_key UNIQUE (account_id, line_id),
  CONSTRAINT document_lines_account_id_credited_line_id_fkey FOREIGN KEY (account_id, credited_line_id) REFERENCES document_lines(account_id, line_id),
  CONSTRAINT document_lines_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE CASCADE,
  CONSTRAINT document_lines_account_id_item_id_fkey FOREIGN KEY (account_id, item_id) REFERENCES items(account_id, item_id),
  CONSTRAINT document_lines_account_id_tax_rate_id_fkey FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates(account_id, tax_rate_id),
  CONSTRAINT document_lines_external_id_not_empty CHECK (external_id <> ''::text),
  CONSTRAINT document_lines_position_from_one CHECK ("position" > 0),
  CONSTRAINT document_lines_signs_agree CHECK (
CASE
    WHEN (details ->> 'issued_net_amount_decimal'::text) IS NOT NULL THEN (sign(amount::double precision) * sign(net::double precision)) >= 0::double precision
    ELSE
    CASE
        WHEN quantity < 0::numeric THEN amount <= 0 AND net <= 0
        ELSE amount >= 0 AND net >= 0
    END
END),
  CONSTRAINT document_lines_sku_not_empty CHECK (sku <> ''::text),
  CONSTRAINT document_lines_tax_rate_is_a_percentage CHECK (tax_rate >= 0::numeric AND tax_rate <= 100::numeric),
  CONSTRAINT document_lines_unit_amount_not_negative CHECK (unit_amount >= 0::numeric)
);
CREATE INDEX document_lines_credited ON document_lines USING btree (account_id, credited_line_id) WHERE (credited_line_id IS NOT NULL);
CREATE TRIGGER document_lines_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_lines FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_lines_stay BEFORE TRUNCATE ON document_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

-- Issued documents as bytes: rendered once for each language, never changed. Append-only.
CREATE TABLE document_pdfs (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that was rendered.
  language text NOT NULL, -- BCP 47 tag of the language.
  pdf bytea, -- The PDF; null: the store of files has it.
  sha256 bytea NOT NULL, -- SHA-256 of the PDF.
  created_at timestamp with time zone NOT NULL, -- When it was rendered.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT document_pdfs_pkey PRIMARY KEY (account_id, document_id, language),
  CONSTRAINT document_pdfs_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT document_pdfs_sha256_is_a_digest CHECK (length(sha256) = 32)
);
CREATE INDEX document_pdfs_elsewhere ON document_pdfs USING btree (account_id, sha256) WHERE (pdf IS NULL);
CREATE INDEX document_pdfs_xact ON document_pdfs USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER document_pdfs_frozen BEFORE DELETE OR TRUNCATE ON document_pdfs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an issued PDF is never changed');
CREATE TRIGGER document_pdfs_moved BEFORE UPDATE ON document_pdfs FOR EACH ROW EXECUTE FUNCTION refuse_change_but_of_place();
CREATE TRIGGER document_pdfs_there BEFORE INSERT OR UPDATE ON document_pdfs FOR EACH ROW WHEN (new.pdf IS NULL) EXECUTE FUNCTION refuse_removed_file();

-- Tax of documents by category and rate. Frozen with the document.
CREATE TABLE document_tax_groups (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that the tax is on.
  tax_category text NOT NULL, -- Category of tax (EN 16931, UNCL 5305).
  tax_rate numeric NOT NULL, -- Rate of tax in percent.
  base bigint NOT NULL, -- Sum that the tax is on, in minor units.
  tax bigint NOT NULL, -- The tax, in minor units.
  exemption_code text, -- Code of the reason why no tax is charged (VATEX).
  exemption_reason text, -- Why no tax is charged.
  CONSTRAINT document_tax_groups_pkey PRIMARY KEY (account_id, document_id, tax_category, tax_rate),
  CONSTRAINT document_tax_groups_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE CASCADE
);
CREATE TRIGGER document_tax_groups_frozen BEFORE INSERT OR DELETE OR UPDATE ON document_tax_groups FOR EACH ROW EXECUTE FUNCTION refuse_change_of_issued();
CREATE TRIGGER document_tax_groups_stay BEFORE TRUNCATE ON document_tax_groups FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('issued documents are frozen');

-- Invoices, quotes and credit notes. An issued document is frozen; only its state and what was paid go on.
CREATE TABLE documents (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Identifies the document.
  kind text NOT NULL, -- Kind of document.
  lifecycle text NOT NULL, -- State of the document itself; what was paid stands in the sums.
  proforma boolean NOT NULL DEFAULT false, -- Whether a quote is printed as a proforma invoice.
  number text, -- Number of the issued document; null on a draft.
  number_series text, -- Series of the number; null: given elsewhere. A draft may say which series it wants.
  number_period text, -- Period of the series that the number was counted in.
  number_sequence bigint, -- Place of the number in its period.
  external_id text, -- Id that the caller gave, unique in the account.
  payment_reference text, -- Reference that a bank transfer names it by: the caller's own, else that of an issued invoice.
  purchase_order text, -- Purchase order of the customer.
  currency text NOT NULL, -- ISO 4217 code of all amounts of the document.
  language text, -- BCP 47 tag of the language it is printed in; null: as the account says.
  customer_id uuid NOT NULL, -- Customer that the document is addressed to.
  issue_date date, -- Day of issue in the time zone of the account.
  due_date date, -- Day by which it is to be paid, or until which a quote stands.
  payment_terms_days integer, -- Days between issue date and due date, where they were given so.
  prices_include_tax boolean NOT NULL DEFAULT false, -- Whether the amounts of the lines include tax.
  cash_rounding integer, -- Multiple that the total is rounded to, in minor units; null: not rounded.
  subtotal bigint NOT NULL, -- Sum of the lines without tax, in minor units.
  discount_total bigint NOT NULL DEFAULT 0, -- Sum of the discounts on the document without tax, in minor units.
  charge_total bigint NOT NULL DEFAULT 0, -- Sum of the charges on the document without tax, in minor units.
  net_total bigint NOT NULL, -- Sum without tax, in minor units: subtotal - discounts + charges.
  tax_total bigint NOT NULL, -- Sum of the tax, in minor units.
  rounding bigint NOT NULL DEFAULT 0, -- What cash rounding added, in minor units; below zero: took off.
  total bigint NOT NULL, -- What the document asks for, in minor units: net + tax + rounding.
  amount_paid bigint NOT NULL DEFAULT 0, -- What payments paid, in minor units, refunds not taken off.
  amount_refunded bigint NOT NULL DEFAULT 0, -- What was paid and went back, in minor units.
  amount_credited bigint NOT NULL DEFAULT 0, -- What credit notes took off the amount due, in minor units.
  amount_waived bigint NOT NULL DEFAULT 0, -- What an underpayment within the tolerance or a cash discount left, in minor units.
  credit_notes_total bigint NOT NULL DEFAULT 0, -- Sum of the totals of the credit notes that stand against it, in minor units.
  amount_applied bigint NOT NULL DEFAULT 0, -- Of a credit note: what it took off its invoice, in minor units. The rest is credit.
  origin text, -- Why the document was made of another.
  origin_document_id uuid, -- The document that it was made of.
  revision integer NOT NULL DEFAULT 1, -- Goes up by one with each revision of a quote.
  accepted_at timestamp with time zone, -- When the client accepted the quote.
  rejection_reason text, -- What the client said against it.
  rejected_at timestamp with time zone, -- When the client rejected it.
  rejected_version integer, -- Version that the client had before its eyes.
  converted_at timestamp with time zone, -- When the quote became an invoice.
  written_off_at timestamp with time zone, -- When the invoice was given up as uncollectible.
  voided_at timestamp with time zone, -- When the document was voided.
  settled_at timestamp with time zone, -- When nothing was due any more; null: something is, or never was.
  lapses_at timestamp with time zone, -- End of the due date in the time zone of the account: afterwards it is overdue, a quote expired.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  event_sequence integer NOT NULL, -- Sequence of the last event of the document.
  created_at timestamp with time zone NOT NULL, -- When the draft was made.
  issued_at timestamp with time zone, -- When it was issued.
  issued_xact bigint, -- Transaction that issued it, by which seals cover what was frozen.
  amount_disputed bigint NOT NULL DEFAULT 0, -- Part of what was paid that payers dispute at providers, in minor units.
  tax_relief jsonb, -- Taxes of what is not credited, while the tax of what was let go is claimed back; null: it is not.
  updated_at timestamp with time zone NOT NULL, -- When the last event happened to it.
  cash_discounts jsonb, -- Reductions for those who pay early: percent, days and, once issued, their ends; null: none.
  accepted_by text, -- Name that the client gave when it accepted; null: none.
  collection_method text, -- Whether it is debited by a mandate, or left to the client; null: as the mandate says.
  amount_processing bigint NOT NULL DEFAULT 0, -- Sum of its payment links that are processing, in minor units: on its way, and not paid.
  amount_undecided bigint NOT NULL DEFAULT 0, -- Part of what was refunded of which nobody has said whether it is owed again, in minor units.
  amount_moved bigint NOT NULL DEFAULT 0, -- Of a credit note: credit that went onto its invoice after its issue, in minor units; below zero: came off again.
  amount_prepaid bigint NOT NULL DEFAULT 0, -- Of an invoice: what was paid before its issue, in minor units (BT-113). Frozen at issue.
  CONSTRAINT documents_pkey PRIMARY KEY (account_id, document_id),
  CONSTRAINT documents_currency UNIQUE (account_id, document_id, currency),
  CONSTRAINT documents_external_id UNIQUE (account_id, external_id),
  CONSTRAINT documents_number UNIQUE (account_id, kind, number),
  CONSTRAINT documents_number_sequence UNIQUE (account_id, number_series, number_period, number_sequence),
  CONSTRAINT documents_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT documents_account_id_origin_document_id_fkey FOREIGN KEY (account_id, origin_document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT documents_number_counter FOREIGN KEY (account_id, number_series, number_period) REFERENCES number_counters(account_id, series, period),
  CONSTRAINT documents_amount_prepaid_is_of_issued_invoice CHECK (amount_prepaid = 0 OR kind = 'invoice'::text AND lifecycle <> 'draft'::text AND amount_prepaid > 0),
  CONSTRAINT documents_event_sequence_not_negative CHECK (event_sequence >= 0),
  CONSTRAINT documents_money CHECK (document_money_is_sound(kind, lifecycle, origin, subtotal, discount_total, charge_total, net_total, tax_total, rounding, total, amount_paid, amount_refunded, amount_waived, amount_credited, credit_notes_total, amount_applied, amount_disputed, amount_processing, tax_relief, settled_at)),
  CONSTRAINT documents_version_from_one CHECK (version > 0)
);
CREATE INDEX documents_created ON documents USING btree (account_id, created_at, document_id);
CREATE INDEX documents_customer ON documents USING btree (account_id, customer_id, created_at, document_id);
CREATE INDEX documents_due_date ON documents USING btree (account_id, COALESCE(due_date, '9999-12-31'::date), document_id);
CREATE INDEX documents_issue_date ON documents USING btree (account_id, COALESCE(issue_date, '9999-12-31'::date), document_id);
CREATE INDEX documents_issued_xact ON documents USING brin (issued_xact) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX documents_lifecycle ON documents USING btree (account_id, lifecycle, created_at, document_id) WHERE (lifecycle <> 'open'::text);
CREATE INDEX documents_number_order ON documents USING btree (account_id, number_order(number) COLLATE "C", document_id);
CREATE INDEX documents_of_origin ON documents USING btree (account_id, origin_document_id) WHERE (origin_document_id IS NOT NULL);
CREATE INDEX documents_own_number ON documents USING btree (account_id, reference_key(number)) WHERE (substr(payment_reference, 5) <> reference_key(number));
CREATE INDEX documents_own_payment_reference ON documents USING btree (account_id, reference_key(payment_reference)) WHERE (substr(payment_reference, 5) <> reference_key(number));
CREATE INDEX documents_payment_reference ON documents USING btree (account_id, payment_reference) WHERE (payment_reference IS NOT NULL);
CREATE INDEX documents_total ON documents USING btree (account_id, total, document_id);
CREATE TRIGGER documents_accepted_by_stays BEFORE UPDATE OF accepted_by ON documents FOR EACH ROW WHEN (old.accepted_at IS NOT NULL AND old.accepted_by IS DISTINCT FROM new.accepted_by) EXECUTE FUNCTION refuse_change('documents only move forward');
CREATE TRIGGER documents_cash_discounts_frozen_when_issued BEFORE UPDATE OF cash_discounts ON documents FOR EACH ROW WHEN (old.lifecycle <> 'draft'::text AND old.cash_discounts IS DISTINCT FROM new.cash_discounts) EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_frozen_when_issued BEFORE UPDATE OF kind, number, currency, customer_id, issue_date, due_date, purchase_order, net_total, tax_total, total, issued_at, proforma, language, external_id, prices_include_tax, cash_rounding, subtotal, discount_total, charge_total, rounding, amount_applied, origin, origin_document_id, revision, lapses_at, number_series, number_period, number_sequence ON documents FOR EACH ROW EXECUTE FUNCTION keep_issued_document();
CREATE TRIGGER documents_issued_in BEFORE INSERT OR UPDATE OF issued_at ON documents FOR EACH ROW WHEN ((new.issued_at IS NULL) <> (new.issued_xact IS NULL)) EXECUTE FUNCTION mark_issued_xact();
CREATE TRIGGER documents_issued_pending AFTER INSERT ON documents FOR EACH ROW WHEN (new.lifecycle = 'open'::text AND new.settled_at IS NULL) EXECUTE FUNCTION follow_pending_document();
CREATE TRIGGER documents_issued_stay BEFORE DELETE ON documents FOR EACH ROW WHEN (old.lifecycle <> 'draft'::text) EXECUTE FUNCTION refuse_change('an issued document is never deleted');
CREATE TRIGGER documents_issued_xact_stays BEFORE UPDATE OF issued_xact ON documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER documents_lifecycle BEFORE UPDATE OF lifecycle, accepted_at, rejected_at, rejection_reason, rejected_version ON documents FOR EACH ROW EXECUTE FUNCTION check_document_step();
CREATE TRIGGER documents_particulars BEFORE INSERT OR UPDATE OF accepted_by, accepted_at, cash_discounts, collection_method, amount_moved ON documents FOR EACH ROW EXECUTE FUNCTION check_document_particulars();
CREATE TRIGGER documents_pending AFTER UPDATE OF lifecycle, settled_at ON documents FOR EACH ROW WHEN ((old.lifecycle = 'open'::text AND old.settled_at IS NULL) <> (new.lifecycle = 'open'::text AND new.settled_at IS NULL)) EXECUTE FUNCTION follow_pending_document();
CREATE TRIGGER documents_prepaid_frozen_when_issued BEFORE UPDATE OF amount_prepaid ON documents FOR EACH ROW WHEN (old.lifecycle <> 'draft'::text AND old.amount_prepaid <> new.amount_prepaid) EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_reference_frozen_when_issued BEFORE UPDATE OF payment_reference ON documents FOR EACH ROW WHEN (old.lifecycle <> 'draft'::text AND old.payment_reference IS DISTINCT FROM new.payment_reference) EXECUTE FUNCTION refuse_change('an issued document is frozen');
CREATE TRIGGER documents_state BEFORE INSERT OR UPDATE OF kind, lifecycle, proforma, currency, number, number_series, number_period, number_sequence, payment_terms_days, cash_rounding, origin, origin_document_id, revision, issue_date, due_date, lapses_at, issued_at, issued_xact, payment_reference, accepted_at, rejected_at, rejection_reason, rejected_version, converted_at, written_off_at, voided_at ON documents FOR EACH ROW EXECUTE FUNCTION check_document_state();
CREATE TRIGGER documents_undecided BEFORE UPDATE OF amount_undecided ON documents FOR EACH ROW EXECUTE FUNCTION check_document_undecided();

-- What letters ask for beside what is due.
CREATE TABLE dunning_charges (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  charge_id uuid NOT NULL, -- Identifies the charge.
  reminder_id uuid NOT NULL, -- Letter that asks for it.
  document_id uuid NOT NULL, -- Document that is paid late.
  kind text NOT NULL, -- What it is asked for.
  amount bigint NOT NULL, -- In minor units of the currency of the letter.
  parts jsonb NOT NULL, -- Of interest: days, debts and rates. What was asked before is taken off.
  status text NOT NULL, -- Whether it is asked for: once the letter was sent.
  billed_by uuid, -- Invoice that it is on.
  CONSTRAINT dunning_charges_pkey PRIMARY KEY (account_id, charge_id),
  CONSTRAINT dunning_charges_account_id_billed_by_fkey FOREIGN KEY (account_id, billed_by) REFERENCES documents(account_id, document_id) ON DELETE SET NULL (billed_by),
  CONSTRAINT dunning_charges_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT dunning_charges_account_id_reminder_id_fkey FOREIGN KEY (account_id, reminder_id) REFERENCES reminders(account_id, reminder_id),
  CONSTRAINT dunning_charges_above_zero CHECK (amount > 0),
  CONSTRAINT dunning_charges_billed_once_claimed CHECK (billed_by IS NULL OR status = 'claimed'::text),
  CONSTRAINT dunning_charges_kind_known CHECK (kind = ANY (ARRAY['fee'::text, 'interest'::text, 'lump_sum'::text])),
  CONSTRAINT dunning_charges_status_known CHECK (status = ANY (ARRAY['proposed'::text, 'claimed'::text, 'waived'::text, 'withdrawn'::text]))
);
CREATE INDEX dunning_charges_billed_by ON dunning_charges USING btree (account_id, billed_by) WHERE (billed_by IS NOT NULL);
CREATE INDEX dunning_charges_of_document ON dunning_charges USING btree (account_id, document_id);
CREATE INDEX dunning_charges_of_reminder ON dunning_charges USING btree (account_id, reminder_id);
CREATE UNIQUE INDEX dunning_charges_one_lump_sum ON dunning_charges USING btree (account_id, document_id) WHERE ((kind = 'lump_sum'::text) AND (status <> 'withdrawn'::text));

-- How accounts ask for what is due.
CREATE TABLE dunning_plans (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  terms jsonb NOT NULL, -- Steps and what they ask for, as the API has them.
  first_days integer, -- Days of the first step after a due date; null: it has none.
  due_from date, -- Documents that were due before it are left alone.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  updated_at timestamp with time zone NOT NULL, -- When it was changed last.
  CONSTRAINT dunning_plans_pkey PRIMARY KEY (account_id),
  CONSTRAINT dunning_plans_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT dunning_plans_version_from_one CHECK (version > 0)
);

-- How far the reminders of documents have come.
CREATE TABLE dunning_states (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Identifies the document.
  level integer NOT NULL, -- How many steps are behind it.
  last_on date, -- Day of its last letter.
  last_days integer, -- Days of the step of that.
  next_on date, -- Day on which it is looked at again; null: on none.
  waits_for text, -- Why no reminder was sent when it was looked at last.
  promised_until date, -- Last day until which somebody promised to pay.
  paused boolean NOT NULL, -- Whether nobody is reminded until somebody says so.
  note text, -- Why, in the words of the account.
  version integer NOT NULL, -- Goes up by one with each change by a person; the ETag.
  CONSTRAINT dunning_states_pkey PRIMARY KEY (account_id, document_id),
  CONSTRAINT dunning_states_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT dunning_states_level_from_zero CHECK (level >= 0),
  CONSTRAINT dunning_states_version_from_one CHECK (version > 0)
);
CREATE INDEX dunning_states_due ON dunning_states USING btree (next_on, account_id, document_id) WHERE (next_on IS NOT NULL);

-- Issued documents as XML: written once for each profile. Append-only.
CREATE TABLE e_invoices (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- Document that was written.
  profile text NOT NULL, -- Name of the profile, such as peppol.
  release text NOT NULL, -- Release of the profile that it was written for.
  xml bytea NOT NULL, -- The XML, in UTF-8.
  sha256 bytea NOT NULL, -- SHA-256 of the XML.
  created_at timestamp with time zone NOT NULL, -- When it was written.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT e_invoices_pkey PRIMARY KEY (account_id, document_id, profile),
  CONSTRAINT e_invoices_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT e_invoices_profile_is_named CHECK (profile <> ''::text),
  CONSTRAINT e_invoices_sha256_is_a_digest CHECK (length(sha256) = 32)
);
CREATE INDEX e_invoices_xact ON e_invoices USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER e_invoices_frozen BEFORE DELETE OR UPDATE OR TRUNCATE ON e_invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an e-invoice is never changed');

-- How far events have been read, by each that makes something of them.
CREATE TABLE event_marks (
  consumer text NOT NULL, -- Reads them.
  through_xact bigint NOT NULL, -- Events, or transfers, of transactions below were read.
  history text, -- The history in which the mark stands, for those who must not repeat after a restore.
  CONSTRAINT event_marks_pkey PRIMARY KEY (consumer)
);

-- What happened, in the order of each document; webhooks and the events route read it. Append-only. It references nothing, so that no writer waits for a row that others share.
CREATE TABLE events (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  event_id uuid NOT NULL, -- Identifies the event; sorts by time.
  type text NOT NULL, -- Type of the event, such as `document.paid`.
  document_id uuid, -- Document that the event is about; null: none.
  sequence integer, -- Place among the events of the document, from 1 without a gap.
  data jsonb NOT NULL, -- The event as clients see it.
  actor_type text, -- Kind of actor.
  actor_id text, -- Public id of the actor.
  occurred_at timestamp with time zone NOT NULL, -- When it happened.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT events_pkey PRIMARY KEY (account_id, event_id),
  CONSTRAINT events_document_sequence UNIQUE (account_id, document_id, sequence),
  CONSTRAINT events_actor_type_known CHECK (actor_type = ANY (ARRAY['client'::text, 'portal'::text, 'gateway'::text, 'operator'::text])),
  CONSTRAINT events_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT events_sequence_only_with_a_document CHECK ((document_id IS NULL) = (sequence IS NULL))
);
CREATE INDEX events_xact ON events USING brin (xact, occurred_at) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('events are append-only');

-- Rates of exchange by day. Append-only: a changed rate is the next revision of its day.
CREATE TABLE exchange_rates (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  rate_id uuid NOT NULL, -- Identifies the row; sorts by time.
  day date NOT NULL, -- Day that the rate is of.
  base text NOT NULL, -- ISO 4217 code of the currency of which one unit is priced.
  quote text NOT NULL, -- ISO 4217 code of the currency of the price.
  revision integer NOT NULL, -- Counts what was said of this day; the last one counts.
  rate numeric NOT NULL, -- Price of one unit of base in quote.
  source text NOT NULL, -- Who says so, such as ECB.
  client_id uuid NOT NULL, -- Client that sent it.
  recorded_at timestamp with time zone NOT NULL, -- When it was sent.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT exchange_rates_pkey PRIMARY KEY (account_id, rate_id),
  CONSTRAINT exchange_rates_revision UNIQUE (account_id, base, quote, day, revision),
  CONSTRAINT exchange_rates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT exchange_rates_above_zero CHECK (rate > 0::numeric AND rate < '1000000000000'::numeric),
  CONSTRAINT exchange_rates_base_is_a_code CHECK (base ~ '^[A-Z]{3}$'::text),
  CONSTRAINT exchange_rates_quote_is_a_code CHECK (quote ~ '^[A-Z]{3}$'::text),
  CONSTRAINT exchange_rates_revision_from_one CHECK (revision > 0),
  CONSTRAINT exchange_rates_source_not_too_long CHECK (length(source) >= 1 AND length(source) <= 100),
  CONSTRAINT exchange_rates_two_currencies CHECK (base <> quote)
);
CREATE INDEX exchange_rates_by_day ON exchange_rates USING btree (account_id, day, rate_id);
CREATE INDEX exchange_rates_xact ON exchange_rates USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER exchange_rates_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON exchange_rates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('exchange rates are append-only');

-- Steps of the tables of extensions that have run.
CREATE TABLE extension_migrations (
  extension text NOT NULL, -- Name of the extension.
  name text NOT NULL, -- Name of the step.
  sha256 bytea NOT NULL, -- SHA-256 of its text: one that ran stays as it is.
  made jsonb NOT NULL, -- What the extension had in the schema after it.
  ran_at timestamp with time zone NOT NULL, -- When it ran.
  CONSTRAINT extension_migrations_pkey PRIMARY KEY (extension, name),
  CONSTRAINT extension_migrations_sha256_is_whole CHECK (length(sha256) = 32)
);

-- Tables of extensions that are append-only and sealed. Append-only.
CREATE TABLE extension_seals (
  table_name text NOT NULL, -- Name of the table.
  extension text NOT NULL, -- Name of the extension.
  columns text[] NOT NULL, -- Columns that seals cover, in the order in which they do.
  sealed_at timestamp with time zone NOT NULL, -- Since when its rows are sealed.
  CONSTRAINT extension_seals_pkey PRIMARY KEY (table_name),
  CONSTRAINT extension_seals_table_is_of_an_extension CHECK (starts_with(table_name, ('ext_'::text || extension) || '_'::text))
);
CREATE TRIGGER extension_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON extension_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a table that is sealed stays sealed');

-- Settings that an account has of an extension.
CREATE TABLE extension_settings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  extension text NOT NULL, -- Name of the extension.
  sealed_settings bytea NOT NULL, -- Settings and secrets, encrypted for this account and extension (AES-256-GCM).
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  updated_at timestamp with time zone NOT NULL, -- When they were changed last.
  CONSTRAINT extension_settings_pkey PRIMARY KEY (account_id, extension),
  CONSTRAINT extension_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT extension_settings_version_from_one CHECK (version > 0)
);

-- Verified calls of providers, kept for days. They can be applied again.
CREATE TABLE gateway_deliveries (
  account_id uuid NOT NULL, -- Account that all of it is about; the account of zeros: several, or unknown.
  delivery_id uuid NOT NULL, -- Identifies the delivery; sorts by time.
  gateway text NOT NULL, -- Gateway that was called.
  received_at timestamp with time zone NOT NULL, -- When it was called.
  sealed_delivery bytea NOT NULL, -- Headers and body as they came, encrypted.
  names jsonb NOT NULL, -- Ids of events, payments, links, refunds and disputes that its reports name.
  event_types text[] NOT NULL, -- Types that the provider gives them.
  reports integer NOT NULL, -- How many things it reports.
  outcome text NOT NULL, -- What became of it; accepted: it is still to be worked off.
  problem text, -- Code of what it failed with last.
  replays integer NOT NULL DEFAULT 0, -- How often somebody had it applied again.
  replayed_at timestamp with time zone, -- When that was, at the last time.
  is_unfinished boolean NOT NULL DEFAULT false, -- It was stored first, and its provider does not send it again: a part is not applied.
  left_over integer[], -- Places of the reports of that part, from 0; null: all of them.
  attempts integer NOT NULL DEFAULT 0, -- How often it was worked off.
  next_try_at timestamp with time zone, -- When it is worked off next; while that goes on, when it is given up for lost.
  CONSTRAINT gateway_deliveries_pkey PRIMARY KEY (account_id, delivery_id),
  CONSTRAINT gateway_deliveries_accepted_is_due CHECK ((outcome = 'accepted'::text) = (next_try_at IS NOT NULL)),
  CONSTRAINT gateway_deliveries_counts_not_negative CHECK (reports >= 0 AND replays >= 0 AND attempts >= 0),
  CONSTRAINT gateway_deliveries_due_is_unfinished CHECK (is_unfinished OR next_try_at IS NULL),
  CONSTRAINT gateway_deliveries_failed_has_its_problem CHECK (outcome <> 'failed'::text OR problem IS NOT NULL),
  CONSTRAINT gateway_deliveries_outcome_known CHECK (outcome = ANY (ARRAY['ok'::text, 'ignored'::text, 'no_link_id'::text, 'accepted'::text, 'failed'::text])),
  CONSTRAINT gateway_deliveries_replayed_has_its_time CHECK ((replays > 0) = (replayed_at IS NOT NULL))
);
CREATE INDEX gateway_deliveries_due ON gateway_deliveries USING btree (next_try_at) WHERE (next_try_at IS NOT NULL);
CREATE INDEX gateway_deliveries_failed ON gateway_deliveries USING btree (account_id, delivery_id) WHERE (outcome = 'failed'::text);
CREATE INDEX gateway_deliveries_received ON gateway_deliveries USING btree (received_at);

-- What moved at gateways by day and by month, as far as `transfer_sums`. Made from `transfers`, which `integrity` compares.
CREATE TABLE gateway_sums (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  span text NOT NULL, -- How long: `day` or `month`.
  begins_on date NOT NULL, -- The day, or the first of the month.
  gateway text NOT NULL, -- Name of the gateway; empty: the transfer names none.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  part text NOT NULL, -- Kind of movement, as the comparison with providers shows it.
  moved numeric NOT NULL, -- Debits less credits of `gateway_clearing`, in minor units.
  CONSTRAINT gateway_sums_pkey PRIMARY KEY (account_id, span, begins_on, gateway, currency, part),
  CONSTRAINT gateway_sums_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT gateway_sums_part_known CHECK (part = ANY (ARRAY['payments'::text, 'refunds'::text, 'fees'::text, 'disputes'::text, 'payouts'::text, 'other'::text])),
  CONSTRAINT gateway_sums_span_known CHECK (span = ANY (ARRAY['day'::text, 'month'::text]))
);

-- Gateways that accounts configure themselves.
CREATE TABLE gateways (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  gateway_id uuid NOT NULL, -- Identifies the gateway: with its prefix it is the gateway of links and payments.
  name text NOT NULL, -- What the account calls it.
  provider text NOT NULL, -- Provider that it is an account at.
  sealed_settings bytea NOT NULL, -- Settings and secrets, encrypted for this account and gateway (AES-256-GCM).
  previous_secret_ends_at timestamp with time zone, -- Until when the webhook secret before the last counts; null: there is one.
  status text NOT NULL, -- A disabled one makes no new links.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When the gateway was made.
  updated_at timestamp with time zone NOT NULL, -- When it was changed last.
  CONSTRAINT gateways_pkey PRIMARY KEY (account_id, gateway_id),
  CONSTRAINT gateways_name UNIQUE (account_id, name),
  CONSTRAINT gateways_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT gateways_name_form CHECK (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text),
  CONSTRAINT gateways_status_known CHECK (status = ANY (ARRAY['enabled'::text, 'disabled'::text])),
  CONSTRAINT gateways_version_from_one CHECK (version > 0)
);
CREATE INDEX gateways_by_id ON gateways USING btree (gateway_id);
CREATE TRIGGER gateways_stay BEFORE DELETE OR UPDATE OF account_id, gateway_id, provider, created_at OR TRUNCATE ON gateways FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a gateway stays what it is, and is disabled, never deleted');

-- Work that reaches others, and waits after a restore; a row for each kind.
CREATE TABLE held_work (
  kind text NOT NULL, -- Which work.
  history text, -- The history of the database in which it may be done; null: it was never asked for.
  CONSTRAINT held_work_pkey PRIMARY KEY (kind),
  CONSTRAINT held_work_kind_known CHECK (kind = ANY (ARRAY['schedules'::text, 'collections'::text, 'refunds'::text, 'mail'::text, 'look_ups'::text]))
);

-- Answers that are sent again to a request with the same Idempotency-Key. Written with the effect of the request, deleted when too old.
CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL, -- Account of the client.
  client_id uuid NOT NULL, -- Client that sent the key: clients of an account share no keys.
  route text NOT NULL, -- Method and path pattern of the route, such as `POST /v1/payments`.
  key text NOT NULL, -- The Idempotency-Key as it was sent.
  request_sha256 bytea NOT NULL, -- Digest of the address, the media type and the body: the same key with another request is refused.
  status smallint NOT NULL, -- HTTP status of the answer.
  body bytea NOT NULL, -- Body of the answer, encrypted where it may hold a secret.
  created_at timestamp with time zone NOT NULL, -- When the request was answered.
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, client_id, route, key),
  CONSTRAINT idempotency_keys_key_length CHECK (length(key) >= 1 AND length(key) <= 255),
  CONSTRAINT idempotency_keys_only_successes CHECK (status >= 200 AND status <= 299),
  CONSTRAINT idempotency_keys_request_is_a_digest CHECK (length(request_sha256) = 32)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (created_at);

-- Checks of the books, one at a time of an account.
CREATE TABLE integrity_runs (
  account_id uuid NOT NULL, -- Account that was checked; zeros: all of them.
  started_at timestamp with time zone, -- When the check began.
  finished_at timestamp with time zone, -- When it ended.
  differences bigint NOT NULL DEFAULT 0, -- How many differences it found.
  run_id uuid NOT NULL DEFAULT gen_random_uuid(), -- Identifies the check.
  status text NOT NULL DEFAULT 'finished'::text, -- How it stands.
  requested_at timestamp with time zone NOT NULL DEFAULT now(), -- When it was asked for, or was due.
  checks integer, -- How many single checks it has; null: not begun, or of before.
  checks_done text[] NOT NULL DEFAULT '{}'::text[], -- Names of those that are done: it goes on behind them.
  found jsonb NOT NULL DEFAULT '[]'::jsonb, -- The first of the differences.
  head_sequence bigint, -- Last seal of the account when it began; null: none, or all accounts.
  head_digest bytea, -- Digest of that seal.
  held_by uuid, -- Process that is at it.
  alive_at timestamp with time zone, -- When that process last said that it is.
  tries integer NOT NULL DEFAULT 0, -- How often a check of it could not be made.
  failed_check text, -- Name of the check that could not be made.
  is_full boolean NOT NULL DEFAULT true, -- Whether it looks at all; asked for, or nothing was checked before.
  since_xact bigint, -- First transaction that no check looked at yet; null: it looks at all.
  again_from_xact bigint, -- First transaction of the share that it looks at again.
  again_to_xact bigint, -- First transaction behind that share.
  through_xact bigint, -- First transaction that was not sealed when it began; null: not begun, or of before.
  CONSTRAINT integrity_runs_pkey PRIMARY KEY (account_id, run_id),
  CONSTRAINT integrity_runs_differences_not_negative CHECK (differences >= 0),
  CONSTRAINT integrity_runs_finished CHECK (status <> 'finished'::text OR finished_at IS NOT NULL),
  CONSTRAINT integrity_runs_status_known CHECK (status = ANY (ARRAY['waiting'::text, 'running'::text, 'paused'::text, 'finished'::text, 'canceled'::text, 'failed'::text]))
);
CREATE UNIQUE INDEX integrity_runs_under_way ON integrity_runs USING btree (account_id) WHERE (finished_at IS NULL);

-- Goods and services that lines name. Lines keep a copy.
CREATE TABLE items (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  item_id uuid NOT NULL, -- Identifies the item.
  name text NOT NULL, -- What the account calls it.
  description text, -- What lines say; null: the name.
  external_id text, -- Id that the caller gave, unique in the account.
  sku text, -- The seller's number of it.
  unit text, -- Unit of measure (UN/ECE Recommendation 20); null: as lines without one have it.
  prices jsonb NOT NULL, -- Price of one unit in minor units as text, one for each currency.
  prices_include_tax boolean NOT NULL, -- Whether the prices are meant with tax.
  tax_rate_id uuid, -- Tax rate of the catalogue that its lines name.
  tax_rate numeric, -- Rate of tax in percent, where no tax rate is named.
  tax_category text, -- Category of that tax (EN 16931, UNCL 5305).
  exemption_reason text, -- Why no tax is charged.
  exemption_code text, -- The same as a VATEX code.
  details jsonb, -- Ids and classification of EN 16931 that its lines have; null: none.
  metadata jsonb NOT NULL, -- Values that the caller attached; never read.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When the item was made.
  updated_at timestamp with time zone NOT NULL, -- When the item was changed last.
  archived_at timestamp with time zone, -- Since when no new line may name it; null: in use.
  search tsvector NOT NULL GENERATED ALWAYS AS array_to_tsvector(search_lexemes(account_id, ((((((name || ' '::text) || COALESCE(description, ''::text)) || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || COALESCE(external_id, ''::text)))), -- Words that a search finds, each beginning with the end of the account id. Generated.
  CONSTRAINT items_pkey PRIMARY KEY (account_id, item_id),
  CONSTRAINT items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT items_account_id_tax_rate_id_fkey FOREIGN KEY (account_id, tax_rate_id) REFERENCES tax_rates(account_id, tax_rate_id),
  CONSTRAINT items_external_id_not_empty CHECK (external_id <> ''::text),
  CONSTRAINT items_name_not_empty CHECK (name <> ''::text),
  CONSTRAINT items_one_tax CHECK (tax_rate_id IS NULL OR tax_rate IS NULL AND tax_category IS NULL),
  CONSTRAINT items_sku_not_empty CHECK (sku <> ''::text),
  CONSTRAINT items_tax_rate_is_a_percentage CHECK (tax_rate >= 0::numeric AND tax_rate <= 100::numeric),
  CONSTRAINT items_version_from_one CHECK (version > 0)
);
CREATE INDEX items_archived ON items USING btree (account_id, item_id) WHERE (archived_at IS NOT NULL);
CREATE UNIQUE INDEX items_external_id ON items USING btree (account_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX items_search ON items USING gin (search) WITH (fastupdate=off);
CREATE INDEX items_sku ON items USING btree (account_id, sku, item_id) WHERE (sku IS NOT NULL);

-- Letters as limits count them: one for each address of a message, when it took its place.
CREATE TABLE mail_letters (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  message_id uuid NOT NULL, -- Message that it is one copy of.
  counted_at timestamp with time zone NOT NULL, -- When it was counted; from then on for 24 hours.
  "position" smallint NOT NULL, -- Place of the address in its message.
  mailbox text NOT NULL, -- The address in small letters, its domain in ASCII, without a tag: v+shop@ is v@.
  CONSTRAINT mail_letters_pkey PRIMARY KEY (account_id, message_id, counted_at, "position"),
  CONSTRAINT mail_letters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT mail_letters_account_id_message_id_fkey FOREIGN KEY (account_id, message_id) REFERENCES mail_messages(account_id, message_id),
  CONSTRAINT mail_letters_mailbox_not_empty CHECK (mailbox <> ''::text),
  CONSTRAINT mail_letters_position_from_one CHECK ("position" > 0)
);
CREATE INDEX mail_letters_counted ON mail_letters USING btree (account_id, counted_at);
CREATE INDEX mail_letters_mailbox ON mail_letters USING btree (account_id, mailbox, counted_at);
CREATE TRIGGER mail_letters_append_only BEFORE DELETE OR UPDATE OF account_id, message_id, counted_at, "position" OR TRUNCATE ON mail_letters FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('letters that were counted are append-only');
CREATE TRIGGER mail_letters_mailbox_is_only_erased BEFORE UPDATE OF mailbox ON mail_letters FOR EACH ROW WHEN (new.mailbox <> 'erased'::text) EXECUTE FUNCTION refuse_change('letters that were counted are append-only');

-- Messages by e-mail, one for each fact, and what became of them.
CREATE TABLE mail_messages (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  message_id uuid NOT NULL, -- Identifies the message; sorts by time.
  document_id uuid, -- Document that the message is about; null: it says in `change` what it is about.
  kind text NOT NULL, -- What it says.
  fact text NOT NULL, -- What it is sent for: an event, a request, a day of the settings, a version of the seller, or a customer and month.
  recipients text[] NOT NULL, -- Addresses that it goes to.
  note text, -- Words of the seller, or of the client who answered.
  amount bigint, -- Money that a receipt confirms, in minor units.
  status text NOT NULL, -- Whether it is still to be sent.
  reason text, -- Why it waits, failed or was canceled: a code, or the words of the mail server.
  attempts integer NOT NULL DEFAULT 0, -- How often it was tried.
  next_attempt_at timestamp with time zone, -- When it is tried next; while it is tried, when it is given up for lost.
  created_at timestamp with time zone NOT NULL, -- When it was asked for.
  settled_at timestamp with time zone, -- When it was sent, given up or canceled.
  counted_at timestamp with time zone, -- When it took its place among those of 24 hours; null: it has none yet.
  change jsonb, -- What a message about no document tells: a change of the seller, with account numbers by their last four; an endpoint that was disabled; the customer and month of a statement; a schedule that is to end.
  CONSTRAINT mail_messages_pkey PRIMARY KEY (account_id, message_id),
  CONSTRAINT mail_messages_one_for_each_fact UNIQUE NULLS NOT DISTINCT (account_id, document_id, fact),
  CONSTRAINT mail_messages_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT mail_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT mail_messages_about_a_document_or_a_change CHECK ((document_id IS NULL) = (kind = ANY (ARRAY['details_changed'::text, 'endpoint_disabled'::text, 'statement'::text, 'schedule_end_asked'::text])) AND (change IS NOT NULL) = (document_id IS NULL)),
  CONSTRAINT mail_messages_attempts_not_negative CHECK (attempts >= 0),
  CONSTRAINT mail_messages_kind_known CHECK ((kind = ANY (ARRAY['document'::text, 'receipt'::text, 'reminder'::text, 'answer'::text, 'dunning'::text, 'quote_expiring'::text, 'quote_expiring_seller'::text, 'quote_waiting'::text, 'details_changed'::text, 'endpoint_disabled'::text, 'statement'::text, 'schedule_end_asked'::text])) OR kind ~ '^ext:[a-z][a-z0-9]{0,29}:[a-z][a-z0-9-]{0,39}$'::text),
  CONSTRAINT mail_messages_queued_has_next CHECK ((status = 'queued'::text) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT mail_messages_settled_when_not_queued CHECK ((status = 'queued'::text) = (settled_at IS NULL)),
  CONSTRAINT mail_messages_status_known CHECK (status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'canceled'::text]))
);
CREATE INDEX mail_messages_due ON mail_messages USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX mail_messages_failed ON mail_messages USING btree (settled_at) WHERE (status = 'failed'::text);
CREATE INDEX mail_messages_status ON mail_messages USING btree (account_id, status, message_id);
CREATE TRIGGER mail_messages_settled_once BEFORE UPDATE OF status ON mail_messages FOR EACH ROW WHEN (old.status = 'sent'::text) EXECUTE FUNCTION refuse_change('a message that was sent stays sent');

-- When due invoices were last looked for.
CREATE TABLE mail_progress (
  only_row boolean NOT NULL DEFAULT true, -- There is one row.
  reminded_at timestamp with time zone NOT NULL, -- When due invoices were last looked for.
  CONSTRAINT mail_progress_pkey PRIMARY KEY (only_row),
  CONSTRAINT mail_progress_one_row CHECK (only_row)
);

-- Addresses that want no reminders of an account.
CREATE TABLE mail_refusals (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  address text NOT NULL, -- The address, in small letters.
  refused_at timestamp with time zone NOT NULL, -- When its reader said so.
  CONSTRAINT mail_refusals_pkey PRIMARY KEY (account_id, address),
  CONSTRAINT mail_refusals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

-- What an account sends without being asked each time.
CREATE TABLE mail_settings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  documents_since timestamp with time zone, -- Since when issued documents go to their customers; null: they do not.
  receipts_since timestamp with time zone, -- Since when payments are confirmed to customers; null: they are not.
  answers_since timestamp with time zone, -- Since when the seller is told what clients answer; null: it is not.
  reminders_since timestamp with time zone, -- Since when customers are reminded; null: they are not.
  reminder_days smallint[] NOT NULL, -- Days after the due date on which they are reminded; below zero: before it.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  updated_at timestamp with time zone NOT NULL, -- When they were changed last.
  statements_since timestamp with time zone, -- Since when customers get a statement of account for each month; null: they do not.
  statements_month date, -- First day of the month whose statements were made last; null: of none yet.
  statements_after uuid, -- Customer after whom the statements of that month go on; null: all of them are made.
  quotes_since timestamp with time zone, -- Since when both sides are told of quotes that expire; null: they are not.
  quote_days smallint[] NOT NULL DEFAULT '{}'::smallint[], -- Days after the last day of a quote on which they are told; below zero: before it.
  quote_waiting_since timestamp with time zone, -- Since when the seller is told of accepted quotes that nobody converted; null: it is not.
  quote_waiting_days smallint, -- Days after the acceptance on which it is told; null: it is not.
  CONSTRAINT mail_settings_pkey PRIMARY KEY (account_id),
  CONSTRAINT mail_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT mail_settings_quote_waiting_days_from_one CHECK (quote_waiting_days > 0),
  CONSTRAINT mail_settings_quotes_have_days CHECK ((quotes_since IS NULL) = (cardinality(quote_days) = 0)),
  CONSTRAINT mail_settings_reminders_have_days CHECK ((reminders_since IS NULL) = (cardinality(reminder_days) = 0)),
  CONSTRAINT mail_settings_statements_go_on_in_a_month CHECK (statements_after IS NULL OR statements_month IS NOT NULL),
  CONSTRAINT mail_settings_statements_of_a_month CHECK (EXTRACT(day FROM statements_month) = 1::numeric),
  CONSTRAINT mail_settings_version_from_one CHECK (version > 0),
  CONSTRAINT mail_settings_waiting_quotes_have_days CHECK ((quote_waiting_since IS NULL) = (quote_waiting_days IS NULL))
);

-- What customers agreed to at providers: to be debited. A provider keeps the bank account.
CREATE TABLE mandates (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  mandate_id uuid NOT NULL, -- Identifies the mandate; the provider gets it, too.
  customer_id uuid NOT NULL, -- Customer who gave it.
  gateway text NOT NULL, -- Gateway whose provider keeps it.
  currency text NOT NULL, -- ISO 4217 code of what may be collected by it.
  status text NOT NULL, -- How it stands, as the provider told last.
  url text, -- Page where the customer gives it; null: there is none.
  provider_request_id text, -- The name that the provider gave that page.
  provider_mandate_id text, -- The name that the provider gave the mandate; null until the customer has agreed.
  scheme text, -- Scheme of the debits, in the words of the provider.
  account_ending text, -- Last characters of the number of the bank account, as the provider masks it.
  automatic_since timestamp with time zone, -- Since when invoices are collected by themselves; null: they are not.
  failure text, -- Why it ended, in the short code of the provider.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When the customer was asked for it.
  asked_at timestamp with time zone, -- When the provider was asked how it stands, of the answer that counts.
  activated_at timestamp with time zone, -- When it was first known to be active.
  ended_at timestamp with time zone, -- When it was known to be over.
  next_look_at timestamp with time zone, -- When the provider is asked next; null: nothing more comes of it.
  reference text, -- What the customer reads on the bank statement; null: the provider has not said.
  CONSTRAINT mandates_pkey PRIMARY KEY (account_id, mandate_id),
  CONSTRAINT mandates_provider_mandate UNIQUE (account_id, gateway, provider_mandate_id),
  CONSTRAINT mandates_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT mandates_account_ending_is_short CHECK (length(account_ending) <= 8),
  CONSTRAINT mandates_active_has_its_name CHECK (provider_mandate_id IS NOT NULL OR (status <> ALL (ARRAY['active'::text, 'suspended'::text]))),
  CONSTRAINT mandates_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT mandates_ended_has_its_time CHECK ((status = ANY (ARRAY['failed'::text, 'canceled'::text, 'expired'::text])) = (ended_at IS NOT NULL)),
  CONSTRAINT mandates_reference_is_short CHECK (length(reference) <= 64),
  CONSTRAINT mandates_status_known CHECK (status = ANY (ARRAY['pending'::text, 'active'::text, 'suspended'::text, 'failed'::text, 'canceled'::text, 'expired'::text])),
  CONSTRAINT mandates_version_from_one CHECK (version > 0)
);
CREATE INDEX mandates_active ON mandates USING btree (account_id, customer_id, currency) WHERE (status = 'active'::text);
CREATE INDEX mandates_by_id ON mandates USING btree (mandate_id);
CREATE INDEX mandates_due ON mandates USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX mandates_of_customer ON mandates USING btree (account_id, customer_id, mandate_id);
CREATE TRIGGER mandates_stay BEFORE DELETE OR UPDATE OF account_id, mandate_id, customer_id, gateway, currency, created_at OR TRUNCATE ON mandates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a mandate stays whose it is, and ends, but is never deleted');

-- The count of each period of a series: every number from the first to the last was given.
CREATE TABLE number_counters (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  series text NOT NULL, -- Series that is counted.
  period text NOT NULL, -- Year or month that is counted, in the time zone of the account; empty: the series never resets.
  first_sequence bigint NOT NULL, -- First number of the period.
  last_sequence bigint NOT NULL, -- Last number that was given; first - 1: none yet.
  CONSTRAINT number_counters_pkey PRIMARY KEY (account_id, series, period),
  CONSTRAINT number_counters_account_id_series_fkey FOREIGN KEY (account_id, series) REFERENCES number_series(account_id, series),
  CONSTRAINT number_counters_first_from_one CHECK (first_sequence > 0),
  CONSTRAINT number_counters_last_not_before_first CHECK (last_sequence >= (first_sequence - 1)),
  CONSTRAINT number_counters_period_is_year_or_month CHECK (period ~ '^([0-9]{4}(-[0-9]{2})?)?$'::text)
);
CREATE TRIGGER number_counters_only_count BEFORE UPDATE ON number_counters FOR EACH ROW WHEN (old.last_sequence >= old.first_sequence AND (old.account_id IS DISTINCT FROM new.account_id OR old.series IS DISTINCT FROM new.series OR old.period IS DISTINCT FROM new.period OR old.first_sequence IS DISTINCT FROM new.first_sequence OR new.last_sequence < old.last_sequence)) EXECUTE FUNCTION refuse_change('a count goes on without a gap');
CREATE TRIGGER number_counters_skip_what_is_told BEFORE UPDATE OF last_sequence ON number_counters FOR EACH ROW WHEN (old.last_sequence >= old.first_sequence AND new.last_sequence > (old.last_sequence + 1)) EXECUTE FUNCTION skip_told_numbers();
CREATE TRIGGER number_counters_stay BEFORE DELETE ON number_counters FOR EACH ROW WHEN (old.last_sequence >= old.first_sequence) EXECUTE FUNCTION refuse_change('a count goes on without a gap');

-- Series that documents are numbered by. Whoever takes a number locks the row until the transaction ends.
CREATE TABLE number_series (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  series text NOT NULL, -- Name of the series. An account has all built-in ones in here, or none while it has not used any.
  kind text NOT NULL, -- Kind of document that the series is for.
  pattern text NOT NULL, -- How a number is written, such as `INV-{YYYY}-{SEQ:5}`.
  reset text NOT NULL, -- When the count begins again.
  is_default boolean NOT NULL, -- Whether documents of the kind take it when they name no series.
  start_at bigint NOT NULL, -- First number of a period.
  created_at timestamp with time zone NOT NULL, -- When the series was made.
  dates_in_order boolean NOT NULL DEFAULT false, -- Whether no document may be dated before the one that has the number before it.
  CONSTRAINT number_series_pkey PRIMARY KEY (account_id, series),
  CONSTRAINT number_series_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT number_series_kind_known CHECK (kind = ANY (ARRAY['invoice'::text, 'quote'::text, 'credit_note'::text])),
  CONSTRAINT number_series_name_is_a_slug CHECK (series ~ '^[a-z0-9][a-z0-9_-]{0,39}$'::text),
  CONSTRAINT number_series_pattern_counts CHECK (length(pattern) <= 40 AND pattern ~~ '%{SEQ%}%'::text),
  CONSTRAINT number_series_reset_known CHECK (reset = ANY (ARRAY['never'::text, 'year'::text, 'month'::text])),
  CONSTRAINT number_series_start_from_one CHECK (start_at > 0)
);
CREATE UNIQUE INDEX number_series_default ON number_series USING btree (account_id, kind) WHERE is_default;

-- Pages of a provider on which a document can be paid. A link is made in one transaction, and gets its page in another, when the provider has it.
CREATE TABLE payment_links (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payment_link_id uuid NOT NULL, -- Identifies the link; providers name it.
  document_id uuid NOT NULL, -- Document that is paid.
  gateway text NOT NULL, -- Gateway that has the page.
  amount bigint NOT NULL, -- What is asked for, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  status text NOT NULL, -- State of the link.
  url text, -- Address of the page; null until the provider has it.
  provider_object_id text, -- Id of the provider for the page.
  created_at timestamp with time zone NOT NULL, -- When the link was made.
  expires_at timestamp with time zone NOT NULL, -- When the link is offered no longer.
  paid_at timestamp with time zone, -- When it was paid.
  canceled_at timestamp with time zone, -- When it was canceled.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  opened_xact bigint, -- Transaction that wrote the address of the page.
  processing_at timestamp with time zone, -- Since when the provider has money on its way, at its word.
  failed_at timestamp with time zone, -- When the money did not come, or was taken back, at the last time.
  failure text, -- Why, as the provider says.
  page_expires_at timestamp with time zone, -- When the page ends, as the provider said when it made it; null if it did not.
  CONSTRAINT payment_links_pkey PRIMARY KEY (account_id, payment_link_id),
  CONSTRAINT payment_links_document UNIQUE (account_id, payment_link_id, document_id),
  CONSTRAINT payment_links_account_id_document_id_currency_fkey FOREIGN KEY (account_id, document_id, currency) REFERENCES documents(account_id, document_id, currency),
  CONSTRAINT payment_links_amount_positive CHECK (amount > 0),
  CONSTRAINT payment_links_canceled_has_its_time CHECK ((status = 'canceled'::text) = (canceled_at IS NOT NULL)),
  CONSTRAINT payment_links_failed_has_its_reason CHECK ((failed_at IS NULL) = (failure IS NULL)),
  CONSTRAINT payment_links_failed_has_its_time CHECK (failed_at IS NOT NULL OR status <> 'failed'::text),
  CONSTRAINT payment_links_only_a_page_ends CHECK (page_expires_at IS NULL OR url IS NOT NULL),
  CONSTRAINT payment_links_paid_has_its_time CHECK (paid_at IS NOT NULL OR status <> 'paid'::text),
  CONSTRAINT payment_links_processing_has_its_time CHECK (processing_at IS NOT NULL OR status <> 'processing'::text),
  CONSTRAINT payment_links_status_known CHECK (status = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'canceled'::text, 'unmatched'::text])),
  CONSTRAINT payment_links_unmatched_has_its_time CHECK (paid_at IS NOT NULL OR status <> 'unmatched'::text),
  CONSTRAINT payment_links_xact_when_opened CHECK ((opened_xact IS NULL) = (url IS NULL))
);
CREATE INDEX payment_links_failed ON payment_links USING btree (failed_at) WHERE (status = 'failed'::text);
CREATE INDEX payment_links_id ON payment_links USING btree (payment_link_id);
CREATE INDEX payment_links_of_document ON payment_links USING btree (account_id, document_id);
CREATE INDEX payment_links_opened_xact ON payment_links USING brin (opened_xact) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX payment_links_provider_object ON payment_links USING btree (gateway, provider_object_id) WHERE (provider_object_id IS NOT NULL);
CREATE INDEX payment_links_xact ON payment_links USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payment_links_opened_in BEFORE INSERT OR UPDATE OF url ON payment_links FOR EACH ROW WHEN ((new.url IS NULL) <> (new.opened_xact IS NULL)) EXECUTE FUNCTION mark_opened_xact();
CREATE TRIGGER payment_links_opened_once BEFORE UPDATE OF url, provider_object_id, page_expires_at ON payment_links FOR EACH ROW WHEN (old.url IS NOT NULL AND (old.url IS DISTINCT FROM new.url OR old.provider_object_id IS DISTINCT FROM new.provider_object_id OR old.page_expires_at IS DISTINCT FROM new.page_expires_at)) EXECUTE FUNCTION refuse_change('a link keeps its pay page');
CREATE TRIGGER payment_links_opened_xact_stays BEFORE UPDATE OF opened_xact ON payment_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER payment_links_xact_stays BEFORE UPDATE OF xact ON payment_links FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- How far the lists of payments that providers keep were read.
CREATE TABLE payment_list_reads (
  gateway text NOT NULL, -- Gateway whose list it is.
  read_to timestamp with time zone NOT NULL, -- Payments before this instant were read.
  next_read_at timestamp with time zone NOT NULL, -- When the list is read next.
  CONSTRAINT payment_list_reads_pkey PRIMARY KEY (gateway)
);

-- Payments that were recorded by mistake. Append-only.
CREATE TABLE payment_reversals (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payment_id uuid NOT NULL, -- The payment.
  reason text, -- What the client said.
  client_id uuid NOT NULL, -- Client that reversed it.
  reversed_at timestamp with time zone NOT NULL, -- When it was reversed.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT payment_reversals_pkey PRIMARY KEY (account_id, payment_id),
  CONSTRAINT payment_reversals_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id)
);
CREATE INDEX payment_reversals_xact ON payment_reversals USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payment_reversals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payment_reversals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('reversals are append-only');

-- What an account waives of a document that was paid short.
CREATE TABLE payment_settings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  underpayment_tolerance jsonb NOT NULL, -- By ISO 4217 code, the most that is waived, in minor units.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  updated_at timestamp with time zone NOT NULL, -- When it was changed last.
  refund_meaning text, -- What a refund means that does not say it; null: nobody has said, and it is due and not asked for.
  debit_retry_days integer[] NOT NULL DEFAULT '{}'::integer[], -- Days after which debits that failed are tried again, each counted from the failure before it.
  CONSTRAINT payment_settings_pkey PRIMARY KEY (account_id),
  CONSTRAINT payment_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT payment_settings_debit_retry_days_in_range CHECK (cardinality(debit_retry_days) <= 5 AND array_position(debit_retry_days, NULL::integer) IS NULL AND (1 <= ALL (debit_retry_days)) AND (60 >= ALL (debit_retry_days))),
  CONSTRAINT payment_settings_refund_meaning_known CHECK (refund_meaning = ANY (ARRAY['lowers_document'::text, 'owed_again'::text])),
  CONSTRAINT payment_settings_tolerance_is_an_object CHECK (jsonb_typeof(underpayment_tolerance) = 'object'::text),
  CONSTRAINT payment_settings_version_from_one CHECK (version > 0)
);

-- Money that came in. The rest of amount, beside applied and the allocations, is credit of the customer. Append-only but for returned and receipt_id.
CREATE TABLE payments (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payment_id uuid NOT NULL, -- Identifies the payment.
  document_id uuid, -- Document that it pays; null: its allocations say which.
  customer_id uuid NOT NULL, -- Customer who paid.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  amount bigint NOT NULL, -- What came in, in minor units.
  applied bigint NOT NULL, -- What the document took when it came, in minor units.
  returned bigint NOT NULL DEFAULT 0, -- What went back of it, or is on its way back, in minor units: the last guard against two refunds at once.
  fee bigint, -- What the gateway kept, in minor units; null: it does not say.
  method text NOT NULL, -- How it was paid.
  reference text, -- Reference that the caller gave.
  note text, -- Note that the caller gave.
  metadata jsonb NOT NULL, -- Values that the caller attached; never read.
  client_id uuid, -- Client that recorded it; null: a provider reported it.
  gateway text, -- Gateway that it came by.
  provider_payment_id text, -- Id of the provider for the payment.
  payment_link_id uuid, -- Link that it came by.
  receipt_id uuid, -- Unmatched receipt that it was assigned from.
  bank_entry_id uuid, -- Bank entry that it was booked from.
  paid_at timestamp with time zone NOT NULL, -- When it was paid.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  is_reversed boolean NOT NULL DEFAULT false, -- Whether it stands in payment_reversals: unique keys cannot look there.
  booked_on date, -- First open day, on which the ledger has it; null: the day of paid_at was open.
  CONSTRAINT payments_pkey PRIMARY KEY (account_id, payment_id),
  CONSTRAINT payments_account_id_document_id_currency_fkey FOREIGN KEY (account_id, document_id, currency) REFERENCES documents(account_id, document_id, currency),
  CONSTRAINT payments_account_id_payment_link_id_document_id_fkey FOREIGN KEY (account_id, payment_link_id, document_id) REFERENCES payment_links(account_id, payment_link_id, document_id),
  CONSTRAINT payments_account_id_receipt_id_fkey FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts(account_id, receipt_id),
  CONSTRAINT payments_bank_entry_exists FOREIGN KEY (account_id, bank_entry_id) REFERENCES bank_entries(account_id, entry_id),
  CONSTRAINT payments_sound CHECK (payment_is_sound(amount, applied, returned, fee, document_id, gateway, provider_payment_id, client_id, bank_entry_id))
);
CREATE UNIQUE INDEX payments_bank_entry ON payments USING btree (account_id, bank_entry_id) WHERE ((bank_entry_id IS NOT NULL) AND (NOT is_reversed));
CREATE INDEX payments_of_customer ON payments USING btree (account_id, customer_id, payment_id) WHERE (document_id IS NULL);
CREATE INDEX payments_of_document ON payments USING btree (account_id, document_id, recorded_at);
CREATE UNIQUE INDEX payments_provider ON payments USING btree (account_id, gateway, provider_payment_id) WHERE ((gateway IS NOT NULL) AND (NOT is_reversed));
CREATE UNIQUE INDEX payments_receipt ON payments USING btree (account_id, receipt_id) WHERE ((receipt_id IS NOT NULL) AND (NOT is_reversed));
CREATE INDEX payments_xact ON payments USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payments_append_only BEFORE DELETE OR UPDATE OF account_id, payment_id, document_id, customer_id, currency, amount, applied, method, reference, note, metadata, paid_at, recorded_at, client_id, gateway, provider_payment_id, payment_link_id, fee, bank_entry_id OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
CREATE TRIGGER payments_booked_on BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION mark_payment_booked_on();
CREATE TRIGGER payments_booked_on_stays BEFORE UPDATE OF booked_on ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payments are append-only');
CREATE TRIGGER payments_stay_reversed BEFORE UPDATE OF is_reversed ON payments FOR EACH ROW WHEN (old.is_reversed) EXECUTE FUNCTION refuse_change('a payment that is reversed stays so');
CREATE TRIGGER payments_xact_stays BEFORE UPDATE OF xact ON payments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- What a payout is made of, as the provider tells it. Only is_reversed changes.
CREATE TABLE payout_lines (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payout_id uuid NOT NULL, -- The payout.
  "position" integer NOT NULL, -- Place among the lines of the payout, from 1.
  kind text NOT NULL, -- What it is.
  amount bigint NOT NULL, -- What it added to the payout before its fee, in minor units; below zero: took off.
  fee bigint NOT NULL, -- What the provider kept of it, in minor units; below zero: gave back.
  booked_fee bigint NOT NULL, -- The fee that is booked with the payout, as nothing else has booked it; in minor units.
  provider_id text, -- Id of the provider for the payment, refund or entry.
  payment_id uuid, -- Our payment, where that is known.
  receipt_id uuid, -- Our unmatched receipt, where that is known.
  refund_id uuid, -- Our refund, where that is known.
  is_reversed boolean NOT NULL DEFAULT false, -- Whether its payout is reversed: unique keys cannot look there.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  completes integer, -- Line of the payout whose payment or refund is told since: this row names it, and books its fee.
  CONSTRAINT payout_lines_pkey PRIMARY KEY (account_id, payout_id, "position"),
  CONSTRAINT payout_lines_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT payout_lines_account_id_payout_id_fkey FOREIGN KEY (account_id, payout_id) REFERENCES payouts(account_id, payout_id),
  CONSTRAINT payout_lines_account_id_receipt_id_fkey FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts(account_id, receipt_id),
  CONSTRAINT payout_lines_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT payout_lines_completes_an_unknown_one CHECK (completes IS NULL OR completes < "position" AND amount = 0 AND fee = 0 AND (kind = ANY (ARRAY['payment'::text, 'refund'::text])) AND num_nonnulls(payment_id, receipt_id, refund_id) = 1),
  CONSTRAINT payout_lines_kind_known CHECK (kind = ANY (ARRAY['payment'::text, 'refund'::text, 'dispute'::text, 'fee'::text, 'adjustment'::text])),
  CONSTRAINT payout_lines_of_one_thing CHECK (num_nonnulls(payment_id, receipt_id, refund_id) <= 1),
  CONSTRAINT payout_lines_position_from_one CHECK ("position" > 0)
);
CREATE UNIQUE INDEX payout_lines_completed_once ON payout_lines USING btree (account_id, payout_id, completes) WHERE (completes IS NOT NULL);
CREATE UNIQUE INDEX payout_lines_fee_of_payment ON payout_lines USING btree (account_id, payment_id) WHERE ((payment_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed));
CREATE UNIQUE INDEX payout_lines_fee_of_receipt ON payout_lines USING btree (account_id, receipt_id) WHERE ((receipt_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed));
CREATE UNIQUE INDEX payout_lines_fee_of_refund ON payout_lines USING btree (account_id, refund_id) WHERE ((refund_id IS NOT NULL) AND (booked_fee <> 0) AND (NOT is_reversed));
CREATE INDEX payout_lines_xact ON payout_lines USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payout_lines_append_only BEFORE DELETE OR UPDATE OF account_id, payout_id, "position", kind, amount, fee, booked_fee, provider_id, payment_id, receipt_id, refund_id, completes OR TRUNCATE ON payout_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('lines of payouts are append-only');
CREATE TRIGGER payout_lines_stay_reversed BEFORE UPDATE OF is_reversed ON payout_lines FOR EACH ROW WHEN (old.is_reversed) EXECUTE FUNCTION refuse_change('a line that is reversed stays so');
CREATE TRIGGER payout_lines_xact_stays BEFORE UPDATE OF xact ON payout_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- Payouts that came back to the provider, or were recorded wrongly. Append-only.
CREATE TABLE payout_undoings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payout_id uuid NOT NULL, -- The payout.
  kind text NOT NULL, -- failed: the provider has the money back; reversed: it was recorded wrongly.
  undone_on date NOT NULL, -- Day for which it counts.
  reason text, -- What the client said.
  client_id uuid, -- Client that recorded it; null: its provider told it.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT payout_undoings_pkey PRIMARY KEY (account_id, payout_id, kind),
  CONSTRAINT payout_undoings_account_id_payout_id_fkey FOREIGN KEY (account_id, payout_id) REFERENCES payouts(account_id, payout_id),
  CONSTRAINT payout_undoings_kind_known CHECK (kind = ANY (ARRAY['failed'::text, 'reversed'::text]))
);
CREATE INDEX payout_undoings_xact ON payout_undoings USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payout_undoings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payout_undoings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payout undoings are append-only');

-- What a provider sent to the bank, or took from it. Only status changes.
CREATE TABLE payouts (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  payout_id uuid NOT NULL, -- Identifies the payout.
  gateway text NOT NULL, -- Gateway whose provider sent it.
  provider_payout_id text NOT NULL, -- Id of the provider for the payout.
  amount bigint NOT NULL, -- What arrives at the bank, in minor units; below zero: the provider takes it from there.
  fee bigint NOT NULL, -- What the provider takes for the payout, in minor units.
  booked_fee bigint NOT NULL, -- All fees that are booked with it, in minor units: its own, and those of its lines that no payment booked.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  sent_on date NOT NULL, -- Day on which it left the provider.
  arrives_on date, -- Day on which the bank should have it, if told.
  descriptor text, -- Text that comes with it at the bank, if told.
  lines integer NOT NULL, -- How many lines the provider told of it.
  status text NOT NULL, -- sent: on its way; paid: a bank entry is it; failed, reversed: see payout_undoings.
  client_id uuid, -- Client that recorded it; null: its provider told it.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT payouts_pkey PRIMARY KEY (account_id, payout_id),
  CONSTRAINT payouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT payouts_amount_not_zero CHECK (amount <> 0),
  CONSTRAINT payouts_arrives_after_sent CHECK (arrives_on >= sent_on),
  CONSTRAINT payouts_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT payouts_fee_not_negative CHECK (fee >= 0),
  CONSTRAINT payouts_lines_not_negative CHECK (lines >= 0),
  CONSTRAINT payouts_status_known CHECK (status = ANY (ARRAY['sent'::text, 'paid'::text, 'failed'::text, 'reversed'::text]))
);
CREATE INDEX payouts_in_transit ON payouts USING btree (account_id, currency, amount) WHERE (status = 'sent'::text);
CREATE INDEX payouts_named ON payouts USING btree (gateway, provider_payout_id) WHERE (status <> 'reversed'::text);
CREATE UNIQUE INDEX payouts_once ON payouts USING btree (account_id, gateway, provider_payout_id) WHERE (status <> 'reversed'::text);
CREATE INDEX payouts_xact ON payouts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER payouts_append_only BEFORE DELETE OR UPDATE OF account_id, payout_id, gateway, provider_payout_id, amount, fee, booked_fee, currency, sent_on, arrives_on, descriptor, lines, client_id, recorded_at OR TRUNCATE ON payouts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('payouts are append-only');
CREATE TRIGGER payouts_undone_once BEFORE UPDATE ON payouts FOR EACH ROW WHEN (old.status = 'reversed'::text OR old.status = 'failed'::text AND new.status <> 'reversed'::text OR old.status = 'paid'::text AND new.status <> 'sent'::text) EXECUTE FUNCTION refuse_change('a payout is undone once, and not while a bank entry is it');
CREATE TRIGGER payouts_xact_stays BEFORE UPDATE OF xact ON payouts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- Documents that are open and not settled, for lists of them. Follows documents by itself.
CREATE TABLE pending_documents (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  document_id uuid NOT NULL, -- The document.
  created_at timestamp with time zone NOT NULL, -- When its draft was made.
  due_date date NOT NULL, -- Its due date; 9999-12-31: it has none.
  currency text NOT NULL, -- ISO 4217 code of its amounts.
  total bigint NOT NULL, -- What it asks for, in minor units.
  tell_at timestamp with time zone, -- When it is to be told that it is due soon, overdue or expired; null: nothing comes.
  CONSTRAINT pending_documents_pkey PRIMARY KEY (account_id, document_id),
  CONSTRAINT pending_documents_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE CASCADE
);
CREATE INDEX pending_documents_created ON pending_documents USING btree (account_id, created_at, document_id);
CREATE INDEX pending_documents_due_date ON pending_documents USING btree (account_id, due_date, document_id);
CREATE INDEX pending_documents_tell_at ON pending_documents USING btree (tell_at) WHERE (tell_at IS NOT NULL);
CREATE INDEX pending_documents_total ON pending_documents USING btree (account_id, currency, total, document_id);
CREATE TRIGGER pending_documents_follow BEFORE INSERT OR DELETE OR UPDATE OF account_id, document_id, created_at, due_date, currency, total OR TRUNCATE ON pending_documents FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change('pending documents follow documents');

-- Months of the books that were closed, and opened again. Append-only.
CREATE TABLE period_closings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  closing_id uuid NOT NULL, -- Identifies the decision; sorts by time.
  action text NOT NULL, -- closed or reopened.
  open_from date NOT NULL, -- First day that is open from then on.
  decided_at timestamp with time zone NOT NULL, -- When that was settled.
  known_xact bigint NOT NULL, -- First transaction that knew of a closing, or that could have known of a reopening.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  chart_version integer, -- Chart that the closed months keep; null: from before this was kept, or reopened.
  CONSTRAINT period_closings_pkey PRIMARY KEY (account_id, closing_id),
  CONSTRAINT period_closings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT period_closings_action_known CHECK (action = ANY (ARRAY['closed'::text, 'reopened'::text])),
  CONSTRAINT period_closings_chart_of_closed CHECK (chart_version IS NULL OR action = 'closed'::text AND chart_version > 0),
  CONSTRAINT period_closings_from_the_first_of_a_month CHECK (action = 'reopened'::text OR EXTRACT(day FROM open_from) = 1::numeric)
);
CREATE INDEX period_closings_xact ON period_closings USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER period_closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON period_closings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closings are append-only');

-- Tokens that open a document for its customer. Global, because a token comes before its account is known.
CREATE TABLE portal_tokens (
  token_sha256 bytea NOT NULL, -- SHA-256 of the token.
  portal_token_id uuid NOT NULL, -- Identifies the token to the account.
  account_id uuid NOT NULL, -- Account of the document.
  document_id uuid NOT NULL, -- Document that the token opens.
  created_at timestamp with time zone NOT NULL, -- When the token was made.
  expires_at timestamp with time zone NOT NULL, -- When the token is refused.
  revoked_at timestamp with time zone, -- When the token was revoked; null: it is good.
  first_viewed_at timestamp with time zone, -- When a person first opened the page; null: nobody has.
  last_viewed_at timestamp with time zone, -- When a person last opened the page, to the hour.
  CONSTRAINT portal_tokens_pkey PRIMARY KEY (token_sha256),
  CONSTRAINT portal_tokens_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT portal_tokens_token_is_a_digest CHECK (length(token_sha256) = 32),
  CONSTRAINT portal_tokens_views_in_order CHECK ((first_viewed_at IS NULL) = (last_viewed_at IS NULL) AND first_viewed_at <= last_viewed_at)
);
CREATE INDEX portal_tokens_document ON portal_tokens USING btree (account_id, document_id);

-- Events that providers delivered: the first guard against doubles. Append-only. Global, because an event comes before its account is known.
CREATE TABLE provider_events (
  gateway text NOT NULL, -- Gateway that delivered it.
  event_id text NOT NULL, -- Id of the provider for the event.
  event_type text NOT NULL, -- Type that the provider gives it.
  fingerprint text, -- What the gateway tells repeats of the event by, where an id is not enough.
  outcome text NOT NULL, -- What became of it.
  review text, -- Why an operator should look: money moved, and it could not be booked.
  received_at timestamp with time zone NOT NULL, -- When it was delivered.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT provider_events_pkey PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_events_outcome_known CHECK (outcome = ANY (ARRAY['ok'::text, 'ignored'::text, 'no_link_id'::text]))
);
CREATE INDEX provider_events_review ON provider_events USING btree (received_at) WHERE (review IS NOT NULL);
CREATE INDEX provider_events_xact ON provider_events USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider events are append-only');

-- What providers told of a payment before they told that it was paid: that it failed, was taken back, disputed or refunded. The report of the payment meets it. Append-only. Global, as provider_events are.
CREATE TABLE provider_failures (
  gateway text NOT NULL, -- Gateway that told it.
  event_id text NOT NULL, -- Event of the provider that reported it.
  provider_payment_id text NOT NULL, -- Id of the provider for the payment.
  kind text NOT NULL, -- failed: it counts against a payment before it; unpaid_again: against any; dispute: the payer disputes it; else a refund, or what went back in all.
  amount bigint, -- What was taken back or refunded, in minor units; null: all of it.
  currency text, -- ISO 4217 code of the amount.
  reference text, -- Id of the provider for the reversal or the refund, if it has one, or for the dispute.
  reason text NOT NULL, -- Why, as the provider says.
  failed_at timestamp with time zone NOT NULL, -- When, at the word of the provider.
  received_at timestamp with time zone NOT NULL, -- When it was reported.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  dispute_status text, -- State of the dispute.
  withdrawn bigint, -- What the provider holds for the dispute, in minor units; null: it does not say.
  fee bigint, -- What the provider charges for the dispute, in minor units; null: it does not say.
  evidence_due_by timestamp with time zone, -- Until when the provider takes evidence.
  CONSTRAINT provider_failures_pkey PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_failures_amount_has_a_currency CHECK ((amount IS NULL) = (currency IS NULL)),
  CONSTRAINT provider_failures_amount_positive CHECK (amount > 0),
  CONSTRAINT provider_failures_dispute_is_whole CHECK (
CASE kind
    WHEN 'dispute'::text THEN num_nulls(dispute_status, amount, reference) = 0
    ELSE num_nonnulls(dispute_status, withdrawn, fee, evidence_due_by) = 0
END),
  CONSTRAINT provider_failures_dispute_status_known CHECK (dispute_status = ANY (ARRAY['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text, 'closed'::text])),
  CONSTRAINT provider_failures_kind_known CHECK (kind = ANY (ARRAY['failed'::text, 'unpaid_again'::text, 'dispute'::text, 'refund_pending'::text, 'refund_succeeded'::text, 'refund_failed'::text, 'refunded_in_all'::text])),
  CONSTRAINT provider_failures_refund_has_an_amount CHECK (amount IS NOT NULL OR (kind = ANY (ARRAY['failed'::text, 'unpaid_again'::text])))
);
CREATE INDEX provider_failures_of_payment ON provider_failures USING btree (gateway, provider_payment_id);
CREATE INDEX provider_failures_xact ON provider_failures USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_failures_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_failures FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider failures are append-only');

-- Payments and refunds that a payout named before they were told: with them it is gone on with. Append-only. Global, as provider_events are.
CREATE TABLE provider_payout_waits (
  gateway text NOT NULL, -- Gateway of the payout.
  provider_id text NOT NULL, -- Id of the provider for the payment or refund.
  kind text NOT NULL, -- Which of the two it is.
  provider_payout_id text NOT NULL, -- Id of the provider for the payout.
  since timestamp with time zone NOT NULL, -- When the payout was told.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT provider_payout_waits_pkey PRIMARY KEY (gateway, provider_id, kind, provider_payout_id),
  CONSTRAINT provider_payout_waits_kind_known CHECK (kind = ANY (ARRAY['payment'::text, 'refund'::text]))
);
CREATE INDEX provider_payout_waits_xact ON provider_payout_waits USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_payout_waits_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_payout_waits FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('waits of payouts are append-only');

-- Payouts of a gateway of several accounts, told before it is sure whose they are. Append-only. Global, as provider_events are.
CREATE TABLE provider_payouts (
  gateway text NOT NULL, -- Gateway that told it.
  event_id text NOT NULL, -- Event of the provider that told it.
  event_type text NOT NULL, -- Type that the provider gives the event.
  provider_payout_id text NOT NULL, -- Id of the provider for the payout.
  status text NOT NULL, -- Whether it was sent, or came back.
  amount bigint NOT NULL, -- What arrives at the bank, in minor units.
  fee bigint NOT NULL, -- What the provider takes for it, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  sent_on date NOT NULL, -- Day on which it left the provider.
  arrives_on date, -- Day on which the bank should have it, if told.
  descriptor text, -- Text that comes with it at the bank, if told.
  reason text, -- Why it came back, as the provider says.
  told_at timestamp with time zone NOT NULL, -- When, at the word of the provider.
  lines jsonb NOT NULL, -- What is in it: kind, provider_id, amount and fee of each, in minor units as text.
  received_at timestamp with time zone NOT NULL, -- When it was reported.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT provider_payouts_pkey PRIMARY KEY (gateway, event_id),
  CONSTRAINT provider_payouts_lines_are_a_list CHECK (jsonb_typeof(lines) = 'array'::text),
  CONSTRAINT provider_payouts_status_known CHECK (status = ANY (ARRAY['sent'::text, 'failed'::text]))
);
CREATE INDEX provider_payouts_of_payout ON provider_payouts USING btree (gateway, provider_payout_id);
CREATE INDEX provider_payouts_xact ON provider_payouts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_payouts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_payouts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('told payouts are append-only');

-- Money that providers took, once each, whatever became of it: the second guard against doubles. Append-only. Global, as provider_events are.
CREATE TABLE provider_receipts (
  gateway text NOT NULL, -- Gateway that took it.
  provider_payment_id text NOT NULL, -- Id of the provider for the payment.
  account_id uuid, -- Account that it belongs to; null: unknown.
  payment_link_id uuid, -- Link that it came by, if known.
  payment_id uuid, -- Payment that it became; null: see unmatched_reason.
  amount bigint NOT NULL, -- What came in, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  unmatched_reason text, -- Why no document could take it; null: one did.
  event_id text NOT NULL, -- Event of the provider that reported it.
  link_reference text, -- What the provider said of the link.
  paid_at timestamp with time zone NOT NULL, -- When it was paid.
  received_at timestamp with time zone NOT NULL, -- When it was reported.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  capture_reference text, -- Id of the provider for the capture, where a payment may be captured in parts; null: all of it.
  CONSTRAINT provider_receipts_pkey PRIMARY KEY (gateway, provider_payment_id),
  CONSTRAINT provider_receipts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT provider_receipts_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT provider_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT provider_receipts_payment_or_reason CHECK ((payment_id IS NULL) = (unmatched_reason IS NOT NULL)),
  CONSTRAINT provider_receipts_reason_known CHECK (unmatched_reason = ANY (ARRAY['unknown_link'::text, 'currency_mismatch'::text, 'document_not_payable'::text, 'amount_too_large'::text, 'unconfirmed'::text, 'foreign_gateway'::text]))
);
CREATE INDEX provider_receipts_unmatched ON provider_receipts USING btree (account_id, received_at) WHERE (unmatched_reason IS NOT NULL);
CREATE INDEX provider_receipts_xact ON provider_receipts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_receipts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider receipts are append-only');

-- Money that a provider took back after it was paid: a debit that failed, a chargeback. What documents gave stands in allocations. Append-only.
CREATE TABLE provider_reversals (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  reversal_id uuid NOT NULL, -- Identifies the reversal.
  payment_id uuid, -- Payment that is taken back; null: an unmatched receipt is.
  receipt_id uuid, -- Unmatched receipt that is taken back; null: a payment is.
  gateway text NOT NULL, -- Gateway that took it back.
  provider_payment_id text NOT NULL, -- Id of the provider for the payment.
  reference text, -- Id of the provider for the reversal, if it has one.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  amount bigint NOT NULL, -- What was taken back, in minor units; below zero: a dispute gave it again; zero: what had been lost is asked for, or lost for a refund.
  from_credit bigint NOT NULL, -- Part of it that the credit of the customer gave, in minor units.
  lost bigint NOT NULL, -- Part of it that nobody can be asked for, since it had gone back already, in minor units.
  reason text NOT NULL, -- Why, as the provider says.
  failed_at timestamp with time zone NOT NULL, -- When, at the word of the provider.
  recorded_at timestamp with time zone NOT NULL, -- When it was recorded.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  dispute_id uuid, -- Dispute that it comes of; null: the provider took the money back without one.
  CONSTRAINT provider_reversals_pkey PRIMARY KEY (account_id, reversal_id),
  CONSTRAINT provider_reversals_once UNIQUE (account_id, gateway, provider_payment_id, reference),
  CONSTRAINT provider_reversals_account_id_dispute_id_fkey FOREIGN KEY (account_id, dispute_id) REFERENCES disputes(account_id, dispute_id),
  CONSTRAINT provider_reversals_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT provider_reversals_account_id_receipt_id_fkey FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts(account_id, receipt_id),
  CONSTRAINT provider_reversals_amount_sound CHECK (amount > 0 OR amount < 0 AND dispute_id IS NOT NULL OR amount = 0 AND lost <> 0),
  CONSTRAINT provider_reversals_of_payment_or_receipt CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT provider_reversals_parts_within_amount CHECK ((from_credit::double precision * sign(amount::double precision)) >= 0::double precision AND (lost::double precision * sign(amount::double precision)) >= 0::double precision AND
CASE
    WHEN amount < 0 THEN (from_credit + lost) >= amount
    WHEN amount > 0 THEN (from_credit + lost) <= amount
    ELSE (from_credit::double precision * sign(lost::double precision)) <= 0::double precision AND abs(from_credit) <= abs(lost)
END)
);
CREATE INDEX provider_reversals_of_dispute ON provider_reversals USING btree (account_id, dispute_id) WHERE (dispute_id IS NOT NULL);
CREATE INDEX provider_reversals_of_payment ON provider_reversals USING btree (account_id, payment_id);
CREATE INDEX provider_reversals_of_provider ON provider_reversals USING btree (gateway, provider_payment_id);
CREATE INDEX provider_reversals_of_receipt ON provider_reversals USING btree (account_id, receipt_id) WHERE (receipt_id IS NOT NULL);
CREATE INDEX provider_reversals_xact ON provider_reversals USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER provider_reversals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON provider_reversals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('provider reversals are append-only');

-- Refresh tokens. Global, because they are found by their digest.
CREATE TABLE refresh_tokens (
  token_sha256 bytea NOT NULL, -- SHA-256 of the token.
  family_id uuid NOT NULL, -- Login that the token grew from.
  issued_at timestamp with time zone NOT NULL, -- When the token was issued.
  expires_at timestamp with time zone NOT NULL, -- When the token is refused.
  used_at timestamp with time zone, -- When the token was exchanged for its successor; null: not yet.
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_sha256),
  CONSTRAINT refresh_tokens_family_id_fkey FOREIGN KEY (family_id) REFERENCES token_families(family_id) ON DELETE CASCADE,
  CONSTRAINT refresh_tokens_token_is_a_digest CHECK (length(token_sha256) = 32)
);
CREATE INDEX refresh_tokens_family ON refresh_tokens USING btree (family_id);
CREATE INDEX refresh_tokens_unused ON refresh_tokens USING btree (expires_at) WHERE (used_at IS NULL);

-- Credit notes that lower documents by what refunds gave back of them. Append-only.
CREATE TABLE refund_credit_notes (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  refund_id uuid NOT NULL, -- The refund.
  document_id uuid NOT NULL, -- The document that gave a part of it.
  credit_note_id uuid NOT NULL, -- The credit note over that part.
  made_at timestamp with time zone NOT NULL, -- When it was made, or named.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT refund_credit_notes_pkey PRIMARY KEY (account_id, credit_note_id),
  CONSTRAINT refund_credit_notes_account_id_credit_note_id_fkey FOREIGN KEY (account_id, credit_note_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT refund_credit_notes_account_id_refund_id_document_id_fkey FOREIGN KEY (account_id, refund_id, document_id) REFERENCES refund_parts(account_id, refund_id, document_id)
);
CREATE INDEX refund_credit_notes_of_refund ON refund_credit_notes USING btree (account_id, refund_id);
CREATE INDEX refund_credit_notes_xact ON refund_credit_notes USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refund_credit_notes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_credit_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('credit notes of refunds are append-only');

-- What refunds mean for the documents that gave them; the last step counts. Append-only.
CREATE TABLE refund_meanings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  refund_id uuid NOT NULL, -- The refund.
  step integer NOT NULL, -- Counts what was said of the refund, from 1.
  meaning text NOT NULL, -- lowers_document: a credit note is made with it; owed_again: what went back is due again.
  said_by text NOT NULL, -- call: with the refund; setting: of the account; default: nobody; later: after the refund.
  credit_note jsonb, -- The terms of the credit note, as they were asked for; null: over what goes back.
  problem text, -- Code with which a credit note was refused when the money had gone; null: none was.
  client_id uuid, -- Client that said it; null: nobody did, or a provider told of the refund.
  said_at timestamp with time zone NOT NULL, -- When it was said.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT refund_meanings_pkey PRIMARY KEY (account_id, refund_id, step),
  CONSTRAINT refund_meanings_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT refund_meanings_default_is_owed_again CHECK (said_by <> 'default'::text OR meaning = 'owed_again'::text),
  CONSTRAINT refund_meanings_meaning_known CHECK (meaning = ANY (ARRAY['lowers_document'::text, 'owed_again'::text])),
  CONSTRAINT refund_meanings_notes_only_lower CHECK (meaning = 'lowers_document'::text OR credit_note IS NULL AND problem IS NULL),
  CONSTRAINT refund_meanings_said_by_known CHECK (said_by = ANY (ARRAY['call'::text, 'setting'::text, 'default'::text, 'later'::text])),
  CONSTRAINT refund_meanings_step_from_one CHECK (step > 0)
);
CREATE INDEX refund_meanings_xact ON refund_meanings USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refund_meanings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_meanings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('meanings of refunds are append-only');

-- Refunds of providers that were recorded here before the provider named them: by hand, or by the sum that went back of a charge. Append-only.
CREATE TABLE refund_names (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  gateway text NOT NULL, -- Gateway that told of it.
  provider_refund_id text NOT NULL, -- Id of the provider for the refund.
  refund_id uuid NOT NULL, -- The refund here that it is, or is a part of.
  amount bigint NOT NULL, -- What the provider gave back by it, in minor units.
  named_at timestamp with time zone NOT NULL, -- When it was told.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT refund_names_pkey PRIMARY KEY (account_id, gateway, provider_refund_id),
  CONSTRAINT refund_names_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT refund_names_amount_positive CHECK (amount > 0)
);
CREATE INDEX refund_names_of_refund ON refund_names USING btree (account_id, refund_id);
CREATE INDEX refund_names_xact ON refund_names USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refund_names_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_names FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('names of refunds are append-only');

-- What documents give of a refund. Append-only.
CREATE TABLE refund_parts (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  refund_id uuid NOT NULL, -- The refund.
  document_id uuid NOT NULL, -- The document.
  amount bigint NOT NULL, -- What the document gives, in minor units.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT refund_parts_pkey PRIMARY KEY (account_id, refund_id, document_id),
  CONSTRAINT refund_parts_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT refund_parts_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT refund_parts_amount_positive CHECK (amount > 0)
);
CREATE INDEX refund_parts_of_document ON refund_parts USING btree (account_id, document_id);
CREATE INDEX refund_parts_xact ON refund_parts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refund_parts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_parts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund parts are append-only');

-- Idempotency-Keys of refunds. Taken before the provider is called, so that a repeat finds the refund that is under way. Deleted when too old.
CREATE TABLE refund_requests (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  scope bytea NOT NULL, -- Digest of client, route and key.
  request_sha256 bytea NOT NULL, -- Digest of the request: the same key with another request is refused.
  refund_id uuid NOT NULL, -- Refund that the key made.
  requested_at timestamp with time zone NOT NULL, -- When it was asked for.
  CONSTRAINT refund_requests_pkey PRIMARY KEY (account_id, scope),
  CONSTRAINT refund_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX refund_requests_age ON refund_requests USING brin (requested_at);

-- Refunds that succeeded, and whose money is back, or never went. Append-only.
CREATE TABLE refund_undoings (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  refund_id uuid NOT NULL, -- The refund; it is undone once.
  kind text NOT NULL, -- returned: the provider has the money back; reversed: it was recorded wrongly.
  reason text, -- Short code of the provider, or what the client said.
  client_id uuid, -- Client that reversed it; null: the provider told of it.
  undone_at timestamp with time zone NOT NULL, -- When it was undone here.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  booked_on date, -- First open day, on which the ledger has it; null: the day of undone_at was open.
  CONSTRAINT refund_undoings_pkey PRIMARY KEY (account_id, refund_id),
  CONSTRAINT refund_undoings_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, refund_id),
  CONSTRAINT refund_undoings_kind_known CHECK (kind = ANY (ARRAY['returned'::text, 'reversed'::text])),
  CONSTRAINT refund_undoings_reversed_by_a_client CHECK ((kind = 'reversed'::text) = (client_id IS NOT NULL))
);
CREATE INDEX refund_undoings_xact ON refund_undoings USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refund_undoings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON refund_undoings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refund undoings are append-only');
CREATE TRIGGER refund_undoings_booked_on BEFORE INSERT ON refund_undoings FOR EACH ROW EXECUTE FUNCTION mark_booked_on('undone_at');

-- Money on its way back. A refund is asked for in one transaction and settled in another, with the call of the provider between them.
CREATE TABLE refunds (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  refund_id uuid NOT NULL, -- Identifies the refund; providers name it.
  payment_id uuid, -- Payment that goes back; null: an unmatched receipt does.
  receipt_id uuid, -- Unmatched receipt that goes back; null: a payment does.
  customer_id uuid, -- Customer who gets it; null with an unmatched receipt.
  currency text NOT NULL, -- ISO 4217 code of the amounts.
  amount bigint NOT NULL, -- What goes back, in minor units.
  from_credit bigint NOT NULL DEFAULT 0, -- Part of it that the credit of the customer gives, in minor units. What documents give stands in refund_parts.
  method text NOT NULL, -- How it goes back.
  gateway text, -- Gateway that is asked; null: paid by hand.
  status text NOT NULL, -- State of the refund; unknown: the provider did not answer, and is asked again.
  provider_refund_id text, -- Id of the provider for the refund.
  failure text, -- Why it failed.
  reference text, -- Reference that the client gave.
  reason text, -- What the client said.
  client_id uuid, -- Client that asked for it; null: the provider told of it first.
  requested_at timestamp with time zone NOT NULL, -- When it was asked for.
  settled_at timestamp with time zone, -- When it succeeded or failed.
  attempts integer NOT NULL DEFAULT 0, -- How often the provider was asked.
  next_look_at timestamp with time zone, -- When the provider is to be asked what became of it.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  settled_xact bigint, -- Transaction that settled it.
  paid_from text NOT NULL, -- Account of the ledger that the money leaves.
  lost bigint NOT NULL DEFAULT 0, -- Part of it that nobody can be asked for, since the money was not here any more, in minor units.
  booked_on date, -- First open day, on which the ledger has it; null: the day of settled_at was open.
  credit_kept bigint NOT NULL DEFAULT 0, -- Credit that notes of its documents gave, and that was kept for it while it was on its way, in minor units.
  CONSTRAINT refunds_pkey PRIMARY KEY (account_id, refund_id),
  CONSTRAINT refunds_account_id_payment_id_fkey FOREIGN KEY (account_id, payment_id) REFERENCES payments(account_id, payment_id),
  CONSTRAINT refunds_account_id_receipt_id_fkey FOREIGN KEY (account_id, receipt_id) REFERENCES unmatched_receipts(account_id, receipt_id),
  CONSTRAINT refunds_amount_positive CHECK (amount > 0),
  CONSTRAINT refunds_asked_for_or_made_by_a_gateway CHECK (client_id IS NOT NULL OR gateway IS NOT NULL),
  CONSTRAINT refunds_credit_kept_of_documents CHECK (credit_kept >= 0 AND credit_kept <= (amount - from_credit - lost)),
  CONSTRAINT refunds_credit_within_amount CHECK (from_credit >= 0 AND lost >= 0 AND (from_credit + lost) <= amount),
  CONSTRAINT refunds_customer_with_a_payment CHECK ((payment_id IS NULL) = (customer_id IS NULL)),
  CONSTRAINT refunds_gateway_pays_its_own CHECK (gateway IS NULL OR paid_from = 'gateway_clearing'::text),
  CONSTRAINT refunds_looked_up_until_settled CHECK ((next_look_at IS NOT NULL) = (status = ANY (ARRAY['pending'::text, 'unknown'::text]))),
  CONSTRAINT refunds_lost_only_by_a_gateway CHECK (lost = 0 OR client_id IS NULL),
  CONSTRAINT refunds_no_failure_when_succeeded CHECK (failure IS NULL OR status <> 'succeeded'::text),
  CONSTRAINT refunds_of_payment_or_receipt CHECK ((payment_id IS NULL) <> (receipt_id IS NULL)),
  CONSTRAINT refunds_paid_from_known CHECK (paid_from = ANY (ARRAY['cash'::text, 'gateway_clearing'::text])),
  CONSTRAINT refunds_settled_has_its_time CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) = (settled_at IS NOT NULL)),
  CONSTRAINT refunds_status_known CHECK (status = ANY (ARRAY['pending'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])),
  CONSTRAINT refunds_unsettled_only_by_gateway CHECK ((status = ANY (ARRAY['succeeded'::text, 'failed'::text])) OR gateway IS NOT NULL),
  CONSTRAINT refunds_xact_when_settled CHECK ((settled_xact IS NULL) = (settled_at IS NULL))
);
CREATE INDEX refunds_of_id ON refunds USING btree (refund_id);
CREATE INDEX refunds_of_payment ON refunds USING btree (account_id, payment_id);
CREATE INDEX refunds_of_provider ON refunds USING btree (account_id, provider_refund_id) WHERE (provider_refund_id IS NOT NULL);
CREATE INDEX refunds_of_receipt ON refunds USING btree (account_id, receipt_id) WHERE (receipt_id IS NOT NULL);
CREATE UNIQUE INDEX refunds_once_of_provider ON refunds USING btree (account_id, gateway, provider_refund_id) WHERE (provider_refund_id IS NOT NULL);
CREATE INDEX refunds_settled_xact ON refunds USING brin (settled_xact) WITH (pages_per_range='128', autosummarize='on');
CREATE INDEX refunds_to_look_up ON refunds USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX refunds_xact ON refunds USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER refunds_booked_on BEFORE INSERT OR UPDATE OF status ON refunds FOR EACH ROW WHEN (new.status = 'succeeded'::text) EXECUTE FUNCTION mark_booked_on('settled_at');
CREATE TRIGGER refunds_credit_kept_stays BEFORE UPDATE OF credit_kept ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_lost_stays BEFORE UPDATE OF lost ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_paid_from_stays BEFORE UPDATE OF paid_from ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_settle_once BEFORE UPDATE ON refunds FOR EACH ROW WHEN ((old.status = ANY (ARRAY['succeeded'::text, 'failed'::text])) OR old.account_id IS DISTINCT FROM new.account_id OR old.refund_id IS DISTINCT FROM new.refund_id OR old.payment_id IS DISTINCT FROM new.payment_id OR old.receipt_id IS DISTINCT FROM new.receipt_id OR old.customer_id IS DISTINCT FROM new.customer_id OR old.currency IS DISTINCT FROM new.currency OR old.amount IS DISTINCT FROM new.amount OR old.from_credit IS DISTINCT FROM new.from_credit OR old.method IS DISTINCT FROM new.method OR old.gateway IS DISTINCT FROM new.gateway OR old.reference IS DISTINCT FROM new.reference OR old.reason IS DISTINCT FROM new.reason OR old.client_id IS DISTINCT FROM new.client_id OR old.requested_at IS DISTINCT FROM new.requested_at) EXECUTE FUNCTION refuse_change('a refund is settled once');
CREATE TRIGGER refunds_settled_in BEFORE INSERT OR UPDATE OF settled_at ON refunds FOR EACH ROW WHEN ((new.settled_at IS NULL) <> (new.settled_xact IS NULL)) EXECUTE FUNCTION mark_settled_xact();
CREATE TRIGGER refunds_settled_xact_stays BEFORE UPDATE OF settled_xact ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');
CREATE TRIGGER refunds_stay BEFORE DELETE OR TRUNCATE ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('refunds are never deleted');
CREATE TRIGGER refunds_xact_stays BEFORE UPDATE OF xact ON refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- Documents that a letter lists.
CREATE TABLE reminder_documents (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  reminder_id uuid NOT NULL, -- The letter.
  document_id uuid NOT NULL, -- The document.
  due_date date NOT NULL, -- Its due date.
  asked bigint NOT NULL, -- What the letter asks for it, in minor units.
  level integer, -- Step that this is for the document; null: it is listed only.
  days integer, -- Days of that step after the due date.
  withdrawn boolean NOT NULL, -- Whether the letter was canceled, so that the step may come again.
  CONSTRAINT reminder_documents_pkey PRIMARY KEY (account_id, reminder_id, document_id),
  CONSTRAINT reminder_documents_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT reminder_documents_account_id_reminder_id_fkey FOREIGN KEY (account_id, reminder_id) REFERENCES reminders(account_id, reminder_id),
  CONSTRAINT reminder_documents_ask CHECK (asked > 0),
  CONSTRAINT reminder_documents_level_from_one CHECK (level > 0)
);
CREATE UNIQUE INDEX reminder_documents_each_step_once ON reminder_documents USING btree (account_id, document_id, level) WHERE ((level IS NOT NULL) AND (NOT withdrawn));
CREATE INDEX reminder_documents_of_document ON reminder_documents USING btree (account_id, document_id);

-- Letters that ask for what is due: when, to whom, and what each asked.
CREATE TABLE reminders (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  reminder_id uuid NOT NULL, -- Identifies the reminder.
  customer_id uuid NOT NULL, -- Customer that it goes to.
  currency text NOT NULL, -- ISO 4217 code of its amounts.
  status text NOT NULL, -- What became of it; failed ones need a person.
  reason text, -- Why it failed or was canceled, as a code.
  level integer NOT NULL, -- Step of the plan, from 1: that of the furthest document.
  step_days integer NOT NULL, -- Days of that step after the due date.
  late_step integer NOT NULL, -- Which step after the due date that is, from 1; 0: it is before.
  is_last boolean NOT NULL, -- Whether no further step comes behind it.
  words jsonb NOT NULL, -- Words of the account by language, in the place of ours.
  made_on date NOT NULL, -- Day of the letter.
  pay_by date NOT NULL, -- Day until which it asks to pay.
  sent_to jsonb NOT NULL, -- Addresses that it went to; none: not yet, or by other means.
  problem text, -- Why its charges could not be billed, as a code.
  bill_on date, -- Day on which its charges are to be billed; null: they are, or not by themselves.
  created_at timestamp with time zone NOT NULL, -- When it was made.
  settled_at timestamp with time zone, -- When it was sent, given up or canceled.
  CONSTRAINT reminders_pkey PRIMARY KEY (account_id, reminder_id),
  CONSTRAINT reminders_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT reminders_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT reminders_late_step_from_zero CHECK (late_step >= 0),
  CONSTRAINT reminders_level_from_one CHECK (level > 0),
  CONSTRAINT reminders_settled_unless_queued CHECK ((status = 'queued'::text) = (settled_at IS NULL)),
  CONSTRAINT reminders_status_known CHECK (status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'canceled'::text]))
);
CREATE INDEX reminders_for_a_person ON reminders USING btree (account_id, reminder_id) WHERE (status = 'failed'::text);
CREATE INDEX reminders_of_customer ON reminders USING btree (account_id, customer_id, reminder_id);
CREATE INDEX reminders_to_bill ON reminders USING btree (bill_on, account_id, reminder_id) WHERE (bill_on IS NOT NULL);

-- Objects that no row named, and that are deleted: for a day, no row may name one.
CREATE TABLE removed_files (
  account_id uuid NOT NULL, -- Account that the object was of.
  sha256 bytea NOT NULL, -- SHA-256 of the bytes, by which the object was named.
  removed_at timestamp with time zone NOT NULL, -- When it was found that no row names it.
  CONSTRAINT removed_files_pkey PRIMARY KEY (account_id, sha256),
  CONSTRAINT removed_files_sha256_is_a_digest CHECK (length(sha256) = 32)
);

-- What ends access tokens before their time. Each process reads what is new every second.
CREATE TABLE revocations (
  revocation_id uuid NOT NULL, -- Identifies the revocation.
  client_id uuid NOT NULL, -- Client whose tokens end.
  family_id uuid, -- Family whose tokens end; null: see below_version.
  below_version integer, -- Tokens of earlier versions of the client end; null: see family_id.
  revoked_at timestamp with time zone NOT NULL, -- When it was revoked.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row, by which processes find what is new.
  CONSTRAINT revocations_pkey PRIMARY KEY (revocation_id),
  CONSTRAINT revocations_client_id_fkey FOREIGN KEY (client_id) REFERENCES api_clients(client_id),
  CONSTRAINT revocations_below_version_from_two CHECK (below_version > 1),
  CONSTRAINT revocations_of_family_or_versions CHECK (num_nonnulls(family_id, below_version) = 1)
);
CREATE INDEX revocations_age ON revocations USING btree (revoked_at);
CREATE INDEX revocations_client ON revocations USING btree (client_id);
CREATE INDEX revocations_xact ON revocations USING btree (xact);

-- Periods that had their day: no schedule has two of one day.
CREATE TABLE schedule_periods (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  schedule_id uuid NOT NULL, -- Schedule that it is a period of.
  period_start date NOT NULL, -- First day.
  period_end date NOT NULL, -- Last day.
  runs_on date NOT NULL, -- Day on which its document is made.
  status text NOT NULL, -- What became of it; failed and waiting ones need a person.
  document_id uuid, -- Its document; null: none, or its draft was deleted.
  issue_at timestamp with time zone, -- When one in review is issued.
  problem jsonb, -- Why it could not be made: code, sentence and fields.
  created_at timestamp with time zone NOT NULL, -- When it had its day.
  updated_at timestamp with time zone NOT NULL, -- When it was changed last.
  CONSTRAINT schedule_periods_pkey PRIMARY KEY (account_id, schedule_id, period_start),
  CONSTRAINT schedule_periods_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id) ON DELETE SET NULL (document_id),
  CONSTRAINT schedule_periods_account_id_schedule_id_fkey FOREIGN KEY (account_id, schedule_id) REFERENCES schedules(account_id, schedule_id),
  CONSTRAINT schedule_periods_end_behind_start CHECK (period_end >= period_start),
  CONSTRAINT schedule_periods_failed_for_a_reason CHECK ((status = 'failed'::text) = (problem IS NOT NULL)),
  CONSTRAINT schedule_periods_issue_after_review CHECK ((status = 'in_review'::text) = (issue_at IS NOT NULL)),
  CONSTRAINT schedule_periods_status_known CHECK (status = ANY (ARRAY['in_review'::text, 'made'::text, 'failed'::text, 'waiting'::text, 'skipped'::text, 'stopped'::text, 'empty'::text, 'trial'::text]))
);
CREATE UNIQUE INDEX schedule_periods_document ON schedule_periods USING btree (account_id, document_id) WHERE (document_id IS NOT NULL);
CREATE INDEX schedule_periods_for_a_person ON schedule_periods USING btree (account_id, period_start, schedule_id) WHERE (status = ANY (ARRAY['failed'::text, 'waiting'::text]));
CREATE INDEX schedule_periods_in_review ON schedule_periods USING btree (issue_at) WHERE (status = 'in_review'::text);

-- Quantities that were reported for metered lines.
CREATE TABLE schedule_usage (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  usage_id uuid NOT NULL, -- Identifies the report.
  schedule_id uuid NOT NULL, -- Schedule that bills it.
  meter text NOT NULL, -- Meter of the lines that bill it.
  quantity numeric NOT NULL, -- How much; below zero, it takes back.
  used_on date NOT NULL, -- Day of the use.
  period_start date, -- Period whose document bills it; null: not yet.
  created_at timestamp with time zone NOT NULL, -- When it was reported.
  CONSTRAINT schedule_usage_pkey PRIMARY KEY (account_id, usage_id),
  CONSTRAINT schedule_usage_account_id_schedule_id_fkey FOREIGN KEY (account_id, schedule_id) REFERENCES schedules(account_id, schedule_id),
  CONSTRAINT schedule_usage_account_id_schedule_id_period_start_fkey FOREIGN KEY (account_id, schedule_id, period_start) REFERENCES schedule_periods(account_id, schedule_id, period_start),
  CONSTRAINT schedule_usage_meter_not_empty CHECK (meter <> ''::text)
);
CREATE INDEX schedule_usage_not_billed ON schedule_usage USING btree (account_id, schedule_id) WHERE (period_start IS NULL);
CREATE INDEX schedule_usage_of_schedule ON schedule_usage USING btree (account_id, schedule_id, usage_id);

-- Documents that are made again and again, each for its period.
CREATE TABLE schedules (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  schedule_id uuid NOT NULL, -- Identifies the schedule.
  customer_id uuid NOT NULL, -- Customer of its documents.
  name text NOT NULL, -- What the account calls it.
  external_id text, -- Id that the caller gave, unique in the account.
  status text NOT NULL, -- Whether it goes on; a paused one makes nothing.
  terms jsonb NOT NULL, -- The document to make, the rule and what happens each time, as the API has them.
  metadata jsonb NOT NULL, -- Values that the caller attached; never read.
  anchor date NOT NULL, -- Day from which the rule counts.
  next_start date, -- First day of the next period; null: it has ended.
  next_on date, -- Day on which that is made, in the zone of the account.
  moved_to date, -- That day, where somebody moved it.
  skips jsonb NOT NULL, -- First days of periods to come that are left out.
  period_count integer NOT NULL, -- How many periods are behind it, without a trial.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When it was made.
  updated_at timestamp with time zone NOT NULL, -- When it was changed last, also by a period.
  end_asked_version integer, -- Version at which its client asked last to end it; null: never.
  CONSTRAINT schedules_pkey PRIMARY KEY (account_id, schedule_id),
  CONSTRAINT schedules_account_id_customer_id_fkey FOREIGN KEY (account_id, customer_id) REFERENCES customers(account_id, customer_id),
  CONSTRAINT schedules_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT schedules_end_asked_of_a_version CHECK (end_asked_version > 0 AND end_asked_version <= version),
  CONSTRAINT schedules_external_id_not_empty CHECK (external_id <> ''::text),
  CONSTRAINT schedules_go_on_until_they_end CHECK ((status = 'ended'::text) = (next_start IS NULL) AND (next_start IS NULL) = (next_on IS NULL)),
  CONSTRAINT schedules_name_not_empty CHECK (name <> ''::text),
  CONSTRAINT schedules_period_count_from_zero CHECK (period_count >= 0),
  CONSTRAINT schedules_status_known CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])),
  CONSTRAINT schedules_version_from_one CHECK (version > 0)
);
CREATE INDEX schedules_due ON schedules USING btree (next_on, account_id, schedule_id) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX schedules_external_id ON schedules USING btree (account_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX schedules_of_customer ON schedules USING btree (account_id, customer_id, schedule_id);

-- The end of each chain: what the next seal goes on from.
CREATE TABLE seal_heads (
  account_id uuid NOT NULL, -- Account whose chain it is.
  sequence bigint NOT NULL, -- Place of the last seal.
  through_xact bigint NOT NULL, -- Transaction before which the last seal ends.
  digest bytea NOT NULL, -- Digest of the last seal.
  CONSTRAINT seal_heads_pkey PRIMARY KEY (account_id),
  CONSTRAINT seal_heads_digest_is_a_digest CHECK (length(digest) = 32),
  CONSTRAINT seal_heads_sequence_from_one CHECK (sequence > 0)
);
CREATE TRIGGER seal_heads_go_on BEFORE UPDATE ON seal_heads FOR EACH ROW EXECUTE FUNCTION let_seal_head_go_on();
CREATE TRIGGER seal_heads_stay BEFORE DELETE OR TRUNCATE ON seal_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a chain of seals only grows');

-- Chains of digests over what was written, one for each account. Append-only. The account of zeros has what belongs to none. See docs/books.md.
CREATE TABLE seals (
  account_id uuid NOT NULL, -- Account whose chain it is.
  sequence bigint NOT NULL, -- Place in the chain, from 1 without a gap.
  from_xact bigint NOT NULL, -- First transaction that the seal covers.
  through_xact bigint NOT NULL, -- Transaction before which it ends.
  contents jsonb NOT NULL, -- For each table with rows in the window, how many and their digest: {"payments": {"rows": 2, "sha256": "..."}}.
  rows bigint NOT NULL, -- How many rows it covers.
  version smallint NOT NULL, -- How it was digested.
  digest bytea NOT NULL, -- SHA-256 of its own columns and of the digest before.
  sealed_at timestamp with time zone NOT NULL, -- When it was made.
  CONSTRAINT seals_pkey PRIMARY KEY (account_id, sequence),
  CONSTRAINT seals_contents_are_an_object CHECK (jsonb_typeof(contents) = 'object'::text),
  CONSTRAINT seals_digest_is_a_digest CHECK (length(digest) = 32),
  CONSTRAINT seals_rows_not_none CHECK (rows > 0),
  CONSTRAINT seals_sequence_from_one CHECK (sequence > 0),
  CONSTRAINT seals_version_known CHECK (version = 2),
  CONSTRAINT seals_window_not_empty CHECK (from_xact < through_xact)
);
CREATE INDEX seals_through ON seals USING btree (through_xact);
CREATE TRIGGER seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('seals are append-only');

-- The first seal of each chain, and those that were its last when the books were checked. A chain that is begun again, or cut, has them no longer. Append-only.
CREATE TABLE seals_seen (
  account_id uuid NOT NULL, -- Account whose chain it is.
  sequence bigint NOT NULL, -- Place of the seal.
  digest bytea NOT NULL, -- Digest of the seal.
  seen_at timestamp with time zone NOT NULL, -- When it was seen.
  CONSTRAINT seals_seen_pkey PRIMARY KEY (account_id, sequence),
  CONSTRAINT seals_seen_digest_is_a_digest CHECK (length(digest) = 32),
  CONSTRAINT seals_seen_sequence_from_one CHECK (sequence > 0)
);
CREATE TRIGGER seals_seen_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON seals_seen FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what was seen stays');

-- Logos that documents are printed with. Found by their content, so that a document keeps the one it was issued with. Append-only.
CREATE TABLE seller_logos (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  sha256 bytea NOT NULL, -- SHA-256 of the image.
  content_type text NOT NULL, -- Media type of the image.
  width integer NOT NULL, -- Width in pixels.
  height integer NOT NULL, -- Height in pixels.
  image bytea NOT NULL, -- The image as it was uploaded.
  created_at timestamp with time zone NOT NULL, -- When it was uploaded.
  CONSTRAINT seller_logos_pkey PRIMARY KEY (account_id, sha256),
  CONSTRAINT seller_logos_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT seller_logos_at_most_four_megapixels CHECK ((width::bigint * height) <= 4000000),
  CONSTRAINT seller_logos_at_most_one_mebibyte CHECK (length(image) >= 1 AND length(image) <= 1048576),
  CONSTRAINT seller_logos_content CHECK (sha256 = sha256(image)),
  CONSTRAINT seller_logos_height_positive CHECK (height > 0),
  CONSTRAINT seller_logos_type_known CHECK (content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])),
  CONSTRAINT seller_logos_width_positive CHECK (width > 0)
);
CREATE TRIGGER seller_logos_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON seller_logos FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('documents keep the logo they had');

-- Taxes that lines name. Lines keep a copy.
CREATE TABLE tax_rates (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  tax_rate_id uuid NOT NULL, -- Identifies the tax rate.
  name text NOT NULL, -- What the account calls it.
  description text, -- What it is for.
  tax_rate numeric NOT NULL, -- Rate in percent.
  tax_category text NOT NULL, -- Category of tax (EN 16931, UNCL 5305).
  exemption_reason text, -- Why no tax is charged.
  exemption_code text, -- The same as a VATEX code.
  country text, -- Country whose tax it is (ISO 3166-1).
  metadata jsonb NOT NULL, -- Values that the caller attached; never read.
  version integer NOT NULL, -- Goes up by one with each change; the ETag.
  created_at timestamp with time zone NOT NULL, -- When the tax rate was made.
  updated_at timestamp with time zone NOT NULL, -- When the tax rate was changed last.
  archived_at timestamp with time zone, -- Since when no new line may name it; null: in use.
  CONSTRAINT tax_rates_pkey PRIMARY KEY (account_id, tax_rate_id),
  CONSTRAINT tax_rates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT tax_rates_country_is_a_code CHECK (country ~ '^[A-Z]{2}$'::text),
  CONSTRAINT tax_rates_name_not_empty CHECK (name <> ''::text),
  CONSTRAINT tax_rates_rate_is_a_percentage CHECK (tax_rate >= 0::numeric AND tax_rate <= 100::numeric),
  CONSTRAINT tax_rates_version_from_one CHECK (version > 0)
);
CREATE INDEX tax_rates_archived ON tax_rates USING btree (account_id, tax_rate_id) WHERE (archived_at IS NOT NULL);
CREATE TRIGGER tax_rates_fixed BEFORE UPDATE OF tax_rate, tax_category, exemption_reason, exemption_code, country ON tax_rates FOR EACH ROW EXECUTE FUNCTION refuse_change('a tax rate keeps its tax');

-- Tax that was claimed back of what a client did not pay, and what of it was owed again. Append-only.
CREATE TABLE tax_reliefs (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  relief_id uuid NOT NULL, -- One claim or correction: the fact of its transfers.
  document_id uuid NOT NULL, -- Invoice that was not paid.
  currency text NOT NULL, -- ISO 4217 code, that of the invoice.
  tax_category text NOT NULL, -- Category of tax (EN 16931, UNCL 5305).
  tax_rate numeric NOT NULL, -- Rate of tax in percent.
  base bigint NOT NULL, -- Sum that the tax was on, in minor units; below zero: money came after all.
  tax bigint NOT NULL, -- Tax that is claimed back, in minor units; below zero: it is owed again.
  effective_on date NOT NULL, -- Day it counts for, in the time zone of the account.
  recorded_at timestamp with time zone NOT NULL, -- When it was booked.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  loss text, -- How the claim was let go; null: from before this was kept, and its transfers tell.
  CONSTRAINT tax_reliefs_pkey PRIMARY KEY (account_id, relief_id, tax_category, tax_rate),
  CONSTRAINT tax_reliefs_account_id_document_id_currency_fkey FOREIGN KEY (account_id, document_id, currency) REFERENCES documents(account_id, document_id, currency),
  CONSTRAINT tax_reliefs_change_something CHECK (base <> 0 OR tax <> 0),
  CONSTRAINT tax_reliefs_loss_known CHECK (loss = ANY (ARRAY['write_off'::text, 'waiver'::text]))
);
CREATE INDEX tax_reliefs_xact ON tax_reliefs USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER tax_reliefs_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON tax_reliefs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('tax reliefs are append-only');

-- Clocks of accounts made for trying that were advanced.
CREATE TABLE test_clocks (
  account_id uuid NOT NULL, -- Account.
  mode text NOT NULL DEFAULT 'test'::text, -- As the account says: a live one has none.
  stands_at timestamp with time zone NOT NULL, -- What time it is for the account, until it is advanced again.
  CONSTRAINT test_clocks_pkey PRIMARY KEY (account_id),
  CONSTRAINT test_clocks_account_id_mode_fkey FOREIGN KEY (account_id, mode) REFERENCES accounts(account_id, mode),
  CONSTRAINT test_clocks_mode_known CHECK (mode = 'test'::text)
);

-- What one login grew into: refresh tokens that followed each other. Whoever rotates or revokes one locks its family. Global, as refresh tokens are.
CREATE TABLE token_families (
  family_id uuid NOT NULL, -- Identifies the family.
  account_id uuid NOT NULL, -- Account of the client.
  client_id uuid NOT NULL, -- Client that logged in.
  scopes text[] NOT NULL, -- Scopes that the login was given.
  started_at timestamp with time zone NOT NULL, -- When the client logged in.
  ends_at timestamp with time zone NOT NULL, -- When the last token of the family ends, however often it is rotated.
  revoked_at timestamp with time zone, -- When the family was revoked; null: it is good.
  CONSTRAINT token_families_pkey PRIMARY KEY (family_id),
  CONSTRAINT token_families_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT token_families_client_id_fkey FOREIGN KEY (client_id) REFERENCES api_clients(client_id),
  CONSTRAINT token_families_end_after_their_start CHECK (ends_at > started_at)
);

-- What transfers of one kind between two accounts of the ledger come to by day and by month, up to the mark of the reader `sums`. Made from `transfers`, which `integrity` compares.
CREATE TABLE transfer_sums (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  span text NOT NULL, -- How long: `day` or `month`.
  begins_on date NOT NULL, -- The day, or the first of the month.
  fact ledger_fact NOT NULL, -- What happened, as in `transfers`.
  debit ledger_account NOT NULL, -- Ledger account that is debited, with its currency.
  credit ledger_account NOT NULL, -- Ledger account that is credited, with its currency.
  amount numeric NOT NULL, -- The sum, in minor units.
  CONSTRAINT transfer_sums_pkey PRIMARY KEY (account_id, span, begins_on, fact, debit, credit),
  CONSTRAINT transfer_sums_amount_positive CHECK (amount > 0::numeric),
  CONSTRAINT transfer_sums_span_known CHECK (span = ANY (ARRAY['day'::text, 'month'::text]))
);

-- The ledger: double entry, balanced by construction, because one amount leaves one account and enters another. Append-only. It references nothing, so that no writer waits for another; `integrity` proves what it says.
CREATE TABLE transfers (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  transfer_id uuid NOT NULL, -- Identifies the transfer; sorts by time.
  fact ledger_fact NOT NULL, -- What happened, such as `payment.recorded`.
  fact_id uuid NOT NULL, -- Document, payment, allocation, refund or unmatched receipt that it happened to.
  debit ledger_account NOT NULL, -- Ledger account that is debited, with its currency, such as `cash/EUR`.
  credit ledger_account NOT NULL, -- Ledger account that is credited, with its currency.
  amount bigint NOT NULL, -- The amount, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  document_id uuid, -- Document that it counts for.
  customer_id uuid, -- Customer that it counts for.
  effective_on date NOT NULL, -- Day it counts for, in the time zone of the account.
  recorded_at timestamp with time zone NOT NULL, -- When it was booked.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT transfers_pkey PRIMARY KEY (account_id, transfer_id),
  CONSTRAINT transfers_sound CHECK (transfer_is_sound(debit::text, credit::text, amount, currency))
);
CREATE INDEX transfers_effective_on ON transfers USING brin (effective_on date_minmax_multi_ops) WITH (pages_per_range='64', autosummarize='on');
CREATE INDEX transfers_of_customer ON transfers USING btree (account_id, customer_id, transfer_id);
CREATE INDEX transfers_xact ON transfers USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the ledger is append-only');

-- Who marked an item as done, or opened it again, and why. Append-only.
CREATE TABLE unmatched_item_steps (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  item_id uuid NOT NULL, -- The item.
  step integer NOT NULL, -- Place among the steps of the item, from 1.
  status text NOT NULL, -- State of the item since.
  reason text NOT NULL, -- What the client said.
  client_id uuid, -- Client that did it; null: the money was told later, and is in the books.
  at timestamp with time zone NOT NULL, -- When.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT unmatched_item_steps_pkey PRIMARY KEY (account_id, item_id, step),
  CONSTRAINT unmatched_item_steps_account_id_item_id_fkey FOREIGN KEY (account_id, item_id) REFERENCES unmatched_items(account_id, item_id),
  CONSTRAINT unmatched_item_steps_from_one CHECK (step > 0),
  CONSTRAINT unmatched_item_steps_status_known CHECK (status = ANY (ARRAY['open'::text, 'closed'::text]))
);
CREATE INDEX unmatched_item_steps_xact ON unmatched_item_steps USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER unmatched_item_steps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON unmatched_item_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('steps of items are append-only');

-- Money that moved at a provider and could not be booked. Append-only.
CREATE TABLE unmatched_items (
  account_id uuid NOT NULL, -- Account that the gateway belongs to; the account of zeros: unknown.
  item_id uuid NOT NULL, -- Identifies the item.
  gateway text NOT NULL, -- Gateway that told it.
  subject text NOT NULL, -- What it is about, so that several events about it make one item.
  direction text NOT NULL, -- Whether money came in or went out.
  provider_payment_id text, -- Id of the provider for the payment.
  link_reference text, -- What the provider said of the link.
  amount bigint, -- What moved, in minor units; null: it cannot be said exactly.
  currency text, -- ISO 4217 code of the amount.
  told text NOT NULL, -- What happened, in a sentence.
  event_id text NOT NULL, -- Event of the provider that told it first.
  event_type text NOT NULL, -- Type that the provider gives the event.
  received_at timestamp with time zone NOT NULL, -- When it was told.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT unmatched_items_pkey PRIMARY KEY (account_id, item_id),
  CONSTRAINT unmatched_items_subject UNIQUE (account_id, gateway, subject),
  CONSTRAINT unmatched_items_amount_has_a_currency CHECK ((amount IS NULL) = (currency IS NULL)),
  CONSTRAINT unmatched_items_amount_positive CHECK (amount > 0),
  CONSTRAINT unmatched_items_direction_known CHECK (direction = ANY (ARRAY['in'::text, 'out'::text]))
);
CREATE INDEX unmatched_items_payment ON unmatched_items USING btree (gateway, provider_payment_id) WHERE (provider_payment_id IS NOT NULL);
CREATE INDEX unmatched_items_xact ON unmatched_items USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER unmatched_items_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON unmatched_items FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('unmatched items are append-only');

-- Money that a provider took and no document could take. Only settled changes.
CREATE TABLE unmatched_receipts (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  receipt_id uuid NOT NULL, -- Identifies the money.
  gateway text NOT NULL, -- Gateway that it came by.
  provider_payment_id text NOT NULL, -- Id of the provider for the payment.
  amount bigint NOT NULL, -- What came in, in minor units.
  currency text NOT NULL, -- ISO 4217 code of the amount.
  fee bigint, -- What the gateway kept, in minor units; null: it does not say.
  reason text NOT NULL, -- Why no document could take it.
  document_id uuid, -- Document that it was meant for, if known.
  payment_link_id uuid, -- Link that it came by, if known.
  link_reference text, -- What the provider said of the link.
  settled bigint NOT NULL DEFAULT 0, -- What was assigned or refunded, or is on its way back, in minor units.
  paid_at timestamp with time zone NOT NULL, -- When it was paid.
  received_at timestamp with time zone NOT NULL, -- When the provider reported it.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  booked_fee bigint NOT NULL DEFAULT 0, -- Fee that was booked when it arrived, in minor units; 0: its payment books it.
  CONSTRAINT unmatched_receipts_pkey PRIMARY KEY (account_id, receipt_id),
  CONSTRAINT unmatched_receipts_provider UNIQUE (account_id, gateway, provider_payment_id),
  CONSTRAINT unmatched_receipts_account_id_document_id_fkey FOREIGN KEY (account_id, document_id) REFERENCES documents(account_id, document_id),
  CONSTRAINT unmatched_receipts_account_id_payment_link_id_fkey FOREIGN KEY (account_id, payment_link_id) REFERENCES payment_links(account_id, payment_link_id),
  CONSTRAINT unmatched_receipts_amount_positive CHECK (amount > 0),
  CONSTRAINT unmatched_receipts_books_its_fee CHECK (booked_fee = 0 OR NOT booked_fee IS DISTINCT FROM fee),
  CONSTRAINT unmatched_receipts_fee_within_amount CHECK (fee >= 1 AND fee <= amount),
  CONSTRAINT unmatched_receipts_reason_known CHECK (reason = ANY (ARRAY['unknown_link'::text, 'currency_mismatch'::text, 'document_not_payable'::text, 'amount_too_large'::text, 'unconfirmed'::text, 'foreign_gateway'::text, 'payment_reversed'::text])),
  CONSTRAINT unmatched_receipts_settled_within_amount CHECK (settled >= 0 AND settled <= amount)
);
CREATE INDEX unmatched_receipts_of_provider ON unmatched_receipts USING btree (gateway, provider_payment_id);
CREATE INDEX unmatched_receipts_open ON unmatched_receipts USING btree (account_id, receipt_id) WHERE (settled < amount);
CREATE INDEX unmatched_receipts_xact ON unmatched_receipts USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER unmatched_receipts_append_only BEFORE DELETE OR UPDATE OF account_id, receipt_id, gateway, provider_payment_id, amount, currency, reason, document_id, payment_link_id, link_reference, paid_at, received_at OR TRUNCATE ON unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');
CREATE TRIGGER unmatched_receipts_fee_stays BEFORE UPDATE OF fee, booked_fee ON unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('receipts are append-only');
CREATE TRIGGER unmatched_receipts_xact_stays BEFORE UPDATE OF xact ON unmatched_receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a row stays in its transaction');

-- How an account owes tax, from a day on, over all that was decided before. Append-only.
CREATE TABLE vat_methods (
  account_id uuid NOT NULL, -- Account that the row belongs to.
  method_id uuid NOT NULL, -- Identifies the decision; sorts by time.
  method text NOT NULL, -- accrual: tax is due when it is invoiced; cash: when it is paid.
  from_day date NOT NULL, -- First day of issue of the invoices it holds for.
  decided_at timestamp with time zone NOT NULL, -- When it was decided.
  xact bigint NOT NULL DEFAULT book_xact(), -- Transaction that wrote the row: the order in which seals cover the books.
  CONSTRAINT vat_methods_pkey PRIMARY KEY (account_id, method_id),
  CONSTRAINT vat_methods_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT vat_methods_method_known CHECK (method = ANY (ARRAY['accrual'::text, 'cash'::text]))
);
CREATE INDEX vat_methods_xact ON vat_methods USING brin (xact) WITH (pages_per_range='128', autosummarize='on');
CREATE TRIGGER vat_methods_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON vat_methods FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('vat methods are append-only');

-- Events on their way to endpoints, and those of the last 30 days.
CREATE TABLE webhook_deliveries (
  account_id uuid NOT NULL, -- Account.
  endpoint_id uuid NOT NULL, -- Endpoint.
  event_id uuid NOT NULL, -- Event.
  event_xact bigint NOT NULL DEFAULT book_xact(), -- Transaction of the event: the order in which they leave.
  status text NOT NULL, -- pending, held, delivered or failed.
  next_try_at timestamp with time zone, -- Of one that failed; null: at once.
  round_tries smallint NOT NULL DEFAULT 0, -- Tries since it was last asked for.
  tries jsonb NOT NULL DEFAULT '[]'::jsonb, -- The newest tries: when, how long, code, failure.
  answer text, -- The begin of what the last try was answered.
  created_at timestamp with time zone NOT NULL, -- When it was queued.
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, endpoint_id),
  CONSTRAINT webhook_deliveries_next_try CHECK (status = 'pending'::text OR next_try_at IS NULL),
  CONSTRAINT webhook_deliveries_status_known CHECK (status = ANY (ARRAY['pending'::text, 'held'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX webhook_deliveries_again ON webhook_deliveries USING btree (account_id, endpoint_id, next_try_at) WHERE ((status = 'pending'::text) AND (next_try_at IS NOT NULL));
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_fresh ON webhook_deliveries USING btree (account_id, endpoint_id, event_xact, event_id) WHERE ((status = 'pending'::text) AND (next_try_at IS NULL));
CREATE INDEX webhook_deliveries_held ON webhook_deliveries USING btree (created_at) WHERE (status = 'held'::text);
CREATE INDEX webhook_deliveries_xact ON webhook_deliveries USING brin (event_xact) WITH (pages_per_range='128', autosummarize='on');

-- Where accounts want their events.
CREATE TABLE webhook_endpoints (
  account_id uuid NOT NULL, -- Account.
  endpoint_id uuid NOT NULL, -- Endpoint.
  url text NOT NULL, -- Gets a POST for each event.
  types text[], -- Types of events, and families; null: all.
  scopes text[] NOT NULL, -- What it may be told.
  description text, -- Words of the account.
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb, -- Data of the account.
  payload text NOT NULL, -- full, or thin: without the data of the event.
  signing text NOT NULL, -- hmac or ed25519.
  public_key text, -- Of ed25519.
  sealed_secret bytea NOT NULL, -- Encrypted, for this endpoint alone.
  previous_sealed_secret bytea, -- It signs, too, for a while.
  previous_secret_ends_at timestamp with time zone, -- End of the secret before.
  status text NOT NULL, -- enabled or disabled.
  disabled_reason text, -- asked, gone or failing.
  from_xact bigint NOT NULL DEFAULT book_xact(), -- Events of transactions before are not sent.
  version integer NOT NULL, -- Goes up by one with each change.
  created_at timestamp with time zone NOT NULL, -- When it was made.
  updated_at timestamp with time zone NOT NULL, -- When it was last changed.
  deleted_at timestamp with time zone, -- When it was deleted; its deliveries go later.
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (account_id, endpoint_id),
  CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT webhook_endpoints_disabled_for_a_reason CHECK ((status = 'disabled'::text) = (disabled_reason IS NOT NULL)),
  CONSTRAINT webhook_endpoints_disabled_reason_known CHECK (disabled_reason = ANY (ARRAY['asked'::text, 'gone'::text, 'failing'::text])),
  CONSTRAINT webhook_endpoints_key_pair CHECK ((signing = 'ed25519'::text) = (public_key IS NOT NULL)),
  CONSTRAINT webhook_endpoints_payload_known CHECK (payload = ANY (ARRAY['full'::text, 'thin'::text])),
  CONSTRAINT webhook_endpoints_previous_secret_ends CHECK ((previous_sealed_secret IS NULL) = (previous_secret_ends_at IS NULL)),
  CONSTRAINT webhook_endpoints_signing_known CHECK (signing = ANY (ARRAY['hmac'::text, 'ed25519'::text])),
  CONSTRAINT webhook_endpoints_status_known CHECK (status = ANY (ARRAY['enabled'::text, 'disabled'::text]))
);

-- Who works on the deliveries of an endpoint, and when to look again.
CREATE TABLE webhook_queues (
  account_id uuid NOT NULL, -- Account.
  endpoint_id uuid NOT NULL, -- Endpoint.
  due_at timestamp with time zone NOT NULL, -- When there is something to send.
  round bigint NOT NULL DEFAULT 0, -- Goes up when something is added.
  leased_by uuid, -- The process that sends.
  leased_until timestamp with time zone, -- Until then, if it does not renew it.
  paused_until timestamp with time zone, -- The endpoint has too much to do until then.
  failing_since timestamp with time zone, -- Since then every try has failed.
  CONSTRAINT webhook_queues_pkey PRIMARY KEY (account_id, endpoint_id),
  CONSTRAINT webhook_queues_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, endpoint_id) ON DELETE CASCADE
);
CREATE INDEX webhook_queues_due ON webhook_queues USING btree (due_at);

CREATE DOMAIN ledger_account AS text CONSTRAINT ledger_account_of_the_chart CHECK (("left"(VALUE, '-4'::integer) = ANY (ARRAY['receivables'::text, 'rejected_receivables'::text, 'cash'::text, 'gateway_clearing'::text, 'payouts_in_transit'::text, 'disputed_funds'::text, 'customer_credit'::text, 'unmatched_receipts'::text, 'credit_notes'::text, 'revenue'::text, 'tax_payable'::text, 'rounding'::text, 'bad_debt'::text, 'payment_differences'::text, 'gateway_fees'::text, 'payment_losses'::text, 'bank_fees'::text, 'other_expenses'::text, 'other_income'::text, 'opening_balances'::text, 'currency_exchange'::text, 'exchange_gains'::text, 'exchange_losses'::text])) AND "right"(VALUE, 4) ~ '^/[A-Z]{3}$'::text);

CREATE DOMAIN ledger_fact AS text CONSTRAINT ledger_fact_known CHECK (VALUE = ANY (ARRAY['document.issued'::text, 'document.rejected'::text, 'document.voided'::text, 'document.written_off'::text, 'document.write_off_reversed'::text, 'document.tax_relieved'::text, 'credit_note.issued'::text, 'credit_note.voided'::text, 'payment.recorded'::text, 'payment.moved'::text, 'payment.reversed'::text, 'payment.refunded'::text, 'refund.returned'::text, 'refund.reversed'::text, 'receipt.unmatched'::text, 'receipt.refunded'::text, 'receipt.closed'::text, 'dispute.opened'::text, 'dispute.won'::text, 'dispute.lost'::text, 'payout.sent'::text, 'payout.failed'::text, 'payout.reversed'::text, 'bank_entry.booked'::text, 'bank_entry.unbooked'::text, 'credit_note.moved'::text]));

CREATE OR REPLACE FUNCTION book_history()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN ''::text
;

CREATE OR REPLACE FUNCTION book_timeline()
 RETURNS integer
 LANGUAGE sql
 STABLE
RETURN 1
;

CREATE OR REPLACE FUNCTION book_xact()
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (((pg_current_xact_id())::text)::bigint + book_xact_offset())
;

CREATE OR REPLACE FUNCTION book_xact_offset()
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN (0)::bigint
;

CREATE OR REPLACE FUNCTION check_document_particulars()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      DECLARE
        broken text := CASE
          WHEN NEW.accepted_by IS NOT NULL AND NEW.accepted_at IS NULL
            THEN 'documents_accepted_by_somebody'
          WHEN jsonb_typeof(NEW.cash_discounts) <> 'array'
            THEN 'documents_cash_discounts_is_a_list'
          WHEN NEW.collection_method NOT IN ('charge_automatically', 'send_invoice')
            THEN 'documents_collection_method_known'
          WHEN NEW.collection_method IS NOT NULL AND NEW.kind = 'credit_note'
            THEN 'documents_credit_notes_are_not_collected'
          WHEN NEW.amount_moved <> 0 AND NOT (NEW.kind = 'credit_note' AND NEW.origin = 'credit'
            AND NEW.issued_at IS NOT NULL
            AND NEW.amount_applied + NEW.amount_moved BETWEEN 0 AND NEW.total)
            THEN 'documents_moved_within_total'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN NEW;
      END $function$
;

CREATE OR REPLACE FUNCTION check_document_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  broken text := CASE
    WHEN NEW.kind NOT IN ('invoice', 'quote', 'credit_note') THEN 'documents_kind_known'
    WHEN NEW.lifecycle NOT IN
      ('draft', 'open', 'accepted', 'rejected', 'converted', 'uncollectible', 'void')
      THEN 'documents_lifecycle_known'
    WHEN NEW.currency !~ '^[A-Z]{3}$' THEN 'documents_currency_is_a_code'
    WHEN NEW.origin NOT IN ('revision', 'conversion', 'duplicate', 'credit')
      THEN 'documents_origin_known'
    WHEN (NEW.origin IS NULL) <> (NEW.origin_document_id IS NULL)
      THEN 'documents_origin_has_its_document'
    WHEN NEW.cash_rounding <= 0 THEN 'documents_cash_rounding_positive'
    WHEN NEW.payment_terms_days NOT BETWEEN 0 AND 3650
      THEN 'documents_payment_terms_at_most_ten_years'
    WHEN NEW.revision <= 0 THEN 'documents_revision_from_one'
    WHEN NEW.number_sequence <= 0 THEN 'documents_number_sequence_from_one'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.number IS NULL) THEN 'documents_numbered_when_issued'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_period IS NULL)
      THEN 'documents_number_sequence_has_its_period'
    WHEN (NEW.number_sequence IS NULL) <> (NEW.number_series IS NULL OR NEW.number IS NULL)
      THEN 'documents_number_sequence_has_its_series'
    WHEN (NEW.lifecycle = 'draft') <> (NEW.issued_at IS NULL) THEN 'documents_issued_has_its_time'
    WHEN (NEW.issued_xact IS NULL) <> (NEW.issued_at IS NULL) THEN 'documents_xact_when_issued'
    WHEN NEW.lifecycle <> 'draft' AND (NEW.issue_date IS NULL OR NEW.due_date IS NULL)
      THEN 'documents_issued_has_its_dates'
    WHEN NEW.lifecycle <> 'draft' AND NEW.lapses_at IS NULL THEN 'documents_issued_lapses'
    WHEN NEW.lifecycle <> 'draft' AND NEW.kind = 'invoice' AND NEW.payment_reference IS NULL
      THEN 'documents_issued_invoice_has_reference'
    WHEN NEW.proforma AND NEW.kind <> 'quote' THEN 'documents_only_quotes_are_proforma'
    WHEN NEW.lifecycle = 'accepted' AND (NEW.accepted_at IS NULL OR NEW.kind <> 'quote')
      THEN 'documents_accepted_is_a_quote_and_has_its_time'
    WHEN NEW.lifecycle = 'rejected' AND NEW.kind = 'credit_note'
      THEN 'documents_credit_notes_are_not_rejected'
    WHEN NEW.lifecycle = 'rejected' AND NEW.rejected_at IS NULL
      THEN 'documents_rejected_has_its_time'
    WHEN NEW.accepted_at IS NOT NULL AND NEW.rejected_at IS NOT NULL
      THEN 'documents_one_answer_of_the_client'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejection_reason IS NULL)
      THEN 'documents_rejected_has_its_reason'
    WHEN (NEW.rejected_at IS NULL) <> (NEW.rejected_version IS NULL)
      THEN 'documents_rejected_has_its_version'
    WHEN (NEW.lifecycle = 'converted') <> (NEW.converted_at IS NOT NULL)
      THEN 'documents_converted_has_its_time'
    WHEN NEW.lifecycle = 'converted' AND NEW.kind <> 'quote'
      THEN 'documents_only_quotes_are_converted'
    WHEN NEW.lifecycle = 'uncollectible' AND NEW.written_off_at IS NULL
      THEN 'documents_uncollectible_has_its_time'
    WHEN NEW.written_off_at IS NOT NULL
      AND NOT (NEW.lifecycle IN ('uncollectible', 'void') AND NEW.kind = 'invoice')
      THEN 'documents_only_invoices_are_written_off'
    WHEN (NEW.lifecycle = 'void') <> (NEW.voided_at IS NOT NULL) THEN 'documents_void_has_its_time'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION check_document_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF OLD.lifecycle <> NEW.lifecycle AND (OLD.kind, OLD.lifecycle, NEW.lifecycle) NOT IN
            (('invoice', 'draft', 'open'), ('invoice', 'open', 'rejected'),
             ('invoice', 'open', 'uncollectible'), ('invoice', 'open', 'void'),
             ('invoice', 'rejected', 'void'), ('invoice', 'uncollectible', 'void'),
             ('invoice', 'uncollectible', 'open'),
             ('quote', 'draft', 'open'), ('quote', 'open', 'accepted'),
             ('quote', 'open', 'rejected'), ('quote', 'open', 'converted'),
             ('quote', 'open', 'void'), ('quote', 'accepted', 'converted'),
             ('quote', 'accepted', 'void'), ('quote', 'rejected', 'void'),
             ('quote', 'converted', 'open'), ('quote', 'converted', 'accepted'),
             ('credit_note', 'draft', 'open'), ('credit_note', 'open', 'void'))
          OR OLD.accepted_at IS DISTINCT FROM NEW.accepted_at AND OLD.accepted_at IS NOT NULL
          OR OLD.rejected_at IS NOT NULL AND
            (OLD.rejected_at, OLD.rejection_reason, OLD.rejected_version) IS DISTINCT FROM
            (NEW.rejected_at, NEW.rejection_reason, NEW.rejected_version)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'documents only move forward';
        END IF;
        RETURN NEW;
      END $function$
;

CREATE OR REPLACE FUNCTION check_document_undecided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF NEW.amount_undecided NOT BETWEEN 0 AND NEW.amount_refunded THEN
      PERFORM refuse_row('documents', 'documents_undecided_within_refunded');
    END IF;
    RETURN NEW;
  END $function$
;

CREATE OR REPLACE FUNCTION credited_taxes(account uuid, invoice uuid)
 RETURNS json
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT json_agg(json_build_array(n.tax_category, (trim_scale(n.tax_rate))::text, (n.base)::text, (n.tax)::text)) AS json_agg FROM (SELECT g.tax_category, g.tax_rate, sum(g.base) AS base, sum(g.tax) AS tax FROM (documents c JOIN document_tax_groups g USING (account_id, document_id)) WHERE ((c.account_id = credited_taxes.account) AND (c.origin_document_id = credited_taxes.invoice) AND (c.origin = 'credit'::text) AND (c.lifecycle = 'open'::text)) GROUP BY g.tax_category, g.tax_rate) n)
;

CREATE OR REPLACE FUNCTION creditor_reference(number text, id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (('RF'::text || lpad((((98)::numeric - (((SELECT string_agg(CASE WHEN (letters.c ~ '^[0-9]$'::text) THEN letters.c ELSE ((ascii(letters.c) - 55))::text END, ''::text ORDER BY letters.place) AS string_agg FROM regexp_split_to_table((said.body || 'RF00'::text), ''::text) WITH ORDINALITY letters(c, place)))::numeric % (97)::numeric)))::text, 2, '0'::text)) || said.body) FROM (SELECT CASE WHEN (given.short ~ '^[A-Za-z0-9]{1,21}$'::text) THEN upper((given.short COLLATE "C")) ELSE (SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'::text, (((div(given.random, ((36)::numeric ^ (place.place)::numeric)) % (36)::numeric))::integer + 1), 1), ''::text ORDER BY place.place DESC) AS string_agg FROM generate_series(0, 11) place(place)) END AS body FROM (SELECT regexp_replace((creditor_reference.number COLLATE "C"), '[-/._# ]'::text, ''::text, 'g'::text) AS short, (((('x0'::text || "right"(replace((creditor_reference.id)::text, '-'::text, ''::text), 15)))::bit(64))::bigint)::numeric AS random) given) said)
;

CREATE OR REPLACE FUNCTION document_money_is_sound(kind text, lifecycle text, origin text, subtotal bigint, discount_total bigint, charge_total bigint, net_total bigint, tax_total bigint, rounding bigint, total bigint, amount_paid bigint, amount_refunded bigint, amount_waived bigint, amount_credited bigint, credit_notes_total bigint, amount_applied bigint, amount_disputed bigint, amount_processing bigint, tax_relief jsonb, settled_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
      DECLARE
        settled bigint := amount_paid - amount_refunded + amount_credited + amount_waived;
        broken text := CASE
          WHEN NOT (net_total = subtotal - discount_total + charge_total
            AND total = net_total + tax_total + rounding)
            THEN 'documents_sums_add_up'
          WHEN NOT (amount_paid >= 0 AND amount_refunded BETWEEN 0 AND amount_paid
            AND amount_credited >= 0 AND amount_waived >= 0 AND settled <= total)
            THEN 'documents_paid_within_total'
          WHEN NOT credit_notes_total BETWEEN amount_credited AND total
            THEN 'documents_credited_within_total'
          WHEN NOT (amount_paid = amount_refunded AND amount_waived = 0 AND credit_notes_total = 0
            OR lifecycle IN ('open', 'uncollectible'))
            THEN 'documents_money_only_on_open_invoices'
          WHEN NOT (kind = 'invoice' OR amount_paid = 0 AND amount_waived = 0 AND credit_notes_total = 0)
            THEN 'documents_only_invoices_take_money'
          WHEN NOT (amount_applied BETWEEN 0 AND total
            AND (amount_applied = 0 OR kind = 'credit_note' AND origin = 'credit'))
            THEN 'documents_applied_within_total'
          WHEN NOT ((settled_at IS NOT NULL) =
            (kind = 'invoice' AND lifecycle IN ('open', 'uncollectible') AND settled = total))
            THEN 'documents_settled_when_nothing_is_due'
          WHEN subtotal < 0 OR discount_total < 0 OR charge_total < 0 OR net_total < 0 OR tax_total < 0
            THEN 'documents_sums_not_negative'
          WHEN amount_disputed < 0 THEN 'documents_disputed_not_negative'
          WHEN NOT (amount_processing = 0
            OR amount_processing > 0 AND kind = 'invoice' AND lifecycle <> 'draft')
            THEN 'documents_processing_of_an_issued_invoice'
          WHEN tax_relief IS NOT NULL AND NOT (kind = 'invoice' AND jsonb_typeof(tax_relief) = 'array')
            THEN 'documents_tax_relief_is_a_list_of_an_invoice'
          WHEN total NOT BETWEEN 0 AND 10000000000000 THEN 'documents_total_at_most_10_to_the_13'
        END;
      BEGIN
        IF broken IS NOT NULL THEN PERFORM refuse_row('documents', broken); END IF;
        RETURN true;
      END $function$
;

CREATE OR REPLACE FUNCTION first_told_at(account uuid, kind text, lapses_at timestamp with time zone, issued_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT CASE first_told_at.kind WHEN 'credit_note'::text THEN NULL::timestamp with time zone WHEN 'quote'::text THEN first_told_at.lapses_at ELSE CASE WHEN (s.soon > first_told_at.issued_at) THEN s.soon ELSE first_told_at.lapses_at END END AS lapses_at FROM (SELECT (((first_told_at.lapses_at AT TIME ZONE a.time_zone) - '4 days'::interval) AT TIME ZONE a.time_zone) AS soon FROM accounts a WHERE (a.account_id = first_told_at.account)) s)
;

CREATE OR REPLACE FUNCTION folded(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(regexp_replace(NORMALIZE($1, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text))
;

CREATE OR REPLACE FUNCTION follow_pending_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF NEW.lifecycle = 'open' AND NEW.settled_at IS NULL THEN
          INSERT INTO pending_documents (account_id, document_id, created_at, due_date, currency,
            total, tell_at)
          VALUES (NEW.account_id, NEW.document_id, NEW.created_at,
            coalesce(NEW.due_date, '9999-12-31'), NEW.currency, NEW.total,
            first_told_at(NEW.account_id, NEW.kind, NEW.lapses_at, NEW.issued_at));
        ELSE
          DELETE FROM pending_documents
          WHERE account_id = NEW.account_id AND document_id = NEW.document_id;
        END IF;
        RETURN NULL;
      END $function$
;

CREATE OR REPLACE FUNCTION given_back_part(account uuid, invoice uuid, note uuid, applied bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((SELECT ((given_back_part.applied)::numeric - LEAST((given_back_part.applied)::numeric, GREATEST((0)::numeric, (((i.total - i.amount_paid))::numeric - (SELECT COALESCE(sum((e.amount_applied + e.amount_moved)), (0)::numeric) AS "coalesce" FROM documents e WHERE ((e.account_id = given_back_part.account) AND (e.origin_document_id = given_back_part.invoice) AND (e.origin = 'credit'::text) AND (e.lifecycle = 'open'::text) AND (e.document_id < given_back_part.note))))))) FROM documents i WHERE ((i.account_id = given_back_part.account) AND (i.document_id = given_back_part.invoice) AND (i.amount_refunded > 0))))::bigint
;

CREATE OR REPLACE FUNCTION keep_issued_content()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      DECLARE
        part record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
      BEGIN
        IF EXISTS (SELECT FROM documents d
          WHERE (d.account_id, d.document_id) = (part.account_id, part.document_id)
            AND d.lifecycle <> 'draft' AND d.issued_xact IS DISTINCT FROM book_xact()
            AND NOT (TG_OP = 'INSERT' AND d.xmin = pg_current_xact_id()::xid))
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $function$
;

CREATE OR REPLACE FUNCTION keep_issued_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF OLD.lifecycle <> 'draft' AND
          (OLD.kind, OLD.number, OLD.currency, OLD.customer_id, OLD.issue_date, OLD.due_date,
           OLD.purchase_order, OLD.net_total, OLD.tax_total, OLD.total, OLD.issued_at, OLD.proforma,
           OLD.language, OLD.external_id, OLD.prices_include_tax, OLD.cash_rounding, OLD.subtotal,
           OLD.discount_total, OLD.charge_total, OLD.rounding, OLD.amount_applied, OLD.origin,
           OLD.origin_document_id, OLD.revision, OLD.lapses_at, OLD.number_series, OLD.number_period,
           OLD.number_sequence)
          IS DISTINCT FROM
          (NEW.kind, NEW.number, NEW.currency, NEW.customer_id, NEW.issue_date, NEW.due_date,
           NEW.purchase_order, NEW.net_total, NEW.tax_total, NEW.total, NEW.issued_at, NEW.proforma,
           NEW.language, NEW.external_id, NEW.prices_include_tax, NEW.cash_rounding, NEW.subtotal,
           NEW.discount_total, NEW.charge_total, NEW.rounding, NEW.amount_applied, NEW.origin,
           NEW.origin_document_id, NEW.revision, NEW.lapses_at, NEW.number_series, NEW.number_period,
           NEW.number_sequence)
        THEN
          RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
        END IF;
        RETURN NEW;
      END $function$
;

CREATE OR REPLACE FUNCTION let_seal_head_go_on()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.account_id <> OLD.account_id OR NEW.sequence <> OLD.sequence + 1
    OR NEW.through_xact <= OLD.through_xact
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'a chain of seals only grows';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION mark_booked_on()
 RETURNS trigger
 LANGUAGE plpgsql
 STABLE
AS $function$
      BEGIN
        NEW.booked_on := (SELECT a.books_open_from FROM accounts a
          WHERE a.account_id = NEW.account_id AND a.books_open_from >
            ((to_jsonb(NEW)->>TG_ARGV[0])::timestamptz AT TIME ZONE a.time_zone)::date);
        RETURN NEW;
      END $function$
;

CREATE OR REPLACE FUNCTION mark_issued_xact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.issued_xact := CASE WHEN NEW.issued_at IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION mark_opened_xact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.opened_xact := CASE WHEN NEW.url IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION mark_payment_booked_on()
 RETURNS trigger
 LANGUAGE plpgsql
 STABLE
AS $function$
      BEGIN
        IF NEW.paid_at < NEW.recorded_at THEN
          NEW.booked_on := (SELECT a.books_open_from FROM accounts a
            WHERE a.account_id = NEW.account_id
              AND a.books_open_from > (NEW.paid_at AT TIME ZONE a.time_zone)::date);
        END IF;
        RETURN NEW;
      END $function$
;

CREATE OR REPLACE FUNCTION mark_settled_xact()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.settled_xact := CASE WHEN NEW.settled_at IS NOT NULL THEN book_xact() END;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION metadata_pairs(account_id uuid, metadata jsonb)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT array_agg(hashtextextended(((((metadata_pairs.account_id)::text || pairs.key) || '='::text) || pairs.value), (0)::bigint)) AS array_agg FROM jsonb_each_text(metadata_pairs.metadata) pairs(key, value))
;

CREATE OR REPLACE FUNCTION number_order(number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(regexp_replace(regexp_replace(number, '[0-9]+'::text, '00000000000000000\&'::text, 'g'::text), '0+([0-9]{18,})'::text, '\1'::text, 'g'::text), '􏿿'::text)
;

CREATE OR REPLACE FUNCTION payment_is_sound(amount bigint, applied bigint, returned bigint, fee bigint, document_id uuid, gateway text, provider_payment_id text, client_id uuid, bank_entry_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  broken text := CASE
    WHEN amount NOT BETWEEN 1 AND 10000000000000 THEN 'payments_amount_from_1_to_10_to_the_13'
    WHEN applied NOT BETWEEN 0 AND amount THEN 'payments_applied_within_amount'
    WHEN returned NOT BETWEEN 0 AND amount THEN 'payments_returned_within_amount'
    WHEN fee NOT BETWEEN 1 AND amount THEN 'payments_fee_within_amount'
    WHEN document_id IS NULL AND applied <> 0 THEN 'payments_applied_to_a_document'
    WHEN (gateway IS NULL) <> (provider_payment_id IS NULL) THEN 'payments_gateway_gives_an_id'
    WHEN num_nonnulls(client_id, gateway, bank_entry_id) = 0 THEN 'payments_source'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('payments', broken); END IF;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION reference_key(reference text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN upper(regexp_replace((reference COLLATE "C"), '[ -/:-@[-`{-~]'::text, ''::text, 'g'::text))
;

CREATE OR REPLACE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = TG_ARGV[0];
END $function$
;

CREATE OR REPLACE FUNCTION refuse_change_but_of_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    rest record := OLD;
    was bytea;
    is_now bytea;
  BEGIN
    IF TG_TABLE_NAME = 'document_pdfs' THEN
      was := OLD.pdf;
      is_now := NEW.pdf;
      rest.pdf := NEW.pdf;
    ELSE
      was := OLD.content;
      is_now := NEW.content;
      rest.content := NEW.content;
    END IF;
    IF rest IS DISTINCT FROM NEW OR (was IS NULL) = (is_now IS NULL)
      OR sha256(coalesce(was, is_now)) <> NEW.sha256
    THEN
      RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation',
          HINT = 'bytes go to the store of files and come back, and nothing else changes';
    END IF;
    RETURN NEW;
  END $function$
;

CREATE OR REPLACE FUNCTION refuse_change_of_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  part record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
BEGIN
  IF EXISTS (SELECT FROM documents d
    WHERE (d.account_id, d.document_id) = (part.account_id, part.document_id)
      AND d.lifecycle <> 'draft'
      AND NOT (TG_OP = 'INSERT' AND d.xmin = pg_current_xact_id()::xid))
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'an issued document is frozen';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $function$
;

CREATE OR REPLACE FUNCTION refuse_removed_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('removed files', 0));
    IF EXISTS (SELECT FROM removed_files r
      WHERE (r.account_id, r.sha256) = (NEW.account_id, NEW.sha256))
    THEN
      PERFORM refuse_row(TG_TABLE_NAME, 'file_was_removed');
    END IF;
    RETURN NEW;
  END $function$
;

CREATE OR REPLACE FUNCTION refuse_row(of text, rule text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a row of % violates %', of, rule
    USING ERRCODE = 'check_violation', CONSTRAINT = rule, TABLE = of;
END $function$
;

CREATE OR REPLACE FUNCTION search_lexemes(account_id uuid, words text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT ("right"((search_lexemes.account_id)::text, 8) || "left"(word.word, 50)) FROM search_words(search_lexemes.words) word(word) WHERE (word.word <> ''::text))
;

CREATE OR REPLACE FUNCTION search_query(account_id uuid, words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg(((((''''::text || "right"((search_query.account_id)::text, 8)) || "left"(w.word, 50)) || ''''::text) || CASE WHEN w.is_last THEN ':*'::text ELSE ''::text END), ' & '::text))::tsquery AS string_agg FROM (SELECT parts.word, (lead(parts.word) OVER (PARTITION BY joined.place ORDER BY parts.part) IS NULL) AS is_last FROM regexp_split_to_table(folded(search_query.words), '[\u0001-\u0020]+'::text) WITH ORDINALITY joined(words, place), LATERAL search_words(joined.words) WITH ORDINALITY parts(word, part) WHERE (parts.word <> ''::text)) w)
;

CREATE OR REPLACE FUNCTION search_words(text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN regexp_split_to_table(folded($1), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+'::text)
;

CREATE OR REPLACE FUNCTION skip_told_numbers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM audit_entries
    WHERE account_id = NEW.account_id AND subject = NEW.series AND action = 'numbering.skipped'
      AND after = jsonb_build_object(
        'period', NEW.period, 'from', OLD.last_sequence + 1, 'to', NEW.last_sequence))
  THEN
    RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation', HINT = 'a count goes on without a gap';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION transfer_is_sound(debit text, credit text, amount bigint, currency text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
DECLARE
  broken text := CASE
    WHEN amount <= 0 THEN 'transfers_amount_positive'
    WHEN debit = credit THEN 'transfers_between_two_accounts'
    WHEN right(debit, 4) <> '/' || currency OR right(credit, 4) <> '/' || currency
      THEN 'transfers_in_the_currency_of_both_accounts'
  END;
BEGIN
  IF broken IS NOT NULL THEN PERFORM refuse_row('transfers', broken); END IF;
  RETURN true;
END $function$
;
