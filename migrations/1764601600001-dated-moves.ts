import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A move may count for another day than that on which it was recorded. */
export class DatedMoves1764601600001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE allocations ADD COLUMN counts_on date;
      COMMENT ON COLUMN allocations.counts_on IS
        'Day of a move in the ledger; null: the day of created_at.';
      -- Those of refunds that were undone for an earlier day.
      ALTER TABLE allocations DISABLE TRIGGER allocations_append_only;
      UPDATE allocations m SET counts_on = t.effective_on
        FROM allocations f
          JOIN transfers t ON t.account_id = f.account_id AND t.fact_id = f.allocation_id
            AND t.fact = 'payment.moved'
          JOIN accounts a ON a.account_id = f.account_id
        WHERE m.account_id = f.account_id AND m.payment_id = f.payment_id AND m.xact = f.xact
          AND m.reason = 'move' AND f.reason = 'move'
          AND t.effective_on <> (f.created_at AT TIME ZONE a.time_zone)::date;
      ALTER TABLE allocations ENABLE TRIGGER allocations_append_only,
        ADD CONSTRAINT allocations_only_moves_are_dated
          CHECK (counts_on IS NULL OR reason = 'move');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE allocations DROP COLUMN counts_on');
  }
}
