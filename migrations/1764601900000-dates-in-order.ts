import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A series may keep its dates in the order of its numbers; no series of before does. */
export class DatesInOrder1764601900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE number_series ADD COLUMN dates_in_order boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN number_series.dates_in_order IS
        'Whether no document may be dated before the one that has the number before it.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE number_series DROP COLUMN dates_in_order');
  }
}
