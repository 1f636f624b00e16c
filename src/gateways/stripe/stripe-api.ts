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
import { UnixTime } from '../page-end.js';
import { acceptedRefund } from '../provider-refund.js';
import { moneyOfStripe, stripeUnits } from './stripe-amount.js';
import { Ascii } from '../signed-body.js';

const PAGE_SIZE = 100;
const PAGES_LIMIT = 50;
/** With their sources, a hundred might be more than an answer may have. */
const TRANSACTIONS_PAGE_SIZE = 50;
const TRANSACTIONS_PAGES_LIMIT = 200;

const CreatedSession = z.object({
  id: Ascii,
  url: z.url(),
  expires_at: UnixTime,
});
/** An object's id, or the expanded object itself. */
export const Reference = z.union([Ascii, z.object({ id: Ascii }).transform(({ id }) => id)]);

/** docs.stripe.com/api/refunds/object, as answers and `refund.*` events both show it. */
export const StripeRefund = z.object({
  id: Ascii,
  object: z.literal('refund').optional(),
  amount: z.int().min(0),
  currency: z.string().regex(/^[a-z]{3,5}$/),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  failure_reason: z
    .string()
    .regex(/^\w{1,64}$/)
    .nullish()
    .catch(null),
  payment_intent: Reference.nullish(),
  metadata: z.object({ refund_id: z.unknown().optional() }).nullish(),
});
const Named = z.looseObject({ id: Ascii });
const AnyPage = z.object({ data: z.array(z.unknown()), has_more: z.boolean() });
const RefundPage = z.object({ data: z.array(StripeRefund), has_more: z.boolean() });

type StripeRefund = z.infer<typeof StripeRefund>;

/** The calls of Stripe's API that a payment needs. Each has our own id as its Idempotency-Key. */
export class StripeApi extends ProviderApi {
  constructor(
    { apiBase, apiKey }: { apiBase: string; apiKey: string },
    fetch: typeof globalThis.fetch,
  ) {
    super('Stripe', { apiBase, headers: { Authorization: `Bearer ${apiKey}` } }, fetch);
  }

  async createSession(form: URLSearchParams, linkId: string): Promise<Checkout> {
    const answer = await this.post('/v1/checkout/sessions', form, linkId);
    const { id, url, expires_at: pageExpiresAt } = accepted(answer, CreatedSession, 'Stripe');
    return { url, providerObjectId: id, pageExpiresAt };
  }

  /** An object that an event named, as it is now. */
  async findObject(path: string, query?: string): Promise<unknown> {
    const answer = await this.get(query ? `${path}?${query}` : path);
    const object = accepted(answer, Named, 'Stripe');
    if (!path.endsWith(`/${object.id}`)) throw unavailable('Stripe');
    return object;
  }

  /** A session that is not open any more stays as it is. */
  async expireSession(id: string): Promise<void> {
    const path = `/v1/checkout/sessions/${idAt('Stripe', id)}/expire`;
    closed(await this.post(path, new URLSearchParams()), 'Stripe');
  }

  /** All refunds, or all disputes, of a PaymentIntent. */
  async listOfPayment(path: '/v1/refunds' | '/v1/disputes', intent: string): Promise<unknown[]> {
    const query = new URLSearchParams({ payment_intent: intent, limit: String(PAGE_SIZE) });
    const page = accepted(await this.get(`${path}?${query.toString()}`), AnyPage, 'Stripe');
    // More than a hundred of one payment are for a person.
    if (page.has_more) throw unavailable('Stripe');
    return page.data;
  }

  /** PaymentIntents that were made in a span of time, newest first. */
  async *intentsBetween(from: Date, to: Date): AsyncGenerator<unknown[]> {
    const query = new URLSearchParams({
      'created[gte]': String(Math.floor(from.getTime() / 1000)),
      'created[lt]': String(Math.floor(to.getTime() / 1000)),
      'expand[]': 'data.latest_charge.balance_transaction',
      limit: String(PAGE_SIZE),
    });
    for (;;) {
      const answer = await this.get(`/v1/payment_intents?${query.toString()}`);
      const { data, has_more: more } = accepted(answer, AnyPage, 'Stripe');
      yield data;
      if (!more) return;
      query.set('starting_after', accepted({ ...answer, json: data.at(-1) }, Named, 'Stripe').id);
    }
  }

