import { minorDigits } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { Money } from '../../../kernel/money.js';
import type { CalculatedLine, Calculation } from './calculation.js';
import { amountOwed } from '../document-sums.js';
import type { AdjustmentView, DocumentAdjustmentView } from '../document-view.js';
import { taxInGross } from './tax-group.js';

/** One number of a document: which one, how it came to be, and by which rule. */
export interface CalculationStep {
  /** JSON pointer of the figure in the document. */
  figure: string;
  /** Such as `2 × 47.50 = 95.00`; amounts in the currency's major unit. */
  formula: string;
  /** The rule that is applied, with its place in EN 16931 if it has one. */
  rule: string;
  amount: Money;
}

/** The amounts that have changed a document's total since. */
export interface SettledAmounts {
  amountPaid: Money;
  amountRefunded: Money;
  amountWaived: Money;
  amountCredited: Money;
  amountDue: Money;
}

const ROUNDED = 'halves are rounded away from zero';
const LARGEST_REMAINDER = 'spread by largest remainder, so that the shares sum';

/** Every number of a calculation in the order in which it is found. */
export function explain(
  calculation: Calculation,
  pricesIncludeTax: boolean,
  cashRounding: bigint | null,
  settled: SettledAmounts | null,
): CalculationStep[] {
  const { lines, discounts, charges, total } = calculation;
  const amounts = Money.sum(
    lines.map((line) => line.amount),
    total.currency,
  );
  const spread = (views: readonly DocumentAdjustmentView[], at: string) =>
    views.flatMap((view, index) => spreadSteps(view, amounts, pricesIncludeTax, `${at}/${index}`));
  return [
    ...lines.flatMap((line, index) => lineSteps(line, index, pricesIncludeTax)),
    ...spread(discounts, '/discounts'),
    ...spread(charges, '/charges'),
    ...lines.flatMap(shareSteps),
    ...groupSteps(calculation, pricesIncludeTax),
    ...totalSteps(calculation, cashRounding),
    ...(settled ? dueSteps(total, settled) : []),
  ];
}

