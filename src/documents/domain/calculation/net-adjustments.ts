import { Decimal } from '../../../kernel/decimal.js';
import { Money } from '../../../kernel/money.js';
import type { AdjustmentView, LineAdjustmentView } from '../document-view.js';

interface AdjustedLine {
  quantity: string;
  taxRate: string;
  /** BT-131. */
  net: Money;
  discounts: readonly AdjustmentView[];
  charges: readonly AdjustmentView[];
}

/**
 * The discounts and charges of a line, each with its amount without tax (BT-136, BT-141). Each is rounded
 * by itself where prices include tax: what is missing then is made up by the price (decision 242).
 */
export function netAdjustments(
  { quantity, taxRate, net, ...line }: AdjustedLine,
  pricesIncludeTax: boolean,
): { discounts: LineAdjustmentView[]; charges: LineAdjustmentView[] } {
  const withNet = (one: AdjustmentView): LineAdjustmentView => ({
    ...one,
    net: pricesIncludeTax ? amountWithoutTax(one.amount, taxRate) : one.amount,
  });
  const discounts = line.discounts.map(withNet);
  const charges = line.charges.map(withNet);
  if (charges.length === 0 || !pricesIncludeTax) return { discounts, charges };
  const [first, ...others] = charges;
  const goods = net.plus(sumOf(discounts, net)).minus(sumOf(charges, net));
  if (!first || isPriced(quantity, goods)) return { discounts, charges };
  return { discounts, charges: [{ ...first, net: first.net.plus(goods) }, ...others] };
}

export function amountWithoutTax({ minor, currency }: Money, taxRate: string): Money {
  const factor = Decimal.of(1n).plus(Decimal.parse(taxRate).percent());
  return Money.of(Decimal.of(minor).dividedHalfUp(factor, 0).roundHalfUp(), currency);
}

function sumOf(parts: readonly { net: Money }[], { currency }: Money): Money {
  return Money.sum(
    parts.map(({ net }) => net),
    currency,
  );
}

/** Rounded charges may come to more or less than a line of nothing, and no price is below zero (BR-27). */
function isPriced(quantity: string, goods: Money): boolean {
  if (goods.isZero()) return true;
  const count = Decimal.parse(quantity);
  return !count.isZero() && count.isNegative() === goods.isNegative();
}
