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
  type ProviderReport,
  type RefundFound,
  type RefundOutcome,
  type RefundRequest,
  type SampleDelivery,
  type SampleEvent,
  type SampleOf,
} from '../../payments/index.js';
import { feeWithin, moneyOf } from '../provider-amount.js';
import { type GatewayContext, type Provider, SettingRefused } from '../provider.js';
import { ownIdFrom, readJson, sameBytes, shaped, Ascii } from '../signed-body.js';
import {
  newMessageId,
  newStandardSecret,
  signedDelivery,
  StandardKeys,
  verifyStandardWebhook,
} from '../standard-signature.js';
import { SandboxMandates } from './sandbox-mandates.js';
import { sandboxRefund } from './sandbox-refunds.js';

const Settings = z.strictObject({ webhook_secret: StandardKeys });
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
  kinds: { webhook_secret: 'rotated' },
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

export class SandboxGateway extends Gateway {
  readonly name: string;
  readonly accounts: GatewayAccounts;
  readonly provider = 'sandbox';
  readonly method = 'other';
  override readonly title = 'Sandbox';
  readonly canRefund = true;

  constructor(
    private readonly settings: SandboxSettings,
    private readonly context: GatewayContext,
  ) {
    super();
    this.name = context.name;
    this.accounts = context.accounts;
  }

  /** The way back is in the address, signed: the sandbox keeps nothing, and leads nowhere else. */
  async createCheckout({ linkId, returnUrl }: CheckoutRequest): Promise<Checkout> {
    const query = new URLSearchParams({
      return_url: returnUrl,
      signature: this.signatureOf(linkId, returnUrl),
    });
    const url = `${this.context.baseUrl}/v1/sandbox/${this.name}/${linkId}?${query}`;
    return { url, providerObjectId: null };
  }

  /** The way back from a pay page, if we made the address. */
  isReturn(linkId: string, returnUrl: string, signature: string): boolean {
    return sameBytes(Buffer.from(signature), Buffer.from(this.signatureOf(linkId, returnUrl)));
  }

  private signatureOf(linkId: string, returnUrl: string): string {
    const [key = Buffer.alloc(0)] = this.settings.webhook_secret;
    return createHmac('sha256', key).update(`return ${linkId} ${returnUrl}`).digest('hex');
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

  /** The sandbox keeps no books: it knows a refund again by the id that it gave, and only by it. */
  async lookUpRefund({ refundId, providerRefundId }: RefundRequest): Promise<RefundFound> {
    return providerRefundId === sandboxRefundId(refundId)
      ? { status: 'succeeded', providerRefundId }
      : { status: 'not_found' };
  }

  samplePaidDelivery({ id: linkId, amount }: { id: string; amount: Money }, now: Date) {
    const paymentId = `sbx_${randomBytes(12).toString('hex')}`;
    return this.sampleEventDelivery('paid', { linkId, paymentId, amount }, now);
  }

  override sampleEventDelivery(event: SampleEvent, of: SampleOf, now: Date): SampleDelivery {
    const { linkId: payment_link_id, paymentId: payment_id, amount } = of;
    const money = { amount: amount.toMinorNumber(), currency: amount.currency };
    if (event === 'paid') {
      const paid = { payment_id, payment_link_id, ...money, paid_at: now.toISOString() };
      return this.signed(now, 'payment.succeeded', paid);
    }
    const at = now.toISOString();
    if (event === 'refunded') {
      const refund = { sandbox_refund_id: `sbx_refund_${payment_id}`, payment_id, ...money, at };
      return this.signed(now, 'refund.succeeded', refund);
    }
    if (event.startsWith('dispute.')) {
      const dispute = { dispute_id: `sbx_dispute_${payment_id}`, payment_id, ...money, at };
      return this.signed(now, event, dispute);
    }
    return this.signed(now, `payment.${event}`, {
      payment_id,
      payment_link_id,
      at: now.toISOString(),
    });
  }

  private signed(now: Date, type: string, data: object): SampleDelivery {
    const id = newMessageId();
    const body = JSON.stringify({ id, type, data });
    return signedDelivery(this.settings.webhook_secret, { id, body, now });
  }
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
