import type { FailedReport, MovedMoney, ProviderReport } from '../../payments/index.js';
import { ofNoEffect, ownIdFrom } from '../signed-body.js';
import { moneyOfAdyen } from './adyen-amount.js';
import type { AdyenLink } from './adyen-api.js';
import { adyenDispute, adyenInstant, isDisputeStep } from './adyen-disputes.js';
import { letBe } from './adyen-elsewhere.js';
import {
  type AdyenItem,
  adyenItems,
  amountOf,
  readItem,
  adyenReferenceOf,
  type SignedItem,
} from './adyen-items.js';

/** The part of the settings that says how events are read. */
export interface AdyenReading {
  merchantAccount: string;
  environment: 'live' | 'sandbox' | undefined;
  capture: 'auto' | 'manual';
}

interface Told {
  item: AdyenItem;
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
  isDone: boolean;
  linkId: string | null;
  at: Date;
  capture: AdyenReading['capture'];
}

const OTHER_MODE = 'a test payment at a live gateway, or the reverse';
const OTHER_ACCOUNT = 'a payment link of ours was used in another merchant account of Adyen';
const WENT_BACK = 'money went back at Adyen of a payment or refund that is not known so here';
const DISPUTED = 'a payment was disputed at Adyen that is not in the books';
const NOT_CAPTURED =
  'Adyen refused to capture a payment: its money does not come until it is captured';
const UNREADABLE = 'an event of a payment came from Adyen whose fields are not of its form';
const NO_REFUNDS: ReadonlySet<string> = new Set(['REFUND_FAILED', 'REFUNDED_REVERSED']);

/**
 * Reads verified items, one report each. The signature leaves out all but eight fields; the rest,
 * such as time and reason, is shown, and decides about no money.
 * @throws InvalidSignature when it is no standard webhook
 */
export function adyenReports(rawBody: Buffer, reading: AdyenReading, now: Date): ProviderReport[] {
  const { live, items } = adyenItems(rawBody);
  const { environment, merchantAccount, capture } = reading;
  const wanted = environment === 'live' ? 'true' : 'false';
  const isOtherMode = environment !== undefined && live !== wanted;
  return items.map((signed) => {
    const item = readItem(signed);
    const report = item ? reportOf(toldBy(item, capture, now)) : unreadable(signed);
    const isOther = signed.merchantAccountCode !== merchantAccount;
    if (isOther) {
      // A webhook of the whole company tells of all its accounts.
      const review = /^(?:plink|rfnd)_/.test(signed.merchantReference) ? OTHER_ACCOUNT : undefined;
      return letBe(report, 'other_account', review);
    }
    return isOtherMode ? letBe(report, 'other_mode', OTHER_MODE) : report;
  });
}

/**
 * A link does not name its payment, so one that is completed is on its way until an event tells it:
 * an id of our own would book it twice.
 */
export function lookedUpLink(link: AdyenLink, linkId: string, now: Date): ProviderReport[] {
  const { id, status, updatedAt } = link;
  if (status === 'active') return [];
  const eventType = `paymentLink.${status}`;
  const reported = { eventId: `${id}:${status}`, eventType, fingerprint: null };
  const at = updatedAt === null || updatedAt === undefined ? now : new Date(updatedAt);
  const of = { ...reported, linkId, providerObjectId: id, at };
  if (status !== 'expired') return [{ ...of, kind: 'processing' }];
  const failed = { amount: null, reference: null, reason: status, isFinal: true };
  return [{ ...of, kind: 'failed', providerPaymentId: null, ...failed }];
}

/**
 * An event has no id of its own, so it is made of signed fields: another amount is another event. A
 * time to come is now, or it would count for ever.
 */
function toldBy(item: AdyenItem, capture: Told['capture'], now: Date): Told {
  const { pspReference, eventCode, success, amount, merchantReference, eventDate } = item;
  const eventId = `${pspReference}:${eventCode}:${success}:${amount.value}:${amount.currency}`;
  const date = adyenInstant(eventDate) ?? now;
  return {
    item,
    reported: { eventId, eventType: eventCode, fingerprint: null },
    isDone: success === 'true',
    linkId: merchantReference.startsWith('plink_') ? ownIdFrom(merchantReference) : null,
    at: date > now ? now : date,
    capture,
  };
}

