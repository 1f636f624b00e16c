import { z } from 'zod';
import { patchOf, requestShape } from '../../platform/http/validation/shapes.js';
import { uuidOf } from '../../kernel/ids.js';
import {
  amountMinor,
  decimalText,
  flag,
  nested,
  nestedList,
  oneOf,
  wholeNumber,
} from '../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { metadata } from '../../platform/http/validation/list-fields.js';
import { named } from '../../platform/http/openapi/schemas.js';
import { COLLECTION_METHODS } from '../domain/collection-method.js';
import { TAX_CATEGORIES } from '../domain/calculation/tax-categories.js';
import { isUnitCode } from '../domain/codes/code-lists.js';
import { DOCUMENT_KINDS } from '../domain/lifecycle.js';
import { languageTag } from '../../platform/http/validation/standard-fields.js';
import { itemId, taxRateId } from './catalogue/catalogue-ids.js';
import { cashDiscounts } from './cash-discount.js';
import { CustomerRequest } from './customer.js';
import { DocumentDetailsRequest, LineDetailsRequest } from './document-details.js';
import { prepayments } from './prepayment.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

/** There are 2,000 of them, so the schema only tells their form. */
const UNIT = named('Unit', {
  type: 'string',
  description: 'A code of UNECE Recommendation 20 or 21, such as HUR for hours.',
  pattern: '^[A-Z0-9]{2,3}$',
});

export const LARGEST_LINE_COUNT = 10_000;

/** A discount or charge: a percentage or an amount. */
export const AdjustmentRequestBody = requestShape('AdjustmentRequestBody', {
  percent: decimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    example: '10',
    description: 'Of the line, or of all lines. Send percent or amount.',
  }),
  amount: amountMinor({
    zero: true,
    optional: true,
    description: 'In minor units, taxed as prices are.',
  }),
  reason: shortText({ max: 200, optional: true, example: 'Loyalty' }),
  reason_code: shortText({
    max: 3,
    optional: true,
    example: '95',
    description:
      'The reason by UNTDID 5189 of a discount (BT-98, BT-140), by 7161 of a charge (BT-105, BT-145).',
  }),
});
export type AdjustmentRequestBody = z.output<typeof AdjustmentRequestBody>;

const taxRate = (description: string) =>
  decimalText({ min: '0', max: '100', places: 4, optional: true, example: '19', description });

const taxCategory = (description: string) => oneOf(TAX_CATEGORIES, { optional: true, description });

/** A discount on the whole document may be on the lines of one tax only. */
const DocumentDiscountRequestBody = requestShape('DocumentDiscountRequestBody', {
  ...AdjustmentRequestBody.shape,
  tax_rate: taxRate(
    'Of the lines that it takes off, or else of the charges (BT-96). Without one, it is spread over ' +
      'all lines.',
  ),
  tax_category: taxCategory('Of the lines that it takes off, or else of the charges (BT-95).'),
});
type DocumentDiscountRequestBody = z.output<typeof DocumentDiscountRequestBody>;

/** A charge on the whole document, such as shipping, may have a tax of its own. */
export const DocumentChargeRequestBody = requestShape('DocumentChargeRequestBody', {
  ...AdjustmentRequestBody.shape,
  tax_rate: taxRate(
    'The charge’s own rate. Without one, it is spread over the taxes of the lines.',
  ),
  tax_category: taxCategory('The charge’s own category.'),
});
export type DocumentChargeRequestBody = z.output<typeof DocumentChargeRequestBody>;

const MOST_ADJUSTMENTS = 20;

const adjustments = <Item extends z.ZodType>(type: () => Item, description: string) =>
  nestedList(type, { min: 0, max: MOST_ADJUSTMENTS, optional: true, description });

