import { z } from 'zod';
import { Money } from '../../kernel/money.js';
import type { DisputeReport, ProviderReport } from '../../payments/index.js';
import { disputeWord } from '../dispute-words.js';
import { Ascii } from '../signed-body.js';
import { moneyOfStripe } from './stripe-amount.js';
import { Reference } from './stripe-api.js';

const CurrencyCode = z.string().regex(/^[a-z]{3,5}$/);
const Seconds = z.int().min(0).max(253_402_300_799);
const Moved = z.object({ amount: z.int(), fee: z.int(), currency: CurrencyCode });
const Dispute = z.object({
  object: z.object({
    id: Ascii,
    amount: z.int().min(0),
    currency: CurrencyCode,
    payment_intent: Reference,
    status: Ascii,
    reason: Ascii.catch('general'),
    evidence_details: z
      .object({ due_by: Seconds.nullish().catch(null) })
      .nullish()
      .catch(null),
    balance_transactions: z.array(Moved).max(10).nullish().catch(null),
  }),
});

/** Any of `charge.dispute.*`: each has the whole dispute. Undefined where we cannot read it. */
export function stripeDispute(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  event: { created: number; data?: unknown },
): DisputeReport | undefined {
  const { data } = Dispute.safeParse(event.data);
  if (!data) return undefined;
  const { object } = data;
  const amount = moneyOfStripe(object.amount, object.currency);
  const word = disputeWord('stripe', object.status);
  if (!amount || !word) return undefined;
  const { withdrawn, fee } = moved(object.balance_transactions ?? [], amount);
  const dueBy = object.evidence_details?.due_by;
  return {
    ...reported,
    kind: 'dispute',
    disputeId: object.id,
    providerPaymentId: object.payment_intent,
    status: word.status,
    amount,
    withdrawn: withdrawn ?? word.withdrawnOf(amount),
    fee,
    reason: object.reason,
    evidenceDueBy: dueBy ? new Date(dueBy * 1000) : null,
    // Of several events in one second, that with more movements was said later.
    at: new Date(event.created * 1000 + (object.balance_transactions?.length ?? 0)),
    review: 'a payment was disputed at Stripe that is not in the books',
  };
}

/** Of all that moved for it; nothing is known of what was settled in another currency. */
function moved(
  transactions: readonly z.infer<typeof Moved>[],
  { currency }: Money,
): Pick<DisputeReport, 'withdrawn' | 'fee'> {
  const isSame = transactions.every((one) => one.currency.toUpperCase() === currency);
  if (transactions.length === 0 || !isSame) return { withdrawn: null, fee: null };
  const net = (units: number[]): Money => {
    const sum = units.reduce((total, one) => total + one, 0);
    return (sum > 0 && moneyOfStripe(sum, currency.toLowerCase())) || Money.zero(currency);
  };
  return {
    withdrawn: net(transactions.map(({ amount }) => -amount)),
    fee: net(transactions.map(({ fee }) => fee)),
  };
}
