import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which steps of the tables of extensions have run, and what they made. */
export class ExtensionMigrations1795722000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE extension_migrations (
         extension text NOT NULL,
         name text NOT NULL,
         sha256 bytea NOT NULL,
         made jsonb NOT NULL,
         ran_at timestamptz NOT NULL,
         PRIMARY KEY (extension, name),
         CONSTRAINT extension_migrations_sha256_is_whole CHECK (length(sha256) = 32)
       )`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension_migrations');
  }
}

const COMMENTS = [
  ['TABLE extension_migrations', 'Steps of the tables of extensions that have run.'],
  ['COLUMN extension_migrations.extension', 'Name of the extension.'],
  ['COLUMN extension_migrations.name', 'Name of the step.'],
  ['COLUMN extension_migrations.sha256', 'SHA-256 of its text: one that ran stays as it is.'],
  ['COLUMN extension_migrations.made', 'What the extension had in the schema after it.'],
  ['COLUMN extension_migrations.ran_at', 'When it ran.'],
] as const;
