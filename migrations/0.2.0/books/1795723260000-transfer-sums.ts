import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports read sums by day and month, and of the transfers those of their days. */
export class TransferSums1795723260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM event_marks WHERE consumer = 'sums'`);
    await runner.query('DROP INDEX transfers_effective_on');
    for (const table of ['claim_sums', 'transfer_sums']) await runner.query(`DROP TABLE ${table}`);
    await runner.query(
      `COMMENT ON COLUMN event_marks.through_xact IS 'Events of transactions below were read.'`,
    );
  }
}

const TABLES = [
  `CREATE TABLE transfer_sums (
     account_id uuid NOT NULL,
     span text NOT NULL CONSTRAINT transfer_sums_span_known CHECK (span IN ('day', 'month')),
     begins_on date NOT NULL,
     fact ledger_fact NOT NULL,
     debit ledger_account NOT NULL,
     credit ledger_account NOT NULL,
     amount numeric NOT NULL CONSTRAINT transfer_sums_amount_positive CHECK (amount > 0),
     PRIMARY KEY (account_id, span, begins_on, fact, debit, credit)
   ) WITH (fillfactor = 70)`,
  `CREATE TABLE claim_sums (
     account_id uuid NOT NULL,
     span text NOT NULL CONSTRAINT claim_sums_span_known CHECK (span IN ('day', 'month')),
     begins_on date NOT NULL,
     currency text NOT NULL CONSTRAINT claim_sums_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
     due_date date NOT NULL,
     owed numeric NOT NULL,
     rejected numeric NOT NULL,
     credit numeric NOT NULL,
     PRIMARY KEY (account_id, span, begins_on, currency, due_date)
   ) WITH (fillfactor = 70)`,
  // A few bytes for each range of pages: a payment does not pay for it.
  `CREATE INDEX transfers_effective_on ON transfers USING brin
     (effective_on date_minmax_multi_ops) WITH (pages_per_range = 64, autosummarize = on)`,
  `INSERT INTO event_marks (consumer, through_xact) VALUES ('sums', 0)`,
];

const COMMENTS = [
  [
    'TABLE transfer_sums',
    'What transfers of one kind between two accounts of the ledger come to by day and by month, up ' +
      'to the mark of the reader `sums`. Made from `transfers`, which `integrity` compares.',
  ],
  ['COLUMN transfer_sums.account_id', 'Account that the row belongs to.'],
  ['COLUMN transfer_sums.span', 'How long: `day` or `month`.'],
  ['COLUMN transfer_sums.begins_on', 'The day, or the first of the month.'],
  ['COLUMN transfer_sums.fact', 'What happened, as in `transfers`.'],
  ['COLUMN transfer_sums.debit', 'Ledger account that is debited, with its currency.'],
  ['COLUMN transfer_sums.credit', 'Ledger account that is credited, with its currency.'],
  ['COLUMN transfer_sums.amount', 'The sum, in minor units.'],
  [
    'TABLE claim_sums',
    'What claims on customers and their credit moved by, by day and by month and by due date of ' +
      'the document, as far as `transfer_sums`. Made from `transfers`.',
  ],
  ['COLUMN claim_sums.account_id', 'Account that the row belongs to.'],
  ['COLUMN claim_sums.span', 'How long: `day` or `month`.'],
  ['COLUMN claim_sums.begins_on', 'The day, or the first of the month.'],
  ['COLUMN claim_sums.currency', 'ISO 4217 code of the amounts.'],
  ['COLUMN claim_sums.due_date', 'Of the document; `infinity` where there is none.'],
  ['COLUMN claim_sums.owed', 'Debits less credits of `receivables`, in minor units.'],
  ['COLUMN claim_sums.rejected', 'The same of `rejected_receivables`.'],
  ['COLUMN claim_sums.credit', 'Credits less debits of `customer_credit`.'],
  ['COLUMN event_marks.through_xact', 'Events, or transfers, of transactions below were read.'],
] as const;
