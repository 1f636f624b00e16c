import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The most that a client ever had decides on who may give it another secret, or end it. Of clients
 * from before it is what they have now: the audit log names what they had, and nothing reads it.
 */
export class ClientsHad1764647000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_clients
        ADD COLUMN had_scopes text[],
        ADD COLUMN had_addresses text[],
        ADD COLUMN had_expires_at timestamptz;
      UPDATE api_clients SET had_scopes = scopes, had_addresses = addresses,
        had_expires_at = expires_at;
      ALTER TABLE api_clients
        ALTER COLUMN had_scopes SET NOT NULL,
        ADD CONSTRAINT api_clients_had_its_scopes CHECK (scopes <@ had_scopes),
        ADD CONSTRAINT api_clients_had_its_addresses
          CHECK (had_addresses IS NULL OR addresses IS NOT NULL),
        ADD CONSTRAINT api_clients_had_its_end
          CHECK (had_expires_at IS NULL OR coalesce(expires_at <= had_expires_at, false));
      COMMENT ON COLUMN api_clients.had_scopes IS 'Scopes that the client ever had.';
      COMMENT ON COLUMN api_clients.had_addresses IS
        'CIDR blocks from which it ever might call; null: from anywhere.';
      COMMENT ON COLUMN api_clients.had_expires_at IS
        'The latest end that it ever had; null: there was none.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_clients DROP COLUMN had_scopes, DROP COLUMN had_addresses,
        DROP COLUMN had_expires_at;
    `);
  }
}
