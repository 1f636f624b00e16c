import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that are made again and again. A period has one row, so that it is made once. */
export class Schedules1795723130000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['schedule_progress', 'schedule_usage', 'schedule_periods', 'schedules'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  `CREATE TABLE schedules (
     account_id uuid NOT NULL REFERENCES accounts,
     schedule_id uuid NOT NULL,
     customer_id uuid NOT NULL,
     name text NOT NULL CONSTRAINT schedules_name_not_empty CHECK (name <> ''),
     external_id text CONSTRAINT schedules_external_id_not_empty CHECK (external_id <> ''),
     status text NOT NULL CONSTRAINT schedules_status_known
       CHECK (status IN ('active', 'paused', 'ended')),
     terms jsonb NOT NULL,
     metadata jsonb NOT NULL,
     anchor date NOT NULL,
     next_start date,
     next_on date,
     moved_to date,
     skips jsonb NOT NULL,
     period_count integer NOT NULL CONSTRAINT schedules_period_count_from_zero
       CHECK (period_count >= 0),
     version integer NOT NULL CONSTRAINT schedules_version_from_one CHECK (version > 0),
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, schedule_id),
     FOREIGN KEY (account_id, customer_id) REFERENCES customers (account_id, customer_id),
     CONSTRAINT schedules_go_on_until_they_end
       CHECK ((status = 'ended') = (next_start IS NULL) AND (next_start IS NULL) = (next_on IS NULL))
   )`,
  `CREATE UNIQUE INDEX schedules_external_id ON schedules (account_id, external_id)
     WHERE external_id IS NOT NULL`,
  `CREATE INDEX schedules_of_customer ON schedules (account_id, customer_id, schedule_id)`,
  `CREATE INDEX schedules_due ON schedules (next_on, account_id, schedule_id)
     WHERE status = 'active'`,
  `CREATE TABLE schedule_periods (
     account_id uuid NOT NULL,
     schedule_id uuid NOT NULL,
     period_start date NOT NULL,
     period_end date NOT NULL,
     runs_on date NOT NULL,
     status text NOT NULL CONSTRAINT schedule_periods_status_known CHECK (status IN
       ('in_review', 'made', 'failed', 'waiting', 'skipped', 'stopped', 'empty', 'trial')),
     document_id uuid,
     issue_at timestamptz,
     problem jsonb,
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, schedule_id, period_start),
     FOREIGN KEY (account_id, schedule_id) REFERENCES schedules,
     FOREIGN KEY (account_id, document_id) REFERENCES documents (account_id, document_id)
       ON DELETE SET NULL (document_id),
     CONSTRAINT schedule_periods_end_behind_start CHECK (period_end >= period_start),
     CONSTRAINT schedule_periods_issue_after_review
       CHECK ((status = 'in_review') = (issue_at IS NOT NULL)),
     CONSTRAINT schedule_periods_failed_for_a_reason
       CHECK ((status = 'failed') = (problem IS NOT NULL))
   )`,
  `CREATE UNIQUE INDEX schedule_periods_document ON schedule_periods (account_id, document_id)
     WHERE document_id IS NOT NULL`,
  `CREATE INDEX schedule_periods_in_review ON schedule_periods (issue_at)
     WHERE status = 'in_review'`,
  `CREATE INDEX schedule_periods_for_a_person
     ON schedule_periods (account_id, period_start, schedule_id)
     WHERE status IN ('failed', 'waiting')`,
  `CREATE TABLE schedule_usage (
     account_id uuid NOT NULL,
     usage_id uuid NOT NULL,
     schedule_id uuid NOT NULL,
     meter text NOT NULL CONSTRAINT schedule_usage_meter_not_empty CHECK (meter <> ''),
     quantity numeric NOT NULL,
     used_on date NOT NULL,
     period_start date,
     created_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, usage_id),
     FOREIGN KEY (account_id, schedule_id) REFERENCES schedules,
     FOREIGN KEY (account_id, schedule_id, period_start) REFERENCES schedule_periods
   )`,
  `CREATE INDEX schedule_usage_of_schedule ON schedule_usage (account_id, schedule_id, usage_id)`,
  `CREATE INDEX schedule_usage_not_billed ON schedule_usage (account_id, schedule_id)
     WHERE period_start IS NULL`,
  `CREATE TABLE schedule_progress (
     only_row boolean NOT NULL PRIMARY KEY
       CONSTRAINT schedule_progress_one_row CHECK (only_row),
     history text
   )`,
  `INSERT INTO schedule_progress VALUES (true, NULL)`,
];

