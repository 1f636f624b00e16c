import type { IncomingHttpHeaders } from 'node:http';
import type { StubRefund } from './provider-stub.js';

interface GoCardlessRequest {
  refunds: {
    amount: number;
    total_amount_confirmation: number;
    links: { payment: string };
    metadata: { refund_id: string };
  };
}

const TIME = '2026-11-20T12:00:00.000Z';
const STATUS = { succeeded: 'paid', pending: 'pending_submission', failed: 'bounced' };

/** Undefined if the sum of all refunds is not the one that GoCardless has. */
export function refundAskedOfGoCardless(
  refunds: readonly StubRefund[],
  body: string,
  headers: IncomingHttpHeaders,
): Omit<StubRefund, 'id' | 'status'> | undefined {
  const { refunds: asked } = JSON.parse(body) as GoCardlessRequest;
  const { amount, links, metadata, total_amount_confirmation: sum } = asked;
  if (sum !== refundedOf(refunds, links.payment) + amount) return undefined;
  return {
    key: String(headers['idempotency-key']),
    paymentId: links.payment,
    amount: String(amount),
    currency: 'EUR',
    ours: metadata.refund_id,
  };
}

export function isOfGoCardless(line: string): boolean {
  return /^GET \/(?:refunds|payments)\b/.test(line);
}

/** The status and the body of an answer. */
export function shownByGoCardless(
  refunds: readonly StubRefund[],
  url: URL,
): [status: number, json: object] {
  const [, collection, id] = url.pathname.split('/');
  if (collection === 'payments' && id) {
    const refunded = { amount: 100_000, amount_refunded: refundedOf(refunds, id) };
    const payment = { id, status: 'confirmed', ...refunded, currency: 'EUR', created_at: TIME };
    return [200, { payments: payment }];
  }
  const found = refunds.find((each) => each.id === id);
  if (found) return [200, goCardlessAnswer(found)];
  if (id) return [404, goCardlessProblem('resource_not_found')];
  const all = refunds.filter((each) => each.paymentId === url.searchParams.get('payment'));
  const meta = { cursors: { before: null, after: null }, limit: 500 };
  return [200, { refunds: all.map(goCardlessForm), meta }];
}

export function goCardlessProblem(reason: string): object {
  return { error: { type: 'invalid_state', code: 422, errors: [{ reason, message: 'No.' }] } };
}

/** As an answer shows one. */
export function goCardlessAnswer(each: StubRefund): object {
  return { refunds: goCardlessForm(each) };
}

function goCardlessForm(each: StubRefund): object {
  const { id, paymentId, amount, currency, ours, status } = each;
  return {
    id,
    amount: Number(amount),
    currency,
    created_at: TIME,
    status: STATUS[status],
    metadata: ours === null ? {} : { refund_id: ours },
    links: { payment: paymentId },
  };
}

function refundedOf(refunds: readonly StubRefund[], paymentId: string): number {
  return refunds
    .filter((each) => each.paymentId === paymentId && each.status !== 'failed')
    .reduce((sum, { amount }) => sum + Number(amount), 0);
}
