import { z } from 'zod';
import type { ProviderReport, RefundOutcome } from '../../payments/index.js';
import { moneyOf } from '../provider-amount.js';
import { Ascii, ownIdFrom, shaped } from '../signed-body.js';

const Refund = z.object({
  sandbox_refund_id: Ascii,
  refund_id: z.unknown().optional(),
  payment_id: Ascii,
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  at: z.iso.datetime({ offset: true }).optional(),
});

/** A refund, ours or one that somebody made at the sandbox. */
export function sandboxRefund(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
  now: Date,
): ProviderReport {
  const refund = shaped(data, Refund);
  const review = 'money went back at the sandbox of a payment or refund that is not known so here';
  const amount = moneyOf(refund.amount, refund.currency);
  const { sandbox_refund_id: providerRefundId, payment_id: providerPaymentId } = refund;
  if (!amount) {
    const reference = providerRefundId;
    const moved = { direction: 'out', reference, providerPaymentId, amount: null } as const;
    return { ...reported, kind: 'irrelevant', review, moved };
  }
  return {
    ...reported,
    kind: 'refund',
    refundId: ownIdFrom(refund.refund_id),
    providerRefundId,
    providerPaymentId,
    amount,
    outcome: outcomeOf(reported.eventType, providerRefundId),
    at: refund.at === undefined ? now : new Date(refund.at),
    review,
  };
}

function outcomeOf(eventType: string, providerRefundId: string): RefundOutcome {
  if (eventType === 'refund.failed') return { status: 'failed', reason: 'failed' };
  const status = eventType === 'refund.pending' ? 'pending' : 'succeeded';
  return { status, providerRefundId };
}
