import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isCurrency } from '../../kernel/currency.js';
import { firstCharacters } from '../../kernel/first-characters.js';
import type { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type GatewayCheck,
  type PlacedCheckout,
  type ProviderReport,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { assertBodyMac, bodyMac, onlyHeader } from '../signed-body.js';
import { razorpayUnits } from './razorpay-amount.js';
import { RazorpayApi } from './razorpay-api.js';
import { checkedRazorpay } from './razorpay-check.js';
import { razorpayEvent } from './razorpay-events.js';
import { ownLinkAmong } from './razorpay-objects.js';
import { namesOfPayment, pageNow, paymentNow } from './razorpay-reports.js';
import { laterSample, paidSample } from './razorpay-samples.js';
import { settlementsTold, withRazorpayLines } from './razorpay-settlements.js';

const DESCRIPTION_LIMIT = 2048;
const SIGNATURE_HEADER = 'x-razorpay-signature';
/** Fifteen minutes are its least, and one is for the way. */
const SHORTEST_MS = 16 * 60_000;
/** Six months are its most, and what it takes when nothing is said. */
const LONGEST_MS = 180 * 24 * 3_600_000;
/** razorpay.com/docs/api/customers: it refuses names of other letters, and short ones. */
const NAME = /^[A-Za-z0-9 .'/@()-]{3,50}$/;

const Settings = z
  .strictObject({
    webhook_secret: Secrets,
    key_id: z
      .string()
      .regex(/^rzp_(?:test|live)_[A-Za-z0-9]{1,64}$/, 'is not a key id of Razorpay')
      .optional(),
    key_secret: z.string().min(1).optional(),
    api_base: ApiBase.default('https://api.razorpay.com'),
    environment: z.enum(['live', 'sandbox']).optional(),
    currency: z.string().refine(isCurrency, 'is no ISO 4217 currency code, such as INR').optional(),
  })
  .refine(({ key_id: id, key_secret: secret }) => !secret === !id, {
    path: ['key_secret'],
    message: 'and the KEY_ID belong together; set both or none',
  })
  .refine(({ key_id: id, environment }) => !id || !environment || modeOf(id) === environment, {
    path: ['key_id'],
    message: 'is of the other mode than the ENVIRONMENT',
  });
type RazorpaySettings = z.infer<typeof Settings>;

function modeOf(keyId: string): 'live' | 'sandbox' {
  return keyId.startsWith('rzp_live_') ? 'live' : 'sandbox';
}

/** Razorpay, Payment Links. Webhooks: razorpay.com/docs/webhooks/validate-test. */
export const razorpay: Provider<RazorpaySettings> = {
  name: 'razorpay',
  demo: {
    settings: (_given, made) => ({
      webhook_secret: made.secret('razorpay', () => randomBytes(24).toString('hex')),
    }),
  },
  settings: Settings,
  kinds: {
    webhook_secret: 'rotated',
    key_id: 'secret',
    key_secret: 'secret',
    api_base: 'host',
    environment: 'shown',
    currency: 'shown',
  },
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new RazorpayGateway(settings, context),
};

class RazorpayGateway extends GatewayWithApi<RazorpayApi> {
  readonly provider = 'razorpay';
  readonly method = 'other';
  readonly title = 'Razorpay';
  override readonly payoutNote =
    'Razorpay tells a settlement without its lines, and none that failed. The lines are in its report, ' +
    'for which the service needs a key. A settlement whose lines nobody tells is an unmatched item.';

  constructor(
    private readonly settings: RazorpaySettings,
    context: GatewayContext,
  ) {
    const { key_id: keyId, key_secret: keySecret, api_base: apiBase } = settings;
    const keys = keyId && keySecret ? { apiBase, keyId, keySecret } : undefined;
    const api = keys && new RazorpayApi(keys, context.fetch);
    super(context, api, api);
  }

  /** Without a key nothing is called. The link id is the reference: one link, one page. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const { linkId, amount, description, payer, returnUrl } = request;
    const expireBy = this.expiryOf(request.expiresAt);
    const page = await this.api.createPage({
      amount: razorpayUnits(amount),
      currency: amount.currency,
      reference_id: linkId,
      accept_partial: false,
      description: firstCharacters(description, DESCRIPTION_LIMIT),
      customer: {
        ...(NAME.test(payer.name) && { name: payer.name }),
        ...(payer.email && { email: payer.email }),
      },
      notify: { sms: false, email: false },
      reminder_enable: false,
      notes: { payment_link_id: linkId },
      callback_url: returnUrl,
      callback_method: 'get',
      ...(expireBy !== undefined && { expire_by: expireBy }),
    });
    return { url: page.short_url, providerObjectId: page.id, pageExpiresAt: page.expire_by };
  }

  override async cancelCheckout({ providerObjectId }: PlacedCheckout): Promise<void> {
    if (!this.api) throw unavailable('Razorpay');
    await refusedIsUnavailable(this.api.cancelPage(providerObjectId), 'Razorpay');
  }

  override async lookUpCheckout(placed: PlacedCheckout): Promise<readonly ProviderReport[]> {
    if (!this.api) throw unavailable('Razorpay');
    return refusedIsUnavailable(this.pageReports(this.api, placed), 'Razorpay');
  }

  private async pageReports(
    api: RazorpayApi,
    { linkId, providerObjectId }: PlacedCheckout,
  ): Promise<readonly ProviderReport[]> {
    const page = await api.findPage(providerObjectId);
    if (ownLinkAmong(page.notes?.payment_link_id, page.reference_id) !== linkId) {
      throw unavailable('Razorpay');
    }
    const names = { linkId, providerObjectId };
    const reports = pageNow(page, names);
    // A try that failed is told by its event; the payer may try again.
    const tried = page.payments.filter(({ status }) => status !== 'failed');
    // It was paid, and does not say by which payment.
    if (page.amount_paid > 0 && tried.length === 0) throw unavailable('Razorpay');
    for (const { payment_id: id } of tried) {
      reports.push(...paymentNow(await api.findPayment(id), names, this.settings.currency));
    }
    return reports;
  }

  override paymentsBetween(from: Date, to: Date) {
    return this.api && this.reportsBetween(this.api, from, to);
  }

  private async *reportsBetween(api: RazorpayApi, from: Date, to: Date) {
    const pages = api.paymentsBetween(from, to);
    for (;;) {
      const page = await refusedIsUnavailable(pages.next(), 'Razorpay');
      if (page.done) return;
      yield page.value.flatMap((now) =>
        paymentNow(now, namesOfPayment(now), this.settings.currency),
      );
    }
  }

  override payoutsBetween(from: Date, to: Date) {
    return this.api && settlementsTold(this.api, { from, to }, this.settings.currency);
  }

  /** Nothing in it says when it was sent; the same bytes are always the same event. */
  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const given = onlyHeader(headers, SIGNATURE_HEADER, /^[0-9a-f]{64}$/);
    assertBodyMac([given], this.settings.webhook_secret, rawBody);
  }

  parse({ rawBody }: Delivery): readonly ProviderReport[] {
    return [razorpayEvent(rawBody, this.settings.currency)];
  }

  /** As it is: it was signed whole, or is what Razorpay answered. A settlement gets its lines. */
  override async confirm(report: ProviderReport): Promise<ProviderReport> {
    if (report.kind !== 'payout' || report.lines || !this.api) return report;
    return refusedIsUnavailable(withRazorpayLines(this.api, report), 'Razorpay');
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    return checkedRazorpay(this.api, this.context);
  }

  override samplePaidDelivery(link: { id: string; amount: Money }, now: Date): SampleDelivery {
    return this.signed(paidSample(link, now));
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    const body = laterSample(event, of, now);
    return body === undefined ? undefined : this.signed(body);
  }

  private signed(body: string): SampleDelivery {
    const [secret = ''] = this.settings.webhook_secret;
    return { body, headers: { 'content-type': 'application/json', ...signRazorpay(secret, body) } };
  }

  /** In seconds; undefined leaves it at its longest. */
  private expiryOf(wanted: Date): number | undefined {
    const now = this.context.clock.serverNow().getTime();
    const left = wanted.getTime() - now;
    if (left > LONGEST_MS) return undefined;
    return Math.ceil((now + Math.max(left, SHORTEST_MS)) / 1000);
  }
}

/** The header that Razorpay would send with a body; beside `verify`, so that the two cannot drift. */
export function signRazorpay(secret: string, body: string | Buffer): Record<string, string> {
  return { [SIGNATURE_HEADER]: bodyMac(secret, body) };
}
