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

/** The money of a document that is owed, in minor units. */
export interface DunnedMoney {
  /** Due, without what is on its way or undecided. */
  asked: bigint;
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

/** `until`: when to look again; null: not before somebody changes something. */
interface Held {
  why: Wait;
  until: IsoDate | null;
}

/** The letter of this step is due, with `level` steps behind it then; or none is. */
export type NextStep = { why: null; step: DunningStep; level: number } | Held;

/** The letter that is due for a document that is owed, or why none is. */
export function nextDunningStep(
  { dueDate, state, money }: DunnedDocument,
  steps: readonly DunningStep[],
  dueFrom: IsoDate | null,
  today: IsoDate,
): NextStep {
  if (steps.length === 0) return { why: 'no_plan', until: null };
  if (dueFrom !== null && dueDate < dueFrom) return { why: 'due_before_plan', until: null };
  const found = stepAfter(state, steps, dueDate, today);
  if (!found) return { why: 'no_step_left', until: null };
  const held = heldBy(state, money, today);
  if (held) return held;
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
): Held | null {
  if (isPaused) return { why: 'paused', until: null };
  if (promisedUntil !== null && promisedUntil >= today) {
    return { why: 'promised', until: addDays(promisedUntil, 1) };
  }
  const why = heldByMoney(money);
  return why && { why, until: addDays(today, 1) };
}

function heldByMoney(money: DunnedMoney): Wait | null {
  if (money.letter === 'queued') return 'letter_on_its_way';
  if (money.letter === 'failed') return 'letter_failed';
  if (money.disputed > 0n) return 'disputed';
  if (money.debitOn !== null) return 'debit_planned';
  if (money.asked <= 0n) return money.processing > 0n ? 'payment_on_its_way' : 'refund_undecided';
  return money.credit >= money.asked ? 'credit_covers' : null;
}
