import { ApiProperty } from '@nestjs/swagger';
import { isCurrency } from '../../kernel/currency.js';
import {
  AmountMinor,
  CurrencyCode,
  Flag,
  instantIn,
  InstantText,
  Matching,
  Nested,
  OneOf,
  Paragraph,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { Metadata } from '../../platform/http/validation/list-fields.js';
import { DomainError } from '../../kernel/domain-error.js';
import { CountedEnds, CountedQuery, PageEnds } from '../../platform/http/paging.js';
import { IdParameter, ReturnAddress } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { ConversionBody, ForeignMoneyRequest, foreignIn } from './conversion.dto.js';
import { HOLDING_STATUSES } from '../domain/holding.js';
import type { ForeignMoney } from '../domain/conversion.js';
import type { PaymentTerms } from '../domain/payment.js';
import { PAYMENT_LINK_STATUSES } from '../domain/payment-link.js';
import { parsePaymentMethod, PAYMENT_METHODS } from '../../kernel/payment-method.js';
import { PaymentWarningBody } from './payment-warnings.dto.js';

nameWords({ PaymentMethod: PAYMENT_METHODS, PaymentStatus: HOLDING_STATUSES });

/** The fields of every payment that is recorded. */
export class PaymentTermsRequest {
  @AmountMinor({ description: 'In the minor unit of the document’s currency.', example: 25000 })
  amount!: number;

  @Matching(
    {
      code: 'unknown_method',
      test: (text) => parsePaymentMethod(text) !== undefined,
      message: `must be one of ${PAYMENT_METHODS.join(', ')}`,
    },
    {
      example: 'bank_transfer',
      description: `One of ${PAYMENT_METHODS.join(', ')}; capitals, \`-\` and spaces do not matter.`,
    },
  )
  method!: string;

  @Text({ max: 255, min: 0, optional: true, example: 'RF18 5390 0754 7034' })
  reference?: string;

  @InstantText({ optional: true, description: 'When it was paid. Default: now.' })
  paid_at?: string;

  @Matching(
    {
      code: 'unknown_currency',
      test: isCurrency,
      message: 'must be an active ISO 4217 code in capitals, such as EUR',
    },
    { optional: true, description: 'It must be the currency of the document.' },
  )
  currency?: string;

  @Nested(() => ForeignMoneyRequest, {
    optional: true,
    description: 'The money that came in, if it was in another currency than the document.',
  })
  received?: ForeignMoneyRequest;

  @Paragraph({ max: 2000, min: 0, optional: true })
  note?: string;

  @Metadata()
  metadata?: Record<string, string>;
}

export function termsIn(body: PaymentTermsRequest): PaymentTerms {
  return {
    amountMinor: BigInt(body.amount),
    currency: body.currency ?? null,
    received: receivedIn(body),
    method: parsePaymentMethod(body.method) ?? 'other',
    reference: body.reference || null,
    note: body.note || null,
    metadata: body.metadata ?? {},
    paidAt: instantIn(body.paid_at) ?? null,
  };
}

/** @throws DomainError `conversion_not_possible` */
function receivedIn({ received, method }: PaymentTermsRequest): ForeignMoney | null {
  if (received == null || parsePaymentMethod(method) !== 'credit_balance') {
    return foreignIn(received, 'received');
  }
  throw DomainError.invalid(
    'conversion_not_possible',
    '/received',
    'Credit is spent in its own currency, and no money comes in; leave received out.',
  );
}

export class RecordPaymentRequest extends PaymentTermsRequest {
  @OneOf(['reject', 'credit'], {
    optional: true,
    description:
      'What happens to money above the amount due: it is rejected, or becomes the customer’s ' +
      'credit. Default: `reject`.',
  })
  on_overpayment?: 'reject' | 'credit';
}

export class CreatePaymentLinkRequest {
  @Text({
    max: 60,
    example: 'gateway-a',
    description: 'A configured gateway by its name, or one of your own by its id or name.',
  })
  gateway!: string;

  @AmountMinor({ optional: true, description: 'Default: what is due and not on its way.' })
  amount?: number;

  @WholeNumber({ min: 1, max: 365, optional: true, description: 'Default: 30.' })
  expires_in_days?: number;

  @ReturnAddress({ optional: true, description: 'The page to which the payer’s browser returns.' })
  return_url?: string;

  @Flag({
    optional: true,
    description: 'Make the link also where money for the document is on its way already.',
  })
  despite_processing?: boolean;
}

/** `gateway` names who sent the money; it is null if an integration recorded the payment. */
export class PaymentBody {
  @ApiProperty({ example: 'pay_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null unless it pays one document.' })
  document_id!: string | null;
  @ApiProperty() customer_id!: string;
  @ApiProperty({ description: 'What came in.' }) amount!: number;
  @ApiProperty({ description: 'What documents took when it came in.' }) applied!: number;
  @ApiProperty({ description: 'The rest, which became the customer’s credit.' }) credited!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({
    type: ConversionBody,
    nullable: true,
    description: 'The money itself, if it came in another currency.',
  })
  received!: ConversionBody | null;
  @ApiProperty({ enum: PAYMENT_METHODS }) method!: string;
  @ApiProperty({ type: String, nullable: true }) reference!: string | null;
  @ApiProperty({ type: String, nullable: true }) note!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ format: 'date-time' }) paid_at!: string;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
  @ApiProperty({ type: Number, nullable: true, description: 'What the gateway kept of it.' })
  fee!: number | null;
  @ApiProperty({ type: String, nullable: true }) gateway!: string | null;
  @ApiProperty({ type: String, nullable: true }) payment_link_id!: string | null;
}

