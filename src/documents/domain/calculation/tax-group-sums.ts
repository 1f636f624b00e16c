import { type Adjustment, shareOf } from './adjustment.js';
import { apportion, apportionByWeight, ratioRounded, sum } from './apportion.js';
import { type CalculationRequest, hasOwnTax } from './calculation-request.js';
import { type TaxGroup, isOfTaxGroup, taxGroupKey } from './tax-group.js';

/** The sums of one group. Aligned with its lines, and with all discounts and charges. */
export interface TaxGroupSums {
  base: bigint;
  tax: bigint;
  lineNets: bigint[];
  discountNets: bigint[];
  chargeNets: bigint[];
  lineGross: bigint[];
}

/** The prices of lines, and the document's discounts and charges. */
interface TaxedAmounts {
  amounts: readonly bigint[];
  discounts: readonly Adjustment[];
  charges: readonly Adjustment[];
}

/** Amounts of one group: of its lines, of adjustments in their order, and those that make its gross. */
interface GroupParts {
  lines: bigint[];
  lowered: bigint[];
  raised: bigint[];
  grossParts: bigint[];
}

/**
 * The tax of a group, and what of its parts is without tax: net prices, or the gross is kept. A group
 * below zero is the mirror of one above it.
 */
export function taxGroupSumsOf(
  group: TaxGroup,
  index: number,
  {
    pricesIncludeTax,
    taxes,
  }: Pick<CalculationRequest, 'pricesIncludeTax'> & {
    taxes: ReadonlyMap<string, bigint> | undefined;
  },
  { amounts, discounts, charges }: TaxedAmounts,
): TaxGroupSums {
  const lines = group.lines.map((line) => amounts[line] ?? 0n);
  const lowered = discounts.map(({ byGroup }) => -(byGroup[index] ?? 0n));
  const raised = charges.map(({ byGroup }) => byGroup[index] ?? 0n);
  const adjusted = group.lines.map(
    (line, place) => (lines[place] ?? 0n) - shareOf(discounts, line) + shareOf(charges, line),
  );
  const own = charges
    .filter(({ request }) => hasOwnTax(request) && isOfTaxGroup(group, request))
    .map(({ minor }) => minor);
  // Without lines, discounts are off its charges.
  const off = group.lines.length === 0 ? lowered : [];
  const parts = { lines, lowered, raised, grossParts: [...adjusted, ...own, ...off] };
  const given = taxes?.get(taxGroupKey(group));
  if (sum([...lines, ...lowered, ...raised]) >= 0n) {
    return sumsOf(group, parts, pricesIncludeTax, given);
  }
  const mirrored = mapped(parts, negated);
  return mapped(sumsOf(group, mirrored, pricesIncludeTax, given && -given), negated);
}

function sumsOf(
  { percent, hundred }: TaxGroup,
  { lines, lowered, raised, grossParts }: GroupParts,
  pricesIncludeTax: boolean,
  given: bigint | undefined,
): TaxGroupSums {
  const parts = [...lines, ...lowered, ...raised];
  const value = sum(parts);
  const own = ratioRounded(value * percent, pricesIncludeTax ? hundred + percent : hundred);
  const tax = given ?? own;
  const base = pricesIncludeTax ? value - tax : value;
  const nets = !pricesIncludeTax
    ? parts
    : tax === own
      ? apportion(
          base,
          parts.map((part) => part * hundred),
          hundred + percent,
        )
      : apportionByWeight(base, parts, 0);
  const gross = pricesIncludeTax
    ? grossParts
    : tax === own
      ? apportion(
          base + tax,
          grossParts.map((part) => part * (hundred + percent)),
          hundred,
        )
      : apportionByWeight(base + tax, grossParts, 0);
  return {
    base,
    tax,
    lineNets: nets.slice(0, lines.length),
    discountNets: nets.slice(lines.length, lines.length + lowered.length).map(negated),
    chargeNets: nets.slice(lines.length + lowered.length),
    lineGross: gross.slice(0, lines.length),
  };
}

const negated = (amount: bigint) => -amount;

/** Each amount of an object, also in its lists. */
function mapped<Amounts extends object>(amounts: Amounts, by: (amount: bigint) => bigint): Amounts {
  const entries = Object.entries(amounts as Record<string, bigint | bigint[]>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(by) : by(value)]),
  ) as Amounts;
}
