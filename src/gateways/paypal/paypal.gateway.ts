import {
  createPublicKey,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import { crc32 } from 'node:zlib';
import { firstCharacters } from '../../kernel/first-characters.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type GatewayCheck,
  InvalidSignature,
  isPayoutSample,
  type PaidReport,
  type PayoutSample,
  type PlacedCheckout,
  type ProviderReport,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { demoSettings } from './paypal-demo.js';
import { payPalAmount, PayPalApi } from './paypal-api.js';
import { PayPalCertificates, type PayPalEnvironment } from './paypal-certificates.js';
import { confirmedDispute } from './paypal-disputes.js';
import { confirmedFailure, taken, toldByPayPal } from './paypal-events.js';
import { orderReports } from './paypal-look-ups.js';
import { confirmedRefund, PayPalRefunds } from './paypal-refunds.js';
import { payPalSample } from './paypal-samples.js';
import {
  apiBaseOf,
  demoKey,
  payPalSettings,
  type PayPalSettings,
  payPalSettingKinds,
  payPalTrust,
  unsafePayPal,
} from './paypal-settings.js';
import { irrelevant, unconfirmed } from './paypal-unconfirmed.js';
import { checkedPayPal } from './paypal-check.js';
import { GatewayWithApi } from '../gateway-with-api.js';
import { unavailable } from '../provider-api.js';
import { refusedIsUnavailable } from '../provider-refund.js';
import type { GatewayContext, Provider } from '../provider.js';
import { base64Bytes, hashOf, ownIdFrom, onlyHeader } from '../signed-body.js';

const OLDEST_MS = 4 * 24 * 3_600_000;
const NEWEST_MS = 5 * 60_000;
/** PayPal tells no end: an order that nobody approved is void after three hours. */
const ORDER_MS = 3 * 3_600_000;
const DESCRIPTION_LIMIT = 127;

/**
 * PayPal Checkout, Orders v2. Webhooks: developer.paypal.com, "Verify signatures offline". PayPal
 * signs only a CRC32 of the body, so a body can be replaced by one of the same CRC. So `parse`
 * gives its fingerprint, and with API credentials `confirm` asks PayPal before money is booked.
 */
export const paypal: Provider<PayPalSettings> = {
  name: 'paypal',
  gateway: 'gateway-b',
  demo: { settings: demoSettings },
  settings: payPalSettings,
  kinds: payPalSettingKinds,
  unsafe: unsafePayPal,
  open: (settings, context) => new PayPalGateway(settings, context),
};

type ApprovedReport = Extract<ProviderReport, { kind: 'approved' }>;

class PayPalGateway extends GatewayWithApi<PayPalApi> {
  readonly provider = 'paypal';
  readonly method = 'wallet';
  readonly title = 'PayPal';
  override readonly payoutNote =
    'PayPal tells payouts in no event: they are recorded by hand, or from its report, as ' +
    'docs/providers/paypal.md says.';
  private readonly certificates: PayPalCertificates;
  private readonly demoKey: KeyObject | undefined;

  constructor(
    private readonly settings: PayPalSettings,
    context: GatewayContext,
  ) {
    const { client_id: clientId, client_secret: clientSecret } = settings;
    const keys = clientId && clientSecret ? { clientId, clientSecret } : undefined;
    const api = keys && new PayPalApi({ apiBase: apiBaseOf(settings), ...keys }, context);
    super(context, api, api && new PayPalRefunds(api));
    const { certificates, known } = payPalTrust(settings, context);
    this.certificates = certificates;
    this.demoKey = demoKey(settings, known);
  }

  async createCheckout(request: CheckoutRequest): Promise<Checkout> {
    if (!this.api) return { url: null, providerObjectId: null };
    const order = {
      intent: 'CAPTURE',
      purchase_units: [
        {
          custom_id: request.linkId,
          description: firstCharacters(request.description, DESCRIPTION_LIMIT),
          amount: payPalAmount(request.amount),
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: request.returnUrl,
            cancel_url: request.returnUrl,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
          },
        },
      },
    };
    const { id, url } = await this.api.createOrder(order, request.linkId);
    const pageExpiresAt = new Date(this.context.clock.serverNow().getTime() + ORDER_MS);
    return { url, providerObjectId: id, pageExpiresAt };
  }

  async verify({ rawBody, headers }: Delivery): Promise<void> {
    const id = onlyHeader(headers, 'paypal-transmission-id', TRANSMISSION_ID);
    const time = onlyHeader(headers, 'paypal-transmission-time', TRANSMISSION_TIME);
    const certUrl = onlyHeader(headers, 'paypal-cert-url', /^https:[\x21-\x7e]+$/);
    const signature = onlyHeader(headers, 'paypal-transmission-sig', SIGNATURE);
    // Never chosen by the sender: a weaker algorithm named here must not be followed.
    onlyHeader(headers, 'paypal-auth-algo', /^SHA256withRSA$/);
    const ageMs = this.context.clock.serverNow().getTime() - Date.parse(time);
    // PayPal repeats an event for three days under its first time. Written so that NaN is refused.
    if (!(ageMs <= OLDEST_MS && ageMs >= -NEWEST_MS)) throw new InvalidSignature('stale time');
    const keys = await this.certificates.keysFor(certUrl);
    const signed = transmission(id, time, this.settings.webhook_id, rawBody);
    const bytes = base64Bytes(signature);
    if (!keys.some((key) => verify('RSA-SHA256', signed, key, bytes))) {
      throw new InvalidSignature('no PayPal certificate made this signature');
    }
  }

  /**
   * The demo's key lies beside the demo, which signs with it and sends to itself. Nobody else comes
   * by such a signature, to put another body under it. Production has no such key.
   */
  private isSignedByDemo({ rawBody, headers }: Delivery): boolean {
    if (!this.demoKey) return false;
    const id = onlyHeader(headers, 'paypal-transmission-id', TRANSMISSION_ID);
    const time = onlyHeader(headers, 'paypal-transmission-time', TRANSMISSION_TIME);
    const signature = onlyHeader(headers, 'paypal-transmission-sig', SIGNATURE);
    const signed = transmission(id, time, this.settings.webhook_id, rawBody);
    const key = createPublicKey(this.demoKey);
    return verify('RSA-SHA256', signed, key, base64Bytes(signature));
  }

  parse({ rawBody, headers }: Delivery): readonly ProviderReport[] {
    const report = toldByPayPal(rawBody, {
      eventId: onlyHeader(headers, 'paypal-transmission-id', TRANSMISSION_ID),
      fingerprint: hashOf(rawBody),
    });
    if (report.kind !== 'paid' || this.isSignedByDemo({ rawBody, headers })) return [report];
    return [{ ...report, unconfirmed: true }];
  }

  override async lookUpCheckout(page: PlacedCheckout): Promise<readonly ProviderReport[]> {
    if (!this.api) throw unavailable('PayPal');
    const now = this.context.clock.serverNow();
    return refusedIsUnavailable(orderReports(this.api, page.providerObjectId, now), 'PayPal');
  }

  override async confirm(report: ProviderReport): Promise<ProviderReport> {
    const { kind } = report;
    if (kind === 'irrelevant' || kind === 'refunded_in_all' || kind === 'payout') return report;
    // It was looked up, so it is PayPal's word; only an approval is still to be captured.
    if (report.fingerprint === null && kind !== 'approved') return report;
    if (!this.api) return unconfirmed(report);
    // A refusal is about our credentials: a true event must come again once they are right.
    return refusedIsUnavailable(this.confirmAt(this.api, report), 'PayPal');
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    return checkedPayPal(this.api, this.settings.webhook_id, this.context);
  }

  protected override samplePaymentId(): string {
    return randomBytes(9).toString('hex').toUpperCase().slice(0, 17);
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date) {
    return isPayoutSample(event) ? undefined : this.sampleOf(event, of, now);
  }

  private sampleOf(
    event: Exclude<SampleEvent, PayoutSample>,
    of: SampleOf,
    now: Date,
  ): SampleDelivery {
    if (!this.demoKey) {
      throw new Error(
        'a PayPal delivery can be signed only with the DEMO_KEY of a demo certificate',
      );
    }
    const time = now.toISOString();
    const body = JSON.stringify({
      id: `WH-${randomBytes(9).toString('hex').toUpperCase()}`,
      event_version: '1.0',
      create_time: time,
      resource_version: '2.0',
      ...payPalSample(event, of, now),
    });
    const { environment, webhook_id: webhookId } = this.settings;
    const headers = signPayPal(this.demoKey, { webhookId, environment, time, body });
    return { body, headers: { 'content-type': 'application/json', ...headers } };
  }

  private async confirmAt(
    api: PayPalApi,
    report: Exclude<ProviderReport, { kind: 'irrelevant' | 'refunded_in_all' | 'payout' }>,
  ): Promise<ProviderReport> {
    switch (report.kind) {
      // It moves no money, and nobody gains by saying so.
      case 'processing':
      case 'mandate':
        return report;
      case 'failed':
      case 'unpaid_again':
        return confirmedFailure(api, report);
      case 'paid':
        return this.confirmPaid(report, api);
      case 'refund':
        return confirmedRefund(api, report);
      case 'dispute':
        return confirmedDispute(api, report);
      case 'approved':
        return this.capture(report, api);
    }
  }

  /** The body may be forged under its CRC: book only what PayPal itself says about this capture. */
  private async confirmPaid(report: PaidReport, api: PayPalApi): Promise<ProviderReport> {
    const capture = await api.findCapture(report.providerPaymentId);
    const truth = taken(report, capture, report.paidAt.toISOString());
    if (/^(PARTIALLY_)?REFUNDED$/.test(capture.status)) {
      const { providerPaymentId, amount } = report;
      const moved = { direction: 'in', reference: null, providerPaymentId, amount } as const;
      const review = 'refunded at PayPal before it could be booked here';
      return { ...irrelevant(report), review, moved };
    }
    if (
      capture.status !== 'COMPLETED' ||
      truth.kind !== 'paid' ||
      truth.providerPaymentId !== report.providerPaymentId ||
      truth.linkId !== report.linkId ||
      truth.amount.toString() !== report.amount.toString()
    ) {
      throw new InvalidSignature('PayPal tells something else about this capture');
    }
    return { ...report, fee: truth.fee, unconfirmed: undefined };
  }

  /**
   * Takes the approved money, once. It reads the order first, because an approval is signed by a
   * CRC alone. An order that is not for a link of ours is left alone.
   */
  private async capture(report: ApprovedReport, api: PayPalApi): Promise<ProviderReport> {
    const order = await api.findOrder(report.providerObjectId);
    if (ownIdFrom(order.purchase_units[0]?.custom_id) !== report.linkId) {
      throw new InvalidSignature('PayPal says otherwise about this order');
    }
    if (!report.linkId) return report;
    const captured = order.status === 'APPROVED' ? await api.captureOrder(order.id) : order;
    const capture = captured?.purchase_units[0]?.payments?.captures?.find(
      ({ status }) => status === 'COMPLETED',
    );
    // Declined, voided, or pending: a pending capture announces itself when it completes.
    if (!capture) return irrelevant(report);
    const paid = taken(report, capture, this.context.clock.serverNow().toISOString());
    if (paid.kind !== 'paid') return paid;
    return { ...paid, linkId: report.linkId, providerObjectId: order.id };
  }
}

