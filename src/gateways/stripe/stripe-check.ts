import { z } from 'zod';
import type { GatewayCheck } from '../../payments/index.js';
import { asked, askedForWebhook, judgedEvents, noKey } from '../provider-check.js';
import type { GatewayContext } from '../provider.js';
import type { StripeApi } from './stripe-api.js';

/** As docs/gateways.md names them. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'payout.paid',
  'payout.failed',
  'payout.reconciliation_completed',
];

/** docs.stripe.com/api/webhook_endpoints/object. */
const Endpoints = z.object({
  data: z.array(
    z.object({ url: z.string(), status: z.string(), enabled_events: z.array(z.string()) }),
  ),
});

/** Destinations of thin events are in another list, so a webhook that is not found is unknown. */
export async function checkedStripe(
  api: StripeApi | undefined,
  { baseUrl, name, clock }: GatewayContext,
): Promise<readonly GatewayCheck[]> {
  if (!api) return noKey('API_KEY');
  const { answer, checks } = await asked('Stripe', clock, async () => api.balance());
  if (!answer || answer.status === 401) return checks;
  const url = `${baseUrl}/v1/webhooks/${name}`;
  const webhook = await askedForWebhook(
    'Stripe',
    async () => api.webhookEndpoints(),
    ({ json }) => {
      const listed = Endpoints.safeParse(json).data?.data;
      const ours = listed?.find((one) => one.url === url);
      if (!ours) return { status: 'unknown', detail: `no webhook endpoint leads to ${url}` };
      if (ours.status !== 'enabled') return { status: 'failed', detail: 'the webhook is disabled' };
      return judgedEvents(ours.enabled_events, EVENTS);
    },
  );
  return [...checks, webhook];
}
