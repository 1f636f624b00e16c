import { Decimal } from '../../../kernel/decimal.js';
import { Money } from '../../../kernel/money.js';
import { ratioRounded } from './apportion.js';
import {
  type AdjustmentRequest,
  type CalculationRequest,
  categoryOf,
  hasOwnTax,
  type LineRequest,
} from './calculation-request.js';

/** One (category, rate) pair: EN 16931 BG-23. */
export interface TaxGroup {
  category: string;
  rate: string;
  /** The rate as a ratio: 19 % is 19 / 100, 7.5 % is 75 / 1000. */
  percent: bigint;
  hundred: bigint;
  /** Indexes of its lines. */
  lines: number[];
}

/** The key of a group; its rate has no trailing zeros. */
export function taxGroupKey({ category, rate }: { category: string; rate: string }): string {
  return `${category} ${rate}`;
}

/** Of the lines and of charges with a tax of their own; highest rate first, as they are read back. */
export function taxGroupsOf({ lines, charges }: CalculationRequest): TaxGroup[] {
  const groups = new Map<string, TaxGroup>();
  const groupOf = (taxed: LineRequest | AdjustmentRequest): TaxGroup => {
    const category = categoryOf(taxed);
    const rate = Decimal.parse(taxed.taxRate ?? '0');
    const key = taxGroupKey({ category, rate: rate.toString() });
    const hundred = 100n * 10n ** BigInt(rate.scale);
    const group = groups.get(key) ?? {
      category,
      rate: rate.toString(),
      percent: rate.units,
      hundred,
      lines: [],
    };
    groups.set(key, group);
    return group;
  };
  lines.forEach((line, index) => groupOf(line).lines.push(index));
  charges.filter(hasOwnTax).forEach(groupOf);
  return [...groups.values()].sort(byRateThenCategory);
}

function byRateThenCategory(one: TaxGroup, other: TaxGroup): number {
  const byRate = Decimal.parse(other.rate).compare(Decimal.parse(one.rate));
  return byRate || (one.category < other.category ? -1 : 1);
}

export function isOfTaxGroup(group: TaxGroup, request: AdjustmentRequest): boolean {
  const rate = Decimal.parse(request.taxRate ?? '0').toString();
  return taxGroupKey(group) === taxGroupKey({ category: categoryOf(request), rate });
}

/** The tax in an amount with tax, by the percent of the rate. */
export function taxInGross(gross: Money, rate: string): Money {
  const { units, scale } = Decimal.parse(rate);
  const minor = ratioRounded(gross.minor * units, 100n * 10n ** BigInt(scale) + units);
  return Money.of(minor, gross.currency);
}

/** The tax on an amount without it. */
export function taxOn(base: Money, rate: string): Money {
  const { units, scale } = Decimal.parse(rate);
  return Money.of(ratioRounded(base.minor * units, 100n * 10n ** BigInt(scale)), base.currency);
}
