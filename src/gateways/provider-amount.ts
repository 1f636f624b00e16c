import { isCurrency, minorDigits } from '../kernel/currency.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../kernel/money.js';
import { GatewayRefusal } from '../payments/index.js';

/** An amount as a provider writes it: `units / 10^digits` of the major unit. */
export interface ProviderAmount {
  units: bigint;
  digits: number;
}

/** `12.50` as 1250 units of 2 digits; undefined for anything but plain, short decimal notation. */
export function decimalAmount(text: string): ProviderAmount | undefined {
  const match = /^(\d{1,20})(?:\.(\d{1,10}))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { units: BigInt(whole + fraction), digits: fraction.length };
}

/** The same of money that moved either way: `-12.50` is below zero. */
export function signedDecimalAmount(text: string): ProviderAmount | undefined {
  const isOut = text.startsWith('-');
  const read = decimalAmount(isOut ? text.slice(1) : text);
  return read && isOut ? { ...read, units: -read.units } : read;
}

/**
 * Money that a provider took, in our minor units. Undefined when we cannot say it exactly: an
 * unknown currency, a part of a minor unit, nothing, or more than our largest amount. The caller
 * must then leave it to a person, because it was taken all the same.
 */
export function moneyTaken(
  amount: ProviderAmount | undefined,
  currency: string,
): Money | undefined {
  if (!amount || !isCurrency(currency)) return undefined;
  const minor = rescale(amount.units, amount.digits, minorDigits(currency));
  if (minor === undefined || minor <= 0n || minor > LARGEST_AMOUNT_MINOR) return undefined;
  return Money.of(minor, currency);
}

/**
 * Money that moved, in our minor units: also nothing, or below zero where it went the other way.
 * Undefined when we cannot say it exactly, as in `moneyTaken`.
 */
export function moneyMoved(
  amount: ProviderAmount | undefined,
  currency: string,
): Money | undefined {
  if (!amount || !isCurrency(currency)) return undefined;
  if (amount.units === 0n) return Money.zero(currency);
  const isOut = amount.units < 0n;
  const units = isOut ? -amount.units : amount.units;
  const moved = moneyTaken({ ...amount, units }, currency);
  return isOut ? moved?.negated() : moved;
}

/** Money that came in the currency's own minor units, as our API writes it. */
export function moneyOf(minor: number, currency: string): Money | undefined {
  const digits = isCurrency(currency) ? minorDigits(currency) : 0;
  return moneyTaken({ units: BigInt(minor), digits }, currency);
}

/**
 * Our amount in a provider's units, `digits` decimals of the major unit.
 * @throws DomainError `conflict` / `gateway_refused` when the provider cannot take it exactly
 */
export function unitsAt(amount: Money, digits: number, provider: string): bigint {
  const units = rescale(amount.minor, minorDigits(amount.currency), digits);
  if (units === undefined) {
    throw GatewayRefusal.gateway_refused.of(
      `${provider} cannot take ${amount.toString()}: it has ${digits} decimals for this currency.`,
      { provider },
    );
  }
  return units;
}

/** Units of `digits` decimals as a plain decimal: 1250 of 2 is `12.50`, 1250 of 0 is `1250`. */
export function providerDecimal(units: bigint, digits: number): string {
  const text = units.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `units` moved from one number of decimals to another, or undefined when that would round. */
export function rescale(units: bigint, fromDigits: number, toDigits: number): bigint | undefined {
  if (toDigits >= fromDigits) return units * 10n ** BigInt(toDigits - fromDigits);
  const divisor = 10n ** BigInt(fromDigits - toDigits);
  return units % divisor === 0n ? units / divisor : undefined;
}

/** A provider's fee, where it is one: in the payment's currency, above zero, at most all of it. */
export function feeWithin(amount: Money, fee: Money | undefined): Money | null {
  if (!fee || fee.currency !== amount.currency) return null;
  return fee.isPositive() && fee.compare(amount) <= 0 ? fee : null;
}
