import { z } from 'zod';
import type { IsoDate } from '../../kernel/clock.js';
import type { RefundFound, RefundOutcome, RefundRequest } from '../../payments/index.js';
import { accepted, idAt, type ProviderAnswer, ProviderApi, unavailable } from '../provider-api.js';
import { acceptedRefund } from '../provider-refund.js';
import { moneyOfRazorpay, razorpayUnits } from './razorpay-amount.js';
import {
  RazorpayPage,
  RazorpayPayment,
  RazorpayRefund,
  razorpayOutcome,
} from './razorpay-objects.js';
import type { PaymentNow } from './razorpay-reports.js';

/** The most that Razorpay gives at once. */
const PAGE_SIZE = 100;
const PAGES_LIMIT = 50;

const Pages = z.object({ payment_links: z.array(z.unknown()) });
const Refunds = z.object({ items: z.array(RazorpayRefund) });
/** One that cannot be read must not hide the others. */
const Unread = z.object({ items: z.array(z.unknown()) });
const OfPayment = z.object({ payment_id: z.unknown() });
const Referenced = z.object({ reference_id: z.unknown().optional() });
const Refusal = z.object({ error: z.object({ description: z.string() }) });

/** A pay page that is asked for. */
interface WantedPage {
  amount: number;
  currency: string;
  reference_id: string;
  [more: string]: unknown;
}

/** The calls of Razorpay's API v1 that a payment needs. */
export class RazorpayApi extends ProviderApi {
  constructor(
    { apiBase, keyId, keySecret }: { apiBase: string; keyId: string; keySecret: string },
    fetch: typeof globalThis.fetch,
  ) {
    const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
    super('Razorpay', { apiBase, headers: { Authorization: `Basic ${basic}` } }, fetch);
  }

  /**
   * Makes a page once. Razorpay has no idempotency key here, and refuses a reference that it knows:
   * the page of an answer that was lost is found by its reference.
   */
  async createPage(wanted: WantedPage): Promise<RazorpayPage> {
    const answer = await this.post('/v1/payment_links', wanted);
    if (answer.status !== 400) return accepted(answer, RazorpayPage, 'Razorpay');
    const isKnown = saysKnown(answer);
    const page = await this.pageOf(wanted.reference_id, isKnown ? PAGES_LIMIT : 1);
    const isSame = page?.amount === wanted.amount && page.currency === wanted.currency;
    if (page && isSame) return page;
    // It is there, and not in the list yet.
    if (isKnown && !page) throw unavailable('Razorpay');
    return accepted(answer, RazorpayPage, 'Razorpay');
  }

  /** Newest first. The list is looked through, also if it is not narrowed down to the reference. */
  private async pageOf(reference: string, pages: number): Promise<RazorpayPage | undefined> {
    const path = `/v1/payment_links?reference_id=${encodeURIComponent(reference)}`;
    for (let skip = 0; skip < pages * PAGE_SIZE; skip += PAGE_SIZE) {
      const answer = await this.get(`${path}&count=${PAGE_SIZE}&skip=${skip}`);
      const { payment_links: listed } = acceptedRefund(answer, Pages, 'Razorpay');
      const found = listed.find(
        (one) => Referenced.safeParse(one).data?.reference_id === reference,
      );
      if (found) return accepted({ status: 200, json: found }, RazorpayPage, 'Razorpay');
      if (listed.length < PAGE_SIZE) return undefined;
    }
    return undefined;
  }

  /** A page that is paid, canceled or expired already stays as it is. */
  async cancelPage(id: string): Promise<void> {
    const answer = await this.post(`/v1/payment_links/${idAt('Razorpay', id)}/cancel`, {});
    const page =
      answer.status < 400 ? accepted(answer, RazorpayPage, 'Razorpay') : await this.findPage(id);
    const isClosed = ['cancelled', 'expired', 'paid'].includes(page.status);
    if (page.id !== id || !isClosed) throw unavailable('Razorpay');
  }

  async findPage(id: string): Promise<RazorpayPage> {
    const answer = await this.get(`/v1/payment_links/${idAt('Razorpay', id)}`);
    const page = accepted(answer, RazorpayPage, 'Razorpay');
    if (page.id !== id) throw unavailable('Razorpay');
    return page;
  }

  async findPayment(id: string): Promise<PaymentNow> {
    const answer = await this.get(`/v1/payments/${idAt('Razorpay', id)}`);
    const payment = accepted(answer, RazorpayPayment, 'Razorpay');
    if (payment.id !== id) throw unavailable('Razorpay');
    return this.withRefunds(payment);
  }

  async newestPayment(): Promise<ProviderAnswer> {
    return this.get('/v1/payments?count=1');
  }

  /** Razorpay's own libraries call it, and its reference does not promise it. */
  async webhooks(): Promise<ProviderAnswer> {
    return this.get('/v1/webhooks?count=100');
  }

