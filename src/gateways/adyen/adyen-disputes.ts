import { Money } from '../../kernel/money.js';
import type { DisputeReport } from '../../payments/index.js';
import type { AdyenItem } from './adyen-items.js';

/** A step of a dispute. `takes`: whether Adyen has the money with it; null: it does not say. */
interface Step {
  status: DisputeReport['status'];
  takes: boolean | null;
}

/**
 * docs.adyen.com/risk-management/disputes-api/dispute-notifications, in the order of a dispute's life.
 * A chargeback takes the money at once. Of one that cannot be defended nothing is told later, so it
 * is lost until it is reversed.
 */
const STEPS = new Map<string, Step>([
  ['REQUEST_FOR_INFORMATION', { status: 'inquiry', takes: false }],
  ['NOTIFICATION_OF_CHARGEBACK', { status: 'open', takes: false }],
  ['CHARGEBACK', { status: 'lost', takes: true }],
  ['CHARGEBACK_REVERSED', { status: 'won', takes: false }],
  ['PREARBITRATION_OPEN', { status: 'open', takes: null }],
  ['SECOND_CHARGEBACK', { status: 'lost', takes: true }],
  ['PREARBITRATION_LOST', { status: 'lost', takes: true }],
  ['PREARBITRATION_WON', { status: 'won', takes: false }],
]);
const ORDER = [...STEPS.keys()];
/** The signature does not cover it, so it is only shown. */
const REASON = /^[\x21-\x7e]{1,64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

export function isDisputeStep({ eventCode }: Pick<AdyenItem, 'eventCode'>): boolean {
  return STEPS.has(eventCode);
}

/**
 * All events of a dispute have its PSP reference. Undefined where the payment's is missing: then the
 * reference may be the payment's own, and nothing tells one dispute of it from another.
 */
export function adyenDispute(
  told: Pick<DisputeReport, 'eventId' | 'eventType' | 'fingerprint' | 'amount' | 'at' | 'review'>,
  { eventCode, pspReference, originalReference, additionalData }: AdyenItem,
): DisputeReport | undefined {
  const step = STEPS.get(eventCode);
  if (!step || originalReference === '') return undefined;
  const { amount, at } = told;
  const { chargebackReasonCode: code, defensePeriodEndsAt: dueBy } = additionalData ?? {};
  const reason = typeof code === 'string' ? code.trim() : '';
  const taken = step.takes ? amount : Money.zero(amount.currency);
  return {
    ...told,
    kind: 'dispute',
    disputeId: pspReference,
    providerPaymentId: originalReference,
    status: step.status,
    withdrawn: step.takes === null ? null : taken,
    fee: null,
    reason: REASON.test(reason) ? reason : 'chargeback',
    evidenceDueBy: adyenInstant(dueBy) ?? null,
    // Several are said in one second, and the later step counts.
    at: new Date(at.getTime() + ORDER.indexOf(eventCode)),
  };
}

/** Undefined for anything but an instant as Adyen writes it. */
export function adyenInstant(text: unknown): Date | undefined {
  const instant = new Date(typeof text === 'string' && INSTANT.test(text) ? text : Number.NaN);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
