import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../platform/http/paging.js';
import { minorNumber } from '../../kernel/money.js';
import { DateText, OneOf } from '../../platform/http/validation/fields.js';
import type { PrintedColumn } from './report-page.js';
import {
  type TaxLine,
  type TaxTotal,
  VAT_METHODS,
  type VatDecision,
  type VatMethod,
} from '../domain/tax-report.js';

export class SetVatMethodRequest {
  @OneOf(VAT_METHODS, {
    description: '`accrual`: tax is due once it is invoiced; `cash`: once it is paid.',
  })
  method!: VatMethod;

  @DateText({ description: 'The first day of issue of the invoices that it holds for.' })
  from!: string;
}

export class VatMethodBody {
  @ApiProperty({ enum: VAT_METHODS }) method!: string;
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date-time' }) decided_at!: string;
}

export class VatMethodList extends PageEnds {
  @ApiProperty({ enum: VAT_METHODS, description: 'Of invoices that are issued today.' })
  method!: string;
  @ApiProperty({
    type: [VatMethodBody],
    description: 'Each holds from its day on, over those before it in this list.',
  })
  data!: VatMethodBody[];
}

export function presentVatDecision({ method, from, decidedAt }: VatDecision): VatMethodBody {
  return { method, from, decided_at: decidedAt.toISOString() };
}

class TaxLineBody {
  @ApiProperty({ enum: VAT_METHODS, description: 'Of the invoice, by its day of issue.' })
  vat_method!: string;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Of the buyer.' })
  country!: string | null;
  @ApiProperty({ example: 'S' }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ description: 'Without tax.' }) taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
  @ApiProperty({ description: 'Tax of losses that is claimed back; taken off already.' })
  tax_relief!: number;
}

class TaxTotalBody {
  @ApiProperty() currency!: string;
  @ApiProperty() taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
  @ApiProperty({ description: 'Tax that is booked by the last day, and due once it is paid.' })
  tax_not_due!: number;
}

export class TaxReportBody extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [TaxLineBody] }) data!: TaxLineBody[];
  @ApiProperty({ type: [TaxTotalBody] }) totals!: TaxTotalBody[];
}

export const TAX_COLUMNS = [
  'vat_method',
  'currency',
  'country',
  'tax_category',
  'tax_rate',
  'taxable_amount',
  'tax_amount',
  'tax_relief',
] as const satisfies readonly (keyof TaxLineBody)[];

export const TAX_PRINTED: PrintedColumn<keyof TaxLineBody>[] = [
  { name: 'vat_method', heading: 'Due by', is: 'word' },
  { name: 'country', heading: 'Buyer in', is: 'text' },
  { name: 'tax_category', heading: 'Category', is: 'text' },
  { name: 'tax_rate', heading: 'Rate, %', is: 'count' },
  { name: 'taxable_amount', heading: 'Without tax', is: 'summed' },
  { name: 'tax_amount', heading: 'Tax', is: 'summed' },
  { name: 'tax_relief', heading: 'Claimed back of losses', is: 'summed' },
];

export function presentTaxLine(line: TaxLine): TaxLineBody {
  return {
    vat_method: line.method,
    currency: line.currency,
    country: line.country,
    tax_category: line.category,
    tax_rate: line.rate,
    taxable_amount: minorNumber(line.base),
    tax_amount: minorNumber(line.tax),
    tax_relief: minorNumber(line.relief),
  };
}

export function presentTaxTotal({ currency, base, tax, notDue }: TaxTotal): TaxTotalBody {
  return {
    currency,
    taxable_amount: minorNumber(base),
    tax_amount: minorNumber(tax),
    tax_not_due: minorNumber(notDue),
  };
}
