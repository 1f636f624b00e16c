import { minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { Money } from '../../kernel/money.js';
import type { CalculatedLine, Calculation } from './calculation.js';
import type { AdjustmentView, DocumentAdjustmentView } from './document-view.js';

/** One number of a document: which one, how it came to be, and by which rule. */
export interface Step {
  /** JSON pointer of the figure in the document. */
  figure: string;
  /** Such as `2 × 47.50 = 95.00`; amounts in the currency's major unit. */
  formula: string;
  /** What is applied, with its place in EN 16931 where it has one. */
  rule: string;
  amount: Money;
}

/** What has happened to a document's total since. */
export interface Settled {
  amountPaid: Money;
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
  settled: Settled | null,
): Step[] {
  return [
    ...calculation.lines.flatMap((line, index) => lineSteps(line, index, pricesIncludeTax)),
    ...calculation.discounts.flatMap((one, index) =>
      spreadSteps(one, amountOf(calculation), `/discounts/${index}`),
    ),
    ...calculation.charges.flatMap((one, index) =>
      spreadSteps(one, amountOf(calculation), `/charges/${index}`),
    ),
    ...calculation.lines.flatMap(shareSteps),
    ...groupSteps(calculation, pricesIncludeTax),
    ...totalSteps(calculation, cashRounding),
    ...(settled ? dueSteps(calculation.total, settled) : []),
  ];
}

function lineSteps(line: CalculatedLine, index: number, pricesIncludeTax: boolean): Step[] {
  const at = `/lines/${index}`;
  const price = majorText(line.unitAmountDecimal, line.subtotal.currency);
  const steps: Step[] = [
    {
      figure: `${at}/subtotal`,
      formula: `${line.quantity} × ${price} = ${line.subtotal.toDecimalString()}`,
      rule: `quantity times price, ${ROUNDED} (BR-LIN)`,
      amount: line.subtotal,
    },
    ...adjustmentSteps(line.discounts, line.subtotal, `${at}/discounts`),
    ...adjustmentSteps(line.charges, line.subtotal, `${at}/charges`),
  ];
  if (line.discounts.length + line.charges.length > 0) {
    steps.push({
      figure: `${at}/amount`,
      formula: sumText(
        line.subtotal,
        line.discounts.map(({ amount }) => amount),
        line.charges.map(({ amount }) => amount),
        line.amount,
      ),
      rule: 'subtotal less discounts plus charges',
      amount: line.amount,
    });
  }
  steps.push({
    figure: `${at}/net_amount`,
    formula: pricesIncludeTax
      ? `${line.amount.toDecimalString()} without ${line.taxRate} % = ${line.net.toDecimalString()}`
      : line.net.toDecimalString(),
    rule: pricesIncludeTax
      ? `its part of the tax group’s base, ${LARGEST_REMAINDER} (BT-131)`
      : 'the amount of the line (BT-131)',
    amount: line.net,
  });
  return steps;
}

function adjustmentSteps(views: readonly AdjustmentView[], base: Money, at: string): Step[] {
  return views.map((view, index) => ({
    figure: `${at}/${index}/amount`,
    formula: percentText(view, base),
    rule: view.percent === null ? 'as it was given' : `percent of the subtotal, ${ROUNDED}`,
    amount: view.amount,
  }));
}

/** What percentages of the whole document are of. */
function amountOf({ lines, total }: Calculation): Money {
  const amounts = lines.map(({ amount }) => amount);
  return Money.sum(amounts, total.currency);
}

/** What a line bears of the document's discounts and charges; lines without any are left out. */
function shareSteps(line: CalculatedLine, index: number): Step[] {
  const at = `/lines/${index}`;
  const rule = `by the line’s part of its tax group, ${LARGEST_REMAINDER}`;
  return [
    step(`${at}/discount_share`, line.discountShare, line.discountShare.toDecimalString(), rule),
    step(`${at}/charge_share`, line.chargeShare, line.chargeShare.toDecimalString(), rule),
  ].filter(({ amount }) => !amount.isZero());
}

function spreadSteps(view: DocumentAdjustmentView, base: Money, at: string): Step[] {
  const rule =
    view.percent === null ? 'as it was given' : `percent of the amounts of all lines, ${ROUNDED}`;
  return [
    {
      figure: `${at}/amount`,
      formula: percentText(view, base),
      rule,
      amount: view.amount,
    },
    ...view.shares.map((share, index) => ({
      figure: `${at}/shares/${index}/amount`,
      formula: `${share.amount.toDecimalString()} of ${view.amount.toDecimalString()} on ${share.category} ${share.rate} %`,
      rule: view.ownTax
        ? 'a tax of its own'
        : `by the group’s part of the lines, ${LARGEST_REMAINDER}`,
      amount: share.amount,
    })),
  ];
}

function groupSteps(calculation: Calculation, pricesIncludeTax: boolean): Step[] {
  return calculation.taxGroups.flatMap((group, index) => {
    const at = `/tax_groups/${index}`;
    const isOf = (one: { category: string; rate: string }) =>
      one.category === group.category && one.rate === group.rate;
    const lines = calculation.lines.filter((line) =>
      isOf({ category: line.taxCategory, rate: line.taxRate }),
    );
    const shares = (views: readonly DocumentAdjustmentView[]) =>
      views.flatMap((view) => view.shares.filter(isOf).map(({ net }) => net));
    const { currency } = group.base;
    const base = sumText(
      Money.sum(
        lines.map(({ net }) => net),
        currency,
      ),
      shares(calculation.discounts),
      shares(calculation.charges),
      group.base,
    );
    const gross = group.base.plus(group.tax);
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
        formula: pricesIncludeTax
          ? `${gross.toDecimalString()} × ${group.rate} / (100 + ${group.rate}) = ${group.tax.toDecimalString()}`
          : `${group.base.toDecimalString()} × ${group.rate} % = ${group.tax.toDecimalString()}`,
        rule: group.exemptionReason ?? `once for the whole group, ${ROUNDED} (BR-CO-17)`,
        amount: group.tax,
      },
    ];
  });
}

