import { z } from 'zod';
import type { MovedMoney, NamedObject, ProviderReport } from '../../payments/index.js';
import { Ascii, ofNoEffect, ownIdFrom, readJson, shaped } from '../signed-body.js';
import { disputeWord } from '../dispute-words.js';
import { MollieMoney, moneyOfMollie } from './mollie-amount.js';
import { mollieOutcome, MolliePayment, MollieRefund, PaymentId } from './mollie-api.js';

/** docs.mollie.com/reference/webhooks-new: `_embedded` is missing from a simple payload. */
const Event = z.object({
  id: Ascii,
  type: Ascii,
  entityId: z.unknown().optional(),
  _embedded: z.object({ entity: z.unknown().optional() }).nullish().catch(null),
});
type Event = z.infer<typeof Event>;
const AnyEvent = z.looseObject({ id: z.unknown().optional(), type: z.string() });
/** The entities of which something is made here. Of events about others no field is judged. */
const SUBJECTS: ReadonlySet<string> = new Set(['payment', 'refund', 'chargeback']);
/** Nobody has paid yet. */
const Unpaid = z.object({ status: z.literal('open') });
const Chargeback = z.object({
  id: Ascii,
  paymentId: PaymentId,
  amount: MollieMoney,
  reason: z.object({ code: Ascii }).nullish().catch(null),
  createdAt: z.iso.datetime({ offset: true }),
  reversedAt: z.iso.datetime({ offset: true }).nullish(),
});
/** As much of an object as can be told of money that we cannot book. */
const Anything = z.object({
  id: Ascii.nullish().catch(null),
  paymentId: PaymentId.nullish().catch(null),
  amount: MollieMoney.nullish().catch(null),
});

const OTHER_MODE = 'a test payment at a live gateway, or the reverse';
const WENT_BACK = 'money went back at Mollie of a payment or refund that is not known so here';
const CHARGED_BACK = 'a payment was charged back at Mollie that is not in the books';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
type Environment = 'live' | 'sandbox' | undefined;

/**
 * Reads a signed event.
 * @throws InvalidSignature when it is no event, or one that concerns us has another shape
 */
export function mollieEvent(
  rawBody: Buffer,
  environment: Environment,
): readonly (ProviderReport | NamedObject)[] {
  const any = readJson(rawBody, AnyEvent);
  const [subject = ''] = any.type.split('.');
  if (!SUBJECTS.has(subject)) return [ofNoEffect(any.id, any.type, rawBody)];
  const event = shaped(any, Event);
  const reported = { eventId: event.id, eventType: event.type, fingerprint: null };
  const entity = event._embedded?.entity;
  if (subject === 'payment') {
    if (entity === undefined) return [named(event)];
    if (Unpaid.safeParse(entity).success) return [ofNoEffect(event.id, event.type, rawBody)];
    return [paymentReport(reported, shaped(entity, MolliePayment), environment)];
  }
  if (subject === 'refund') return [refundReport(reported, entity ?? { id: event.entityId })];
  return [chargebackReport(reported, entity ?? { id: event.entityId })];
}

function named(event: Event): NamedObject {
  const objectId = shaped(event.entityId, PaymentId);
  const { id: eventId, type: eventType } = event;
  return { kind: 'named', objectId, eventId, eventType, at: null, isSigned: true };
}

/**
 * All that a payment tells of itself. Its states are the events, so that the same state is the same
 * event, however often it is looked up.
 */
export function lookedUp(payment: MolliePayment, environment: Environment): ProviderReport[] {
  const { refunds = [], chargebacks = [] } = payment._embedded ?? {};
  return [
    paymentReport(stateOf(payment.id, `payment.${payment.status}`), payment, environment),
    ...refunds.map((refund) => {
      const { data } = MollieRefund.safeParse(refund);
      const id = data?.id ?? `${payment.id}:refund`;
      return refundReport(stateOf(id, `refund.${data?.status ?? 'unknown'}`), refund);
    }),
    ...chargebacks.map((chargeback) => {
      const { data } = Chargeback.safeParse(chargeback);
      const id = data?.id ?? `${payment.id}:chargeback`;
      const state = data ? (data.reversedAt ? 'reversed' : 'received') : 'unknown';
      return chargebackReport(stateOf(id, `chargeback.${state}`), chargeback);
    }),
  ];
}

