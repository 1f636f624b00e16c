import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A replay finds the events of a time. It shares the index of transactions, so that a payment has no
 * further one to open.
 */
export class EventsByTime1795723120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, 'xact, occurred_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, 'xact');
  }
}

async function replaceIndex(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('DROP INDEX events_xact');
  await runner.query(
    `CREATE INDEX events_xact ON events USING brin (${columns})
       WITH (pages_per_range = 128, autosummarize = on)`,
  );
}
