import { z } from 'zod';
import type { FailedReport, MovedMoney, ProviderReport } from '../../payments/index.js';
import { feeWithin } from '../provider-amount.js';
import { Ascii, ownIdFrom, shaped } from '../signed-body.js';
import { moneyOfStripe } from './stripe-amount.js';
import { stripeDispute } from './stripe-disputes.js';
import { Reference, stripeOutcome, StripeRefund } from './stripe-api.js';

export const StripeEvent = z.object({
  id: Ascii,
  type: Ascii,
  created: z.int().min(0).max(253_402_300_799),
  livemode: z.boolean().optional(),
  /** Of events about accounts that are connected to ours. */
  account: z.unknown().optional(),
  data: z.unknown().optional(),
});
type Event = z.infer<typeof StripeEvent>;
const Amount = z.int().min(0);
const CurrencyCode = z.string().regex(/^[a-z]{3,5}$/);
const Metadata = z.object({ payment_link_id: z.unknown().optional() }).nullish();
const Session = z.object({
  object: z.object({
    id: Ascii,
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    payment_intent: Reference.nullish(),
    amount_total: Amount.nullish(),
    currency: CurrencyCode.nullish(),
    metadata: Metadata,
  }),
});
/** Stripe's own events expand nothing, but an endpoint behind a relay may be sent more. */
const WithFee = z.object({
  balance_transaction: z.object({ fee: Amount, currency: CurrencyCode }),
});
const PaymentIntent = z.object({
  object: z.object({
    id: Ascii,
    amount_received: Amount,
    currency: CurrencyCode,
    metadata: Metadata,
    latest_charge: WithFee.nullish().catch(null),
  }),
});
const Code = Ascii.nullish().catch(null);
/** A PaymentIntent or a charge that brings no money, or brings it later. */
const Unpaid = z.object({
  object: z.object({
    id: Ascii,
    payment_intent: Reference.nullish().catch(null),
    metadata: Metadata.catch(null),
    cancellation_reason: Code,
    failure_code: Code,
    last_payment_error: z.object({ code: Code, decline_code: Code }).nullish().catch(null),
  }),
});
const Charge = z.object({
  object: z.object({
    amount_refunded: Amount,
    currency: CurrencyCode,
    payment_intent: Reference.nullish(),
  }),
});
const Refund = z.object({ object: StripeRefund });
/** As much of an object as can be told of money that we cannot book. */
const Anything = z.object({
  object: z.object({
    id: Ascii.nullish().catch(null),
    payment_intent: Reference.nullish().catch(null),
    amount: Amount.nullish().catch(null),
    currency: CurrencyCode.nullish().catch(null),
  }),
});

export const OTHER_MODE = 'a test payment at a live gateway, or the reverse';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
type Environment = 'live' | 'sandbox' | undefined;

/** Reads an event of Stripe. @throws InvalidSignature when its object has another shape */
export function stripeReport(event: Event, environment: Environment): ProviderReport {
  const { id: eventId, type: eventType } = event;
  const reported: Reported = { eventId, eventType, fingerprint: null };
  const report = reportOf(reported, event);
  // Events of no effect are let be, whatever their mode.
  const isOther = report.kind !== 'irrelevant' || report.moved !== undefined;
  if (!isOther || !isOfOtherMode(event, environment)) return report;
  return { ...reported, kind: 'irrelevant', review: OTHER_MODE };
}

function reportOf(reported: Reported, event: Event): ProviderReport {
  const at = new Date(event.created * 1000);
  switch (event.type) {
    case 'payment_intent.succeeded': {
      const { object } = shaped(event.data, PaymentIntent);
      const { id, amount_received: units, currency, metadata } = object;
      const paid = { id, session: null, units, currency, metadata };
      return withFee(taken(reported, at, paid), object.latest_charge);
    }
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return ofSession(reported, event, at);
    case 'checkout.session.async_payment_failed': {
      const { object } = shaped(event.data, Session);
      const failed = { reason: 'async_payment_failed', isFinal: true };
      const of = { link: object.metadata, session: object.id, intent: object.payment_intent };
      return unpaid(reported, at, of, failed);
    }
    case 'payment_intent.processing': {
      const { object } = shaped(event.data, Unpaid);
      const linkId = ownIdFrom(object.metadata?.payment_link_id);
      return { ...reported, kind: 'processing', linkId, providerObjectId: null, at };
    }
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'charge.failed':
      return ofFailure(reported, event, at);
    default:
      return ofMoneyBack(reported, event, at);
  }
}

function ofSession(reported: Reported, event: Event, at: Date): ProviderReport {
  const { object } = shaped(event.data, Session);
  const { id: session, payment_intent: id, amount_total: units, currency, metadata } = object;
  // A bank debit completes its session unpaid; `async_payment_succeeded` follows days later.
  if (object.payment_status === 'unpaid') {
    const linkId = ownIdFrom(metadata?.payment_link_id);
    return { ...reported, kind: 'processing', linkId, providerObjectId: session, at };
  }
  if (!units && !id) return { ...reported, kind: 'irrelevant' };
  if (!units || !id || !currency) {
    const review = 'a paid session without PaymentIntent, amount or currency';
    return toReview(reported, event, 'in', review);
  }
  return taken(reported, at, { id, session, units, currency, metadata });
}

