import { ApiProperty } from '@nestjs/swagger';
import { CreateCreditNoteRequest } from '../../documents/index.js';
import {
  AmountMinor,
  CurrencyCode,
  InstantText,
  Matching,
  Nested,
  OneOf,
  Paragraph,
  Text,
} from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery, PageEnds } from '../../platform/http/paging.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { MONEY_METHODS, parsePaymentMethod } from '../../kernel/payment-method.js';
import {
  MEANINGS_SAID_BY,
  REFUND_MEANINGS,
  type RefundMeaningName,
} from '../domain/refunds/refund-meaning.js';
import { REFUND_ACCOUNTS, SHOWN_REFUND_STATUSES } from '../domain/refund.js';
import { UNMATCHED_RECEIPT_STATUSES } from '../domain/unmatched-receipt.js';
import { UNMATCHED_REASONS } from '../domain/webhook-outcome.js';
import { ConversionBody, CountsAsRequest, ForeignMoneyRequest } from './conversion.dto.js';
import { PaymentDetailBody, PaymentBody } from './payment.dto.js';
import { PaymentWarningBody } from './payment-warnings.dto.js';

nameWords({ RefundMeaning: REFUND_MEANINGS, RefundMeaningSaidBy: MEANINGS_SAID_BY });
nameWords({ UnmatchedReceiptStatus: UNMATCHED_RECEIPT_STATUSES });

/** Money cannot be given back as credit. */
const METHODS = ['gateway', ...MONEY_METHODS];

/** The method, however it is written; undefined if it is none. */
export function refundMethod(text: string) {
  if (text.trim().toLowerCase() === 'gateway') return 'gateway';
  const method = parsePaymentMethod(text);
  return method === 'credit_balance' ? undefined : method;
}

export class RefundReceiptRequest {
  @AmountMinor({ optional: true, description: 'Default: all that can be refunded.' })
  amount?: number;

  @CurrencyCode({ optional: true, description: 'It must be the currency of the payment.' })
  currency?: string;

  @Matching(
    {
      code: 'unknown_method',
      test: (text) => refundMethod(text) !== undefined,
      message: `must be one of ${METHODS.join(', ')}`,
    },
    {
      optional: true,
      example: 'gateway',
      description:
        `One of ${METHODS.join(', ')}. \`gateway\` asks the provider that took the money; it is ` +
        'the default if one did. All others record what was given back by hand.',
    },
  )
  method?: string;

  @OneOf(REFUND_ACCOUNTS, {
    optional: true,
    description:
      'The account that a refund by hand leaves. Default for money of a provider: ' +
      '`gateway_clearing`, as if it was given back in the provider’s dashboard, but `cash` for ' +
      'the methods `cash` and `check`. For all other money: `cash`.',
  })
  paid_from?: (typeof REFUND_ACCOUNTS)[number];

  @InstantText({
    optional: true,
    description: 'When it was given back by hand. Default: now. A gateway says it by itself.',
  })
  refunded_at?: string;

  @Text({ max: 255, min: 0, optional: true })
  reference?: string;

  @Paragraph({ max: 2000, min: 0, optional: true, example: 'Returned goods' })
  reason?: string;
}

export class RefundPaymentRequest extends RefundReceiptRequest {
  @Nested(() => ForeignMoneyRequest, {
    optional: true,
    description: 'The money that left, if that was in another currency than the payment.',
  })
  paid_out?: ForeignMoneyRequest;

  @Text({
    max: 40,
    optional: true,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description:
      '`credit` takes it from the customer’s credit. The id of a document takes it from ' +
      'there, and that is due again. Default: from what no document took or a credit note of its ' +
      'documents made credit, then from its documents, the newest allocation first.',
  })
  from?: string;

  @OneOf(REFUND_MEANINGS, {
    optional: true,
    description:
      '`lowers_document`: a credit note over what each document gives is made with it, and nothing ' +
      'is due again. `owed_again`: it is due, and asked for. Default: the payment settings say it, ' +
      'and a warning names the other.',
  })
  meaning?: RefundMeaningName;

