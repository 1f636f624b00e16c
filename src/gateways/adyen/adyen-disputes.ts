import type { DisputeReport } from '../../payments/index.js';
import { disputeWord, disputeWordsOf } from '../dispute-words.js';
import type { AdyenItem } from './adyen-items.js';

const ORDER = disputeWordsOf('adyen');
/** The signature does not cover it, so it is only shown. */
const REASON = /^[\x21-\x7e]{1,64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

export function isDisputeStep({ eventCode }: Pick<AdyenItem, 'eventCode'>): boolean {
  return ORDER.includes(eventCode);
}

/**
 * All events of a dispute have its PSP reference. Undefined where the payment's is missing: then the
 * reference may be the payment's own, and nothing tells one dispute of it from another.
 */
export function adyenDispute(
  told: Pick<DisputeReport, 'eventId' | 'eventType' | 'fingerprint' | 'amount' | 'at' | 'review'>,
  { eventCode, pspReference, originalReference, additionalData }: AdyenItem,
): DisputeReport | undefined {
  const step = disputeWord('adyen', eventCode);
  if (!step || originalReference === '') return undefined;
  const { amount, at } = told;
  const { chargebackReasonCode: code, defensePeriodEndsAt: dueBy } = additionalData ?? {};
  const reason = typeof code === 'string' ? code.trim() : '';
  return {
    ...told,
    kind: 'dispute',
    disputeId: pspReference,
    providerPaymentId: originalReference,
    status: step.status,
    withdrawn: step.withdrawnOf(amount),
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
