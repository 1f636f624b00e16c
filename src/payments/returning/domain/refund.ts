import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Conversion, ForeignMoney } from '../../recording/domain/conversion.js';
import { type Payment, received } from '../../recording/domain/payment.js';
import type { Holding } from '../../recording/domain/holding.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import type { RefundMeaning, RefundNote } from './refunds/refund-meaning.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

/** `unknown`: the provider did not answer. It is asked again, never guessed. */
export const REFUND_STATUSES = ['pending', 'unknown', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** `returned`: the provider has the money back. `reversed`: it was recorded wrongly. */
export const REFUND_UNDOINGS = ['returned', 'reversed'] as const;
/** The statuses that are shown: one that succeeded, and is undone, says how. */
export const SHOWN_REFUND_STATUSES = [...REFUND_STATUSES, ...REFUND_UNDOINGS] as const;
export type ShownRefundStatus = (typeof SHOWN_REFUND_STATUSES)[number];

/** A fact of its own, since a refund that is settled never changes. */
export interface RefundUndoing {
  kind: (typeof REFUND_UNDOINGS)[number];
  /** The provider's short code, or what the client said. */
  reason: string | null;
  /** Null where the provider told of it. */
  clientId: Uuid | null;
  at: Date;
  /** The first open day, where its own is closed. */
  bookedOn: IsoDate | null;
}

/** The account of the ledger that the money leaves: our own, or what a provider holds for us. */
export const REFUND_ACCOUNTS = ['cash', 'gateway_clearing'] as const;
export type RefundAccount = (typeof REFUND_ACCOUNTS)[number];

/** A part that a document gives back, and that is due again. */
export interface RefundPart {
  documentId: Uuid;
  amount: Money;
}

/** The money that goes back: of a payment, or of a receipt that has no home. */
export type RefundOf =
  | { type: 'payment'; paymentId: Uuid; customerId: Uuid }
  | { type: 'receipt'; receiptId: Uuid };

/** Money on its way back to who paid it. Settled once, and then never changed. */
export interface Refund {
  id: Uuid;
  accountId: Uuid;
  of: RefundOf;
  amount: Money;
  /** The money that left, where that was in another currency. */
  conversion: Conversion | null;
  /** The part that the customer's credit gives. */
  fromCredit: Money;
  parts: readonly RefundPart[];
  /** Credit of the documents' credit notes, which is kept for it while it is on its way. */
  creditKept: Money;
  /** The part that nobody gives: the money was not here any more when the provider sent it back. */
  lost: Money;
  method: PaymentMethod;
  /** The gateway that gives it back; null by hand. */
  gateway: string | null;
  paidFrom: RefundAccount;
  /** The provider's id of the payment, where a gateway took it. */
  providerPaymentId: string | null;
  status: RefundStatus;
  providerRefundId: string | null;
  /** Why it failed: the provider's short code. */
  failure: string | null;
  reference: string | null;
  reason: string | null;
  /** Null: nobody asked for it here, and the gateway told of it first. */
  clientId: Uuid | null;
  requestedAt: Date;
  settledAt: Date | null;
  /** The first open day, where that of the refund is closed; once it has succeeded. */
  bookedOn: IsoDate | null;
  /** Times that the provider was asked what became of it. */
  attempts: number;
  nextLookAt: Date | null;
  undoing: RefundUndoing | null;
  /** Null where no document gives anything. */
  meaning: RefundMeaning | null;
  /** Also those that were voided. */
  notes: readonly RefundNote[];
}

/** The part that the payment or the receipt gives. */
export function coveredPart({ amount, lost }: Pick<Refund, 'amount' | 'lost'>): Money {
  return amount.minus(lost);
}

export function isSettled({ status }: Pick<Refund, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed';
}

const LONGEST_WAIT_MS = 3_600_000;
/** The provider is asked to give money back, and has not answered: its call may take this long. */
const CALL_MS = 30_000;

/**
 * When the provider is asked what became of it: first after the configured time, then after twice as
 * long each time, up to an hour.
 */
export function nextLook(now: Date, attempts: number, firstSeconds: number): Date {
  const wait = firstSeconds * 1000 * 2 ** Math.min(attempts, 12);
  return new Date(now.getTime() + Math.min(wait, LONGEST_WAIT_MS));
}

/** The same for one that is about to be sent: not while the call may be under way. */
export function firstLook(now: Date, firstSeconds: number): Date {
  return nextLook(now, 0, Math.max(firstSeconds, CALL_MS / 1000));
}

/** Nobody can give notes or a check in a provider's dashboard. */
const OVER_THE_COUNTER: ReadonlySet<PaymentMethod> = new Set(['cash', 'check']);

/**
 * The account that a refund by hand leaves. A refund that was made in the provider's dashboard, and
 * is only recorded here, leaves the money that the provider holds.
 */
export function paidByHand(
  method: PaymentMethod,
  isOfProvider: boolean,
  asked: RefundAccount | null,
): RefundAccount {
  if (asked === 'gateway_clearing' && !isOfProvider) {
    throw paidFromMismatch('No provider took this money; leave paid_from out, or send `cash`.');
  }
  if (asked !== null) return asked;
  return isOfProvider && !OVER_THE_COUNTER.has(method) ? 'gateway_clearing' : 'cash';
}

/** A provider pays out the currency that it holds; from `cash` any may leave. */
export function assertPayable(
  { gateway, paidFrom }: Pick<Refund, 'gateway' | 'paidFrom'>,
  paidOut: ForeignMoney | null,
  payment: Pick<Payment, 'amount' | 'conversion'>,
): void {
  const { currency: held } = received(payment);
  const { currency } = payment.amount;
  if (gateway !== null && held !== currency) {
    throw PaymentRefusal.payment_not_refundable.of(
      `${gateway} took ${held} for this payment in ${currency}: give it back in its dashboard and ` +
        'send the method and paid_out, or reverse the payment and refund its receipt.',
    );
  }
  if (gateway !== null && paidOut) {
    throw PaymentRefusal.conversion_not_possible.at(
      '/paid_out',
      `${gateway} gives back the money that it took; leave paid_out out.`,
    );
  }
  if (paidFrom === 'cash' || (paidOut?.currency ?? currency) === held) return;
  throw PaymentRefusal.currency_mismatch.at(
    '/paid_out',
    `The provider holds ${held}: send paid_out in ${held}, or paid_from \`cash\`.`,
    { currency: held },
  );
}

export function datedByGateway(gateway: string | null): DomainError {
  return PaymentRefusal.refund_dated_by_gateway.at(
    '/refunded_at',
    `${gateway} makes this refund, and says when; leave refunded_at out, or send the method by ` +
      'which you gave it back by hand.',
  );
}

export function paidFromMismatch(detail: string): DomainError {
  return PaymentRefusal.paid_from_mismatch.at('/paid_from', detail);
}

/** @param isCredited credit notes settled more, and the credit that they gave is spent */
export function exceedsRefundable(refundable: Money, isCredited = false): DomainError {
  const most = refundable.isPositive()
    ? `${refundable.minor} (${refundable}) can be refunded; send at most that.`
    : 'Nothing is left that could be refunded.';
  return PaymentRefusal.amount_exceeds_refundable.at(
    '/amount',
    isCredited
      ? `${most} Credit notes made credit of the rest, and that is spent: move it back to credit, ` +
          'or name a document in from, which is then due again.'
      : most,
    { amount_refundable: refundable.toMinorNumber(), currency: refundable.currency },
  );
}

/** The holding with the refund in it; with the sign -1 without one that failed or is undone. */
export function withRefund(holding: Holding, refund: Refund, sign: 1n | -1n): Holding {
  const signed = ({ minor, currency }: Money) => Money.of(sign * minor, currency);
  const rest = holding.rest.minus(holding.beyondRest).minus(signed(refund.fromCredit));
  const zero = Money.zero(rest.currency);
  return {
    ...holding,
    returned: holding.returned.plus(signed(coveredPart(refund))),
    allocations: holding.allocations.map((one) => {
      const part = refund.parts.find(({ documentId }) => documentId === one.documentId);
      return part ? { ...one, free: one.free.minus(signed(part.amount)) } : one;
    }),
    rest: rest.isNegative() ? zero : rest,
    beyondRest: rest.isNegative() ? rest.negated() : zero,
  };
}

/**
 * Only a person's own record can be wrong, or what its provider has no name for.
 * @throws DomainError 409 with what to do
 */
export function assertReversible({ gateway, clientId, undoing, providerRefundId }: Refund): void {
  if (undoing !== null) {
    throw PaymentRefusal.refund_undone.of(
      `This refund is ${undoing.kind} already; its money can be refunded again.`,
    );
  }
  if (gateway === null && providerRefundId !== null) {
    throw PaymentRefusal.refund_not_reversible.of(
      `The provider has told of this refund as ${providerRefundId}: the money went back. If it ` +
        'comes again, the provider tells that, too.',
    );
  }
  const isUnnamed = clientId === null && providerRefundId === null;
  if (gateway === null || isUnnamed) return;
  throw PaymentRefusal.refund_not_reversible.of(
    `${gateway} makes this refund: if the money comes back, it tells us, and the refund is ` +
      'returned. Record a new payment if the payer sent the money again.',
  );
}
