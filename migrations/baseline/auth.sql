-- Who is calling: accounts, their clients and tokens, and the audit log.

CREATE TABLE accounts (
  account_id           uuid PRIMARY KEY,
  name                 text NOT NULL,
  seller               jsonb NOT NULL,
  currency             text NOT NULL,
  time_zone            text NOT NULL,
  language             text NOT NULL,
  payment_terms_days   integer NOT NULL,
  document_notes       text,
  version              integer NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  books_from           date NOT NULL,
  books_open_from      date NOT NULL,
  issue_days_ahead     integer NOT NULL,
  base_currency        text NOT NULL,
  strict               boolean NOT NULL,
  default_tax_rate_id  uuid,
  document_defaults    jsonb,
  mode                 text NOT NULL,
  CONSTRAINT accounts_name_not_empty CHECK (name <> ''),
  CONSTRAINT accounts_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT accounts_payment_terms_at_most_ten_years CHECK (payment_terms_days BETWEEN 0 AND 3650),
  CONSTRAINT accounts_document_notes_not_too_long CHECK (length(document_notes) <= 5000),
  CONSTRAINT accounts_version_from_one CHECK (version > 0),
  CONSTRAINT accounts_open_within_the_books CHECK (books_open_from >= books_from),
  CONSTRAINT accounts_issue_at_most_a_year_ahead CHECK (issue_days_ahead BETWEEN 0 AND 366),
  CONSTRAINT accounts_base_currency_is_a_code CHECK (base_currency ~ '^[A-Z]{3}$'),
  CONSTRAINT accounts_mode_known CHECK (mode IN ('live', 'test'))
);
COMMENT ON TABLE accounts IS 'Tenants. Every other tenant table begins its key with account_id.';
COMMENT ON COLUMN accounts.account_id IS 'Identifies the account.';
COMMENT ON COLUMN accounts.name IS 'Name that operators know the account by.';
COMMENT ON COLUMN accounts.seller IS
  'Seller as printed on documents: names, address, tax ids, bank account, logo. Written by the '
  'settings.';
COMMENT ON COLUMN accounts.currency IS 'ISO 4217 code that new documents begin with.';
COMMENT ON COLUMN accounts.time_zone IS 'IANA time zone that decides which day it is.';
COMMENT ON COLUMN accounts.language IS 'BCP 47 tag of the language that documents are printed in.';
COMMENT ON COLUMN accounts.payment_terms_days IS
  'Days between issue date and due date of a new document.';
COMMENT ON COLUMN accounts.document_notes IS 'Notes that a new document begins with.';
COMMENT ON COLUMN accounts.version IS 'Goes up by one with each change; the ETag of the settings.';
COMMENT ON COLUMN accounts.created_at IS 'When the account was made.';
COMMENT ON COLUMN accounts.updated_at IS 'When the settings were changed last.';
COMMENT ON COLUMN accounts.books_from IS 'First day of the books: no document is dated before it.';
COMMENT ON COLUMN accounts.books_open_from IS
  'First day of the first open month: no transfer is dated before it from then on.';
COMMENT ON COLUMN accounts.issue_days_ahead IS
  'Days in the future that a document may be dated to when it is issued.';
COMMENT ON COLUMN accounts.base_currency IS
  'ISO 4217 code of the currency by way of which a rate is found that nobody told directly.';
COMMENT ON COLUMN accounts.strict IS
  'Whether an invoice that lacks what the law asks for is refused when it is issued.';
COMMENT ON COLUMN accounts.default_tax_rate_id IS
  'Tax rate of lines that say nothing of tax; null: none.';
COMMENT ON COLUMN accounts.document_defaults IS
  'Cash discounts, payee and tax representative of new documents; null: none.';
COMMENT ON COLUMN accounts.mode IS
  'test: made for trying. The sandbox and the page of mails serve no other.';

CREATE TRIGGER accounts_mode_stays BEFORE UPDATE OF mode ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an account stays live or test');

CREATE TABLE api_clients (
  client_id                uuid PRIMARY KEY,
  account_id               uuid NOT NULL REFERENCES accounts,
  name                     text NOT NULL,
  secret_sha256            bytea NOT NULL,
  previous_secret_sha256   bytea,
  previous_secret_ends_at  timestamptz,
  scopes                   text[] NOT NULL,
  addresses                text[],
  version                  integer NOT NULL DEFAULT 1,
  created_at               timestamptz NOT NULL,
  expires_at               timestamptz,
  last_used_at             timestamptz,
  revoked_at               timestamptz,
  had_scopes               text[] NOT NULL,
  had_addresses            text[],
  had_expires_at           timestamptz,
  CONSTRAINT api_clients_name_not_empty CHECK (name <> ''),
  CONSTRAINT api_clients_secret_is_a_digest CHECK (length(secret_sha256) = 32),
  CONSTRAINT api_clients_previous_secret_is_a_digest CHECK (length(previous_secret_sha256) = 32),
  CONSTRAINT api_clients_addresses_are_few CHECK (cardinality(addresses) BETWEEN 1 AND 20),
  CONSTRAINT api_clients_version_from_one CHECK (version > 0),
  CONSTRAINT api_clients_previous_secret_ends
    CHECK ((previous_secret_sha256 IS NULL) = (previous_secret_ends_at IS NULL)),
  CONSTRAINT api_clients_had_its_scopes CHECK (scopes <@ had_scopes),
  CONSTRAINT api_clients_had_its_addresses CHECK (had_addresses IS NULL OR addresses IS NOT NULL),
  CONSTRAINT api_clients_had_its_end
    CHECK (had_expires_at IS NULL OR coalesce(expires_at <= had_expires_at, false))
);
COMMENT ON TABLE api_clients IS
  'OAuth clients. Global, because a client presents its id before its account is known.';
