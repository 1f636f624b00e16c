import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first day of each account's books, and how far ahead its documents may be dated. */
export class Periods1764600400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD books_from date, ADD books_open_from date,
        ADD issue_days_ahead integer NOT NULL DEFAULT 90;
      -- No document or transfer that is there is older.
      UPDATE accounts a SET books_from = least(
        (date_trunc('year', a.created_at AT TIME ZONE 'UTC') - interval '10 years')::date,
        (SELECT min(t.effective_on) FROM transfers t WHERE t.account_id = a.account_id),
        (SELECT min(d.issue_date) FROM documents d WHERE d.account_id = a.account_id));
      UPDATE accounts SET books_open_from = books_from;
      ALTER TABLE accounts ALTER books_from SET NOT NULL, ALTER books_open_from SET NOT NULL,
        ALTER issue_days_ahead DROP DEFAULT,
        ADD CONSTRAINT accounts_open_within_the_books CHECK (books_open_from >= books_from),
        ADD CONSTRAINT accounts_issue_at_most_a_year_ahead
          CHECK (issue_days_ahead BETWEEN 0 AND 366);
      COMMENT ON COLUMN accounts.books_from IS
        'First day of the books: no document is dated before it.';
      COMMENT ON COLUMN accounts.books_open_from IS
        'First day of the first open month: no transfer is dated before it from then on.';
      COMMENT ON COLUMN accounts.issue_days_ahead IS
        'Days in the future that a document may be dated to when it is issued.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts DROP books_from, DROP books_open_from, DROP issue_days_ahead;
    `);
  }
}
