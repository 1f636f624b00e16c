import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import type { CsvHints } from './bank-statement.js';

const SIGNS = ['+', '-'];

/** `-12,30`, `12,30-`, `+12,30 EUR`. */
export function withoutSign(cell: string, currency: string): { text: string; isNegative: boolean } {
  const all = cell
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('\u2019', "'");
  const last = all.slice(-3);
  const hasCode = currency === '' ? /^[A-Z]{3}$/.test(last) : last === currency;
  const bare = (hasCode ? all.slice(0, -3) : all).trim();
  const before = SIGNS.find((sign) => bare.startsWith(sign)) ?? '';
  const rest = bare.slice(before.length);
  const after = SIGNS.find((sign) => rest.endsWith(sign)) ?? '';
  // Two signs are none.
  if (before && after) return { text: bare, isNegative: false };
  const text = rest.slice(0, rest.length - after.length).trim();
  return { text, isNegative: before === '-' || after === '-' };
}

type DateFormat = CsvHints['dateFormat'];

/** Day and month in an order that the text alone does not tell: `03/11/2026`, `03-11-2026`. */
const EITHER_ORDER = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;

export function isEitherOrder(text: string): boolean {
  return EITHER_ORDER.test(text);
}

/** The date of a text; undefined for one that does not exist, or that may be read in two ways. */
export function readDate(
  text: string,
  format: DateFormat,
  order: DayOrder | null,
): IsoDate | undefined {
  const date = assembled(text, format, order);
  return date !== undefined && date >= '1900' && isCalendarDate(date) ? date : undefined;
}

export type DayOrder = 'day first' | 'month first';

/** The order in all of a file, by those of its dates that can be read in one way only. */
export function dayOrderIn(texts: readonly string[]): DayOrder | null {
  const found = new Set<DayOrder>();
  for (const text of texts) {
    const [, first = '', , second = ''] = EITHER_ORDER.exec(text) ?? [];
    if (two(first) > '12') found.add('day first');
    if (two(second) > '12') found.add('month first');
  }
  const [only = null, ...others] = found;
  return others.length === 0 ? only : null;
}

const two = (part: string | undefined) => (part ?? '').padStart(2, '0');

function assembled(text: string, format: DateFormat, order: DayOrder | null): string | undefined {
  // An instant has its date before its time.
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(text);
  if (iso && (format === null || format === 'yyyy-mm-dd')) return iso[1];
  const digits = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (digits && (format === null || format === 'yyyymmdd')) return digits.slice(1).join('-');
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(text);
  if (dotted && (format === null || format === 'dd.mm.yyyy')) {
    const [, day, month, year = ''] = dotted;
    return `${year.length === 2 ? '20' : ''}${year}-${two(month)}-${two(day)}`;
  }
  const [, first, sign = '', second, year] = EITHER_ORDER.exec(text) ?? [];
  const said: DayOrder | null =
    format === null
      ? order
      : (format === `dd${sign}mm${sign}yyyy` && 'day first') ||
        (format === `mm${sign}dd${sign}yyyy` && 'month first') ||
        null;
  if (!year || said === null) return undefined;
  const [day, month] = said === 'day first' ? [first, second] : [second, first];
  return `${year}-${two(month)}-${two(day)}`;
}
