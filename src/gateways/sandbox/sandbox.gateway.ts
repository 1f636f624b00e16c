import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Money } from '../../kernel/money.js';
import {
  type Checkout,
  type CheckoutRequest,
  type Delivery,
  type DirectDebits,
  type DisputeReport,
  Gateway,
  type GatewayAccounts,
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
import { feeWithin, moneyOf } from '../provider-amount.js';
import { payoutTold, TOLD_PAYOUT } from '../told-payout.js';
import { type GatewayContext, type Provider, SettingRefused } from '../provider.js';
import { ownIdFrom, readJson, sameBytes, shaped, Ascii } from '../signed-body.js';
import {
  newMessageId,
  newStandardSecret,
  signedDelivery,
  StandardKeys,
  verifyStandardWebhook,
} from '../standard-signature.js';
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
import { sandboxRefund } from './sandbox-refunds.js';

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

const Event = z.object({ id: Ascii, type: Ascii, data: z.unknown().optional() });
const Payment = z.object({
  payment_id: Ascii,
  payment_link_id: z.unknown().optional(),
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  fee: z.int().min(0).optional(),
  paid_at: z.iso.datetime({ offset: true }),
});
const Failure = z.object({
  payment_id: Ascii,
  payment_link_id: z.unknown().optional(),
  reversal_id: Ascii.optional(),
  reason: Ascii.optional(),
  at: z.iso.datetime({ offset: true }),
});
const STATUS_OF_DISPUTE = new Map<string, DisputeReport['status']>([
  ['dispute.inquiry', 'inquiry'],
  ['dispute.opened', 'open'],
  ['dispute.updated', 'open'],
  ['dispute.won', 'won'],
  ['dispute.lost', 'lost'],
  ['dispute.closed', 'closed'],
]);
const Dispute = z.object({
  dispute_id: Ascii,
  payment_id: Ascii,
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  withdrawn: z.int().min(0).optional(),
  fee: z.int().min(0).optional(),
  reason: Ascii.optional(),
  evidence_due_by: z.iso.datetime({ offset: true }).optional(),
  at: z.iso.datetime({ offset: true }),
});
const Payout = z.object({ ...TOLD_PAYOUT, at: z.iso.datetime({ offset: true }) });

export class SandboxGateway extends Gateway {
  readonly name: string;
  readonly accounts: GatewayAccounts;
  readonly provider = 'sandbox';
  readonly method = 'other';
  override readonly title = 'Sandbox';
  readonly canRefund = true;
  private readonly book: SandboxBook | null;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly context: GatewayContext,
  ) {
    super();
    this.name = context.name;
    this.accounts = context.accounts;
    this.book = context.dataDir === undefined ? null : new SandboxBook(context.dataDir);
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
    return happened.map((event) => this.report(event));
  }

  /** A payment that ends so, from now on. */
  play(outcome: SandboxOutcome, of: { linkId: string; amount: Money }): SandboxPayment {
    const sample = { ...of, paymentId: newPaymentId() };
    const now = this.context.clock.now();
    const events = sandboxEvents(outcome, sample, now, this.delaySeconds * 1000);
    return { gateway: this.name, linkId: of.linkId, outcome, events };
  }

  sendingsOf(payment: SandboxPayment): SandboxSending[] {
    return sandboxSendings(payment, this.manner, this.delaySeconds * 1000);
  }

  /** As it is sent now: an event keeps its id, and is signed anew each time. */
  signedEvent({ id, type, data }: SandboxEvent): SampleDelivery {
    return this.signed(this.context.clock.now(), { id, type, data });
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
    verifyStandardWebhook(this.settings.webhook_secret, delivery, this.context.clock.now());
  }

  parse({ rawBody }: Delivery): readonly ProviderReport[] {
    return [this.report(readJson(rawBody, Event))];
  }

  private report(event: z.infer<typeof Event>): ProviderReport {
    const reported = { eventId: event.id, eventType: event.type, fingerprint: null };
    if (/^refund\.(pending|succeeded|failed)$/.test(event.type)) {
      return sandboxRefund(reported, event.data, this.context.clock.now());
    }
    if (/^payment\.(processing|failed|reversed)$/.test(event.type)) {
      return unpaid(reported, event.data);
    }
    if (event.type === 'payout.paid' || event.type === 'payout.failed') {
      const told = shaped(event.data, Payout);
      const status = event.type === 'payout.paid' ? 'sent' : 'failed';
      return payoutTold(reported, { status, at: new Date(told.at) }, told);
    }
    if (STATUS_OF_DISPUTE.has(event.type)) return disputed(reported, event.data);
    if (event.type !== 'payment.succeeded') return { ...reported, kind: 'irrelevant' };
    const payment = shaped(event.data, Payment);
    const { amount: minor, fee, currency } = payment;
    const amount = moneyOf(minor, currency);
    if (!amount) {
      const { payment_id: providerPaymentId } = payment;
      const moved = { direction: 'in', reference: null, providerPaymentId, amount: null } as const;
      const review = `cannot book ${minor} of ${currency}`;
      return { ...reported, kind: 'irrelevant', review, moved };
    }
    return {
      ...reported,
      kind: 'paid',
      linkId: ownIdFrom(payment.payment_link_id),
      providerObjectId: null,
      providerPaymentId: payment.payment_id,
      amount,
      fee: feeWithin(amount, fee === undefined ? undefined : moneyOf(fee, currency)),
      paidAt: new Date(payment.paid_at),
    };
  }

  /** As it is: the signature binds every byte. */
  async confirm(report: ProviderReport): Promise<ProviderReport> {
    return report;
  }

  /** No money came, so none has to go: it is done at once, and asked again the same refund. */
  async refund({ refundId }: RefundRequest): Promise<RefundOutcome> {
    return { status: 'succeeded', providerRefundId: sandboxRefundId(refundId) };
  }

  /** The sandbox keeps no refunds: it knows one again by the id that it gave, and only by it. */
  async lookUpRefund({ refundId, providerRefundId }: RefundRequest): Promise<RefundFound> {
    return providerRefundId === sandboxRefundId(refundId)
      ? { status: 'succeeded', providerRefundId }
      : { status: 'not_found' };
  }

  samplePaidDelivery({ id: linkId, amount }: { id: string; amount: Money }, now: Date) {
    return this.sampleEventDelivery('paid', { linkId, paymentId: newPaymentId(), amount }, now);
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date): SampleDelivery {
    return this.signed(now, { id: newMessageId(), ...sandboxEvent(event, of, now) });
  }

  private signed(now: Date, event: z.infer<typeof Event>): SampleDelivery {
    const { id } = event;
    const body = JSON.stringify(event);
    return signedDelivery(this.settings.webhook_secret, { id, body, now });
  }
}

