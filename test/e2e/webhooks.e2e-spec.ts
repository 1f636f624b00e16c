import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { TestClient } from '../support/client.js';
import { startTestService, testConfig, type TestService } from '../support/service.js';

const SECRET = 'whsec_of_the_tests';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

interface Link {
  id: string;
  document_id: string;
  amount: number;
  currency: string;
}

let counter = 0;
const next = () => `${Date.now()}${(counter += 1)}`;

/** One Stripe payment of a link, as the two events that Stripe sends for it. */
function stripePayment(
  link: Partial<Link> & { amount: number; currency: string },
  intent = next(),
) {
  const metadata = link.id === undefined ? {} : { payment_link_id: link.id };
  const created = Math.floor(service.clock.now().getTime() / 1000);
  const currency = link.currency.toLowerCase();
  const event = (type: string, object: object) => ({
    id: `evt_${next()}`,
    object: 'event',
    type,
    created,
    livemode: false,
    data: { object },
  });
  return {
    session: event('checkout.session.completed', {
      id: `cs_test_${intent}`,
      object: 'checkout.session',
      payment_status: 'paid',
      payment_intent: `pi_${intent}`,
      amount_total: link.amount,
      currency,
      metadata,
    }),
    intent: event('payment_intent.succeeded', {
      id: `pi_${intent}`,
      object: 'payment_intent',
      amount: link.amount,
      amount_received: link.amount,
      currency,
      metadata,
    }),
  };
}

/** Signed by Stripe's own package: an independent signer. */
async function deliverStripe(event: object, over: { secret?: string; body?: string } = {}) {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(service.clock.now().getTime() / 1000);
  const secret = over.secret ?? SECRET;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return service.call<{ status: string; code?: string }>('/v1/webhooks/gateway-a', {
    method: 'POST',
    body: over.body ?? payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  });
}

const linkStatus = async (link: Link) =>
  (await client.get(`/v1/finance/payment-links/${link.id}`)).body['status'];

const eventTypes = async (documentId: string): Promise<string[]> => {
  const invoice = await client.read({ id: documentId });
  const rows = await service.database.query<{ type: string }>(
    `SELECT e.type FROM events e JOIN documents d USING (account_id, document_id)
     WHERE d.number = $1 ORDER BY e.sequence`,
    [invoice.number],
  );
  return rows.map(({ type }) => type);
};

describe.each(['gateway-a', 'gateway-b', 'sandbox'])('a paid event at %s', (gateway) => {
  it('marks the link paid and records the payment, once', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway, amount: 5000 });
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await linkStatus(link)).toBe('paid');
    const paid = await client.read(invoice);
    expect(paid).toMatchObject({ amount_paid: 5000, amount_due: 6900, status: 'partially_paid' });
  });

  it('moves nothing when it is unsigned, changed, or signed for another time', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway });
    const { body, headers } = service.paidDelivery(link);
    const path = `/v1/webhooks/${gateway}`;
    const json = { 'content-type': 'application/json' };
    const answers = [
      await service.call(path, { method: 'POST', body, headers: json }),
      await service.call(path, { method: 'POST', body: `${body} `, headers }),
      await service.call(path, { method: 'POST' }),
    ];
    service.clock.advance({ days: 30 });
    answers.push(await service.call(path, { method: 'POST', body, headers }));
    service.clock.advance({ days: -30 });
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      const { request_id: _own, ...problem } = answer.body;
      expect(problem).toEqual({
        type: 'urn:quittance:problem:invalid_signature',
        title: 'Bad Request',
        status: 400,
        detail: expect.any(String),
        instance: path,
        code: 'invalid_signature',
      });
    }
    expect(await linkStatus(link)).toBe('open');
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
  });

  it('answers the same delivery again with ok, and changes nothing more', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway });
    const { body, headers } = service.paidDelivery(link);
    const send = () => service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      Array(20).fill([200, '{"status":"ok"}']),
    );
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, status: 'paid' });
    const payments = await client.get<{ data: unknown[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(payments.body.data).toHaveLength(1);
  });
});

