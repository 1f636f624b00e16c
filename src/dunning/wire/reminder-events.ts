import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import { MESSAGE_STATUSES } from '../../mail/index.js';
import { minorNumber } from '../../kernel/money.js';
import {
  count,
  currency,
  day,
  minorUnits,
  publicIdOf,
} from '../../platform/http/validation/answer-fields.js';
import type { KeptState } from '../domain/next-step.js';
import { askedBy, chargedBy, type Reminder } from '../domain/reminder.js';

const reminder = z
  .object({
    id: publicIdOf('rem'),
    customer_id: publicIdOf('cus'),
    document_ids: z.array(publicIdOf('doc')),
    currency,
    step: count,
    status: z.enum(MESSAGE_STATUSES),
    reason: z.string().nullable().meta({ example: null }),
    made_on: day,
    pay_by: day,
    amount: minorUnits,
    charges_amount: minorUnits,
  })
  .meta({ id: 'Reminder', description: '`GET /v1/finance/reminders/{id}` has the rest.' });

const step = z.object({ reminder }).meta({ id: 'ReminderStep' });
const billed = step
  .extend({ document_id: publicIdOf('doc') })
  .meta({ id: 'ReminderChargesBilled' });
const failed = step
  .extend({ problem_code: z.string().meta({ example: 'customer_archived' }) })
  .meta({ id: 'ReminderChargesFailed' });
const held = z
  .object({
    dunning: z
      .object({
        document_id: publicIdOf('doc'),
        promised_until: day.nullable(),
        paused: z.boolean(),
        version: count,
      })
      .meta({ id: 'DocumentDunning' }),
  })
  .meta({ id: 'DocumentDunningStep' });

const as = (status: string, reason: string | null = null) => ({ reminder: { status, reason } });

/** The events about reminders by steps. */
export const REMINDER_EVENTS = {
  'reminder.made': {
    when: 'A reminder was made, and its letter waits to leave.',
    data: step,
    example: as('queued'),
  },
  'reminder.sent': {
    when: 'The mail server has taken a reminder, or somebody marked it as sent.',
    data: step,
    example: as('sent'),
  },
  'reminder.canceled': {
    when: 'A reminder had nothing to ask any more when its time came, or asked something else.',
    data: step,
    example: as('canceled', 'overtaken'),
  },
  'reminder.failed': {
    when: 'Nobody got a reminder. Send it by other means, and mark it as sent; or send its message again.',
    data: step,
    example: as('failed', 'no_address'),
  },
  'reminder.charges_billed': {
    when: 'What a reminder asked for beside the debt is on an invoice.',
    data: billed,
    example: as('sent'),
  },
  'reminder.charges_failed': {
    when: 'What a reminder asked for beside the debt could not be billed; it is tried again each day.',
    data: failed,
    example: as('sent'),
  },
  'reminder.charges_waived': {
    when: 'Somebody gave up what a reminder asked for beside the debt.',
    data: step,
    example: as('sent'),
  },
  'reminder.held': {
    when: 'Somebody said when a document may be reminded of: a promise, a pause, or the end of one.',
    data: held,
    example: { dunning: { promised_until: '2026-12-15', paused: false } },
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof REMINDER_EVENTS> {}
}

export function reminderStep(of: Reminder) {
  return {
    reminder: {
      id: publicId('rem', of.id),
      customer_id: publicId('cus', of.customerId),
      document_ids: of.documents.map(({ documentId }) => publicId('doc', documentId)),
      currency: of.currency,
      step: of.level,
      status: of.status,
      reason: of.reason,
      made_on: of.madeOn,
      pay_by: of.payBy,
      amount: minorNumber(askedBy(of)),
      charges_amount: minorNumber(chargedBy(of)),
    },
  };
}

export function reminderHeld({ documentId, promisedUntil, isPaused, version }: KeptState) {
  return {
    dunning: {
      document_id: publicId('doc', documentId),
      promised_until: promisedUntil,
      paused: isPaused,
      version,
    },
  };
}
