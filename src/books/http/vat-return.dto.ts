import { ApiProperty } from '@nestjs/swagger';
import { minorNumber } from '../../kernel/money.js';
import { PageEnds, WHOLE } from '../../platform/http/paging.js';
import { OneOf } from '../../platform/http/validation/fields.js';
import { VAT_RETURN_COUNTRIES } from '../domain/vat-returns/forms.js';
import {
  type FilledBox,
  OUTSIDE_REASONS,
  type OutsideLine,
  type OutsideReason,
  type VatReturn,
  type VatReturnForm,
} from '../domain/vat-returns/vat-return.js';
import type { PrintedColumn } from './report-page.js';
import { DaysQuery } from './report-query.js';

export class VatReturnQuery extends DaysQuery {
  @OneOf(VAT_RETURN_COUNTRIES, {
    optional: true,
    description: 'Of the return. Default: the seller’s country.',
    example: 'DE',
  })
  country?: string;
}

class VatFormBody {
  @ApiProperty({ example: 'Umsatzsteuer-Voranmeldung (USt 1 A)' }) name!: string;
  @ApiProperty({ description: 'Who defines its boxes, and the edition they were taken from.' })
  source!: string;
}

class VatBoxBody {
  @ApiProperty({ example: '35' }) box!: string;
  @ApiProperty({ type: String, nullable: true, example: '36', description: 'If it is another.' })
  tax_box!: string | null;
  @ApiProperty({ description: 'In the words of the form.' }) label!: string;
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty({ description: 'Without tax, exact.' }) taxable_amount!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Exact; null where the form asks for none.',
  })
  tax_amount!: number | null;
  @ApiProperty({ description: 'As the form wants it, in minor units: some want whole euros.' })
  declared_taxable_amount!: number;
  @ApiProperty({ type: Number, nullable: true }) declared_tax_amount!: number | null;
}

class OutsideLineBody {
  @ApiProperty({
    enum: OUTSIDE_REASONS,
    description:
      '`oss`: of the One Stop Shop; `not_asked`: this return does not ask for it; `no_box`: nobody ' +
      'knows its box, look at it; `no_rate`: no exchange rate to the currency of the form is known.',
  })
  reason!: OutsideReason;
  @ApiProperty({ example: 'S' }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Of the buyer.' })
  country!: string | null;
  @ApiProperty() currency!: string;
  @ApiProperty() taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

export class VatReturnBody extends PageEnds {
  @ApiProperty({ example: 'DE' }) country!: string;
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: VatFormBody }) form!: VatFormBody;
  @ApiProperty({ type: [VatBoxBody], description: 'In the order of the form.' })
  data!: VatBoxBody[];
  @ApiProperty({
    type: [OutsideLineBody],
    description: 'Sales whose tax this return does not declare, in their own currencies.',
  })
  outside!: OutsideLineBody[];
}

export const VAT_RETURN_COLUMNS = [
  'box',
  'tax_box',
  'label',
  'currency',
  'taxable_amount',
  'tax_amount',
  'declared_taxable_amount',
  'declared_tax_amount',
] as const satisfies readonly (keyof VatBoxBody)[];

export const VAT_RETURN_PRINTED: PrintedColumn<keyof VatBoxBody>[] = [
  { name: 'box', heading: 'Box', is: 'text' },
  { name: 'tax_box', heading: 'Box of tax', is: 'text' },
  { name: 'label', heading: 'Sales', is: 'text' },
  { name: 'taxable_amount', heading: 'Without tax', is: 'amount' },
  { name: 'tax_amount', heading: 'Tax', is: 'summed' },
  { name: 'declared_taxable_amount', heading: 'To declare', is: 'amount' },
  { name: 'declared_tax_amount', heading: 'Tax to declare', is: 'summed' },
];

export function presentVatReturn(
  days: { from: string; to: string },
  form: VatReturnForm,
  { boxes, outside }: VatReturn,
): VatReturnBody {
  const { country, name, source } = form;
  return {
    country,
    ...days,
    form: { name, source },
    data: boxes.map((box) => presentBox(box, form)),
    ...WHOLE,
    outside: outside.map(presentOutside),
  };
}

function presentBox(
  { box, taxBox, label, hasTax, sums, declared }: FilledBox,
  { currency }: VatReturnForm,
): VatBoxBody {
  return {
    box,
    tax_box: taxBox ?? null,
    label,
    currency,
    taxable_amount: minorNumber(sums.base),
    tax_amount: hasTax ? minorNumber(sums.tax) : null,
    declared_taxable_amount: minorNumber(declared.base),
    declared_tax_amount: hasTax ? minorNumber(declared.tax) : null,
  };
}

function presentOutside(line: OutsideLine): OutsideLineBody {
  return {
    reason: line.reason,
    tax_category: line.category,
    tax_rate: line.rate,
    country: line.country,
    currency: line.currency,
    taxable_amount: minorNumber(line.base),
    tax_amount: minorNumber(line.tax),
  };
}

const WORDS: Record<OutsideReason, string> = {
  oss: 'Not here but in the One Stop Shop',
  not_asked: 'Not asked for by this return',
  no_box: 'No box is known; look at it',
  no_rate: 'No exchange rate is known',
};

const saleIn = ({ tax_category: category, tax_rate: rate, country }: OutsideLineBody) =>
  [category, `${rate} %`, country].filter(Boolean).join(', ');

/** The rows of a file: the boxes, and then what is in none. */
export function toVatReturnRows({ data, outside }: VatReturnBody) {
  return [
    ...data,
    ...outside.map((line) => ({
      box: null,
      tax_box: null,
      label: `${WORDS[line.reason]}: ${saleIn(line)}`,
      currency: line.currency,
      taxable_amount: line.taxable_amount,
      tax_amount: line.tax_amount,
      declared_taxable_amount: null,
      declared_tax_amount: null,
    })),
  ];
}
