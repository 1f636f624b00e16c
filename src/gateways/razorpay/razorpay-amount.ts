import type { Money } from '../../kernel/money.js';
import { moneyMoved, moneyTaken, unitsAt } from '../provider-amount.js';
import { GatewayRefusal } from '../../payments/index.js';

const THREE_DECIMALS = 3;

/**
 * razorpay.com/docs, "Supported currencies": those of which the decimals are certain. Others exist
 * there (HUF, IDR, TWD, most without decimals), and systems differ in how they count them.
 */
const DIGITS = new Map<string, number>([
  ...(
    'AED ALL AMD ARS AUD AWG BBD BDT BMD BND BOB BSD BWP BZD CAD CHF CNY CZK DKK DOP DZD EGP EUR FJD ' +
    'GBP GHS GIP GMD GTQ GYD HKD HNL HTG ILS INR JMD KES KYD LKR LRD LSL MAD MDL MKD MOP MUR MVR MWK ' +
    'MXN MYR NAD NGN NIO NOK NPR NZD PEN PGK PHP PKR QAR SAR SCR SEK SGD SZL THB TTD USD UYU ZAR'
  )
    .split(' ')
    .map((currency) => [currency, 2] as const),
  ['JPY', 0],
  ['BHD', THREE_DECIMALS],
  ['KWD', THREE_DECIMALS],
  ['OMR', THREE_DECIMALS],
]);

/** Undefined if we cannot say it exactly, or are not certain how Razorpay counts the currency. */
export function moneyOfRazorpay(units: number, currency: string): Money | undefined {
  const digits = DIGITS.get(currency);
  return digits === undefined ? undefined : moneyTaken({ units: BigInt(units), digits }, currency);
}

/** The same of money that moved either way, or of none. */
export function movedAtRazorpay(units: number, currency: string): Money | undefined {
  const digits = DIGITS.get(currency);
  return digits === undefined ? undefined : moneyMoved({ units: BigInt(units), digits }, currency);
}

/** @throws DomainError `gateway_refused` when the currency is in doubt, or there is no such amount */
export function razorpayUnits(amount: Money): number {
  const digits = DIGITS.get(amount.currency);
  if (digits === undefined) {
    throw GatewayRefusal.gateway_refused.of(`Razorpay takes no ${amount.currency} here.`, {
      provider: 'Razorpay',
    });
  }
  // The last of three decimals has to be 0: one decimal less is asked for, and added again.
  return digits === THREE_DECIMALS
    ? Number(unitsAt(amount, digits - 1, 'Razorpay') * 10n)
    : Number(unitsAt(amount, digits, 'Razorpay'));
}
