import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants, who may call, what happened, and which requests were answered already. */
export class Accounts1763650000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% on % is refused', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'integrity_constraint_violation', HINT = TG_ARGV[0];
      END $$;

      CREATE TABLE accounts (
        account_id  uuid PRIMARY KEY,
        name        text NOT NULL CHECK (name <> ''),
        seller      jsonb NOT NULL,
        currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
        time_zone   text NOT NULL,
        created_at  timestamptz NOT NULL
      );

      -- Global: a client presents its id before its account is known.
      CREATE TABLE api_clients (
        client_id      uuid PRIMARY KEY,
        account_id     uuid NOT NULL REFERENCES accounts,
        name           text NOT NULL CHECK (name <> ''),
        secret_sha256  bytea NOT NULL CHECK (length(secret_sha256) = 32),
        scopes         text[] NOT NULL,
        created_at     timestamptz NOT NULL,
        revoked_at     timestamptz
      );

      -- Global: found by digest. One row a token; a family is what one login grew into.
      CREATE TABLE refresh_tokens (
        token_sha256  bytea PRIMARY KEY CHECK (length(token_sha256) = 32),
        account_id    uuid NOT NULL REFERENCES accounts,
        client_id     uuid NOT NULL REFERENCES api_clients,
        family_id     uuid NOT NULL,
        scopes        text[] NOT NULL,
        issued_at     timestamptz NOT NULL,
        expires_at    timestamptz NOT NULL,
        used_at       timestamptz,
        revoked_at    timestamptz
      );
      CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
      CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

      -- A log outlives what it tells of, and every payment writes here: it references nothing, least
      -- of all accounts, whose one row all writers would share-lock.
      CREATE TABLE events (
        account_id   uuid NOT NULL,
        event_id     uuid NOT NULL,
        type         text NOT NULL,
        document_id  uuid,
        sequence     integer CHECK (sequence > 0),
        data         jsonb NOT NULL,
        occurred_at  timestamptz NOT NULL,
        PRIMARY KEY (account_id, event_id),
        CONSTRAINT events_document_sequence UNIQUE (account_id, document_id, sequence),
        CHECK ((document_id IS NULL) = (sequence IS NULL))
      );
      CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('events are append-only');

      CREATE TABLE idempotency_keys (
        account_id      uuid NOT NULL,
        client_id       uuid NOT NULL,
        route           text NOT NULL,
        key             text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
        request_sha256  bytea NOT NULL CHECK (length(request_sha256) = 32),
        status          smallint NOT NULL CHECK (status BETWEEN 200 AND 499),
        body            bytea NOT NULL,
        created_at      timestamptz NOT NULL,
        PRIMARY KEY (account_id, client_id, route, key)
      );
      -- Rows come in the order of time: a block range index finds the old ones and costs nothing.
      CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotency_keys, events, refresh_tokens, api_clients, accounts;
      DROP FUNCTION refuse_change();
    `);
  }
}
