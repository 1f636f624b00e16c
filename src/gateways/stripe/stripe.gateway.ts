import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  Gateway,
  type GatewayAccounts,
  InvalidSignature,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundRequest,
  type SampleDelivery,
} from '../../payments/index.js';
import { feeWithin } from '../provider-amount.js';
import { unavailable } from '../provider-api.js';
import { refusedIsFailed, refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { ownIdFrom, onlyHeader, readJson, sameBytes, shaped, Ascii } from '../signed-body.js';
import { moneyOfStripe, stripeUnits } from './stripe-amount.js';
import { Reference, StripeApi, stripeOutcome, StripeRefund } from './stripe-api.js';

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
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new StripeGateway(settings, context),
};

const Event = z.object({
  id: Ascii,
  type: Ascii,
  created: z.int().min(0).max(253_402_300_799),
  livemode: z.boolean().optional(),
  data: z.unknown().optional(),
});
const Amount = z.int().min(0);
const CurrencyCode = z.string().regex(/^[a-z]{3,5}$/);
const Metadata = z.object({ payment_link_id: z.unknown().optional() }).nullish();
const Session = z.object({
  object: z.object({
    id: Ascii,
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    payment_intent: Reference.nullish(),
    amount_total: Amount.nullish(),
    currency: CurrencyCode.nullish(),
    metadata: Metadata,
  }),
});
/** Stripe's own events expand nothing, but an endpoint behind a relay may be sent more. */
const WithFee = z.object({
  balance_transaction: z.object({ fee: Amount, currency: CurrencyCode }),
});
const PaymentIntent = z.object({
  object: z.object({
    id: Ascii,
    amount_received: Amount,
    currency: CurrencyCode,
    metadata: Metadata,
    latest_charge: WithFee.nullish().catch(null),
  }),
});
const Charge = z.object({
  object: z.object({
    amount_refunded: Amount,
    currency: CurrencyCode,
    payment_intent: Reference.nullish(),
  }),
});
const Refund = z.object({ object: StripeRefund });

const OTHER_MODE = 'a test payment at a live gateway, or the reverse';

type Reported = Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'> & { paidAt: Date };

class StripeGateway extends Gateway {
  readonly name: string;
  readonly accounts: GatewayAccounts;
  readonly provider = 'stripe';
  readonly method = 'card';
  readonly canRefund: boolean;
  private readonly api: StripeApi | undefined;

  constructor(
    private readonly settings: StripeSettings,
    private readonly context: GatewayContext,
  ) {
    super();
    this.name = context.name;
    this.accounts = context.accounts;
    const { api_key: apiKey, api_base: apiBase } = settings;
    if (apiKey) this.api = new StripeApi({ apiBase, apiKey }, context.fetch);
    this.canRefund = this.api !== undefined;
  }

  /** Without a key nothing is called. The link id is the Idempotency-Key: one link, one session. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const session = await this.api.createSession(this.sessionForm(request), request.linkId);
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
    const event = readJson(rawBody, Event);
    const reported: Reported = {
      eventId: event.id,
      eventType: event.type,
      fingerprint: null,
      paidAt: new Date(event.created * 1000),
    };
    if (event.type === 'payment_intent.succeeded') {
      const { object } = shaped(event.data, PaymentIntent);
      const { id, amount_received: units, currency, metadata } = object;
      const report = this.taken(reported, event.livemode, id, null, units, currency, metadata);
      return withFee(report, object.latest_charge);
    }
    if (/^(refund\.|charge\.refund\.|charge\.refunded$)/.test(event.type)) {
      return this.givenBack(reported, event);
    }
    if (event.type.startsWith('charge.dispute.')) {
      return irrelevant(reported, 'a dispute at Stripe took money back; record it here');
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

  async refund(request: RefundRequest): Promise<RefundOutcome> {
    if (!this.api) throw unavailable('Stripe');
    return refusedIsFailed(this.api.createRefund(request));
  }

  async lookUpRefund(request: RefundRequest): Promise<RefundFound> {
    if (!this.api) throw unavailable('Stripe');
    return refusedIsUnavailable(this.api.findRefund(request), 'Stripe');
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
      // Stripe does not copy it from the session, and payment_intent.* events carry only this one.
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
    if (this.isOfOtherMode(livemode)) return irrelevant(reported, OTHER_MODE);
    const amount = moneyOfStripe(units, currencyCode);
    if (!amount) return irrelevant(reported, `cannot book ${units} units of ${currencyCode}`);
    const linkId = ownIdFrom(metadata?.payment_link_id);
    const paid = { linkId, providerObjectId, providerPaymentId, amount, fee: null };
    return { ...reported, kind: 'paid', ...paid };
  }

  /**
   * One refund (`refund.*`, `charge.refund.updated`), or how much of a charge in all. One that we
   * cannot read is left to a person: to refuse it would lose it.
   */
  private givenBack(reported: Reported, event: z.infer<typeof Event>): ProviderReport {
    if (this.isOfOtherMode(event.livemode)) return irrelevant(reported, OTHER_MODE);
    const { eventId, eventType, fingerprint } = reported;
    const review = `money went back at Stripe (${eventType}); record the refund here`;
    if (eventType === 'charge.refunded') {
      const charge = Charge.safeParse(event.data).data?.object;
      const amount = charge && moneyOfStripe(charge.amount_refunded, charge.currency);
      if (!amount || !charge.payment_intent) return irrelevant(reported, review);
      const whole = { providerPaymentId: charge.payment_intent, amount, review };
      return { eventId, eventType, fingerprint, kind: 'refunded_in_all', ...whole };
    }
    const refund = Refund.safeParse(event.data).data?.object;
    const amount = refund && moneyOfStripe(refund.amount, refund.currency);
    if (!amount || !refund.payment_intent) return irrelevant(reported, review);
    return {
      eventId,
      eventType,
      fingerprint,
      kind: 'refund',
      refundId: ownIdFrom(refund.metadata?.refund_id),
      providerRefundId: refund.id,
      providerPaymentId: refund.payment_intent,
      amount,
      outcome: stripeOutcome(refund),
      review,
    };
  }

  private isOfOtherMode(livemode: boolean | undefined): boolean {
    const { environment } = this.settings;
    return Boolean(environment) && livemode !== undefined && livemode !== (environment === 'live');
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

function withFee(
  report: ProviderReport,
  charge: z.infer<typeof WithFee> | null | undefined,
): ProviderReport {
  if (report.kind !== 'paid' || !charge) return report;
  const { fee, currency } = charge.balance_transaction;
  return { ...report, fee: feeWithin(report.amount, moneyOfStripe(fee, currency)) };
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
