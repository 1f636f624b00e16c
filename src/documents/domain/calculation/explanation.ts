import { Money } from '../../../kernel/money.js';
import type { CalculatedLine, Calculation } from './calculation.js';
import { type CalculationStep, ifAny, majorText, sumText } from './calculation-step.js';
import { amountWithoutTax } from './net-adjustments.js';
import type { AdjustmentView, DocumentAdjustmentView } from '../document-view.js';
import { taxGroupKey, taxInGross, taxOn } from './tax-group.js';
import { totalSteps } from './total-steps.js';

const ROUNDED = 'halves are rounded away from zero';
const LARGEST_REMAINDER = 'spread by largest remainder, so that the shares sum';

/** Every figure of a calculation in the order in which it is found. */
export function explain(
  calculation: Calculation,
  pricesIncludeTax: boolean,
  cashRounding: bigint | null,
): CalculationStep[] {
  const { lines, discounts, charges, total } = calculation;
  const amounts = Money.sum(
    lines.map((line) => line.amount),
    total.currency,
  );
  const all = { amount: amounts, of: 'all lines' };
  const spread = (view: DocumentAdjustmentView, base: PercentBase, at: string) =>
    spreadSteps(view, base, pricesIncludeTax, at);
  return [
    ...lines.flatMap((line, index) => lineSteps(line, index, pricesIncludeTax)),
    ...discounts.flatMap((view, index) =>
      spread(view, view.ownTax ? ownBase(view.ownTax, calculation) : all, `/discounts/${index}`),
    ),
    ...charges.flatMap((view, index) => spread(view, all, `/charges/${index}`)),
    ...lines.flatMap((line, index) => [
      ...shareSteps(line, index),
      grossStep(line, index, pricesIncludeTax),
    ]),
    ...groupSteps(calculation, pricesIncludeTax),
    ...totalSteps(calculation, cashRounding),
  ];
}

type TaxName = NonNullable<DocumentAdjustmentView['ownTax']>;

/** The amount that a percentage is of, and what it is the sum of. */
interface PercentBase {
  amount: Money;
  of: string;
}

/** A discount with a tax of its own is of the lines of that tax, or of its charges; never below zero. */
function ownBase(
  own: TaxName,
  { lines, charges, total }: Pick<Calculation, 'lines' | 'charges' | 'total'>,
): PercentBase {
  const isOwn = (tax: TaxName | null) => tax?.category === own.category && tax.rate === own.rate;
  const onLines = lines.filter(({ taxCategory: category, taxRate: rate }) =>
    isOwn({ category, rate }),
  );
  const onCharges = charges.filter(({ ownTax }) => isOwn(ownTax));
  const isOnLines = onLines.length > 0;
  const base = Money.sum(
    (isOnLines ? onLines : onCharges).map(({ amount }) => amount),
    total.currency,
  );
  const amount = base.isNegative() ? Money.zero(total.currency) : base;
  return { amount, of: `the ${isOnLines ? 'lines' : 'charges'} of its tax` };
}

function lineSteps(
  line: CalculatedLine,
  index: number,
  pricesIncludeTax: boolean,
): CalculationStep[] {
  const at = `/lines/${index}`;
  const price = majorText(line.unitAmountDecimal, line.subtotal.currency);
  const { price_base_quantity: base } = line.details;
  const by = base === undefined ? '' : ` / ${base}`;
  const isIssued = line.details.issued_net_amount_decimal !== undefined;
  return [
    isIssued
      ? issuedStep(line, at)
      : {
          figure: `${at}/subtotal`,
          formula: `${line.quantity} × ${price}${by} = ${line.subtotal.toDecimalString()}`,
          rule: by
            ? `quantity times price, for so many, ${ROUNDED}`
            : `quantity times price, ${ROUNDED}`,
          amount: line.subtotal,
        },
    ...adjustmentSteps(line, 'discounts', pricesIncludeTax, at),
    ...adjustmentSteps(line, 'charges', pricesIncludeTax, at),
    {
      figure: `${at}/amount`,
      formula: sumText(
        line.subtotal,
        line.discounts.map(({ amount }) => amount),
        line.charges.map(({ amount }) => amount),
        line.amount,
      ),
      rule: 'subtotal less discounts plus charges',
      amount: line.amount,
    },
    {
      figure: `${at}/net_amount`,
      formula: netText(line.amount, line.taxRate, line.net, pricesIncludeTax),
      rule: pricesIncludeTax
        ? `its part of the tax group’s base, ${LARGEST_REMAINDER} (BT-131)`
        : 'the amount of the line (BT-131)',
      amount: line.net,
    },
  ];
}

