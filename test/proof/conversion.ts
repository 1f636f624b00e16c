import fc from 'fast-check';
import { type Books, CURRENCIES, post } from './books.js';

/** Money in another currency than it counts in, and its worth there. */
export interface Foreign {
  amount: number;
  currency: string;
  worth: number;
}

/**
 * The price of one unit of it, or `table` for the one that the account has told; null: the money is
 * in the currency that it counts in.
 */
export const RATE = fc.constantFrom(
  null,
  null,
  null,
  '1.25' as const,
  '0.8' as const,
  'table' as const,
);
export type Rate = '1.25' | '0.8' | 'table';

const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, KWD: 3 };
/** Of new accounts. */
const BASE = 'EUR';
/** So many days a rate holds after its own. */
const HOLDS = 6;

export function otherCurrency(currency: string): string {
  return CURRENCIES.find((one) => one !== currency) ?? '';
}

/** Money in another currency, as a caller tells of it. */
interface Told {
  sent: object;
  /** The worth of it by then; null if no rate is known. */
  from(books: Books, now: Date): Foreign | null;
}

/** As many units of another currency, which are worth more or less. */
export function foreignOf(units: number, of: string, rate: Rate): Told {
  const currency = otherCurrency(of);
  const amount = unitsIn(currency, { amount: units, currency: of });
  return {
    sent: { amount, currency, ...rateSent(rate) },
    from: (books, now) => worthOf(books, { amount, currency }, of, { rate, now }),
  };
}

export function rateSent(rate: Rate): object {
  return rate === 'table' ? {} : { exchange_rate: rate };
}

/** As many whole units of another currency, whatever they are worth. */
export function unitsIn(currency: string, of: { amount: number; currency: string }): number {
  return Math.max(1, Math.round(of.amount * 10 ** -shiftBetween(currency, of.currency)));
}

/** At that rate, half a unit up. */
export function worthOf(
  books: Books,
  { amount, currency }: { amount: number; currency: string },
  of: string,
  { rate, now }: { rate: Rate; now: Date },
): Foreign | null {
  const price = rate === 'table' ? priceOf(books, currency, of, now) : stated(rate);
  if (!price) return null;
  const shift = shiftBetween(currency, of);
  const over = BigInt(amount) * price.over * 10n ** BigInt(Math.max(shift, 0));
  const under = price.under * 10n ** BigInt(Math.max(-shift, 0));
  return { amount, currency, worth: Number((2n * over + under) / (2n * under)) };
}

function shiftBetween(currency: string, of: string): number {
  return (DIGITS[of] ?? 2) - (DIGITS[currency] ?? 2);
}

interface Price {
  over: bigint;
  under: bigint;
}

const stated = (rate: string): Price => ({
  over: BigInt(Math.round(Number(rate) * 100)),
  under: 100n,
});

/** As the account told it, or by way of its base currency. */
function priceOf(books: Books, from: string, to: string, now: Date): Price | null {
  const direct = toldOf(books, from, to, now);
  if (direct) return direct;
  const [first, second] = [toldOf(books, from, BASE, now), toldOf(books, BASE, to, now)];
  return first && second
    ? { over: first.over * second.over, under: first.under * second.under }
    : null;
}

/** The last one that still holds, in either direction. */
function toldOf({ rates }: Books, from: string, to: string, now: Date): Price | null {
  const oldest = new Date(now.getTime() - HOLDS * 86_400_000).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  const [last] = rates
    .filter(({ base, quote }) => [base, quote].toSorted().join() === [from, to].toSorted().join())
    .filter(({ day }) => day >= oldest && day <= today)
    // Of one day, the one that need not be turned round.
    .sort((a, b) => (a.day === b.day ? Number(b.base === from) - 0.5 : a.day < b.day ? 1 : -1));
  if (!last) return null;
  const { over, under } = stated(last.rate);
  return last.base === from ? { over, under } : { over: under, under: over };
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
