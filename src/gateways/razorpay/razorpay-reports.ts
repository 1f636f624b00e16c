import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import type { MovedMoney, ProviderReport } from '../../payments/index.js';
import { type DisputeWord, disputeWord } from '../dispute-words.js';
import { feeWithin } from '../provider-amount.js';
import { moneyOfRazorpay } from './razorpay-amount.js';
import {
  ownLinkAmong,
  ownRefundAmong,
  RazorpayDispute,
  RazorpayId,
  type RazorpayPage,
  razorpayOutcome,
  RazorpayPayment,
  RazorpayRefund,
} from './razorpay-objects.js';

const NOT_PAYMENT = 'a payment was told by Razorpay that cannot be read, or booked';
const WENT_BACK = 'money went back at Razorpay of a payment or refund that is not known so here';
const DISPUTED = 'a payment was disputed at Razorpay that is not in the books';

/** As much of an object as can be told of money that we cannot book. */
const Anything = z.object({
  id: RazorpayId.nullish().catch(null),
  payment_id: RazorpayId.nullish().catch(null),
  amount: z.int().min(0).nullish().catch(null),
  currency: z.string().nullish().catch(null),
});

/** The name of an event, or of a state that was looked up. */
export type RazorpayReported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;

/** The pay page of a payment, as far as anything names it. */
export interface RazorpayLinkNames {
  linkId: string | null;
  providerObjectId: string | null;
}

/** A payment with its refunds, as they are now and as far as they can be read. */
export interface PaymentNow {
  payment: RazorpayPayment | { unreadable: unknown };
  refunds: readonly unknown[];
}

/**
 * @param seconds when Razorpay says so
 * @param home the currency of the account's balance, in which fees are; undefined if nobody said
 */
export function paidAtRazorpay(
  reported: RazorpayReported,
  entity: unknown,
  link: RazorpayLinkNames,
  { seconds, home }: { seconds: number; home: string | undefined },
): ProviderReport {
  const { data: payment } = RazorpayPayment.safeParse(entity);
  const isTaken = payment?.status === 'captured' || payment?.status === 'refunded';
  const amount = isTaken ? moneyOfRazorpay(payment.amount, payment.currency) : undefined;
  if (!payment || !amount) return toReview(reported, entity, 'in', NOT_PAYMENT);
  return {
    ...reported,
    kind: 'paid',
    ...link,
    providerPaymentId: payment.id,
    amount,
    fee: feeOf(payment, home),
    paidAt: new Date(Math.max(seconds, payment.created_at) * 1000),
  };
}

/** The tax on the fee is in it. It is in the currency of the balance, whatever the payer paid. */
function feeOf(payment: RazorpayPayment, home = 'INR') {
  const { amount, base_amount: base, base_currency: baseCurrency, currency, fee } = payment;
  const isConverted = base !== null && base !== undefined && base !== amount;
  const told = moneyOfRazorpay(amount, currency);
  if (!fee || !told || isConverted || (baseCurrency ?? home) !== currency) return null;
  return feeWithin(told, moneyOfRazorpay(fee, currency));
}

/**
 * A payment that failed, named by its link alone. Razorpay may still find it authorized at the bank,
 * and captures it under the same id. An older failure must not take that money off again.
 */
export function failedAtRazorpay(
  reported: RazorpayReported,
  link: RazorpayLinkNames,
  failed: { reason: string; at: Date; isFinal: boolean },
): ProviderReport {
  const of = { providerPaymentId: null, amount: null, reference: null };
  return { ...reported, kind: 'failed', ...link, ...of, ...failed };
}

export function refundAtRazorpay(
  reported: RazorpayReported,
  entity: unknown,
  seconds: number,
): ProviderReport {
  const { data: refund } = RazorpayRefund.safeParse(entity);
  const amount = refund && moneyOfRazorpay(refund.amount, refund.currency);
  if (!amount) return toReview(reported, entity, 'out', WENT_BACK);
  return {
    ...reported,
    kind: 'refund',
    refundId: ownRefundAmong(refund.notes?.refund_id, refund.receipt),
    providerRefundId: refund.id,
    providerPaymentId: refund.payment_id,
    amount,
    outcome: razorpayOutcome(refund),
    at: new Date(seconds * 1000),
    review: WENT_BACK,
  };
}

/** @param said the last word of the event's name */
export function disputeAtRazorpay(
  reported: RazorpayReported,
  entity: unknown,
  { said, seconds, home }: { said: string; seconds: number; home: string | undefined },
): ProviderReport {
  const { data: dispute } = RazorpayDispute.safeParse(entity);
  const amount = dispute && moneyOfRazorpay(dispute.amount, dispute.currency);
  const word = dispute && wordOn(dispute, said);
  if (!amount || !word) return toReview(reported, entity, 'out', DISPUTED);
  return {
    ...reported,
    // Two words of one second may have the name of one event.
    eventId: `${reported.eventId}:${word.status}`,
    kind: 'dispute',
    disputeId: dispute.id,
    providerPaymentId: dispute.payment_id,
    status: word.status,
    amount,
    withdrawn: deductedOf(dispute, amount, home) ?? word.withdrawnOf(amount),
    fee: null,
    reason: dispute.reason_code,
    evidenceDueBy: dispute.respond_by ? new Date(dispute.respond_by * 1000) : null,
    at: new Date(seconds * 1000),
    review: DISPUTED,
  };
}

