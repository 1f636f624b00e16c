import { z } from 'zod';
import type { GatewayCheck } from '../../payments/index.js';
import { asked, askedForWebhook, judgedEvents, noKey } from '../provider-check.js';
import type { GatewayContext } from '../provider.js';
import type { RazorpayApi } from './razorpay-api.js';

/** As docs/providers/razorpay.md names them. */
const EVENTS = [
  'payment_link.paid',
  'payment_link.partially_paid',
  'payment_link.cancelled',
  'payment_link.expired',
  'payment.authorized',
  'payment.failed',
  'refund.created',
  'refund.processed',
  'refund.failed',
  'refund.speed_changed',
  'payment.dispute.created',
  'payment.dispute.under_review',
  'payment.dispute.action_required',
  'payment.dispute.won',
  'payment.dispute.lost',
  'payment.dispute.closed',
  'settlement.processed',
];

const Webhooks = z.object({
  items: z.array(z.object({ url: z.string(), active: z.boolean(), events: z.array(z.string()) })),
});

const SEE_DASHBOARD = 'see Account & Settings, Webhooks, in its dashboard';

/** Webhooks are promised to partners only, so a list that does not come is unknown. */
export async function checkedRazorpay(
  api: RazorpayApi | undefined,
  { baseUrl, name, clock }: GatewayContext,
): Promise<readonly GatewayCheck[]> {
  if (!api) return noKey('KEY_ID');
  const { answer, checks } = await asked('Razorpay', clock, async () => api.newestPayment());
  if (!answer || answer.status === 401) return checks;
  const url = `${baseUrl}/v1/webhooks/${name}`;
  const webhook = await askedForWebhook(
    'Razorpay',
    async () => api.webhooks(),
    ({ json }) => {
      const listed = Webhooks.safeParse(json).data?.items;
      const ours = listed?.find((one) => one.url === url);
      if (!ours) {
        return {
          status: 'unknown',
          detail: `Razorpay lists no webhook to ${url}; ${SEE_DASHBOARD}`,
        };
      }
      if (!ours.active) return { status: 'failed', detail: 'the webhook is disabled' };
      return judgedEvents(ours.events, EVENTS);
    },
  );
  return [...checks, webhook];
}
