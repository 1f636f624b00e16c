import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { DunningStep } from './dunning-plan.js';

/** How far the reminders of a document have come. */
export interface DunningState {
  /** How many steps are behind it: sent, on their way, or left out. */
  level: number;
  /** When its last letter was made, and by which day of the plan. */
  lastOn: IsoDate | null;
  lastDays: number | null;
  /** The last day until which somebody promised to pay. */
  promisedUntil: IsoDate | null;
  isPaused: boolean;
}

/** Of a document that has no reminder yet. */
export const FIRST_STATE: DunningState = {
  level: 0,
  lastOn: null,
  lastDays: null,
  promisedUntil: null,
  isPaused: false,
};

/** Why nobody is reminded now, or ever. */
export const WAITS = [
  'settled',
  'no_plan',
  'due_before_plan',
  'no_step_left',
  'paused',
  'promised',
  'disputed',
  'refund_undecided',
  'payment_on_its_way',
  'debit_planned',
  'credit_covers',
  'letter_on_its_way',
  'letter_failed',
  'not_yet',
] as const;
export type Wait = (typeof WAITS)[number];

/** A state with what a person said of it. */
export interface KeptState extends DunningState {
  documentId: Uuid;
  nextOn: IsoDate | null;
  /** Why no reminder was sent when it was looked at last. */
  waitsFor: Wait | null;
  note: string | null;
  version: number;
}

/** The money of a document, in minor units. */
export interface DunnedMoney {
  isOwed: boolean;
  /** Due, without what is on its way or undecided. */
  asked: bigint;
  undecided: bigint;
  processing: bigint;
  disputed: bigint;
  /** The day of a debit that is planned. */
  debitOn: IsoDate | null;
  /** Credit of the customer that is left for it, beside older documents. */
  credit: bigint;
  /** A letter that nobody knows the end of, or that failed. */
  letter: 'queued' | 'failed' | null;
}

export interface DunnedDocument {
  dueDate: IsoDate;
  state: DunningState;
  money: DunnedMoney;
}

export type NextStep =
  /** The letter of this step is due. `level`: how many are behind it then. */
  | { why: null; step: DunningStep; level: number }
  /** `until`: when to look again; null: not before somebody changes something. */
  | { why: Wait; until: IsoDate | null };

/** The letter that is due for a document today, or why none is. */
export function nextDunningStep(
  { dueDate, state, money }: DunnedDocument,
  steps: readonly DunningStep[],
  dueFrom: IsoDate | null,
  today: IsoDate,
): NextStep {
  const tomorrow = addDays(today, 1);
  if (!money.isOwed) return { why: 'settled', until: null };
  if (steps.length === 0) return { why: 'no_plan', until: null };
  if (dueFrom !== null && dueDate < dueFrom) return { why: 'due_before_plan', until: null };
  const found = stepAfter(state, steps, dueDate, today);
  if (!found) return { why: 'no_step_left', until: null };
  const held = heldBy(state, money, today);
  if (held) return { why: held.why, until: held.until === 'tomorrow' ? tomorrow : held.until };
  return found.on > today
    ? { why: 'not_yet', until: found.on }
    : { why: null, step: found.step, level: found.level };
}

/** The step to come, and its day: as far behind the last letter as the plan has them apart. */
export function stepAfter(
  { level, lastOn, lastDays }: DunningState,
  steps: readonly DunningStep[],
  dueDate: IsoDate,
  today: IsoDate,
): { step: DunningStep; level: number; on: IsoDate } | null {
  // Nobody is told that something will be due which is over already.
  const index = steps.findIndex(({ days }, at) => at >= level && (days > 0 || today <= dueDate));
  const step = steps[index];
  if (!step) return null;
  const planned = addDays(dueDate, step.days);
  const apart =
    lastOn === null ? planned : addDays(lastOn, Math.max(1, step.days - (lastDays ?? 0)));
  return { step, level: index + 1, on: apart > planned ? apart : planned };
}

/** Why nobody is reminded, whatever the plan says; null: nothing holds it back. */
export function heldBy(
  { promisedUntil, isPaused }: DunningState,
  money: DunnedMoney,
  today: IsoDate,
): { why: Wait; until: IsoDate | 'tomorrow' | null } | null {
  if (isPaused) return { why: 'paused', until: null };
  if (promisedUntil !== null && promisedUntil >= today) {
    return { why: 'promised', until: addDays(promisedUntil, 1) };
  }
  if (money.letter === 'queued') return { why: 'letter_on_its_way', until: 'tomorrow' };
  if (money.letter === 'failed') return { why: 'letter_failed', until: 'tomorrow' };
  if (money.disputed > 0n) return { why: 'disputed', until: 'tomorrow' };
  if (money.debitOn !== null) {
    return { why: 'debit_planned', until: 'tomorrow' };
  }
  if (money.asked <= 0n) {
    const isProcessing = money.processing > 0n;
    return { why: isProcessing ? 'payment_on_its_way' : 'refund_undecided', until: 'tomorrow' };
  }
  return money.credit >= money.asked ? { why: 'credit_covers', until: 'tomorrow' } : null;
}