class AllocationBody {
  @ApiProperty() document_id!: string;
  @ApiProperty({ description: 'What the payment pays of it.' }) amount!: number;
  @ApiProperty({ description: 'The part that no refund takes, and no payer disputes.' })
  movable!: number;
}

/** A payment with what became of it. */
export class PaymentDetailBody extends PaymentBody {
  @ApiProperty({ description: 'The day of paid_at was in a closed month.' }) booked_later!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The first open day, on which the books have it; null for the day of paid_at.',
  })
  booked_on!: string | null;
  @ApiProperty({ enum: HOLDING_STATUSES })
  status!: string;
  @ApiProperty({ description: 'What went back, or is on its way back.' }) amount_refunded!: number;
  @ApiProperty({ description: 'What was reversed, by hand or because the provider took it back.' })
  amount_reversed!: number;
  @ApiProperty({ description: 'What the payer disputes at the provider.' })
  amount_disputed!: number;
  @ApiProperty({ description: 'What can still be refunded.' }) amount_refundable!: number;
  @ApiProperty({ type: [AllocationBody], description: 'Where the money of the payment is now.' })
  allocations!: AllocationBody[];
}

export class RecordedPaymentBody {
  @ApiProperty({ enum: [true] }) success!: true;
  @ApiProperty({ description: 'All that was paid on the document so far.', example: 25000 })
  amount_paid!: number;
  @ApiProperty({ description: 'What is still due.', example: 94000 }) amount_due!: number;
  @ApiProperty({ example: 'partially_paid' }) status!: string;
  @ApiProperty({ type: PaymentBody }) payment!: PaymentBody;
  @ApiProperty({ type: [PaymentWarningBody], required: false }) warnings?: PaymentWarningBody[];
}

export class PaymentList extends PageEnds {
  @ApiProperty({ type: [PaymentDetailBody] }) data!: PaymentDetailBody[];
}

export class PaymentPage extends CountedEnds {
  @ApiProperty({ type: [PaymentDetailBody] }) data!: PaymentDetailBody[];
}

export class ListPaymentsQuery extends CountedQuery {
  @IdParameter('cus')
  customer_id?: string;

  @IdParameter('doc', { description: 'Payments that were ever for this one.' })
  document_id?: string;

  @OneOf(PAYMENT_METHODS, { optional: true })
  method?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @Text({ max: 60, optional: true })
  gateway?: string;

  @InstantText({ optional: true })
  paid_from?: string;

  @InstantText({ optional: true, description: 'Only payments before this instant.' })
  paid_to?: string;
}

export class PaymentLinkBody {
  @ApiProperty({ example: 'plink_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() document_id!: string;
  @ApiProperty({ example: 'gateway-a' }) gateway!: string;
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ enum: PAYMENT_LINK_STATUSES }) status!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The provider’s pay page; null for a gateway without an API key.',
  })
  url!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'When the pay page ends, as the provider said; it may be before `expires_at`. null: it does not say.',
  })
  page_expires_at!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Since when the provider has had money on its way.',
  })
  processing_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) paid_at!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When the money did not come, or was taken back.',
  })
  failed_at!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why, as the provider says.' })
  failure!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) canceled_at!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The mandate by which it is collected; null where the payer goes to a page.',
  })
  mandate_id!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The day for which the debit was asked for.',
  })
  charge_on!: string | null;
}

export class PaymentLinkList extends PageEnds {
  @ApiProperty({ type: [PaymentLinkBody] }) data!: PaymentLinkBody[];
}

class CreditBody {
  @ApiProperty() currency!: string;
  @ApiProperty({ description: 'Minor units that the customer may still use.' }) amount!: number;
}

export class CreditList extends PageEnds {
  @ApiProperty({ type: [CreditBody] }) data!: CreditBody[];
}
