import { toCardinal } from 'n2words/en-US';
import { type Currency, isCurrency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';

/** Names of amounts, where a currency stands beside them. */
const AMOUNT = /^(amount|total|subtotal|balance)(_|$)|_(amount|total|balance)$/;
const OTHER_AMOUNTS = new Set(
  (
    'debit credit fee booked_fee applied credited not_due days_1_30 days_31_60 days_61_90 ' +
    'days_over_90 rejected bad_debt waived tax_relief tax_not_due gateway_clearing booked ' +
    'not_booked ignored by_hand cash difference in_transit opening payments refunds fees ' +
    'disputes payouts other closing from_credit lost customer_credit'
  ).split(' '),
);
const COUNTS = new Set(['total_count']);

const names = new Map<string, string>();

/**
 * `119.00 EUR (one hundred nineteen euros)`. A part of a unit is said as on cheques, `one euro and 5/100`: not
 * every currency has a name for it.
 */
export function amountInWords(money: Money): string {
  const { currency } = money;
  const [whole = '0', part = ''] = money.toDecimalString().replace('-', '').split('.');
  const isWhole = /^0*$/.test(part);
  const units = BigInt(whole);
  const name = currencyName(currency, units === 1n);
  const words = `${money.isNegative() ? 'minus ' : ''}${toCardinal(units)} ${name}`;
  return `${money} (${isWhole ? words : `${words} and ${BigInt(part)}/1${'0'.repeat(part.length)}`})`;
}

export const isAmount = (name: string): boolean =>
  (AMOUNT.test(name) && !COUNTS.has(name) && !name.includes('_in_')) || OTHER_AMOUNTS.has(name);

/**
 * A line for each amount of an answer that is not zero and has its currency beside it, such as
 * `amount_due: 11900 EUR = 119.00 EUR (one hundred nineteen euros)`.
 */
export function amountLines(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => amountLines(one, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { currency } = value as { currency?: unknown };
  const known = typeof currency === 'string' && isCurrency(currency) ? currency : undefined;
  return Object.entries(value).flatMap(([name, field]) => {
    const place = path ? `${path}.${name}` : name;
    if (typeof field !== 'number') return amountLines(field, place);
    if (!known || field === 0 || !Number.isSafeInteger(field) || !isAmount(name)) return [];
    return `${place}: ${field} ${known} = ${amountInWords(Money.of(BigInt(field), known))}`;
  });
}

/** `euros`, `US dollars`. */
function currencyName(currency: Currency, isOne: boolean): string {
  const key = `${currency}${isOne ? 1 : 2}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    maximumFractionDigits: 0,
  });
  const parts = format.formatToParts(isOne ? 1 : 2);
  const name = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  names.set(key, name);
  return name;
}
