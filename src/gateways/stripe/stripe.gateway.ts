import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type GatewayCheck,
  InvalidSignature,
  type NamedObject,
  type PlacedCheckout,
  type ProviderReport,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { ObjectLookUps } from '../object-look-ups.js';
import { nearestLanguage } from '../page-language.js';
import { keyMissing } from '../provider-api.js';
import { refusedIsNull, refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { onlyHeader, sameBytes } from '../signed-body.js';
import { stripeUnits } from './stripe-amount.js';
import { StripeApi } from './stripe-api.js';
import { intentsTold, refundReports, sessionReports } from './stripe-look-ups.js';
import {
  shownPayout,
  type ShownStripePayout,
  stripePayout,
  stripePayoutIn,
} from './stripe-payouts.js';
import { stripeSample } from './stripe-samples.js';
import { checkedStripe } from './stripe-check.js';
import { filledThinEvent, toldByStripe } from './stripe-thin-events.js';

/** docs.stripe.com/api/checkout/sessions/create: `locale`. */
const LANGUAGES = (
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt ' +
  'pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'
).split(' ');
const TOLERANCE_SECONDS = 300;
const SIGNATURES_LIMIT = 16;
const HALF_HOUR_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;

const Settings = z.strictObject({
  webhook_secret: Secrets,
  api_key: z.string().min(1).optional(),
  api_base: ApiBase.default('https://api.stripe.com'),
  environment: z.enum(['live', 'sandbox']).optional(),
});
type StripeSettings = z.infer<typeof Settings>;

/** Stripe Checkout. Webhooks: docs.stripe.com/webhooks, "Verify webhook signatures manually". */
export const stripe: Provider<StripeSettings> = {
  name: 'stripe',
  gateway: 'gateway-a',
  demo: {
    settings: (_given, made) => ({
      webhook_secret: made.secret('stripe', () => `whsec_${randomBytes(24).toString('hex')}`),
    }),
  },
  settings: Settings,
  kinds: {
    webhook_secret: 'rotated',
    api_key: 'secret',
    api_base: 'host',
    environment: 'shown',
  },
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new StripeGateway(settings, context),
};

class StripeGateway extends GatewayWithApi<StripeApi> {
  readonly provider = 'stripe';
  readonly method = 'card';
  readonly title = 'Stripe';
  override readonly payoutNote =
    "Stripe's event only names a payout, and Stripe is asked for its lines. So the service needs an " +
    'API_KEY, and the event the id of a payout of that account, po_..., in the place of a payment.';
  private readonly objects: ObjectLookUps<unknown> | undefined;
  private readonly payouts: ObjectLookUps<ShownStripePayout> | undefined;

  constructor(
    private readonly settings: StripeSettings,
    context: GatewayContext,
  ) {
    const { api_key: apiKey, api_base: apiBase } = settings;
    const api = apiKey ? new StripeApi({ apiBase, apiKey }, context.fetch) : undefined;
    super(context, api, api);
    if (!api) return;
    this.objects = new ObjectLookUps('Stripe', async (path) =>
      refusedIsUnavailable(api.findObject(path), 'Stripe'),
    );
    this.payouts = new ObjectLookUps('Stripe', async (id) =>
      refusedIsUnavailable(shownPayout(api, id), 'Stripe'),
    );
  }

  /**
   * Calls nothing without an API key. The link's id is the Idempotency-Key: one link, one session.
   */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    return this.api.createSession(this.sessionForm(request), request.linkId);
  }

  override async cancelCheckout({ providerObjectId }: PlacedCheckout): Promise<void> {
    if (this.api) await this.api.expireSession(providerObjectId);
  }

  override async lookUpCheckout(page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    if (!this.api) throw keyMissing('Stripe');
    const now = this.context.clock.serverNow();
    const { environment } = this.settings;
    const reports = sessionReports(this.api, page.providerObjectId, now, environment);
    return refusedIsUnavailable(reports, 'Stripe');
  }

  override paymentsBetween(from: Date, to: Date) {
    return this.api && intentsTold(this.api, { from, to }, this.settings.environment);
  }

  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const header = onlyHeader(headers, 'stripe-signature', /^[\x20-\x7e]+$/);
    const { timestamp, signatures } = signatureParts(header);
    // Stripe's own library lets any future time pass; a leaked future signature would never age.
    const ageSeconds =
      Math.floor(this.context.clock.serverNow().getTime() / 1000) - Number(timestamp);
    if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) throw new InvalidSignature('stale timestamp');
    const expected = this.settings.webhook_secret.map((secret) => mac(secret, timestamp, rawBody));
    const matches = expected.some((bytes) => signatures.some((given) => sameBytes(given, bytes)));
    if (!matches) throw new InvalidSignature('no v1 signature matches');
  }

  parse({ rawBody }: Delivery): readonly (ProviderReport | NamedObject)[] {
    return [toldByStripe(rawBody, this.settings.environment)];
  }

  override async lookUp(named: NamedObject): Promise<readonly ProviderReport[]> {
    if (!this.objects || !this.payouts) throw keyMissing('Stripe');
    const payoutId = stripePayoutIn(named);
    if (payoutId !== undefined) return [stripePayout(named, await this.payouts.of(payoutId))];
    const object = await this.objects.of(named.objectId);
    return [filledThinEvent(named, object, this.settings.environment)];
  }

  override async refundsOf(intent: string): Promise<readonly ProviderReport[] | null> {
    const { environment } = this.settings;
    const reports =
      this.api && refundReports(this.api, intent, this.context.clock.serverNow(), environment);
    return reports ? refusedIsNull(reports) : null;
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    return checkedStripe(this.api, this.context);
  }

  override samplePaidDelivery(link: { id: string; amount: Money }, now: Date): SampleDelivery {
    const seconds = Math.floor(now.getTime() / 1000);
    const body = JSON.stringify({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      created: seconds,
      livemode: this.settings.environment === 'live',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: `cs_test_${randomBytes(12).toString('hex')}`,
          object: 'checkout.session',
          mode: 'payment',
          status: 'complete',
          payment_status: 'paid',
          payment_intent: `pi_${randomBytes(12).toString('hex')}`,
          amount_total: Number(stripeUnits(link.amount)),
          currency: link.amount.currency.toLowerCase(),
          metadata: { payment_link_id: link.id },
        },
      },
    });
    return this.signed(body, seconds);
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    const created = Math.floor(now.getTime() / 1000);
    const sample = stripeSample(event, of, created);
    if (!sample) return undefined;
    const { type, object } = sample;
    const livemode = this.settings.environment === 'live';
    const id = `evt_${randomBytes(12).toString('hex')}`;
    const whole = { id, object: 'event', created, livemode, type, data: { object } };
    return this.signed(JSON.stringify(whole), created);
  }

  private signed(body: string, seconds: number): SampleDelivery {
    const [secret = ''] = this.settings.webhook_secret;
    return {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signStripe(secret, seconds, body),
      },
    };
  }

  private sessionForm(request: CheckoutRequest): URLSearchParams {
    const form = new URLSearchParams({
      mode: 'payment',
      client_reference_id: request.linkId,
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': request.amount.currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': stripeUnits(request.amount).toString(),
      'line_items[0][price_data][product_data][name]': request.description,
      'metadata[payment_link_id]': request.linkId,
      // Stripe does not copy it from the session, and payment_intent.* events carry only this one.
      'payment_intent_data[metadata][payment_link_id]': request.linkId,
    });
    const locale = nearestLanguage(request.language, LANGUAGES);
    if (locale) form.set('locale', locale);
    if (request.payer.email) form.set('customer_email', request.payer.email);
    const expiresAt = sessionExpiry(request.expiresAt, this.context.clock.serverNow());
    if (expiresAt) form.set('expires_at', String(Math.floor(expiresAt.getTime() / 1000)));
    return form;
  }
}

