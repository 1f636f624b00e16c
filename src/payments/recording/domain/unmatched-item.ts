import type { ToldPayment } from '../../port/domain/early-report.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import {
  furtherCaptureId,
  type MovedMoney,
  type PaidReport,
  type ProviderReport,
} from '../../port/domain/provider-report.js';
import type { ReturnedReport } from '../../port/domain/told-refund.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

export const UNMATCHED_ITEM_STATUSES = ['open', 'closed'] as const;
export type UnmatchedItemStatus = (typeof UNMATCHED_ITEM_STATUSES)[number];
export const DIRECTIONS_OF_ITEMS = ['in', 'out'] as const;

/** Money that moved at a provider and that no report could put into the books. */
export interface UnmatchedItem {
  id: Uuid;
  accountId: Uuid;
  gateway: string;
  direction: MovedMoney['direction'];
  providerPaymentId: string | null;
  linkReference: string | null;
  /** Null where it cannot be said exactly. */
  amount: Money | null;
  /** A sentence about what happened. */
  told: string;
  eventId: string;
  eventType: string;
  receivedAt: Date;
  status: UnmatchedItemStatus;
  /** The number of steps that people made of it. */
  steps: number;
  /** The reason of the last step. */
  reason: string | null;
}

/** An item before it is kept. Several events about one subject make one item. */
export type NewUnmatchedItem = Pick<
  UnmatchedItem,
  'direction' | 'providerPaymentId' | 'linkReference' | 'amount' | 'told' | 'eventId' | 'eventType'
> & { subject: string };

/** Items by their subjects: the service closes them once their money is in the books. */
export const subjectOf = {
  payment: (providerPaymentId: string) => `in ${providerPaymentId}`,
  reversal: (name: string) => `out ${name}`,
  dispute: (disputeId: string) => `out ${disputeId}`,
  payout: (payoutId: string) => `payout ${payoutId}`,
};

/**
 * The item that a report leaves behind, if its money is in no books.
 * @param isKept whether the money is an unmatched receipt of an account already
 */
export function itemOf(
  report: ProviderReport,
  outcome: WebhookOutcome,
  isKept: boolean,
): NewUnmatchedItem | null {
  const { eventId, eventType } = report;
  if (outcome === 'ok' || isKept) return null;
  switch (report.kind) {
    case 'paid': {
      const { providerPaymentId, linkId: linkReference, amount } = report;
      const told = linkReference
        ? 'A payment names a payment link that is not of this account.'
        : 'A payment names no payment link.';
      const of = { providerPaymentId, linkReference, amount, told };
      return {
        direction: 'in',
        ...of,
        eventId,
        eventType,
        subject: subjectOf.payment(providerPaymentId),
      };
    }
    case 'unpaid_again': {
      const { providerPaymentId, linkId: linkReference, amount, reference } = report;
      const subject = subjectOf.reversal(reference ?? providerPaymentId ?? eventId);
      const told = 'Money was taken back of a payment that is not in the books.';
      const of = { providerPaymentId, linkReference, amount, told };
      return { direction: 'out', ...of, eventId, eventType, subject };
    }
    case 'dispute': {
      const { providerPaymentId, amount, disputeId, review: told } = report;
      const of = { providerPaymentId, linkReference: null, amount, told };
      return { direction: 'out', ...of, eventId, eventType, subject: subjectOf.dispute(disputeId) };
    }
    case 'payout': {
      const { amount, payoutId, review: told = 'A payout is not booked.' } = report;
      const of = { providerPaymentId: null, linkReference: null, told, eventId, eventType };
      const subject = subjectOf.payout(payoutId);
      return amount.isNegative()
        ? { direction: 'in', ...of, amount: amount.negated(), subject }
        : { direction: 'out', ...of, amount, subject };
    }
    case 'irrelevant': {
      if (report.review === undefined) return null;
      const { review, moved } = report;
      const { reference = null, providerPaymentId = null, amount = null } = moved ?? {};
      const direction = moved?.direction ?? 'in';
      const named = reference ?? providerPaymentId;
      const subject = named === null ? eventId : `${direction} ${named} ${amount ?? ''}`.trim();
      const of = { providerPaymentId, linkReference: null, amount, told: review };
      return { direction, ...of, eventId, eventType, subject };
    }
    default:
      return null;
  }
}

/** The report of a further capture of a payment that is told already; else the report itself. */
export function asToldOf(report: PaidReport, first: ToldPayment | undefined): PaidReport {
  const { captureReference: reference, providerPaymentId } = report;
  const before = first?.captureReference ?? undefined;
  if (reference === undefined || before === undefined || before === reference) return report;
  return { ...report, providerPaymentId: furtherCaptureId(providerPaymentId, reference) };
}

/**
 * The item that a payment leaves behind which was told before with another amount, or for another link
 * of ours: its name alone does not make it the same money. Null where it only repeats.
 */
export function contradiction(
  { eventId, eventType, providerPaymentId, linkId, amount }: PaidReport,
  before: ToldPayment,
  paymentLinkId: Uuid | null,
): NewUnmatchedItem | null {
  const isOfAnotherLink =
    paymentLinkId !== null &&
    before.paymentLinkId !== null &&
    paymentLinkId !== before.paymentLinkId;
  const isSame = amount.minor === before.amount.minor && amount.currency === before.amount.currency;
  if (isSame && !isOfAnotherLink) return null;
  const told = isOfAnotherLink
    ? 'A payment that is in the books was told again, for another payment link.'
    : `A payment was told again, with another amount: the first one, ${before.amount}, counts.`;
  const subject = [subjectOf.payment(providerPaymentId), amount, linkId ?? ''].join(' ').trim();
  const of = { providerPaymentId, linkReference: linkId, amount, told };
  return { direction: 'in', ...of, eventId, eventType, subject };
}

/** A report of money that went back which does not agree with our books: with all that it says. */
export function unknownReturn(report: ReturnedReport): ProviderReport {
  const { eventId, eventType, fingerprint, providerPaymentId, amount, review } = report;
  const reference = report.kind === 'refund' ? report.providerRefundId : null;
  const moved = { direction: 'out' as const, reference, providerPaymentId, amount };
  return { eventId, eventType, fingerprint, kind: 'irrelevant', review, moved };
}

export function assertOtherStatus(item: UnmatchedItem, next: UnmatchedItemStatus): void {
  if (item.status !== next) return;
  throw PaymentRefusal.item_in_that_state.of(`This item is ${next} already; GET it to see why.`, {
    item_status: next,
  });
}
