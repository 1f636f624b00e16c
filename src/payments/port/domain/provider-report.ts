import type { IsoDate } from '../../../kernel/clock.js';
import type { Money } from '../../../kernel/money.js';
import type { ToldDispute } from './told-dispute.js';
import type { StatedPayoutLine } from './payout-line.js';
import type { MandateStatus } from './mandates/mandate-status.js';
import type { RefundOutcome } from './refund-request.js';

interface Reported {
  /** The provider's event id, unique for this gateway: the first key against doubles. */
  eventId: string;
  /** The provider's name for what happened, such as `payment_intent.succeeded`. */
  eventType: string;
  /**
   * SHA-256 (hex) of the body where the signature does not bind the whole body (PayPal): the same
   * event id with another fingerprint is forged. Null where the signature covers every byte.
   */
  fingerprint: string | null;
}

/** Money that moved and that a report cannot put in our words whole. */
export interface MovedMoney {
  direction: 'in' | 'out';
  /** The provider's id of what moved: a payment, a refund, a reversal or a dispute. */
  reference: string | null;
  providerPaymentId: string | null;
  amount: Money | null;
}

export const FAILURE_KINDS = ['failed', 'unpaid_again'] as const;
type FailureKind = (typeof FAILURE_KINDS)[number];
/** The words that are kept of a payment which was not reported yet. */
export const EARLY_KINDS = [
  ...FAILURE_KINDS,
  'dispute',
  'refund_pending',
  'refund_succeeded',
  'refund_failed',
  'refunded_in_all',
] as const;
export type EarlyKind = (typeof EARLY_KINDS)[number];

/**
 * All of a payment, or a part of it. A part has the provider's id of the reversal: one payment can
 * have several, and each is told more than once.
 */
type TakenBack = { amount: null; reference: string | null } | { amount: Money; reference: string };

export const TOLD_PAYOUT_STATUSES = ['sent', 'failed'] as const;