/** The net amount was given: what it is made of follows from it. */
function issuedStep(line: CalculatedLine, at: string): CalculationStep {
  const { subtotal, discounts, charges, amount } = line;
  const back = sumText(
    amount,
    charges.map((one) => one.amount),
    discounts.map((one) => one.amount),
    subtotal,
  );
  const rule = 'the amount as it was issued elsewhere, less charges plus discounts';
  return { figure: `${at}/subtotal`, formula: back, rule, amount: subtotal };
}

function adjustmentSteps(
  line: CalculatedLine,
  kind: 'discounts' | 'charges',
  pricesIncludeTax: boolean,
  lineAt: string,
): CalculationStep[] {
  return line[kind].flatMap((view, index) => {
    const at = `${lineAt}/${kind}/${index}`;
    const { amount, net } = view;
    const isOwn = !pricesIncludeTax || net.compare(amountWithoutTax(amount, line.taxRate)) === 0;
    return [
      {
        figure: `${at}/amount`,
        formula: percentText(view, line.subtotal),
        rule: view.percent === null ? 'as it was given' : `percent of the subtotal, ${ROUNDED}`,
        amount,
      },
      {
        figure: `${at}/net_amount`,
        formula: netText(amount, line.taxRate, net, pricesIncludeTax && isOwn),
        rule: !pricesIncludeTax
          ? 'its amount (BT-136, BT-141)'
          : isOwn
            ? `its amount without tax, ${ROUNDED} (BT-136, BT-141)`
            : 'as much as makes the net amount of a line without a price (BT-141)',
        amount: net,
      },
    ];
  });
}

/** A line's share of the document's discounts and charges; lines without any are left out. */
function shareSteps(line: CalculatedLine, index: number): CalculationStep[] {
  const rule = `by the line’s part of its tax group, ${LARGEST_REMAINDER}`;
  const shares = [
    { figure: `/lines/${index}/discount_share`, amount: line.discountShare },
    { figure: `/lines/${index}/charge_share`, amount: line.chargeShare },
  ];
  return shares
    .filter(({ amount }) => !amount.isZero())
    .map((share) => ({ ...share, formula: share.amount.toDecimalString(), rule }));
}

/** With prices that include tax, it is the sum itself. */
function grossStep(
  line: CalculatedLine,
  index: number,
  pricesIncludeTax: boolean,
): CalculationStep {
  const { amount, discountShare, chargeShare, gross, taxRate } = line;
  const adjusted = amount.minus(discountShare).plus(chargeShare);
  const sum = sumText(amount, ifAny(discountShare), ifAny(chargeShare), adjusted);
  const [untaxed = ''] = sum.split(' = ');
  return {
    figure: `/lines/${index}/gross_amount`,
    formula: pricesIncludeTax ? sum : `${untaxed}, with ${taxRate} % = ${gross.toDecimalString()}`,
    rule: pricesIncludeTax
      ? 'the amount of the line with its shares'
      : `its part of the tax group’s base and tax, ${LARGEST_REMAINDER}`,
    amount: gross,
  };
}

