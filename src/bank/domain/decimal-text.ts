import { type Currency, minorDigits } from '../../kernel/currency.js';
import { LARGEST_AMOUNT_MINOR } from '../../kernel/money.js';

const PLAIN = /^(\d*)(?:\.(\d*))?$/;
const LONGEST = 40;

/**
 * An amount in plain decimals as minor units, exactly: `12.5` EUR is 1250. Undefined for what is
 * none, is finer than the currency, or is above the largest amount.
 */
export function parseMinorUnits(text: string, currency: Currency): bigint | undefined {
  const [, whole = '', fraction = ''] = (text.length <= LONGEST && PLAIN.exec(text)) || [];
  if (whole === '' && fraction === '') return undefined;
  const digits = minorDigits(currency);
  if (/[1-9]/.test(fraction.slice(digits))) return undefined;
  const minor = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return minor <= LARGEST_AMOUNT_MINOR ? minor : undefined;
}

export type DecimalSign = ',' | '.';

/**
 * The sign before the fraction of a written amount. `none`: it has no fraction. `either`: the one
 * sign may also part thousands, as in `1.234`. Undefined for no amount.
 */
export function decimalSignIn(text: string): DecimalSign | 'none' | 'either' | undefined {
  if (!/^\d[\d.,' ]*$/.test(text)) return undefined;
  const signs = text.replace(/[\d' ]/g, '');
  const last = signs.at(-1);
  if (last !== ',' && last !== '.') return 'none';
  const other = last === ',' ? '.' : ',';
  if (signs.includes(other)) return last;
  // The same sign twice parts thousands; once, it does so only before exactly three digits.
  if (signs.length > 1) return plainDecimal(text, other) === undefined ? undefined : other;
  return text.length - text.indexOf(last) === 4 && text.indexOf(last) <= 3 ? 'either' : last;
}

/** As India parts thousands: `1,23,456`. */
const IN_LAKHS = /^\d{1,2}(?:,\d{2})+,\d{3}$/;

/** The same amount in plain decimals; undefined where thousands are not parted in threes. */
export function plainDecimal(text: string, sign: DecimalSign): string | undefined {
  const [whole = '', fraction, ...more] = text.split(sign);
  if (more.length > 0) return undefined;
  const form = sign === ',' ? /^\d{1,3}([.' ]\d{3})*$|^\d+$/ : /^\d{1,3}([,' ]\d{3})*$|^\d+$/;
  const isWhole = form.test(whole) || (sign === '.' && IN_LAKHS.test(whole));
  if (!isWhole || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  const digits = whole.replace(/[^\d]/g, '');
  return fraction ? `${digits}.${fraction}` : digits;
}
