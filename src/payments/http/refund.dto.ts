import { z } from 'zod';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { CreateCreditNoteRequest } from '../../documents/index.js';
import { amountMinor, nested, oneOf } from '../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../platform/http/validation/text-fields.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { countedPage, CountedQuery, wholeList } from '../../platform/http/paging.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { MONEY_METHODS, parsePaymentMethod } from '../../kernel/payment-method.js';
import { MEANINGS_SAID_BY } from '../returning/domain/refunds/refund-meaning.js';
import { REFUND_MEANINGS } from '../recording/domain/payment-settings.js';
import { REFUND_ACCOUNTS, SHOWN_REFUND_STATUSES } from '../returning/domain/refund.js';
import { UNMATCHED_RECEIPT_STATUSES } from '../recording/domain/unmatched-receipt.js';
import { UNMATCHED_REASONS } from '../port/domain/webhook-outcome.js';
import { ConversionBody, CountsAsRequest, ForeignMoneyRequest } from './conversion.dto.js';
import { PaymentDetailBody, PaymentBody } from './payment.dto.js';
import { PaymentWarningBody } from './payment-warnings.dto.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

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

export const RefundReceiptRequest = requestShape('RefundReceiptRequest', {
  amount: amountMinor({ optional: true, description: 'Default: all that can be refunded.' }),
  currency: currencyCode({
    optional: true,
    description: 'It must be the currency of the payment.',
  }),
  method: matching(
    {
      refusal: PaymentRefusal.unknown_method,
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
  id: z.string(),
  amount: z.number().describe('What the document gives back; it is due again.'),
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
  id: z.string().meta({ example: 'rfnd_01h455vb4pex5vsknk084sn02q' }),
  payment_id: z.string().nullable(),
  receipt_id: z.string().nullable().describe('For money without a document.'),
  amount: z.number(),
  currency: z.string(),
  paid_out: ConversionBody.nullable().describe('The money itself, if it left in another currency.'),
  from_credit: z.number().describe('What comes from the customer’s credit.'),
  documents: z.array(RefundPartBody),
  lost: z
    .number()
    .describe(
      'What nobody gives: the provider sent it back when the payment had no more. A loss of yours.',
    ),
  made_by: z.string().meta({
    enum: ['client', 'gateway'],
    description: '`gateway`: made at the provider, in its dashboard for instance, and told by it.',
  }),
  method: z.string(),
  gateway: z.string().nullable().describe('null for a refund by hand.'),
  paid_from: z.string().meta({
    enum: REFUND_ACCOUNTS,
    description: 'The account of the ledger that the money leaves.',
  }),
  status: z.string().meta({
    enum: SHOWN_REFUND_STATUSES,
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
  requested_at: z.string().meta({ format: 'date-time' }),
  settled_at: z.string().nullable().meta({ format: 'date-time' }),
  undone_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'When it was returned or reversed.' }),
  undone_reason: z.string().nullable(),
  meaning: z.string().nullable().meta({
    enum: REFUND_MEANINGS,
    description: 'What it means for its documents; null where none of them gives anything.',
  }),
  meaning_said_by: z.string().nullable().meta({
    enum: MEANINGS_SAID_BY,
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
  booked_on: z.string().nullable().meta({
    format: 'date',
    description: 'The first open day, on which the books have it; null for the day of settled_at.',
  }),
  undone_booked_later: z.boolean().describe('The day of undone_at was in a closed month.'),
  undone_booked_on: z.string().nullable().meta({
    format: 'date',
    description: 'The same for its undoing; null for the day of undone_at.',
  }),
});
export type RefundBody = z.output<typeof RefundBody>;

export const RefundList = wholeList('RefundList', RefundBody);
export type RefundList = z.output<typeof RefundList>;

export const UnmatchedReceiptBody = answerShape('UnmatchedReceiptBody', {
  id: z.string().meta({ example: 'rcpt_01h455vb4pex5vsknk084sn02q' }),
  status: z.string().meta({ enum: UNMATCHED_RECEIPT_STATUSES }),
  reason: z.string().meta({ enum: UNMATCHED_REASONS }),
  gateway: z.string(),
  provider_payment_id: z.string(),
  amount: z.number(),
  amount_open: z.number().describe('What is neither assigned, nor refunded, nor on its way back.'),
  amount_refunded: z.number(),
  amount_reversed: z.number().describe('What the provider took back.'),
  amount_disputed: z.number().describe('What the payer disputes at the provider.'),
  currency: z.string(),
  fee: z.number().nullable().describe('What the gateway kept of it.'),
  document_id: z.string().nullable().describe('The document that it was for.'),
  payment_id: z.string().nullable().describe('The payment that it became.'),
  link_reference: z.string().nullable(),
  paid_at: z.string().meta({ format: 'date-time' }),
  received_at: z.string().meta({ format: 'date-time' }),
});
export type UnmatchedReceiptBody = z.output<typeof UnmatchedReceiptBody>;

/** A refund, and the payment or receipt that it gives back, as it is now. */
export const RefundedBody = answerShape('RefundedBody', {
  refund: RefundBody,
  payment: PaymentDetailBody.optional(),
  receipt: UnmatchedReceiptBody.optional(),
  warnings: z.array(PaymentWarningBody).optional(),
});
export type RefundedBody = z.output<typeof RefundedBody>;

export const UnmatchedReceiptPage = countedPage('UnmatchedReceiptPage', UnmatchedReceiptBody);
export type UnmatchedReceiptPage = z.output<typeof UnmatchedReceiptPage>;

export const ListUnmatchedReceiptsQuery = queryShape({
  ...CountedQuery.shape,
  status: oneOf(UNMATCHED_RECEIPT_STATUSES, { optional: true, description: 'Default: `open`.' }),
});
export type ListUnmatchedReceiptsQuery = z.output<typeof ListUnmatchedReceiptsQuery>;

export const AssignReceiptRequest = requestShape('AssignReceiptRequest', {
  document_id: shortText({
    max: 40,
    optional: true,
    description: 'It pays what is due; the rest becomes credit.',
  }),
  customer_id: shortText({
    max: 40,
    optional: true,
    description: 'All of it becomes this customer’s credit.',
  }),
  counts_as: nested(() => CountsAsRequest, {
    optional: true,
    description: 'What it counts for, if that is in another currency than the money.',
  }),
  assigned_at: instantText({
    optional: true,
    description: 'The day that it counts for. Default: when it was paid.',
  }),
});
export type AssignReceiptRequest = z.output<typeof AssignReceiptRequest>;

export const AssignedReceiptBody = answerShape('AssignedReceiptBody', {
  receipt: UnmatchedReceiptBody,
  payment: PaymentBody,
  warnings: z.array(PaymentWarningBody).optional(),
});
export type AssignedReceiptBody = z.output<typeof AssignedReceiptBody>;
