import { z } from 'zod';
import type { ProviderReport } from '../../payments/index.js';
import { moneyOf } from '../provider-amount.js';
import { Ascii, shaped } from '../signed-body.js';

const Payout = z.object({
  payout_id: Ascii,
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  sent_at: z.iso.datetime({ offset: true }),
  arrives_at: z.iso.datetime({ offset: true }).optional(),
  reason: Ascii.optional(),
  at: z.iso.datetime({ offset: true }),
});

/** Money that the sandbox sends to the seller's bank account, or that came back from there. */
export function sandboxPayout(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
): ProviderReport {
  const payout = shaped(data, Payout);
  const { payout_id: payoutId, arrives_at: arrivesAt } = payout;
  const amount = moneyOf(payout.amount, payout.currency);
  if (!amount) {
    const review = `cannot book a payout of ${payout.amount} of ${payout.currency}`;
    const moved = { direction: 'out', reference: payoutId, providerPaymentId: null } as const;
    return { ...reported, kind: 'irrelevant', review, moved: { ...moved, amount: null } };
  }
  const isFailed = reported.eventType === 'payout.failed';
  return {
    ...reported,
    kind: 'payout',
    payoutId,
    amount,
    status: isFailed ? 'failed' : 'sent',
    sentAt: new Date(payout.sent_at),
    arrivesAt: arrivesAt === undefined ? null : new Date(arrivesAt),
    reason: isFailed ? (payout.reason ?? 'failed') : null,
    at: new Date(payout.at),
  };
}
