import type { MovedMoney, ProviderReport } from '../../payments/index.js';
import { disputeWord } from '../dispute-words.js';
import { ownIdFrom } from '../signed-body.js';
import { moneyOfGoCardless } from './gocardless-amount.js';
import {
  GoCardlessRequestId,
  type GoCardlessEvent,
  type GoCardlessPayment,
  GoCardlessRefund,
} from './gocardless-objects.js';
import { goCardlessOutcome } from './gocardless-refunds.js';

/** A thing that happened to an object, by the word of an event. */
export interface Happening {
  eventId: string;
  /** Such as `payments.confirmed`. */
  eventType: string;
  at: Date;
  /** GoCardless's `cause`. */
  reason: string | null;
}

/** Events that say that the money of a payment was collected. */
export const COLLECTED: ReadonlySet<string> = new Set(['confirmed', 'paid_out']);
const ON_ITS_WAY: ReadonlySet<string> = new Set([
  'created',
  'customer_approval_granted',
  'submitted',
  'resubmission_requested',
  // States of a payment whose events are too old to be listed.
  'pending_customer_approval',
  'pending_submission',
]);
const PLANNED: ReadonlySet<string> = new Set([
  'created',
  'customer_approval_granted',
  'pending_customer_approval',
  'pending_submission',
]);
/** `late_failure_settled` tells again of a `failed` that came after the money had been collected. */
const FAILED: ReadonlySet<string> = new Set([
  'failed',
  'cancelled',
  'customer_approval_denied',
  'late_failure_settled',
]);

const CANNOT_SAY = 'cannot book the amount of this payment';
const COLLECTED_AGAIN =
  'a payment at GoCardless was collected again after it had failed late; the books have it as taken back';
const WENT_BACK = 'money went back at GoCardless of a payment or refund that is not known so here';
const DISPUTED = 'a payment was charged back at GoCardless that is not in the books';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;

/** Whether an event of a payment changes anything here. */
export function concernsPayments(action: string): boolean {
  const sets = [COLLECTED, ON_ITS_WAY, FAILED];
  return disputeWord('gocardless', action) !== undefined || sets.some((one) => one.has(action));
}

/**
 * An event of a payment, with the amount that the payment has.
 * @param events of the payment, for those that collect money; their links help to find ours, too
 */
export function reportOfPayment(
  happening: Happening,
  payment: GoCardlessPayment,
  events: readonly GoCardlessEvent[] = [],
): ProviderReport {
  const { at, eventType } = happening;
  const action = eventType.replace(/^payments\./, '');
  const reported = reportedOf(happening);
  const link = linkOf(payment, events);
  // A debit by a mandate that was not sent to the bank yet can still be cancelled.
  const isPlanned = payment.metadata?.collected_by === 'mandate' && PLANNED.has(action);
  if (isPlanned) return { ...reported, kind: 'irrelevant' };
  if (ON_ITS_WAY.has(action)) return { ...reported, kind: 'processing', ...link, at };
  const amount = moneyOfGoCardless(payment.amount, payment.currency);
  const moved = { providerPaymentId: payment.id, amount: amount ?? null };
  if (COLLECTED.has(action)) {
    const into = { ...moved, direction: 'in', reference: null } as const;
    if (!amount) return toReview(reported, CANNOT_SAY, into);
    if (isCollectedAgain(events, at)) return toReview(reported, COLLECTED_AGAIN, into);
    const paid = { providerPaymentId: payment.id, amount, fee: null, paidAt: at };
    return { ...reported, kind: 'paid', ...link, ...paid };
  }
  if (FAILED.has(action)) {
    const reason = happening.reason ?? action;
    const failed = { amount: null, reference: null, reason, at, isFinal: true };
    return { ...reported, kind: 'failed', ...link, providerPaymentId: payment.id, ...failed };
  }
  const word = disputeWord('gocardless', action);
  if (!word) return { ...reported, kind: 'irrelevant' };
  const reference = `${payment.id}:chargeback`;
  if (!amount) return toReview(reported, DISPUTED, { ...moved, direction: 'out', reference });
  return {
    ...reported,
    kind: 'dispute',
    disputeId: reference,
    providerPaymentId: payment.id,
    status: word.status,
    amount,
    withdrawn: word.withdrawnOf(amount),
    fee: null,
    reason: happening.reason ?? 'chargeback',
    evidenceDueBy: null,
    at,
    review: DISPUTED,
  };
}

/** It is of the day when it was made, whatever state it is in: the one that failed then counts. */
export function reportOfRefund(happening: Happening, refund: GoCardlessRefund): ProviderReport {
  const reported = reportedOf(happening);
  const amount = moneyOfGoCardless(refund.amount, refund.currency);
  const { payment: providerPaymentId } = refund.links;
  if (!amount || !providerPaymentId) {
    return toReview(reported, WENT_BACK, {
      direction: 'out',
      reference: refund.id,
      providerPaymentId: providerPaymentId ?? null,
      amount: amount ?? null,
    });
  }
  return {
    ...reported,
    kind: 'refund',
    refundId: ownIdFrom(refund.metadata?.refund_id),
    providerRefundId: refund.id,
    providerPaymentId,
    amount,
    outcome: goCardlessOutcome(refund),
    at: refund.created_at,
    review: WENT_BACK,
  };
}

/** A refund as it stands in a list. Its states are the events. */
export function reportOfListedRefund(paymentId: string, listed: unknown): ProviderReport {
  const { data: refund } = GoCardlessRefund.safeParse(listed);
  if (refund) {
    const eventType = `refunds.${refund.status}`;
    const eventId = `${refund.id}:${eventType}`;
    return reportOfRefund({ eventId, eventType, at: refund.created_at, reason: null }, refund);
  }
  const eventId = `${paymentId}:refunds.unreadable`;
  const reported = { eventId, eventType: 'refunds.unreadable', fingerprint: null };
  const moved = { reference: null, providerPaymentId: paymentId, amount: null };
  return toReview(reported, WENT_BACK, { ...moved, direction: 'out' });
}

/** GoCardless copies what we noted at the request; without it, an event may name the request. */
function linkOf(
  payment: GoCardlessPayment,
  events: readonly GoCardlessEvent[],
): { linkId: string | null; providerObjectId: string | null } {
  const named = [payment.links, ...events.map(({ links }) => links)];
  const ids = named.flatMap(
    (links) => GoCardlessRequestId.safeParse(links?.billing_request).data ?? [],
  );
  const linkId = ownIdFrom(payment.metadata?.payment_link_id);
  return { linkId, providerObjectId: ids[0] ?? null };
}

/** A payment keeps its id when it is collected once more, so the books cannot tell the two apart. */
function isCollectedAgain(events: readonly GoCardlessEvent[], at: Date): boolean {
  const own = events.filter(({ resource_type: of }) => of === 'payments');
  const first = own.find(({ action }) => COLLECTED.has(action));
  const failed = own.filter(({ action }) => action === 'failed').map((event) => event.created_at);
  return !!first && failed.some((failedAt) => failedAt > first.created_at && failedAt < at);
}

export function reportedOf({ eventId, eventType }: Happening): Reported {
  return { eventId, eventType, fingerprint: null };
}

function toReview(reported: Reported, review: string, moved: MovedMoney): ProviderReport {
  return { ...reported, kind: 'irrelevant', review, moved };
}
