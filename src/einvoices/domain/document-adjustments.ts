import type { DocumentView } from '../../documents/index.js';
import { minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';
import type { SemanticAdjustment } from './semantic/semantic-terms.js';

type AdjustmentOf = DocumentView['discounts'][number];
type LineOf = DocumentView['lines'][number];

interface Adjustments {
  allowances: SemanticAdjustment[];
  charges: SemanticAdjustment[];
}

/** UNTDID 5189 and 7161, of adjustments that have no reason: `Discount`, `Miscellaneous`. */
const ANY_DISCOUNT = '95';
const ANY_CHARGE = 'ABK';

/** BG-20 and BG-21. */
export function documentAdjustments(view: DocumentView): Adjustments {
  const { discounts, charges } = view;
  if (discounts.length === 0 && charges.length === 0) return { allowances: [], charges: [] };
  const onLines = netsByTax(
    view.lines.map(({ taxCategory: category, taxRate: rate, net }) => ({ category, rate, net })),
  );
  const onCharges = netsByTax(charges.flatMap(({ shares }) => shares));
  const baseOf = (tax: TaxOf) => onLines.get(keyOf(tax)) ?? onCharges.get(keyOf(tax));
  return {
    allowances: discounts.flatMap((one) => sharesOf(one, ANY_DISCOUNT, baseOf)),
    charges: charges.flatMap((one) =>
      sharesOf(one, ANY_CHARGE, one.ownTax ? () => view.subtotal : baseOf),
    ),
  };
}

/** BG-27 and BG-28. With tax in it, an amount is no longer its percentage of what is without. */
export function lineAdjustments(line: LineOf, pricesIncludeTax: boolean): Adjustments {
  const base = pricesIncludeTax ? null : line.subtotal;
  const adjustment =
    (code: string) =>
    (one: LineOf['discounts'][number]): SemanticAdjustment => ({
      amount: one.net,
      ...percentageOf(one, one.amount, base),
      reason: one.reason,
      reasonCode: one.reasonCode ?? (one.reason === null ? code : null),
      tax: null,
    });
  return {
    allowances: line.discounts.map(adjustment(ANY_DISCOUNT)),
    charges: line.charges.map(adjustment(ANY_CHARGE)),
  };
}

type TaxOf = Pick<AdjustmentOf['shares'][number], 'category' | 'rate'>;

const keyOf = ({ category, rate }: TaxOf) => `${category} ${rate}`;

function netsByTax(taxed: readonly (TaxOf & { net: Money })[]): ReadonlyMap<string, Money> {
  const nets = new Map<string, Money>();
  for (const one of taxed) {
    nets.set(keyOf(one), nets.get(keyOf(one))?.plus(one.net) ?? one.net);
  }
  return nets;
}

/**
 * Each tax bears a share of its own, of the lines of that tax. The percentage stays on paper where the
 * share is not that part of them: other discounts may be off one tax only.
 */
function sharesOf(
  one: AdjustmentOf,
  code: string,
  baseOf: (tax: TaxOf) => Money | undefined,
): SemanticAdjustment[] {
  const shares = one.shares.filter(({ net }) => !net.isZero());
  const own = one.ownTax && { ...one.ownTax, net: Money.zero(one.amount.currency) };
  // A tax of its own has a group of its own, also where the charge is nothing.
  const told = shares.length === 0 && own ? [own] : shares;
  return told.map(({ category, rate, net }) => ({
    amount: net,
    ...percentageOf(one, net, baseOf({ category, rate }) ?? null),
    reason: one.reason,
    reasonCode: one.reasonCode ?? (one.reason === null ? code : null),
    tax: { category, rate },
  }));
}

/**
 * Base and percentage where they come to the amount, but for rounding. In a currency without decimals,
 * rounding is more than readers let pass (PEPPOL-EN16931-R040).
 */
function percentageOf(
  { percent }: Pick<AdjustmentOf, 'percent'>,
  amount: Money,
  base: Money | null,
): Pick<SemanticAdjustment, 'baseAmount' | 'percent'> {
  if (percent === null || !base || base.isZero()) return { baseAmount: null, percent: null };
  const { units, scale } = Decimal.of(base.minor).times(Decimal.parse(percent).percent());
  const one = 10n ** BigInt(scale);
  const off = units - amount.minor * one;
  const isSame = minorDigits(base.currency) > 1 ? off < one && -off < one : off === 0n;
  return isSame ? { baseAmount: base, percent } : { baseAmount: null, percent: null };
}
