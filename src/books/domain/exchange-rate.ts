import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';

/** The price of one unit of `base`, in `quote`, on a day. */
export interface ExchangeRate {
  day: IsoDate;
  base: Currency;
  quote: Currency;
  rate: Decimal;
  /** The one who says so, such as ECB. */
  source: string;
}

/** A rate as it stands in the table: what was said of a day before it stays. */
export interface RecordedRate extends ExchangeRate {
  /** Counts what was said of the same day and currencies. */
  revision: number;
  /** Whether nothing was said later. */
  isCurrent: boolean;
  recordedAt: Date;
}

/** The worth of one unit of a currency in another, with its source and day. */
export type FoundRate = Pick<ExchangeRate, 'rate' | 'source' | 'day'>;

/** Digits behind the point of a rate that somebody states. */
export const RATE_PLACES = 12;
export const LARGEST_RATE = '999999999999';

/** Places of an inverse or cross rate: enough that no amount that we book is a unit off. */
const DERIVED_PLACES = 24;

/** Banks are closed over Easter and New Year: a rate holds so many days, unless a newer one is told. */
export const RATE_HOLDS_DAYS = 7;

export const isSamePair = (one: ExchangeRate, other: ExchangeRate) =>
  one.base === other.base && one.quote === other.quote;

/** @param known the rates that hold, at most one of each pair and direction */
export function rateBetween(
  known: readonly ExchangeRate[],
  from: Currency,
  to: Currency,
  via: Currency,
): FoundRate | null {
  const direct = fractionOf(known, from, to);
  if (direct) return rounded([direct]);
  const [first, second] = [fractionOf(known, from, via), fractionOf(known, via, to)];
  return first && second ? rounded([first, second]) : null;
}

/** A rate as it was told, or the other way round. */
interface Fraction extends Omit<FoundRate, 'rate'> {
  over: Decimal;
  under: Decimal;
}

const ONE = Decimal.of(1n);

/** The newer one, if both directions were told; on the same day the one that needs no division. */
function fractionOf(
  known: readonly ExchangeRate[],
  from: Currency,
  to: Currency,
): Fraction | undefined {
  const direct = known.find(({ base, quote }) => base === from && quote === to);
  const inverse = known.find(({ base, quote }) => base === to && quote === from);
  if (direct && (!inverse || direct.day >= inverse.day)) {
    const { rate: over, source, day } = direct;
    return { over, under: ONE, source, day };
  }
  return inverse && { over: ONE, under: inverse.rate, source: inverse.source, day: inverse.day };
}

/** Rounds once. Of two rates, it is as old as the older one. */
function rounded(fractions: readonly Fraction[]): FoundRate {
  const over = fractions.reduce((product, one) => product.times(one.over), ONE);
  const under = fractions.reduce((product, one) => product.times(one.under), ONE);
  const sources = [...new Set(fractions.map(({ source }) => source))];
  const [day = ''] = fractions.map((one) => one.day).sort();
  const rate = under.compare(ONE) === 0 ? over : over.dividedHalfUp(under, DERIVED_PLACES);
  return { rate, source: sources.join(', '), day };
}
