import { ApiProperty } from '@nestjs/swagger';
import { PageEnds, PageQuery } from '../../platform/http/paging.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { CurrencyCode, DateText, OneOf } from '../../platform/http/validation/fields.js';
import type { PrintedColumn } from './report-page.js';
import type { JournalLine } from '../domain/journal.js';
import { EC_SALE_CATEGORIES, type EcSalesLine } from '../domain/ec-sales.js';
import type { OssLine } from '../domain/oss.js';
import { PREFIX_OF_FACT } from '../domain/transfer.js';

export class JournalReportQuery extends PageQuery {
  @DateText({ description: 'The first day.' })
  from!: string;

  @DateText({ description: 'The last day.' })
  to!: string;

  @CurrencyCode({
    optional: true,
    description: 'Default: all; of a DATEV file, the currency of the account.',
  })
  currency?: string;

  @OneOf(['csv', 'json', 'html', 'datev', 'datev_debtors'], {
    optional: true,
    description:
      'Default: `csv`, in minor units. `json` is a page, of which `limit` counts the bookings: some have ' +
      'several lines, or none. `html` is a page to print. `datev` is a posting batch (EXTF) in Windows-1252, and ' +
      '`datev_debtors` the customers in it by their numbers; the chart of accounts has to name ' +
      'the consultant and the client.',
  })
  format?: 'csv' | 'json' | 'html' | 'datev' | 'datev_debtors';
}

class JournalLineBody {
  @ApiProperty({ format: 'date', description: 'The day that it counts for.' }) date!: string;
  @ApiProperty({ type: String, nullable: true }) document_number!: string | null;
  @ApiProperty({ type: String, nullable: true }) customer_id!: string | null;
  @ApiProperty({ type: String, nullable: true }) customer_name!: string | null;
  @ApiProperty({ example: '1410', description: 'The number of your chart.' }) debit!: string;
  @ApiProperty({ example: '8400' }) credit!: string;
  @ApiProperty({ description: 'In minor units, above zero.' }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: String, nullable: true, example: 'S' }) tax_category!: string | null;
  @ApiProperty({ type: String, nullable: true, example: '19' }) tax_rate!: string | null;
  @ApiProperty({ type: String, nullable: true }) tax_key!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The buyer’s, if it is another one of the EU than the seller’s.',
  })
  country!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The buyer’s VAT number.' })
  tax_id!: string | null;
  @ApiProperty({ enum: Object.keys(PREFIX_OF_FACT) }) fact!: string;
  @ApiProperty({ description: 'The id of what was booked.' }) fact_id!: string;
}

export class JournalPage extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [JournalLineBody] }) data!: JournalLineBody[];
}

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

class EcSalesLineBody {
  @ApiProperty({ example: 'FR', description: 'The member state of the buyer.' }) country!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'FR12345678901',
    description: 'The buyer’s VAT number; null: the document does not say it.',
  })
  tax_id!: string | null;
  @ApiProperty({
    enum: EC_SALE_CATEGORIES,
    description: '`K`: goods; `AE`: services for which the buyer owes the tax.',
  })
  tax_category!: string;
  @ApiProperty() currency!: string;
  @ApiProperty({ description: 'Without tax.' }) taxable_amount!: number;
}

export class EcSalesReportBody extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [EcSalesLineBody] }) data!: EcSalesLineBody[];
}

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

class OssLineBody {
  @ApiProperty({ example: 'FR', description: 'The member state of the buyer.' }) country!: string;
  @ApiProperty() currency!: string;
  @ApiProperty({ example: '20' }) tax_rate!: string;
  @ApiProperty({ description: 'Sales without tax.' }) taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

export class OssReportBody extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [OssLineBody] }) data!: OssLineBody[];
}

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
