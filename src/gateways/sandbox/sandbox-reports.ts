import { z } from 'zod';
import type { MandateStatus, ProviderReport } from '../../payments/index.js';
import { disputeTold, type DisputeWord, disputeWord } from '../dispute-words.js';
import { feeWithin, moneyOf } from '../provider-amount.js';
import { Ascii, ofNoEffect, ownIdFrom, readJson, shaped } from '../signed-body.js';
import { sandboxMandateReport } from './sandbox-mandates.js';
import { payoutTold, TOLD_PAYOUT } from '../told-payout.js';
import { sandboxRefund } from './sandbox-refunds.js';

const AnyEvent = z.looseObject({ id: z.unknown().optional(), type: z.string() });
const Event = z.object({ id: Ascii, type: Ascii, data: z.unknown().optional() });
/** The types of which something is made. Of all others no field is judged. */
const CONCERNS_US =
  /^(?:payment\.(?:succeeded|processing|failed|reversed)|refund\.(?:pending|succeeded|failed)|payout\.(?:paid|failed)|dispute\.(?:inquiry|opened|updated|won|lost|closed)|mandate\.(?:pending|active|suspended|failed|canceled|expired))$/;
const Payment = z.object({
  payment_id: Ascii,
  payment_link_id: z.unknown().optional(),
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  fee: z.int().min(0).optional(),
  paid_at: z.iso.datetime({ offset: true }),
});
const Failure = z.object({
  payment_id: Ascii,
  payment_link_id: z.unknown().optional(),
  reversal_id: Ascii.optional(),
  reason: Ascii.optional(),
  at: z.iso.datetime({ offset: true }),
});
const Dispute = z.object({
  dispute_id: Ascii,
  payment_id: Ascii,
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  withdrawn: z.int().min(0).optional(),
  fee: z.int().min(0).optional(),
  reason: Ascii.optional(),
  evidence_due_by: z.iso.datetime({ offset: true }).optional(),
  at: z.iso.datetime({ offset: true }),
});
const MandateTold = z.object({
  mandate_id: Ascii,
  reason: Ascii.optional(),
  at: z.iso.datetime({ offset: true }),
});
const Payout = z.object({ ...TOLD_PAYOUT, at: z.iso.datetime({ offset: true }) });

/**
 * Reads an event of the sandbox.
 * @throws InvalidSignature when it is no event, or one that concerns us has another shape
 */
export function sandboxReport(rawBody: Buffer, now: Date): ProviderReport {
  const any = readJson(rawBody, AnyEvent);
  if (!CONCERNS_US.test(any.type)) return ofNoEffect(any.id, any.type, rawBody);
  return sandboxEventReport(shaped(any, Event), now);
}

/** @throws InvalidSignature when its data have another shape */
export function sandboxEventReport(event: z.infer<typeof Event>, now: Date): ProviderReport {
  const reported = { eventId: event.id, eventType: event.type, fingerprint: null };
  if (/^refund\.(pending|succeeded|failed)$/.test(event.type)) {
    return sandboxRefund(reported, event.data, now);
  }
  if (/^payment\.(processing|failed|reversed)$/.test(event.type)) {
    return unpaid(reported, event.data);
  }
  if (event.type === 'payout.paid' || event.type === 'payout.failed') {
    const told = shaped(event.data, Payout);
    const status = event.type === 'payout.paid' ? 'sent' : 'failed';
    return payoutTold(reported, { status, at: new Date(told.at) }, told);
  }
  const [, status] = /^mandate\.(\w+)$/.exec(event.type) ?? [];
  if (status !== undefined) {
    const { mandate_id, reason = null, at } = shaped(event.data, MandateTold);
    const told = { mandateId: mandate_id, status: status as MandateStatus, reason };
    return sandboxMandateReport(reported, { ...told, at: new Date(at) });
  }
  const word = disputeWord('sandbox', event.type);
  if (word) return disputed(reported, event.data, word);
  const payment = shaped(event.data, Payment);
  const { amount: minor, fee, currency } = payment;
  const amount = moneyOf(minor, currency);
  if (!amount) {
    const { payment_id: providerPaymentId } = payment;
    const moved = { direction: 'in', reference: null, providerPaymentId, amount: null } as const;
    const review = `cannot book ${minor} of ${currency}`;
    return { ...reported, kind: 'irrelevant', review, moved };
  }
  return {
    ...reported,
    kind: 'paid',
    linkId: ownIdFrom(payment.payment_link_id),
    providerObjectId: null,
    providerPaymentId: payment.payment_id,
    amount,
    fee: feeWithin(amount, fee === undefined ? undefined : moneyOf(fee, currency)),
    paidAt: new Date(payment.paid_at),
  };
}

/** On its way, failed at last, or taken back after it had come. */
function unpaid(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
): ProviderReport {
  const { payment_id, payment_link_id, reversal_id, reason, at: text } = shaped(data, Failure);
  const link = { linkId: ownIdFrom(payment_link_id), providerObjectId: null };
  const at = new Date(text);
  const { eventType } = reported;
  if (eventType === 'payment.processing') return { ...reported, kind: 'processing', ...link, at };
  return {
    ...reported,
    kind: eventType === 'payment.failed' ? 'failed' : 'unpaid_again',
    ...link,
    providerPaymentId: payment_id,
    amount: null,
    reference: reversal_id ?? null,
    reason: reason ?? eventType.replace('payment.', ''),
    at,
    isFinal: true,
  };
}

function disputed(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
  word: DisputeWord,
): ProviderReport {
  const told = shaped(data, Dispute);
  const amount = moneyOf(told.amount, told.currency);
  const review = 'a payment was disputed at the sandbox that is not in the books';
  if (!amount) {
    const { dispute_id: reference, payment_id: providerPaymentId } = told;
    const moved = { direction: 'out', reference, providerPaymentId, amount: null } as const;
    return { ...reported, kind: 'irrelevant', review, moved };
  }
  return disputeTold(reported, word, { amount, at: new Date(told.at), review }, told);
}