export const LineFields = requestShape('LineRequestBody', {
  ...LineDetailsRequest.shape,
  id: matching(
    {
      refusal: DocumentRefusal.unknown_line,
      test: (text) => uuidOf('line', text) !== undefined,
      message: 'must be the id of a line of this draft, line_...',
    },
    {
      optional: true,
      description: 'Only to change a draft: the line that this is. Without it, it is a new one.',
    },
  ),
  external_id: shortText({
    max: 255,
    optional: true,
    description: 'The line in your own books; no two lines of a document may have the same.',
  }),
  sku: shortText({
    max: 100,
    optional: true,
    description: 'Your number of what is sold (BT-155).',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own.' }),
  item_id: itemId({
    description:
      'The item from which description, sku, unit, price, tax and ids are copied, where the line ' +
      'does not say them itself.',
  }),
  description: paragraph({
    max: 2000,
    example: 'Consulting, November',
    description: 'Required without item_id.',
  }).optional(),
  quantity: decimalText({
    min: '-1000000000',
    max: '1000000000',
    places: 6,
    optional: true,
    example: '2',
    description: 'Default: 1. Below zero, the line takes something back: a return, or a deposit.',
  }),
  unit: matching(
    {
      refusal: DocumentRefusal.unknown_unit,
      test: isUnitCode,
      message: 'must be a UNECE Recommendation 20 code such as HUR for hours or C62 for one',
    },
    { optional: true, example: 'HUR', description: 'Default: C62.', schema: UNIT },
  ),
  unit_amount: amountMinor({
    zero: true,
    optional: true,
    description: 'The price of one, in minor units.',
  }),
  unit_amount_decimal: decimalText({
    min: '0',
    max: '10000000000000',
    places: 12,
    textOnly: true,
    optional: true,
    example: '0.0125',
    description: 'Send unit_amount, or this: in minor units, with at most 12 decimal places.',
  }),
  tax_rate_id: taxRateId({
    description:
      'The tax rate whose tax is copied to the line. A tax_rate or tax_category beside it must be ' +
      'the same. Default: that of the seller, if the line says nothing of tax.',
  }),
  tax_rate: taxRate('In percent. Default: 0.'),
  tax_category: taxCategory('A code of UNCL5305. Default: S, or Z for a rate of 0.'),
  tax_exemption_reason: paragraph({
    max: 500,
    optional: true,
    description: 'Why there is no tax (BT-120). Only for the categories E, AE, K, G and O.',
  }),
  discount: nested(() => AdjustmentRequestBody, {
    optional: true,
    description: 'Short for a list of one discount.',
  }),
  discounts: adjustments(
    () => AdjustmentRequestBody,
    'Off the line. A percentage is of quantity times price.',
  ),
  charges: adjustments(() => AdjustmentRequestBody, 'They are added to the line.'),
});

/** A line needs a description, unless an item has one. A null is then refused as `required`. */
export const described = <Line extends z.ZodType>(fields: Line) =>
  z.preprocess((line) => {
    if (typeof line !== 'object' || line === null || Array.isArray(line)) return line;
    const { description, item_id: item, ...others } = line as Record<string, unknown>;
    if (description != null) return line;
    return item == null ? { ...line, description: null } : { ...others, item_id: item };
  }, fields);

export const LineRequestBody = described(LineFields);
export type LineRequestBody = z.output<typeof LineRequestBody>;

/** The limit of an `external_id` of a document. */
export const LONGEST_ID = 255;

/** The fields that a draft has, and that a patch may change. */
const DraftFields = requestShape('DraftFields', {
  ...DocumentDetailsRequest.shape,
  lines: nestedList(() => LineRequestBody, { max: LARGEST_LINE_COUNT }),
  currency: currencyCode({ optional: true }),
  customer: nested(() => CustomerRequest, {
    optional: true,
    description: 'Creates a customer. Send this or customer_id.',
  }),
  customer_id: matching(
    {
      refusal: FieldRefusal.invalid_id,
      test: (text) => /^cus_[0-9a-z]{26}$/.test(text),
      message: 'must be a customer id, cus_...',
    },
    { optional: true },
  ),
  discount: nested(() => DocumentDiscountRequestBody, {
    optional: true,
    description: 'Short for a list of one discount.',
  }),
  discounts: adjustments(
    () => DocumentDiscountRequestBody,
    'Off the document. A percentage is of all lines, or of those with its tax.',
  ),
  charges: adjustments(() => DocumentChargeRequestBody, 'They are added to the document.'),
  prices_include_tax: flag({
    optional: true,
    description: 'True if prices, discounts and charges include tax.',
  }),
  rounding_amount: amountMinor({
    signed: true,
    zero: true,
    optional: true,
    example: -2,
    description:
      'A rounding that you give, added to net and tax (BT-114). Send this or cash_rounding.',
  }),
  cash_rounding: wholeNumber({
    min: 1,
    max: 100_000,
    optional: true,
    example: 5,
    description: 'Rounds the total to the smallest coin, in minor units: 5 for Swiss francs.',
  }),
  issue_date: dateText({
    optional: true,
    description: 'Default: the day of issue, in the account’s zone.',
  }),
  due_date: dateText({
    optional: true,
    description: 'For a quote, the last day on which it is valid.',
  }),
  payment_terms_days: wholeNumber({
    min: 0,
    max: 3650,
    optional: true,
    description: 'Or send due_date. Default: 30.',
  }),
  cash_discounts: cashDiscounts(
    'Reductions for those who pay early (BT-20), the first of them first, each with less percent ' +
      'than the one before. Default: those of the customer or the seller, with their terms.',
  ),
  collection_method: oneOf(COLLECTION_METHODS, {
    optional: true,
    description:
      'On the due date: `charge_automatically` debits by an active mandate of the customer, ' +
      '`send_invoice` does not. Default: as the mandate says.',
  }),
  notes: paragraph({ max: 5000, optional: true }),
  purchase_order: shortText({
    max: 100,
    optional: true,
    description: 'The buyer’s order number (BT-13).',
  }),
  language: languageTag({ optional: true, description: 'Default: the customer’s language.' }),
  series_id: matching(
    {
      refusal: DocumentRefusal.unknown_series,
      test: (text) => /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text),
      message: 'must be the id of a number series of this kind',
    },
    { optional: true, example: 'invoice', description: 'Default: the default series of the kind.' },
  ),
  external_id: shortText({
    max: LONGEST_ID,
    optional: true,
    description: 'Your own id; unique in the account.',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own.' }),
});
type DraftFields = z.output<typeof DraftFields>;

export const CreateDocumentRequest = requestShape('CreateDocumentRequest', {
  ...DraftFields.shape,
  kind: oneOf(DOCUMENT_KINDS, { optional: true, description: 'Default: `invoice`.' }),
  proforma: flag({
    optional: true,
    description: 'True for a quote that is titled as a proforma invoice.',
  }),
  issue: flag({
    optional: true,
    description: 'True to issue it at once instead of keeping a draft.',
  }),
  number: matching(
    {
      refusal: FieldRefusal.invalid_text,
      // The file of the PDF is named after it, too.
      test: (text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,50}$/u.test(text) && text === text.trim(),
      message: 'must be 1 to 50 characters in one line, without spaces at its ends',
    },
    { optional: true, description: 'The number of a document that was issued elsewhere.' },
  ),
  prepayments: prepayments(),
});
export type CreateDocumentRequest = z.output<typeof CreateDocumentRequest>;

export const PatchDocumentRequest = requestShape(
  'PatchDocumentRequest',
  patchOf(DraftFields.shape),
);
export type PatchDocumentRequest = z.output<typeof PatchDocumentRequest>;
