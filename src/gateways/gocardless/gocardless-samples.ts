import { randomBytes } from 'node:crypto';
import { isPayoutSample, type SampleEvent, type SampleOf } from '../../payments/index.js';
import { goCardlessUnits } from './gocardless-amount.js';

/** Events that a demo may play: GoCardless tells no more of a chargeback. */
const ACTIONS = new Map<SampleEvent, string>([
  ['processing', 'submitted'],
  ['paid', 'confirmed'],
  ['failed', 'failed'],
  ['reversed', 'late_failure_settled'],
  ['dispute.lost', 'charged_back'],
  ['dispute.won', 'chargeback_cancelled'],
  ['payout', 'paid'],
  ['payout_failed', 'bounced'],
]);

/**
 * An event with what GoCardless itself leaves to be looked up; undefined for what it does not tell.
 */
export function goCardlessSample(
  event: SampleEvent,
  { linkId, paymentId, amount }: SampleOf,
  now: Date,
): object | undefined {
  const action = ACTIONS.get(event);
  if (action === undefined) return undefined;
  const created_at = now.toISOString();
  const units = goCardlessUnits(amount);
  const money = { amount: units, currency: amount.currency };
  if (isPayoutSample(event)) {
    const id = paymentId.replace(/^PM/, 'PO');
    const payout = { id, created_at, status: action, ...money };
    const links = { payment: paymentId };
    const item = { type: 'payment_paid_out', amount: `${units}.0`, links };
    return {
      events: [anEvent('payouts', action, created_at, { payout: id })],
      linked: { payouts: [payout], payout_items: [item] },
    };
  }
  const payment = {
    id: paymentId,
    created_at,
    status: 'confirmed',
    ...money,
    amount_refunded: 0,
    metadata: { payment_link_id: linkId },
  };
  return {
    events: [anEvent('payments', action, created_at, { payment: paymentId })],
    linked: { payments: [payment] },
  };
}

function anEvent(resource_type: string, action: string, created_at: string, links: object) {
  const [subject = ''] = resource_type.split(/s$/);
  return {
    id: `EV${randomBytes(8).toString('hex').toUpperCase()}`,
    created_at,
    resource_type,
    action,
    links,
    details: { origin: 'gocardless', cause: `${subject}_${action}` },
    metadata: {},
  };
}
