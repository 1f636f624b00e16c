import { Money } from '../../../kernel/money.js';
import type { DocumentAdjustmentView } from '../document-view.js';
import type { Calculation } from './calculation.js';
import { type CalculationStep, equation, ifAny, sumText } from './calculation-step.js';

/** The totals of a document, each with what it is made of. */
export function totalSteps(
  calculation: Calculation,
  cashRounding: bigint | null,
): CalculationStep[] {
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
    ...(cashRounding === null ? [] : [coinStep(Money.of(cashRounding, total.currency))]),
    {
      figure: '/rounding_amount',
      amount: rounding,
      formula: `${unrounded.toDecimalString()} to ${total.toDecimalString()}`,
      rule:
        cashRounding !== null
          ? 'to the nearest coin (BT-114)'
          : rounding.isZero()
            ? 'no cash rounding'
            : 'as it was given (BT-114)',
    },
    {
      figure: '/total',
      amount: total,
      formula: sumText(netTotal, [], [taxTotal, ...ifAny(rounding)], total),
      rule: 'net and tax (BR-CO-15), and the rounding',
    },
  ];
}

function coinStep(coin: Money): CalculationStep {
  const rule = 'the smallest coin, as it was given';
  return { figure: '/cash_rounding', amount: coin, formula: coin.toDecimalString(), rule };
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
