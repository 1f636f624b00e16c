import { z } from 'zod';
import { isUndecided, MEANINGS_SAID_BY } from '../domain/refunds/refund-meaning.js';
import {
  presentConversion,
  ConversionBody,
  ForeignMoneyRequest,
} from '../../recording/wire/conversion.js';
import { publicId } from '../../../kernel/ids.js';
import { type Refund, REFUND_ACCOUNTS, SHOWN_REFUND_STATUSES } from '../domain/refund.js';
import { UnmatchedReceiptBody } from '../../recording/wire/unmatched-receipt.js';
import {
  minorUnits,
  instant,
  day,
  currency,
  publicIdOf,
} from '../../../platform/http/validation/answer-fields.js';
import { answerShape, requestShape } from '../../../platform/http/validation/shapes.js';
import { CreateCreditNoteRequest } from '../../../documents/index.js';
import { amountMinor, nested, oneOf } from '../../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../../platform/http/validation/text-fields.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { wholeList } from '../../../platform/http/paging.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { MONEY_METHODS, parsePaymentMethod } from '../../../kernel/payment-method.js';
import { REFUND_MEANINGS } from '../../recording/domain/payment-settings.js';
import { PaymentDetailBody } from '../../recording/wire/payment.js';
import { PaymentWarningBody } from '../../recording/wire/payment-warnings.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

nameWords({ RefundMeaning: REFUND_MEANINGS, RefundMeaningSaidBy: MEANINGS_SAID_BY });

/** Money cannot be given back as credit. */
const METHODS = ['gateway', ...MONEY_METHODS];

/** The method, however it is written; undefined if it is none. */
export function refundMethod(text: string) {
  if (text.trim().toLowerCase() === 'gateway') return 'gateway';
  const method = parsePaymentMethod(text);
  return method === 'credit_balance' ? undefined : method;
}

