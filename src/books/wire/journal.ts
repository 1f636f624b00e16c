import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { PageEnds, PageQuery } from '../../platform/http/paging.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import type { PrintedColumn } from './report-query.js';
import type { JournalLine } from '../domain/journal.js';
import { EC_SALE_CATEGORIES, type EcSalesLine } from '../domain/ec-sales.js';
import type { OssLine } from '../domain/oss.js';
import { PREFIX_OF_FACT } from '../domain/transfer.js';

export const JournalReportQuery = queryShape({
  ...PageQuery.shape,
  from: dateText({ description: 'The first day.' }),
  to: dateText({ description: 'The last day.' }),
  currency: currencyCode({
    optional: true,
    description: 'Default: all; of a DATEV file, the currency of the account.',
  }),
  format: oneOf(['csv', 'json', 'html', 'datev', 'datev_debtors'], {
    optional: true,
    description:
      'Default: `csv`, in minor units. `json` is a page, of which `limit` counts the bookings: some have ' +
      'several lines, or none. `html` is a page to print. `datev` is a posting batch (EXTF) in Windows-1252, and ' +
      '`datev_debtors` the customers in it by their numbers; the chart of accounts has to name ' +
      'the consultant and the client.',
  }),
});
export type JournalReportQuery = z.output<typeof JournalReportQuery>;

const JournalLineBody = answerShape('JournalLineBody', {
  date: z.string().meta({ format: 'date', description: 'The day that it counts for.' }),
  document_number: z.string().nullable(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  debit: z.string().meta({ example: '1410', description: 'The number of your chart.' }),
  credit: z.string().meta({ example: '8400' }),
  amount: z.number().describe('In minor units, above zero.'),
  currency: z.string(),
  tax_category: z.string().nullable().meta({ example: 'S' }),
  tax_rate: z.string().nullable().meta({ example: '19' }),
  tax_key: z.string().nullable(),
  country: z
    .string()
    .nullable()
    .describe('The buyer’s, if it is another one of the EU than the seller’s.'),
  tax_id: z.string().nullable().describe('The buyer’s VAT number.'),
  fact: z.string().meta({ enum: Object.keys(PREFIX_OF_FACT) }),
  fact_id: z.string().describe('The id of what was booked.'),
});
type JournalLineBody = z.output<typeof JournalLineBody>;

export const JournalPage = answerShape('JournalPage', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  data: z.array(JournalLineBody),
});
export type JournalPage = z.output<typeof JournalPage>;

/** The columns of a file. */
export const JOURNAL_COLUMNS = [
  'date',
  'document_number',
  'customer_id',
  'customer_name',
  'debit',
  'credit',
  'amount',
  'currency',
  'tax_category',
  'tax_rate',
  'tax_key',
  'country',
  'tax_id',
  'fact',
  'fact_id',
] as const satisfies readonly (keyof JournalLineBody)[];

export function presentJournalLine(line: JournalLine): JournalLineBody {
  return {
    date: line.effectiveOn,
    document_number: line.documentNumber,
    customer_id: line.customerId && publicId('cus', line.customerId),
    customer_name: line.customerName,
    debit: line.debit,
    credit: line.credit,
    amount: minorNumber(line.amount),
    currency: line.currency,
    tax_category: line.tax?.category ?? null,
    tax_rate: line.tax?.rate ?? null,
    tax_key: line.tax?.key ?? null,
    country: line.abroad,
    tax_id: line.taxId,
    fact: line.fact,
    fact_id: publicId(PREFIX_OF_FACT[line.fact], line.factId),
  };
}

export const JOURNAL_PRINTED: PrintedColumn<(typeof JOURNAL_COLUMNS)[number]>[] = [
  { name: 'date', heading: 'Date', is: 'text' },
  { name: 'document_number', heading: 'Document', is: 'text' },
  { name: 'customer_name', heading: 'Customer', is: 'text' },
  { name: 'debit', heading: 'Debit', is: 'text' },
  { name: 'credit', heading: 'Credit', is: 'text' },
  { name: 'amount', heading: 'Amount', is: 'summed' },
  { name: 'tax_category', heading: 'Tax', is: 'text' },
  { name: 'tax_rate', heading: 'Rate, %', is: 'count' },
  { name: 'fact', heading: 'Fact', is: 'word' },
];

const EcSalesLineBody = answerShape('EcSalesLineBody', {
  country: z.string().meta({ example: 'FR', description: 'The member state of the buyer.' }),
  tax_id: z.string().nullable().meta({
    example: 'FR12345678901',
    description: 'The buyer’s VAT number; null: the document does not say it.',
  }),
  tax_category: z.string().meta({
    enum: EC_SALE_CATEGORIES,
    description: '`K`: goods; `AE`: services for which the buyer owes the tax.',
  }),
  currency: z.string(),
  taxable_amount: z.number().describe('Without tax.'),
});
type EcSalesLineBody = z.output<typeof EcSalesLineBody>;

export const EcSalesReportBody = answerShape('EcSalesReportBody', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  data: z.array(EcSalesLineBody),
});
export type EcSalesReportBody = z.output<typeof EcSalesReportBody>;

export const EC_SALES_COLUMNS = [
  'country',
  'tax_id',
  'tax_category',
  'currency',
  'taxable_amount',
] as const satisfies readonly (keyof EcSalesLineBody)[];

export const EC_SALES_PRINTED: PrintedColumn<keyof EcSalesLineBody>[] = [
  { name: 'country', heading: 'Country', is: 'text' },
  { name: 'tax_id', heading: 'VAT number', is: 'text' },
  { name: 'tax_category', heading: 'Category', is: 'text' },
  { name: 'taxable_amount', heading: 'Without tax', is: 'summed' },
];

export function presentEcSalesLine(line: EcSalesLine): EcSalesLineBody {
  const { country, taxId, category, currency, base } = line;
  return {
    country,
    tax_id: taxId,
    tax_category: category,
    currency,
    taxable_amount: minorNumber(base),
  };
}

const OssLineBody = answerShape('OssLineBody', {
  country: z.string().meta({ example: 'FR', description: 'The member state of the buyer.' }),
  currency: z.string(),
  tax_rate: z.string().meta({ example: '20' }),
  taxable_amount: z.number().describe('Sales without tax.'),
  tax_amount: z.number(),
});
type OssLineBody = z.output<typeof OssLineBody>;

export const OssReportBody = answerShape('OssReportBody', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  data: z.array(OssLineBody),
});
export type OssReportBody = z.output<typeof OssReportBody>;

export const OSS_COLUMNS = [
  'country',
  'currency',
  'tax_rate',
  'taxable_amount',
  'tax_amount',
] as const satisfies readonly (keyof OssLineBody)[];

export const OSS_PRINTED: PrintedColumn<keyof OssLineBody>[] = [
  { name: 'country', heading: 'Country', is: 'text' },
  { name: 'tax_rate', heading: 'Rate, %', is: 'count' },
  { name: 'taxable_amount', heading: 'Without tax', is: 'summed' },
  { name: 'tax_amount', heading: 'Tax', is: 'summed' },
];

export function presentOssLine({ country, currency, rate, base, tax }: OssLine): OssLineBody {
  return {
    country,
    currency,
    tax_rate: rate,
    taxable_amount: minorNumber(base),
    tax_amount: minorNumber(tax),
  };
}
