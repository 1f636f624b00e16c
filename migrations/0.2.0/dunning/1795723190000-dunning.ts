import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reminders by steps. A document has one letter for each step, and each letter says what it asked. */
export class Dunning1795723190000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
    for (const [place, comment] of COMMENTS)
      await runner.query(`COMMENT ON ${place} IS '${comment}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = ['dunning_charges', 'reminder_documents', 'reminders', 'dunning_states'];
    for (const table of [...tables, 'dunning_plans']) await runner.query(`DROP TABLE ${table}`);
  }
}

const TABLES = [
  `CREATE TABLE dunning_plans (
     account_id uuid NOT NULL PRIMARY KEY REFERENCES accounts,
     terms jsonb NOT NULL,
     first_days integer,
     due_from date,
     version integer NOT NULL CONSTRAINT dunning_plans_version_from_one CHECK (version > 0),
     updated_at timestamptz NOT NULL
   )`,
  `CREATE TABLE dunning_states (
     account_id uuid NOT NULL,
     document_id uuid NOT NULL,
     level integer NOT NULL CONSTRAINT dunning_states_level_from_zero CHECK (level >= 0),
     last_on date,
     last_days integer,
     next_on date,
     waits_for text,
     promised_until date,
     paused boolean NOT NULL,
     note text,
     version integer NOT NULL CONSTRAINT dunning_states_version_from_one CHECK (version > 0),
     PRIMARY KEY (account_id, document_id),
     FOREIGN KEY (account_id, document_id) REFERENCES documents (account_id, document_id)
   )`,
  `CREATE INDEX dunning_states_due ON dunning_states (next_on, account_id, document_id)
     WHERE next_on IS NOT NULL`,
  `CREATE TABLE reminders (
     account_id uuid NOT NULL,
     reminder_id uuid NOT NULL,
     customer_id uuid NOT NULL,
     currency text NOT NULL CONSTRAINT reminders_currency_is_a_code CHECK (currency ~ '^[A-Z]{3}$'),
     status text NOT NULL CONSTRAINT reminders_status_known
       CHECK (status IN ('queued', 'sent', 'failed', 'canceled')),
     reason text,
     level integer NOT NULL CONSTRAINT reminders_level_from_one CHECK (level > 0),
     step_days integer NOT NULL,
     late_step integer NOT NULL CONSTRAINT reminders_late_step_from_zero CHECK (late_step >= 0),
     is_last boolean NOT NULL,
     words jsonb NOT NULL,
     made_on date NOT NULL,
     pay_by date NOT NULL,
     sent_to jsonb NOT NULL,
     problem text,
     bill_on date,
     created_at timestamptz NOT NULL,
     settled_at timestamptz,
     PRIMARY KEY (account_id, reminder_id),
     FOREIGN KEY (account_id, customer_id) REFERENCES customers (account_id, customer_id),
     CONSTRAINT reminders_settled_unless_queued CHECK ((status = 'queued') = (settled_at IS NULL))
   )`,
  `CREATE INDEX reminders_of_customer ON reminders (account_id, customer_id, reminder_id)`,
  `CREATE INDEX reminders_to_bill ON reminders (bill_on, account_id, reminder_id)
     WHERE bill_on IS NOT NULL`,
  `CREATE INDEX reminders_for_a_person ON reminders (account_id, reminder_id)
     WHERE status = 'failed'`,
  `CREATE TABLE reminder_documents (
     account_id uuid NOT NULL,
     reminder_id uuid NOT NULL,
     document_id uuid NOT NULL,
     due_date date NOT NULL,
     asked bigint NOT NULL CONSTRAINT reminder_documents_ask CHECK (asked > 0),
     level integer CONSTRAINT reminder_documents_level_from_one CHECK (level > 0),
     days integer,
     withdrawn boolean NOT NULL,
     PRIMARY KEY (account_id, reminder_id, document_id),
     FOREIGN KEY (account_id, reminder_id) REFERENCES reminders,
     FOREIGN KEY (account_id, document_id) REFERENCES documents (account_id, document_id)
   )`,
  `CREATE UNIQUE INDEX reminder_documents_each_step_once
     ON reminder_documents (account_id, document_id, level)
     WHERE level IS NOT NULL AND NOT withdrawn`,
  `CREATE INDEX reminder_documents_of_document ON reminder_documents (account_id, document_id)`,
  `CREATE TABLE dunning_charges (
     account_id uuid NOT NULL,
     charge_id uuid NOT NULL,
     reminder_id uuid NOT NULL,
     document_id uuid NOT NULL,
     kind text NOT NULL CONSTRAINT dunning_charges_kind_known
       CHECK (kind IN ('fee', 'interest', 'lump_sum')),
     amount bigint NOT NULL CONSTRAINT dunning_charges_above_zero CHECK (amount > 0),
     parts jsonb NOT NULL,
     status text NOT NULL CONSTRAINT dunning_charges_status_known
       CHECK (status IN ('proposed', 'claimed', 'waived', 'withdrawn')),
     billed_by uuid,
     PRIMARY KEY (account_id, charge_id),
     FOREIGN KEY (account_id, reminder_id) REFERENCES reminders,
     FOREIGN KEY (account_id, document_id) REFERENCES documents (account_id, document_id),
     FOREIGN KEY (account_id, billed_by) REFERENCES documents (account_id, document_id)
       ON DELETE SET NULL (billed_by),
     CONSTRAINT dunning_charges_billed_once_claimed CHECK (billed_by IS NULL OR status = 'claimed')
   )`,
  `CREATE UNIQUE INDEX dunning_charges_one_lump_sum ON dunning_charges (account_id, document_id)
     WHERE kind = 'lump_sum' AND status <> 'withdrawn'`,
  `CREATE INDEX dunning_charges_of_document ON dunning_charges (account_id, document_id)`,
  `CREATE INDEX dunning_charges_of_reminder ON dunning_charges (account_id, reminder_id)`,
  `CREATE INDEX dunning_charges_billed_by ON dunning_charges (account_id, billed_by)
     WHERE billed_by IS NOT NULL`,
];

const COMMENTS = [
  ['TABLE dunning_plans', 'How accounts ask for what is due.'],
  ['COLUMN dunning_plans.account_id', 'Account that the row belongs to.'],
  ['COLUMN dunning_plans.terms', 'Steps and what they ask for, as the API has them.'],
  [
    'COLUMN dunning_plans.first_days',
    'Days of the first step after a due date; null: it has none.',
  ],
  ['COLUMN dunning_plans.due_from', 'Documents that were due before it are left alone.'],
  ['COLUMN dunning_plans.version', 'Goes up by one with each change; the ETag.'],
  ['COLUMN dunning_plans.updated_at', 'When it was changed last.'],
  ['TABLE dunning_states', 'How far the reminders of documents have come.'],
  ['COLUMN dunning_states.account_id', 'Account that the row belongs to.'],
  ['COLUMN dunning_states.document_id', 'Identifies the document.'],
  ['COLUMN dunning_states.level', 'How many steps are behind it.'],
  ['COLUMN dunning_states.last_on', 'Day of its last letter.'],
  ['COLUMN dunning_states.last_days', 'Days of the step of that.'],
  ['COLUMN dunning_states.next_on', 'Day on which it is looked at again; null: on none.'],
  ['COLUMN dunning_states.waits_for', 'Why no reminder was sent when it was looked at last.'],
  ['COLUMN dunning_states.promised_until', 'Last day until which somebody promised to pay.'],
  ['COLUMN dunning_states.paused', 'Whether nobody is reminded until somebody says so.'],
  ['COLUMN dunning_states.note', 'Why, in the words of the account.'],
  ['COLUMN dunning_states.version', 'Goes up by one with each change by a person; the ETag.'],
  ['TABLE reminders', 'Letters that ask for what is due: when, to whom, and what each asked.'],
  ['COLUMN reminders.account_id', 'Account that the row belongs to.'],
  ['COLUMN reminders.reminder_id', 'Identifies the reminder.'],
  ['COLUMN reminders.customer_id', 'Customer that it goes to.'],
  ['COLUMN reminders.currency', 'ISO 4217 code of its amounts.'],
  ['COLUMN reminders.status', 'What became of it; failed ones need a person.'],
  ['COLUMN reminders.reason', 'Why it failed or was canceled, as a code.'],
  ['COLUMN reminders.level', 'Step of the plan, from 1: that of the furthest document.'],
  ['COLUMN reminders.step_days', 'Days of that step after the due date.'],
  ['COLUMN reminders.late_step', 'Which step after the due date that is, from 1; 0: it is before.'],
  ['COLUMN reminders.is_last', 'Whether no further step comes behind it.'],
  ['COLUMN reminders.words', 'Words of the account by language, in the place of ours.'],
  ['COLUMN reminders.made_on', 'Day of the letter.'],
  ['COLUMN reminders.pay_by', 'Day until which it asks to pay.'],
  ['COLUMN reminders.sent_to', 'Addresses that it went to; none: not yet, or by other means.'],
  ['COLUMN reminders.problem', 'Why its charges could not be billed, as a code.'],
  [
    'COLUMN reminders.bill_on',
    'Day on which its charges are to be billed; null: they are, or not by themselves.',
  ],
  ['COLUMN reminders.created_at', 'When it was made.'],
  ['COLUMN reminders.settled_at', 'When it was sent, given up or canceled.'],
  ['TABLE reminder_documents', 'Documents that a letter lists.'],
  ['COLUMN reminder_documents.account_id', 'Account that the row belongs to.'],
  ['COLUMN reminder_documents.reminder_id', 'The letter.'],
  ['COLUMN reminder_documents.document_id', 'The document.'],
  ['COLUMN reminder_documents.due_date', 'Its due date.'],
  ['COLUMN reminder_documents.asked', 'What the letter asks for it, in minor units.'],
  [
    'COLUMN reminder_documents.level',
    'Step that this is for the document; null: it is listed only.',
  ],
  ['COLUMN reminder_documents.days', 'Days of that step after the due date.'],
  [
    'COLUMN reminder_documents.withdrawn',
    'Whether the letter was canceled, so that the step may come again.',
  ],
  ['TABLE dunning_charges', 'What letters ask for beside what is due.'],
  ['COLUMN dunning_charges.account_id', 'Account that the row belongs to.'],
  ['COLUMN dunning_charges.charge_id', 'Identifies the charge.'],
  ['COLUMN dunning_charges.reminder_id', 'Letter that asks for it.'],
  ['COLUMN dunning_charges.document_id', 'Document that is paid late.'],
  ['COLUMN dunning_charges.kind', 'What it is asked for.'],
  ['COLUMN dunning_charges.amount', 'In minor units of the currency of the letter.'],
  [
    'COLUMN dunning_charges.parts',
    'Of interest: days, debts and rates. What was asked before is taken off.',
  ],
  ['COLUMN dunning_charges.status', 'Whether it is asked for: once the letter was sent.'],
  ['COLUMN dunning_charges.billed_by', 'Invoice that it is on.'],
];
