import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { firstCharacters } from '../../kernel/first-characters.js';
import type { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type GatewayCheck,
  InvalidSignature,
  isPayoutSample,
  type PayoutSample,
  type PlacedCheckout,
  type ProviderReport,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { nearestLanguage } from '../page-language.js';
import { unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { onlyHeader, sameBytes } from '../signed-body.js';
import { adyenAmount } from './adyen-amount.js';
import { AdyenApi } from './adyen-api.js';
import { checkedAdyen } from './adyen-check.js';
import { adyenReports, type AdyenReading, isActedOn, lookedUpLink } from './adyen-events.js';
import { adyenItems, adyenSignature, verifyAdyenItem } from './adyen-items.js';

const TEST_BASE = 'https://checkout-test.adyen.com';
const DESCRIPTION_LIMIT = 280;
const DAY_MS = 24 * 3_600_000;
const LONGEST_DAYS = 70;
/** docs.adyen.com/unified-commerce/pay-by-link, "Language and localization". */
const LANGUAGES = (
  'en-US de-DE fr-FR es-ES it-IT nl-NL pt-PT pt-BR da-DK sv-SE fi-FI no-NO pl-PL cs-CZ sk-SK sl-SI ' +
  'hr-HR hu-HU ro-RO el-GR ru-RU ja-JP ko-KR zh-CN zh-TW ar'
).split(' ');

const Settings = z
  .strictObject({
    webhook_secret: Secrets.refine(
      (keys) => keys.every((key) => /^(?:[0-9A-Fa-f]{2}){16,64}$/.test(key)),
      'has to be the hexadecimal HMAC key',
    ),
    merchant_account: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,100}$/, 'is no account code'),
    api_key: z.string().min(1).optional(),
    api_base: ApiBase.optional(),
    environment: z.enum(['live', 'sandbox']).optional(),
    capture: z.enum(['auto', 'manual']).default('auto'),
    webhook_user: z.string().min(1).optional(),
    webhook_password: z.string().min(1).optional(),
  })
  .refine(
    ({ environment, api_key: key, api_base: base }) => environment !== 'live' || !key || base,
    {
      path: ['api_base'],
      message: 'is required for live payments: the address that Adyen gives each company',
    },
  )
  .refine(({ webhook_user: user, webhook_password: password }) => !user === !password, {
    path: ['webhook_password'],
    message: 'and the WEBHOOK_USER belong together',
  });
type AdyenSettings = z.infer<typeof Settings>;

/** Adyen, Pay by Link and standard webhooks. */
export const adyen: Provider<AdyenSettings> = {
  name: 'adyen',
  demo: {
    settings: (given, made) => ({
      webhook_secret: made.secret('adyen', () => randomBytes(32).toString('hex')),
      // An operator who sets anything has an account, and must not forget to name it.
      ...(Object.keys(given).length === 0 && { merchant_account: 'DemoMerchant' }),
    }),
  },
  settings: Settings,
  kinds: {
    webhook_secret: 'rotated',
    merchant_account: 'shown',
    api_key: 'secret',
    api_base: 'host',
    environment: 'shown',
    capture: 'shown',
    webhook_user: 'shown',
    webhook_password: 'secret',
  },
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new AdyenGateway(settings, context),
};

class AdyenGateway extends GatewayWithApi<AdyenApi> {
  readonly provider = 'adyen';
  readonly method = 'other';
  readonly title = 'Adyen';
  override readonly payoutNote =
    'Adyen tells payouts in no event: they are recorded by hand, as docs/providers/adyen.md says.';
  override readonly answers = { accepted: { status: 200, text: '[accepted]' } };
  /** Its API tells nothing of refunds, only events do. */
  override readonly tellsRefunds = false;
  /** docs.adyen.com/development-resources/api-idempotency: at least. */
  override readonly refundKeyHours = 7 * 24;
  private readonly reading: AdyenReading;

  constructor(
    private readonly settings: AdyenSettings,
    context: GatewayContext,
  ) {
    const { api_key: apiKey, api_base: apiBase = TEST_BASE, environment, capture } = settings;
    const { merchant_account: merchantAccount } = settings;
    const keys = apiKey ? { apiBase, apiKey, merchantAccount } : undefined;
    const api = keys && new AdyenApi(keys, context.fetch);
    super(context, api, api);
    this.reading = { merchantAccount, environment, capture };
  }

