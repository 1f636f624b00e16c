import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { Calculation } from '../domain/calculation/calculation.js';
import { explain, type SettledAmounts } from '../domain/calculation/explanation.js';
import { DocumentWarningBody, FiguresBody, LineBody } from './document-body.dto.js';
import { presentFigures } from './present-document.js';

class StepBody {
  @ApiProperty({ example: '/lines/0/subtotal', description: 'A JSON pointer to the figure.' })
  figure!: string;
  @ApiProperty({ example: '2 × 47.50 = 95.00' }) formula!: string;
  @ApiProperty({ example: 'quantity times price, halves are rounded away from zero' })
  rule!: string;
  @ApiProperty({ description: 'In minor units.' }) amount!: number;
}

class CalculatedLineBody extends LineBody {
  @ApiProperty({ description: 'Its share of the document’s discounts, taxed as prices are.' })
  discount_share!: number;
  @ApiProperty({ description: 'Its share of the document’s charges.' }) charge_share!: number;
  @ApiProperty({ description: 'Its share of the total, with tax and before cash rounding.' })
  gross_amount!: number;
}

/** The figures of a document, and how each of them was found. */
export class CalculationBody extends OmitType(FiguresBody, ['lines']) {
  @ApiProperty({ type: [CalculatedLineBody] }) lines!: CalculatedLineBody[];
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty() prices_include_tax!: boolean;
  @ApiProperty() amount_credited!: number;
  @ApiProperty() amount_paid!: number;
  @ApiProperty() amount_refunded!: number;
  @ApiProperty() amount_waived!: number;
  @ApiProperty() amount_due!: number;
  @ApiProperty({ type: [StepBody] }) steps!: StepBody[];
  @ApiProperty({
    type: [DocumentWarningBody],
    required: false,
    description: 'Of a preview: what the law misses, if anything.',
  })
  warnings?: DocumentWarningBody[];
}

/** @param settled null if the document is only previewed */
export function presentCalculation(
  calculation: Calculation,
  request: { pricesIncludeTax: boolean; cashRounding: bigint | null },
  settled: SettledAmounts | null,
): CalculationBody {
  const { pricesIncludeTax, cashRounding } = request;
  const figures = presentFigures(calculation);
  const steps = explain(calculation, pricesIncludeTax, cashRounding, settled);
  return {
    currency: calculation.total.currency,
    prices_include_tax: pricesIncludeTax,
    ...figures,
    lines: calculation.lines.map(({ discountShare, chargeShare, gross }, index) => ({
      ...(figures.lines[index] as LineBody),
      discount_share: discountShare.toMinorNumber(),
      charge_share: chargeShare.toMinorNumber(),
      gross_amount: gross.toMinorNumber(),
    })),
    amount_credited: settled?.amountCredited.toMinorNumber() ?? 0,
    amount_paid: settled?.amountPaid.toMinorNumber() ?? 0,
    amount_refunded: settled?.amountRefunded.toMinorNumber() ?? 0,
    amount_waived: settled?.amountWaived.toMinorNumber() ?? 0,
    amount_due: (settled?.amountDue ?? calculation.total).toMinorNumber(),
    steps: steps.map((step) => ({ ...step, amount: step.amount.toMinorNumber() })),
  };
}
