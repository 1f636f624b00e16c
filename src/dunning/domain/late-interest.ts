import { addDays, daysBetween, type IsoDate } from '../../kernel/clock.js';
import { Decimal } from '../../kernel/decimal.js';
import type { RateSpan } from './late-payment-law.js';

/** A debt from a day on, in minor units. */
export interface OwedFrom {
  from: IsoDate;
  amount: bigint;
}

/** Days of one debt at one rate. */
export interface InterestPart {
  from: IsoDate;
  through: IsoDate;
  days: number;
  owed: bigint;
  /** Decimal string, a year. */
  percent: string;
}

export interface LateInterest {
  parts: InterestPart[];
  /** Of all parts, rounded once. */
  amount: bigint;
}

const YEAR = Decimal.of(36_500n);

/**
 * Simple interest by the day, a year being 365 days, also a leap year. Days whose rate is not known
 * bear none. The day of a payment bears none for what was paid.
 * @param owed in order of days
 */
export function lateInterest(
  owed: readonly OwedFrom[],
  rates: readonly RateSpan[],
  first: IsoDate,
  last: IsoDate,
): LateInterest {
  const parts: InterestPart[] = [];
  let sum = Decimal.of(0n);
  for (const [index, { from, amount }] of owed.entries()) {
    if (amount <= 0n) continue;
    const next = owed[index + 1];
    const end = next === undefined ? last : earlier(last, addDays(next.from, -1));
    for (const rate of rates) {
      const start = later(later(from, first), rate.from);
      const through = earlier(end, rate.through);
      if (through < start) continue;
      const days = daysBetween(start, through) + 1;
      sum = sum.plus(
        Decimal.of(amount)
          .times(rate.percent)
          .times(Decimal.of(BigInt(days))),
      );
      parts.push({ from: start, through, days, owed: amount, percent: rate.percent.toString() });
    }
  }
  const amount = sum.dividedHalfUp(YEAR, 0).units;
  return { parts, amount: amount > 0n ? amount : 0n };
}

const later = (one: IsoDate, other: IsoDate) => (one > other ? one : other);
const earlier = (one: IsoDate, other: IsoDate) => (one < other ? one : other);