  /** Calls nothing without an API key. The link's id is the Idempotency-Key: one link, one page. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const { linkId, amount, description, returnUrl, expiresAt, payer } = request;
    const shopperLocale = nearestLanguage(request.language, LANGUAGES);
    const page = {
      amount: adyenAmount(amount),
      description: firstCharacters(description, DESCRIPTION_LIMIT),
      returnUrl,
      expiresAt: `${pageExpiry(expiresAt, this.context.clock.serverNow()).toISOString().slice(0, 19)}Z`,
      reusable: false,
      manualCapture: this.settings.capture === 'manual',
      ...(shopperLocale && { shopperLocale }),
      ...(payer.email && { shopperEmail: payer.email }),
      ...(payer.country && { countryCode: payer.country }),
    };
    const { id, url, expiresAt: pageExpiresAt } = await this.api.createLink(page, linkId);
    return { url, providerObjectId: id, pageExpiresAt };
  }

  /** Adyen refuses to close a page that is not active; only its state says why. */
  override async cancelCheckout(page: PlacedCheckout): Promise<void> {
    const { api } = this;
    if (!api) return;
    const closed = await refusedIsUnavailable(api.expireLink(page), 'Adyen');
    const { status } = closed ?? (await refusedIsUnavailable(api.findLink(page), 'Adyen'));
    if (status === 'active') throw unavailable('Adyen');
  }

  override async lookUpCheckout(page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    if (!this.api) return [];
    const link = await refusedIsUnavailable(this.api.findLink(page), 'Adyen');
    return lookedUpLink(link, page.linkId, this.context.clock.serverNow());
  }

  /** All items, before any of them is read. */
  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const { webhook_user: user, webhook_password: password } = this.settings;
    if (user !== undefined && password !== undefined) {
      const given = onlyHeader(headers, 'authorization', /^Basic [A-Za-z0-9+/]+={0,2}$/);
      const wanted = Buffer.from(basicAuth(user, password), 'latin1');
      if (!sameBytes(Buffer.from(given, 'latin1'), wanted)) {
        throw new InvalidSignature('another user or password');
      }
    }
    const { items } = adyenItems(rawBody);
    for (const item of items) {
      verifyAdyenItem(this.settings.webhook_secret, item, isActedOn(item));
    }
  }

  parse({ rawBody }: Delivery): readonly ProviderReport[] {
    return adyenReports(rawBody, this.reading, this.context.clock.serverNow());
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    return checkedAdyen(this.api, this.context.clock);
  }

  protected override samplePaymentId(): string {
    return aReference();
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    return isPayoutSample(event) ? undefined : this.sampleOf(event, of, now);
  }

  private sampleOf(
    event: Exclude<SampleEvent, PayoutSample>,
    { linkId: merchantReference, paymentId, amount }: SampleOf,
    now: Date,
  ): SampleDelivery {
    const of = { merchantReference, amount };
    const first = { ...of, pspReference: paymentId };
    if (event === 'processing') return this.signed({ eventCode: 'PENDING', ...first }, now);
    if (event === 'failed') {
      return this.signed({ eventCode: 'AUTHORISATION', success: 'false', ...first }, now);
    }
    if (event === 'paid' && this.settings.capture === 'auto') {
      return this.signed({ eventCode: 'AUTHORISATION', ...first }, now);
    }
    const prefix = event.startsWith('dispute.') ? 'D' : event.slice(0, 3).toUpperCase();
    const later = { ...of, originalReference: paymentId, pspReference: `${prefix}${paymentId}` };
    return this.signed({ eventCode: EVENT_CODES[event], ...later }, now);
  }

  /** As Adyen would send it; beside `verify`, so that the two cannot drift. */
  private signed(event: SampleItem, now: Date): SampleDelivery {
    const { webhook_secret: [key = ''] = [], webhook_user: user, webhook_password } = this.settings;
    const item = {
      pspReference: aReference(),
      originalReference: '',
      merchantAccountCode: this.settings.merchant_account,
      success: 'true' as const,
      ...event,
      amount: adyenAmount(event.amount),
    };
    const { environment } = this.settings;
    const body = JSON.stringify({
      live: String(environment === 'live'),
      notificationItems: [
        {
          NotificationRequestItem: {
            ...item,
            eventDate: now.toISOString(),
            additionalData: { hmacSignature: adyenSignature(key, item) },
          },
        },
      ],
    });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(user && webhook_password && { authorization: basicAuth(user, webhook_password) }),
    };
    return { body, headers };
  }
}

interface SampleItem {
  eventCode: string;
  merchantReference: string;
  amount: Money;
  pspReference?: string;
  originalReference?: string;
  success?: 'true' | 'false';
}

const EVENT_CODES: Readonly<
  Record<Exclude<SampleEvent, 'processing' | 'failed' | PayoutSample>, string>
> = {
  paid: 'CAPTURE',
  refunded: 'REFUND',
  reversed: 'CAPTURE_FAILED',
  'dispute.inquiry': 'REQUEST_FOR_INFORMATION',
  'dispute.opened': 'NOTIFICATION_OF_CHARGEBACK',
  'dispute.won': 'CHARGEBACK_REVERSED',
  'dispute.lost': 'CHARGEBACK',
};

function aReference(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** The same all day, since one Idempotency-Key with another date may be refused. */
function pageExpiry(wanted: Date, now: Date): Date {
  const latest = Math.floor(now.getTime() / DAY_MS) * DAY_MS + LONGEST_DAYS * DAY_MS;
  return wanted.getTime() < latest ? wanted : new Date(latest);
}
