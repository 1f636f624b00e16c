import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { PageEnds } from '../../platform/http/paging.js';
import { minorNumber } from '../../kernel/money.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import type { PrintedColumn } from './report-query.js';
import {
  type TaxLine,
  type TaxTotal,
  VAT_METHODS,
  type VatDecision,
} from '../domain/tax-report.js';

export const SetVatMethodRequest = requestShape('SetVatMethodRequest', {
  method: oneOf(VAT_METHODS, {
    description: '`accrual`: tax is due once it is invoiced; `cash`: once it is paid.',
  }),
  from: dateText({ description: 'The first day of issue of the invoices that it holds for.' }),
});
export type SetVatMethodRequest = z.output<typeof SetVatMethodRequest>;

export const VatMethodBody = answerShape('VatMethodBody', {
  method: z.string().meta({ enum: VAT_METHODS }),
  from: z.string().meta({ format: 'date' }),
  decided_at: z.string().meta({ format: 'date-time' }),
});
export type VatMethodBody = z.output<typeof VatMethodBody>;

export const VatMethodList = answerShape('VatMethodList', {
  ...PageEnds.shape,
  method: z.string().meta({ enum: VAT_METHODS, description: 'Of invoices that are issued today.' }),
  data: z
    .array(VatMethodBody)
    .describe('Each holds from its day on, over those before it in this list.'),
});
export type VatMethodList = z.output<typeof VatMethodList>;

export function presentVatDecision({ method, from, decidedAt }: VatDecision): VatMethodBody {
  return { method, from, decided_at: decidedAt.toISOString() };
}

const TaxLineBody = answerShape('TaxLineBody', {
  vat_method: z
    .string()
    .meta({ enum: VAT_METHODS, description: 'Of the invoice, by its day of issue.' }),
  currency: z.string(),
  country: z.string().nullable().describe('Of the buyer.'),
  tax_category: z.string().meta({ example: 'S' }),
  tax_rate: z.string().meta({ example: '19' }),
  taxable_amount: z.number().describe('Without tax.'),
  tax_amount: z.number(),
  tax_relief: z.number().describe('Tax of losses that is claimed back; taken off already.'),
});
type TaxLineBody = z.output<typeof TaxLineBody>;

const TaxTotalBody = answerShape('TaxTotalBody', {
  currency: z.string(),
  taxable_amount: z.number(),
  tax_amount: z.number(),
  tax_not_due: z.number().describe('Tax that is booked by the last day, and due once it is paid.'),
});
type TaxTotalBody = z.output<typeof TaxTotalBody>;

export const TaxReportBody = answerShape('TaxReportBody', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  data: z.array(TaxLineBody),
  totals: z.array(TaxTotalBody),
});
export type TaxReportBody = z.output<typeof TaxReportBody>;

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
