import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { type Link, signedByStripe, stripePayment } from '../gateways/stripe-events.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const linkStatus = async (link: Link) =>
  (await client.get(`/v1/finance/payment-links/${link.id}`)).body['status'];

const unreachableCapture = () => ({ status: 500, body: {} });

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

  it('close when a refund lets a credit note settle the document', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/finance/documents/${invoice.id}`;
    await client.pay(invoice, { amount: 12_000, on_overpayment: 'credit' });
    const { body: list } = await client.get<{ data: { id: string }[] }>(`${path}/payments`);
    const paid = list.data[0]!;
    await client.post(`${path}/credit-notes`, {});
    const part = { from: invoice.id, to: 'credit', amount: 2_000 };
    await client.post(`/v1/finance/payments/${paid.id}/allocations`, part);
    const link = await client.aPaymentLink(invoice, { amount: 2_000 });
    const refund = await client.post(`/v1/finance/payments/${paid.id}/refunds`, {});
    expect(refund.body).toMatchObject({ refund: { status: 'succeeded' } });
    expect((await client.get(path)).body).toMatchObject({ status: 'paid', amount_due: 0 });
    const { body: after } = await client.get(`/v1/finance/payment-links/${link.id}`);
    expect(after).toMatchObject({ status: 'canceled' });
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
  const now = () => withApi.clock.now();
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
    const { session } = stripePayment({ amount: link.amount, currency: 'EUR' }, now());
    const known = { ...session, data: { object: { ...session.data.object, id: 'cs_test_known' } } };
    const { body, headers } = signedByStripe(known, now());
    const path = '/v1/webhooks/gateway-a';
    const delivered = await withApi.call(path, { method: 'POST', body, headers });
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
    let capture: (id: string) => { status: number; body: object } = unreachableCapture;
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
