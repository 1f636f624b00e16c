import { addDays, type IsoDate } from '../../kernel/clock.js';
import { Decimal } from '../../kernel/decimal.js';
import type { CustomerKind } from '../../documents/index.js';
import data from './late-payment-laws.json' with { type: 'json' };

/** A percentage a year, from a day on. */
export interface DatedRate {
  from: IsoDate;
  /** Decimal string. */
  percent: string;
}

/** A rate a year, on the days that it is known for. */
export interface RateSpan {
  from: IsoDate;
  through: IsoDate;
  percent: Decimal;
}

type LawOfCountry = keyof typeof data.laws;

/** Countries whose interest on late payments is known (ISO 3166-1). */
export const LAWS = Object.keys(data.laws) as LawOfCountry[];

/** 40 EUR for what it costs to recover a claim (Directive 2011/7/EU, article 6). */
export const LUMP_SUM = { currency: 'EUR', amount: 4000n };

interface Above {
  points?: string;
  fixed?: string;
}

export function lawOf(country: string): { source: string; base: string } | undefined {
  return LAWS.includes(country as LawOfCountry) ? data.laws[country as LawOfCountry] : undefined;
}

/** Undefined: the law of the country says none for such customers, or we do not know it. */
function aboveOf(country: string, kind: CustomerKind): Above | undefined {
  return (lawOf(country) as Partial<Record<CustomerKind, Above>> | undefined)?.[kind];
}

export const hasInterest = (country: string, kind: CustomerKind): boolean =>
  aboveOf(country, kind) !== undefined;

/** The last day of the half year that a day is in: base rates change between those. */
function endOfHalfYear(day: IsoDate): IsoDate {
  const year = day.slice(0, 4);
  return day.slice(5) <= '06-30' ? `${year}-06-30` : `${year}-12-31`;
}

/** The last day whose base rate is known. @param own rates that the account added */
export function knownUntil(own: readonly DatedRate[]): IsoDate {
  const ends = own.map(({ from }) => endOfHalfYear(from));
  return [data.knownUntil, ...ends].reduce((last, end) => (end > last ? end : last));
}

/**
 * The statutory rates of a country, by day.
 * @param own base rates that the account added; of one day, they count instead of ours
 * @returns empty where the law says none for such customers
 */
export function statutoryRates(
  country: string,
  kind: CustomerKind,
  own: readonly DatedRate[],
): RateSpan[] {
  const above = aboveOf(country, kind);
  const law = lawOf(country);
  if (!above || !law) return [];
  const last = knownUntil(own);
  const ours = data.baseRates[law.base as keyof typeof data.baseRates].rates;
  const byDay = new Map(Object.entries(ours));
  for (const { from, percent } of own) byDay.set(from, percent);
  const days = [...byDay.keys()].sort();
  return days.map((from, index) => {
    const next = days[index + 1];
    const base = Decimal.parse(byDay.get(from) ?? '0');
    return {
      from,
      through: next === undefined ? last : addDays(next, -1),
      percent: above.fixed ? Decimal.parse(above.fixed) : base.plus(Decimal.parse(above.points!)),
    };
  });
}
