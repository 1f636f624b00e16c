import { z } from 'zod';
import {
  type NamedPayout,
  type DeliveryEffects,
  type KeptDelivery,
  type GatewayDelivery,
  DELIVERY_OUTCOMES,
} from '../domain/gateway-delivery.js';
import { publicId } from '../../../kernel/ids.js';
import { answerShape, queryShape } from '../../../platform/http/validation/shapes.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { countedPage, listQuery } from '../../../platform/http/paging.js';
import { instantText } from '../../../platform/http/validation/date-fields.js';
import { oneOf } from '../../../platform/http/validation/fields.js';
import { shortText } from '../../../platform/http/validation/text-fields.js';
import { idParameter } from '../../../platform/http/validation/standard-fields.js';
import { WEBHOOK_OUTCOMES } from '../../port/domain/webhook-outcome.js';

nameWords({ GatewayEventOutcome: DELIVERY_OUTCOMES });

const GatewayEventBody = answerShape('GatewayEventBody', {
  id: z.string().meta({ example: 'gevt_01h455vb4pex5vsknk084sn02q' }),
  gateway: z.string(),
  outcome: z.string().meta({
    enum: DELIVERY_OUTCOMES,
    description:
      '`ok`: applied, now or before; `ignored`: of no effect; `no_link_id`: about a payment that ' +
      'names no link of ours; `accepted`: stored, and being worked off; `failed`: see `problem`.',
  }),
  problem: z.string().nullable().describe('The code of what failed last.'),
  event_types: z.array(z.string()).describe('As the provider calls them.'),
  reports: z.number().meta({ type: 'integer', description: 'How many things it reports.' }),
  replays: z
    .number()
    .meta({ type: 'integer', description: 'How often it was applied again on demand.' }),
  replayed_at: z.string().nullable().meta({ format: 'date-time' }),
  attempts: z
    .number()
    .meta({ type: 'integer', description: 'How often one that was stored first was worked off.' }),
  next_try_at: z.string().nullable().meta({
    format: 'date-time',
    description: 'When it is worked off next; null where nothing is left to do.',
  }),
  received_at: z.string().meta({ format: 'date-time' }),
});
type GatewayEventBody = z.output<typeof GatewayEventBody>;

const GatewayEventReportBody = answerShape('GatewayEventReportBody', {
  event_id: z.string().describe('The provider’s id of the event.'),
  event_type: z.string(),
  outcome: z
    .string()
    .nullable()
    .meta({ enum: WEBHOOK_OUTCOMES, description: 'What became of it; null: it was not applied.' }),
});
type GatewayEventReportBody = z.output<typeof GatewayEventReportBody>;

const FailedPayoutBody = answerShape('FailedPayoutBody', {
  payout_id: z.string().meta({ example: 'pout_01h455vb4pex5vsknk084sn02q' }),
  failed_on: z
    .string()
    .meta({ format: 'date', description: 'The day for which its sending is undone.' }),
  reason: z.string().nullable().describe('The provider’s code, mostly.'),
});
type FailedPayoutBody = z.output<typeof FailedPayoutBody>;

const GatewayEventEffectsBody = answerShape('GatewayEventEffectsBody', {
  events: z.array(GatewayEventReportBody),
  payment_ids: z.array(z.string()),
  payment_link_ids: z.array(z.string()),
  receipt_ids: z.array(z.string()).describe('Unmatched receipts.'),
  refund_ids: z.array(z.string()),
  dispute_ids: z.array(z.string()),
  payout_ids: z.array(z.string()).describe('Payouts, those that came back among them.'),
  failed_payouts: z
    .array(FailedPayoutBody)
    .describe('Those of them whose money the provider has again.'),
  item_ids: z.array(z.string()).describe('Unmatched items.'),
});
type GatewayEventEffectsBody = z.output<typeof GatewayEventEffectsBody>;

export const GatewayEventDetailBody = answerShape('GatewayEventDetailBody', {
  ...GatewayEventBody.shape,
  body: z
    .string()
    .nullable()
    .describe('As it came; null: the secret that it was encrypted with is gone.'),
  effects: z
    .lazy(() => GatewayEventEffectsBody)
    .describe('All that there is now of what it names, also if another event brought it.'),
});
export type GatewayEventDetailBody = z.output<typeof GatewayEventDetailBody>;

export const GatewayEventReplayBody = answerShape('GatewayEventReplayBody', {
  changed: z.boolean().describe('False: all of it was known already, and nothing changed.'),
  outcome: z.string().meta({ enum: DELIVERY_OUTCOMES, description: 'What became of this replay.' }),
  problem: z.string().nullable().describe('The code of what it failed with.'),
  gateway_event: GatewayEventBody,
});
export type GatewayEventReplayBody = z.output<typeof GatewayEventReplayBody>;

export const GatewayEventPage = countedPage('GatewayEventPage', GatewayEventBody);
export type GatewayEventPage = z.output<typeof GatewayEventPage>;

export const ListGatewayEventsQuery = queryShape({
  ...listQuery(() => GatewayEventBody).shape,
  gateway: shortText({ max: 60, optional: true }),
  outcome: oneOf(DELIVERY_OUTCOMES, { optional: true }),
  event_type: shortText({ max: 200, optional: true, description: 'As the provider calls it.' }),
  received_from: instantText({ optional: true }),
  received_to: instantText({
    optional: true,
    description: 'Only events received before this instant.',
  }),
  payment_id: idParameter('pay', { description: 'Events that name this payment of a provider.' }),
  document_id: idParameter('doc', {
    description: 'Events that name a link or a payment of this document.',
  }),
});
export type ListGatewayEventsQuery = z.output<typeof ListGatewayEventsQuery>;

/** A gateway event as the API shows it in lists. */
export function presentGatewayEvent(event: GatewayDelivery): GatewayEventBody {
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
): GatewayEventDetailBody {
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
