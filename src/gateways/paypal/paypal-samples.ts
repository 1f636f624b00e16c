import type { SampleEvent, SampleOf } from '../../payments/index.js';

const CAPTURES = new Map<SampleEvent, [type: string, status: string]>([
  ['processing', ['PAYMENT.CAPTURE.PENDING', 'PENDING']],
  ['paid', ['PAYMENT.CAPTURE.COMPLETED', 'COMPLETED']],
  ['failed', ['PAYMENT.CAPTURE.DENIED', 'DECLINED']],
]);
const BACK = new Map<SampleEvent, string>([
  ['refunded', 'PAYMENT.CAPTURE.REFUNDED'],
  ['reversed', 'PAYMENT.CAPTURE.REVERSED'],
]);

/** Type and resource of an event of a payment. */
export function payPalSample(
  event: SampleEvent,
  { linkId, paymentId, amount: money }: SampleOf,
  now: Date,
): { event_type: string; resource: object } {
  const at = now.toISOString();
  const amount = { currency_code: money.currency, value: money.toDecimalString() };
  const [captureType, status] = CAPTURES.get(event) ?? [];
  if (captureType) {
    const capture = { id: paymentId, status, amount, custom_id: linkId };
    return { event_type: captureType, resource: { ...capture, create_time: at, update_time: at } };
  }
  const backType = BACK.get(event);
  if (backType) {
    const href = `https://api.paypal.com/v2/payments/captures/${paymentId}`;
    const id = `${event === 'refunded' ? 'REF' : 'REV'}${paymentId}`;
    const back = { id, status: 'COMPLETED', amount, links: [{ rel: 'up', href }] };
    return { event_type: backType, resource: back };
  }
  return disputeSample(event, paymentId, amount, at);
}

function disputeSample(event: SampleEvent, paymentId: string, amount: object, at: string) {
  const isOver = event === 'dispute.won' || event === 'dispute.lost';
  const outcome = event === 'dispute.won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR';
  return {
    event_type: isOver ? 'CUSTOMER.DISPUTE.RESOLVED' : 'CUSTOMER.DISPUTE.CREATED',
    resource: {
      dispute_id: `PP-D-${paymentId}`,
      update_time: at,
      disputed_transactions: [{ seller_transaction_id: paymentId }],
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
      status: isOver ? 'RESOLVED' : 'OPEN',
      dispute_amount: amount,
      dispute_life_cycle_stage: event === 'dispute.inquiry' ? 'INQUIRY' : 'CHARGEBACK',
      ...(isOver && { dispute_outcome: { outcome_code: outcome } }),
    },
  };
}