function spreadSteps(
  view: DocumentAdjustmentView,
  base: PercentBase,
  pricesIncludeTax: boolean,
  at: string,
): CalculationStep[] {
  const rule =
    view.percent === null ? 'as it was given' : `percent of the amounts of ${base.of}, ${ROUNDED}`;
  return [
    { figure: `${at}/amount`, formula: percentText(view, base.amount), rule, amount: view.amount },
    ...view.shares.flatMap((share, index) => [
      {
        figure: `${at}/shares/${index}/amount`,
        formula: `${share.amount.toDecimalString()} of ${view.amount.toDecimalString()} on ${share.category} ${share.rate} %`,
        rule: view.ownTax
          ? 'a tax of its own'
          : `by the group’s part of the lines, ${LARGEST_REMAINDER}`,
        amount: share.amount,
      },
      {
        figure: `${at}/shares/${index}/net_amount`,
        formula: netText(share.amount, share.rate, share.net, pricesIncludeTax),
        rule: pricesIncludeTax
          ? `its part of the tax group’s base, ${LARGEST_REMAINDER} (BT-92, BT-99)`
          : 'the amount of the share (BT-92, BT-99)',
        amount: share.net,
      },
    ]),
  ];
}

function groupSteps(calculation: Calculation, pricesIncludeTax: boolean): CalculationStep[] {
  const linesOf = netsByGroup(calculation.lines.map(taxedNet));
  const shares = (views: readonly DocumentAdjustmentView[]) =>
    netsByGroup(views.flatMap((view) => view.shares));
  const [discountsOf, chargesOf] = [shares(calculation.discounts), shares(calculation.charges)];
  return calculation.taxGroups.flatMap((group, index) => {
    const at = `/tax_groups/${index}`;
    const base = sumText(
      Money.sum(linesOf(group), group.base.currency),
      discountsOf(group),
      chargesOf(group),
      group.base,
    );
    const gross = group.base.plus(group.tax);
    const own = pricesIncludeTax ? taxInGross(gross, group.rate) : taxOn(group.base, group.rate);
    const isGiven = group.tax.compare(own) !== 0;
    return [
      {
        figure: `${at}/taxable_amount`,
        formula: pricesIncludeTax
          ? `${gross.toDecimalString()} − ${group.tax.toDecimalString()} = ${group.base.toDecimalString()}`
          : base,
        rule: pricesIncludeTax
          ? 'the gross less its tax, so that the gross is kept (BT-116)'
          : 'nets of the lines, less discounts, plus charges (BT-116)',
        amount: group.base,
      },
      {
        figure: `${at}/tax_amount`,
        formula: isGiven
          ? group.tax.toDecimalString()
          : pricesIncludeTax
            ? `${gross.toDecimalString()} × ${group.rate} / (100 + ${group.rate}) = ${group.tax.toDecimalString()}`
            : `${group.base.toDecimalString()} × ${group.rate} % = ${group.tax.toDecimalString()}`,
        rule: isGiven
          ? pricesIncludeTax
            ? 'the part of the invoice’s tax that its other credit notes leave, as a running total'
            : 'the tax as it was issued elsewhere (BT-117)'
          : (group.exemptionReason ?? `once for the whole group, ${ROUNDED} (BR-CO-17)`),
        amount: group.tax,
      },
    ];
  });
}

const taxedNet = ({ taxCategory: category, taxRate: rate, net }: CalculatedLine) => ({
  category,
  rate,
  net,
});

/** The nets of each group, found once for all of them. */
function netsByGroup(taxed: readonly (TaxName & { net: Money })[]): (group: TaxName) => Money[] {
  const byGroup = new Map<string, Money[]>();
  for (const one of taxed) {
    const nets = byGroup.get(taxGroupKey(one));
    if (nets) nets.push(one.net);
    else byGroup.set(taxGroupKey(one), [one.net]);
  }
  return (group) => byGroup.get(taxGroupKey(group)) ?? [];
}

function netText(amount: Money, rate: string, net: Money, pricesIncludeTax: boolean): string {
  return pricesIncludeTax
    ? `${amount.toDecimalString()} without ${rate} % = ${net.toDecimalString()}`
    : net.toDecimalString();
}

function percentText({ percent, amount }: AdjustmentView, base: Money): string {
  return percent === null
    ? amount.toDecimalString()
    : `${base.toDecimalString()} × ${percent} % = ${amount.toDecimalString()}`;
}
