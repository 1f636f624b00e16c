import { uuidOf } from '../../kernel/ids.js';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  AmountMinor,
  CurrencyCode,
  DateText,
  DecimalText,
  Flag,
  Matching,
  Nested,
  NestedList,
  OneOf,
  Paragraph,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { Metadata } from '../../platform/http/validation/list-fields.js';
import { named } from '../../platform/http/openapi/schemas.js';
import { MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import { JudgedIf } from '../../platform/http/validation/rules.js';
import { type CollectionMethod, COLLECTION_METHODS } from '../domain/collection-method.js';
import { TAX_CATEGORIES } from '../domain/calculation/calculation-request.js';
import { isUnitCode } from '../domain/parties/code-lists.js';
import { DOCUMENT_KINDS } from '../domain/lifecycle.js';
import { LanguageTag } from '../../platform/http/validation/standard-fields.js';
import { ItemId, TaxRateId } from './catalogue/catalogue-ids.js';
import { CashDiscountRequest, CashDiscounts } from './cash-discount.dto.js';
import { CustomerRequest } from './customer.dto.js';
import { DocumentDetailsRequest, LineDetailsRequest } from './document-details.dto.js';

/** There are 2,000 of them, so the schema only tells their form. */
const UNIT = named('Unit', {
  type: 'string',
  description: 'A code of UNECE Recommendation 20 or 21, such as HUR for hours.',
  pattern: '^[A-Z0-9]{2,3}$',
}) as ApiPropertyOptions;

export const LARGEST_LINE_COUNT = 1000;

/** A discount or charge: a percentage or an amount. */
export class AdjustmentRequestBody {
  @DecimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    example: '10',
    description: 'Of the line, or of all lines. Send percent or amount.',
  })
  percent?: string | number;

  @AmountMinor({ zero: true, optional: true, description: 'In minor units, taxed as prices are.' })
  amount?: number;

  @Text({ max: 200, optional: true, example: 'Loyalty' })
  reason?: string;
}

const TaxRate = (description: string) =>
  DecimalText({ min: '0', max: '100', places: 4, optional: true, example: '19', description });

const TaxCategory = (description: string) => OneOf(TAX_CATEGORIES, { optional: true, description });

/** A charge on the whole document, such as shipping, may have a tax of its own. */
export class DocumentChargeRequestBody extends AdjustmentRequestBody {
  @TaxRate('The charge’s own rate. Without one, it is spread over the taxes of the lines.')
  tax_rate?: string | number;

  @TaxCategory('The charge’s own category.')
  tax_category?: string;
}

const MOST_ADJUSTMENTS = 20;

const Adjustments = (type: () => new () => object, description: string) =>
  NestedList(type, { min: 0, max: MOST_ADJUSTMENTS, optional: true, description });

export class LineRequestBody extends LineDetailsRequest {
  @Matching(
    {
      code: 'unknown_line',
      test: (text) => uuidOf('line', text) !== undefined,
      message: 'must be the id of a line of this draft, line_...',
    },
    {
      optional: true,
      description: 'Only to change a draft: the line that this is. Without it, it is a new one.',
    },
  )
  id?: string;

  @Text({
    max: 255,
    optional: true,
    description: 'The line in your own books; no two lines of a document may have the same.',
  })
  external_id?: string;

  @Text({ max: 100, optional: true, description: 'Your number of what is sold (BT-155).' })
  sku?: string;

  @Metadata({ description: 'At most 50 keys of your own.' })
  metadata?: Record<string, string>;

  @ItemId({
    description:
      'The item from which description, sku, unit, price, tax and ids are copied, where the line ' +
      'does not say them itself.',
  })
  item_id?: string;

  @ApiProperty({ required: false })
  @JudgedIf((description, line) => description != null || line['item_id'] == null)
  @Paragraph({
    max: 2000,
    example: 'Consulting, November',
    description: 'Required without item_id.',
  })
  description?: string;

  @DecimalText({
    min: '-1000000000',
    max: '1000000000',
    places: 6,
    optional: true,
    example: '2',
    description: 'Default: 1. Below zero, the line takes something back: a return, or a deposit.',
  })
  quantity?: string | number;

  @Matching(
    {
      code: 'unknown_unit',
      test: isUnitCode,
      message: 'must be a UNECE Recommendation 20 code such as HUR for hours or C62 for one',
    },
    { optional: true, example: 'HUR', description: 'Default: C62.', schema: UNIT },
  )
  unit?: string;

  @AmountMinor({ zero: true, optional: true, description: 'The price of one, in minor units.' })
  unit_amount?: number;

  @DecimalText({
    min: '0',
    max: '10000000000000',
    places: 12,
    textOnly: true,
    optional: true,
    example: '0.0125',
    description: 'Send unit_amount, or this: in minor units, with at most 12 decimal places.',
  })
  unit_amount_decimal?: string;

  @TaxRateId({
    description:
      'The tax rate whose tax is copied to the line. A tax_rate or tax_category beside it must be ' +
      'the same. Default: that of the seller, if the line says nothing of tax.',
  })
  tax_rate_id?: string;