describe('Stripe', () => {
  it('reports one payment by two events, each five times, shuffled, 20 at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice);
      const { session, intent } = stripePayment(link);
      const deliveries = Array.from({ length: 10 }, (_, index) => (index % 2 ? session : intent));
      const shuffled = [...deliveries, ...deliveries].sort(() => Math.random() - 0.5);
      const answers = await Promise.all(shuffled.map((event) => deliverStripe(event)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill('ok'));
      expect(await linkStatus(link)).toBe('paid');
      expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, amount_due: 0 });
      expect((await eventTypes(invoice.id)).filter((type) => type === 'payment.recorded')).toEqual([
        'payment.recorded',
      ]);
    }
  });

  it('refuses another secret, and the signature of another body', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const { session } = stripePayment(link);
    const wrong = await deliverStripe(session, { secret: 'whsec_somebody_else' });
    const changed = JSON.stringify(session).replace('11900', '11901');
    const other = await deliverStripe(session, { body: changed });
    expect([wrong.status, other.status]).toEqual([400, 400]);
    expect(await linkStatus(link)).toBe('open');
  });

  it('answers no_link_id for a payment that names no link of ours, and keeps no receipt', async () => {
    const { intent } = stripePayment({ amount: 700, currency: 'EUR' });
    expect((await deliverStripe(intent)).body).toEqual({ status: 'no_link_id' });
    const { id } = intent.data.object as { id: string };
    expect(
      await service.database.query(
        'SELECT 1 FROM provider_receipts WHERE provider_payment_id = $1',
        [id],
      ),
    ).toEqual([]);
  });

  it('books a payment whose first event named no link and whose second did', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const number = next();
    const nameless = stripePayment({ amount: link.amount, currency: 'EUR' }, number);
    const named = stripePayment(link, number);
    expect((await deliverStripe(nameless.intent)).body).toEqual({ status: 'no_link_id' });
    expect((await deliverStripe(named.session)).body).toEqual({ status: 'ok' });
    expect(await linkStatus(link)).toBe('paid');
  });

  it('ignores other types and pending payments', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const { session } = stripePayment(link);
    const unpaid = { ...session.data.object, payment_status: 'unpaid' };
    const pending = { ...session, id: `evt_${next()}`, data: { object: unpaid } };
    const other = { ...session, id: `evt_${next()}`, type: 'customer.created' };
    expect((await deliverStripe(pending)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(other)).body).toEqual({ status: 'ignored' });
    expect(await linkStatus(link)).toBe('open');
  });

  it('keeps money for an unknown link, and ignores it twice', async () => {
    const unknown = 'plink_01h455vb4pex5vsknk084sn02q';
    const { session, intent } = stripePayment({ id: unknown, amount: 900, currency: 'EUR' });
    expect((await deliverStripe(session)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(intent)).body).toEqual({ status: 'ignored' });
    const rows = await service.database.query(
      `SELECT amount, unmatched_reason, account_id FROM provider_receipts WHERE link_reference = $1`,
      [unknown],
    );
    expect(rows).toEqual([{ amount: 900n, unmatched_reason: 'unknown_link', account_id: null }]);
  });

  it('keeps money for an unknown link once when it arrives ten times at once', async () => {
    const unknown = 'plink_01h455vb4pex5vsknk084sn02r';
    const { session } = stripePayment({ id: unknown, amount: 900, currency: 'EUR' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliverStripe(session)));
    expect(answers.map(({ body }) => body.status)).toEqual(Array(10).fill('ignored'));
  });

  it('lists money in another currency, and for a document that takes none, with the reason', async () => {
    const owner = await service.aClient();
    const open = await owner.aPaymentLink(await owner.anInvoice());
    const voided = await owner.anInvoice();
    const late = await owner.aPaymentLink(voided);
    await owner.post(`/v1/finance/documents/${voided.id}/void`);
    const dollars = stripePayment({ ...open, currency: 'USD' });
    expect((await deliverStripe(dollars.session)).body).toEqual({ status: 'ignored' });
    expect((await deliverStripe(stripePayment(late).session)).body).toEqual({ status: 'ignored' });
    const { body } = await owner.get<{ data: { reason: string; amount: number }[] }>(
      '/v1/finance/unmatched-receipts',
    );
    expect(body.data.map(({ reason, amount }) => [reason, amount])).toEqual([
      ['document_not_payable', 11_900],
      ['currency_mismatch', 11_900],
    ]);
    expect(await owner.read(voided)).toMatchObject({ amount_paid: 0, status: 'void' });
    expect((await client.get('/v1/finance/unmatched-receipts')).text).not.toContain(open.id);
  });

  it('turns what is above the amount due into customer credit', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await client.pay(invoice, { amount: 10_000 });
    expect((await deliverStripe(stripePayment(link).session)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900, amount_due: 0 });
    const credit = await client.get(`/v1/finance/customers/${invoice.customer_id}/credit`);
    expect(credit.body).toEqual({ data: [{ currency: 'EUR', amount: 10_000 }] });
    expect(await eventTypes(invoice.id)).toEqual([
      'document.created',
      'document.issued',
      'payment_link.created',
      'payment.recorded',
      'document.partially_paid',
      'payment.recorded',
      'payment_link.paid',
      'document.paid',
      'document.overpaid',
    ]);
  });

  it('cannot pay the link of another gateway', async () => {
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: 'gateway-b' });
    expect((await deliverStripe(stripePayment(link).session)).body).toEqual({ status: 'ignored' });
    expect(await linkStatus(link)).toBe('open');
  });

  it('closes the links of a document that is voided or rejected', async () => {
    const voided = await client.anInvoice();
    const rejected = await client.anInvoice();
    const links = [await client.aPaymentLink(voided), await client.aPaymentLink(rejected)];
    await client.post(`/v1/finance/documents/${voided.id}/void`);
    const token = await client.aPortalToken(rejected);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'no' } });
    expect(await Promise.all(links.map(linkStatus))).toEqual(['canceled', 'canceled']);
  });

  it('pays or voids, never both, when the two arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice);
      const [webhook, voided] = await Promise.all([
        deliverStripe(stripePayment(link).session),
        client.post(`/v1/finance/documents/${invoice.id}/void`),
      ]);
      const { status, amount_paid: amountPaid } = await client.read(invoice);
      if (voided.status === 200) {
        expect([webhook.body.status, status, amountPaid]).toEqual(['ignored', 'void', 0]);
      } else {
        expect([webhook.body.status, status, amountPaid]).toEqual(['ok', 'paid', 11_900]);
      }
    }
  });
});

