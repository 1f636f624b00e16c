import { minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';

/** An adjustment of a line as its document says it: with tax where prices have it. */
interface PricedAdjustment {
  amount: Money;
}

interface PricedLine<One extends PricedAdjustment> {
  quantity: string;
  unitAmountDecimal: string;
  taxRate: string;
  net: Money;
  details: { price_base_quantity?: string };
  discounts: readonly One[];
  charges: readonly One[];
}

/** The amounts of a line without tax, of which its net amount is made. */
export interface NetLine<One> {
  /** In major units. */
  price: string;
  discounts: { from: One; net: Money }[];
  charges: { from: One; net: Money }[];
}

/** Quantities of any size keep their cents. */
const FEWEST_PLACES = 4;

/** Prices without tax are as the document says them. */
export function netLine<One extends PricedAdjustment>(
  line: PricedLine<One>,
  pricesIncludeTax: boolean,
): NetLine<One> {
  if (pricesIncludeTax) return withoutTax(line);
  const asSaid = (from: One) => ({ from, net: from.amount });
  return {
    price: inMajorUnits(Decimal.parse(line.unitAmountDecimal), line.net).toString(),
    discounts: line.discounts.map(asSaid),
    charges: line.charges.map(asSaid),
  };
}

/**
 * Prices with tax have no price without it that is exact: it follows from the net amount, so that
 * price times quantity is that amount again (decision 242).
 */
function withoutTax<One extends PricedAdjustment>(line: PricedLine<One>): NetLine<One> {
  const factor = Decimal.of(1n).plus(Decimal.parse(line.taxRate).percent());
  const netOf = (from: One) => ({
    from,
    net: Money.of(
      Decimal.of(from.amount.minor).dividedHalfUp(factor, 0).roundHalfUp(),
      from.amount.currency,
    ),
  });
  const discounts = line.discounts.map(netOf);
  const charges = line.charges.map(netOf);
  const sum = (parts: readonly { net: Money }[]) =>
    Money.sum(
      parts.map(({ net }) => net),
      line.net.currency,
    );
  const goods = line.net.plus(sum(discounts)).minus(sum(charges));
  const [first, ...others] = charges;
  if (first && !isPriced(line, goods)) {
    const lowered = { ...first, net: first.net.plus(goods) };
    const nothing = Money.zero(goods.currency);
    return { price: priceOf(line, nothing, factor), discounts, charges: [lowered, ...others] };
  }
  return { price: priceOf(line, goods, factor), discounts, charges };
}

/** Rounded charges may come to more or less than a line of nothing, and no price is below zero (BR-27). */
function isPriced({ quantity }: Pick<PricedLine<never>, 'quantity'>, goods: Money): boolean {
  if (goods.isZero()) return true;
  const count = Decimal.parse(quantity);
  return !count.isZero() && count.isNegative() === goods.isNegative();
}

function priceOf(
  {
    quantity,
    unitAmountDecimal,
    net,
    details,
  }: Pick<PricedLine<never>, 'quantity' | 'unitAmountDecimal' | 'net' | 'details'>,
  goods: Money,
  factor: Decimal,
): string {
  const count = Decimal.parse(quantity);
  const base = Decimal.parse(details.price_base_quantity ?? '1');
  const digits = minorDigits(net.currency);
  if (count.isZero()) {
    const price = inMajorUnits(Decimal.parse(unitAmountDecimal), net);
    return price.dividedHalfUp(factor.times(base), FEWEST_PLACES).toString();
  }
  const whole = (count.units < 0n ? -count.units : count.units) / 10n ** BigInt(count.scale);
  const places = Math.max(FEWEST_PLACES, digits + 1 + whole.toString().length);
  return Decimal.of(goods.minor, digits).dividedHalfUp(count, places).toString();
}

export function inMajorUnits(price: Decimal, { currency }: Money): Decimal {
  return Decimal.of(price.units, price.scale + minorDigits(currency));
}