  /** By the time at which payers began to pay. Razorpay's `to` is of whole seconds, and included. */
  async *paymentsBetween(from: Date, to: Date): AsyncGenerator<PaymentNow[]> {
    const [first, last] = [Math.ceil(from.getTime() / 1000), Math.ceil(to.getTime() / 1000) - 1];
    if (last < first) return;
    const path = `/v1/payments?from=${first}&to=${last}`;
    for await (const { items } of this.listed(path, Unread)) {
      const told: PaymentNow[] = [];
      for (const item of items) {
        const { data } = RazorpayPayment.safeParse(item);
        const unread = { payment: { unreadable: item }, refunds: [] };
        told.push(data ? await this.withRefunds(data) : unread);
      }
      yield told;
    }
  }

  private async withRefunds(payment: RazorpayPayment): Promise<PaymentNow> {
    const refunds: unknown[] = [];
    if (payment.amount_refunded || payment.status === 'refunded') {
      for await (const { items } of this.listed(refundsPath(payment.id), Unread)) {
        refunds.push(...items);
      }
      const isForeign = (refund: unknown) =>
        OfPayment.safeParse(refund).data?.payment_id !== payment.id;
      if (refunds.some(isForeign)) throw unavailable('Razorpay');
    }
    return { payment, refunds };
  }

  /** Settlements by the time at which they were made, newest first. */
  async *settlementsBetween(from: Date, to: Date): AsyncGenerator<readonly unknown[]> {
    const [first, last] = [Math.ceil(from.getTime() / 1000), Math.ceil(to.getTime() / 1000) - 1];
    if (last < first) return;
    const path = `/v1/settlements?from=${first}&to=${last}`;
    for await (const { items } of this.listed(path, Unread)) yield items;
  }

  /** The rows of all settlements of a day. */
  async settledOn(day: IsoDate): Promise<unknown[]> {
    const [year, month, date] = day.split('-');
    const path = `/v1/settlements/recon/combined?year=${year}&month=${month}&day=${date}`;
    const rows: unknown[] = [];
    for await (const { items } of this.listed(path, Unread)) rows.push(...items);
    return rows;
  }

  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    const { refundId, providerPaymentId, amount } = request;
    const path = `/v1/payments/${idAt('Razorpay', providerPaymentId)}/refund`;
    const body = {
      amount: razorpayUnits(amount),
      receipt: refundId,
      notes: { refund_id: refundId },
    };
    const answer = await this.call('POST', path, body, { 'X-Refund-Idempotency': refundId });
    return outcomeFor(request, acceptedRefund(answer, RazorpayRefund, 'Razorpay'));
  }

  /** Without its id, all refunds of the payment are looked through before it is not found. */
  async findRefund(request: RefundRequest): Promise<RefundFound> {
    const { providerRefundId: id, providerPaymentId, refundId } = request;
    if (id) {
      const answer = await this.get(`${refundsPath(providerPaymentId)}/${idAt('Razorpay', id)}`);
      return outcomeFor(request, acceptedRefund(answer, RazorpayRefund, 'Razorpay'));
    }
    for await (const { items } of this.listed(refundsPath(providerPaymentId), Refunds)) {
      const ours = items.find((refund) => isNamed(refund, refundId));
      if (ours) return outcomeFor(request, ours);
    }
    return { status: 'not_found' };
  }

  /** A list, to its end. */
  private async *listed<T extends { items: readonly unknown[] }>(
    path: string,
    schema: z.ZodType<T>,
  ): AsyncGenerator<T> {
    const query = path.includes('?') ? '&' : '?';
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const part = `count=${PAGE_SIZE}&skip=${page * PAGE_SIZE}`;
      const list = acceptedRefund(await this.get(`${path}${query}${part}`), schema, 'Razorpay');
      yield list;
      if (list.items.length < PAGE_SIZE) return;
    }
    throw unavailable('Razorpay');
  }
}

/** It says so only in words: `payment link with given reference_id: ... already exists`. */
function saysKnown({ json }: ProviderAnswer): boolean {
  const words = Refusal.safeParse(json).data?.error.description ?? '';
  return words.includes('reference_id') && words.includes('already exists');
}

function refundsPath(paymentId: string): string {
  return `/v1/payments/${idAt('Razorpay', paymentId)}/refunds`;
}

function isNamed({ notes, receipt }: RazorpayRefund, refundId: string): boolean {
  return notes?.refund_id === refundId || receipt === refundId;
}

/** Only an answer about the refund that was asked for counts. */
function outcomeFor(request: RefundRequest, refund: RazorpayRefund): RefundOutcome {
  const isAsked = request.isOurs
    ? isNamed(refund, request.refundId)
    : refund.id === request.providerRefundId;
  const isSame =
    isAsked &&
    refund.payment_id === request.providerPaymentId &&
    moneyOfRazorpay(refund.amount, refund.currency)?.toString() === request.amount.toString();
  if (!isSame) throw unavailable('Razorpay');
  return razorpayOutcome(refund);
}
