import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { minorNumber } from '../../kernel/money.js';
import { PageEnds, WHOLE } from '../../platform/http/paging.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { VAT_RETURN_COUNTRIES } from '../domain/vat-returns/forms.js';
import {
  type FilledBox,
  OUTSIDE_REASONS,
  type OutsideLine,
  type OutsideReason,
  type VatReturn,
  type VatReturnForm,
} from '../domain/vat-returns/vat-return.js';
import { type PrintedColumn, DaysQuery } from './report-query.js';

export const VatReturnQuery = queryShape({
  ...DaysQuery.shape,
  country: oneOf(VAT_RETURN_COUNTRIES, {
    optional: true,
    description: 'Of the return. Default: the seller’s country.',
    example: 'DE',
  }),
});
export type VatReturnQuery = z.output<typeof VatReturnQuery>;

const VatFormBody = answerShape('VatFormBody', {
  name: z.string().meta({ example: 'Umsatzsteuer-Voranmeldung (USt 1 A)' }),
  source: z.string().describe('Who defines its boxes, and the edition they were taken from.'),
});
type VatFormBody = z.output<typeof VatFormBody>;

const VatBoxBody = answerShape('VatBoxBody', {
  box: z.string().meta({ example: '35' }),
  tax_box: z.string().nullable().meta({ example: '36', description: 'If it is another.' }),
  label: z.string().describe('In the words of the form.'),
  currency: z.string().meta({ example: 'EUR' }),
  taxable_amount: z.number().describe('Without tax, exact.'),
  tax_amount: z.number().nullable().describe('Exact; null where the form asks for none.'),
  declared_taxable_amount: z
    .number()
    .describe('As the form wants it, in minor units: some want whole euros.'),
  declared_tax_amount: z.number().nullable(),
});
type VatBoxBody = z.output<typeof VatBoxBody>;

const OutsideLineBody = answerShape('OutsideLineBody', {
  reason: z
    .enum(OUTSIDE_REASONS)
    .describe(
      '`oss`: of the One Stop Shop; `not_asked`: this return does not ask for it; `no_box`: nobody ' +
        'knows its box, look at it; `no_rate`: no exchange rate to the currency of the form is known.',
    ),
  tax_category: z.string().meta({ example: 'S' }),
  tax_rate: z.string().meta({ example: '19' }),
  country: z.string().nullable().describe('Of the buyer.'),
  currency: z.string(),
  taxable_amount: z.number(),
  tax_amount: z.number(),
});
type OutsideLineBody = z.output<typeof OutsideLineBody>;

export const VatReturnBody = answerShape('VatReturnBody', {
  ...PageEnds.shape,
  country: z.string().meta({ example: 'DE' }),
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  form: VatFormBody,
  data: z.array(VatBoxBody).describe('In the order of the form.'),
  outside: z
    .array(OutsideLineBody)
    .describe('Sales whose tax this return does not declare, in their own currencies.'),
});
export type VatReturnBody = z.output<typeof VatReturnBody>;

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
