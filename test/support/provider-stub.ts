import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { aRazorpayPage, listedAtRazorpay, razorpayForm, razorpayWanted } from './razorpay-stub.js';
import {
  goCardlessAnswer,
  goCardlessProblem,
  isOfGoCardless,
  refundAskedOfGoCardless,
  shownByGoCardless,
} from './gocardless-stub.js';

/**
 * The result of one refund request. `done` is the default; `pending`; `refused` with a 4xx. `lost`:
 * done, but the connection breaks before the answer. `broken`: not done, no answer. `failing`: not
 * done, 500. `garbled`: done, but the answer cannot be read. `busy`: 409, as while the same key
 * still runs.
 */
export type Behaviour =
  | 'done'
  | 'pending'
  | 'refused'
  | 'lost'
  | 'broken'
  | 'failing'
  | 'garbled'
  | 'busy';

export interface StubRefund {
  id: string;
  key: string;
  paymentId: string;
  /** As the provider writes it: `1250` at Stripe, GoCardless and Razorpay, `12.50` at PayPal and Mollie. */
  amount: string;
  currency: string;
  ours: string | null;
  status: 'succeeded' | 'pending' | 'failed';
}

/** Parts of the providers' APIs on the loopback, with the idempotency keys of their refunds. */
export interface ProviderStub {
  apiBase: string;
  /** Newest first. */
  refunds: StubRefund[];
  /** Payments at Mollie by id, as its API shows them. */
  payments: Record<string, object>;
  /** The answers of other paths. */
  objects: Record<string, object>;
  /** `POST /v1/refunds` and so on, in order. */
  calls: string[];
  /** Status and body of other calls, such as `GET /v1/balance`. */
  answers: Record<string, [number, object]>;
  /** For the next refund requests, in order. */
  next: Behaviour[];
  /** For the next look-ups, in order: a status other than 200. */
  nextLookUps: number[];
  close(): Promise<void>;
}

let made = 0;
/** Ends an id that no page had before. */
const another = () => (made += 1);

export const PAYPAL_ORDER = '5O190127TN364715T';

