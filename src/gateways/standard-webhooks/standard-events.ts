import { z } from 'zod';
import { LARGEST_AMOUNT_MINOR } from '../../kernel/money.js';
import type { ProviderReport, RefundOutcome } from '../../payments/index.js';
import { disputeTold, type DisputeWord, disputeWord, disputeWordsOf } from '../dispute-words.js';
import { feeWithin, moneyOf } from '../provider-amount.js';
import { Ascii, ofNoEffect, readJson, shaped } from '../signed-body.js';
import { payoutTold, TOLD_PAYOUT } from '../told-payout.js';

const Currency = z.string().regex(/^[A-Z]{3}$/);
const Minor = z.int().min(1);
const Part = z.int().min(0).max(Number(LARGEST_AMOUNT_MINOR));
const Instant = z.iso.datetime({ offset: true });

const AnyEvent = z.looseObject({ type: z.string() });
/** The shape that we publish: what we do not know in it is a mistake, and is refused. */
const Envelope = z.strictObject({ type: Ascii, timestamp: Instant, data: z.unknown() });
const OfLink = {
  payment_id: Ascii,
  payment_link_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .nullish(),
};
const Amount = { amount: Minor, currency: Currency };

const Processing = z.strictObject(OfLink);
const Paid = z.strictObject({ ...OfLink, ...Amount, fee: Part.optional() });
const Failed = z.strictObject({
  ...OfLink,
  reason: Ascii.optional(),
  is_final: z.boolean().default(true),
});
const Reversed = z.strictObject({
  ...OfLink,
  ...Amount,
  reversal_id: Ascii,
  reason: Ascii.optional(),
});
const Refund = z.strictObject({
  refund_id: Ascii,
  payment_id: Ascii,
  ...Amount,
  reason: Ascii.optional(),
});
const Dispute = z.strictObject({
  dispute_id: Ascii,
  payment_id: Ascii,
  ...Amount,
  withdrawn: Part.optional(),
  fee: Part.optional(),
  reason: Ascii.optional(),
  evidence_due_by: Instant.optional(),
});

const Payout = z.strictObject(TOLD_PAYOUT);

const REFUND_STATUS = new Map<string, RefundOutcome['status']>([
  ['refund.pending', 'pending'],
  ['refund.succeeded', 'succeeded'],
  ['refund.failed', 'failed'],
]);

/** Those that we publish. */
const TYPES: ReadonlySet<string> = new Set([
  'payment.processing',
  'payment.paid',
  'payment.failed',
  'payment.reversed',
  ...REFUND_STATUS.keys(),
  ...disputeWordsOf('standard-webhooks'),
  'payout.paid',
  'payout.failed',
]);

/** The common part of a report, and its time and data. */
interface Told {
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>;
  at: Date;
  data: unknown;
}

/**
 * Reads a body of the published shape; docs/providers/standard-webhooks.md has an example of each.
 * Of a type that is not ours nothing is judged.
 * @throws InvalidSignature when it has another shape
 */
export function standardReport(eventId: string, rawBody: Buffer): ProviderReport {
  const event = readJson(rawBody, AnyEvent);
  if (!TYPES.has(event.type)) return ofNoEffect(eventId, event.type, rawBody);
  const { type: eventType, timestamp, data } = shaped(event, Envelope);
  const reported = { eventId, eventType, fingerprint: null };
  const told = { reported, at: new Date(timestamp), data };
  switch (eventType) {
    case 'payment.processing': {
      const { payment_link_id: linkId = null } = shaped(data, Processing);
      return { ...reported, kind: 'processing', linkId, providerObjectId: null, at: told.at };
    }
    case 'payment.paid':
      return paid(told);
    case 'payment.failed':
      return failed(told);
    case 'payment.reversed':
      return reversed(told);
    case 'payout.paid':
      return payoutTold(reported, { status: 'sent', at: told.at }, shaped(data, Payout));
    case 'payout.failed':
      return payoutTold(reported, { status: 'failed', at: told.at }, shaped(data, Payout));
    default:
      return moneyBack(told);
  }
}

