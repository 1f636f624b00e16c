import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import {
  decimalAmount,
  providerDecimal,
  moneyMoved,
  moneyTaken,
  signedDecimalAmount,
  unitsAt,
} from '../provider-amount.js';
import { GatewayRefusal } from '../../payments/index.js';

/** docs.mollie.com/docs/multicurrency: the currencies of payments, and their decimals. */
const DIGITS = new Map<string, number>([
  ...'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD'
    .split(' ')
    .map((currency) => [currency, 2] as const),
  ['USD', 2],
  ['ZAR', 2],
  ['ISK', 0],
  ['JPY', 0],
]);

/** Mollie rounds these for PayPal, so that another amount would be paid: only whole ones are asked. */
const WHOLE: ReadonlySet<string> = new Set(['HUF', 'TWD']);

export const MollieMoney = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().max(32),
});

/** Undefined if we cannot say it exactly. */
export function moneyOfMollie(said: z.infer<typeof MollieMoney>): Money | undefined {
  return moneyTaken(decimalAmount(said.value), said.currency);
}

/** The same of money that moved either way, or of none: a refund is below zero. */
export function movedAtMollie({ value, currency }: z.infer<typeof MollieMoney>): Money | undefined {
  return moneyMoved(signedDecimalAmount(value), currency);
}

/** @throws DomainError `gateway_refused` when Mollie does not take the currency, or has no such amount */
export function mollieAmount(amount: Money): z.infer<typeof MollieMoney> {
  const { currency } = amount;
  const digits = DIGITS.get(currency);
  if (digits === undefined) {
    throw GatewayRefusal.gateway_refused.of(`Mollie takes no ${currency}.`, {
      provider: 'Mollie',
    });
  }
  if (WHOLE.has(currency)) unitsAt(amount, 0, 'Mollie');
  return { currency, value: providerDecimal(unitsAt(amount, digits, 'Mollie'), digits) };
}