export const RefundReceiptRequest = requestShape('RefundReceiptRequest', {
  amount: amountMinor({ optional: true, description: 'Default: all that can be refunded.' }),
  currency: currencyCode({
    optional: true,
    description: 'It must be the currency of the payment.',
  }),
  method: matching(
    {
      refusal: FieldRefusal.unknown_method,
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
  ),
  paid_from: oneOf(REFUND_ACCOUNTS, {
    optional: true,
    description:
      'The account that a refund by hand leaves. Default for money of a provider: ' +
      '`gateway_clearing`, as if it was given back in the provider’s dashboard, but `cash` for ' +
      'the methods `cash` and `check`. For all other money: `cash`.',
  }),
  refunded_at: instantText({
    optional: true,
    description: 'When it was given back by hand. Default: now. A gateway says it by itself.',
  }),
  reference: shortText({ max: 255, min: 0, optional: true }),
  reason: paragraph({ max: 2000, min: 0, optional: true, example: 'Returned goods' }),
});
export type RefundReceiptRequest = z.output<typeof RefundReceiptRequest>;

export const RefundPaymentRequest = requestShape('RefundPaymentRequest', {
  ...RefundReceiptRequest.shape,
  paid_out: nested(() => ForeignMoneyRequest, {
    optional: true,
    description: 'The money that left, if that was in another currency than the payment.',
  }),
  from: shortText({
    max: 40,
    optional: true,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description:
      '`credit` takes it from the customer’s credit. The id of a document takes it from ' +
      'there, and that is due again. Default: from what no document took or a credit note of its ' +
      'documents made credit, then from its documents, the newest allocation first.',
  }),
  meaning: oneOf(REFUND_MEANINGS, {
    optional: true,
    description:
      '`lowers_document`: a credit note over what each document gives is made with it, and nothing ' +
      'is due again. `owed_again`: it is due, and asked for. Default: the payment settings say it, ' +
      'and a warning names the other.',
  }),
  credit_note: nested(() => CreateCreditNoteRequest, {
    optional: true,
    description:
      'How the credit note of `lowers_document` is made: by lines or an amount, as a credit note by ' +
      'itself. Default: over what goes back, spread over the tax groups.',
  }),
});
export type RefundPaymentRequest = z.output<typeof RefundPaymentRequest>;

export const DecideRefundRequest = requestShape('DecideRefundRequest', {
  meaning: oneOf(REFUND_MEANINGS),
  credit_note: nested(() => CreateCreditNoteRequest, {
    optional: true,
    description: 'How the credit note of `lowers_document` is made. Default: over what went back.',
  }),
  credit_note_id: shortText({
    max: 40,
    optional: true,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description: 'A credit note that was made for it already. Send this or credit_note.',
  }),
});
export type DecideRefundRequest = z.output<typeof DecideRefundRequest>;

export const ReverseRefundRequest = requestShape('ReverseRefundRequest', {
  reason: paragraph({ max: 2000, min: 0, optional: true, example: 'Recorded twice' }),
  reversed_at: instantText({
    optional: true,
    description: 'The day that it counts for. Default: now.',
  }),
});
export type ReverseRefundRequest = z.output<typeof ReverseRefundRequest>;

const RefundPartBody = answerShape('RefundPartBody', {
  id: publicIdOf('doc'),
  amount: minorUnits.describe('What the document gives back; it is due again.'),
});
type RefundPartBody = z.output<typeof RefundPartBody>;

const RefundCreditNoteBody = answerShape('RefundCreditNoteBody', {
  id: z.string().meta({ example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  number: z.string().meta({ example: 'CN-00001' }),
  document_id: z.string().describe('The document that it lowers.'),
  is_void: z.boolean(),
});
type RefundCreditNoteBody = z.output<typeof RefundCreditNoteBody>;

export const RefundBody = answerShape('RefundBody', {
  id: publicIdOf('rfnd'),
  payment_id: publicIdOf('pay').nullable(),
  receipt_id: publicIdOf('rcpt').nullable().describe('For money without a document.'),
  amount: minorUnits,
  currency,
  paid_out: ConversionBody.nullable().describe('The money itself, if it left in another currency.'),
  from_credit: minorUnits.describe('What comes from the customer’s credit.'),
  documents: z.array(RefundPartBody),
  lost: minorUnits.describe(
    'What nobody gives: the provider sent it back when the payment had no more. A loss of yours.',
  ),
  made_by: z.enum(['client', 'gateway']).meta({
    description: '`gateway`: made at the provider, in its dashboard for instance, and told by it.',
  }),
  method: z.string(),
  gateway: z.string().nullable().describe('null for a refund by hand.'),
  paid_from: z.enum(REFUND_ACCOUNTS).meta({
    description: 'The account of the ledger that the money leaves.',
  }),
  status: z.enum(SHOWN_REFUND_STATUSES).meta({
    description:
      '`pending`: the provider is working on it. `unknown`: the provider did not answer, and ' +
      'is asked again until it does. `succeeded` is in the books. `returned`: it succeeded, and ' +
      'the provider has the money back. `reversed`: it was recorded wrongly.',
  }),
  failure: z.string().nullable().describe('The provider’s short code.'),
  provider_refund_id: z
    .string()
    .nullable()
    .describe('Also of a refund by hand, once its provider has told of it.'),
  reference: z.string().nullable(),
  reason: z.string().nullable(),
  requested_at: instant,
  settled_at: instant.nullable(),
  undone_at: instant.nullable().meta({ description: 'When it was returned or reversed.' }),
  undone_reason: z.string().nullable(),
  meaning: z.enum(REFUND_MEANINGS).nullable().meta({
    description: 'What it means for its documents; null where none of them gives anything.',
  }),
  meaning_said_by: z.enum(MEANINGS_SAID_BY).nullable().meta({
    description:
      '`call`: with the refund. `setting`: of the account. `default`: nobody. `later`: after it.',
  }),
  is_undecided: z
    .boolean()
    .describe('Nobody has said what it means, and nobody is asked for what went back.'),
  credit_note_problem: z
    .string()
    .nullable()
    .describe('The code with which a credit note was refused when the money had gone.'),
  credit_notes: z.array(RefundCreditNoteBody).describe('The credit notes made with it.'),
  booked_later: z.boolean().describe('The day of settled_at was in a closed month.'),
  booked_on: day.nullable().meta({
    description: 'The first open day, on which the books have it; null for the day of settled_at.',
  }),
  undone_booked_later: z.boolean().describe('The day of undone_at was in a closed month.'),
  undone_booked_on: day.nullable().meta({
    description: 'The same for its undoing; null for the day of undone_at.',
  }),
});
export type RefundBody = z.output<typeof RefundBody>;

export const RefundList = wholeList('RefundList', RefundBody);
export type RefundList = z.output<typeof RefundList>;

/** A refund, and the payment or receipt that it gives back, as it is now. */
export const RefundedBody = answerShape('RefundedBody', {
  refund: RefundBody,
  payment: PaymentDetailBody.optional(),
  receipt: UnmatchedReceiptBody.optional(),
  warnings: z.array(PaymentWarningBody).optional(),
});
export type RefundedBody = z.output<typeof RefundedBody>;

/** The public form of a refund: in events, and part of answers. Amounts in minor units. */
export function presentRefund(refund: Refund) {
  const { of } = refund;
  return {
    id: publicId('rfnd', refund.id),
    payment_id: of.type === 'payment' ? publicId('pay', of.paymentId) : null,
    receipt_id: of.type === 'receipt' ? publicId('rcpt', of.receiptId) : null,
    amount: refund.amount.toMinorNumber(),
    currency: refund.amount.currency,
    paid_out: presentConversion(refund.conversion, (worth) => refund.amount.minus(worth)),
    from_credit: refund.fromCredit.toMinorNumber(),
    documents: refund.parts.map(({ documentId, amount }) => ({
      id: publicId('doc', documentId),
      amount: amount.toMinorNumber(),
    })),
    lost: refund.lost.toMinorNumber(),
    made_by: refund.clientId === null ? ('gateway' as const) : ('client' as const),
    method: refund.method,
    gateway: refund.gateway,
    paid_from: refund.paidFrom,
    status: refund.undoing?.kind ?? refund.status,
    failure: refund.failure,
    provider_refund_id: refund.providerRefundId,
    reference: refund.reference,
    reason: refund.reason,
    requested_at: refund.requestedAt.toISOString(),
    settled_at: refund.settledAt?.toISOString() ?? null,
    undone_at: refund.undoing?.at.toISOString() ?? null,
    undone_reason: refund.undoing?.reason ?? null,
    meaning: refund.meaning?.name ?? null,
    meaning_said_by: refund.meaning?.saidBy ?? null,
    is_undecided: isUndecided(refund),
    credit_note_problem: refund.meaning?.problem ?? null,
  };
}

/** The same with the days on which the books have it, if those that are told were closed. */
export function presentBookedRefund(refund: Refund): RefundBody {
  const { bookedOn, undoing } = refund;
  return {
    ...presentRefund(refund),
    credit_notes: refund.notes.map(({ documentId, creditNoteId, number, isVoid }) => ({
      id: publicId('doc', creditNoteId),
      number,
      document_id: publicId('doc', documentId),
      is_void: isVoid,
    })),
    booked_later: bookedOn !== null,
    booked_on: bookedOn,
    undone_booked_later: undoing !== null && undoing.bookedOn !== null,
    undone_booked_on: undoing?.bookedOn ?? null,
  };
}
