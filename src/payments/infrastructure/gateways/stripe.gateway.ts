import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isCurrency, minorDigits } from '../../../kernel/currency.js';
import type { Money } from '../../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  Gateway,
  InvalidSignature,
  type ProviderReport,
  type SampleDelivery,
} from '../../domain/gateway.js';
import { moneyTaken, unitsAt } from './provider-amount.js';
import { accepted, callProvider } from './provider-api.js';
import { ApiBase, Secrets } from './provider-settings.js';
import { type GatewayContext, type Provider, refuseInsecureBase } from './provider.js';
import { linkIdFrom, onlyHeader, readBody, sameBytes, shaped, Token } from './signed-body.js';

const TOLERANCE_SECONDS = 300;
const SIGNATURES_LIMIT = 16;
const HALF_HOUR_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Where Stripe counts in other units than ISO 4217 (docs.stripe.com/currencies, "special cases"):
 * ISK and UGX kept two decimals there, MGA never had any.
 */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** At Stripe the last of three decimals is always 0. */
const THREE_DECIMALS = 3;

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
  settings: Settings,
  open: (settings, context) => {
    refuseInsecureBase(settings.api_base, context);
    return new StripeGateway(settings, context);
  },
};

const Event = z.object({
  id: Token,
  type: Token,
  created: z.int().min(0).max(253_402_300_799),
  livemode: z.boolean().optional(),
  data: z.unknown().optional(),
});
const Amount = z.int().min(0);
const CurrencyCode = z.string().regex(/^[a-z]{3,5}$/);
const Metadata = z.object({ payment_link_id: z.unknown().optional() }).nullish();
const Session = z.object({
  object: z.object({
    id: Token,
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    payment_intent: z.union([Token, z.object({ id: Token }).transform(({ id }) => id)]).nullish(),
    amount_total: Amount.nullish(),
    currency: CurrencyCode.nullish(),
    metadata: Metadata,
  }),
});
const PaymentIntent = z.object({
  object: z.object({
    id: Token,
    amount_received: Amount,
    currency: CurrencyCode,
    metadata: Metadata,
  }),
});
const CreatedSession = z.object({ id: Token, url: z.url() });

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'> & { paidAt: Date };

class StripeGateway extends Gateway {
  readonly name: string;
  readonly provider = 'stripe';
  readonly method = 'card';

  constructor(
    private readonly settings: StripeSettings,
    private readonly context: GatewayContext,
  ) {
    super();
    this.name = context.name;
  }

  /** Without a key nothing is called. The link id is the Idempotency-Key: one link, one session. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    const { api_key: apiKey, api_base: apiBase } = this.settings;
    if (!apiKey) return { url: null, providerObjectId: null };
    const answer = await callProvider(this.context.fetch, 'Stripe', {
      method: 'POST',
      url: `${apiBase}/v1/checkout/sessions`,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        'Idempotency-Key': request.linkId,
      },
      body: this.sessionForm(request).toString(),
    });
    const session = accepted(answer, CreatedSession, 'Stripe');
    return { url: session.url, providerObjectId: session.id };
  }

  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const header = onlyHeader(headers, 'stripe-signature', /^[\x20-\x7e]+$/);
    const { timestamp, signatures } = signatureParts(header);
    // Stripe's own library lets any future time pass; a leaked future signature would never age.
    const ageSeconds = Math.floor(this.context.clock.now().getTime() / 1000) - Number(timestamp);
    if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) throw new InvalidSignature('stale timestamp');
    const expected = this.settings.webhook_secret.map((secret) => mac(secret, timestamp, rawBody));
    const matches = expected.some((bytes) => signatures.some((given) => sameBytes(given, bytes)));
    if (!matches) throw new InvalidSignature('no v1 signature matches');
  }

  parse({ rawBody }: Delivery): ProviderReport {
    const event = readBody(rawBody, Event);
    const reported: Reported = {
      eventId: event.id,
      eventType: event.type,
      fingerprint: null,
      paidAt: new Date(event.created * 1000),
    };
    if (event.type === 'payment_intent.succeeded') {
      const { object } = shaped(event.data, PaymentIntent);
      const { id, amount_received: units, currency, metadata } = object;
      return this.taken(reported, event.livemode, id, null, units, currency, metadata);
    }
    if (/^charge\.(refunded|dispute\.)/.test(event.type)) {
      return irrelevant(reported, 'money went back at Stripe; record the refund or dispute here');
    }
    if (
      event.type !== 'checkout.session.completed' &&
      event.type !== 'checkout.session.async_payment_succeeded'
    ) {
      return irrelevant(reported);
    }
    const { object } = shaped(event.data, Session);
    const { id, payment_intent: paymentId, amount_total: units, currency, metadata } = object;
    // A bank debit completes its session unpaid; `async_payment_succeeded` follows days later.
    if (object.payment_status === 'unpaid') return irrelevant(reported);
    if (!units && !paymentId) return irrelevant(reported);
    if (!units || !paymentId || !currency) {
      return irrelevant(reported, 'a paid session without PaymentIntent, amount or currency');
    }
    return this.taken(reported, event.livemode, paymentId, id, units, currency, metadata);
  }

  /** As it is: the signature binds every byte of the body, so the report is Stripe's word. */
  async confirm(report: ProviderReport): Promise<ProviderReport> {
    return report;
  }