function newPaymentId(): string {
  return `sbx_${randomBytes(12).toString('hex')}`;
}

/** On its way, failed at last, or taken back after it had come. */
function unpaid(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
): ProviderReport {
  const { payment_id, payment_link_id, reversal_id, reason, at: text } = shaped(data, Failure);
  const link = { linkId: ownIdFrom(payment_link_id), providerObjectId: null };
  const at = new Date(text);
  const { eventType } = reported;
  if (eventType === 'payment.processing') return { ...reported, kind: 'processing', ...link, at };
  return {
    ...reported,
    kind: eventType === 'payment.failed' ? 'failed' : 'unpaid_again',
    ...link,
    providerPaymentId: payment_id,
    amount: null,
    reference: reversal_id ?? null,
    reason: reason ?? eventType.replace('payment.', ''),
    at,
    isFinal: true,
  };
}

function disputed(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  data: unknown,
): ProviderReport {
  const told = shaped(data, Dispute);
  const { currency } = told;
  const amount = moneyOf(told.amount, currency);
  const { dispute_id: disputeId, payment_id: providerPaymentId } = told;
  const review = 'a payment was disputed at the sandbox that is not in the books';
  if (!amount) {
    const reference = disputeId;
    const moved = { direction: 'out', reference, providerPaymentId, amount: null } as const;
    return { ...reported, kind: 'irrelevant', review, moved };
  }
  const money = (minor: number | undefined) =>
    minor === undefined ? null : Money.of(BigInt(minor), currency);
  return {
    ...reported,
    kind: 'dispute',
    disputeId,
    providerPaymentId,
    status: STATUS_OF_DISPUTE.get(reported.eventType) ?? 'open',
    amount,
    withdrawn: money(told.withdrawn),
    fee: money(told.fee),
    reason: told.reason ?? 'general',
    evidenceDueBy: told.evidence_due_by === undefined ? null : new Date(told.evidence_due_by),
    at: new Date(told.at),
    review,
  };
}

function sandboxRefundId(refundId: string): string {
  return `sbx_${refundId}`;
}
