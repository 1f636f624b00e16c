import type { IncomingHttpHeaders } from 'node:http';
import type { StubRefund } from './provider-stub.js';

/** The refund that a call to Razorpay's API asks for. */
export function razorpayWanted(line: string, body: string, headers: IncomingHttpHeaders) {
  const paymentId = /^POST \/v1\/payments\/([^/]+)\/refund$/.exec(line)?.[1];
  if (!paymentId) return undefined;
  const { amount, notes } = JSON.parse(body) as { amount: number; notes: { refund_id: string } };
  return {
    key: String(headers['x-refund-idempotency']),
    paymentId,
    amount: String(amount),
    currency: 'EUR',
    ours: notes.refund_id,
  };
}

/** A payment's refunds, or one of them; undefined where neither is asked for. */
export function listedAtRazorpay(
  all: readonly StubRefund[],
  line: string,
  url: URL,
): object | undefined {
  const [, paymentId, id] = /^GET \/v1\/payments\/([^/]+)\/refunds(?:\/([^/]+))?$/.exec(line) ?? [];
  if (!paymentId) return undefined;
  const refunds = all.filter((one) => one.paymentId === paymentId);
  if (id) return refunds.filter((one) => one.id === id).map(razorpayForm)[0];
  const skip = Number(url.searchParams.get('skip') ?? '0');
  const count = Number(url.searchParams.get('count') ?? '10');
  const items = refunds.slice(skip, skip + count).map(razorpayForm);
  return { entity: 'collection', count: items.length, items };
}

const STATUS = { succeeded: 'processed', pending: 'pending', failed: 'failed' };

export function razorpayForm({
  id,
  paymentId,
  amount,
  currency,
  ours,
  status,
}: StubRefund): object {
  return {
    id,
    entity: 'refund',
    amount: Number(amount),
    currency,
    payment_id: paymentId,
    notes: ours === null ? [] : { refund_id: ours },
    receipt: null,
    status: STATUS[status],
    created_at: 1_795_000_000,
  };
}

/** A payment link as it is answered when it was made. */
export function aRazorpayPage(id: string, body: string): object {
  return {
    ...(JSON.parse(body) as object),
    id,
    short_url: `https://razorpay.test/${id}`,
    status: 'created',
    amount_paid: 0,
    payments: null,
    created_at: 1_795_000_000,
    cancelled_at: 0,
    expired_at: 0,
  };
}
