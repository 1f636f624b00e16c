import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { count, instant, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { DISABLED_REASONS } from '../domain/webhook-endpoint.js';

const endpoint = z
  .object({ id: publicIdOf('whep') })
  .meta({ id: 'WebhookEndpoint', description: '`GET /v1/webhook-endpoints/{id}` has the rest.' });

const test = z.object({ webhook_endpoint: endpoint }).meta({ id: 'WebhookEndpointTest' });
const disabled = test
  .extend({
    reason: z.enum(DISABLED_REASONS),
    failing_since: instant
      .nullable()
      .describe('Since then every try has failed; null: the last one did not.'),
    undelivered: count.describe('Events that wait for it, or were given up since it fails.'),
  })
  .meta({ id: 'WebhookEndpointDisabled' });

/** The events of endpoints themselves. */
export const ENDPOINT_EVENTS = {
  'webhook_endpoint.test': {
    when: 'Somebody tries an endpoint. No other endpoint gets it.',
    data: test,
    example: {},
  },
  'webhook_endpoint.disabled': {
    when: 'An endpoint is sent nothing any more: it is gone, failed for days, or somebody asked for it.',
    data: disabled,
    example: { reason: 'gone', failing_since: '2026-03-01T09:30:00.000Z', undelivered: 3 },
  },
} as const;

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof ENDPOINT_EVENTS> {}
}