function lineSteps(
  line: CalculatedLine,
  index: number,
  pricesIncludeTax: boolean,
): CalculationStep[] {
  const at = `/lines/${index}`;
  const price = majorText(line.unitAmountDecimal, line.subtotal.currency);
  return [
    {
      figure: `${at}/subtotal`,
      formula: `${line.quantity} × ${price} = ${line.subtotal.toDecimalString()}`,
      rule: `quantity times price, ${ROUNDED}`,
      amount: line.subtotal,
    },
    ...adjustmentSteps(line.discounts, line.subtotal, `${at}/discounts`),
    ...adjustmentSteps(line.charges, line.subtotal, `${at}/charges`),
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

function adjustmentSteps(
  views: readonly AdjustmentView[],
  base: Money,
  at: string,
): CalculationStep[] {
  return views.map((view, index) => ({
    figure: `${at}/${index}/amount`,
    formula: percentText(view, base),
    rule: view.percent === null ? 'as it was given' : `percent of the subtotal, ${ROUNDED}`,
    amount: view.amount,
  }));
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

function spreadSteps(
  view: DocumentAdjustmentView,
  amounts: Money,
  pricesIncludeTax: boolean,
  at: string,
): CalculationStep[] {
  const rule =
    view.percent === null ? 'as it was given' : `percent of the amounts of all lines, ${ROUNDED}`;
  return [
    { figure: `${at}/amount`, formula: percentText(view, amounts), rule, amount: view.amount },
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
  return calculation.taxGroups.flatMap((group, index) => {
    const at = `/tax_groups/${index}`;
    const isOf = (one: { category: string; rate: string }) =>
      one.category === group.category && one.rate === group.rate;
    const lines = calculation.lines.filter((line) =>
      isOf({ category: line.taxCategory, rate: line.taxRate }),
    );
    const shares = (views: readonly DocumentAdjustmentView[]) =>
      views.flatMap((view) => view.shares.filter(isOf).map(({ net }) => net));
    const nets = lines.map(({ net }) => net);
    const base = sumText(
      Money.sum(nets, group.base.currency),
      shares(calculation.discounts),
      shares(calculation.charges),
      group.base,
    );
    const gross = group.base.plus(group.tax);
    const isGiven = pricesIncludeTax && group.tax.compare(taxInGross(gross, group.rate)) !== 0;
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
          ? 'the part of the invoice’s tax that its other credit notes leave, as a running total'
          : (group.exemptionReason ?? `once for the whole group, ${ROUNDED} (BR-CO-17)`),
        amount: group.tax,
      },
    ];
  });
}

function totalSteps(calculation: Calculation, cashRounding: bigint | null): CalculationStep[] {
  const { subtotal, discountTotal, chargeTotal, netTotal, taxTotal, rounding, total } = calculation;
  const unrounded = netTotal.plus(taxTotal);
  return [
    sumStep(
      '/subtotal',
      subtotal,
      calculation.lines.map(({ net }) => net),
      'sum of the lines’ nets (BR-CO-10)',
    ),
    sumStep(
      '/discount_total',
      discountTotal,
      netsOf(calculation.discounts),
      'sum of the discounts’ nets (BR-CO-11)',
    ),
    sumStep(
      '/charge_total',
      chargeTotal,
      netsOf(calculation.charges),
      'sum of the charges’ nets (BR-CO-12)',
    ),
    {
      figure: '/net_total',
      amount: netTotal,
      formula: sumText(subtotal, [discountTotal], [chargeTotal], netTotal),
      rule: 'subtotal less discounts plus charges (BR-CO-13)',
    },
    sumStep(
      '/tax_total',
      taxTotal,
      calculation.taxGroups.map(({ tax }) => tax),
      'sum of the groups’ taxes (BR-CO-14)',
    ),
    {
      figure: '/rounding_amount',
      amount: rounding,
      formula: `${unrounded.toDecimalString()} to ${total.toDecimalString()}`,
      rule:
        cashRounding === null && rounding.isZero()
          ? 'no cash rounding'
          : 'to the nearest coin (BT-114)',
    },
    {
      figure: '/total',
      amount: total,
      formula: sumText(netTotal, [], rounding.isZero() ? [taxTotal] : [taxTotal, rounding], total),
      rule: 'net and tax (BR-CO-15), and the rounding',
    },
  ];
}

function sumStep(
  figure: string,
  amount: Money,
  terms: readonly Money[],
  rule: string,
): CalculationStep {
  return { figure, amount, formula: equation(terms, amount), rule };
}

function netsOf(views: readonly DocumentAdjustmentView[]): Money[] {
  return views.flatMap(({ shares }) => shares.map(({ net }) => net));
}

/** Of what is not asked for, such as a credit note or a quote, nothing is due. */
function dueSteps(total: Money, settled: SettledAmounts): CalculationStep[] {
  const { amountPaid, amountRefunded, amountWaived, amountCredited, amountDue } = settled;
  const isOwed = amountOwed({ total, ...settled }).compare(amountDue) === 0;
  const rare = [
    {
      figure: '/amount_refunded',
      formula: amountRefunded.toDecimalString(),
      rule: 'the part that went back to the payer',
      amount: amountRefunded,
    },
    {
      figure: '/amount_waived',
      formula: amountWaived.toDecimalString(),
      rule: 'a shortfall within the tolerance',
      amount: amountWaived,
    },
  ].filter(({ amount }) => amount.isPositive());
  return [
    {
      figure: '/amount_credited',
      formula: amountCredited.toDecimalString(),
      rule: 'the amount that its credit notes took off',
      amount: amountCredited,
    },
    {
      figure: '/amount_paid',
      formula: amountPaid.toDecimalString(),
      rule: 'the amount of its payments (BT-113)',
      amount: amountPaid,
    },
    ...rare,
    {
      figure: '/amount_due',
      formula: isOwed
        ? sumText(
            total,
            [amountCredited, amountPaid, ...(amountWaived.isZero() ? [] : [amountWaived])],
            amountRefunded.isZero() ? [] : [amountRefunded],
            amountDue,
          )
        : amountDue.toDecimalString(),
      rule: isOwed
        ? 'total less credits and payments, plus refunds (BR-CO-16)'
        : 'nobody is asked for it now',
      amount: amountDue,
    },
  ];
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

function sumText(first: Money, less: readonly Money[], plus: readonly Money[], result: Money) {
  const terms = [...less.map((part) => part.negated()), ...plus].map((part) =>
    part.isNegative() ? `− ${part.negated().toDecimalString()}` : `+ ${part.toDecimalString()}`,
  );
  const sum = result.toDecimalString();
  return terms.length === 0 ? sum : `${[first.toDecimalString(), ...terms].join(' ')} = ${sum}`;
}

const MOST_TERMS = 20;

/** `a + b + c = sum`; of many terms only their number, of one or none the sum alone. */
function equation(terms: readonly Money[], result: Money): string {
  const sum = result.toDecimalString();
  if (terms.length < 2) return sum;
  return terms.length > MOST_TERMS
    ? `${terms.length} amounts = ${sum}`
    : sumText(terms[0] ?? result, [], terms.slice(1), result);
}

/** A price in minor units as major ones, with all its digits: `4750` is `47.50`. */
function majorText(unitAmountDecimal: string, currency: string): string {
  const minor = Decimal.parse(unitAmountDecimal);
  const digits = minorDigits(currency);
  const text = Decimal.of(minor.units, minor.scale + digits).toString();
  const [whole = '', decimals = ''] = text.split('.');
  return digits === 0 ? text : `${whole}.${decimals.padEnd(digits, '0')}`;
}
