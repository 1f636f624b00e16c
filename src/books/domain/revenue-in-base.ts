import type { Currency } from '../../kernel/currency.js';
import {
  type BaseRate,
  type BaseRates,
  convertedHalfUp,
  summed,
  withoutRate,
} from './base-currency.js';
import { NO_REVENUE, type RevenueOfCurrency, type RevenuePeriod, summedTaxes } from './revenue.js';
import type { Days } from './period.js';

type Revenue = Pick<RevenueOfCurrency, 'figures' | 'taxes'>;

export interface ConvertedPeriod extends RevenuePeriod {
  /** At the rate of the last day of the period. */
  inBase: (Revenue & { rate: BaseRate }) | null;
}

/** Sums over currencies; those without a rate are in none of them. */
interface RevenueInBase extends Revenue {
  withoutRate: Currency[];
}

export interface BaseRevenue extends RevenueInBase {
  currency: Currency;
  periods: (RevenueInBase & Days)[];
}

/** The periods with their worth in the base currency, and the sums of that. */
export function revenueInBase(
  periods: readonly RevenuePeriod[],
  rates: BaseRates,
): { periods: ConvertedPeriod[]; base: BaseRevenue } {
  const converted = periods.map((period) => ({ ...period, inBase: inBaseOf(period, rates) }));
  const starts = [...new Set(converted.map(({ from }) => from))];
  return {
    periods: converted,
    base: {
      currency: rates.currency,
      ...sumOf(converted),
      periods: starts.flatMap((start) => {
        const own = converted.filter(({ from }) => from === start);
        return own.slice(0, 1).map(({ from, to }) => ({ from, to, ...sumOf(own) }));
      }),
    },
  };
}

function inBaseOf(
  { currency, to, figures, taxes }: RevenuePeriod,
  rates: BaseRates,
): ConvertedPeriod['inBase'] {
  const rate = rates.find({ currency, day: to });
  if (!rate) return null;
  return {
    rate,
    figures: convertedHalfUp(figures, currency, rate, rates.currency),
    taxes: taxes.map(({ category, rate: percent, base, tax }) => ({
      category,
      rate: percent,
      ...convertedHalfUp({ base, tax }, currency, rate, rates.currency),
    })),
  };
}

function sumOf(periods: readonly ConvertedPeriod[]): RevenueInBase {
  const known = periods.flatMap(({ inBase }) => inBase ?? []);
  return {
    withoutRate: withoutRate(periods),
    figures: summed([NO_REVENUE, ...known.map(({ figures }) => figures)]),
    taxes: summedTaxes(known.flatMap(({ taxes }) => taxes)),
  };
}
