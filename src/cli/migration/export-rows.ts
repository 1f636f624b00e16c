import { type Currency, isCurrency, minorDigits } from '../../kernel/currency.js';
import { dateIn, type IsoDate } from '../../kernel/clock.js';
import { Decimal } from '../../kernel/decimal.js';

/** Something that keeps one row from being taken over; the others go on. */
export class UnreadableRow extends Error {}

/** A value of an export. Numbers are text, as they were written: money is never a float. */
export type ExportValue =
  | string
  | boolean
  | null
  | ExportValue[]
  | { [field: string]: ExportValue };

const NOT_UTF_8 = '\uFFFD';

/** A record of a CSV file, or an object of a JSON file. Empty text counts as absent. */
export class ExportRow {
  constructor(private readonly values: Readonly<Record<string, ExportValue>>) {}

  /** The first of these fields that says something. @throws UnreadableRow where it is no text */
  text(...names: string[]): string | null {
    for (const name of names) {
      const value = this.values[name];
      if (typeof value !== 'string') continue;
      if (value.includes(NOT_UTF_8)) throw new UnreadableRow(`${name} is not UTF-8`);
      if (value.trim() !== '') return value.trim();
    }
    return null;
  }

  need(...names: string[]): string {
    const text = this.text(...names);
    if (text === null) throw new UnreadableRow(`${names.join(' or ')} is missing`);
    return text;
  }

  /** Also as exports of tables say it: `true`, `1`. */
  flag(name: string): boolean {
    const value = this.values[name];
    if (typeof value !== 'string') return value === true;
    return /^(true|1|yes)$/i.test(value.trim());
  }

  /** Whether it says anything, be it false or zero. */
  has(name: string): boolean {
    const value = this.values[name];
    return value != null && value !== '';
  }

  object(name: string): ExportRow | null {
    const value = this.values[name];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return new ExportRow(value);
  }

  list(name: string): ExportRow[] {
    const value = this.values[name];
    if (!Array.isArray(value)) return [];
    return value.flatMap((one) =>
      typeof one === 'object' && one !== null && !Array.isArray(one) ? [new ExportRow(one)] : [],
    );
  }

  texts(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  /** The id of another object, which may stand here whole. */
  idOf(name: string): string | null {
    return this.text(name) ?? this.object(name)?.text('id') ?? null;
  }

  /** Fields of the caller's own, as text. */
  metadata(name: string): Record<string, string> {
    const value = this.values[name];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) =>
        typeof one === 'string' ? [[key, one] as const] : [],
      ),
    );
  }

  /** Names of all that it has. */
  get names(): string[] {
    return Object.keys(this.values);
  }

  currency(...names: string[]): Currency {
    return currencyIn(this.need(...names));
  }

  /** An amount in whole units and decimals; null where it is absent. */
  minor(currency: Currency, ...names: string[]): bigint | null {
    const text = this.text(...names);
    return text === null ? null : minorIn(text, currency);
  }

  needMinor(currency: Currency, ...names: string[]): bigint {
    return minorIn(this.need(...names), currency);
  }

  /** A day that may have a time behind it. */
  day(...names: string[]): IsoDate | null {
    const text = this.text(...names);
    if (text === null) return null;
    const day = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text)?.[0];
    if (day === undefined) throw new UnreadableRow(`${text} is no day such as 2026-11-20`);
    return day;
  }
}

export function currencyIn(text: string): Currency {
  const currency = text.toUpperCase();
  if (!isCurrency(currency)) throw new UnreadableRow(`${text} is no currency`);
  return currency;
}

/** Exports of tables write decimals as the reader's country does: with a comma, too. */
export function exportedDecimal(text: string): Decimal {
  const plain = text.replace(',', '.');
  if (!Decimal.isDecimal(plain)) throw new UnreadableRow(`${text} is no amount`);
  return Decimal.parse(plain);
}

export function minorIn(text: string, currency: Currency): bigint {
  const { units, scale } = exportedDecimal(text);
  const [over, under] = [units * 10n ** BigInt(minorDigits(currency)), 10n ** BigInt(scale)];
  if (over % under !== 0n) {
    throw new UnreadableRow(`${text} has more decimals than ${currency}`);
  }
  return over / under;
}

/** A price in minor units with its decimals, as `unit_amount_decimal` takes it. */
export function priceIn(text: string, currency: Currency): Decimal {
  return exportedDecimal(text).times(Decimal.of(10n ** BigInt(minorDigits(currency))));
}

/** Rates on the same base are one. */
export function summedRate(rates: readonly string[]): string {
  return rates.reduce((sum, rate) => sum.plus(exportedDecimal(rate)), Decimal.of(0n)).toString();
}

/** Seconds since 1970. */
export function dayOfSeconds(text: string, timeZone: string): IsoDate {
  if (!/^\d{1,11}$/.test(text)) throw new UnreadableRow(`${text} is no time in seconds`);
  return dateIn(timeZone, new Date(parseInt(text, 10) * 1000));
}

/** Without what says nothing. */
export function said(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
