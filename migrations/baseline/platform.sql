-- What all modules stand on: guards, the order of transactions, and answers to repeated requests.

-- What a trigger refuses, whatever the row: tables that are append-only, columns that stay.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation', HINT = TG_ARGV[0];
END $$;

-- Refuses as a CHECK of that name would.
CREATE FUNCTION refuse_row(of text, rule text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row of % violates %', of, rule
    USING ERRCODE = 'check_violation', CONSTRAINT = rule, TABLE = of;
END $$;

-- Restored into another cluster, transactions begin at a low number again: what has to be added, so
-- that the order goes on, is set at start-up.
CREATE FUNCTION book_xact_offset() RETURNS bigint LANGUAGE sql STABLE RETURN 0::bigint;

-- The transaction that writes a row. Stable, not volatile: a column is added with it as its default
-- without a rewrite.
CREATE FUNCTION book_xact() RETURNS bigint LANGUAGE sql STABLE
  RETURN pg_current_xact_id()::text::bigint + book_xact_offset();

CREATE TABLE idempotency_keys (
  account_id      uuid NOT NULL,
  client_id       uuid NOT NULL,
  route           text NOT NULL,
  key             text NOT NULL,
  request_sha256  bytea NOT NULL,
  status          smallint NOT NULL,
  body            bytea NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, client_id, route, key),
  CONSTRAINT idempotency_keys_key_length CHECK (length(key) BETWEEN 1 AND 255),
  CONSTRAINT idempotency_keys_request_is_a_digest CHECK (length(request_sha256) = 32),
  CONSTRAINT idempotency_keys_only_successes CHECK (status BETWEEN 200 AND 299)
);
COMMENT ON TABLE idempotency_keys IS
  'Answers that are sent again to a request with the same Idempotency-Key. Written with the '
  'effect of the request, deleted when too old.';
COMMENT ON COLUMN idempotency_keys.account_id IS 'Account of the client.';
COMMENT ON COLUMN idempotency_keys.client_id IS
  'Client that sent the key: clients of an account share no keys.';
COMMENT ON COLUMN idempotency_keys.route IS
  'Method and path pattern of the route, such as `POST /v1/payments`.';
COMMENT ON COLUMN idempotency_keys.key IS 'The Idempotency-Key as it was sent.';
COMMENT ON COLUMN idempotency_keys.request_sha256 IS
  'Digest of the address, the media type and the body: the same key with another request is '
  'refused.';
COMMENT ON COLUMN idempotency_keys.status IS 'HTTP status of the answer.';
COMMENT ON COLUMN idempotency_keys.body IS
  'Body of the answer, encrypted where it may hold a secret.';
COMMENT ON COLUMN idempotency_keys.created_at IS 'When the request was answered.';

-- Rows come in the order of time: a block range index finds the old ones and costs nothing.
CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (created_at);
