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

/** A payment, a promise, or a pause and its end. */
export interface Happening {
  /** The round that it came behind. */
  round: number;
  /** It came before that round instead, on the same day. */
  isBefore?: boolean;
  paid?: number;
  /** The last day of a promise. */
  promised?: number;
  paused?: boolean;
}

/** A document and all that happens to it. */
export interface LateDebt {
  due: number;
  amount: number;
  kind: 'business' | 'consumer';
  /** It bills what letters asked for, so nothing is asked for beside it. */
  isOfCharges?: boolean;
  /** The first day on which a letter about others asked for it, too; default: none did. */
  listedOn?: number;
  /** The first round that could see it; default: the first of all. */
  since?: number;
  /** In their order. */
  happened: Happening[];
}

export interface PlannedLetter {
  /** The round that made it. */
  round: number;
  day: number;
  step: number;
  asked: number;
  fee: number;
  interest: number;
  lumpSum: number;
}

/** Percent a year of a day, as hundredths. */
type RateOf = (day: number) => bigint;

const PLAIN = { fee: 0, interest: false, lumpSum: false };

/** Plans with all that a letter may ask for. */
export const DUNNED_BY: Record<LateDebt['kind'], PlannedStep[]> = {
  business: [
    { ...PLAIN, days: -2 },
    { ...PLAIN, days: 6 },
    { days: 17, fee: 0, interest: true, lumpSum: true },
    { days: 31, fee: 0, interest: true, lumpSum: false },
  ],
  consumer: [
    { ...PLAIN, days: 4 },
    { days: 15, fee: 250, interest: true, lumpSum: false },
    { ...PLAIN, days: 29, interest: true },
  ],
};

const told = ({ days, fee, interest, lumpSum }: PlannedStep) => ({
  days,
  interest,
  lump_sum: lumpSum,
  fees: fee > 0 ? [{ currency: 'EUR', amount: fee }] : [],
});

/** The plans as `PATCH dunning-plan` takes them. */
export const planRequest = (): object => ({
  business_steps: DUNNED_BY.business.map(told),
  consumer_steps: DUNNED_BY.consumer.map(told),
});

/** By the law of Germany. @param bases base rates in hundredths, by the day from which each counts */
export function germanRate(
  kind: LateDebt['kind'],
  bases: readonly { from: string; base: bigint }[],
): RateOf {
  return (day) => {
    const date = isoOfDay(day);
    const base = bases.findLast(({ from }) => from <= date)?.base ?? 0n;
    return base + (kind === 'business' ? 900n : 500n);
  };
}

/** `YYYY-MM-DD` of a number of days since 1970. */
export const isoOfDay = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const dayOfIso = (date: string) => Date.parse(date) / 86_400_000;

/** @param rounds days on which the service looked, in order; one may have several */
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
  let known = debt.due;
  const rest = [...debt.happened];
  const live = (day: number, isNow: (one: Happening) => boolean) => {
    while (rest[0] && isNow(rest[0])) {
      const one = rest.shift()!;
      owed -= one.paid ?? 0;
      promised = one.promised ?? promised;
      paused = one.paused ?? paused;
      // The day of a payment bears no interest for what was paid.
      owedAtEndOf.set(day, owed);
    }
  };
  for (let round = debt.since ?? 0; round < rounds.length; round += 1) {
    const day = rounds[round]!;
    for (; known <= day; known += 1) owedAtEndOf.set(known, owed);
    live(day, (one) => one.round === round && one.isBefore === true);
    if (owed > 0 && !paused && promised < day) {
      const letter = letterOn(day, debt, steps, letters, owedAtEndOf, rateOf);
      if (letter) letters.push({ ...letter, round, asked: owed });
    }
    live(day, (one) => one.round <= round);
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
): Omit<PlannedLetter, 'round'> | null {
  const done = before.at(-1)?.step ?? 0;
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    if (step.days <= 0 && day > debt.due) continue;
    const previous = before.at(-1);
    const gap = previous ? Math.max(1, step.days - (steps[previous.step - 1]?.days ?? 0)) : 0;
    const earliest = Math.max(debt.due + step.days, previous ? previous.day + gap : -Infinity);
    if (day < earliest) return null;
    const letter = { day, step: index + 1, asked: 0, fee: 0, interest: 0, lumpSum: 0 };
    if (debt.isOfCharges) return letter;
    const own = before.find((one) => (steps[one.step - 1]?.days ?? 0) > 0)?.day ?? Infinity;
    const first = Math.min(own, debt.listedOn ?? Infinity);
    const from = debt.kind === 'business' ? debt.due : first;
    const asked = before.reduce((sum, { interest }) => sum + interest, 0);
    const all = step.interest && from < day ? sumOf(from + 1, day, owedAtEndOf, rateOf) : 0;
    const hasLumpSum = before.some(({ lumpSum }) => lumpSum > 0);
    return {
      ...letter,
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
