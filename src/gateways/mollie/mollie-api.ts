import { z } from 'zod';
import type { Checkout, RefundFound, RefundOutcome, RefundRequest } from '../../payments/index.js';
import {
  accepted,
  closed,
  idAt,
  type ProviderAnswer,
  ProviderApi,
  unavailable,
} from '../provider-api.js';
import { IsoTime } from '../page-end.js';
import { acceptedRefund } from '../provider-refund.js';
import { mollieAmount, MollieMoney, moneyOfMollie } from './mollie-amount.js';
import { Ascii } from '../signed-body.js';

const PAGE_SIZE = 250;
const PAGES_LIMIT = 20;

/** An id that may go into an address. */
export const PaymentId = z.string().regex(/^tr_[A-Za-z0-9]{4,64}$/);
const Instant = z.iso.datetime({ offset: true });
const Moment = Instant.nullish().catch(null);

/** docs.mollie.com/reference/get-payment, as answers and `payment.*` events both show it. */
export const MolliePayment = z.object({
  id: PaymentId,
  mode: z.enum(['live', 'test']).optional().catch(undefined),
  status: z.enum(['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed']),
  amount: MollieMoney,
  metadata: z.object({ payment_link_id: z.unknown().optional() }).nullish().catch(null),
  createdAt: Instant,
  paidAt: Moment,
  canceledAt: Moment,
  expiredAt: Moment,
  failedAt: Moment,
  details: z
    .object({ failureReason: Ascii.nullish().catch(null) })
    .nullish()
    .catch(null),
  _embedded: z
    .object({
      refunds: z.array(z.unknown()).optional(),
      chargebacks: z.array(z.unknown()).optional(),
    })
    .nullish(),
});

/** docs.mollie.com/reference/get-refund, as answers and `refund.*` events both show it. */
export const MollieRefund = z.object({
  id: Ascii,
  paymentId: PaymentId,
  amount: MollieMoney,
  status: z.enum(['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled']),
  metadata: z.object({ refund_id: z.unknown().optional() }).nullish().catch(null),
  createdAt: Instant,
});

const CreatedPayment = z.object({
  id: PaymentId,
  expiresAt: IsoTime,
  _links: z.object({ checkout: z.object({ href: z.url() }) }),
});
const PaymentPage = z.object({
  _embedded: z.object({ payments: z.array(MolliePayment) }),
  _links: z.object({ next: z.unknown().optional() }).optional(),
});
const RefundPage = z.object({
  _embedded: z.object({ refunds: z.array(MollieRefund) }),
  _links: z.object({ next: z.unknown().optional() }).optional(),
});

export type MolliePayment = z.infer<typeof MolliePayment>;
type MollieRefund = z.infer<typeof MollieRefund>;

/**
 * The calls of Mollie's API v2 that a payment needs. Each has our own id as its Idempotency-Key,
 * which Mollie keeps for about an hour.
 */
export class MollieApi extends ProviderApi {
  constructor(
    { apiBase, apiKey }: { apiBase: string; apiKey: string },
    fetch: typeof globalThis.fetch,
  ) {
    super('Mollie', { apiBase, headers: { Authorization: `Bearer ${apiKey}` } }, fetch);
  }

  async createPayment(payment: object, linkId: string): Promise<Checkout> {
    const answer = await this.post('/v2/payments', payment, linkId);
    const { id, expiresAt, _links: links } = accepted(answer, CreatedPayment, 'Mollie');
    return { url: links.checkout.href, providerObjectId: id, pageExpiresAt: expiresAt };
  }

  /** A payment that cannot be canceled any more stays as it is. */
  async cancelPayment(id: string): Promise<void> {
    closed(await this.call('DELETE', `/v2/payments/${idAt('Mollie', id)}`), 'Mollie');
  }

  /** With its refunds and chargebacks. Undefined when Mollie knows no such payment. */
  async findPayment(id: string): Promise<MolliePayment | undefined> {
    const path = `/v2/payments/${idAt('Mollie', id)}?embed=refunds,chargebacks`;
    const answer = await this.get(path);
    if (answer.status === 404 || answer.status === 410) return undefined;
    const payment = accepted(answer, MolliePayment, 'Mollie');
    if (payment.id !== id) throw unavailable('Mollie');
    return payment;
  }

  /** Payments from the newest to those that were made at an instant. */
  async *paymentsSince(from: Date): AsyncGenerator<MolliePayment[]> {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (;;) {
      const answer = await this.get(`/v2/payments?${query.toString()}`);
      const { _embedded: listed, _links: links } = accepted(answer, PaymentPage, 'Mollie');
      const recent = listed.payments.filter(({ createdAt }) => new Date(createdAt) >= from);
      yield recent;
      const last = listed.payments.at(-1);
      if (!links?.next || !last || recent.length < listed.payments.length) return;
      query.set('from', last.id);
    }
  }

  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    const { refundId, amount } = request;
    const body = { amount: mollieAmount(amount), metadata: { refund_id: refundId } };
    const answer = await this.post(refundsPath(request), body, refundId);
    return outcomeFor(request, acceptedRefund(answer, MollieRefund, 'Mollie'));
  }

  async findRefund(request: RefundRequest): Promise<RefundFound> {
    const { providerRefundId: id } = request;
    if (!id) return this.searchRefund(request);
    const answer = await this.get(`${refundsPath(request)}/${idAt('Mollie', id)}`);
    return outcomeFor(request, acceptedRefund(answer, MollieRefund, 'Mollie'));
  }

  /** To the end, before it is called not found. */
  private async searchRefund(request: RefundRequest): Promise<RefundFound> {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const answer = await this.get(`${refundsPath(request)}?${query.toString()}`);
      const { _embedded: listed, _links: links } = acceptedRefund(answer, RefundPage, 'Mollie');
      const ours = listed.refunds.find(({ metadata }) => metadata?.refund_id === request.refundId);
      if (ours) return outcomeFor(request, ours);
      if (!links?.next) return { status: 'not_found' };
      // The next page begins with the last of this one.
      const last = listed.refunds.at(-1);
      if (!last) break;
      query.set('from', last.id);
    }
    throw unavailable('Mollie');
  }

  async methods(): Promise<ProviderAnswer> {
    return this.get('/v2/methods');
  }
}

function refundsPath({ providerPaymentId }: RefundRequest): string {
  return `/v2/payments/${idAt('Mollie', providerPaymentId)}/refunds`;
}

/** The outcome that a refund object tells: only `refunded` has left Mollie. */
export function mollieOutcome({ id, status }: MollieRefund): RefundOutcome {
  switch (status) {
    case 'refunded':
      return { status: 'succeeded', providerRefundId: id };
    case 'failed':
    case 'canceled':
      return { status: 'failed', reason: status };
    default:
      return { status: 'pending', providerRefundId: id };
  }
}

/** Only an answer about the refund that was asked for counts. */
function outcomeFor(request: RefundRequest, refund: MollieRefund): RefundOutcome {
  const isNamed = request.isOurs
    ? refund.metadata?.refund_id === request.refundId
    : refund.id === request.providerRefundId;
  const isSame =
    isNamed &&
    refund.paymentId === request.providerPaymentId &&
    moneyOfMollie(refund.amount)?.toString() === request.amount.toString();
  if (!isSame) throw unavailable('Mollie');
  return mollieOutcome(refund);
}
