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

/** The first half year that is known. */
const FIRST = '2016-07-01';

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

/** Base rates change between half years. @returns the first day of that one, and of the next */
function halfYearOf(day: IsoDate): { start: IsoDate; next: IsoDate } {
  const year = day.slice(0, 4);
  return day.slice(5) < '07-01'
    ? { start: `${year}-01-01`, next: `${year}-07-01` }
    : { start: `${year}-07-01`, next: addDays(`${year}-12-31`, 1) };
}

/** By the first days of half years: those that the account says count instead of ours. */
function baseRates(base: string, own: readonly DatedRate[]): Map<IsoDate, string> {
  const { rates } = data.baseRates[base as keyof typeof data.baseRates];
  const byHalfYear = new Map<IsoDate, string>();
  let known = '';
  for (let start = FIRST; start <= data.knownUntil; start = halfYearOf(start).next) {
    known = (rates as Record<IsoDate, string>)[start] ?? known;
    byHalfYear.set(start, known);
  }
  for (const { from, percent } of own) byHalfYear.set(halfYearOf(from).start, percent);
  return byHalfYear;
}

/** The last day up to which all base rates are known. @param own rates that the account added */
export function knownUntil(own: readonly DatedRate[]): IsoDate {
  const said = new Set(own.map(({ from }) => halfYearOf(from).start));
  let next = addDays(data.knownUntil, 1);
  while (said.has(next)) next = halfYearOf(next).next;
  return addDays(next, -1);
}

/**
 * The statutory rates of a country, by day. Half years whose base rate nobody said are left out.
 * @param own base rates that the account added
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
  const spans: RateSpan[] = [];
  for (const [from, base] of [...baseRates(law.base, own)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const percent = above.fixed
      ? Decimal.parse(above.fixed)
      : Decimal.parse(base).plus(Decimal.parse(above.points ?? '0'));
    const through = addDays(halfYearOf(from).next, -1);
    const last = spans.at(-1);
    const goesOn = last && last.percent.compare(percent) === 0 && addDays(last.through, 1) === from;
    if (goesOn) last.through = through;
    else spans.push({ from, through, percent });
  }
  return spans;
}
