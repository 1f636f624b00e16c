import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { field, Flag } from '../../platform/http/validation/fields.js';
import type { MailWish } from '../domain/mail-settings.js';

const MOST_DAYS = 10;
const [EARLIEST, LATEST] = [-60, 365];

const isDay = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= EARLIEST && (value as number) <= LATEST;

/** Days after a due date. */
const ReminderDays = () =>
  field(
    {
      code: 'invalid_reminder_days',
      test: (value) => Array.isArray(value) && value.length <= MOST_DAYS,
      message: `must be a list of at most ${MOST_DAYS} whole numbers of days`,
      entries: { test: isDay, message: `must be a whole number from ${EARLIEST} to ${LATEST}` },
    },
    {
      type: 'array',
      items: { type: 'integer', minimum: EARLIEST, maximum: LATEST },
      maxItems: MOST_DAYS,
    } as ApiPropertyOptions,
    {
      optional: true,
      description:
        'Days after the due date on which customers are reminded of what is due; below zero: before it. An empty list ends reminders.',
      example: [-3, 7],
    },
  );

export class PatchMailSettingsRequest {
  @Flag({ optional: true, description: 'Whether documents go to their customers at the issue.' })
  send_documents?: boolean;

  @Flag({ optional: true, description: 'Whether payments are confirmed, with a receipt.' })
  send_receipts?: boolean;

  @Flag({
    optional: true,
    description: 'Whether you are told when a client accepts or rejects, at the seller’s address.',
  })
  tell_answers?: boolean;

  @ReminderDays()
  reminder_days?: number[];
}

export function toMailWish(body: PatchMailSettingsRequest): MailWish {
  return {
    documents: body.send_documents,
    receipts: body.send_receipts,
    answers: body.tell_answers,
    reminderDays: body.reminder_days,
  };
}

export class MailSettingsBody {
  @ApiProperty() send_documents!: boolean;
  @ApiProperty() send_receipts!: boolean;
  @ApiProperty() tell_answers!: boolean;
  @ApiProperty({ type: 'array', items: { type: 'integer' } }) reminder_days!: number[];
  @ApiProperty() version!: number;
}
