import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type { DunningWords } from '../domain/dunning-plan.js';
import type { InterestPart } from '../domain/late-interest.js';
import type {
  Charge,
  ChargeKind,
  ChargeStatus,
  RemindedDocument,
  Reminder,
  ReminderStatus,
} from '../domain/reminder.js';

/** Amounts in JSON, which has no bigint. */
type StoredPart = Omit<InterestPart, 'owed'> & { owed: number };

export type ReminderColumns = Omit<
  Row<'reminders', { status: ReminderStatus; words: DunningWords[]; sent_to: string[] }>,
  'bill_on'
> & {
  documents: {
    id: Uuid;
    number: string;
    due_date: IsoDate;
    asked: string;
    level: number | null;
    days: number | null;
  }[];
  charges: {
    id: Uuid;
    kind: ChargeKind;
    document_id: Uuid;
    amount: string;
    parts: StoredPart[];
    status: Exclude<ChargeStatus, 'billed'>;
    billed_by: Uuid | null;
  }[];
};

/** `reminders r` with all that belongs to them. */
export const REMINDER_COLUMNS = `r.account_id, r.reminder_id, r.customer_id, r.currency, r.status,
  r.reason, r.level, r.step_days, r.late_step, r.is_last, r.words, r.made_on, r.pay_by, r.sent_to,
  r.problem, r.created_at, r.settled_at,
  (SELECT json_agg(json_build_object('id', rd.document_id, 'number', d.number,
      'due_date', rd.due_date, 'asked', rd.asked::text, 'level', rd.level,
      'days', rd.days)
      ORDER BY rd.due_date, rd.document_id)
    FROM reminder_documents rd JOIN documents d USING (account_id, document_id)
    WHERE (rd.account_id, rd.reminder_id) = (r.account_id, r.reminder_id)) AS documents,
  coalesce((SELECT json_agg(json_build_object('id', c.charge_id, 'kind', c.kind,
      'document_id', c.document_id, 'amount', c.amount::text, 'parts', c.parts,
      'status', c.status, 'billed_by', c.billed_by) ORDER BY c.charge_id)
    FROM dunning_charges c
    WHERE (c.account_id, c.reminder_id) = (r.account_id, r.reminder_id)), '[]') AS charges`;

export function toReminder(row: ReminderColumns): Reminder {
  return {
    id: row.reminder_id,
    accountId: row.account_id,
    customerId: row.customer_id,
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    level: row.level,
    stepDays: row.step_days,
    lateStep: row.late_step,
    isLast: row.is_last,
    words: row.words,
    madeOn: row.made_on,
    payBy: row.pay_by,
    documents: row.documents.map((one): RemindedDocument => ({
      documentId: one.id,
      number: one.number,
      dueDate: one.due_date,
      asked: BigInt(one.asked),
      level: one.level,
      days: one.days,
    })),
    charges: row.charges.map(toCharge),
    sentTo: row.sent_to,
    problem: row.problem,
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}

function toCharge(one: ReminderColumns['charges'][number]): Charge {
  return {
    id: one.id,
    kind: one.kind,
    documentId: one.document_id,
    amount: BigInt(one.amount),
    parts: one.parts.map((part) => ({ ...part, owed: BigInt(part.owed) })),
    status: one.billed_by === null ? one.status : 'billed',
    billedBy: one.billed_by,
  };
}

export const storedParts = (parts: readonly InterestPart[]): string =>
  JSON.stringify(parts.map((part): StoredPart => ({ ...part, owed: minorNumber(part.owed) })));
