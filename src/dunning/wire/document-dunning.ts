import { z } from 'zod';
import type { IsoDate } from '../../kernel/clock.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { count, day } from '../../platform/http/validation/answer-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { flag } from '../../platform/http/validation/fields.js';
import { answerShape, patchOf, requestShape } from '../../platform/http/validation/shapes.js';
import { paragraph } from '../../platform/http/validation/text-fields.js';
import { type KeptState, type Wait, WAITS } from '../domain/next-step.js';

nameWords({ DunningWait: WAITS });

export const PatchDocumentDunningRequest = requestShape(
  'PatchDocumentDunningRequest',
  patchOf({
    promised_until: dateText({
      optional: true,
      description: 'The day until which the customer promised to pay: nobody reminds them before.',
    }),
    paused: flag({ optional: true, description: 'Whether nobody is reminded until you say so.' }),
    note: paragraph({ max: 2000, optional: true, description: 'Why; only you see it.' }),
  }),
);
export type PatchDocumentDunningRequest = z.output<typeof PatchDocumentDunningRequest>;

export const DocumentDunningBody = answerShape('DocumentDunningBody', {
  document_id: z.string(),
  steps_behind: count.describe('How many steps of the plan are behind it.'),
  last_on: day.nullable().describe('The day of its last reminder.'),
  next_step: count.nullable().describe('From 1; null: none comes.'),
  next_on: day.nullable().describe('The day of that, if nothing holds it back until then.'),
  waits_for: z
    .enum(WAITS)
    .nullable()
    .describe('Why no reminder is sent today; null: it is sent with the next round.'),
  promised_until: day.nullable(),
  paused: z.boolean(),
  note: z.string().nullable(),
  version: z.number(),
});
export type DocumentDunningBody = z.output<typeof DocumentDunningBody>;

/** A state, and what the plan says of it. */
export interface DocumentDunning {
  state: KeptState;
  documentId: string;
  nextStep: number | null;
  nextOn: IsoDate | null;
  why: Wait | null;
}

export function presentDocumentDunning(dunning: DocumentDunning): DocumentDunningBody {
  const { state, documentId, nextStep, nextOn, why } = dunning;
  return {
    document_id: documentId,
    steps_behind: state.level,
    last_on: state.lastOn,
    next_step: nextStep,
    next_on: nextOn,
    waits_for: why,
    ...saidOfDunning(state),
    version: state.version,
  };
}

/** The words of a person about it. */
export const saidOfDunning = ({ promisedUntil, isPaused, note }: KeptState) => ({
  promised_until: promisedUntil,
  paused: isPaused,
  note,
});

/** An absent field stays; null is the default. */
export function toSaid(
  { promised_until: until, paused, note }: PatchDocumentDunningRequest,
  before: KeptState,
): Pick<KeptState, 'promisedUntil' | 'isPaused' | 'note'> {
  return {
    promisedUntil: until === undefined ? before.promisedUntil : until,
    isPaused: paused === undefined ? before.isPaused : (paused ?? false),
    note: note === undefined ? before.note : note,
  };
}
