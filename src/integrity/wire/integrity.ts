import { z } from 'zod';
import { publicId } from '../../kernel/ids.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { count, instant, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { parameter } from '../../platform/http/validation/standard-fields.js';
import { flag, wholeNumber } from '../../platform/http/validation/fields.js';
import { matching } from '../../platform/http/validation/text-fields.js';
import { type IntegrityRun, type LastRuns, RUN_STATUSES } from '../domain/integrity-run.js';
import type { SealStanding } from '../infrastructure/integrity.query.js';
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

nameWords({ IntegrityRunStatus: RUN_STATUSES });

export const StartIntegrityRunRequest = requestShape('StartIntegrityRunRequest', {
  full: flag({
    optional: true,
    description:
      'Whether to look at all; default: at what is new, and at a share of what was checked before.',
  }),
});
export type StartIntegrityRunRequest = z.output<typeof StartIntegrityRunRequest>;

export const IntegrityRunBody = answerShape('IntegrityRunBody', {
  id: publicIdOf('chk'),
  status: z.enum(RUN_STATUSES).meta({
    description:
      '`waiting` for its turn; `running`; `paused` by you; `finished`; `canceled` by you; `failed`: a check could not be made, and the log of the service says why.',
  }),
  full: z
    .boolean()
    .describe(
      'Whether it looks at all; else at what is new, and at a share of what was checked before.',
    ),
  requested_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  checks: count.nullable().describe('How many single checks it has; null until one is done.'),
  checks_done: count,
  difference_count: count.describe('How many differences were found by now.'),
  differences: z.array(DifferenceBody).describe('The first of them.'),
  failed_check: z.string().nullable().describe('The check that could not be made.'),
});
export type IntegrityRunBody = z.output<typeof IntegrityRunBody>;

export const IntegrityBody = answerShape('IntegrityBody', {
  checks: z
    .number()
    .meta({ type: 'integer', minimum: 1, description: 'How many checks were made.' }),
  differences: z.array(DifferenceBody).describe('Empty if the books are in order.'),
  difference_count: count.describe('How many there are, of which the first are told.'),
  checked_at: instant.describe('When that check began.'),
  fully_checked_at: instant
    .nullable()
    .describe('When the last check began that looked at all; null: none is kept.'),
  under_way: IntegrityRunBody.nullable().describe('A newer check that has not ended.'),
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

export function presentIntegrityRun(run: IntegrityRun): IntegrityRunBody {
  return {
    id: publicId('chk', run.runId),
    status: run.status,
    full: run.isFull,
    requested_at: run.requestedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    checks: run.checks,
    checks_done: run.done.length,
    difference_count: run.differences,
    differences: [...run.found],
    failed_check: run.failedCheck,
  };
}

const beginOf = ({ startedAt, requestedAt }: IntegrityRun) =>
  (startedAt ?? requestedAt).toISOString();

export function presentIntegrity(
  { last, full, underWay }: LastRuns,
  { sealed, unsealed }: SealStanding,
) {
  return {
    checks: last.done.length,
    differences: [...last.found],
    difference_count: last.differences,
    checked_at: beginOf(last),
    fully_checked_at: full ? beginOf(full) : null,
    under_way: underWay ? presentIntegrityRun(underWay) : null,
    sealed: sealed && {
      sequence: Number(sealed.sequence),
      digest: sealed.digest,
      through: Number(sealed.through),
      rows: Number(sealed.rows),
      sealed_at: sealed.sealedAt.toISOString(),
    },
    unsealed_rows: Number(unsealed),
  };
}
