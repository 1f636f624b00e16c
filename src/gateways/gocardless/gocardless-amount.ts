import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import { moneyTaken, unitsAt } from '../provider-amount.js';
import { GatewayRefusal } from '../../payments/index.js';

/** All currencies that GoCardless knows have two decimals, and are counted in the smaller unit. */
const DIGITS = 2;
const KNOWN: ReadonlySet<string> = new Set('AUD CAD DKK EUR GBP NZD SEK USD'.split(' '));
/** The currencies of a one-off payment at a pay page; the others need a mandate first. */
const PAYABLE: ReadonlySet<string> = new Set(['EUR', 'GBP']);

/** A whole number, which older versions of the API write as a text. */
export const GoCardlessUnits = z.union([
  z.int().min(0).transform(BigInt),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(BigInt),
]);
export const GoCardlessCurrency = z.string().regex(/^[A-Z]{3}$/);

/** Undefined if we cannot say it exactly. */
export function moneyOfGoCardless(units: bigint, currency: string): Money | undefined {
  return KNOWN.has(currency) ? moneyTaken({ units, digits: DIGITS }, currency) : undefined;
}

/** @throws DomainError `gateway_refused` when GoCardless does not know the currency */
export function goCardlessUnits(amount: Money): number {
  return unitsIn(KNOWN, amount);
}

/** @throws DomainError `gateway_refused` when its pay pages do not take the currency */
export function payableUnits(amount: Money): number {
  return unitsIn(PAYABLE, amount);
}

function unitsIn(currencies: ReadonlySet<string>, amount: Money): number {
  if (!currencies.has(amount.currency)) {
    throw GatewayRefusal.gateway_refused.of(
      `GoCardless takes no ${amount.currency} here, but ${[...currencies].join(', ')}.`,
      { provider: 'GoCardless' },
    );
  }
  return Number(unitsAt(amount, DIGITS, 'GoCardless'));
}
