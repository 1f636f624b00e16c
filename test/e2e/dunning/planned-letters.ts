/*
 * Letters of a plan, calculated by walking the days one by one: nothing here is shared with the service.
 * Days are numbers since 1970, amounts in minor units.
 */

export interface PlannedStep {
  days: number;
  fee: number;
  interest: boolean;
  lumpSum: boolean;
}

/** A document and all that happens to it; each day has at most one of each. */
export interface LateDebt {
  due: number;
  amount: number;
  kind: 'business' | 'consumer';
  payments: Map<number, number>;
  /** The last day of a promise, by the day on which it was made, after the round of that day. */
  promises: Map<number, number>;
  pauses: Map<number, boolean>;
}

export interface PlannedLetter {
  day: number;
  step: number;
  asked: number;
  fee: number;
  interest: number;
  lumpSum: number;
}

/** Percent a year of a day, as hundredths. */
type RateOf = (day: number) => bigint;

/** @param rounds days on which the service looked, in order; what happens comes after its round */
export function plannedLetters(
  debt: LateDebt,
  steps: readonly PlannedStep[],
  rounds: readonly number[],
  rateOf: RateOf,
): PlannedLetter[] {
  const letters: PlannedLetter[] = [];
  let owed = debt.amount;
  let promised = -Infinity;
  let paused = false;
  const owedAtEndOf = new Map<number, number>();
  const last = rounds.at(-1) ?? 0;
  for (let day = rounds[0] ?? 0; day <= last; day += 1) {
    if (rounds.includes(day) && owed > 0 && !paused && promised < day) {
      owedAtEndOf.set(day, owed);
      const letter = letterOn(day, debt, steps, letters, owedAtEndOf, rateOf);
      if (letter) letters.push({ ...letter, asked: owed });
    }
    owed -= debt.payments.get(day) ?? 0;
    promised = debt.promises.get(day) ?? promised;
    paused = debt.pauses.get(day) ?? paused;
    owedAtEndOf.set(day, owed);
  }
  return letters;
}

function letterOn(
  day: number,
  debt: LateDebt,
  steps: readonly PlannedStep[],
  before: readonly PlannedLetter[],
  owedAtEndOf: ReadonlyMap<number, number>,
  rateOf: RateOf,
): PlannedLetter | null {
  const done = before.at(-1)?.step ?? 0;
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    if (step.days <= 0 && day > debt.due) continue;
    const previous = before.at(-1);
    const gap = previous ? Math.max(1, step.days - (steps[previous.step - 1]?.days ?? 0)) : 0;
    const earliest = Math.max(debt.due + step.days, previous ? previous.day + gap : -Infinity);
    if (day < earliest) return null;
    const first = before.find((one) => (steps[one.step - 1]?.days ?? 0) > 0)?.day;
    const from = debt.kind === 'business' ? debt.due : first;
    const asked = before.reduce((sum, { interest }) => sum + interest, 0);
    const all = step.interest && from !== undefined ? sumOf(from + 1, day, owedAtEndOf, rateOf) : 0;
    const hasLumpSum = before.some(({ lumpSum }) => lumpSum > 0);
    return {
      day,
      step: index + 1,
      asked: 0,
      fee: step.fee,
      interest: Math.max(0, all - asked),
      lumpSum: step.lumpSum && !hasLumpSum ? 4000 : 0,
    };
  }
  return null;
}

/** Of each day for itself, added before it is rounded. */
function sumOf(
  from: number,
  through: number,
  owedAtEndOf: ReadonlyMap<number, number>,
  rateOf: RateOf,
): number {
  let sum = 0n;
  for (let day = from; day <= through; day += 1) {
    sum += BigInt(owedAtEndOf.get(day) ?? 0) * rateOf(day);
  }
  const whole = 365n * 100n * 100n;
  return Number((2n * sum + whole) / (2n * whole));
}