/** A card that is declined is tried again on the same page; a debit may fail after it was paid. */
function ofFailure(reported: Reported, event: Event, at: Date): ProviderReport {
  const { object } = shaped(event.data, Unpaid);
  const isCharge = event.type.startsWith('charge.');
  // A charge without a PaymentIntent was not made by our checkout.
  if (isCharge && !object.payment_intent) return { ...reported, kind: 'irrelevant' };
  const { last_payment_error: error } = object;
  const codes = [error?.decline_code, error?.code, object.failure_code, object.cancellation_reason];
  const reason = codes.find((code) => code) ?? 'failed';
  const intent = isCharge ? object.payment_intent : object.id;
  const of = { link: object.metadata, session: null, intent };
  return unpaid(reported, at, of, { reason, isFinal: event.type === 'payment_intent.canceled' });
}

function unpaid(
  reported: Reported,
  at: Date,
  of: {
    link: z.infer<typeof Metadata>;
    session: string | null;
    intent: string | null | undefined;
  },
  failed: Pick<FailedReport, 'reason' | 'isFinal'>,
): ProviderReport {
  return {
    ...reported,
    kind: 'failed',
    linkId: ownIdFrom(of.link?.payment_link_id),
    providerObjectId: of.session,
    providerPaymentId: of.intent ?? null,
    amount: null,
    reference: null,
    at,
    ...failed,
  };
}

function taken(
  reported: Reported,
  paidAt: Date,
  of: {
    id: string;
    session: string | null;
    units: number;
    currency: string;
    metadata: z.infer<typeof Metadata>;
  },
): ProviderReport {
  const { id: providerPaymentId, session: providerObjectId, units, currency, metadata } = of;
  const amount = moneyOfStripe(units, currency);
  if (!amount) {
    const moved = { direction: 'in', reference: null, providerPaymentId, amount: null } as const;
    const review = `cannot book ${units} units of ${currency}`;
    return { ...reported, kind: 'irrelevant', review, moved };
  }
  const linkId = ownIdFrom(metadata?.payment_link_id);
  const paid = { linkId, providerObjectId, providerPaymentId, amount, fee: null };
  return { ...reported, kind: 'paid', paidAt, ...paid };
}

/**
 * One refund (`refund.*`, `charge.refund.updated`), how much of a charge in all, or a dispute. An
 * event that we cannot read is left to a person: to refuse it would lose it.
 */
function ofMoneyBack(reported: Reported, event: Event, at: Date): ProviderReport {
  const { type } = event;
  if (type.startsWith('charge.dispute.')) {
    const review = 'a payment was disputed at Stripe that is not in the books';
    return stripeDispute(reported, event) ?? toReview(reported, event, 'out', review);
  }
  if (!/^(refund\.|charge\.refund\.|charge\.refunded$)/.test(type)) {
    return { ...reported, kind: 'irrelevant' };
  }
  const review = `money went back at Stripe (${type}) of a payment or refund that is not known so here`;
  if (type === 'charge.refunded') {
    const charge = Charge.safeParse(event.data).data?.object;
    const amount = charge && moneyOfStripe(charge.amount_refunded, charge.currency);
    if (!amount || !charge.payment_intent) return toReview(reported, event, 'out', review);
    const whole = { providerPaymentId: charge.payment_intent, amount, at, review };
    return { ...reported, kind: 'refunded_in_all', ...whole };
  }
  const refund = Refund.safeParse(event.data).data?.object;
  const amount = refund && moneyOfStripe(refund.amount, refund.currency);
  if (!amount || !refund.payment_intent) return toReview(reported, event, 'out', review);
  return {
    ...reported,
    kind: 'refund',
    refundId: ownIdFrom(refund.metadata?.refund_id),
    providerRefundId: refund.id,
    providerPaymentId: refund.payment_intent,
    amount,
    outcome: stripeOutcome(refund),
    at,
    review,
  };
}

/** With as much as the event says of the money. */
function toReview(
  reported: Reported,
  event: Event,
  direction: MovedMoney['direction'],
  review: string,
): ProviderReport {
  const object = Anything.safeParse(event.data).data?.object;
  const { amount: units, currency } = object ?? {};
  const moved: MovedMoney = {
    direction,
    reference: object?.id ?? null,
    providerPaymentId: object?.payment_intent ?? null,
    amount: (units && currency && moneyOfStripe(units, currency)) || null,
  };
  return { ...reported, kind: 'irrelevant', review, moved };
}

export function isOfOtherMode(
  { livemode }: Pick<Event, 'livemode'>,
  environment: Environment,
): boolean {
  return Boolean(environment) && livemode !== undefined && livemode !== (environment === 'live');
}

function withFee(
  report: ProviderReport,
  charge: z.infer<typeof WithFee> | null | undefined,
): ProviderReport {
  if (report.kind !== 'paid' || !charge) return report;
  const { fee, currency } = charge.balance_transaction;
  return { ...report, fee: feeWithin(report.amount, moneyOfStripe(fee, currency)) };
}
