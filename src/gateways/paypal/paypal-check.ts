import { z } from 'zod';
import type { GatewayCheck } from '../../payments/index.js';
import { asked, judgedEvents, noKey, takenBy } from '../provider-check.js';
import type { GatewayContext } from '../provider.js';
import type { PayPalApi } from './paypal-api.js';

/** As docs/gateways.md names them. */
const EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
];

/** developer.paypal.com, Webhooks Management v1: `GET /v1/notifications/webhooks/{id}`. */
const Webhook = z.object({
  url: z.string(),
  event_types: z.array(z.object({ name: z.string() })),
});

/** One call tells both: the webhook is read with a token that is asked for anew. */
export async function checkedPayPal(
  api: PayPalApi | undefined,
  webhookId: string,
  { baseUrl, name, clock }: GatewayContext,
): Promise<readonly GatewayCheck[]> {
  if (!api) return noKey('CLIENT_ID');
  const { answer, checks } = await asked('PayPal', clock, async () => api.webhook(webhookId));
  if (answer?.status === 404) {
    const detail = 'PayPal knows no webhook with this WEBHOOK_ID';
    const others = checks.filter(({ check }) => check !== 'credentials');
    return [takenBy('PayPal'), ...others, { check: 'webhook', status: 'failed', detail }];
  }
  if (!answer || answer.status >= 300) return checks;
  const webhook = judged(answer.json, `${baseUrl}/v1/webhooks/${name}`);
  return [...checks, { check: 'webhook', ...webhook }];
}

function judged(json: unknown, url: string): Omit<GatewayCheck, 'check'> {
  const { data: webhook } = Webhook.safeParse(json);
  if (!webhook) return { status: 'unknown', detail: 'PayPal does not tell its webhooks' };
  if (webhook.url !== url) {
    return { status: 'warning', detail: `the webhook of WEBHOOK_ID does not lead to ${url}` };
  }
  const names = webhook.event_types.map((event) => event.name);
  return judgedEvents(names, EVENTS);
}