/** The reader of each event that has an effect here, beside those of disputes. */
const READERS: ReadonlyMap<string, (told: Told) => ProviderReport> = new Map([
  ['AUTHORISATION', authorised],
  ['PENDING', (told) => (told.isDone ? processing(told) : untold(told))],
  ['CAPTURE', captured],
  [
    'CAPTURE_FAILED',
    (told) =>
      told.isDone
        ? takenBack(told, moneyOfAdyen(told.item.amount))
        : toReview(told, 'out', NOT_CAPTURED),
  ],
  ['CANCELLATION', canceled],
  ['TECHNICAL_CANCEL', canceled],
  [
    'EXPIRE',
    // Only the part that was not captured: a payment that is in the books stays.
    (told) =>
      told.capture === 'manual' ? unpaid(told, NEVER_PAID) : toReview(told, 'out', NOT_CAPTURED),
  ],
  ['OFFER_CLOSED', (told) => unpaid(told, { providerPaymentId: null, isFinal: false })],
  ['REFUND', refunded],
  ['POSTPONED_REFUND', refunded],
  ['REFUND_FAILED', refunded],
  ['REFUNDED_REVERSED', refunded],
  // They move money, and not even say of which kind that is, or only unsigned.
  ['CANCEL_OR_REFUND', unclear],
  ['REFUND_WITH_DATA', unclear],
  ['VOID_PENDING_REFUND', unclear],
  ['PREARBITRATION_ACCEPTED', (told) => toReview(told, 'out', DISPUTED)],
  ['PREARBITRATION_DECLINED', (told) => toReview(told, 'out', DISPUTED)],
  ['PREARBITRATION_ISSUER_WITHDRAWN', (told) => toReview(told, 'out', DISPUTED)],
]);
/** Of these no money has moved. */
const WITHOUT_MONEY: ReadonlySet<string> = new Set(['PENDING', 'OFFER_CLOSED']);

/** Whether anything is made of it: only then its fields are judged. */
export function isActedOn({ eventCode }: Pick<AdyenItem, 'eventCode'>): boolean {
  return READERS.has(eventCode) || isDisputeStep({ eventCode });
}

function reportOf(told: Told): ProviderReport {
  const { item } = told;
  if (isDisputeStep(item)) return disputed(told);
  return READERS.get(item.eventCode)?.(told) ?? untold(told);
}

/** An item of another form is let be if its event has no effect here; any other is for a person. */
function unreadable(item: SignedItem): ProviderReport {
  const { eventCode, success, pspReference, originalReference, amount } = item;
  const { merchantAccountCode, merchantReference } = item;
  const names = [pspReference, originalReference, merchantAccountCode, merchantReference];
  const content = JSON.stringify([...names, amount, eventCode, success]);
  const report = ofNoEffect(null, eventCode, content);
  const isTry = eventCode === 'AUTHORISATION' && success === 'false';
  if (!isActedOn(item) || WITHOUT_MONEY.has(eventCode) || isTry) return report;
  const isIn = eventCode === 'AUTHORISATION' || eventCode === 'CAPTURE';
  const said = amountOf(item);
  const payment = adyenReferenceOf(originalReference);
  const moved: MovedMoney = {
    direction: isIn ? 'in' : 'out',
    reference: isIn ? null : adyenReferenceOf(pspReference),
    providerPaymentId: payment ?? (isIn ? adyenReferenceOf(pspReference) : null),
    amount: (said && moneyOfAdyen(said)) ?? null,
  };
  return { ...report, review: UNREADABLE, moved };
}

function untold({ reported }: Told): ProviderReport {
  return { ...reported, kind: 'irrelevant' };
}

function authorised(told: Told): ProviderReport {
  const { item, isDone, capture } = told;
  if (!isDone) return unpaid(told, { providerPaymentId: item.pspReference, isFinal: false });
  return capture === 'manual' ? processing(told) : taken(told, item.pspReference);
}

function captured(told: Told): ProviderReport {
  const { item, isDone } = told;
  if (isDone) return taken(told, item.originalReference, item.pspReference);
  return toReview(told, 'in', NOT_CAPTURED);
}

function canceled(told: Told): ProviderReport {
  if (!told.isDone) return untold(told);
  // By hand, nothing is paid before it is captured; and it cannot be canceled after that.
  return told.capture === 'manual' ? unpaid(told, NEVER_PAID) : takenBack(told, null);
}

function unclear(told: Told): ProviderReport {
  return told.isDone ? toReview(told, 'out', WENT_BACK) : untold(told);
}

const NEVER_PAID = { providerPaymentId: null, isFinal: true } as const;

