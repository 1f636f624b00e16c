import { z } from 'zod';
import { nameWords } from '../../platform/http/openapi/words.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import {
  amountMinor,
  decimalText,
  flag,
  nested,
  nestedList,
  oneOf,
  wholeNumber,
} from '../../platform/http/validation/fields.js';
import { metadata } from '../../platform/http/validation/list-fields.js';
import { patchOf, requestShape } from '../../platform/http/validation/shapes.js';
import { matching, shortText } from '../../platform/http/validation/text-fields.js';
import { RECURRENCE_UNITS, WEEKDAYS } from '../domain/recurrence.js';
import {
  BUSINESS_MOVES,
  CLIENT_RIGHTS,
  MISSED_POLICIES,
  PRORATIONS,
  SCHEDULE_ACTIONS,
  SCHEDULE_STATUSES,
  TIMINGS,
} from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { isRule } from '../domain/rule-text.js';
import { oneOffLines, ScheduledDocumentRequest, ScheduledLineRequest } from './template.js';

nameWords({
  ScheduleStatus: SCHEDULE_STATUSES,
  ScheduleAction: SCHEDULE_ACTIONS,
  ScheduleTiming: TIMINGS,
  ScheduleMissed: MISSED_POLICIES,
  ScheduleProration: PRORATIONS,
  ScheduleClientRight: CLIENT_RIGHTS,
  RecurrenceUnit: RECURRENCE_UNITS,
  Weekday: WEEKDAYS,
  BusinessDayMove: BUSINESS_MOVES,
});

const LONGEST_EXTERNAL_ID = 255;
const MOST_PERIODS = 10_000;
const MOST_REVIEW_HOURS = 720;

export const RecurrenceRequest = requestShape('RecurrenceRequest', {
  every: oneOf(RECURRENCE_UNITS, {
    optional: true,
    description: 'Send this, or rrule. A month without its day has its last one instead.',
  }),
  interval: wholeNumber({ min: 1, max: 999, optional: true, description: 'Default: 1.' }),
  day: wholeNumber({
    min: 1,
    max: 31,
    optional: true,
    example: 31,
    description: 'Of a month or a year. Default: that of the first day.',
  }),
  month: wholeNumber({
    min: 1,
    max: 12,
    optional: true,
    description: 'Of a year. Default: that of the first day.',
  }),
  weekday: oneOf(WEEKDAYS, {
    optional: true,
    description: 'Of a week. Default: that of the first day.',
  }),
  rrule: matching(
    {
      refusal: ScheduleRefusal.unknown_recurrence,
      test: (text) => text.length <= 500 && isRule(text),
      message:
        'must be a rule of RFC 5545 of days, weeks, months or years, without COUNT, UNTIL and hours',
    },
    {
      optional: true,
      example: 'FREQ=MONTHLY;BYDAY=-1FR',
      description: 'RFC 5545, which leaves out a month without the day.',
    },
  ),
});
export type RecurrenceRequest = z.output<typeof RecurrenceRequest>;

export const BusinessDaysRequest = requestShape('BusinessDaysRequest', {
  country: shortText({ min: 2, max: 2, example: 'DE', description: 'ISO 3166-1.' }),
  region: shortText({
    max: 10,
    optional: true,
    example: 'BY',
    description: 'ISO 3166-2, without the country.',
  }),
  move: oneOf(BUSINESS_MOVES, {
    description: 'To the business day after a weekend or holiday, or before it. Periods stay.',
  }),
});

const UNIT_PRICE = {
  unit_amount: amountMinor({ zero: true, optional: true, description: 'In minor units.' }),
  unit_amount_decimal: decimalText({
    min: '0',
    max: '10000000000000',
    places: 12,
    textOnly: true,
    optional: true,
    description: 'Send this, or unit_amount.',
  }),
};

export const PriceChangeRequest = requestShape('PriceChangeRequest', {
  from: dateText({ description: 'Of periods that begin on this day, or later.' }),
  percent: decimalText({
    min: '-100',
    max: '1000',
    places: 4,
    optional: true,
    example: '3.5',
    description: 'Of the price then, also of one that was changed before. Or send a price.',
  }),
  line: shortText({
    max: 255,
    optional: true,
    description: 'The external_id of the line. Default, of a percentage: all that say a price.',
  }),
  ...UNIT_PRICE,
});

const MinimumRequest = requestShape('MinimumRequest', {
  amount: amountMinor({ description: 'Of all lines together, taxed as prices are.' }),
  line: nested(() => ScheduledLineRequest, {
    description: 'Its price is what lacks; it says description and tax.',
  }),
});

