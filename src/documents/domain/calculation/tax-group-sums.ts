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

/** The tax of a group, and what of its parts is without tax: net prices, or the gross is kept. */
export function taxGroupSumsOf(
  group: TaxGroup,
  index: number,
  { pricesIncludeTax, taxes }: Pick<CalculationRequest, 'pricesIncludeTax' | 'taxes'>,
  { amounts, discounts, charges }: TaxedAmounts,
): TaxGroupSums {
  const { percent, hundred } = group;
  const lines = group.lines.map((line) => amounts[line] ?? 0n);
  const lowered = discounts.map(({ byGroup }) => -(byGroup[index] ?? 0n));
  const raised = charges.map(({ byGroup }) => byGroup[index] ?? 0n);
  const parts = [...lines, ...lowered, ...raised];
  const value = sum(parts);
  const own = ratioRounded(value * percent, pricesIncludeTax ? hundred + percent : hundred);
  const tax = taxes?.get(taxGroupKey(group)) ?? own;
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
  const adjusted = group.lines.map(
    (line, place) => (lines[place] ?? 0n) - shareOf(discounts, line) + shareOf(charges, line),
  );
  const grossParts = [
    ...adjusted,
    ...charges
      .filter(({ request }) => hasOwnTax(request) && isOfTaxGroup(group, request))
      .map(({ minor }) => minor),
  ];
  const gross = pricesIncludeTax
    ? grossParts
    : apportion(
        base + tax,
        grossParts.map((part) => part * (hundred + percent)),
        hundred,
      );
  return {
    base,
    tax,
    lineNets: nets.slice(0, lines.length),
    discountNets: nets.slice(lines.length, lines.length + lowered.length).map((net) => -net),
    chargeNets: nets.slice(lines.length + lowered.length),
    lineGross: gross.slice(0, lines.length),
  };
}
