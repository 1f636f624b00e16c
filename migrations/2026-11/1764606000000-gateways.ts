import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gateways that accounts configure themselves. */
export class Gateways1764606000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateways (
        account_id              uuid NOT NULL REFERENCES accounts,
        gateway_id              uuid NOT NULL,
        name                    text NOT NULL,
        provider                text NOT NULL,
        sealed_settings         bytea NOT NULL,
        previous_secret_ends_at timestamptz,
        status                  text NOT NULL,
        version                 integer NOT NULL,
        created_at              timestamptz NOT NULL,
        updated_at              timestamptz NOT NULL,
        PRIMARY KEY (account_id, gateway_id),
        CONSTRAINT gateways_name UNIQUE (account_id, name),
        CONSTRAINT gateways_name_form CHECK (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
        CONSTRAINT gateways_status_known CHECK (status IN ('enabled', 'disabled')),
        CONSTRAINT gateways_version_from_one CHECK (version > 0)
      );
      CREATE INDEX gateways_by_id ON gateways (gateway_id);
      CREATE TRIGGER gateways_stay
        BEFORE DELETE OR UPDATE OF account_id, gateway_id, provider, created_at OR TRUNCATE
        ON gateways FOR EACH STATEMENT
        EXECUTE FUNCTION refuse_change('a gateway stays what it is, and is disabled, never deleted');
      COMMENT ON TABLE gateways IS 'Gateways that accounts configure themselves.';
      COMMENT ON COLUMN gateways.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN gateways.gateway_id IS
        'Identifies the gateway: with its prefix it is the gateway of links and payments.';
      COMMENT ON COLUMN gateways.name IS 'What the account calls it.';
      COMMENT ON COLUMN gateways.provider IS 'Provider that it is an account at.';
      COMMENT ON COLUMN gateways.sealed_settings IS
        'Settings and secrets, encrypted for this account and gateway (AES-256-GCM).';
      COMMENT ON COLUMN gateways.previous_secret_ends_at IS
        'Until when the webhook secret before the last counts; null: there is one.';
      COMMENT ON COLUMN gateways.status IS 'A disabled one makes no new links.';
      COMMENT ON COLUMN gateways.version IS 'Goes up by one with each change; the ETag.';
      COMMENT ON COLUMN gateways.created_at IS 'When the gateway was made.';
      COMMENT ON COLUMN gateways.updated_at IS 'When it was changed last.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gateways');
  }
}
