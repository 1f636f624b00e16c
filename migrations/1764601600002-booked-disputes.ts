import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A step of a dispute whose day was closed says on which day the books have it. */
export class BookedDisputes1764601600002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE dispute_steps ADD COLUMN booked_on date;
      COMMENT ON COLUMN dispute_steps.booked_on IS
        'First open day, on which the ledger has what it moved; null: the day of said_at was open, or nothing moved.';
      ALTER TABLE dispute_steps DISABLE TRIGGER dispute_steps_append_only;
      -- The transfers of a step were written right after it. An absurd said_at counts for recorded_at.
      UPDATE dispute_steps s SET booked_on = t.effective_on
        FROM transfers t JOIN accounts a USING (account_id)
        WHERE t.account_id = s.account_id AND t.fact_id = s.dispute_id
          AND t.fact IN ('dispute.opened', 'dispute.won', 'dispute.lost')
          AND s.step = (SELECT max(l.step) FROM dispute_steps l
            WHERE (l.account_id, l.dispute_id) = (s.account_id, s.dispute_id)
              AND l.recorded_at <= t.recorded_at)
          AND t.effective_on > ((CASE WHEN (s.said_at AT TIME ZONE 'UTC') >=
              date_trunc('year', s.recorded_at AT TIME ZONE 'UTC') - interval '10 years'
            THEN s.said_at ELSE s.recorded_at END) AT TIME ZONE a.time_zone)::date;
      ALTER TABLE dispute_steps ENABLE TRIGGER dispute_steps_append_only;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE dispute_steps DROP COLUMN booked_on');
  }
}
