import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients change: a second secret while one rotates, limits, and a version that tokens name. */
export class Clients1763910100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_clients
        ADD COLUMN previous_secret_sha256 bytea CHECK (length(previous_secret_sha256) = 32),
        ADD COLUMN previous_secret_ends_at timestamptz,
        ADD COLUMN expires_at timestamptz,
        -- CIDR blocks; null: from anywhere.
        ADD COLUMN addresses text[] CHECK (cardinality(addresses) BETWEEN 1 AND 20),
        ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0),
        ADD COLUMN last_used_at timestamptz,
        ADD CONSTRAINT api_clients_previous_secret_ends
          CHECK ((previous_secret_sha256 IS NULL) = (previous_secret_ends_at IS NULL));
      CREATE INDEX api_clients_of_account ON api_clients (account_id, client_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX api_clients_of_account;
      ALTER TABLE api_clients DROP COLUMN previous_secret_sha256,
        DROP COLUMN previous_secret_ends_at, DROP COLUMN expires_at, DROP COLUMN addresses,
        DROP COLUMN version, DROP COLUMN last_used_at;
    `);
  }
}