/**
 * The `Stripe-Signature` header for a body, as Stripe makes it: `t=<unix seconds>,v1=<hex>`.
 * Stands beside `verify` so that tests and demos cannot drift from it.
 */
export function signStripe(secret: string, unixSeconds: number, body: string | Buffer): string {
  const signature = mac(secret, String(unixSeconds), Buffer.from(body)).toString('hex');
  return `t=${unixSeconds},v1=${signature}`;
}

function mac(secret: string, timestamp: string, rawBody: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
}

/** One `t`, any `v1`; `v0` (Stripe's test scheme) and later schemes are passed over. */
function signatureParts(header: string): { timestamp: string; signatures: Buffer[] } {
  const items = header.split(',').map((item) => item.trim());
  const timestamps = items.filter((item) => item.startsWith('t='));
  const [timestamp = ''] = timestamps.map((item) => item.slice(2));
  if (timestamps.length !== 1 || !/^\d{1,12}$/.test(timestamp)) {
    throw new InvalidSignature('not exactly one timestamp');
  }
  const signatures = items
    .filter((item) => /^v1=[0-9a-f]{64}$/.test(item))
    .map((item) => Buffer.from(item.slice(3), 'hex'));
  if (signatures.length === 0 || signatures.length > SIGNATURES_LIMIT) {
    throw new InvalidSignature('no v1 signature, or too many');
  }
  return { timestamp, signatures };
}

/**
 * Stripe takes 30 minutes to 24 hours, and 24 hours is its default. Parameters stay the same
 * between two tries if they can, since one Idempotency-Key with other parameters is refused.
 */
function sessionExpiry(wanted: Date, now: Date): Date | undefined {
  const left = wanted.getTime() - now.getTime();
  if (left >= DAY_MS) return undefined;
  if (left > HALF_HOUR_MS) return wanted;
  return new Date(Math.ceil(now.getTime() / 60_000) * 60_000 + HALF_HOUR_MS + 60_000);
}