  samplePaidDelivery(link: { id: string; amount: Money }, now: Date): SampleDelivery {
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
      // Not copied from the session by Stripe, and payment_intent.* events carry only this one.
      'payment_intent_data[metadata][payment_link_id]': request.linkId,
    });
    const expiresAt = sessionExpiry(request.expiresAt, this.context.clock.now());
    if (expiresAt) form.set('expires_at', String(Math.floor(expiresAt.getTime() / 1000)));
    return form;
  }

  private taken(
    reported: Reported,
    livemode: boolean | undefined,
    providerPaymentId: string,
    providerObjectId: string | null,
    units: number,
    currencyCode: string,
    metadata: z.infer<typeof Metadata>,
  ): ProviderReport {
    const currency = currencyCode.toUpperCase();
    const { environment } = this.settings;
    if (environment && livemode !== undefined && livemode !== (environment === 'live')) {
      return irrelevant(reported, 'a test payment at a live gateway, or the reverse');
    }
    const digits = isCurrency(currency) ? stripeDigits(currency) : 0;
    const amount = moneyTaken({ units: BigInt(units), digits }, currency);
    if (!amount) return irrelevant(reported, `cannot book ${units} units of ${currency}`);
    const linkId = linkIdFrom(metadata?.payment_link_id);
    return { ...reported, kind: 'paid', linkId, providerObjectId, providerPaymentId, amount };
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

function irrelevant(reported: Reported, review?: string): ProviderReport {
  const { eventId, eventType, fingerprint } = reported;
  return { eventId, eventType, fingerprint, kind: 'irrelevant', ...(review && { review }) };
}

function stripeDigits(currency: string): number {
  return STRIPE_DIGITS[currency] ?? minorDigits(currency);
}

function stripeUnits(amount: Money): bigint {
  const digits = stripeDigits(amount.currency);
  // Asking for one decimal less, then adding it back, is Stripe's rule "the last digit is 0".
  if (digits === THREE_DECIMALS) return unitsAt(amount, digits - 1, 'Stripe') * 10n;
  return unitsAt(amount, digits, 'Stripe');
}

/**
 * Stripe takes 30 minutes to 24 hours, and 24 hours is its default. Whatever can stay the same
 * between two tries does, since one Idempotency-Key with other parameters is refused.
 */
function sessionExpiry(wanted: Date, now: Date): Date | undefined {
  const left = wanted.getTime() - now.getTime();
  if (left >= DAY_MS) return undefined;
  if (left > HALF_HOUR_MS) return wanted;
  return new Date(Math.ceil(now.getTime() / 60_000) * 60_000 + HALF_HOUR_MS + 60_000);
}
