import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What one login grew into has a row of its own: who rotates, reuses or revokes a token of a family
 * locks it, and it ends on a day. Refresh tokens from before go on working, for 90 days at most.
 */
export class TokenFamilies1763910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Global, as refresh tokens are: reached by their digest.
      CREATE TABLE token_families (
        family_id   uuid PRIMARY KEY,
        account_id  uuid NOT NULL REFERENCES accounts,
        client_id   uuid NOT NULL REFERENCES api_clients,
        scopes      text[] NOT NULL,
        started_at  timestamptz NOT NULL,
        ends_at     timestamptz NOT NULL CHECK (ends_at > started_at),
        revoked_at  timestamptz
      );
      CREATE INDEX token_families_end ON token_families (ends_at);

      -- One token was revoked: so was its family, also those whom a race left out.
      INSERT INTO token_families
        SELECT DISTINCT ON (family_id) family_id, account_id, client_id, scopes,
          min(issued_at) OVER family,
          greatest(min(issued_at) OVER family + interval '90 days', max(expires_at) OVER family),
          max(revoked_at) OVER family
        FROM refresh_tokens WINDOW family AS (PARTITION BY family_id) ORDER BY family_id, issued_at;

      ALTER TABLE refresh_tokens
        DROP COLUMN account_id, DROP COLUMN client_id, DROP COLUMN scopes, DROP COLUMN revoked_at,
        ADD FOREIGN KEY (family_id) REFERENCES token_families ON DELETE CASCADE;

      -- What ends access tokens before their time. Each process reads what is new, every second.
      CREATE TABLE revocations (
        revocation_id  uuid PRIMARY KEY,
        client_id      uuid NOT NULL REFERENCES api_clients,
        family_id      uuid,
        below_version  integer CHECK (below_version > 1),
        revoked_at     timestamptz NOT NULL,
        xact           bigint NOT NULL DEFAULT book_xact(),
        -- One family, or all tokens that were issued for an earlier version of the client.
        CHECK (num_nonnulls(family_id, below_version) = 1)
      );
      CREATE INDEX revocations_xact ON revocations (xact);
      CREATE INDEX revocations_age ON revocations (revoked_at);
      CREATE INDEX revocations_client ON revocations (client_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE revocations;
      ALTER TABLE refresh_tokens DROP CONSTRAINT refresh_tokens_family_id_fkey,
        ADD COLUMN account_id uuid REFERENCES accounts,
        ADD COLUMN client_id uuid REFERENCES api_clients, ADD COLUMN scopes text[],
        ADD COLUMN revoked_at timestamptz;
      UPDATE refresh_tokens t SET account_id = f.account_id, client_id = f.client_id,
        scopes = f.scopes, revoked_at = f.revoked_at
        FROM token_families f WHERE f.family_id = t.family_id;
      ALTER TABLE refresh_tokens ALTER COLUMN account_id SET NOT NULL,
        ALTER COLUMN client_id SET NOT NULL, ALTER COLUMN scopes SET NOT NULL;
      DROP TABLE token_families;
    `);
  }
}