const COMMENTS = [
  ['TABLE schedules', 'Documents that are made again and again, each for its period.'],
  ['COLUMN schedules.account_id', 'Account that the row belongs to.'],
  ['COLUMN schedules.schedule_id', 'Identifies the schedule.'],
  ['COLUMN schedules.customer_id', 'Customer of its documents.'],
  ['COLUMN schedules.name', 'What the account calls it.'],
  ['COLUMN schedules.external_id', 'Id that the caller gave, unique in the account.'],
  ['COLUMN schedules.status', 'Whether it goes on; a paused one makes nothing.'],
  [
    'COLUMN schedules.terms',
    'The document to make, the rule and what happens each time, as the API has them.',
  ],
  ['COLUMN schedules.metadata', 'Values that the caller attached; never read.'],
  ['COLUMN schedules.anchor', 'Day from which the rule counts.'],
  ['COLUMN schedules.next_start', 'First day of the next period; null: it has ended.'],
  ['COLUMN schedules.next_on', 'Day on which that is made, in the zone of the account.'],
  ['COLUMN schedules.moved_to', 'That day, where somebody moved it.'],
  ['COLUMN schedules.skips', 'First days of periods to come that are left out.'],
  ['COLUMN schedules.period_count', 'How many periods are behind it, without a trial.'],
  ['COLUMN schedules.version', 'Goes up by one with each change; the ETag.'],
  ['COLUMN schedules.created_at', 'When it was made.'],
  ['COLUMN schedules.updated_at', 'When it was changed last, also by a period.'],
  ['TABLE schedule_periods', 'Periods that had their day: no schedule has two of one day.'],
  ['COLUMN schedule_periods.account_id', 'Account that the row belongs to.'],
  ['COLUMN schedule_periods.schedule_id', 'Schedule that it is a period of.'],
  ['COLUMN schedule_periods.period_start', 'First day.'],
  ['COLUMN schedule_periods.period_end', 'Last day.'],
  ['COLUMN schedule_periods.runs_on', 'Day on which its document is made.'],
  ['COLUMN schedule_periods.status', 'What became of it; failed and waiting ones need a person.'],
  ['COLUMN schedule_periods.document_id', 'Its document; null: none, or its draft was deleted.'],
  ['COLUMN schedule_periods.issue_at', 'When one in review is issued.'],
  ['COLUMN schedule_periods.problem', 'Why it could not be made: code, sentence and fields.'],
  ['COLUMN schedule_periods.created_at', 'When it had its day.'],
  ['COLUMN schedule_periods.updated_at', 'When it was changed last.'],
  ['TABLE schedule_usage', 'Quantities that were reported for metered lines.'],
  ['COLUMN schedule_usage.account_id', 'Account that the row belongs to.'],
  ['COLUMN schedule_usage.usage_id', 'Identifies the report.'],
  ['COLUMN schedule_usage.schedule_id', 'Schedule that bills it.'],
  ['COLUMN schedule_usage.meter', 'Meter of the lines that bill it.'],
  ['COLUMN schedule_usage.quantity', 'How much; below zero, it takes back.'],
  ['COLUMN schedule_usage.used_on', 'Day of the use.'],
  ['COLUMN schedule_usage.period_start', 'Period whose document bills it; null: not yet.'],
  ['COLUMN schedule_usage.created_at', 'When it was reported.'],
  ['TABLE schedule_progress', 'Whether periods may be made, in one row.'],
  ['COLUMN schedule_progress.only_row', 'Always true.'],
  [
    'COLUMN schedule_progress.history',
    'History of the database in which they are made; a restored one has another, and waits for a word.',
  ],
];
