import { z } from 'zod';
import { publicId } from '../../kernel/ids.js';
import { MESSAGE_STATUSES } from '../../mail/index.js';
import { minorNumber } from '../../kernel/money.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { count, day, instant, minorUnits } from '../../platform/http/validation/answer-fields.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { idIn, idParameter } from '../../platform/http/validation/standard-fields.js';
import {
  askedBy,
  CHARGE_KINDS,
  CHARGE_STATUSES,
  chargedBy,
  type Reminder,
} from '../domain/reminder.js';
import type { ReminderFilter } from '../infrastructure/reminders.query.js';

nameWords({
  DunningChargeKind: CHARGE_KINDS,
  DunningChargeStatus: CHARGE_STATUSES,
});

export const ListRemindersQuery = queryShape({
  ...listQuery(() => ReminderBody).shape,
  status: oneOf(MESSAGE_STATUSES, { optional: true }),
  customer_id: idParameter('cus'),
  document_id: idParameter('doc'),
});
export type ListRemindersQuery = z.output<typeof ListRemindersQuery>;

export function toReminderFilter(asked: ListRemindersQuery): ReminderFilter {
  return {
    status: asked.status,
    customerId: idIn('cus', asked.customer_id),
    documentId: idIn('doc', asked.document_id),
  };
}

const RemindedDocumentBody = answerShape('RemindedDocumentBody', {
  document_id: z.string(),
  number: z.string(),
  due_date: day,
  amount: minorUnits.describe('Asked for.'),
  step: count.nullable().describe('Null: it is listed, and its own step comes later.'),
});

const InterestPartBody = answerShape('DunningInterestPart', {
  from: day,
  through: day,
  days: count,
  owed: minorUnits,
  percent: z.string().describe('A year, of 365 days.'),
});

const ChargeBody = answerShape('DunningCharge', {
  kind: z.enum(CHARGE_KINDS),
  document_id: z.string(),
  amount: minorUnits,
  parts: z
    .array(InterestPartBody)
    .describe('Of interest: all days so far. What was asked before is taken off their sum.'),
  status: z.enum(CHARGE_STATUSES),
  billed_by: z.string().nullable().describe('The document that it is a line of.'),
});

export const ReminderBody = answerShape('ReminderBody', {
  id: z.string().meta({ example: 'rem_01h455vb4pex5vsknk084sn02q' }),
  status: z
    .enum(MESSAGE_STATUSES)
    .describe('`failed`: nobody got it, and a person has to do something.'),
  reason: z.string().nullable().describe('Why it failed or was canceled, as a code.'),
  customer_id: z.string(),
  currency: z.string(),
  step: count.describe('Of the plan, from 1: that of the furthest document.'),
  days: z.number().meta({ type: 'integer', description: 'Of that step, after the due date.' }),
  made_on: day,
  pay_by: day,
  amount: minorUnits.describe('Asked for of the documents, without charges.'),
  charges_amount: minorUnits.describe('Of charges that were not waived or withdrawn.'),
  documents: z.array(RemindedDocumentBody),
  charges: z.array(ChargeBody),
  charges_problem: z.string().nullable().describe('Why charges could not be billed, as a code.'),
  sent_to: z.array(z.string()).describe('Empty: it was not sent, or by other means.'),
  created_at: instant,
  settled_at: instant.nullable(),
});
export type ReminderBody = z.output<typeof ReminderBody>;

export const ReminderPage = countedPage('ReminderPage', ReminderBody);
export type ReminderPage = z.output<typeof ReminderPage>;

/** The public form of a reminder. */
export function presentReminder(reminder: Reminder): ReminderBody {
  return {
    id: publicId('rem', reminder.id),
    status: reminder.status,
    reason: reminder.reason,
    customer_id: publicId('cus', reminder.customerId),
    currency: reminder.currency,
    step: reminder.level,
    days: reminder.stepDays,
    made_on: reminder.madeOn,
    pay_by: reminder.payBy,
    amount: minorNumber(askedBy(reminder)),
    charges_amount: minorNumber(chargedBy(reminder)),
    documents: reminder.documents.map((one) => ({
      document_id: publicId('doc', one.documentId),
      number: one.number,
      due_date: one.dueDate,
      amount: minorNumber(one.asked),
      step: one.level,
    })),
    charges: reminder.charges.map(({ kind, documentId, amount, parts, status, billedBy }) => ({
      kind,
      document_id: publicId('doc', documentId),
      amount: minorNumber(amount),
      parts: parts.map(({ from, through, days, owed, percent }) => ({
        from,
        through,
        days,
        owed: minorNumber(owed),
        percent,
      })),
      status,
      billed_by: billedBy && publicId('doc', billedBy),
    })),
    charges_problem: reminder.problem,
    sent_to: reminder.sentTo,
    created_at: reminder.createdAt.toISOString(),
    settled_at: reminder.settledAt?.toISOString() ?? null,
  };
}
