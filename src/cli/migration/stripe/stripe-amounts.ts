import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { exportedDecimal, type ExportRow, UnreadableRow } from '../export-rows.js';

/** Stripe's API writes two decimals for these, which have none. */
const WITH_DECIMALS_AT_STRIPE = new Set<Currency>(['ISK', 'UGX']);

/** An amount of the API: whole minor units. */
export function stripeMinor(row: ExportRow, currency: Currency, name: string): bigint | null {
  const text = row.text(name);
  if (text === null) return null;
  if (!/^-?\d{1,18}$/.test(text)) throw new UnreadableRow(`${name} ${text} is no whole number`);
  const minor = BigInt(text);
  if (!WITH_DECIMALS_AT_STRIPE.has(currency)) return minor;
  if (minor % 100n !== 0n) throw new UnreadableRow(`${name} ${text} has decimals of ${currency}`);
  return minor / 100n;
}

export function needStripeMinor(row: ExportRow, currency: Currency, name: string): bigint {
  const minor = stripeMinor(row, currency, name);
  if (minor === null) throw new UnreadableRow(`${name} is missing`);
  return minor;
}

/** A price may be a part of a minor unit. */
export function stripePrice(row: ExportRow, currency: Currency): string | null {
  const text = row.text('unit_amount_decimal', 'unit_amount');
  if (text === null) return null;
  const hundredth = WITH_DECIMALS_AT_STRIPE.has(currency) ? Decimal.of(1n, 2) : Decimal.of(1n);
  return exportedDecimal(text).times(hundredth).toString();
}