describe('payment links', () => {
  it('are made for what is due, and refuse more', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    expect(await client.aPaymentLink(invoice)).toMatchObject({
      amount: 10_000,
      currency: 'EUR',
      status: 'open',
      gateway: 'gateway-a',
      document_id: invoice.id,
      url: null,
    });
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const more = await client.post(path, { gateway: 'gateway-a', amount: 10_001 });
    expect(more.body).toMatchObject({
      status: 422,
      code: 'amount_exceeds_due',
      amount_due: 10_000,
    });
    const unknown = await client.post(path, { gateway: 'gateway-z' });
    expect(unknown.body).toMatchObject({ status: 404, code: 'gateway_not_found' });
  });

  it('expire by the clock and are canceled once', async () => {
    const link = await client.aPaymentLink(await client.anInvoice(), { expires_in_days: 1 });
    const path = `/v1/finance/payment-links/${link.id}`;
    expect((await client.post(`${path}/cancel`)).body).toMatchObject({ status: 'canceled' });
    expect((await client.post(`${path}/cancel`)).body).toMatchObject({
      status: 409,
      code: 'payment_link_not_open',
    });
    const old = await client.aPaymentLink(await client.anInvoice(), { expires_in_days: 1 });
    service.clock.advance({ days: 2 });
    expect(await linkStatus(old)).toBe('expired');
    service.clock.advance({ days: -2 });
  });

  it('are made once for one Idempotency-Key', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const key = { 'Idempotency-Key': 'link' };
    const first = await client.post(path, { gateway: 'gateway-a' }, key);
    const again = await client.post(path, { gateway: 'gateway-a' }, key);
    expect(again.text).toBe(first.text);
    expect((await client.get<{ data: unknown[] }>(path)).body.data).toHaveLength(1);
  });

  it('leave one open when the same request arrives eight times at once', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const key = { 'Idempotency-Key': 'links at once' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(path, { gateway: 'gateway-a' }, key)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { body } = await client.get<{ data: { id: string; status: string }[] }>(path);
    const open = body.data.filter(({ status }) => status === 'open').map(({ id }) => id);
    expect(open).toEqual([answers[0]?.body['id']]);
  });

  it('belong to one account', async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    const stranger = await service.aClient();
    for (const answer of [
      await stranger.get(`/v1/finance/payment-links/${link.id}`),
      await stranger.post(`/v1/finance/payment-links/${link.id}/cancel`),
    ]) {
      expect(answer.body).toMatchObject({ status: 404, code: 'payment_link_not_found' });
    }
  });
});

