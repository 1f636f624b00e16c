import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Months that are closed, and opened again. */
export class PeriodClosings1764600400001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE period_closings (
        account_id  uuid NOT NULL REFERENCES accounts,
        closing_id  uuid NOT NULL,
        action      text NOT NULL,
        open_from   date NOT NULL,
        decided_at  timestamptz NOT NULL,
        known_xact  bigint NOT NULL,
        xact        bigint NOT NULL DEFAULT book_xact(),
        PRIMARY KEY (account_id, closing_id),
        CONSTRAINT period_closings_action_known CHECK (action IN ('closed', 'reopened')),
        CONSTRAINT period_closings_from_the_first_of_a_month
          CHECK (action = 'reopened' OR extract(day FROM open_from) = 1)
      );
      COMMENT ON TABLE period_closings IS
        'Months of the books that were closed, and opened again. Append-only.';
      COMMENT ON COLUMN period_closings.account_id IS 'Account that the row belongs to.';
      COMMENT ON COLUMN period_closings.closing_id IS 'Identifies the decision; sorts by time.';
      COMMENT ON COLUMN period_closings.action IS 'closed or reopened.';
      COMMENT ON COLUMN period_closings.open_from IS 'First day that is open from then on.';
      COMMENT ON COLUMN period_closings.decided_at IS 'When that was settled.';
      COMMENT ON COLUMN period_closings.known_xact IS
        'First transaction that knew of a closing, or that could have known of a reopening.';
      COMMENT ON COLUMN period_closings.xact IS
        'Transaction that wrote the row: the order in which seals cover the books.';
      CREATE INDEX period_closings_xact ON period_closings USING brin
        (xact) WITH (pages_per_range = 128, autosummarize = on);
      CREATE TRIGGER period_closings_append_only
        BEFORE UPDATE OR DELETE OR TRUNCATE ON period_closings
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('closings are append-only');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE period_closings');
  }
}
