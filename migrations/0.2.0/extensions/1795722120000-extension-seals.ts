import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of extensions whose rows are final when they are written, and covered by seals. */
export class ExtensionSeals1795722120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE extension_seals (
         table_name text NOT NULL,
         extension text NOT NULL,
         columns text[] NOT NULL,
         sealed_at timestamptz NOT NULL,
         PRIMARY KEY (table_name),
         CONSTRAINT extension_seals_table_is_of_an_extension
           CHECK (starts_with(table_name, 'ext_' || extension || '_'))
       )`,
    );
    await runner.query(
      `CREATE TRIGGER extension_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE
       ON extension_seals FOR EACH STATEMENT
       EXECUTE FUNCTION refuse_change('a table that is sealed stays sealed')`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE extension_seals');
  }
}

const COMMENTS = [
  ['TABLE extension_seals', 'Tables of extensions that are append-only and sealed. Append-only.'],
  ['COLUMN extension_seals.table_name', 'Name of the table.'],
  ['COLUMN extension_seals.extension', 'Name of the extension.'],
  ['COLUMN extension_seals.columns', 'Columns that seals cover, in the order in which they do.'],
  ['COLUMN extension_seals.sealed_at', 'Since when its rows are sealed.'],
] as const;