describe('a provider with an API', () => {
  let provider: Server;
  let withApi: TestService;
  let owner: TestClient;
  const calls: { url: string; body: string; headers: Record<string, unknown> }[] = [];
  let answer: (url: string) => { status: number; body: object };

  beforeAll(async () => {
    provider = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = `${request.method} ${request.url}`;
        calls.push({ url, body: Buffer.concat(chunks).toString(), headers: request.headers });
        const { status, body } = answer(url);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const gateways = testConfig(0).gateways.map((gateway) => {
      const more = {
        stripe: { api_key: 'sk_test_1', api_base: base },
        paypal: { client_id: 'id', client_secret: 'secret', api_base: base },
      }[gateway.provider];
      return { ...gateway, settings: { ...gateway.settings, ...more } };
    });
    withApi = await startTestService({ gateways });
    owner = await withApi.aClient();
  });
  afterAll(async () => {
    await withApi.close();
    provider.close();
  });

  it('makes the pay page, with the link id in both places where Stripe keeps it', async () => {
    answer = () => ({
      status: 200,
      body: { id: 'cs_test_made', object: 'checkout.session', url: 'https://pay.example/c' },
    });
    calls.length = 0;
    const link = await owner.aPaymentLink(await owner.anInvoice());
    expect(link.url).toBe('https://pay.example/c');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers['idempotency-key']).toContain(link.id);
    const form = new URLSearchParams(calls[0]?.body);
    expect(form.get('metadata[payment_link_id]')).toBe(link.id);
    expect(form.get('payment_intent_data[metadata][payment_link_id]')).toBe(link.id);
  });

  it('finds the link by the session that we made, when the event has lost the id', async () => {
    answer = () => ({
      status: 200,
      body: { id: 'cs_test_known', object: 'checkout.session', url: 'https://pay.example/d' },
    });
    const link = await owner.aPaymentLink(await owner.anInvoice());
    const { session } = stripePayment({ amount: link.amount, currency: 'EUR' });
    const payload = JSON.stringify({
      ...session,
      data: { object: { ...session.data.object, id: 'cs_test_known' } },
    });
    const timestamp = Math.floor(withApi.clock.now().getTime() / 1000);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: SECRET,
      timestamp,
    });
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const path = '/v1/webhooks/gateway-a';
    const delivered = await withApi.call(path, { method: 'POST', body: payload, headers });
    expect(delivered.body).toEqual({ status: 'ok' });
  });

  it('leaves no open link when the provider is out of reach', async () => {
    answer = () => ({ status: 500, body: {} });
    const invoice = await owner.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}/payment-links`;
    const failed = await owner.post(path, { gateway: 'gateway-a' });
    expect(failed.body).toMatchObject({ status: 503, code: 'gateway_unavailable' });
    const { body } = await owner.get<{ data: { status: string }[] }>(path);
    expect(body.data.map(({ status }) => status)).toEqual(['canceled']);
  });

  it('asks PayPal before it books, and books nothing that PayPal denies or cannot confirm', async () => {
    const order = { id: 'ORDER1', links: [{ rel: 'payer-action', href: 'https://pay.example' }] };
    const token = { access_token: 't', expires_in: 3600, token_type: 'Bearer' };
    let capture: (id: string) => { status: number; body: object } = () => ({
      status: 500,
      body: {},
    });
    answer = (url) => {
      if (url.includes('/oauth2/token')) return { status: 200, body: token };
      return url.includes('/captures/')
        ? capture(url.split('/').at(-1) ?? '')
        : { status: 201, body: order };
    };
    const link = await owner.aPaymentLink(await owner.anInvoice(), { gateway: 'gateway-b' });
    const truth = (over: object) => (id: string) => ({
      status: 200,
      body: {
        id,
        status: 'COMPLETED',
        custom_id: link.id,
        amount: { value: '119.00', currency_code: 'EUR' },
        ...over,
      },
    });
    const unreachable = await withApi.deliverPaid(link);
    expect(unreachable.status).toBe(503);
    expect(unreachable.headers.get('retry-after')).not.toBeNull();
    capture = truth({ amount: { value: '1.00', currency_code: 'EUR' } });
    expect((await withApi.deliverPaid(link)).body).toMatchObject({ code: 'invalid_signature' });
    capture = truth({});
    expect((await withApi.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect((await owner.get(`/v1/finance/payment-links/${link.id}`)).body['status']).toBe('paid');
  });
});
