import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { wholeList } from '../../platform/http/paging.js';
import { flag, oneOf, wholeNumber } from '../../platform/http/validation/fields.js';
import { matching } from '../../platform/http/validation/text-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { DOCUMENT_KINDS } from '../domain/lifecycle.js';
import { LONGEST_PATTERN, NumberPattern } from '../domain/numbering/number-pattern.js';
import { LARGEST_SEQUENCE, RESETS, SERIES_NAME } from '../domain/numbering/number-series.js';
import { DocumentRefusal } from '../domain/refusals.js';

nameWords({ NumberReset: RESETS });

const pattern = (optional: boolean) =>
  matching(
    {
      refusal: DocumentRefusal.invalid_pattern,
      test: (text) => NumberPattern.faultOf(text) === undefined,
      message: (value) =>
        (typeof value === 'string' && NumberPattern.faultOf(value)) || 'must be text',
    },
    {
      optional,
      example: 'INV-{YYYY}-{SEQ:5}',
      description:
        'Text with {SEQ} exactly once, or {SEQ:n} for n digits with leading zeros. {YYYY}, ' +
        '{YY} and {MM} stand for the issue date.',
      schema: { minLength: 1, maxLength: LONGEST_PATTERN },
    },
  );

const resetField = () =>
  oneOf(RESETS, {
    optional: true,
    description:
      'When the count starts again, by issue date. `year` needs {YYYY} or {YY} in the ' +
      'pattern, and `month` needs {MM} as well.',
  });

const isDefault = () =>
  flag({ optional: true, description: 'Documents of its kind take it when they name no series.' });

const DATES_IN_ORDER =
  'No document is dated before the one that has the number before it: to issue it is refused with ' +
  '`date_before_last_issued`. Otherwise the answer only warns.';

const datesInOrder = () => flag({ optional: true, description: DATES_IN_ORDER });

export const CreateNumberSeriesRequest = requestShape('CreateNumberSeriesRequest', {
  id: matching(
    {
      refusal: DocumentRefusal.invalid_series,
      test: (text) => SERIES_NAME.test(text),
      message: 'must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter or digit',
    },
    { example: 'web-shop', schema: { pattern: SERIES_NAME.source } },
  ),
  kind: oneOf(DOCUMENT_KINDS),
  pattern: pattern(false),
  reset: resetField(),
  start_at: wholeNumber({
    min: 1,
    max: LARGEST_SEQUENCE,
    optional: true,
    description: 'The first sequence of each period. Default: 1.',
  }),
  default: isDefault(),
  dates_in_order: datesInOrder(),
});
export type CreateNumberSeriesRequest = z.output<typeof CreateNumberSeriesRequest>;

export const ChangeNumberSeriesRequest = requestShape('ChangeNumberSeriesRequest', {
  pattern: pattern(true),
  reset: resetField(),
  default: isDefault(),
  dates_in_order: datesInOrder(),
  next: wholeNumber({
    min: 1,
    max: LARGEST_SEQUENCE,
    optional: true,
    description:
      'The sequence from which the present period goes on. It can only be set before the ' +
      'period’s first number is taken.',
  }),
});
export type ChangeNumberSeriesRequest = z.output<typeof ChangeNumberSeriesRequest>;

const NumberSeriesFields = answerShape('NumberSeriesFields', {
  kind: z.string().meta({ enum: DOCUMENT_KINDS }),
  pattern: z.string().meta({ example: 'INV-{YYYY}-{SEQ:5}' }),
  reset: z.string().meta({ enum: RESETS }),
});
type NumberSeriesFields = z.output<typeof NumberSeriesFields>;

export const NumberSeriesBody = answerShape('NumberSeriesBody', {
  ...NumberSeriesFields.shape,
  id: z.string().meta({ example: 'invoice' }),
  default: z.boolean().describe('Documents of its kind take it when they name no series.'),
  dates_in_order: z.boolean().describe(DATES_IN_ORDER),
  start_at: z.number().describe('The first sequence of each period.'),
  period: z.string().meta({
    example: '2026',
    description:
      'The period of a document that is issued today: empty, a year, or a year and a month.',
  }),
  next: z.number().describe('The sequence that such a document would get.'),
  next_number: z.string().meta({ example: 'INV-2026-00001' }),
  created_at: z.string().nullable().meta({
    format: 'date-time',
    description: 'It is null for a built-in series that was never used.',
  }),
});
export type NumberSeriesBody = z.output<typeof NumberSeriesBody>;

export const NumberSeriesList = wholeList('NumberSeriesList', NumberSeriesBody);
export type NumberSeriesList = z.output<typeof NumberSeriesList>;

const NumberGapBody = answerShape('NumberGapBody', {
  from: z.number(),
  to: z.number(),
});
type NumberGapBody = z.output<typeof NumberGapBody>;

const NumberPeriodBody = answerShape('NumberPeriodBody', {
  period: z.string().meta({ example: '2026' }),
  first: z.number().nullable().describe('The first sequence that was given.'),
  last: z.number().nullable().describe('The last sequence that was given.'),
  first_number: z.string().nullable().describe('That of the lowest sequence.'),
  last_number: z.string().nullable().describe('That of the highest sequence.'),
  count: z.number().describe('How many documents were found.'),
  voided: z.number().describe('How many of them are void; they keep their numbers.'),
  gaps: z
    .array(NumberGapBody)
    .describe(
      'Sequences that were given but that no document has: the first 100 ranges, with both ends.',
    ),
  gap_count: z.number().describe('How many sequences are missing altogether.'),
  skipped: z
    .array(NumberGapBody)
    .describe(
      'Sequences that were given, and whose documents a database server lost: the first 100 ranges.',
    ),
  skipped_count: z.number().describe('How many sequences were skipped so.'),
  doubles: z.number().describe('How many documents repeat the sequence of another.'),
  strays: z
    .number()
    .describe(
      'How many documents have a sequence that was never given, or that is not the one in ' +
        'their number.',
    ),
});
type NumberPeriodBody = z.output<typeof NumberPeriodBody>;

export const NumberingAuditBody = answerShape('NumberingAuditBody', {
  ...NumberSeriesFields.shape,
  series_id: z.string().meta({ example: 'invoice' }),
  periods: z.array(NumberPeriodBody),
  complete: z
    .boolean()
    .describe(
      'True if every sequence that was given is on exactly one document or skipped, and no ' +
        'document has another.',
    ),
});
export type NumberingAuditBody = z.output<typeof NumberingAuditBody>;