function processing({ reported, linkId, at }: Told): ProviderReport {
  return { ...reported, kind: 'processing', linkId, providerObjectId: null, at };
}

/** @param providerPaymentId of the payment, which a capture names as its original */
function taken(told: Told, providerPaymentId: string, captureReference?: string): ProviderReport {
  const { item, reported, linkId, at: paidAt } = told;
  // A card that is only checked.
  if (item.amount.value === 0) return { ...reported, kind: 'irrelevant' };
  const amount = moneyOfAdyen(item.amount);
  if (!amount || providerPaymentId === '') {
    return toReview(told, 'in', 'cannot book the amount of this payment');
  }
  const payment = { providerObjectId: null, providerPaymentId, amount, fee: null, paidAt };
  // Captured by itself, it is captured whole, and its authorisation may tell of it first.
  const isPart = captureReference !== undefined && told.capture === 'manual';
  const capture = isPart && { captureReference };
  return { ...reported, kind: 'paid', linkId, ...payment, ...capture };
}

function unpaid(
  { item, reported, linkId, at, isDone }: Told,
  { providerPaymentId, isFinal }: Pick<FailedReport, 'providerPaymentId' | 'isFinal'>,
): ProviderReport {
  const reason = reasonOf(item) ?? (isDone ? item.eventCode.toLowerCase() : 'refused');
  const of = { linkId, providerObjectId: null, providerPaymentId, amount: null, reference: null };
  return { ...reported, kind: 'failed', ...of, reason, at, isFinal };
}

/**
 * It counts whenever it is said: the order of two times that nobody signed would not do.
 * @param amount null: all of it; undefined: it cannot be said
 */
function takenBack(told: Told, amount: FailedReport['amount'] | undefined): ProviderReport {
  const { item, reported, linkId, at } = told;
  const { originalReference: providerPaymentId, pspReference: reference } = item;
  if (providerPaymentId === '' || amount === undefined) {
    return toReview(told, 'out', 'a payment did not come at Adyen that is not known so here');
  }
  const reason = reasonOf(item) ?? item.eventCode.toLowerCase();
  const of = { linkId, providerObjectId: null, providerPaymentId, amount, reference };
  return { ...reported, kind: 'unpaid_again', ...of, reason, at, isFinal: true };
}

function refunded(told: Told): ProviderReport {
  const { item, reported, isDone, at } = told;
  const { eventCode, merchantReference, pspReference: providerRefundId } = item;
  const amount = moneyOfAdyen(item.amount);
  const failure = NO_REFUNDS.has(eventCode) ? eventCode.toLowerCase() : null;
  const isUnclear = !isDone && eventCode !== 'REFUND';
  if (!amount || item.originalReference === '' || isUnclear)
    return toReview(told, 'out', WENT_BACK);
  const sent = eventCode === 'REFUND' ? ('succeeded' as const) : ('pending' as const);
  const reason = failure ?? reasonOf(item) ?? 'refused';
  return {
    ...reported,
    kind: 'refund',
    // In the dashboard it has the reference of its payment.
    refundId: merchantReference.startsWith('rfnd_') ? ownIdFrom(merchantReference) : null,
    providerRefundId,
    providerPaymentId: item.originalReference,
    amount,
    outcome:
      failure === null && isDone
        ? { status: sent, providerRefundId }
        : { status: 'failed', reason },
    at,
    review: WENT_BACK,
  };
}

function disputed(told: Told): ProviderReport {
  const { item, reported, isDone, at } = told;
  const amount = isDone ? moneyOfAdyen(item.amount) : undefined;
  const dispute = amount && adyenDispute({ ...reported, amount, at, review: DISPUTED }, item);
  return dispute ?? toReview(told, 'out', DISPUTED);
}

/** Keeps an item for a person, with all that it says of the money. */
function toReview(
  { item, reported }: Told,
  direction: MovedMoney['direction'],
  review: string,
): ProviderReport {
  const { pspReference, originalReference } = item;
  const moved: MovedMoney = {
    direction,
    reference: direction === 'out' ? pspReference : null,
    providerPaymentId: originalReference || (direction === 'in' ? pspReference : null),
    amount: moneyOfAdyen(item.amount) ?? null,
  };
  return { ...reported, kind: 'irrelevant', review, moved };
}

/** `Not enough balance` as `not_enough_balance`: unsigned words, as a short code. */
function reasonOf({ reason }: AdyenItem): string | null {
  if (typeof reason !== 'string' || reason.length > 200) return null;
  const words = reason.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('_').slice(0, 64) || null;
}
