import {
  isPayoutSample,
  type PayoutSample,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { stripeUnits } from './stripe-amount.js';

const DISPUTES = new Map<SampleEvent, [type: string, status: string]>([
  ['dispute.inquiry', ['charge.dispute.created', 'warning_needs_response']],
  ['dispute.opened', ['charge.dispute.created', 'needs_response']],
  ['dispute.won', ['charge.dispute.closed', 'won']],
  ['dispute.lost', ['charge.dispute.closed', 'lost']],
]);
const INTENTS = new Map<SampleEvent, string>([
  ['processing', 'payment_intent.processing'],
  ['paid', 'payment_intent.succeeded'],
  ['failed', 'payment_intent.canceled'],
]);

interface StripeSample {
  type: string;
  object: object;
}

/** Type and object of an event of a payment; undefined for what Stripe does not tell. */
export function stripeSample(
  event: SampleEvent,
  { linkId, paymentId, amount }: SampleOf,
  seconds: number,
): StripeSample | undefined {
  const money = {
    amount: Number(stripeUnits(amount)),
    currency: amount.currency.toLowerCase(),
  };
  if (isPayoutSample(event)) return payoutSample(event, paymentId, money, seconds);
  const of = { ...money, payment_intent: paymentId };
  if (event === 'refunded') {
    const object = { id: `re_${paymentId}`, object: 'refund', ...of, status: 'succeeded' };
    return { type: 'refund.updated', object };
  }
  const [disputeType, status] = DISPUTES.get(event) ?? [];
  if (disputeType) {
    const said = { object: 'dispute', ...of, status, reason: 'fraudulent' };
    return { type: disputeType, object: { id: `dp_${paymentId}`, ...said } };
  }
  const type = INTENTS.get(event);
  if (!type) return undefined;
  const metadata = { payment_link_id: linkId };
  const received = event === 'paid' ? money.amount : 0;
  const intent = { object: 'payment_intent', ...money, amount_received: received, metadata };
  return { type, object: { id: paymentId, ...intent } };
}

/** Of a payout that Stripe really has: nobody else could be asked for its lines. */
function payoutSample(
  event: PayoutSample,
  id: string,
  money: { amount: number; currency: string },
  seconds: number,
): StripeSample | undefined {
  if (!id.startsWith('po_')) return undefined;
  const status = event === 'payout' ? 'paid' : 'failed';
  const object = { id, object: 'payout', ...money, arrival_date: seconds, automatic: true, status };
  return { type: `payout.${status}`, object };
}