  /** All that a payout is made of, and itself; null where that is more than we ask for. */
  async transactionsOf(payoutId: string): Promise<unknown[] | null> {
    const query = new URLSearchParams({
      payout: payoutId,
      'expand[]': 'data.source',
      limit: String(TRANSACTIONS_PAGE_SIZE),
    });
    const all: unknown[] = [];
    for (let page = 0; page < TRANSACTIONS_PAGES_LIMIT; page += 1) {
      const answer = await this.get(`/v1/balance_transactions?${query.toString()}`);
      const { data, has_more: more } = accepted(answer, AnyPage, 'Stripe');
      all.push(...data);
      if (!more) return all;
      query.set('starting_after', accepted({ ...answer, json: data.at(-1) }, Named, 'Stripe').id);
    }
    return null;
  }

  async createRefund(request: RefundRequest): Promise<RefundOutcome> {
    const form = new URLSearchParams({
      payment_intent: request.providerPaymentId,
      amount: stripeUnits(request.amount).toString(),
      'metadata[refund_id]': request.refundId,
    });
    const answer = await this.post('/v1/refunds', form, request.refundId);
    return outcomeFor(request, acceptedRefund(answer, StripeRefund, 'Stripe'));
  }

  async findRefund(request: RefundRequest): Promise<RefundFound> {
    const { providerRefundId: id } = request;
    if (!id) return this.searchRefund(request);
    const answer = await this.get(`/v1/refunds/${idAt('Stripe', id)}`);
    return outcomeFor(request, acceptedRefund(answer, StripeRefund, 'Stripe'));
  }

  /**
   * Searches the newest first, where a lost refund stands, and to the end before it says "not
   * found".
   */
  private async searchRefund(request: RefundRequest): Promise<RefundFound> {
    const query = new URLSearchParams({
      payment_intent: request.providerPaymentId,
      limit: String(PAGE_SIZE),
    });
    for (let page = 0; page < PAGES_LIMIT; page += 1) {
      const answer = await this.get(`/v1/refunds?${query.toString()}`);
      const { data, has_more: more } = acceptedRefund(answer, RefundPage, 'Stripe');
      const ours = data.find(({ metadata }) => metadata?.refund_id === request.refundId);
      if (ours) return outcomeFor(request, ours);
      const last = data.at(-1);
      if (!more) return { status: 'not_found' };
      if (!last) break;
      query.set('starting_after', last.id);
    }
    throw unavailable('Stripe');
  }

  async balance(): Promise<ProviderAnswer> {
    return this.get('/v1/balance');
  }

  async webhookEndpoints(): Promise<ProviderAnswer> {
    return this.get(`/v1/webhook_endpoints?limit=${PAGE_SIZE}`);
  }
}

/** The outcome that a refund object tells. `failed` and `canceled` give the money back to us. */
export function stripeOutcome(refund: StripeRefund): RefundOutcome {
  switch (refund.status) {
    case 'succeeded':
      return { status: 'succeeded', providerRefundId: refund.id };
    case 'failed':
    case 'canceled':
      return { status: 'failed', reason: refund.failure_reason ?? refund.status };
    default:
      return { status: 'pending', providerRefundId: refund.id };
  }
}

/** Only an answer about the refund that was asked for counts. */
function outcomeFor(request: RefundRequest, refund: StripeRefund): RefundOutcome {
  const amount = moneyOfStripe(refund.amount, refund.currency);
  const isNamed = request.isOurs
    ? refund.metadata?.refund_id === request.refundId
    : refund.id === request.providerRefundId;
  const ours = isNamed && amount?.toString() === request.amount.toString();
  if (!ours) throw unavailable('Stripe');
  return stripeOutcome(refund);
}
