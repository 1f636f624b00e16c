import { Money } from '../../../kernel/money.js';
import { taxGroupKey } from './tax-group.js';

/** Base and tax of one category and rate. */
export interface TaxShare {
  category: string;
  rate: string;
  base: Money;
  tax: Money;
}

/**
 * The taxes in a part of a total, in their order. The tax of each is its part of the whole, rounded
 * half up: parts that add up to the whole have all of it. Its base is the rest of the same part of
 * the gross, which is taken as a running total. So all shares come to the part, less its cash rounding, which is
 * last. The checks of `integrity` compute the same in SQL.
 */
export function taxParts(taxes: readonly TaxShare[], part: Money, whole: Money): TaxShare[] {
  // More may be lost than is left to tax, if credit notes gave back what was not paid in the end.
  const taxed = part.min(whole).minor;
  const ofWhole = ({ minor }: Money) => (whole.isZero() ? 0n : halfUp(minor * taxed, whole.minor));
  const money = (minor: bigint) => Money.of(minor, part.currency);
  let gross = Money.zero(part.currency);
  let taken = 0n;
  return taxes.map(({ category, rate, base, tax }) => {
    gross = gross.plus(base).plus(tax);
    const until = ofWhole(gross);
    const own = ofWhole(tax);
    const share = until - taken - own;
    taken = until;
    return { category, rate, base: money(share), tax: money(own) };
  });
}

/** Each tax of the one, less that of the other. */
export function taxesLess(taxes: readonly TaxShare[], less: readonly TaxShare[]): TaxShare[] {
  const byKey = new Map(less.map((one) => [taxGroupKey(one), one]));
  return taxes.map(({ category, rate, base, tax }) => {
    const other = byKey.get(taxGroupKey({ category, rate }));
    return {
      category,
      rate,
      base: other ? base.minus(other.base) : base,
      tax: other ? tax.minus(other.tax) : tax,
    };
  });
}

export function negatedTaxes(taxes: readonly TaxShare[]): TaxShare[] {
  return taxes.map(({ base, tax, ...of }) => ({ ...of, base: base.negated(), tax: tax.negated() }));
}

/** Also of what is below zero, as `floor(x + 0.5)` is. The denominator is above zero. */
function halfUp(numerator: bigint, denominator: bigint): bigint {
  const [doubled, by] = [2n * numerator + denominator, 2n * denominator];
  const quotient = doubled / by;
  return doubled < 0n && quotient * by !== doubled ? quotient - 1n : quotient;
}