const INQUIRIES: ReadonlySet<string> = new Set(['fraud', 'retrieval']);
const DECIDED: ReadonlySet<string> = new Set(['won', 'lost', 'closed']);

/** In the first phases the bank asks, and has taken nothing. */
function wordOn(
  { status, phase, amount_deducted: deducted }: z.infer<typeof RazorpayDispute>,
  said: string,
): DisputeWord | undefined {
  const decided = [said, status].find((one) => DECIDED.has(one));
  const isAsked = INQUIRIES.has(phase ?? '') && !deducted;
  const open = disputeWord('razorpay', status);
  if (decided !== undefined) return disputeWord('razorpay', decided);
  return open && isAsked ? disputeWord('razorpay', phase ?? '') : open;
}

/**
 * The amount that an undecided dispute took from the start, or a lost one; undefined where that is not
 * told. It is in the currency of the balance; of a lost one nothing is not told yet.
 */
function deductedOf(
  { amount_deducted: deducted, currency, status }: z.infer<typeof RazorpayDispute>,
  amount: Money,
  home = 'INR',
): Money | undefined {
  if (!deducted || currency !== home || DECIDED.has(status) !== (status === 'lost'))
    return undefined;
  return feeWithin(amount, moneyOfRazorpay(deducted, currency)) ?? undefined;
}

/**
 * All that a payment tells of itself, its state being the event. With a link it is another event than
 * without, or the look-up of a page would be taken for a repetition.
 */
export function paymentNow(
  { payment, refunds }: PaymentNow,
  link: RazorpayLinkNames,
  home: string | undefined,
): ProviderReport[] {
  if ('unreadable' in payment) {
    const reported = stateOf(nameOf(payment.unreadable), 'payment.unknown');
    return [toReview(reported, payment.unreadable, 'in', NOT_PAYMENT)];
  }
  const { id, status, created_at: seconds } = payment;
  const name = link.linkId === null ? `${id}:no-link` : id;
  const back = refunds.map((refund) => {
    const { data } = RazorpayRefund.safeParse(refund);
    const reported = stateOf(nameOf(refund), `refund.${data?.status ?? 'unknown'}`);
    return refundAtRazorpay(reported, refund, data?.created_at ?? seconds);
  });
  if (status === 'captured' || status === 'refunded') {
    const reported = stateOf(name, 'payment.captured');
    return [paidAtRazorpay(reported, payment, link, { seconds, home }), ...back];
  }
  if (status !== 'authorized') return back;
  const at = new Date(seconds * 1000);
  return [{ ...stateOf(name, 'payment.authorized'), kind: 'processing', ...link, at }, ...back];
}

/** A page on which nobody paid, and nobody can any more. */
export function pageNow(page: RazorpayPage, link: RazorpayLinkNames): ProviderReport[] {
  const { id, status } = page;
  if (page.amount_paid > 0 || (status !== 'expired' && status !== 'cancelled')) return [];
  const said = status === 'expired' ? page.expired_at : page.cancelled_at;
  const at = new Date((said || page.created_at) * 1000);
  const reported = stateOf(id, `payment_link.${status}`);
  return [failedAtRazorpay(reported, link, { reason: status, at, isFinal: true })];
}

/** Its id, or else one of its own content, so that none is taken for another. */
function nameOf(entity: unknown): string {
  const text = JSON.stringify(entity);
  return Anything.safeParse(entity).data?.id ?? createHash('sha256').update(text).digest('hex');
}

function stateOf(id: string, eventType: string): RazorpayReported {
  return { eventId: `${id}:${eventType}`, eventType, fingerprint: null };
}

/** The names of a payment that was asked for by itself. */
export function namesOfPayment({ payment }: PaymentNow): RazorpayLinkNames {
  const notes = 'unreadable' in payment ? null : payment.notes;
  return { linkId: ownLinkAmong(notes?.payment_link_id), providerObjectId: null };
}

/** With as much as is said of the money. */
export function toReview(
  reported: RazorpayReported,
  entity: unknown,
  direction: MovedMoney['direction'],
  review: string,
): ProviderReport {
  const { data } = Anything.safeParse(entity);
  const { amount: units, currency } = data ?? {};
  const moved: MovedMoney = {
    direction,
    reference: direction === 'out' ? (data?.id ?? null) : null,
    providerPaymentId: (direction === 'in' ? data?.id : data?.payment_id) ?? null,
    amount: (units && currency && moneyOfRazorpay(units, currency)) || null,
  };
  return { ...reported, kind: 'irrelevant', review, moved };
}
