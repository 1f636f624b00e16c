import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { ToldDispute } from './dispute.js';
import type { PaymentMethod } from './payment-method.js';

/** A request to a provider to collect money. */
export interface CheckoutRequest {
  /** Our public link id, `plink_...`; travels to the provider and comes back in its webhook. */
  linkId: string;
  amount: Money;
  /** One line a payer recognises, such as `Invoice INV-2026-00001`. */
  description: string;
  /** The page to which the provider sends the payer's browser afterwards. */
  returnUrl: string;
  expiresAt: Date;
}

/** A request to a provider to give money back, or to tell what became of it. */
export interface RefundRequest {
  /**
   * Our public refund id, `rfnd_...`. It is the provider's idempotency key, and kept with the
   * refund there, so that it is found again when the answer was lost.
   */
  refundId: string;
  /** The provider's id of the payment that is given back, whole or in part. */
  providerPaymentId: string;
  amount: Money;
  /** The provider's id of the refund, once it has told us. */
  providerRefundId: string | null;
  /** False: made in the provider's dashboard, without our id; it is looked up, and never sent. */
  isOurs: boolean;
}

/**
 * The provider's answer about a refund. An answer that did not come is no outcome: it is thrown.
 */
export type RefundOutcome =
  | { status: 'succeeded'; providerRefundId: string }
  /** Accepted, and on its way: some banks take days. */
  | { status: 'pending'; providerRefundId: string | null }
  /** Refused, or given up: no money moves. `reason` is the provider's short code. */
  | { status: 'failed'; reason: string };

/** `not_found`: the provider lists the payment's refunds, and ours is not among them. */
export type RefundFound = RefundOutcome | { status: 'not_found' };

/**
 * The page to which the payer goes. `providerObjectId` is the provider's name of it (session,
 * order).
 */
export interface Checkout {
  url: string | null;
  providerObjectId: string | null;
}

/** One webhook call as it arrived: the exact bytes are what is verified. */
export interface Delivery {
  rawBody: Buffer;
  /** Lower-case names, as Node gives them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The accounts whose money a gateway collects: these, all there are, or nobody said. */
export type GatewayAccounts = ReadonlySet<Uuid> | 'all' | 'unsaid';

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
      /** Null: all of it. */
      amount: Money | null;
      /** The provider's id of the reversal, where one payment can have several. */
      reference: string | null;
      /** The provider's short code. */
      reason: string;
      /** When the provider says that it happened. */
      at: Date;
      /** False where the payer may try again on the same page, such as after a declined card. */
      isFinal: boolean;
    })
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
  isSigned: boolean;
}

export type PaidReport = Extract<ProviderReport, { kind: 'paid' }>;
export type RefundReport = Extract<ProviderReport, { kind: 'refund' }>;
export type ProcessingReport = Extract<ProviderReport, { kind: 'processing' }>;
export type FailedReport = Extract<ProviderReport, { kind: FailureKind }>;
export type DisputeReport = Extract<ProviderReport, { kind: 'dispute' }>;

/**
 * A named, configured instance of a payment provider; its name is the path segment of its webhook.
 * A provider is one file beside this port's implementations; see docs/gateways.md.
 */
export abstract class Gateway {
  abstract readonly name: string;
  abstract readonly provider: string;
  /** How money that comes through it is booked. */
  abstract readonly method: PaymentMethod;
  /** The name that payers know; null is its own. */
  readonly title: string | null = null;

  /** False without the API key that a refund needs: money then goes back by hand only. */
  abstract readonly canRefund: boolean;
  /** False where its links have no address. A key of the API makes pay pages and refunds alike. */
  get canCheckout(): boolean {
    return this.canRefund;
  }

  /** The accounts that may use it: the money of others must not get there. */
  abstract readonly accounts: GatewayAccounts;

  /** @param isOnlyAccount there is no other: what nobody gave to an account is then its own */
  isOf(accountId: Uuid, isOnlyAccount: boolean): boolean {
    if (this.accounts === 'unsaid') return isOnlyAccount;
    return this.accounts === 'all' || this.accounts.has(accountId);
  }

  /**
   * Makes the provider's pay page. Without an API key nothing is called: the link and its id
   * exist, ready to be paid.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not answer
   * @throws DomainError `conflict` / `gateway_refused` when it answers no, or cannot take the amount
   */
  abstract createCheckout(request: CheckoutRequest): Promise<Checkout>;

  /**
   * Verifies the raw bytes. Returns only when they are the provider's.
   * @throws InvalidSignature for every cause alike
   * @throws DomainError `unavailable` when it cannot be decided now
   */
  abstract verify(delivery: Delivery): Promise<void>;

  /**
   * Reads a verified delivery: all that it reports, in its order. Pure: no network, no database.
   * Each report has an event id of its own. Nothing that concerns us is an empty list.
   * @throws InvalidSignature when the verified bytes are not what the provider sends
   */
  abstract parse(delivery: Delivery): readonly (ProviderReport | NamedObject)[];

  /**
   * Asks the provider about an object that a delivery only named. An id that is unknown there is an
   * empty list, if its name was unsigned.
   * @throws DomainError `unavailable` / `gateway_key_missing` without an API key
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not answer, or
   *   too much is looked up already
   */
  async lookUp(named: NamedObject): Promise<readonly ProviderReport[]> {
    throw new Error(`${this.provider} never only names an object, as ${named.eventType} does`);
  }

  /**
   * Asks the provider's API whether the report is true, or captures an approved payment.
   * Without an API key the report is returned as it is, `unconfirmed` where that matters.
   * @throws DomainError `unavailable` when the provider does not answer
   * @throws InvalidSignature when the provider denies the report
   */
  abstract confirm(report: ProviderReport): Promise<ProviderReport>;

  /**
   * Gives money back, once for a refund id, however often it is asked. Only a clear no is `failed`.
   * @throws DomainError `unavailable` / `gateway_unavailable` when it cannot be known what happened
   */
  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  /**
   * Asks what became of a refund; by its provider's id, or else among the payment's refunds.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  abstract lookUpRefund(request: RefundRequest): Promise<RefundFound>;

  /** A paid event as the provider would send it for this link, really signed: tests and demos. */
  abstract samplePaidDelivery(link: { id: string; amount: Money }, now: Date): SampleDelivery;

  /** Another event of a payment, where the gateway can play it, as the sandbox does. */
  sampleEventDelivery(
    _event: SampleEvent,
    _of: { linkId: string; paymentId: string; amount: Money },
    _now: Date,
  ): SampleDelivery | undefined {
    return undefined;
  }
}

/** The later events of a payment that a gateway may play for demos. */
export const SAMPLE_EVENTS = [
  ...(['processing', 'failed', 'reversed'] as const),
  ...(['dispute.inquiry', 'dispute.opened', 'dispute.won', 'dispute.lost'] as const),
] as const;
export type SampleEvent = (typeof SAMPLE_EVENTS)[number];

/** Body and headers to POST to the gateway's webhook. */
export interface SampleDelivery {
  body: string;
  headers: Record<string, string>;
}

/** Missing, wrong, stale or forged: one error for all causes, so that a caller learns nothing. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
  constructor(
    /** For our log only, never for the answer. */
    readonly reason: string,
  ) {
    super(`invalid signature: ${reason}`);
  }
}
