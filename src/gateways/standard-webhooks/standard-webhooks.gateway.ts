import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import { newStandardSecret } from '../../kernel/standard-webhook.js';
import {
  type Checkout,
  type Delivery,
  Gateway,
  type GatewayCheck,
  isPayoutSample,
  type ProviderReport,
  type RefundOutcome,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { unavailable } from '../provider-api.js';
import { untoldWebhook } from '../provider-check.js';
import type { GatewayContext, Provider } from '../provider.js';
import {
  messageIdOf,
  newMessageId,
  signedDelivery,
  StandardKeys,
  verifyStandardWebhook,
} from '../standard-signature.js';
import { standardReport } from './standard-events.js';

const Settings = z.strictObject({ webhook_secret: StandardKeys });
type StandardSettings = z.infer<typeof Settings>;

/**
 * Any payment system that signs by the Standard Webhooks scheme and sends the shape that we publish.
 * It has no API: it only tells.
 */
export const standardWebhooks: Provider<StandardSettings> = {
  name: 'standard-webhooks',
  demo: {
    settings: (_given, made) => ({
      webhook_secret: made.secret('standard-webhooks', newStandardSecret),
    }),
  },
  settings: Settings,
  kinds: { webhook_secret: 'rotated' },
  unsafe: () => [],
  open: (settings, context) => new StandardWebhooksGateway(settings, context),
};

class StandardWebhooksGateway extends Gateway {
  readonly provider = 'standard-webhooks';
  readonly method = 'other';
  /** So `canCheckout` is false, too. */
  readonly canRefund = false;

  constructor(
    private readonly settings: StandardSettings,
    private readonly context: GatewayContext,
  ) {
    super(context);
  }

  /** The link and its id exist, for the sender to name. */
  async createCheckout(): Promise<Checkout> {
    return { url: null, providerObjectId: null };
  }

  /** A secret of another form has not opened the gateway, so only the sender can tell the rest. */
  override async check(): Promise<readonly GatewayCheck[]> {
    const now = this.context.clock.serverNow().toISOString();
    const secret =
      'the secret has the right form; nobody can be asked whether the sender has it, too';
    const clock = `it is ${now} here; a signature more than five minutes from that is refused`;
    const webhook = 'nobody can be asked whether the sender calls this address';
    return [
      { check: 'credentials', status: 'unknown', detail: secret },
      { check: 'clock', status: 'unknown', detail: clock },
      untoldWebhook(webhook),
    ];
  }

  async verify(delivery: Delivery): Promise<void> {
    verifyStandardWebhook(this.settings.webhook_secret, delivery, this.context.clock.serverNow());
  }

  parse({ rawBody, headers }: Delivery): readonly ProviderReport[] {
    return [standardReport(messageIdOf(headers), rawBody)];
  }

  async refund(): Promise<RefundOutcome> {
    throw unavailable(this.name);
  }

  override sampleEventDelivery(
    event: SampleEvent,
    { linkId, paymentId, amount }: SampleOf,
    now: Date,
  ): SampleDelivery {
    const payment = { payment_id: paymentId };
    const money = written(amount);
    if (event === 'refunded') {
      const refund = { refund_id: `refund-${paymentId}`, ...payment, ...money };
      return this.signed(now, 'refund.succeeded', refund);
    }
    if (isPayoutSample(event)) {
      const lines = [{ kind: 'payment', amount: money.amount, provider_id: paymentId }];
      const sent_on = now.toISOString().slice(0, 10);
      const payout = { payout_id: `payout-${paymentId}`, ...money, sent_on, lines };
      return this.signed(now, event === 'payout' ? 'payout.paid' : 'payout.failed', payout);
    }
    if (event.startsWith('dispute.')) {
      const dispute = { dispute_id: `dispute-${paymentId}`, ...payment, ...money };
      return this.signed(now, event, dispute);
    }
    return this.signed(now, `payment.${event}`, {
      ...payment,
      payment_link_id: linkId,
      ...((event === 'paid' || event === 'reversed') && money),
      ...(event === 'reversed' && { reversal_id: `reversal-${paymentId}` }),
    });
  }

  private signed(now: Date, type: string, data: object): SampleDelivery {
    const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
    return signedDelivery(this.settings.webhook_secret, { id: newMessageId(), body, now });
  }
}

function written(amount: Money): { amount: number; currency: string } {
  return { amount: amount.toMinorNumber(), currency: amount.currency };
}
