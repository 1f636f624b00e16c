import { randomBytes } from 'node:crypto';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Checkout, CheckoutRequest, PlacedCheckout } from './checkout.js';
import type { DirectDebits } from './mandates/direct-debits.js';
import type { GatewayCheck } from './gateway-check.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import type { NamedObject, ProviderReport } from './provider-report.js';
import type { RefundFound, RefundOutcome, RefundRequest } from './refund-request.js';

/** One webhook call as it arrived: the exact bytes are what is verified. */
export interface Delivery {
  rawBody: Buffer;
  /** Lower-case names, as Node gives them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The status, and the body of an accepted delivery; null is no body. */
export interface DeliveryAnswers {
  accepted?: { status: number; text: string | null };
  /** The status of a signature that is refused. */
  refused?: number;
}

/** The accounts whose money a gateway collects: these, all there are, those made for trying, or nobody said. */
export type GatewayAccounts = ReadonlySet<Uuid> | 'all' | 'tests' | 'unsaid';

/** An account, as far as a gateway has to know it. */
export interface GatewayHolder {
  accountId: Uuid;
  /** There is no other: what nobody gave to an account is then its own. */
  isOnlyAccount: boolean;
  /** It was made for trying. */
  isTest: boolean;
}

/**
 * A named, configured instance of a payment provider; its name is the path segment of its webhook.
 * A provider is one file beside this port's implementations; see docs/gateways.md.
 */
export abstract class Gateway {
  declare readonly name: string;
  abstract readonly provider: string;
  /** The method under which its money is booked. */
  abstract readonly method: PaymentMethod;
  /** The name that payers know; null is its own. */
  readonly title: string | null = null;

  /** False without the API key that a refund needs: money then goes back by hand only. */
  abstract readonly canRefund: boolean;
  /** False where its links have no address. A key of the API makes pay pages and refunds alike. */
  get canCheckout(): boolean {
    return this.canRefund;
  }

  /** Answers to deliveries in the provider's own words, where it wants others than ours. */
  readonly answers: DeliveryAnswers = {};

  /** The accounts that may use it: the money of others must not get there. */
  declare readonly accounts: GatewayAccounts;

  /** @param opened absent where the provider's class sets its name and accounts itself */
  constructor(opened?: Pick<Gateway, 'name' | 'accounts'>) {
    if (!opened) return;
    this.name = opened.name;
    this.accounts = opened.accounts;
  }

  /** True where its money is made up: whomever it is given to, it serves accounts made for trying. */
  get isForTests(): boolean {
    return this.accounts === 'tests';
  }

  isOf({ accountId, isOnlyAccount, isTest }: GatewayHolder): boolean {
    if (this.isForTests && !isTest) return false;
    if (this.accounts === 'unsaid') return isOnlyAccount;
    return typeof this.accounts === 'string' || this.accounts.has(accountId);
  }

  /**
   * Makes the provider's pay page. Without an API key nothing is called: the link and its id
   * exist, ready to be paid.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not answer
   * @throws DomainError `conflict` / `gateway_refused` when it answers no, or cannot take the amount
   */
  abstract createCheckout(request: CheckoutRequest): Promise<Checkout>;

  /**
   * Closes a pay page, so that nobody pays there any more. A page that is paid, closed or gone
   * already stays as it is. A provider that cannot close pages does nothing.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  async cancelCheckout(_page: PlacedCheckout): Promise<void> {}

  /** Whether a pay page can be asked about now: the provider tells, and we have a key. */
  get tellsCheckouts(): boolean {
    return false;
  }

  /**
   * All that the provider tells of a pay page: of its payment, and what became of that. Its states
   * are the events, so the same state is the same event however often it is asked. A page without
   * news is an empty list.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  async lookUpCheckout(_page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    return [];
  }

  /**
   * All payments of links that the provider took from one instant to before another, page by page, as
   * `lookUpCheckout` tells them. Undefined where it has no such list, or we have no key.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  paymentsBetween(_from: Date, _to: Date): AsyncIterable<readonly ProviderReport[]> | undefined {
    return undefined;
  }

  /** The mandates that the provider keeps. Undefined where it keeps none, or we have no key. */
  get directDebits(): DirectDebits | undefined {
    return undefined;
  }

