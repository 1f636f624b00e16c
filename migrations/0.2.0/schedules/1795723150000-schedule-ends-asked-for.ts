import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A client asks once to end a schedule as it is: each change of it, and each period, lets them ask again. */
export class ScheduleEndsAskedFor1795723150000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE schedules ADD COLUMN end_asked_version integer
         CONSTRAINT schedules_end_asked_of_a_version
           CHECK (end_asked_version > 0 AND end_asked_version <= version)`,
    );
    await runner.query(
      `COMMENT ON COLUMN schedules.end_asked_version
         IS 'Version at which its client asked last to end it; null: never.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE schedules DROP COLUMN end_asked_version');
  }
}
