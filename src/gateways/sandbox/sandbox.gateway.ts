import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Money } from '../../kernel/money.js';
import { newStandardSecret } from '../../kernel/standard-webhook.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type DirectDebits,
  Gateway,
  type GatewayCheck,
  type PlacedCheckout,
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundRequest,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { unavailable } from '../provider-api.js';
import { type GatewayContext, type Provider, SettingRefused } from '../provider.js';
import { sameBytes } from '../signed-body.js';
import {
  newMessageId,
  signedDelivery,
  StandardKeys,
  verifyStandardWebhook,
} from '../standard-signature.js';
import { type RefundStanding, SandboxRefundBook } from './sandbox-refund-book.js';
import { SandboxBook } from './sandbox-book.js';
import {
  SANDBOX_MANNERS,
  type SandboxManner,
  sandboxEvent,
  type SandboxEvent,
  sandboxEvents,
  type SandboxOutcome,
  type SandboxPayment,
  type SandboxSending,
  sandboxSendings,
} from './sandbox-outcomes.js';
import { SandboxMandates } from './sandbox-mandates.js';
import { sandboxEventReport, sandboxReport } from './sandbox-reports.js';

const Settings = z.strictObject({
  webhook_secret: StandardKeys,
  delivery: z.enum(SANDBOX_MANNERS).default('prompt'),
  delay_seconds: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'has to be a whole number from 1 to 99999')
    .default('5')
    .transform(Number),
});
type SandboxSettings = z.infer<typeof Settings>;

/**
 * A provider without a provider: its pay page is ours, its webhooks are really signed, by the
 * Standard Webhooks scheme (standardwebhooks.com). For development and demos.
 */
export const sandbox: Provider<SandboxSettings> = {
  name: 'sandbox',
  demo: {
    isPretended: true,
    settings: (_given, made) => ({
      webhook_secret: made.secret('sandbox', newStandardSecret),
    }),
  },
  settings: Settings,
  kinds: { webhook_secret: 'rotated', delivery: 'shown', delay_seconds: 'shown' },
  // Anyone who opens its page has paid.
  unsafe: () => [new SettingRefused('provider', 'sandbox is refused in production')],
  open: (settings, context) => new SandboxGateway(settings, context),
};

