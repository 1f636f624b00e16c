import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import type { CsvHints } from './bank-statement.js';

type DateFormat = CsvHints['dateFormat'];

/** Day and month in an order that the text alone does not tell: `03/11/2026`, `03-11-2026`. */
const EITHER_ORDER = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;
/** The year, too, may be first or last. */
const SHORT_YEAR = /^\d{1,2}([/-])\d{1,2}\1\d{2}$/;
/** An instant has its date before its time. */
const TIME = /(?:[T,] ?| )\d{1,2}[:.]\d{2}/;

const MONTHS = [
  'january januar janner janvier januari enero gennaio janeiro',
  'february februar fevrier februari febrero febbraio fevereiro',
  'march marz maerz mars maart marzo marco marts mrt mrz',
  'april avril abril aprile',
  'may mai mei mayo maggio maio maj',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august aout augustus augusti agosto',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember desember decembre diciembre dicembre dezembro',
].map((names) => names.split(' '));

const DAY_MONTH_YEAR = /^(\d{1,2})\.?[ /-]?(\p{L}{3,10})\.?[ /-]?(\d{4}|\d{2})$/u;
const MONTH_DAY_YEAR = /^(\p{L}{3,10})\.? ?(\d{1,2}),? (\d{4})$/u;
const YEAR_MONTH_DAY = /^(\d{4})[ /-](\p{L}{3,10})[ /-](\d{1,2})$/u;

export function isEitherOrder(text: string): boolean {
  const day = withoutTime(text);
  return EITHER_ORDER.test(day) || SHORT_YEAR.test(day);
}

/** The date of a text; undefined for one that does not exist, or that may be read in two ways. */
export function readDate(
  text: string,
  format: DateFormat,
  order: DayOrder | null,
): IsoDate | undefined {
  const day = withoutTime(text);
  const date = format === null ? assembled(day, order) : formatted(day, format);
  return date !== undefined && date >= '1900' && isCalendarDate(date) ? date : undefined;
}

export type DayOrder = 'day first' | 'month first';

/** The order in all of a file, by those of its dates that can be read in one way only. */
export function dayOrderIn(texts: readonly string[]): DayOrder | null {
  const found = new Set<DayOrder>();
  for (const text of texts) {
    const [, first = '', , second = ''] = EITHER_ORDER.exec(withoutTime(text)) ?? [];
    if (two(first) > '12') found.add('day first');
    if (two(second) > '12') found.add('month first');
  }
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

const two = (part: string | undefined) => (part ?? '').padStart(2, '0');
const four = (year: string) => (year.length === 2 ? `20${year}` : year);

function withoutTime(text: string): string {
  if (!/[ T,]/.test(text)) return text;
  const at = text.search(TIME);
  // `18. 11. 2026`.
  return (at > 0 ? text.slice(0, at) : text).replaceAll('. ', '.').trim();
}

function assembled(text: string, order: DayOrder | null): string | undefined {
  const yearFirst = /^(\d{4})([-/.])(\d{2})\2(\d{2})$/.exec(text);
  if (yearFirst) return [yearFirst[1], yearFirst[3], yearFirst[4]].join('-');
  const digits = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (digits) return digits.slice(1).join('-');
  const [, first, , second, year] = EITHER_ORDER.exec(text) ?? [];
  if (year) {
    if (order === null) return undefined;
    const [day, month] = order === 'day first' ? [first, second] : [second, first];
    return `${year}-${two(month)}-${two(day)}`;
  }
  return formatted(text, 'dd.mm.yyyy') ?? formatted(text, 'dd mmm yyyy');
}

/** As the caller says, or as the form alone does. */
function formatted(text: string, format: NonNullable<DateFormat>): string | undefined {
  if (format === 'dd mmm yyyy') return named(text);
  const order = format.match(/y+|m+|d+/g) ?? [];
  const sign = format.replaceAll(/[ymd]/g, '').slice(0, 1);
  const parts = sign === '' ? cut(text, order) : text.split(sign);
  if (parts.length !== 3) return undefined;
  const [day, month, year] = ['d', 'm', 'y'].map(
    (part) => parts[order.findIndex((one) => one.startsWith(part))] ?? '',
  );
  if (![day, month].every((part) => /^\d{1,2}$/.test(part ?? ''))) return undefined;
  // `18.11.26` has the form of `18.11.2026`.
  const isShort = format.includes('yyyy') ? sign === '.' && format.startsWith('d') : true;
  const isYear = isShort ? /^(?:\d{4}|\d{2})$/ : /^\d{4}$/;
  return isYear.test(year ?? '') ? `${four(year ?? '')}-${two(month)}-${two(day)}` : undefined;
}

function cut(text: string, order: readonly string[]): string[] {
  if (!/^\d{8}$/.test(text)) return [];
  const ends = order.map((_, index) => order.slice(0, index + 1).join('').length);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

/** A month by its name can be read in one way only. */
function named(text: string): string | undefined {
  const [day, month, year] =
    DAY_MONTH_YEAR.exec(text)?.slice(1) ??
    pick(MONTH_DAY_YEAR.exec(text), [2, 1, 3]) ??
    pick(YEAR_MONTH_DAY.exec(text), [3, 2, 1]) ??
    [];
  if (!day || !month || !year) return undefined;
  const name = month.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const numbers = MONTHS.flatMap((names, index) =>
    names.some((one) => one.startsWith(name)) ? [index + 1] : [],
  );
  const [number, ...others] = numbers;
  if (number === undefined || others.length > 0) return undefined;
  return `${four(year)}-${two(`${number}`)}-${two(day)}`;
}

const pick = (found: RegExpExecArray | null, places: readonly number[]) =>
  found ? places.map((place) => found[place] ?? '') : undefined;
