import { isCurrency, minorDigits } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';
import { moneyTaken } from '../provider-amount.js';

export function moneyOf(minor: number, currency: string): Money | undefined {
  const digits = isCurrency(currency) ? minorDigits(currency) : 0;
  return moneyTaken({ units: BigInt(minor), digits }, currency);
}
