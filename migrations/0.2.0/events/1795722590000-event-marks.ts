import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far each reader of events has come: there was one for mail alone. */
export class EventMarks1795722590000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE event_marks (
         consumer text PRIMARY KEY,
         through_xact bigint NOT NULL
       )`,
    );
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
    await runner.query(
      `INSERT INTO event_marks (consumer, through_xact) SELECT 'mail', through_xact FROM mail_progress`,
    );
    await runner.query('ALTER TABLE mail_progress DROP COLUMN through_xact');
    await runner.query(
      `COMMENT ON TABLE mail_progress IS 'When due invoices were last looked for.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mail_progress ADD COLUMN through_xact bigint');
    await runner.query(
      `UPDATE mail_progress SET through_xact = (SELECT through_xact FROM event_marks
         WHERE consumer = 'mail')`,
    );
    await runner.query('ALTER TABLE mail_progress ALTER COLUMN through_xact SET NOT NULL');
    await runner.query(
      `COMMENT ON TABLE mail_progress IS 'How far events have been read for messages.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN mail_progress.through_xact IS 'Events of transactions below were read.'`,
    );
    await runner.query('DROP TABLE event_marks');
  }
}

const COMMENTS = [
  ['TABLE event_marks', 'How far events have been read, by each that makes something of them.'],
  ['COLUMN event_marks.consumer', 'Reads them.'],
  ['COLUMN event_marks.through_xact', 'Events of transactions below were read.'],
] as const;
