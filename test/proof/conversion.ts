import fc from 'fast-check';
import { type Books, CURRENCIES, post } from './books.js';

/** Money in another currency than it counts in, and its worth there. */
export interface Foreign {
  amount: number;
  currency: string;
  worth: number;
}

/** The price of one unit of it; null: the money is in the currency that it counts in. */
export const RATE = fc.constantFrom(null, null, null, '1.25' as const, '0.8' as const);
type Rate = '1.25' | '0.8';

const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };

export function otherCurrency(currency: string): string {
  return CURRENCIES.find((one) => one !== currency) ?? '';
}

/** As many units of another currency, which are worth more or less; half a unit counts up. */
export function foreignOf(units: number, of: string, rate: Rate): Foreign & { sent: object } {
  const currency = otherCurrency(of);
  const shift = (DIGITS[of] ?? 2) - (DIGITS[currency] ?? 2);
  const amount = Math.max(1, Math.round(units * 10 ** -shift));
  const over = BigInt(amount) * (rate === '0.8' ? 80n : 125n) * 10n ** BigInt(Math.max(shift, 0));
  const under = 100n * 10n ** BigInt(Math.max(-shift, 0));
  const worth = Number((2n * over + under) / (2n * under));
  return { amount, currency, worth, sent: { amount, currency, exchange_rate: rate } };
}

/**
 * Both sides of an exchange: the money, and what it brought beyond the amount that it counts for.
 * The sign is 1 for money that came in or is back, and -1 for money that left.
 */
export function exchange(
  books: Books,
  { amount, currency, worth }: Foreign,
  counts: { amount: number; currency: string },
  { gain, sign }: { gain: 1 | -1; sign: 1 | -1 },
): void {
  post(books, currency, 'cash', 'currency_exchange', sign * amount);
  const more = gain * (worth - counts.amount);
  const [debit, credit] =
    more > 0 ? ['currency_exchange', 'exchange_gains'] : ['exchange_losses', 'currency_exchange'];
  post(books, counts.currency, debit, credit, gain * sign * Math.abs(more));
}
