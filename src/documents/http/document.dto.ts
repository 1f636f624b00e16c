import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { CURRENCIES, isCurrency } from '../../kernel/currency.js';
import {
  AmountMinor,
  DateText,
  DecimalText,
  Flag,
  Matching,
  Metadata,
  Nested,
  NestedList,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/fields.js';
import { DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE } from '../../platform/http/paging.js';
import { TAX_CATEGORIES } from '../domain/calculation.js';
import { DOCUMENT_KINDS, DOCUMENT_STATUSES } from '../domain/lifecycle.js';
import { CustomerRequest } from './customer.dto.js';
import { BuyerBody, SellerBody } from './party.dto.js';

const LARGEST_LINE_COUNT = 1000;

const CurrencyCode = (optional: boolean) =>
  Matching(
    {
      code: 'unknown_currency',
      test: isCurrency,
      message: 'must be an active ISO 4217 code in capitals, such as EUR',
    },
    { optional, example: 'EUR', schema: { enum: CURRENCIES as string[] } },
  );

export class LineRequestBody {
  @Text({ max: 2000, example: 'Consulting, November' })
  description!: string;

  @DecimalText({
    min: '0',
    max: '1000000000',
    places: 6,
    optional: true,
    example: '2',
    description: 'Default 1.',
  })
  quantity?: string | number;

  @AmountMinor({ zero: true, optional: true, description: 'Price of one unit, in minor units.' })
  unit_amount?: number;

  @DecimalText({
    min: '0',
    max: '10000000000000',
    places: 12,
    textOnly: true,
    optional: true,
    example: '0.0125',
    description: 'Price of one unit in minor units with up to 12 places, instead of unit_amount.',
  })
  unit_amount_decimal?: string;

  @DecimalText({
    min: '0',
    max: '100',
    places: 4,
    optional: true,
    example: '19',
    description: 'Percent. Default 0.',
  })
  tax_rate?: string | number;

  @OneOf(TAX_CATEGORIES, { optional: true, description: 'UNCL5305. S or Z by the rate if absent.' })
  tax_category?: string;
}

export class CreateDocumentRequest {
  @OneOf(DOCUMENT_KINDS, { optional: true, description: '`invoice` when absent.' })
  kind?: (typeof DOCUMENT_KINDS)[number];

  @CurrencyCode(true)
  currency?: string;

  @Nested(() => CustomerRequest, {
    optional: true,
    description: 'Makes a customer; or send customer_id.',
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

  @NestedList(() => LineRequestBody, { max: LARGEST_LINE_COUNT })
  lines!: LineRequestBody[];

  @DateText({ optional: true, description: 'The day of issue in the account’s zone if absent.' })
  issue_date?: string;

  @DateText({ optional: true })
  due_date?: string;

  @WholeNumber({ min: 0, max: 3650, optional: true, description: 'Instead of due_date; 30.' })
  payment_terms_days?: number;

  @Text({ max: 5000, optional: true })
  notes?: string;

  @Text({ max: 100, optional: true, description: 'The buyer’s order number.' })
  purchase_order?: string;

  @Metadata({ description: 'Up to 50 keys of your own.' })
  metadata?: Record<string, string>;

  @Flag({ optional: true, description: 'Issue at once instead of keeping a draft.' })
  issue?: boolean;
}

export class ListDocumentsQuery {
  @Transform(({ value }) => (/^\d{1,3}$/.test(String(value)) ? Number(value) : value))
  @WholeNumber({
    min: 1,
    max: LARGEST_PAGE_SIZE,
    optional: true,
    description: `Default ${DEFAULT_PAGE_SIZE}.`,
  })
  limit?: number;

  @Text({ max: 200, optional: true, description: '`next_cursor` of the page before.' })
  cursor?: string;

  @OneOf(DOCUMENT_KINDS, { optional: true })
  kind?: (typeof DOCUMENT_KINDS)[number];

  @OneOf(DOCUMENT_STATUSES, { optional: true })
  status?: (typeof DOCUMENT_STATUSES)[number];

  @Text({ max: 40, optional: true })
  customer_id?: string;

  @Text({ max: 100, optional: true })
  number?: string;

  @CurrencyCode(true)
  currency?: string;
}

export class CreatePortalTokenRequest {
  @WholeNumber({ min: 1, max: 3650, optional: true, description: 'Default 90.' })
  expires_in_days?: number;
}

class LineBody {
  @ApiProperty() position!: number;
  @ApiProperty() description!: string;
  @ApiProperty({ example: '2' }) quantity!: string;
  @ApiProperty({ example: '12500' }) unit_amount_decimal!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ description: 'Minor units, rounded.' }) net_amount!: number;
}

class TaxGroupBody {
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty() taxable_amount!: number;
  @ApiProperty() tax_amount!: number;
}

class RejectionBody {
  @ApiProperty() reason!: string;
  @ApiProperty({ format: 'date-time' }) rejected_at!: string;
  @ApiProperty({ description: 'The version that the client saw.' }) version!: number;
}

/** A document. Amounts are integers in minor units. */
export class DocumentBody {
  @ApiProperty({ example: 'doc_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: DOCUMENT_KINDS }) kind!: string;
  @ApiProperty({ enum: DOCUMENT_STATUSES }) status!: string;
  @ApiProperty({ type: String, nullable: true, example: 'INV-00001' }) number!: string | null;
  @ApiProperty() version!: number;
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty() customer_id!: string;
  @ApiProperty({ type: BuyerBody }) customer!: BuyerBody;
  @ApiProperty({ type: SellerBody }) seller!: SellerBody;
  @ApiProperty({ type: String, nullable: true, format: 'date' }) issue_date!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date' }) due_date!: string | null;
  @ApiProperty() is_overdue!: boolean;
  @ApiProperty({ type: String, nullable: true }) purchase_order!: string | null;
  @ApiProperty({ type: String, nullable: true }) notes!: string | null;
  @ApiProperty({ type: [LineBody] }) lines!: LineBody[];
  @ApiProperty({ type: [TaxGroupBody] }) tax_groups!: TaxGroupBody[];
  @ApiProperty() net_total!: number;
  @ApiProperty() tax_total!: number;
  @ApiProperty() total!: number;
  @ApiProperty() amount_paid!: number;
  @ApiProperty() amount_due!: number;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) accepted_at!: string | null;
  @ApiProperty({ type: RejectionBody, nullable: true }) rejection!: RejectionBody | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) issued_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) voided_at!: string | null;
}

export class DocumentPage {
  @ApiProperty({ type: [DocumentBody] }) data!: DocumentBody[];
  @ApiProperty() has_more!: boolean;
  @ApiProperty({ type: String, nullable: true }) next_cursor!: string | null;
}

class PortalTokenBody {
  @ApiProperty({ example: 'ptok_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
}

export class IssuedPortalTokenBody extends PortalTokenBody {
  @ApiProperty({ description: 'Shown this once.' }) token!: string;
  @ApiProperty({ description: 'The page to send to the client.' }) url!: string;
}

export class ListedPortalTokenBody extends PortalTokenBody {
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) revoked_at!: string | null;
}

export class PortalTokenList {
  @ApiProperty({ type: [ListedPortalTokenBody] }) data!: ListedPortalTokenBody[];
}