  @Nested(() => CreateCreditNoteRequest, {
    optional: true,
    description:
      'How the credit note of `lowers_document` is made: by lines or an amount, as a credit note by ' +
      'itself. Default: over what goes back, spread over the tax groups.',
  })
  credit_note?: CreateCreditNoteRequest;
}

export class DecideRefundRequest {
  @OneOf(REFUND_MEANINGS)
  meaning!: RefundMeaningName;

  @Nested(() => CreateCreditNoteRequest, {
    optional: true,
    description: 'How the credit note of `lowers_document` is made. Default: over what went back.',
  })
  credit_note?: CreateCreditNoteRequest;

  @Text({
    max: 40,
    optional: true,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description: 'A credit note that was made for it already. Send this or credit_note.',
  })
  credit_note_id?: string;
}

export class ReverseRefundRequest {
  @Paragraph({ max: 2000, min: 0, optional: true, example: 'Recorded twice' })
  reason?: string;

  @InstantText({ optional: true, description: 'The day that it counts for. Default: now.' })
  reversed_at?: string;
}

class RefundPartBody {
  @ApiProperty() id!: string;
  @ApiProperty({ description: 'What the document gives back; it is due again.' }) amount!: number;
}

class RefundCreditNoteBody {
  @ApiProperty({ example: 'doc_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ example: 'CN-00001' }) number!: string;
  @ApiProperty({ description: 'The document that it lowers.' }) document_id!: string;
  @ApiProperty() is_void!: boolean;
}

export class RefundBody {
  @ApiProperty({ example: 'rfnd_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ type: String, nullable: true }) payment_id!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'For money without a document.' })
  receipt_id!: string | null;
  @ApiProperty() amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({
    type: ConversionBody,
    nullable: true,
    description: 'The money itself, if it left in another currency.',
  })
  paid_out!: ConversionBody | null;
  @ApiProperty({ description: 'What comes from the customer’s credit.' }) from_credit!: number;
  @ApiProperty({ type: [RefundPartBody] }) documents!: RefundPartBody[];
  @ApiProperty({
    description:
      'What nobody gives: the provider sent it back when the payment had no more. A loss of yours.',
  })
  lost!: number;
  @ApiProperty({
    enum: ['client', 'gateway'],
    description: '`gateway`: made at the provider, in its dashboard for instance, and told by it.',
  })
  made_by!: string;
  @ApiProperty() method!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null for a refund by hand.' })
  gateway!: string | null;
  @ApiProperty({
    enum: REFUND_ACCOUNTS,
    description: 'The account of the ledger that the money leaves.',
  })
  paid_from!: string;
  @ApiProperty({
    enum: SHOWN_REFUND_STATUSES,
    description:
      '`pending`: the provider is working on it. `unknown`: the provider did not answer, and ' +
      'is asked again until it does. `succeeded` is in the books. `returned`: it succeeded, and ' +
      'the provider has the money back. `reversed`: it was recorded wrongly.',
  })
  status!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The provider’s short code.' })
  failure!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Also of a refund by hand, once its provider has told of it.',
  })
  provider_refund_id!: string | null;
  @ApiProperty({ type: String, nullable: true }) reference!: string | null;
  @ApiProperty({ type: String, nullable: true }) reason!: string | null;
  @ApiProperty({ format: 'date-time' }) requested_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) settled_at!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When it was returned or reversed.',
  })
  undone_at!: string | null;
  @ApiProperty({ type: String, nullable: true }) undone_reason!: string | null;
  @ApiProperty({
    enum: REFUND_MEANINGS,
    nullable: true,
    description: 'What it means for its documents; null where none of them gives anything.',
  })
  meaning!: string | null;
  @ApiProperty({
    enum: MEANINGS_SAID_BY,
    nullable: true,
    description:
      '`call`: with the refund. `setting`: of the account. `default`: nobody. `later`: after it.',
  })
  meaning_said_by!: string | null;
  @ApiProperty({
    description: 'Nobody has said what it means, and nobody is asked for what went back.',
  })
  is_undecided!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The code with which a credit note was refused when the money had gone.',
  })
  credit_note_problem!: string | null;
  @ApiProperty({ type: [RefundCreditNoteBody], description: 'The credit notes made with it.' })
  credit_notes!: RefundCreditNoteBody[];
  @ApiProperty({ description: 'The day of settled_at was in a closed month.' })
  booked_later!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The first open day, on which the books have it; null for the day of settled_at.',
  })
  booked_on!: string | null;
  @ApiProperty({ description: 'The day of undone_at was in a closed month.' })
  undone_booked_later!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The same for its undoing; null for the day of undone_at.',
  })
  undone_booked_on!: string | null;
}

