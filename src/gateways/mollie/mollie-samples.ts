import type { SampleEvent, SampleOf } from '../../payments/index.js';

const STATUS = new Map<SampleEvent, string>([
  ['processing', 'pending'],
  ['paid', 'paid'],
  ['failed', 'failed'],
]);

/** Type and entity of an event of a payment; undefined for what Mollie does not tell. */
export function mollieSample(
  event: SampleEvent,
  { linkId, paymentId, amount: money }: SampleOf,
  mode: 'live' | 'test',
  now: Date,
): { type: string; entity: { id: string } } | undefined {
  const at = now.toISOString();
  const amount = { currency: money.currency, value: money.toDecimalString() };
  const of = { paymentId, amount, createdAt: at };
  if (event === 'refunded') {
    const entity = { resource: 'refund', id: `re_${paymentId}`, ...of, status: 'refunded' };
    return { type: 'refund.refunded', entity };
  }
  if (event === 'dispute.lost' || event === 'dispute.won') {
    const isBack = event === 'dispute.won';
    const reversal = isBack && { reversedAt: at };
    const entity = { resource: 'chargeback', id: `chb_${paymentId}`, ...of, ...reversal };
    return { type: isBack ? 'chargeback.reversed' : 'chargeback.received', entity };
  }
  const status = STATUS.get(event);
  if (!status) return undefined;
  const entity = {
    resource: 'payment',
    id: paymentId,
    mode,
    status,
    amount,
    metadata: { payment_link_id: linkId },
    createdAt: at,
    ...(status === 'paid' && { paidAt: at }),
    ...(status === 'failed' && { failedAt: at }),
  };
  return { type: `payment.${status}`, entity };
}
