import { publicId, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { paymentDisputed, PaymentRefusal } from '../../port/domain/payment-refusals.js';
import type { Payment } from './payment.js';
import type { UnmatchedReason } from '../../port/domain/webhook-outcome.js';

/** Money that a provider took and no document could take. */
export interface UnmatchedReceipt {
  id: Uuid;
  accountId: Uuid;
  gateway: string;
  providerPaymentId: string;
  amount: Money;
  /** The gateway's fee, if it tells; booked when the money arrived. */
  fee: Money | null;
  reason: UnmatchedReason;
  /** The document that it was meant for, where that is known. */
  documentId: Uuid | null;
  paymentLinkId: Uuid | null;
  /** The provider's word for our link. */
  linkReference: string | null;
  /** Assigned, refunded, or on its way back. */
  settled: Money;
  /** The part that went back, without what is still on its way. */
  refunded: Money;
  /** The part that the provider took back. */
  takenBack: Money;
  /** The part that the payer disputes, of the payment that it became, too. */
  disputed: Money;
  /** The payment that it became. */
  paymentId: Uuid | null;
  paidAt: Date;
  receivedAt: Date;
}

/** Money that a provider took, before it is kept. */
export type TakenMoney = Omit<
  UnmatchedReceipt,
  'id' | 'settled' | 'refunded' | 'takenBack' | 'disputed' | 'paymentId'
>;

/** The money of a payment that is reversed: the provider still has it. */
export function moneyWithoutHome(payment: Payment, now: Date): TakenMoney | null {
  const { accountId, amount, fee, documentId, paidAt, source } = payment;
  if (source.by !== 'gateway') return null;
  const { gateway, providerPaymentId, paymentLinkId } = source;
  return {
    accountId,
    gateway,
    providerPaymentId,
    amount,
    fee,
    reason: 'payment_reversed',
    documentId,
    paymentLinkId,
    linkReference: null,
    paidAt,
    receivedAt: now,
  };
}

/** One of which nothing is settled yet. */
export function openUnmatchedReceipt(taken: TakenMoney & { id: Uuid }): UnmatchedReceipt {
  const none = Money.zero(taken.amount.currency);
  return {
    ...taken,
    settled: none,
    refunded: none,
    takenBack: none,
    disputed: none,
    paymentId: null,
  };
}

export const UNMATCHED_RECEIPT_STATUSES = ['open', 'assigned', 'refunded', 'closed'] as const;
export type UnmatchedReceiptStatus = (typeof UNMATCHED_RECEIPT_STATUSES)[number];

export function unmatchedReceiptStatus({
  paymentId,
  refunded,
  takenBack,
  amount,
}: UnmatchedReceipt): UnmatchedReceiptStatus {
  if (paymentId !== null) return 'assigned';
  if (refunded.compare(amount) === 0) return 'refunded';
  return refunded.plus(takenBack).compare(amount) === 0 ? 'closed' : 'open';
}

export function openAmount(receipt: UnmatchedReceipt): Money {
  const open = receipt.amount.minus(receipt.settled);
  const free = open.minus(receipt.disputed.min(open));
  if (free.isPositive()) return free;
  if (open.isPositive()) throw paymentDisputed(free);
  throw PaymentRefusal.receipt_settled.of(
    'This receipt is assigned, refunded, on its way back, or was taken back; nothing is left of it.',
  );
}

/** One receipt is one payment at a time, and all of it. */
export function assignableAmount(receipt: UnmatchedReceipt): Money {
  const open = openAmount(receipt);
  if (receipt.disputed.isPositive()) throw paymentDisputed(open);
  if (receipt.paymentId === null) return open;
  throw PaymentRefusal.receipt_settled.of(
    `A part of this receipt is assigned as ${publicId('pay', receipt.paymentId)}; reverse that ` +
      'payment to assign all of it, or refund the part that is open.',
  );
}