export class SandboxGateway extends Gateway {
  readonly provider = 'sandbox';
  readonly method = 'other';
  override readonly title = 'Sandbox';
  readonly canRefund = true;
  private readonly book: SandboxBook | null;
  private readonly refundBook: SandboxRefundBook | null;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly context: GatewayContext,
  ) {
    super(context);
    this.book = context.dataDir === undefined ? null : new SandboxBook(context.dataDir);
    this.refundBook = context.dataDir === undefined ? null : new SandboxRefundBook(context.dataDir);
  }

  override get isForTests(): boolean {
    return true;
  }

  get manner(): SandboxManner {
    return this.settings.delivery;
  }

  get delaySeconds(): number {
    return this.settings.delay_seconds;
  }

  /** The way back is in the address, signed, so that the page leads nowhere else. */
  async createCheckout({ linkId, returnUrl }: CheckoutRequest): Promise<Checkout> {
    const query = new URLSearchParams({
      return_url: returnUrl,
      signature: this.signatureOf(linkId, returnUrl),
    });
    const url = `${this.context.baseUrl}/v1/sandbox/${this.name}/${linkId}?${query}`;
    return { url, providerObjectId: this.book && linkId };
  }

  override get tellsCheckouts(): boolean {
    return this.book !== null;
  }

  /** All that has happened until now, whether or not its events have arrived. */
  override async lookUpCheckout({ linkId }: PlacedCheckout): Promise<readonly ProviderReport[]> {
    const payment = await this.book?.find({ gateway: this.name, linkId });
    const now = this.context.clock.now();
    const happened = payment?.events.filter(({ at }) => at <= now) ?? [];
    return happened.map((event) => sandboxEventReport(event, now));
  }

  /** A payment that ends so, from now on. */
  play(
    outcome: SandboxOutcome,
    of: { linkId: string; amount: Money; paymentId?: string | undefined },
  ): SandboxPayment {
    const sample = { ...of, paymentId: of.paymentId ?? this.samplePaymentId() };
    const now = this.context.clock.now();
    const events = sandboxEvents(outcome, sample, now, this.delaySeconds * 1000);
    return { gateway: this.name, linkId: of.linkId, outcome, events };
  }

  sendingsOf(payment: SandboxPayment): SandboxSending[] {
    const sendings = sandboxSendings(payment, this.manner, this.delaySeconds * 1000);
    return sendings.map((one) => ({ ...one, due: this.context.clock.onServer(one.due) }));
  }

  /** As it is sent now: an event keeps its id, and is signed anew each time. */
  signedEvent({ id, type, data }: SandboxEvent): SampleDelivery {
    return this.signed(this.context.clock.serverNow(), { id, type, data });
  }

  /** Only our page knows it, so that a page of another site cannot choose. */
  pageToken(linkId: string): string {
    return this.mac(`choice ${linkId}`);
  }

  isPageToken(linkId: string, token: string): boolean {
    return sameBytes(Buffer.from(token), Buffer.from(this.pageToken(linkId)));
  }

  /** The way back from a pay page, if we made the address. */
  isReturn(linkId: string, returnUrl: string, signature: string): boolean {
    return sameBytes(Buffer.from(signature), Buffer.from(this.signatureOf(linkId, returnUrl)));
  }

  private signatureOf(linkId: string, returnUrl: string): string {
    return this.mac(`return ${linkId} ${returnUrl}`);
  }

  private mac(text: string): string {
    const [key = Buffer.alloc(0)] = this.settings.webhook_secret;
    return createHmac('sha256', key).update(text).digest('hex');
  }

  override get directDebits(): DirectDebits {
    return new SandboxMandates(this.context.clock);
  }

  override async check(): Promise<readonly GatewayCheck[]> {
    return [{ check: 'credentials', status: 'ok', detail: 'nobody has to be asked' }];
  }

  async verify(delivery: Delivery): Promise<void> {
    verifyStandardWebhook(this.settings.webhook_secret, delivery, this.context.clock.serverNow());
  }

  parse({ rawBody }: Delivery): readonly ProviderReport[] {
    return [sandboxReport(rawBody, this.context.clock.now())];
  }

  /** @param subject a refund; or a payment, by the id that it has here: its refunds to come */
  async decideRefunds(subject: string, standing: RefundStanding): Promise<void> {
    await this.refundBook?.keep(this.name, subject, standing);
  }

  /**
   * No money came, so none has to go: unless somebody decided else, the refund is done at once, and
   * asked again it is the same one.
   */
  async refund({ refundId, providerPaymentId }: RefundRequest): Promise<RefundOutcome> {
    const known = await this.refundBook?.find(this.name, refundId);
    const decided = known ?? (await this.refundBook?.find(this.name, providerPaymentId));
    if (decided !== undefined && known === undefined) await this.decideRefunds(refundId, decided);
    return standingRefund(refundId, decided ?? 'succeeded');
  }

  /** It knows a refund again of which somebody decided, or by the id that it gave. */
  override async lookUpRefund({ refundId, providerRefundId }: RefundRequest): Promise<RefundFound> {
    const decided = await this.refundBook?.find(this.name, refundId);
    if (decided !== undefined) return standingRefund(refundId, decided);
    return providerRefundId === sandboxRefundId(refundId)
      ? { status: 'succeeded', providerRefundId }
      : { status: 'not_found' };
  }

  protected override samplePaymentId(): string {
    return `sbx_${randomBytes(12).toString('hex')}`;
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date): SampleDelivery {
    return this.signed(now, { id: newMessageId(), ...sandboxEvent(event, of, now) });
  }

  private signed(now: Date, event: { id: string; type: string; data?: unknown }): SampleDelivery {
    const { id } = event;
    const body = JSON.stringify(event);
    return signedDelivery(this.settings.webhook_secret, { id, body, now });
  }
}

/** @throws DomainError `gateway_unavailable` for one that is to stay unanswered */
function standingRefund(refundId: string, standing: RefundStanding): RefundOutcome {
  if (standing === 'unanswered') throw unavailable('The sandbox');
  if (standing === 'failed') return { status: 'failed', reason: 'declined' };
  return { status: standing, providerRefundId: sandboxRefundId(refundId) };
}

export function sandboxRefundId(refundId: string): string {
  return `sbx_${refundId}`;
}
