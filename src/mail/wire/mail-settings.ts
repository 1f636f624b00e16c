import { z } from 'zod';
import type { MailSettings, MailWish } from '../domain/mail-settings.js';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { field, flag, wholeNumber } from '../../platform/http/validation/fields.js';
import { entriesOf } from '../../platform/http/validation/list-fields.js';
import { MailRefusal } from '../domain/refusals.js';

const MOST_DAYS = 10;
const [EARLIEST, LATEST] = [-60, 365];
const MOST_WAITING_DAYS = 365;

/** Days after one that a document has; below zero: before it. */
function daysFrom(
  refusal: typeof MailRefusal.invalid_reminder_days,
  latest: number,
  documentation: { description: string; example: number[] },
) {
  const isDay = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= EARLIEST && (value as number) <= latest;
  return field(
    entriesOf<number[]>({
      refusal,
      test: (value) => Array.isArray(value) && value.length <= MOST_DAYS,
      message: `must be a list of at most ${MOST_DAYS} whole numbers of days`,
      entries: { test: isDay, message: `must be a whole number from ${EARLIEST} to ${latest}` },
    }),
    [refusal],
    {
      type: 'array',
      items: { type: 'integer', minimum: EARLIEST, maximum: latest },
      maxItems: MOST_DAYS,
    },
    { optional: true, ...documentation },
  );
}

export const PatchMailSettingsRequest = requestShape('PatchMailSettingsRequest', {
  send_documents: flag({
    optional: true,
    description: 'Whether documents go to their customers at the issue.',
  }),
  send_receipts: flag({
    optional: true,
    description: 'Whether payments are confirmed, with a receipt.',
  }),
  tell_answers: flag({
    optional: true,
    description: 'Whether you are told when a client accepts or rejects, at the seller’s address.',
  }),
  reminder_days: daysFrom(MailRefusal.invalid_reminder_days, LATEST, {
    description:
      'Days after the due date on which customers are reminded of what is due; below zero: before it. An empty list ends reminders.',
    example: [-3, 7],
  }),
  send_statements: flag({
    optional: true,
    description:
      'Whether customers get the statement of account of each month, from that on which it is turned on.',
  }),
  quote_days: daysFrom(MailRefusal.invalid_quote_days, 0, {
    description:
      'Days before the last day of a quote, below zero, on which customer and seller are told that it is about to expire. An empty list ends that.',
    example: [-7, -1],
  }),
  quote_waiting_days: wholeNumber({
    min: 1,
    max: MOST_WAITING_DAYS,
    optional: true,
    nullable: true,
    description:
      'Days after its acceptance on which you are told of a quote that nobody converted; null: you are not.',
    example: 14,
  }),
});
export type PatchMailSettingsRequest = z.output<typeof PatchMailSettingsRequest>;

export function toMailWish(body: PatchMailSettingsRequest): MailWish {
  return {
    documents: body.send_documents,
    receipts: body.send_receipts,
    answers: body.tell_answers,
    reminderDays: body.reminder_days,
    statements: body.send_statements,
    quoteDays: body.quote_days,
    quoteWaitingDays: body.quote_waiting_days,
  };
}

export const MailSettingsBody = answerShape('MailSettingsBody', {
  send_documents: z.boolean(),
  send_receipts: z.boolean(),
  tell_answers: z.boolean(),
  reminder_days: z.array(z.number().meta({ type: 'integer' })),
  send_statements: z.boolean(),
  quote_days: z.array(z.number().meta({ type: 'integer' })),
  quote_waiting_days: z.number().nullable().meta({ type: 'integer' }),
  version: z.number(),
});
export type MailSettingsBody = z.output<typeof MailSettingsBody>;

/** The public form of the settings. */
export function presentMailSettings(settings: MailSettings): MailSettingsBody {
  return {
    send_documents: settings.documentsSince !== null,
    send_receipts: settings.receiptsSince !== null,
    tell_answers: settings.answersSince !== null,
    reminder_days: settings.reminderDays,
    send_statements: settings.statementsSince !== null,
    quote_days: settings.quoteDays,
    quote_waiting_days: settings.quoteWaitingDays,
    version: settings.version,
  };
}