/** The content of a verified call, in our words. */
export type ProviderReport =
  | (Reported & {
      kind: 'paid';
      /** Our link id as the provider returned it; null when the payment names none. */
      linkId: string | null;
      /** The provider's object that we made (session, order), to find the link without its id. */
      providerObjectId: string | null;
      /** The provider's id of the payment itself: the second key against doubles. */
      providerPaymentId: string;
      /**
       * The provider's id of this capture, where one payment may be captured in parts. Each counts once:
       * a further one is a payment of its own. Absent: all of the payment.
       */
      captureReference?: string;
      /** The amount taken, in our minor units. */
      amount: Money;
      /** The provider's fee, if it tells: above zero, at most the amount. */
      fee: Money | null;
      /** When the provider says it was taken. */
      paidAt: Date;
      /** A remark of ours for people; providers send none. */
      note?: string;
      /** Nothing but a checksum speaks for it: a person has to look before it pays anything. */
      unconfirmed?: boolean;
    })
  /** The payer approved; the money moves only when we capture it (PayPal). */
  | (Reported & { kind: 'approved'; linkId: string | null; providerObjectId: string })
  /** The payer has paid, and the money takes days to come: a bank debit, for instance. */
  | (Reported & {
      kind: 'processing';
      linkId: string | null;
      providerObjectId: string | null;
      /** When the provider says so. */
      at: Date;
    })
  /**
   * The money did not come (`failed`: before or after it was reported as paid, so the later of the
   * two counts), or was taken back although it had come (`unpaid_again`).
   */
  | (Reported & {
      kind: FailureKind;
      linkId: string | null;
      providerObjectId: string | null;
      /** Null where it failed before there was a payment. */
      providerPaymentId: string | null;
      /** The provider's short code. */
      reason: string;
      /** When the provider says that it happened. */
      at: Date;
      /** False where the payer may try again on the same page, such as after a declined card. */
      isFinal: boolean;
    } & TakenBack)
  /** Money goes back. `review` is what a person is told when it cannot be booked. */
  | (Reported & {
      kind: 'refund';
      /** Our refund id; null when it was made elsewhere, in the provider's dashboard for instance. */
      refundId: string | null;
      providerRefundId: string;
      providerPaymentId: string;
      amount: Money;
      outcome: RefundOutcome;
      /** When the provider says so. */
      at: Date;
      review: string;
    })
  /**
   * The amount of a payment that went back in all, our refunds among it (Stripe's
   * `charge.refunded`).
   */
  | (Reported & {
      kind: 'refunded_in_all';
      providerPaymentId: string;
      amount: Money;
      at: Date;
      review: string;
    })
  /** The payer disputes a payment: how that stands. `review` is for a payment that is not ours. */
  | (Reported & ToldDispute & { kind: 'dispute'; review: string })
  /** Money that the provider sends to the bank account of the seller, or takes from there. */
  | (Reported & {
      kind: 'payout';
      payoutId: string;
      /** As it arrives at the bank; below zero: the provider takes it from there. */
      amount: Money;
      /** The price of the payout itself. */
      fee: Money;
      /** Less all fees they sum to the amount; empty: it has none. Null: nobody says, so it is not booked. */
      lines: readonly StatedPayoutLine[] | null;
      /** `failed`: it came back to the provider, which tells of it as it was sent. */
      status: (typeof TOLD_PAYOUT_STATUSES)[number];
      /** The day on which it left the provider. */
      sentOn: IsoDate;
      /** The day on which the bank should have the money, if it was told. */
      arrivesOn: IsoDate | null;
      /** The text with which it comes to the bank, if told. */
      descriptor: string | null;
      /** Of one that failed: the provider's short code. */
      reason: string | null;
      /** When the provider says so. */
      at: Date;
      /** Why it is not booked, in our words; providers send none. */
      review?: string;
    })
  /** A mandate, as it stands when the provider is asked. */
  | (Reported & {
      kind: 'mandate';
      /** Our mandate id as the provider returned it; null when it carries none. */
      mandateId: string | null;
      providerMandateId: string;
      status: MandateStatus;
      /** In the provider's word, such as `sepa_core`. */
      scheme: string | null;
      /** The last characters of the bank account's number, if the provider shows them. */
      accountEnding: string | null;
      /** By which the customer knows it, such as from a bank statement. */
      reference: string | null;
      /** Of one that is over: the provider's short code. */
      reason: string | null;
      /** When the provider was asked: of two answers the later one counts. */
      at: Date;
    })
  /**
   * Verified, and of no effect: another type, still pending, failed. `review` says why a person has
   * to look: money was taken, or given back, that we cannot book. The currency is unknown, it has a
   * part of a minor unit, or a test payment came to a live gateway. Such an event is kept, never
   * dropped.
   */
  | (Reported & { kind: 'irrelevant'; review?: string; moved?: MovedMoney });

/**
 * Only the name of an object at the provider, which has to be asked what happened to it. Anybody may
 * send an unsigned name, so it tells nothing but that somebody should look.
 */
export interface NamedObject {
  kind: 'named';
  /** The provider's id or path of it, of a form that may go into an address. */
  objectId: string;
  /** Of the event that names it, where there is one. */
  eventId: string | null;
  eventType: string;
  /** When the provider says that it happened. */
  at: Date | null;
  /** The provider's short code of why, where only the event has it. */
  reason?: string | null;
  isSigned: boolean;
}

/** The id under which a further capture of a payment is a payment of its own. */
export function furtherCaptureId(providerPaymentId: string, captureReference: string): string {
  return `${providerPaymentId}/${captureReference}`;
}

/** Whether an id is of a payment, or of a further capture of it. */
export function isOfPayment(id: string, providerPaymentId: string): boolean {
  return id === providerPaymentId || id.startsWith(furtherCaptureId(providerPaymentId, ''));
}

/** The provider's own id of the payment that was captured. */
export function capturedPaymentId(id: string): string {
  return id.split('/')[0] ?? id;
}

export type PaidReport = Extract<ProviderReport, { kind: 'paid' }>;
export type RefundReport = Extract<ProviderReport, { kind: 'refund' }>;
export type ProcessingReport = Extract<ProviderReport, { kind: 'processing' }>;
export type FailedReport = Extract<ProviderReport, { kind: FailureKind }>;
export type MandateReport = Extract<ProviderReport, { kind: 'mandate' }>;
export type DisputeReport = Extract<ProviderReport, { kind: 'dispute' }>;
export type ProviderPayout = Extract<ProviderReport, { kind: 'payout' }>;
