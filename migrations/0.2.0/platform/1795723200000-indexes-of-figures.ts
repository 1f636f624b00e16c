import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Things that wait for a person are counted for all accounts at once, and are few among many. */
export class IndexesOfFigures1795723200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, place] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON ${place}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  bank_entries_for_a_person: `bank_entries (status, booked_on)
    WHERE status IN ('proposed', 'unmatched')`,
  dispute_steps_with_a_deadline: `dispute_steps (evidence_due_by)
    WHERE status IN ('inquiry', 'open') AND evidence_due_by IS NOT NULL`,
  mail_messages_failed: `mail_messages (settled_at) WHERE status = 'failed'`,
  payment_links_failed: `payment_links (failed_at) WHERE status = 'failed'`,
};
