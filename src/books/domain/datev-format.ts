import type { IsoDate } from '../../kernel/clock.js';
import { firstCharacters } from '../../kernel/first-characters.js';
import type { DatevClient } from './chart-of-accounts.js';

/*
 * Files in the DATEV format (EXTF), header version 700. Source: the format description of DATEV for its developers, as
 * of 2026. Text is quoted; numbers have a comma; a line ends with CR and LF; the file is in Windows-1252.
 */

/** The shortest and the longest number of an account that DATEV keeps. */
const ACCOUNT_DIGITS = { from: 4, to: 8 };
export const DATEV_ACCOUNT = /^\d{1,8}$/;
/** Debtors begin with 1 to 6, and creditors with the other digits. */
const FIRST_DIGITS_OF_DEBTORS = 6;

/** The header of a file says them, and debtors have one digit more. */
export function accountDigits(numbers: readonly string[]): number {
  const longest = Math.max(ACCOUNT_DIGITS.from, ...numbers.map(({ length }) => length));
  return Math.min(longest, ACCOUNT_DIGITS.to);
}

/** The most customers that can have a number. */
export function mostDebtors(digits: number): number {
  return FIRST_DIGITS_OF_DEBTORS * 10 ** digits;
}

/** @param place counts from 1 */
export function debtorNumber(place: number, digits: number): string {
  return String(10 ** digits + place - 1);
}

export interface DatevFileKind {
  category: number;
  name: string;
  version: number;
}

export interface DatevHeader extends DatevClient {
  /** The first day of the fiscal year that the file is in. */
  year: IsoDate;
  digits: number;
  madeAt: Date;
  /** Of postings alone. */
  days?: { from: IsoDate; to: IsoDate };
  currency?: string;
  /** 03 or 04, if the chart is SKR03 or SKR04. */
  chart: string;
}

/** The first line. */
export function datevHeader({ category, name, version }: DatevFileKind, header: DatevHeader) {
  const { days, currency } = header;
  const year = plainDay(header.year);
  const period = days ? [plainDay(days.from), plainDay(days.to)] : ['', ''];
  const kind = days ? [1, 0, 0] : ['', '', ''];
  const cells = [
    [datevText('EXTF'), 700, category, datevText(name), version, stamp(header.madeAt), ''],
    [
      datevText('RE'),
      datevText(''),
      datevText(''),
      header.consultantNumber,
      header.clientNumber,
      year,
    ],
    [header.digits, ...period, datevText('Quittance'), datevText(''), ...kind],
    [currency === undefined ? '' : datevText(currency), '', datevText(''), '', ''],
    [datevText(header.chart), '', '', datevText(''), datevText('')],
  ].flat();
  return `${cells.join(';')}\r\n`;
}

/** A line of the columns; those that it does not name are empty. */
export function datevRow(columns: readonly string[], cells: ReadonlyMap<string, string>): string {
  return `${columns.map((name) => cells.get(name) ?? '').join(';')}\r\n`;
}

/** Names that count from 1, in turn. */
export function numbered(count: number, ...names: string[]): string[] {
  return Array.from({ length: count }, (_, at) => names.map((name) => `${name} ${at + 1}`)).flat();
}

export function datevText(value: string, most = Infinity): string {
  const plain = value.replace(/\p{C}+/gu, ' ');
  return `"${(most === Infinity ? plain : firstCharacters(plain, most)).replaceAll('"', '""')}"`;
}

function plainDay(day: IsoDate): string {
  return day.replaceAll('-', '');
}

/** `20261122143005123`, in UTC. */
function stamp(instant: Date): string {
  return instant.toISOString().replace(/\D/g, '');
}