const TRANSMISSION_ID = /^[A-Za-z0-9-]{1,64}$/;
const TRANSMISSION_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const SIGNATURE = /^[A-Za-z0-9+/]{340,700}={0,2}$/;

/** The bytes that PayPal signs. The CRC32 is written in decimal. */
function transmission(id: string, time: string, webhookId: string, rawBody: Buffer): Buffer {
  return Buffer.from(`${id}|${time}|${webhookId}|${crc32(rawBody)}`);
}

/** Signs a body as PayPal would. It stands beside `verify`, so that the two cannot drift. */
export function signPayPal(
  key: KeyObject,
  sent: {
    webhookId: string;
    environment: PayPalEnvironment;
    /** ISO 8601 with a `Z`. */
    time: string;
    body: string | Buffer;
    transmissionId?: string;
  },
): Record<string, string> {
  const id = sent.transmissionId ?? randomUUID();
  const host = sent.environment === 'live' ? 'api.paypal.com' : 'api.sandbox.paypal.com';
  const signed = transmission(id, sent.time, sent.webhookId, Buffer.from(sent.body));
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': sent.time,
    'paypal-transmission-sig': sign('RSA-SHA256', signed, key).toString('base64'),
    'paypal-cert-url': `https://${host}/v1/notifications/certs/CERT-00000000-00000000-00000000`,
    'paypal-auth-algo': 'SHA256withRSA',
  };
}
