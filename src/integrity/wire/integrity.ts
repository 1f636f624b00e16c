import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { parameter } from '../../platform/http/validation/standard-fields.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';
import { matching } from '../../platform/http/validation/text-fields.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const DIGEST = { pattern: '^[0-9a-f]{64}$' };
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const IntegrityParameters = queryShape({
  sequence: parameter(
    (value) => (/^\d{1,15}$/.test(value) ? Number(value) : value),
    wholeNumber({
      min: 1,
      max: 999_999_999_999_999,
      optional: true,
      description: 'The `sealed.sequence` of an earlier answer; send its `digest` as well.',
    }),
  ),
  digest: matching(
    {
      refusal: FieldRefusal.invalid_digest,
      test: (text) => /^[0-9a-f]{64}$/.test(text),
      message: 'must be 64 hexadecimal digits, as sealed.digest has them',
    },
    {
      optional: true,
      description:
        'The `sealed.digest` of an earlier answer. `contains_seal` says whether it is still in ' +
        'the chain.',
      example: SHA256,
      schema: DIGEST,
    },
  ),
});
export type IntegrityParameters = z.output<typeof IntegrityParameters>;

const DifferenceBody = answerShape('DifferenceBody', {
  check: z
    .string()
    .meta({ example: 'document amount_paid is the sum of its payments and allocations' }),
  id: z
    .string()
    .meta({ description: 'What it is about.', example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  stored: z.string().meta({ description: 'What is stored, or was recorded.', example: '2501' }),
  derived: z.string().meta({ description: 'The value that was derived again.', example: '2500' }),
});
type DifferenceBody = z.output<typeof DifferenceBody>;

const SealedBody = answerShape('SealedBody', {
  sequence: z
    .number()
    .meta({ type: 'integer', minimum: 1, description: 'The newest seal’s place in the chain.' }),
  digest: z.string().meta({
    description:
      'It covers everything that is sealed. Keep it in another place, with its sequence.',
    example: SHA256,
    ...DIGEST,
  }),
  through: z
    .number()
    .meta({ type: 'integer', description: 'Transactions before this one are sealed.' }),
  rows: z.number().meta({ type: 'integer', minimum: 1, description: 'How many rows are sealed.' }),
  sealed_at: z.string().meta({ format: 'date-time' }),
});
type SealedBody = z.output<typeof SealedBody>;

export const IntegrityBody = answerShape('IntegrityBody', {
  checks: z
    .number()
    .meta({ type: 'integer', minimum: 1, description: 'How many checks were made.' }),
  differences: z.array(DifferenceBody).describe('Empty if the books are in order.'),
  sealed: SealedBody.nullable().describe('null before the first seal.'),
  unsealed_rows: z
    .number()
    .meta({ type: 'integer', minimum: 0, description: 'Rows that the next seal will cover.' }),
  contains_seal: z
    .boolean()
    .nullable()
    .describe('Whether the chain has the seal that was asked for; null if none was.'),
});
export type IntegrityBody = z.output<typeof IntegrityBody>;