export class RefundList extends PageEnds {
  @ApiProperty({ type: [RefundBody] }) data!: RefundBody[];
}

export class UnmatchedReceiptBody {
  @ApiProperty({ example: 'rcpt_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: UNMATCHED_RECEIPT_STATUSES }) status!: string;
  @ApiProperty({ enum: UNMATCHED_REASONS }) reason!: string;
  @ApiProperty() gateway!: string;
  @ApiProperty() provider_payment_id!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ description: 'What is neither assigned, nor refunded, nor on its way back.' })
  amount_open!: number;
  @ApiProperty() amount_refunded!: number;
  @ApiProperty({ description: 'What the provider took back.' }) amount_reversed!: number;
  @ApiProperty({ description: 'What the payer disputes at the provider.' })
  amount_disputed!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: Number, nullable: true, description: 'What the gateway kept of it.' })
  fee!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'The document that it was for.' })
  document_id!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'The payment that it became.' })
  payment_id!: string | null;
  @ApiProperty({ type: String, nullable: true }) link_reference!: string | null;
  @ApiProperty({ format: 'date-time' }) paid_at!: string;
  @ApiProperty({ format: 'date-time' }) received_at!: string;
}

/** A refund, and the payment or receipt that it gives back, as it is now. */
export class RefundedBody {
  @ApiProperty({ type: RefundBody }) refund!: RefundBody;
  @ApiProperty({ type: PaymentDetailBody, required: false }) payment?: PaymentDetailBody;
  @ApiProperty({ type: UnmatchedReceiptBody, required: false }) receipt?: UnmatchedReceiptBody;
  @ApiProperty({ type: [PaymentWarningBody], required: false }) warnings?: PaymentWarningBody[];
}

export class UnmatchedReceiptPage extends CountedEnds {
  @ApiProperty({ type: [UnmatchedReceiptBody] }) data!: UnmatchedReceiptBody[];
}

export class ListUnmatchedReceiptsQuery extends CountedQuery {
  @OneOf(UNMATCHED_RECEIPT_STATUSES, { optional: true, description: 'Default: `open`.' })
  status?: (typeof UNMATCHED_RECEIPT_STATUSES)[number];
}

export class AssignReceiptRequest {
  @Text({ max: 40, optional: true, description: 'It pays what is due; the rest becomes credit.' })
  document_id?: string;

  @Text({ max: 40, optional: true, description: 'All of it becomes this customer’s credit.' })
  customer_id?: string;

  @Nested(() => CountsAsRequest, {
    optional: true,
    description: 'What it counts for, if that is in another currency than the money.',
  })
  counts_as?: CountsAsRequest;

  @InstantText({
    optional: true,
    description: 'The day that it counts for. Default: when it was paid.',
  })
  assigned_at?: string;
}

export class AssignedReceiptBody {
  @ApiProperty({ type: UnmatchedReceiptBody }) receipt!: UnmatchedReceiptBody;
  @ApiProperty({ type: PaymentBody }) payment!: PaymentBody;
  @ApiProperty({ type: [PaymentWarningBody], required: false }) warnings?: PaymentWarningBody[];
}
