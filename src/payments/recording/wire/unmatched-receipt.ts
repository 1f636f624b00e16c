import { z } from 'zod';
import {
  unmatchedReceiptStatus,
  type UnmatchedReceipt,
  UNMATCHED_RECEIPT_STATUSES,
} from '../domain/unmatched-receipt.js';
import { publicId } from '../../../kernel/ids.js';
import { PaymentWarningBody } from './payment-warnings.js';
import { PaymentBody } from './payment.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { CountsAsRequest } from './conversion.js';
import { nested, oneOf } from '../../../platform/http/validation/fields.js';
import { shortText } from '../../../platform/http/validation/text-fields.js';
import { requestShape, queryShape, answerShape } from '../../../platform/http/validation/shapes.js';
import { listQuery, countedPage } from '../../../platform/http/paging.js';
import { UNMATCHED_REASONS } from '../../port/domain/webhook-outcome.js';
import {
  minorUnits,
  instant,
  currency,
  publicIdOf,
} from '../../../platform/http/validation/answer-fields.js';
import { nameWords } from '../../../platform/http/openapi/words.js';

nameWords({
  UnmatchedReason: UNMATCHED_REASONS,
  UnmatchedReceiptStatus: UNMATCHED_RECEIPT_STATUSES,
});

export const UnmatchedReceiptBody = answerShape('UnmatchedReceiptBody', {
  id: publicIdOf('rcpt'),
  status: z.enum(UNMATCHED_RECEIPT_STATUSES),
  reason: z.enum(UNMATCHED_REASONS),
  gateway: z.string(),
  provider_payment_id: z.string(),
  amount: minorUnits,
  amount_open: minorUnits.describe('What is neither assigned, nor refunded, nor on its way back.'),
  amount_refunded: minorUnits,
  amount_reversed: minorUnits.describe('What the provider took back.'),
  amount_disputed: minorUnits.describe('What the payer disputes at the provider.'),
  currency,
  fee: minorUnits.nullable().describe('What the gateway kept of it.'),
  document_id: publicIdOf('doc').nullable().describe('The document that it was for.'),
  payment_id: publicIdOf('pay').nullable().describe('The payment that it became.'),
  link_reference: z.string().nullable(),
  paid_at: instant,
  received_at: instant,
});
export type UnmatchedReceiptBody = z.output<typeof UnmatchedReceiptBody>;

export const UnmatchedReceiptPage = countedPage('UnmatchedReceiptPage', UnmatchedReceiptBody);
export type UnmatchedReceiptPage = z.output<typeof UnmatchedReceiptPage>;

export const ListUnmatchedReceiptsQuery = queryShape({
  ...listQuery(() => UnmatchedReceiptBody).shape,
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

/** The public form of a receipt. Amounts in minor units. */
export function presentUnmatchedReceipt(receipt: UnmatchedReceipt): UnmatchedReceiptBody {
  return {
    id: publicId('rcpt', receipt.id),
    status: unmatchedReceiptStatus(receipt),
    reason: receipt.reason,
    gateway: receipt.gateway,
    provider_payment_id: receipt.providerPaymentId,
    amount: receipt.amount.toMinorNumber(),
    amount_open: receipt.amount.minus(receipt.settled).toMinorNumber(),
    amount_refunded: receipt.refunded.toMinorNumber(),
    amount_reversed: receipt.takenBack.toMinorNumber(),
    amount_disputed: receipt.disputed.toMinorNumber(),
    currency: receipt.amount.currency,
    fee: receipt.fee?.toMinorNumber() ?? null,
    document_id: receipt.documentId && publicId('doc', receipt.documentId),
    payment_id: receipt.paymentId && publicId('pay', receipt.paymentId),
    link_reference: receipt.linkReference,
    paid_at: receipt.paidAt.toISOString(),
    received_at: receipt.receivedAt.toISOString(),
  };
}

/** The data of the event `payment.unmatched`. */
export function unmatchedEventData(receipt: UnmatchedReceipt) {
  return {
    receipt_id: publicId('rcpt', receipt.id),
    reason: receipt.reason,
    gateway: receipt.gateway,
    provider_payment_id: receipt.providerPaymentId,
    amount: receipt.amount.toMinorNumber(),
    currency: receipt.amount.currency,
    fee: receipt.fee?.toMinorNumber() ?? null,
  };
}
