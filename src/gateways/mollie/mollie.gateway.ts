import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { firstCharacters } from '../../kernel/first-characters.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type GatewayCheck,
  InvalidSignature,
  type NamedObject,
  type PlacedCheckout,
  type ProviderReport,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { ObjectLookUps } from '../object-look-ups.js';
import { nearestLanguage } from '../page-language.js';
import { keyMissing, unavailable } from '../provider-api.js';
import { asked, noKey } from '../provider-check.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { assertBodyMac, bodyMac, onlyHeader } from '../signed-body.js';
import { mollieAmount } from './mollie-amount.js';
import { MollieApi, type MolliePayment } from './mollie-api.js';
import { mollieSample } from './mollie-samples.js';
import { MollieSettlements } from './mollie-settlements.js';
import { lookedUp, mollieEvent } from './mollie-events.js';

const DESCRIPTION_LIMIT = 255;
/** docs.mollie.com/reference/common-data-types: those of its pay pages. */
const LANGUAGES = (
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI ' +
  'da_DK is_IS hu_HU pl_PL lv_LV lt_LT'
).split(' ');
const SIGNATURE_HEADER = 'x-mollie-signature';
/** Two while the secret is rotated; Node joins repeated headers by a comma. */
const SIGNATURES = /^(?:sha256=)?[0-9a-f]{64}(?:, ?(?:sha256=)?[0-9a-f]{64})?$/;
/** All that a classic webhook sends. */
const CLASSIC = /^id=(tr_[A-Za-z0-9]{4,64})$/;

const Settings = z
  .strictObject({
    webhook_secret: Secrets.optional(),
    api_key: z.string().min(1).optional(),
    organization_token: z
      .string()
      .regex(/^access_[A-Za-z0-9]{1,255}$/, 'is no access token of an organization')
      .optional(),
    api_base: ApiBase.default('https://api.mollie.com'),
    environment: z.enum(['live', 'sandbox']).optional(),
  })
  .refine(({ webhook_secret: secrets, api_key: key }) => secrets || key, {
    path: ['webhook_secret'],
    message: 'or the API_KEY is required; both are better',
  });
type MollieSettings = z.infer<typeof Settings>;

/**
 * Mollie, Payments API v2. Its classic webhooks send the id of a payment, unsigned: it is looked up.
 * The next-generation ones are signed, and say all.
 */
export const mollie: Provider<MollieSettings> = {
  name: 'mollie',
  demo: {
    settings: (_given, made) => ({
      webhook_secret: made.secret('mollie', () => randomBytes(24).toString('hex')),
    }),
  },
  settings: Settings,
  kinds: {
    webhook_secret: 'rotated',
    api_key: 'secret',
    organization_token: 'secret',
    api_base: 'host',
    environment: 'shown',
  },
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new MollieGateway(settings, context),
};

class MollieGateway extends GatewayWithApi<MollieApi> {
  readonly provider = 'mollie';
  readonly method = 'other';
  readonly title = 'Mollie';
  override readonly payoutNote =
    'Mollie tells payouts in no event: they are read from its list once a day, as ' +
    'docs/providers/mollie.md says.';
  private readonly payments: ObjectLookUps<MolliePayment | undefined> | undefined;

  constructor(
    private readonly settings: MollieSettings,
    context: GatewayContext,
  ) {
    const { api_key: apiKey, api_base: apiBase } = settings;
    const api = apiKey ? new MollieApi({ apiBase, apiKey }, context.fetch) : undefined;
    super(context, api, api);
    if (!api) return;
    this.payments = new ObjectLookUps('Mollie', async (id) =>
      refusedIsUnavailable(api.findPayment(id), 'Mollie'),
    );
  }

