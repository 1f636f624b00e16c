import { z } from 'zod';
import type { MailSettings, MailWish } from '../domain/mail-settings.js';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { field, flag } from '../../platform/http/validation/fields.js';
import { entriesOf } from '../../platform/http/validation/list-fields.js';
import { MailRefusal } from '../domain/refusals.js';

const MOST_DAYS = 10;
const [EARLIEST, LATEST] = [-60, 365];

const isDay = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= EARLIEST && (value as number) <= LATEST;

/** Days after a due date. */
const reminderDays = () =>
  field(
    entriesOf<number[]>({
      refusal: MailRefusal.invalid_reminder_days,
      test: (value) => Array.isArray(value) && value.length <= MOST_DAYS,
      message: `must be a list of at most ${MOST_DAYS} whole numbers of days`,
      entries: { test: isDay, message: `must be a whole number from ${EARLIEST} to ${LATEST}` },
    }),
    [MailRefusal.invalid_reminder_days],
    {
      type: 'array',
      items: { type: 'integer', minimum: EARLIEST, maximum: LATEST },
      maxItems: MOST_DAYS,
    },
    {
      optional: true,
      description:
        'Days after the due date on which customers are reminded of what is due; below zero: before it. An empty list ends reminders.',
      example: [-3, 7],
    },
  );

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
  reminder_days: reminderDays(),
});
export type PatchMailSettingsRequest = z.output<typeof PatchMailSettingsRequest>;

export function toMailWish(body: PatchMailSettingsRequest): MailWish {
  return {
    documents: body.send_documents,
    receipts: body.send_receipts,
    answers: body.tell_answers,
    reminderDays: body.reminder_days,
  };
}

export const MailSettingsBody = answerShape('MailSettingsBody', {
  send_documents: z.boolean(),
  send_receipts: z.boolean(),
  tell_answers: z.boolean(),
  reminder_days: z.array(z.number().meta({ type: 'integer' })),
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
    version: settings.version,
  };
}
