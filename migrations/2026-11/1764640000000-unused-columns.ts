import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files tell what nobody read of them. Of those that came before, nobody knows. */
export class UnusedColumns1764640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bank_statements ADD COLUMN unused_columns text[] NOT NULL DEFAULT '{}';
      COMMENT ON COLUMN bank_statements.unused_columns IS
        'Columns, fields and labels of the file that no rule took, and rows that are a balance.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bank_statements DROP COLUMN unused_columns');
  }
}
