import { z } from 'zod';
import type { DataOf } from '../../events/index.js';
import { publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { DISABLED_REASONS } from '../domain/webhook-endpoint.js';

const endpoint = z
  .object({ id: publicIdOf('whep') })
  .meta({ id: 'WebhookEndpoint', description: '`GET /v1/webhook-endpoints/{id}` has the rest.' });

const test = z.object({ webhook_endpoint: endpoint }).meta({ id: 'WebhookEndpointTest' });
const disabled = test
  .extend({ reason: z.enum(DISABLED_REASONS) })
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
    example: { reason: 'gone' },
  },
} as const;

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof ENDPOINT_EVENTS> {}
}
