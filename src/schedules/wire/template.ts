import { z } from 'zod';
import { CreateDocumentRequest, described, LineFields } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { nestedList, oneOf } from '../../platform/http/validation/fields.js';
import { allBut, requestShape } from '../../platform/http/validation/shapes.js';
import { matching, shortText } from '../../platform/http/validation/text-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';

const KINDS = ['invoice', 'quote'] as const;
nameWords({ ScheduledKind: KINDS });

const MOST_LINES = 200;

export const meterName = <const Options extends { optional?: boolean; description: string }>(
  options: Options,
) => shortText({ max: 40, example: 'api-calls', ...options });

const ScheduledLineFields = requestShape('ScheduledLineRequest', {
  ...allBut(LineFields.shape, ['id', 'service_period']),
  meter: meterName({
    optional: true,
    description:
      'Its quantity is what was reported by `POST .../usage` and not billed yet; a line of 0 is left out.',
  }),
});

export const ScheduledLineRequest = described(ScheduledLineFields);
export type ScheduledLineRequest = z.output<typeof ScheduledLineRequest>;

/** The document that is made each time. */
export const ScheduledDocumentRequest = requestShape('ScheduledDocumentRequest', {
  ...allBut(CreateDocumentRequest.shape, [
    'customer',
    'external_id',
    'issue',
    'issue_date',
    'due_date',
    'number',
    'prepayments',
    'service_period',
    'supply_date',
    'tax_point_date',
    'kind',
    'lines',
    'customer_id',
  ]),
  kind: oneOf(KINDS, { optional: true, description: 'Default: `invoice`.' }),
  customer_id: matching({
    refusal: FieldRefusal.invalid_id,
    test: (text) => /^cus_[0-9a-z]{26}$/.test(text),
    message: 'must be a customer id, cus_...',
  }),
  lines: nestedList(() => ScheduledLineRequest, {
    max: MOST_LINES,
    description:
      'A line with `item_id` and no price has that of the day. In descriptions, and in `notes`, ' +
      '`{period_start}`, `{period_end}` and `{month}` are written in the language of the document.',
  }),
});
export type ScheduledDocumentRequest = z.output<typeof ScheduledDocumentRequest>;

export const oneOffLines = () =>
  nestedList(() => ScheduledLineRequest, {
    min: 0,
    max: MOST_LINES,
    optional: true,
    description: 'On the next document only, such as a fee for setting up.',
  });
