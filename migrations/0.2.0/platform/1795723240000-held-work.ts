import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After a restore all that reaches others waits, and not schedules and deliveries alone. */
export class HeldWork1795723240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE held_work (
         kind text PRIMARY KEY CONSTRAINT held_work_kind_known
           CHECK (kind IN ('schedules', 'collections', 'refunds', 'mail', 'look_ups')),
         history text
       )`,
    );
    // A backup of before that is restored now is noticed by the history of its schedules.
    await runner.query(
      `INSERT INTO held_work (kind, history) SELECT kind, history
       FROM schedule_progress, unnest('{schedules,collections,refunds,mail,look_ups}'::text[]) kind`,
    );
    await runner.query('DROP TABLE schedule_progress');
    const [row] = (await runner.query(
      'SELECT timeline_id AS timeline FROM pg_control_checkpoint()',
    )) as { timeline: number }[];
    await runner.query(
      `CREATE FUNCTION book_timeline() RETURNS int LANGUAGE sql STABLE RETURN ${Number(row?.timeline)}`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION book_timeline()');
    await runner.query(
      `CREATE TABLE schedule_progress (
         only_row boolean NOT NULL PRIMARY KEY
           CONSTRAINT schedule_progress_one_row CHECK (only_row),
         history text
       )`,
    );
    await runner.query(
      `INSERT INTO schedule_progress SELECT true, history FROM held_work WHERE kind = 'schedules'`,
    );
    await runner.query('DROP TABLE held_work');
  }
}

const COMMENTS = [
  ['TABLE held_work', 'Work that reaches others, and waits after a restore; a row for each kind.'],
  ['COLUMN held_work.kind', 'Which work.'],
  [
    'COLUMN held_work.history',
    'The history of the database in which it may be done; null: it was never asked for.',
  ],
] as const;