/** The fields that a patch may change. */
const ScheduleFields = requestShape('ScheduleFields', {
  name: shortText({ max: 200, example: 'Rent, flat 4' }),
  external_id: shortText({
    max: LONGEST_EXTERNAL_ID,
    optional: true,
    description: 'Your own id; unique in the account.',
  }),
  document: nested(() => ScheduledDocumentRequest, {
    description: 'All that each document says. Its dates come from its period.',
  }),
  recurrence: nested(() => RecurrenceRequest, {
    description: 'The days on which periods begin, in the zone of the account.',
  }),
  business_days: nested(() => BusinessDaysRequest, {
    optional: true,
    description: 'Makes no document on a weekend or holiday.',
  }),
  action: oneOf(SCHEDULE_ACTIONS, {
    description:
      'How far a document goes by itself: `draft`; `issue`; `send`, by mail; `collect`, by mail and by the mandate of the customer, which needs `payments:write`.',
  }),
  review_hours: wholeNumber({
    min: 0,
    max: MOST_REVIEW_HOURS,
    optional: true,
    description:
      'So long it stays a draft, which may be changed, or deleted: then nothing is issued. Default: 0.',
  }),
  missed: oneOf(MISSED_POLICIES, {
    optional: true,
    description:
      'Of periods whose day went by while the service was down: `all` (default), each dated as it should be; `newest`; or `ask`.',
  }),
  proration: oneOf(PRORATIONS, {
    optional: true,
    description:
      'Of a first or last part of a period: its price (`none`, the default), or by its days.',
  }),
  price_changes: nestedList(() => PriceChangeRequest, {
    min: 0,
    max: 100,
    optional: true,
    description: 'From a day on. Items without a price of the line have that of the day anyway.',
  }),
  minimum: nested(() => MinimumRequest, {
    optional: true,
    description: 'A document of less gets a line with the rest.',
  }),
  one_off_lines: oneOffLines(),
  client_may: oneOf(CLIENT_RIGHTS, {
    optional: true,
    description: 'What the client may do on the page of a document. Default: `nothing`.',
  }),
  end_date: dateText({ optional: true, description: 'The last day of the last period.' }),
  periods: wholeNumber({
    min: 1,
    max: MOST_PERIODS,
    optional: true,
    description: 'How many there are, without a trial.',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own.' }),
});

export const CreateScheduleRequest = requestShape('CreateScheduleRequest', {
  ...ScheduleFields.shape,
  timing: oneOf(TIMINGS, {
    optional: true,
    description:
      '`in_advance` (default): on the first day of the period. `in_arrears`: on the day after its last one.',
  }),
  start_date: dateText({
    optional: true,
    description:
      'The first day of the first period. Default: today, in the time zone of the account.',
  }),
  trial_end: dateText({
    optional: true,
    description: 'The last day without a document; the rule counts from the day after.',
  }),
  backdated: flag({
    optional: true,
    description:
      'Must be true where start_date is over: the documents of the periods since are made at once.',
  }),
});
export type CreateScheduleRequest = z.output<typeof CreateScheduleRequest>;

export const PatchScheduleRequest = requestShape(
  'PatchScheduleRequest',
  patchOf(ScheduleFields.shape),
);
export type PatchScheduleRequest = z.output<typeof PatchScheduleRequest>;

export const ResumeScheduleRequest = requestShape('ResumeScheduleRequest', {
  make_missed: flag({
    optional: true,
    description:
      'True to make what the pause has left out, as `missed` says. Default: those periods are skipped.',
  }),
});
export type ResumeScheduleRequest = z.output<typeof ResumeScheduleRequest>;

export const EndScheduleRequest = requestShape('EndScheduleRequest', {
  end_date: dateText({
    optional: true,
    description:
      'The last day of the last period. Default: today. What is in arrears then is billed once more.',
  }),
});
export type EndScheduleRequest = z.output<typeof EndScheduleRequest>;

export const SkipPeriodRequest = requestShape('SkipPeriodRequest', {
  period_start: dateText({
    optional: true,
    description: 'The first day of one of the next 24 periods. Default: the next.',
  }),
});
export type SkipPeriodRequest = z.output<typeof SkipPeriodRequest>;

export const MovePeriodRequest = requestShape('MovePeriodRequest', {
  runs_on: dateText({ description: 'The day on which the next document is made. Periods stay.' }),
});
export type MovePeriodRequest = z.output<typeof MovePeriodRequest>;
