import type { MigrationInterface, QueryRunner } from 'typeorm';

const COMMENTS = {
  statements_since:
    'Since when customers get a statement of account for each month; null: they do not.',
  statements_month: 'First day of the month whose statements were made last; null: of none yet.',
  statements_after:
    'Customer after whom the statements of that month go on; null: all of them are made.',
  quotes_since: 'Since when both sides are told of quotes that expire; null: they are not.',
  quote_days: 'Days after the last day of a quote on which they are told; below zero: before it.',
  quote_waiting_since:
    'Since when the seller is told of accepted quotes that nobody converted; null: it is not.',
  quote_waiting_days: 'Days after the acceptance on which it is told; null: it is not.',
};

/** An account may send statements of account, and have quotes told that expire or wait. */
export class MailOfQuotesAndStatements1795723161000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE mail_settings ADD COLUMN statements_since timestamptz,
         ADD COLUMN statements_month date
           CONSTRAINT mail_settings_statements_of_a_month CHECK (extract(day FROM statements_month) = 1),
         ADD COLUMN statements_after uuid,
         ADD COLUMN quotes_since timestamptz,
         ADD COLUMN quote_days smallint[] NOT NULL DEFAULT '{}',
         ADD COLUMN quote_waiting_since timestamptz,
         ADD COLUMN quote_waiting_days smallint
           CONSTRAINT mail_settings_quote_waiting_days_from_one CHECK (quote_waiting_days > 0),
         ADD CONSTRAINT mail_settings_statements_go_on_in_a_month
           CHECK (statements_after IS NULL OR statements_month IS NOT NULL),
         ADD CONSTRAINT mail_settings_quotes_have_days
           CHECK ((quotes_since IS NULL) = (cardinality(quote_days) = 0)),
         ADD CONSTRAINT mail_settings_waiting_quotes_have_days
           CHECK ((quote_waiting_since IS NULL) = (quote_waiting_days IS NULL))`,
    );
    for (const [column, text] of Object.entries(COMMENTS)) {
      await runner.query(`COMMENT ON COLUMN mail_settings.${column} IS '${text}'`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const dropped = Object.keys(COMMENTS).map((column) => `DROP COLUMN ${column}`);
    await runner.query(`ALTER TABLE mail_settings ${dropped.join(', ')}`);
  }
}
