import { z } from 'zod';
import { answerShape, some } from '../../platform/http/validation/shapes.js';
import { Money } from '../../kernel/money.js';
import type { Calculation } from '../domain/calculation/calculation.js';
import { explain } from '../domain/calculation/explanation.js';
import type { DocumentView } from '../domain/document-view.js';
import { explainSettled } from '../domain/settled-amounts.js';
import { CashDiscountBody, DocumentBody, DocumentWarningBody, LineBody } from './document-body.js';
import {
  presentCashDiscount,
  presentFigures,
  presentLoss,
  presentSettled,
} from './present-document.js';

const StepBody = answerShape('StepBody', {
  figure: z
    .string()
    .meta({ example: '/lines/0/subtotal', description: 'A JSON pointer to the figure.' }),
  formula: z.string().meta({ example: '2 × 47.50 = 95.00' }),
  rule: z.string().meta({ example: 'quantity times price, halves are rounded away from zero' }),
  amount: z.number().describe('In minor units.'),
});
type StepBody = z.output<typeof StepBody>;

const CalculatedLineBody = answerShape('CalculatedLineBody', {
  ...LineBody.shape,
  discount_share: z
    .number()
    .describe('Its share of the document’s discounts, taxed as prices are.'),
  charge_share: z.number().describe('Its share of the document’s charges.'),
  gross_amount: z.number().describe('Its share of the total, with tax and before cash rounding.'),
});
type CalculatedLineBody = z.output<typeof CalculatedLineBody>;

/** Every amount of a document, and how each of them was found. */
export const CalculationBody = answerShape('CalculationBody', {
  ...some(DocumentBody.shape, [
    'discounts',
    'charges',
    'tax_groups',
    'subtotal',
    'discount_total',
    'charge_total',
    'net_total',
    'tax_total',
    'rounding_amount',
    'total',
    'currency',
    'prices_include_tax',
    'cash_rounding',
    'amount_credited',
    'amount_creditable',
    'amount_paid',
    'amount_prepaid',
    'amount_refunded',
    'amount_undecided',
    'amount_disputed',
    'amount_processing',
    'amount_waived',
    'amount_due',
    'amount_written_off',
    'amount_applied',
    'amount_given_back',
    'amount_to_credit',
    'loss',
  ]),
  lines: z.array(CalculatedLineBody),
  cash_discounts: z
    .array(CashDiscountBody)
    .optional()
    .describe('A preview, which has no days, leaves them out.'),
  steps: z
    .array(StepBody)
    .describe(
      'One for each amount of the document, in the order in which they are found. A preview ends with ' +
        'the total. A line’s share of nothing has none.',
    ),
  warnings: z
    .array(DocumentWarningBody)
    .optional()
    .describe('Of a preview: what the law misses, if anything.'),
});
export type CalculationBody = z.output<typeof CalculationBody>;

/** @param settled null if the document is only previewed */
export function presentCalculation(
  calculation: Calculation,
  request: { pricesIncludeTax: boolean; cashRounding: bigint | null },
  settled: DocumentView | null,
): CalculationBody {
  const { pricesIncludeTax, cashRounding } = request;
  const { total } = calculation;
  const figures = presentFigures(calculation);
  const steps = [
    ...explain(calculation, pricesIncludeTax, cashRounding),
    ...(settled ? explainSettled(settled) : []),
  ];
  const unsettled: Partial<DocumentView> = { amountDue: total };
  return {
    currency: total.currency,
    prices_include_tax: pricesIncludeTax,
    cash_rounding: cashRounding === null ? null : Number(cashRounding),
    ...figures,
    lines: calculation.lines.map(({ discountShare, chargeShare, gross }, index) => ({
      ...(figures.lines[index] as LineBody),
      discount_share: discountShare.toMinorNumber(),
      charge_share: chargeShare.toMinorNumber(),
      gross_amount: gross.toMinorNumber(),
    })),
    ...presentSettled((name) => (settled ?? unsettled)[name] ?? Money.zero(total.currency)),
    loss: settled?.loss ? presentLoss(settled.loss) : null,
    ...(settled && { cash_discounts: settled.cashDiscounts.map(presentCashDiscount) }),
    steps: steps.map((step) => ({ ...step, amount: step.amount.toMinorNumber() })),
  };
}
