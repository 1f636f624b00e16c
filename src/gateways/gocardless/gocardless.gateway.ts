import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { firstCharacters } from '../../kernel/first-characters.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type DirectDebits,
  type GatewayCheck,
  type NamedObject,
  type PlacedCheckout,
  type ProviderReport,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { keyMissing, unavailable } from '../provider-api.js';
import { asked, noKey, untoldWebhook } from '../provider-check.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import { ApiBase, Secrets } from '../provider-settings.js';
import { type GatewayContext, type Provider, unsafeBase } from '../provider.js';
import { assertBodyMac, bodyMac, onlyHeader } from '../signed-body.js';
import { payableUnits } from './gocardless-amount.js';
import { GoCardlessApi } from './gocardless-api.js';
import { toldByGoCardless } from './gocardless-events.js';
import { flowOf } from './gocardless-flow.js';
import { GoCardlessLookUps } from './gocardless-look-ups.js';
import { GoCardlessMandates } from './gocardless-mandates.js';
import { GoCardlessPaymentId } from './gocardless-objects.js';
import { GoCardlessRefunds } from './gocardless-refunds.js';
import { goCardlessSample } from './gocardless-samples.js';

const HOSTS = {
  live: 'https://api.gocardless.com',
  sandbox: 'https://api-sandbox.gocardless.com',
};
const DESCRIPTION_LIMIT = 100;
const SIGNATURE_HEADER = 'webhook-signature';
const NO_LIST_OF_WEBHOOKS =
  'GoCardless has no list of webhooks to read; see Developers, Webhook endpoints, in its dashboard';
/** States of a request after which nobody can pay there any more. */
const OVER: ReadonlySet<string> = new Set(['fulfilling', 'fulfilled', 'cancelled']);

const Settings = z
  .strictObject({
    webhook_secret: Secrets,
    access_token: z.string().min(1).optional(),
    api_base: ApiBase.optional(),
    environment: z.enum(['live', 'sandbox']).optional(),
  })
  .refine(
    ({ access_token: token, environment }) =>
      !token || !environment || (modeOf(token) ?? environment) === environment,
    { path: ['access_token'], message: 'is of the other ENVIRONMENT' },
  );
type GoCardlessSettings = z.infer<typeof Settings>;

/**
 * GoCardless, API 2015-07-06: payments by bank, at pages that it makes for billing requests. Its
 * webhooks name objects, up to 250 at once, which are looked up.
 */
export const goCardless: Provider<GoCardlessSettings> = {
  name: 'gocardless',
  demo: {
    settings: (_given, made) => ({
      webhook_secret: made.secret('gocardless', () => randomBytes(24).toString('hex')),
    }),
  },
  settings: Settings,
  kinds: {
    webhook_secret: 'rotated',
    access_token: 'secret',
    api_base: 'host',
    environment: 'shown',
  },
  unsafe: (settings) => unsafeBase(settings.api_base),
  open: (settings, context) => new GoCardlessGateway(settings, context),
};

class GoCardlessGateway extends GatewayWithApi<GoCardlessApi> {
  readonly provider = 'gocardless';
  readonly method = 'bank_transfer';
  readonly title = 'GoCardless';
  override readonly answers = { accepted: { status: 204, text: null }, refused: 498 };
  private readonly mandates: GoCardlessMandates | undefined;
  private readonly lookUps: GoCardlessLookUps | undefined;

  constructor(
    private readonly settings: GoCardlessSettings,
    context: GatewayContext,
  ) {
    const api = apiOf(settings, context);
    const refunds = api && new GoCardlessRefunds(api);
    super(context, api, refunds);
    if (!api || !refunds) return;
    this.mandates = new GoCardlessMandates(api, context.clock);
    this.lookUps = new GoCardlessLookUps(api, refunds, this.mandates);
  }

  /** Without a token nothing is called. The link id is the key: one link, one billing request. */
  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const { linkId, amount } = request;
    const metadata = { payment_link_id: linkId };
    const payment = {
      amount: payableUnits(amount),
      currency: amount.currency,
      description: firstCharacters(request.description, DESCRIPTION_LIMIT),
      metadata,
    };
    const id = await this.api.createBillingRequest({ payment_request: payment, metadata }, linkId);
    return { ...(await this.api.createFlow(flowOf(id, request), linkId)), providerObjectId: id };
  }

  override async cancelCheckout({ providerObjectId: id }: PlacedCheckout): Promise<void> {
    const { data: debit } = GoCardlessPaymentId.safeParse(id);
    if (debit !== undefined) return this.mandates?.cancelPayment(debit);
    if (!this.api || (await this.api.cancelBillingRequest(id))) return;
    const found = await refusedIsUnavailable(this.api.findBillingRequest(id), 'GoCardless');
    if (found && !OVER.has(found.status)) throw unavailable('GoCardless');
  }

  override async lookUpCheckout(page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    return this.lookUps ? this.lookUps.ofCheckout(page) : [];
  }

  override paymentsBetween(from: Date, to: Date) {
    return this.lookUps?.confirmedBetween(from, to);
  }

  override get directDebits(): DirectDebits | undefined {
    return this.mandates;
  }

  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const given = onlyHeader(headers, SIGNATURE_HEADER, /^[0-9a-f]{64}$/);
    assertBodyMac([given], this.settings.webhook_secret, rawBody);
  }

  parse({ rawBody }: Delivery): readonly (ProviderReport | NamedObject)[] {
    return toldByGoCardless(rawBody);
  }

  override async lookUp(named: NamedObject): Promise<readonly ProviderReport[]> {
    // Without a token there are no mandates of ours.
    if (!this.lookUps && named.objectId.startsWith('mandates/')) return [];
    if (!this.lookUps) throw keyMissing('GoCardless', 'ACCESS_TOKEN');
    return [await this.lookUps.reportOf(named)];
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    const { api } = this;
    if (!api) return noKey('ACCESS_TOKEN');
    const { checks } = await asked('GoCardless', this.context.clock, async () => api.creditors());
    return [...checks, untoldWebhook(NO_LIST_OF_WEBHOOKS)];
  }

  protected override samplePaymentId(): string {
    return `PM${randomBytes(8).toString('hex').toUpperCase()}`;
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    const sample = goCardlessSample(event, of, now);
    if (!sample) return undefined;
    const body = JSON.stringify(sample);
    const [secret = ''] = this.settings.webhook_secret;
    const headers = { 'content-type': 'application/json', ...signGoCardless(secret, body) };
    return { body, headers };
  }
}

function apiOf(settings: GoCardlessSettings, { fetch }: GatewayContext): GoCardlessApi | undefined {
  const { access_token: accessToken, environment, api_base: base } = settings;
  if (!accessToken) return undefined;
  const apiBase = base ?? HOSTS[environment ?? modeOf(accessToken) ?? 'live'];
  return new GoCardlessApi({ apiBase, accessToken }, fetch);
}

/** Signs a body as GoCardless would. It stands beside `verify`, so that the two cannot drift. */
export function signGoCardless(secret: string, body: string | Buffer): Record<string, string> {
  return { [SIGNATURE_HEADER]: bodyMac(secret, body) };
}

/** Tokens of the dashboard say where they belong; those of partners do not. */
function modeOf(token: string): 'live' | 'sandbox' | undefined {
  if (token.startsWith('sandbox_')) return 'sandbox';
  return token.startsWith('live_') ? 'live' : undefined;
}
