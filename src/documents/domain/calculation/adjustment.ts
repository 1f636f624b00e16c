import { Decimal } from '../../../kernel/decimal.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { LARGEST_AMOUNT_MINOR } from '../../../kernel/money.js';
import { apportionByWeight, sum } from './apportion.js';
import { type AdjustmentRequest, hasOwnTax } from './calculation-request.js';
import { type TaxGroup, isOfTaxGroup, taxGroupKey } from './tax-group.js';
import { DocumentRefusal } from '../refusals.js';

/** An amount for one line or all of them, in minor units, and where it goes. */
export interface Adjustment {
  request: AdjustmentRequest;
  minor: bigint;
  /** By line; empty for a charge with a tax of its own, and a discount on such charges. */
  byLine: bigint[];
  /** By group, aligned with the groups. */
  byGroup: bigint[];
}

/**
 * One after the other, each over what those before it left, so that nothing falls below zero
 * (decision 15). A discount whose tax only charges have is off them.
 */
export function spreadDiscounts(
  requests: readonly AdjustmentRequest[],
  amounts: readonly bigint[],
  charges: readonly Adjustment[],
  groups: readonly TaxGroup[],
): Adjustment[] {
  const total = sum(amounts);
  const charged = new Map(
    groups.map((group, at) => [group, sum(charges.map(({ byGroup }) => byGroup[at] ?? 0n))]),
  );
  const bearable = (own: TaxGroup, lines: readonly bigint[]) =>
    isOfCharges(own) ? (charged.get(own) ?? 0n) : sum(own.lines.map((line) => lines[line] ?? 0n));
  const discounts = requests.map((request, index) => {
    const own = hasOwnTax(request) ? taxedAlike(request, groups, `/discounts/${index}`) : null;
    const base = own ? bearable(own, amounts) : total;
    return { request, minor: valueOf(request, atLeastZero(base)), own };
  });
  const offLines = discounts.filter(({ own }) => !own || !isOfCharges(own));
  if (sum(offLines.map(({ minor }) => minor)) > total) {
    throw discountTooLarge('/discounts', 'the amount of all lines');
  }
  let left = [...amounts];
  return discounts.map(({ request, minor, own }, place) => {
    if (own && minor > bearable(own, left)) {
      throw discountTooLarge(`/discounts/${place}`, `what is left at ${taxGroupKey(own)} %`);
    }
    if (own && isOfCharges(own)) {
      charged.set(own, bearable(own, left) - minor);
      return { request, minor, byLine: [], byGroup: allAt(own, minor, groups) };
    }
    const bearing = own ? onlyOf(own, left) : left;
    const spread = spreadOverLines(minor, bearing, groups);
    left = left.map((amount, index) => amount - (spread.byLine[index] ?? 0n));
    return { request, minor, ...spread };
  });
}

const isOfCharges = ({ lines }: TaxGroup) => lines.length === 0;

/** The amounts of the lines of a group, and nothing for all others. */
function onlyOf({ lines }: TaxGroup, amounts: readonly bigint[]): bigint[] {
  const own = amounts.map(() => 0n);
  for (const line of lines) own[line] = amounts[line] ?? 0n;
  return own;
}

/** The group that bears a discount with a tax of its own. */
function taxedAlike(request: AdjustmentRequest, groups: readonly TaxGroup[], at: string): TaxGroup {
  const own = groups.find((group) => isOfTaxGroup(group, request));
  if (own) return own;
  throw DocumentRefusal.discount_without_lines.at(
    `${at}/tax_rate`,
    'No line or charge has the tax of this discount; send the tax of one, or none.',
  );
}

export function spreadCharge(
  request: AdjustmentRequest,
  amounts: readonly bigint[],
  groups: readonly TaxGroup[],
): Adjustment {
  const minor = valueOf(request, sum(amounts));
  if (minor > LARGEST_AMOUNT_MINOR) throw tooLarge('/charges');
  if (!hasOwnTax(request)) return { request, minor, ...spreadOverLines(minor, amounts, groups) };
  const own = groups.find((group) => isOfTaxGroup(group, request));
  return { request, minor, byLine: [], byGroup: allAt(own, minor, groups) };
}

const allAt = (own: TaxGroup | undefined, minor: bigint, groups: readonly TaxGroup[]) =>
  groups.map((group) => (group === own ? minor : 0n));

/**
 * First over the groups, which decides the tax, then within each group over its lines. A line or a
 * group that takes back bears nothing: so no share is above the amount that is spread.
 */
function spreadOverLines(
  minor: bigint,
  weights: readonly bigint[],
  groups: readonly TaxGroup[],
): Pick<Adjustment, 'byLine' | 'byGroup'> {
  const weightsOf = ({ lines }: TaxGroup) => lines.map((line) => weights[line] ?? 0n);
  const first = groups.findIndex(({ lines }) => lines[0] === 0);
  const byGroup = apportionByWeight(
    minor,
    groups.map((group) => atLeastZero(sum(weightsOf(group)))),
    first,
  );
  const byLine = weights.map(() => 0n);
  groups.forEach((group, index) => {
    const sold = weightsOf(group).map(atLeastZero);
    const shares = apportionByWeight(byGroup[index] ?? 0n, sold, 0);
    group.lines.forEach((line, place) => (byLine[line] = shares[place] ?? 0n));
  });
  return { byLine, byGroup };
}

const atLeastZero = (weight: bigint) => (weight < 0n ? 0n : weight);

export function valueOf({ percent, amountMinor }: AdjustmentRequest, base: bigint): bigint {
  if (percent === undefined) return amountMinor ?? 0n;
  return Decimal.of(base).times(Decimal.parse(percent).percent()).roundHalfUp();
}

export function shareOf(adjustments: readonly Adjustment[], line: number): bigint {
  return sum(adjustments.map(({ byLine }) => byLine[line] ?? 0n));
}

export function tooLarge(pointer: string): DomainError {
  return DocumentRefusal.total_too_large.at(
    pointer,
    `The total is above ${LARGEST_AMOUNT_MINOR}; split it over several documents.`,
  );
}

export function discountTooLarge(pointer: string, base: string): DomainError {
  return DocumentRefusal.discount_too_large.at(
    pointer,
    `The discounts are above ${base}; lower them, or make a credit note.`,
  );
}