COMMENT ON COLUMN api_clients.client_id IS 'Identifies the client.';
COMMENT ON COLUMN api_clients.account_id IS 'Account that the client acts for.';
COMMENT ON COLUMN api_clients.name IS 'Name that people know the client by.';
COMMENT ON COLUMN api_clients.secret_sha256 IS 'SHA-256 of the client secret.';
COMMENT ON COLUMN api_clients.previous_secret_sha256 IS
  'SHA-256 of the secret before, while both are good.';
COMMENT ON COLUMN api_clients.previous_secret_ends_at IS 'When the secret before is refused.';
COMMENT ON COLUMN api_clients.scopes IS 'Scopes that a token of the client may have.';
COMMENT ON COLUMN api_clients.addresses IS
  'CIDR blocks that the client may call from; null: from anywhere.';
COMMENT ON COLUMN api_clients.version IS
  'Goes up by one with each change; access tokens name the version that they were made for.';
COMMENT ON COLUMN api_clients.created_at IS 'When the client was made.';
COMMENT ON COLUMN api_clients.expires_at IS 'When the client ends; null: never.';
COMMENT ON COLUMN api_clients.last_used_at IS
  'When the client asked for a token last, a few minutes behind.';
COMMENT ON COLUMN api_clients.revoked_at IS 'When the client was revoked; null: it is good.';
COMMENT ON COLUMN api_clients.had_scopes IS 'Scopes that the client ever had.';
COMMENT ON COLUMN api_clients.had_addresses IS
  'CIDR blocks from which it ever might call; null: from anywhere.';
COMMENT ON COLUMN api_clients.had_expires_at IS
  'The latest end that it ever had; null: there was none.';

CREATE INDEX api_clients_of_account ON api_clients (account_id, client_id);

CREATE TABLE token_families (
  family_id   uuid PRIMARY KEY,
  account_id  uuid NOT NULL REFERENCES accounts,
  client_id   uuid NOT NULL REFERENCES api_clients,
  scopes      text[] NOT NULL,
  started_at  timestamptz NOT NULL,
  ends_at     timestamptz NOT NULL,
  revoked_at  timestamptz,
  CONSTRAINT token_families_end_after_their_start CHECK (ends_at > started_at)
);
COMMENT ON TABLE token_families IS
  'What one login grew into: refresh tokens that followed each other. Whoever rotates or revokes '
  'one locks its family. Global, as refresh tokens are.';
COMMENT ON COLUMN token_families.family_id IS 'Identifies the family.';
COMMENT ON COLUMN token_families.account_id IS 'Account of the client.';
COMMENT ON COLUMN token_families.client_id IS 'Client that logged in.';
COMMENT ON COLUMN token_families.scopes IS 'Scopes that the login was given.';
COMMENT ON COLUMN token_families.started_at IS 'When the client logged in.';
COMMENT ON COLUMN token_families.ends_at IS
  'When the last token of the family ends, however often it is rotated.';
COMMENT ON COLUMN token_families.revoked_at IS 'When the family was revoked; null: it is good.';

CREATE TABLE refresh_tokens (
  token_sha256  bytea PRIMARY KEY,
  family_id     uuid NOT NULL REFERENCES token_families ON DELETE CASCADE,
  issued_at     timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  used_at       timestamptz,
  CONSTRAINT refresh_tokens_token_is_a_digest CHECK (length(token_sha256) = 32)
);
COMMENT ON TABLE refresh_tokens IS
  'Refresh tokens. Global, because they are found by their digest.';
COMMENT ON COLUMN refresh_tokens.token_sha256 IS 'SHA-256 of the token.';
COMMENT ON COLUMN refresh_tokens.family_id IS 'Login that the token grew from.';
COMMENT ON COLUMN refresh_tokens.issued_at IS 'When the token was issued.';
COMMENT ON COLUMN refresh_tokens.expires_at IS 'When the token is refused.';
COMMENT ON COLUMN refresh_tokens.used_at IS
  'When the token was exchanged for its successor; null: not yet.';

CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
-- Families are found, and deleted, by the end of their last token, which nobody used.
CREATE INDEX refresh_tokens_unused ON refresh_tokens (expires_at) WHERE used_at IS NULL;

CREATE TABLE revocations (
  revocation_id  uuid PRIMARY KEY,
  client_id      uuid NOT NULL REFERENCES api_clients,
  family_id      uuid,
  below_version  integer,
  revoked_at     timestamptz NOT NULL,
  xact           bigint NOT NULL DEFAULT book_xact(),
  CONSTRAINT revocations_below_version_from_two CHECK (below_version > 1),
  CONSTRAINT revocations_of_family_or_versions CHECK (num_nonnulls(family_id, below_version) = 1)
);
COMMENT ON TABLE revocations IS
  'What ends access tokens before their time. Each process reads what is new every second.';
COMMENT ON COLUMN revocations.revocation_id IS 'Identifies the revocation.';
COMMENT ON COLUMN revocations.client_id IS 'Client whose tokens end.';
COMMENT ON COLUMN revocations.family_id IS 'Family whose tokens end; null: see below_version.';
COMMENT ON COLUMN revocations.below_version IS
  'Tokens of earlier versions of the client end; null: see family_id.';
COMMENT ON COLUMN revocations.revoked_at IS 'When it was revoked.';
COMMENT ON COLUMN revocations.xact IS
  'Transaction that wrote the row, by which processes find what is new.';

CREATE INDEX revocations_xact ON revocations (xact);
CREATE INDEX revocations_age ON revocations (revoked_at);
CREATE INDEX revocations_client ON revocations (client_id);

CREATE TABLE audit_entries (
  account_id   uuid NOT NULL,
  entry_id     uuid NOT NULL,
  action       text NOT NULL,
  subject      text,
  actor_type   text NOT NULL,
  actor_id     text,
  address      inet,
  request_id   text,
  before       jsonb,
  after        jsonb,
  occurrences  integer NOT NULL DEFAULT 1,
  occurred_at  timestamptz NOT NULL,
  xact         bigint NOT NULL DEFAULT book_xact(),
  PRIMARY KEY (account_id, entry_id),
  CONSTRAINT audit_entries_action_is_dotted CHECK (action ~ '^[a-z_-]+([.][a-z_-]+)+$'),
  CONSTRAINT audit_entries_subject_length CHECK (length(subject) BETWEEN 1 AND 255),
  CONSTRAINT audit_entries_actor_type_known
    CHECK (actor_type IN ('client', 'portal', 'gateway', 'operator', 'none')),
  CONSTRAINT audit_entries_nobody_has_no_id CHECK (actor_type <> 'none' OR actor_id IS NULL),
  CONSTRAINT audit_entries_before_is_an_object CHECK (jsonb_typeof(before) = 'object'),
  CONSTRAINT audit_entries_after_is_an_object CHECK (jsonb_typeof(after) = 'object'),
  CONSTRAINT audit_entries_occurrences_from_one CHECK (occurrences > 0)
);
COMMENT ON TABLE audit_entries IS
  'Who changed what the books do not tell of, and what was refused. Append-only. It references '
  'nothing: the account of zeros has what belongs to no account.';
COMMENT ON COLUMN audit_entries.account_id IS 'Account that the entry belongs to; zeros: to none.';
COMMENT ON COLUMN audit_entries.entry_id IS 'Identifies the entry.';
COMMENT ON COLUMN audit_entries.action IS
  'What was done, such as `client.revoked`. A closed set in the code.';
COMMENT ON COLUMN audit_entries.subject IS 'What it was done to, by its public id.';
COMMENT ON COLUMN audit_entries.actor_type IS 'Kind of actor.';
COMMENT ON COLUMN audit_entries.actor_id IS 'Public id of the actor; null where there is none.';
COMMENT ON COLUMN audit_entries.address IS 'Network address of the caller.';
COMMENT ON COLUMN audit_entries.request_id IS 'Id of the request, as in the log.';
COMMENT ON COLUMN audit_entries.before IS 'The fields that changed, as they were.';
COMMENT ON COLUMN audit_entries.after IS 'The fields that changed, as they are.';
COMMENT ON COLUMN audit_entries.occurrences IS
  'How many refusals of one minute, all alike, the entry stands for.';
COMMENT ON COLUMN audit_entries.occurred_at IS 'When it happened.';
COMMENT ON COLUMN audit_entries.xact IS
  'Transaction that wrote the row: the order in which seals cover the books.';

CREATE INDEX audit_entries_latest ON audit_entries (account_id, occurred_at, entry_id);
CREATE INDEX audit_entries_of_subject ON audit_entries (account_id, subject, occurred_at, entry_id);
CREATE INDEX audit_entries_xact ON audit_entries USING brin
  (xact) WITH (pages_per_range = 128, autosummarize = on);

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the audit log is append-only');