  /**
   * All payouts that left the provider from one instant to before another, with their lines, page by
   * page. Undefined where it has no such list, or we have no key.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  payoutsBetween(_from: Date, _to: Date): AsyncIterable<readonly ProviderReport[]> | undefined {
    return undefined;
  }

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
   * Without an API key the report is returned as it is, `unconfirmed` where that matters. So it is
   * where nobody has to be asked: each field that counts was signed, or is the provider's answer.
   * @throws DomainError `unavailable` when the provider does not answer
   * @throws InvalidSignature when the provider denies the report
   */
  async confirm(report: ProviderReport): Promise<ProviderReport> {
    return report;
  }

  /**
   * Gives money back, once for a refund id, however often it is asked. Only a clear no is `failed`.
   * @throws DomainError `unavailable` / `gateway_unavailable` when it cannot be known what happened
   */
  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  /**
   * False where only events tell what becomes of a refund. One that was accepted then waits for them,
   * and is never looked up.
   */
  readonly tellsRefunds: boolean = true;

  /** How long a refund that cannot be looked up is surely the same one when it is sent again. */
  readonly refundKeyHours: number = 0;

  /**
   * Asks what became of a refund; by its provider's id, or else among the payment's refunds. It is
   * pending until an event tells more, if nobody can be asked.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  async lookUpRefund({ providerRefundId }: RefundRequest): Promise<RefundFound> {
    return { status: 'pending', providerRefundId };
  }

  /**
   * All refunds of a payment, as events would tell of each. Null where nobody can be asked.
   * @throws DomainError `unavailable` / `gateway_unavailable` when the provider does not say
   */
  async refundsOf(_providerPaymentId: string): Promise<readonly ProviderReport[] | null> {
    return null;
  }

  /**
   * Asks the provider by cheap reads whether the credentials work, the events are subscribed and the
   * clocks agree. An answer that does not come is a check, too: nothing is thrown for it.
   */
  async check(): Promise<readonly GatewayCheck[]> {
    return [];
  }

  /** A paid event as the provider would send it for this link, really signed: tests and demos. */
  samplePaidDelivery(link: { id: string; amount: Money }, now: Date): SampleDelivery {
    const of = { linkId: link.id, paymentId: this.samplePaymentId(), amount: link.amount };
    const sample = this.sampleEventDelivery('paid', of, now);
    if (!sample) throw new Error(`${this.provider} has no sample of what is paid`);
    return sample;
  }

  /** A new id in the form of the provider's payments. */
  protected samplePaymentId(): string {
    return `pay_${randomBytes(12).toString('hex')}`;
  }

  /**
   * Any event of a payment, or of the payout that it is in, really signed; undefined for what the
   * provider does not tell.
   */
  sampleEventDelivery(_event: SampleEvent, _of: SampleOf, _now: Date): SampleDelivery | undefined {
    return undefined;
  }

  /** A sentence for whoever plays events of payouts; null: they are as plain as those of payments. */
  readonly payoutNote: string | null = null;
}

/** All of a payment goes to the bank, and comes back from there. */
const PAYOUT_SAMPLES = ['payout', 'payout_failed'] as const;
export type PayoutSample = (typeof PAYOUT_SAMPLES)[number];

/** The events of a payment that a gateway may play for tests and demos. */
export const SAMPLE_EVENTS = [
  ...(['processing', 'paid', 'failed', 'refunded', 'reversed'] as const),
  ...(['dispute.inquiry', 'dispute.opened', 'dispute.won', 'dispute.lost'] as const),
  ...PAYOUT_SAMPLES,
] as const;
export type SampleEvent = (typeof SAMPLE_EVENTS)[number];

export function isPayoutSample(event: SampleEvent): event is PayoutSample {
  return PAYOUT_SAMPLES.some((one) => one === event);
}

/** The payment, as its provider names it, and the amount that the event is about. */
export interface SampleOf {
  /** Our public link id. */
  linkId: string;
  paymentId: string;
  amount: Money;
}

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
