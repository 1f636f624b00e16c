import { minorDigits } from '../../kernel/currency.js';
import type { Money } from '../../kernel/money.js';

/** In major units; a third decimal, which EN 16931 does not know, only where it is not 0. */
export function amountText(money: Money): string {
  const text = money.toDecimalString();
  return minorDigits(money.currency) > 2 && text.endsWith('0') ? text.slice(0, -1) : text;
}