export async function startProviderStub(): Promise<ProviderStub> {
  const server = createServer((request, response) => void serve(stub, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const stub: ProviderStub = {
    apiBase: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refunds: [],
    payments: {},
    objects: {},
    calls: [],
    answers: {},
    next: [],
    nextLookUps: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return stub;
}

async function serve(
  stub: ProviderStub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const url = new URL(request.url ?? '/', stub.apiBase);
  const line = `${request.method} ${url.pathname}`;
  stub.calls.push(line);
  const reply: Reply = (status, json) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof json === 'string' ? json : JSON.stringify(json));
  };
  const capture = /^POST \/v2\/payments\/captures\/([^/]+)\/refund$/.exec(line)?.[1];
  const told = stub.answers[line];
  if (told) return reply(...told);
  if (line === 'POST /v1/oauth2/token') return reply(200, { access_token: 't', expires_in: 9999 });
  if (line === 'POST /v1/checkout/sessions') {
    return reply(200, { id: `cs_${another()}`, url: 'https://checkout.test/1' });
  }
  if (line === 'POST /v1/refunds') {
    const form = new URLSearchParams(body);
    const wanted = {
      key: String(request.headers['idempotency-key']),
      paymentId: form.get('payment_intent') ?? '',
      amount: form.get('amount') ?? '',
      currency: 'eur',
      ours: form.get('metadata[refund_id]'),
    };
    return refund(stub, wanted, stripeForm, reply, () => request.socket.destroy());
  }
  if (capture) {
    const { amount, custom_id: ours } = JSON.parse(body) as PayPalRequest;
    const wanted = {
      key: String(request.headers['paypal-request-id']),
      paymentId: capture,
      amount: amount.value,
      currency: amount.currency_code,
      ours,
    };
    return refund(stub, wanted, payPalForm, reply, () => request.socket.destroy());
  }
  const mollies = /^POST \/v2\/payments\/([^/]+)\/refunds$/.exec(line)?.[1];
  if (mollies) {
    const { amount, metadata } = JSON.parse(body) as MollieRequest;
    const wanted = {
      key: String(request.headers['idempotency-key']),
      paymentId: mollies,
      amount: amount.value,
      currency: amount.currency,
      ours: metadata.refund_id,
    };
    return refund(stub, wanted, mollieForm, reply, () => request.socket.destroy());
  }
  if (line === 'POST /v2/payments') {
    const id = `tr_made${another()}`;
    return reply(201, { id, _links: { checkout: { href: `https://mollie.test/${id}` } } });
  }
  if (line === 'POST /v2/checkout/orders') {
    const links = [{ rel: 'payer-action', href: 'https://paypal.test/pay' }];
    return reply(201, { id: `ORDER${another()}`, links });
  }
  const razorpays = razorpayWanted(line, body, request.headers);
  if (razorpays) {
    return refund(stub, razorpays, razorpayForm, reply, () => request.socket.destroy());
  }
  if (line === 'POST /v1/payment_links') {
    return reply(200, aRazorpayPage(`plink_made${another()}`, body));
  }
  if (line === 'POST /refunds') {
    const wanted = refundAskedOfGoCardless(stub.refunds, body, request.headers);
    if (!wanted) return reply(422, goCardlessProblem('total_amount_confirmation_invalid'));
    return refund(stub, wanted, goCardlessAnswer, reply, () => request.socket.destroy());
  }
  const failure = stub.nextLookUps.shift();
  if (failure) return reply(failure, { error: { code: 'stubbed' } });
  const object = stub.objects[url.pathname];
  if (object && request.method !== 'DELETE') return reply(200, object);
  lookUp(stub, line, url, reply);
}

type Reply = (status: number, json: unknown) => void;
interface PayPalRequest {
  amount: { value: string; currency_code: string };
  custom_id: string;
}

interface MollieRequest {
  amount: { value: string; currency: string };
  metadata: { refund_id: string };
}

function refund(
  stub: ProviderStub,
  wanted: Omit<StubRefund, 'id' | 'status'>,
  form: (each: StubRefund) => object,
  reply: Reply,
  breakConnection: () => void,
): void {
  const behaviour = stub.next.shift() ?? 'done';
  if (behaviour === 'broken') return breakConnection();
  if (behaviour === 'failing') return reply(500, {});
  if (behaviour === 'busy') return reply(409, { error: { type: 'idempotency_error' } });
  if (behaviour === 'refused') {
    if (form === mollieForm) {
      return reply(422, { status: 422, title: 'Unprocessable Entity', field: 'amount' });
    }
    if (form === razorpayForm) return reply(400, { error: { code: 'BAD_REQUEST_ERROR' } });
    if (form === goCardlessAnswer)
      return reply(422, goCardlessProblem('number_of_refunds_exceeded'));
    const details = [{ issue: 'charge_already_refunded' }];
    return reply(422, { error: { code: 'charge_already_refunded' }, name: 'X', details });
  }
  const earlier = stub.refunds.find(({ key }) => key === wanted.key);
  const made = earlier ?? {
    ...wanted,
    id: `re_${stub.refunds.length + 1}`,
    status: behaviour === 'pending' ? ('pending' as const) : ('succeeded' as const),
  };
  if (!earlier) stub.refunds.unshift(made);
  if (behaviour === 'lost') return breakConnection();
  reply(201, behaviour === 'garbled' ? '<html>' : form(made));
}

function lookUp(stub: ProviderStub, line: string, url: URL, reply: Reply): void {
  const [, version, id = ''] =
    /^GET \/(v1|v2)\/(?:payments\/|checkout\/)?\w+\/([^/]+)$/.exec(line) ?? [];
  const found = stub.refunds.find((each) => each.id === id);
  if (isOfGoCardless(line)) return reply(...shownByGoCardless(stub.refunds, url));
  const [, mollies, refundId] = /^GET \/v2\/payments\/(tr_\w+)(\/refunds.*)?$/.exec(line) ?? [];
  if (mollies) return lookUpAtMollie(stub, mollies, refundId, url, reply);
  const listed = listedAtRazorpay(stub.refunds, line, url);
  if (listed) return reply(200, listed);
  if (line === 'GET /v1/refunds') {
    const all = stub.refunds.filter(
      ({ paymentId }) => paymentId === url.searchParams.get('payment_intent'),
    );
    const after = all.findIndex((each) => each.id === url.searchParams.get('starting_after'));
    const limit = Number(url.searchParams.get('limit') ?? '10');
    const data = all.slice(after + 1, after + 1 + limit);
    return reply(200, { data: data.map(stripeForm), has_more: after + 1 + limit < all.length });
  }
  if (line.startsWith('GET /v2/payments/captures/')) {
    return reply(200, {
      id,
      status: 'COMPLETED',
      amount: { value: '12.50', currency_code: 'EUR' },
      supplementary_data: { related_ids: { order_id: `${PAYPAL_ORDER}-${id}` } },
    });
  }
  if (line.startsWith('GET /v2/checkout/orders/')) {
    const captureId = id.slice(PAYPAL_ORDER.length + 1);
    const captures = [
      { id: captureId, status: 'COMPLETED', amount: { value: '12.50', currency_code: 'EUR' } },
    ];
    const refunds = stub.refunds.filter(({ paymentId }) => paymentId === captureId).map(payPalForm);
    const units = [{ payments: { captures, refunds } }];
    return reply(200, { id, status: 'COMPLETED', purchase_units: units });
  }
  if (found) return reply(200, version === 'v1' ? stripeForm(found) : payPalForm(found));
  reply(404, { error: { code: 'resource_missing' }, name: 'RESOURCE_NOT_FOUND' });
}

function lookUpAtMollie(
  stub: ProviderStub,
  paymentId: string,
  refundPath: string | undefined,
  url: URL,
  reply: Reply,
): void {
  const refunds = stub.refunds.filter((each) => each.paymentId === paymentId);
  const found =
    refundPath === undefined
      ? stub.payments[paymentId]
      : refunds.filter(({ id }) => refundPath === `/refunds/${id}`).map(mollieForm)[0];
  if (refundPath === '/refunds') {
    const from = url.searchParams.get('from');
    const start = from === null ? 0 : refunds.findIndex(({ id }) => id === from);
    const end = start + Number(url.searchParams.get('limit') ?? '50');
    const next = end < refunds.length ? { href: `${stub.apiBase}/next` } : null;
    const listed = { refunds: refunds.slice(start, end).map(mollieForm) };
    return reply(200, { count: 1, _embedded: listed, _links: { next } });
  }
  if (found) return reply(200, found);
  reply(404, { status: 404, title: 'Not Found', detail: 'No payment exists with this token.' });
}

function stripeForm({ id, paymentId, amount, currency, ours, status }: StubRefund): object {
  return {
    id,
    object: 'refund',
    amount: Number(amount),
    currency,
    payment_intent: paymentId,
    created: 1_780_000_000,
    metadata: ours === null ? {} : { refund_id: ours },
    status,
  };
}

const PAYPAL_STATUS = { succeeded: 'COMPLETED', pending: 'PENDING', failed: 'FAILED' };

function payPalForm({ id, paymentId, amount, currency, ours, status }: StubRefund): object {
  return {
    id,
    status: PAYPAL_STATUS[status],
    amount: { value: amount, currency_code: currency },
    ...(ours !== null && { custom_id: ours }),
    links: [
      { rel: 'self', href: `https://api.paypal.com/v2/payments/refunds/${id}` },
      { rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${paymentId}` },
    ],
  };
}

const MOLLIE_STATUS = { succeeded: 'refunded', pending: 'pending', failed: 'failed' };

function mollieForm({ id, paymentId, amount, currency, ours, status }: StubRefund): object {
  return {
    resource: 'refund',
    id,
    paymentId,
    status: MOLLIE_STATUS[status],
    amount: { value: amount, currency },
    metadata: ours === null ? null : { refund_id: ours },
    createdAt: '2026-11-20T12:00:00+00:00',
  };
}
