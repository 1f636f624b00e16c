import { publicId } from '../../../kernel/ids.js';
import type {
  DeliveryEffects,
  GatewayDelivery,
  KeptDelivery,
  NamedPayout,
} from './gateway-delivery.js';

/** A gateway event as the API shows it in lists. */
export function presentGatewayEvent(event: GatewayDelivery) {
  return {
    id: publicId('gevt', event.id),
    gateway: event.gateway,
    outcome: event.outcome,
    problem: event.problem,
    event_types: event.eventTypes,
    reports: event.reports,
    replays: event.replays,
    replayed_at: event.replayedAt?.toISOString() ?? null,
    attempts: event.attempts,
    next_try_at: event.nextTryAt?.toISOString() ?? null,
    received_at: event.receivedAt.toISOString(),
  };
}

export function presentWholeGatewayEvent(
  event: KeptDelivery,
  effects: DeliveryEffects,
  payouts: readonly NamedPayout[],
) {
  return {
    ...presentGatewayEvent(event),
    body: event.delivery?.rawBody.toString('utf8') ?? null,
    effects: {
      events: effects.events.map((one) => ({
        event_id: one.event,
        event_type: one.type,
        outcome: one.outcome,
      })),
      payment_ids: effects.payments.map((id) => publicId('pay', id)),
      payment_link_ids: effects.links.map((id) => publicId('plink', id)),
      receipt_ids: effects.receipts.map((id) => publicId('rcpt', id)),
      refund_ids: effects.refunds.map((id) => publicId('rfnd', id)),
      dispute_ids: effects.disputes.map((id) => publicId('dsp', id)),
      payout_ids: payouts.map(({ id }) => publicId('pout', id)),
      failed_payouts: payouts.flatMap(({ id, failedOn, reason }) =>
        failedOn === null ? [] : [{ payout_id: publicId('pout', id), failed_on: failedOn, reason }],
      ),
      item_ids: effects.items.map((id) => publicId('item', id)),
    },
  };
}