  @TaxRate('In percent. Default: 0.')
  tax_rate?: string | number;

  @TaxCategory('A code of UNCL5305. Default: S, or Z for a rate of 0.')
  tax_category?: string;

  @Paragraph({
    max: 500,
    optional: true,
    description: 'Why there is no tax (BT-120). Only for the categories E, AE, K, G and O.',
  })
  tax_exemption_reason?: string;

  @Nested(() => AdjustmentRequestBody, {
    optional: true,
    description: 'Short for a list of one discount.',
  })
  discount?: AdjustmentRequestBody;

  @Adjustments(
    () => AdjustmentRequestBody,
    'Off the line. A percentage is of quantity times price.',
  )
  discounts?: AdjustmentRequestBody[];

  @Adjustments(() => AdjustmentRequestBody, 'They are added to the line.')
  charges?: AdjustmentRequestBody[];
}

/** Of an `external_id` of a document. */
export const LONGEST_ID = 255;

/** The fields that a draft has, and that a patch may change. */
class DraftFields extends DocumentDetailsRequest {
  @NestedList(() => LineRequestBody, { max: LARGEST_LINE_COUNT })
  lines!: LineRequestBody[];

  @CurrencyCode({ optional: true })
  currency?: string;

  @Nested(() => CustomerRequest, {
    optional: true,
    description: 'Creates a customer. Send this or customer_id.',
  })
  customer?: CustomerRequest;

  @Matching(
    {
      code: 'invalid_id',
      test: (text) => /^cus_[0-9a-z]{26}$/.test(text),
      message: 'must be a customer id, cus_...',
    },
    { optional: true },
  )
  customer_id?: string;

  @Nested(() => AdjustmentRequestBody, {
    optional: true,
    description: 'Short for a list of one discount.',
  })
  discount?: AdjustmentRequestBody;

  @Adjustments(() => AdjustmentRequestBody, 'Off the document. A percentage is of all lines.')
  discounts?: AdjustmentRequestBody[];

  @Adjustments(() => DocumentChargeRequestBody, 'They are added to the document.')
  charges?: DocumentChargeRequestBody[];

  @Flag({ optional: true, description: 'True if prices, discounts and charges include tax.' })
  prices_include_tax?: boolean;

  @WholeNumber({
    min: 1,
    max: 100_000,
    optional: true,
    example: 5,
    description: 'Rounds the total to the smallest coin, in minor units: 5 for Swiss francs.',
  })
  cash_rounding?: number;

  @DateText({ optional: true, description: 'Default: the day of issue, in the account’s zone.' })
  issue_date?: string;

  @DateText({ optional: true, description: 'For a quote, the last day on which it is valid.' })
  due_date?: string;

  @WholeNumber({ min: 0, max: 3650, optional: true, description: 'Or send due_date. Default: 30.' })
  payment_terms_days?: number;

  @CashDiscounts(
    'Reductions for those who pay early (BT-20), the first of them first, each with less percent ' +
      'than the one before. Default: those of the customer or the seller, with their terms.',
  )
  cash_discounts?: CashDiscountRequest[];

  @OneOf(COLLECTION_METHODS, {
    optional: true,
    description:
      'On the due date: `charge_automatically` debits by an active mandate of the customer, ' +
      '`send_invoice` does not. Default: as the mandate says.',
  })
  collection_method?: CollectionMethod;

  @Paragraph({ max: 5000, optional: true })
  notes?: string;

  @Text({ max: 100, optional: true, description: 'The buyer’s order number (BT-13).' })
  purchase_order?: string;

  @LanguageTag({ optional: true, description: 'Default: the customer’s language.' })
  language?: string;

  @Matching(
    {
      code: 'unknown_series',
      test: (text) => /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text),
      message: 'must be the id of a number series of this kind',
    },
    { optional: true, example: 'invoice', description: 'Default: the default series of the kind.' },
  )
  series_id?: string;

  @Text({ max: LONGEST_ID, optional: true, description: 'Your own id; unique in the account.' })
  external_id?: string;

  @Metadata({ description: 'At most 50 keys of your own.' })
  metadata?: Record<string, string>;
}

export class CreateDocumentRequest extends DraftFields {
  @OneOf(DOCUMENT_KINDS, { optional: true, description: 'Default: `invoice`.' })
  kind?: (typeof DOCUMENT_KINDS)[number];

  @Flag({ optional: true, description: 'True for a quote that is titled as a proforma invoice.' })
  proforma?: boolean;

  @Flag({ optional: true, description: 'True to issue it at once instead of keeping a draft.' })
  issue?: boolean;

  @Matching(
    {
      code: 'invalid_text',
      // The file of the PDF is named after it, too.
      test: (text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,50}$/u.test(text) && text === text.trim(),
      message: 'must be 1 to 50 characters in one line, without spaces at its ends',
    },
    { optional: true, description: 'The number of a document that was issued elsewhere.' },
  )
  number?: string;
}

export class PatchDocumentRequest extends MergePatchOf(DraftFields) {}
