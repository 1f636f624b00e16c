import { z } from 'zod';
import { publicId } from '../../kernel/ids.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import {
  answerShape,
  queryShape,
  requestShape,
  some,
} from '../../platform/http/validation/shapes.js';
import {
  type WebhookDelivery,
  DELIVERY_FAILURES,
  DELIVERY_STATUSES,
  type DeliveryTry,
} from '../domain/delivery.js';

const REPLAYED = ['failed', 'all'] as const;

nameWords({
  WebhookDeliveryStatus: DELIVERY_STATUSES,
  WebhookDeliveryFailure: DELIVERY_FAILURES,
  WebhookReplayed: REPLAYED,
});

const WebhookDeliveryTryBody = answerShape('WebhookDeliveryTryBody', {
  at: z.string().meta({ format: 'date-time' }),
  duration_ms: z.number().meta({ type: 'integer' }),
  status_code: z.number().nullable().meta({ type: 'integer', description: 'null: no answer.' }),
  failure: z
    .enum(DELIVERY_FAILURES)
    .nullable()
    .describe('null: it was a success. `status`: an answer other than 2xx.'),
});
type WebhookDeliveryTryBody = z.output<typeof WebhookDeliveryTryBody>;

export const WebhookDeliveryBody = answerShape('WebhookDeliveryBody', {
  event_id: z.string().meta({
    description: 'The `webhook-id` of every try.',
    example: 'evt_01h455vb4pex5vsknk084sn02q',
  }),
  type: z.string().meta({ example: 'document.paid' }),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe(
      '`held`: the database was restored, and it waits for the operator. `failed`: it is tried no more.',
    ),
  next_try_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'null: at once, or never again.' }),
  tries: z.array(WebhookDeliveryTryBody).describe('Oldest first.'),
  answer: z.string().nullable().describe('The first 4 KB of what the last try was answered.'),
  created_at: z.string().meta({ format: 'date-time' }),
});
export type WebhookDeliveryBody = z.output<typeof WebhookDeliveryBody>;

export const WebhookDeliveryPage = countedPage('WebhookDeliveryPage', WebhookDeliveryBody);
export type WebhookDeliveryPage = z.output<typeof WebhookDeliveryPage>;

export const ListWebhookDeliveriesQuery = queryShape({
  ...listQuery(() => WebhookDeliveryBody).shape,
  status: oneOf(DELIVERY_STATUSES, { optional: true }),
});
export type ListWebhookDeliveriesQuery = z.output<typeof ListWebhookDeliveriesQuery>;

export const ReplayWebhooksRequest = requestShape('ReplayWebhooksRequest', {
  from: instantText({ description: 'Events that happened at this instant or later.' }),
  to: instantText({ optional: true, description: 'And before this one. Default: now.' }),
  which: oneOf(REPLAYED, {
    optional: true,
    description:
      '`failed` (default): what is tried no more. `all`: also what was delivered, and what the endpoint was never sent.',
  }),
});
export type ReplayWebhooksRequest = z.output<typeof ReplayWebhooksRequest>;

export const WebhookReplayBody = answerShape('WebhookReplayBody', {
  events: z.number().meta({ type: 'integer', description: 'How many are on their way now.' }),
});
export type WebhookReplayBody = z.output<typeof WebhookReplayBody>;

export const WebhookTestBody = answerShape('WebhookTestBody', {
  ...some(WebhookDeliveryBody.shape, ['event_id', 'type']),
});
export type WebhookTestBody = z.output<typeof WebhookTestBody>;

export function presentDelivery(delivery: WebhookDelivery): WebhookDeliveryBody {
  return {
    event_id: publicId('evt', delivery.id),
    type: delivery.type,
    status: delivery.status,
    next_try_at: delivery.nextTryAt?.toISOString() ?? null,
    tries: delivery.tries.map(presentTry),
    answer: delivery.answer,
    created_at: delivery.createdAt.toISOString(),
  };
}

function presentTry({ at, ms, code, failure }: DeliveryTry): WebhookDeliveryTryBody {
  return { at: at.toISOString(), duration_ms: ms, status_code: code, failure };
}
