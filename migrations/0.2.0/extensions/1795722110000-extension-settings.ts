import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings that an account has of an extension, encrypted as those of its gateways are. */
export class ExtensionSettings1795722110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE extension_settings (
         account_id uuid NOT NULL REFERENCES accounts (account_id),
         extension text NOT NULL,
         sealed_settings bytea NOT NULL,
         version integer NOT NULL,
         updated_at timestamptz NOT NULL,
         PRIMARY KEY (account_id, extension),
         CONSTRAINT extension_settings_version_from_one CHECK (version > 0)
       )`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension_settings');
  }
}

const COMMENTS = [
  ['TABLE extension_settings', 'Settings that an account has of an extension.'],
  ['COLUMN extension_settings.account_id', 'Account that the row belongs to.'],
  ['COLUMN extension_settings.extension', 'Name of the extension.'],
  [
    'COLUMN extension_settings.sealed_settings',
    'Settings and secrets, encrypted for this account and extension (AES-256-GCM).',
  ],
  ['COLUMN extension_settings.version', 'Goes up by one with each change; the ETag.'],
  ['COLUMN extension_settings.updated_at', 'When they were changed last.'],
] as const;