function paid({ reported, at, data }: Told): ProviderReport {
  const payment = shaped(data, Paid);
  const { payment_id: providerPaymentId, payment_link_id: linkId = null } = payment;
  const amount = moneyOf(payment.amount, payment.currency);
  if (!amount) return unsayable(reported, 'in', payment, { providerPaymentId, reference: null });
  const fee = payment.fee ? moneyOf(payment.fee, payment.currency) : undefined;
  return {
    ...reported,
    kind: 'paid',
    linkId,
    providerObjectId: null,
    providerPaymentId,
    amount,
    fee: feeWithin(amount, fee),
    paidAt: at,
  };
}

function failed({ reported, at, data }: Told): ProviderReport {
  const payment = shaped(data, Failed);
  return {
    ...reported,
    kind: 'failed',
    linkId: payment.payment_link_id ?? null,
    providerObjectId: null,
    providerPaymentId: payment.payment_id,
    amount: null,
    reference: null,
    reason: payment.reason ?? 'failed',
    at,
    isFinal: payment.is_final,
  };
}

function reversed({ reported, at, data }: Told): ProviderReport {
  const payment = shaped(data, Reversed);
  const { payment_id: providerPaymentId, reversal_id: reference } = payment;
  const amount = moneyOf(payment.amount, payment.currency);
  if (!amount) return unsayable(reported, 'out', payment, { providerPaymentId, reference });
  return {
    ...reported,
    kind: 'unpaid_again',
    linkId: payment.payment_link_id ?? null,
    providerObjectId: null,
    providerPaymentId,
    amount,
    reference,
    reason: payment.reason ?? 'reversed',
    at,
    isFinal: true,
  };
}

function moneyBack(told: Told): ProviderReport {
  const { eventType } = told.reported;
  const refund = REFUND_STATUS.get(eventType);
  if (refund) return refunded(told, refund);
  const dispute = disputeWord('standard-webhooks', eventType);
  if (dispute) return disputed(told, dispute);
  return { ...told.reported, kind: 'irrelevant' };
}

/** Always made elsewhere: this gateway asks nobody for a refund. */
function refunded({ reported, at, data }: Told, status: RefundOutcome['status']): ProviderReport {
  const refund = shaped(data, Refund);
  const { payment_id: providerPaymentId, refund_id: providerRefundId } = refund;
  const amount = moneyOf(refund.amount, refund.currency);
  if (!amount) {
    return unsayable(reported, 'out', refund, { providerPaymentId, reference: providerRefundId });
  }
  const outcome: RefundOutcome =
    status === 'failed'
      ? { status, reason: refund.reason ?? 'failed' }
      : { status, providerRefundId };
  return {
    ...reported,
    kind: 'refund',
    refundId: null,
    providerRefundId,
    providerPaymentId,
    amount,
    outcome,
    at,
    review: 'money went back at the sender of a payment that is not known so here',
  };
}

function disputed({ reported, at, data }: Told, word: DisputeWord): ProviderReport {
  const dispute = shaped(data, Dispute);
  const amount = moneyOf(dispute.amount, dispute.currency);
  if (!amount) {
    const { payment_id: providerPaymentId, dispute_id: reference } = dispute;
    return unsayable(reported, 'out', dispute, { providerPaymentId, reference });
  }
  const review = 'a payment was disputed at the sender that is not in the books';
  return disputeTold(reported, word, { amount, at, review }, dispute);
}

/** Money moved, and we have no such amount: a person has to look. */
function unsayable(
  reported: Told['reported'],
  direction: 'in' | 'out',
  { amount, currency }: { amount: number; currency: string },
  of: { providerPaymentId: string; reference: string | null },
): ProviderReport {
  const review = `cannot book ${amount} of ${currency}`;
  return { ...reported, kind: 'irrelevant', review, moved: { direction, amount: null, ...of } };
}