  /** Without a key nothing is called. The link id is the Idempotency-Key: one link, one payment. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const { linkId, amount, description, returnUrl, webhookUrl } = request;
    const locale = nearestLanguage(request.language, LANGUAGES);
    const payment = {
      amount: mollieAmount(amount),
      description: firstCharacters(description, DESCRIPTION_LIMIT),
      redirectUrl: returnUrl,
      ...(webhookUrl && { webhookUrl }),
      ...(locale && { locale }),
      metadata: { payment_link_id: linkId },
    };
    return this.api.createPayment(payment, linkId);
  }

  override async cancelCheckout({ providerObjectId }: PlacedCheckout): Promise<void> {
    if (this.api) await this.api.cancelPayment(providerObjectId);
  }

  override async lookUpCheckout(page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    return this.lookedUp(page.providerObjectId, true);
  }

  override paymentsBetween(from: Date, to: Date) {
    return this.api && paidBetween(this.api, { from, to }, this.settings.environment);
  }

  override payoutsBetween(from: Date, to: Date) {
    const { organization_token: token, api_base: apiBase } = this.settings;
    if (token === undefined) return undefined;
    return new MollieSettlements({ apiBase, token }, this.context.fetch).between(from, to);
  }

  /** A body without a signature may only name a payment, which tells nothing yet. */
  async verify({ rawBody, headers }: Delivery): Promise<void> {
    if (headers[SIGNATURE_HEADER] === undefined && classicId(rawBody)) return;
    const header = onlyHeader(headers, SIGNATURE_HEADER, SIGNATURES);
    const given = header.split(',').map((item) => item.trim().replace('sha256=', ''));
    if (new Set(given).size !== given.length) throw new InvalidSignature('a repeated signature');
    assertBodyMac(given, this.settings.webhook_secret ?? [], rawBody);
  }

  parse({ rawBody, headers }: Delivery): readonly (ProviderReport | NamedObject)[] {
    const objectId = headers[SIGNATURE_HEADER] === undefined ? classicId(rawBody) : undefined;
    if (objectId) {
      const event = { eventId: null, eventType: 'payment', at: null };
      return [{ kind: 'named', objectId, ...event, isSigned: false }];
    }
    return mollieEvent(rawBody, this.settings.environment);
  }

  override async lookUp({ objectId, isSigned }: NamedObject): Promise<readonly ProviderReport[]> {
    return this.lookedUp(objectId, isSigned);
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    const { api } = this;
    if (!api) return noKey('API_KEY');
    const { checks } = await asked('Mollie', this.context.clock, async () => api.methods());
    return checks;
  }

  /** @param isTheirs Mollie made it, so a key that does not find it is of another organization */
  private async lookedUp(id: string, isTheirs: boolean): Promise<readonly ProviderReport[]> {
    if (!this.payments) throw keyMissing('Mollie');
    const payment = await this.payments.of(id);
    if (payment) return lookedUp(payment, this.settings.environment);
    if (isTheirs) throw unavailable('Mollie');
    return [];
  }

  protected override samplePaymentId(): string {
    return `tr_${randomBytes(12).toString('hex')}`;
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    const [secret] = this.settings.webhook_secret ?? [];
    if (!secret) throw new Error('a Mollie delivery can be signed only with a WEBHOOK_SECRET');
    const mode = this.settings.environment === 'live' ? 'live' : 'test';
    const sample = mollieSample(event, of, mode, now);
    if (!sample) return undefined;
    const body = JSON.stringify({
      resource: 'event',
      id: `event_${randomBytes(12).toString('hex')}`,
      type: sample.type,
      entityId: sample.entity.id,
      createdAt: now.toISOString(),
      _embedded: { entity: sample.entity },
    });
    const headers = { 'content-type': 'application/json', ...signMollie(secret, body) };
    return { body, headers };
  }
}

/** The payments of links that were paid, page by page. */
async function* paidBetween(
  api: MollieApi,
  { from, to }: { from: Date; to: Date },
  environment: MollieSettings['environment'],
): AsyncGenerator<ProviderReport[]> {
  for await (const page of api.paymentsSince(from)) {
    yield page
      .filter(({ status, createdAt }) => status === 'paid' && new Date(createdAt) < to)
      .flatMap((payment) => lookedUp(payment, environment))
      .filter((told) => told.kind !== 'paid' || told.linkId !== null);
  }
}

function classicId(rawBody: Buffer): string | undefined {
  return CLASSIC.exec(rawBody.toString('latin1'))?.[1];
}

/** The header that Mollie would send with a body; beside `verify`, so that the two cannot drift. */
export function signMollie(secret: string, body: string | Buffer): Record<string, string> {
  return { [SIGNATURE_HEADER]: `sha256=${bodyMac(secret, body)}` };
}
