import { minorDigits } from '../../kernel/currency.js';
import { Decimal, magnitudeOf } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';

interface PricedLine {
  quantity: string;
  unitAmountDecimal: string;
  taxRate: string;
  net: Money;
  details: { price_base_quantity?: string };
  discounts: readonly { net: Money }[];
  charges: readonly { net: Money }[];
}

/** Quantities of any size keep their cents. */
const FEWEST_PLACES = 4;

/**
 * In major units. Prices with tax have no price without it that is exact: it follows from the net
 * amount, so that price times quantity is that amount again (decision 242).
 */
export function netPrice(line: PricedLine, pricesIncludeTax: boolean): string {
  const { quantity, net, details } = line;
  const price = inMajorUnits(Decimal.parse(line.unitAmountDecimal), net);
  if (!pricesIncludeTax) return price.toString();
  const count = Decimal.parse(quantity);
  if (count.isZero()) {
    const factor = Decimal.of(1n).plus(Decimal.parse(line.taxRate).percent());
    const base = Decimal.parse(details.price_base_quantity ?? '1');
    return price.dividedHalfUp(factor.times(base), FEWEST_PLACES).toString();
  }
  const sum = (parts: PricedLine['discounts']) =>
    Money.sum(
      parts.map((one) => one.net),
      net.currency,
    );
  const goods = net.plus(sum(line.discounts)).minus(sum(line.charges));
  const digits = minorDigits(net.currency);
  const whole = magnitudeOf(count.units) / 10n ** BigInt(count.scale);
  const places = Math.max(FEWEST_PLACES, digits + 1 + whole.toString().length);
  return Decimal.of(goods.minor, digits).dividedHalfUp(count, places).toString();
}

export function inMajorUnits(price: Decimal, { currency }: Money): Decimal {
  return Decimal.of(price.units, price.scale + minorDigits(currency));
}
