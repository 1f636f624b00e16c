import { Decimal } from '../../../kernel/decimal.js';
import {
  type AdjustmentRequest,
  type CalculationRequest,
  categoryOf,
  hasOwnTax,
  type LineRequest,
} from './calculation-request.js';

/** One (category, rate) pair: EN 16931 BG-23. */
export interface Group {
  category: string;
  rate: string;
  /** The rate as a ratio: 19 % is 19 / 100, 7.5 % is 75 / 1000. */
  percent: bigint;
  hundred: bigint;
  /** Indexes of its lines. */
  lines: number[];
}

/** What tells one group from another; the rate is without trailing zeros. */
export function groupKey({ category, rate }: { category: string; rate: string }): string {
  return `${category} ${rate}`;
}

/** Of the lines and of charges with a tax of their own; highest rate first, as they are read back. */
export function groupsOf({ lines, charges }: CalculationRequest): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (taxed: LineRequest | AdjustmentRequest): Group => {
    const category = categoryOf(taxed);
    const rate = Decimal.parse(taxed.taxRate ?? '0');
    const key = groupKey({ category, rate: rate.toString() });
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

function byRateThenCategory(one: Group, other: Group): number {
  const byRate = Decimal.parse(other.rate).compare(Decimal.parse(one.rate));
  return byRate || (one.category < other.category ? -1 : 1);
}

export function isOf(group: Group, request: AdjustmentRequest): boolean {
  const rate = Decimal.parse(request.taxRate ?? '0').toString();
  return groupKey(group) === groupKey({ category: categoryOf(request), rate });
}
