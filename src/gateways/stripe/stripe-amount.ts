import { isCurrency, minorDigits } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';
import { moneyMoved, moneyTaken, unitsAt } from '../provider-amount.js';

/**
 * Stripe counts these in other units than ISO 4217 (docs.stripe.com/currencies, "special cases").
 * ISK and UGX kept two decimals there, MGA never had any.
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** At Stripe the last of three decimals is always 0. */
const THREE_DECIMALS = 3;

/**
 * The money that Stripe writes as `units` of a lower-case code; undefined if we cannot say it
 * exactly.
 */
export function moneyOfStripe(units: number, currencyCode: string): Money | undefined {
  const currency = currencyCode.toUpperCase();
  const digits = isCurrency(currency) ? stripeDigits(currency) : 0;
  return moneyTaken({ units: BigInt(units), digits }, currency);
}

/** The same of money that moved either way, or of none. */
export function movedAtStripe(units: number, currencyCode: string): Money | undefined {
  const currency = currencyCode.toUpperCase();
  const digits = isCurrency(currency) ? stripeDigits(currency) : 0;
  return moneyMoved({ units: BigInt(units), digits }, currency);
}

/** @throws DomainError `gateway_refused` when Stripe has no such amount */
export function stripeUnits(amount: Money): bigint {
  const digits = stripeDigits(amount.currency);
  // Asking for one decimal less, then adding it back, is Stripe's rule "the last digit is 0".
  if (digits === THREE_DECIMALS) return unitsAt(amount, digits - 1, 'Stripe') * 10n;
  return unitsAt(amount, digits, 'Stripe');
}

function stripeDigits(currency: string): number {
  return STRIPE_DIGITS[currency] ?? minorDigits(currency);
}