function stateOf(id: string, eventType: string): Reported {
  return { eventId: `${id}:${eventType}`, eventType, fingerprint: null };
}

function paymentReport(
  reported: Reported,
  payment: MolliePayment,
  environment: Environment,
): ProviderReport {
  const { id: providerPaymentId, status, createdAt } = payment;
  const linkId = ownIdFrom(payment.metadata?.payment_link_id);
  const link = { linkId, providerObjectId: providerPaymentId };
  if (status === 'open') return { ...reported, kind: 'irrelevant' };
  if (isOfOtherMode(payment, environment)) {
    if (status !== 'paid') return { ...reported, kind: 'irrelevant' };
    return toReview(reported, payment, 'in', OTHER_MODE);
  }
  if (status === 'pending' || status === 'authorized') {
    return { ...reported, kind: 'processing', ...link, at: new Date(createdAt) };
  }
  if (status === 'paid') {
    const amount = moneyOfMollie(payment.amount);
    if (!amount) return toReview(reported, payment, 'in', 'cannot book the amount of this payment');
    const paidAt = new Date(payment.paidAt ?? createdAt);
    return { ...reported, kind: 'paid', ...link, providerPaymentId, amount, fee: null, paidAt };
  }
  const at = payment.failedAt ?? payment.canceledAt ?? payment.expiredAt ?? createdAt;
  const reason = payment.details?.failureReason ?? status;
  const failed = { amount: null, reference: null, isFinal: true, at: new Date(at) };
  return { ...reported, kind: 'failed', ...link, providerPaymentId, reason, ...failed };
}

/** Mollie dates no state of a refund, so all are of one time, and the one that failed counts. */
function refundReport(reported: Reported, entity: unknown): ProviderReport {
  const { data: refund } = MollieRefund.safeParse(entity);
  const amount = refund && moneyOfMollie(refund.amount);
  if (!amount) return toReview(reported, entity, 'out', WENT_BACK);
  return {
    ...reported,
    kind: 'refund',
    refundId: ownIdFrom(refund.metadata?.refund_id),
    providerRefundId: refund.id,
    providerPaymentId: refund.paymentId,
    amount,
    outcome: mollieOutcome(refund),
    at: new Date(refund.createdAt),
    review: WENT_BACK,
  };
}

/** The money is gone at once, and only a reversal is told later: until then it is lost. */
function chargebackReport(reported: Reported, entity: unknown): ProviderReport {
  const { data: chargeback } = Chargeback.safeParse(entity);
  const amount = chargeback && moneyOfMollie(chargeback.amount);
  if (!amount) return toReview(reported, entity, 'out', CHARGED_BACK);
  const { reversedAt, createdAt } = chargeback;
  const word = disputeWord('mollie', reversedAt ? 'reversed' : 'received');
  return {
    ...reported,
    kind: 'dispute',
    disputeId: chargeback.id,
    providerPaymentId: chargeback.paymentId,
    status: word?.status ?? 'lost',
    amount,
    withdrawn: word?.withdrawnOf(amount) ?? null,
    fee: null,
    reason: chargeback.reason?.code ?? 'chargeback',
    evidenceDueBy: null,
    at: new Date(reversedAt ?? createdAt),
    review: CHARGED_BACK,
  };
}

/** With as much as is said of the money. */
function toReview(
  reported: Reported,
  entity: unknown,
  direction: MovedMoney['direction'],
  review: string,
): ProviderReport {
  const { data } = Anything.safeParse(entity);
  const moved: MovedMoney = {
    direction,
    reference: direction === 'out' ? (data?.id ?? null) : null,
    providerPaymentId: (direction === 'in' ? data?.id : data?.paymentId) ?? null,
    amount: (data?.amount && moneyOfMollie(data.amount)) ?? null,
  };
  return { ...reported, kind: 'irrelevant', review, moved };
}

function isOfOtherMode({ mode }: MolliePayment, environment: Environment): boolean {
  return (
    Boolean(environment) && mode !== undefined && (mode === 'live') !== (environment === 'live')
  );
}
