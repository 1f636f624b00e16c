import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';
import type { FoundRate } from './exchange-rate.js';

/** The rate at which figures were converted; of the base currency itself nobody says it. */
export interface BaseRate {
  rate: Decimal;
  day: IsoDate | null;
  source: string | null;
}

/** A day on which the figures of a currency need a rate. */
export interface RateWish {
  currency: Currency;
  day: IsoDate;
}

const ITSELF: BaseRate = { rate: Decimal.of(1n), day: null, source: null };

/** The rates to an account's base currency, on the days of a report. */
export class BaseRates {
  constructor(
    readonly currency: Currency,
    private readonly rateOf: (wish: RateWish) => FoundRate | null,
  ) {}

  find(wish: RateWish): BaseRate | null {
    return wish.currency === this.currency ? ITSELF : this.rateOf(wish);
  }
}

/** Sums in minor units, at any depth. */
type Figures<Names> = Record<keyof Names, bigint | object>;

/** Each figure is converted from the exact original, and rounded once. */
export function convertedHalfUp<Sums extends Figures<Sums>>(
  sums: Sums,
  from: Currency,
  { rate }: BaseRate,
  to: Currency,
): Sums {
  const worth = (minor: bigint) => Money.of(minor, from).exchangedHalfUp(rate, to).minor;
  return each([sums], ([minor = 0n]) => worth(minor)) as Sums;
}

export interface InBase<Sums> {
  rate: BaseRate;
  figures: Sums;
}

/** Null where no rate is known. */
export function inBaseOf<Sums extends Figures<Sums>>(
  figures: Sums,
  wish: RateWish,
  rates: BaseRates,
): InBase<Sums> | null {
  const rate = rates.find(wish);
  return rate && { rate, figures: convertedHalfUp(figures, wish.currency, rate, rates.currency) };
}

/** As a reader adds up what a report shows. @param lines at least one */
export function summed<Sums extends Figures<Sums>>(lines: readonly Sums[]): Sums {
  return each(lines, (column) => column.reduce((sum, minor) => sum + minor, 0n)) as Sums;
}

/** Lines of one form become one of that form: each of its figures is made of theirs. */
function each(lines: readonly object[], figure: (column: readonly bigint[]) => bigint): object {
  const parts = Object.keys(lines[0] ?? {}).map((name): [string, unknown] => {
    const column: unknown[] = lines.map((line) => Reflect.get(line, name));
    return typeof column[0] === 'bigint'
      ? [name, figure(column as bigint[])]
      : [name, each(column as object[], figure)];
  });
  return Object.fromEntries(parts);
}

/** The currencies of lines without a rate, in the order of their codes. */
export function withoutRate(
  lines: readonly { currency: Currency; inBase: object | null }[],
): Currency[] {
  const missing = lines.filter(({ inBase }) => inBase === null);
  return [...new Set(missing.map(({ currency }) => currency))].sort();
}