function totalSteps(calculation: Calculation, cashRounding: bigint | null): Step[] {
  const { subtotal, discountTotal, chargeTotal, netTotal, taxTotal, rounding, total } = calculation;
  const nets = calculation.lines.map(({ net }) => net.toDecimalString());
  const unrounded = netTotal.plus(taxTotal);
  return [
    step('/subtotal', subtotal, equation(nets, subtotal), 'sum of the lines’ nets (BR-CO-10)'),
    step('/discount_total', discountTotal, discountTotal.toDecimalString(), 'BR-CO-11'),
    step('/charge_total', chargeTotal, chargeTotal.toDecimalString(), 'BR-CO-12'),
    step(
      '/net_total',
      netTotal,
      sumText(subtotal, [discountTotal], [chargeTotal], netTotal),
      'subtotal less discounts plus charges (BR-CO-13)',
    ),
    step(
      '/tax_total',
      taxTotal,
      equation(
        calculation.taxGroups.map(({ tax }) => tax.toDecimalString()),
        taxTotal,
      ),
      'sum of the groups’ taxes (BR-CO-14)',
    ),
    step(
      '/rounding_amount',
      rounding,
      `${unrounded.toDecimalString()} to ${total.toDecimalString()}`,
      cashRounding === null && rounding.isZero()
        ? 'no cash rounding'
        : 'to the nearest coin (BT-114)',
    ),
    step(
      '/total',
      total,
      sumText(
        netTotal,
        rounding.isNegative() ? [Money.zero(rounding.currency).minus(rounding)] : [],
        rounding.isPositive() ? [taxTotal, rounding] : [taxTotal],
        total,
      ),
      'net and tax (BR-CO-15), and the rounding',
    ),
  ];
}

function step(figure: string, amount: Money, formula: string, rule: string): Step {
  return { figure, amount, formula, rule };
}

function dueSteps(total: Money, { amountPaid, amountCredited, amountDue }: Settled): Step[] {
  return [
    step(
      '/amount_credited',
      amountCredited,
      amountCredited.toDecimalString(),
      'what its credit notes took off',
    ),
    step('/amount_paid', amountPaid, amountPaid.toDecimalString(), 'what its payments brought'),
    step(
      '/amount_due',
      amountDue,
      sumText(total, [amountCredited, amountPaid], [], amountDue),
      'total less what is credited and paid (BR-CO-16)',
    ),
  ];
}

function percentText({ percent, amount }: AdjustmentView, base: Money): string {
  return percent === null
    ? amount.toDecimalString()
    : `${base.toDecimalString()} × ${percent} % = ${amount.toDecimalString()}`;
}

function sumText(first: Money, less: readonly Money[], plus: readonly Money[], result: Money) {
  const parts = [
    first.toDecimalString(),
    ...less.map((part) => `− ${part.toDecimalString()}`),
    ...plus.map((part) => `+ ${part.toDecimalString()}`),
  ];
  return `${parts.join(' ')} = ${result.toDecimalString()}`;
}

const MOST_TERMS = 20;

/** `a + b + c = sum`; of many terms only their number. */
function equation(terms: readonly string[], result: Money): string {
  const left = terms.length > MOST_TERMS ? `${terms.length} amounts` : terms.join(' + ');
  return `${left || '0'} = ${result.toDecimalString()}`;
}

/** A price in minor units as major ones, with all its digits. */
function majorText(unitAmountDecimal: string, currency: string): string {
  const minor = Decimal.parse(unitAmountDecimal);
  const digits = minorDigits(currency);
  const major = Decimal.of(minor.units, minor.scale + digits).toString();
  const [whole = '', fraction = ''] = major.split('.');
  return digits === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}
