import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signMollie } from '../../../src/gateways/mollie/mollie.gateway.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type Link, next } from './stripe-events.js';

let stub: ProviderStub;
let service: TestService;
let client: TestClient;

const gatewayOf = (name: string, settings: Record<string, string>) => ({
  name,
  provider: 'mollie',
  accounts: '*',
  settings,
});

beforeAll(async () => {
  stub = await startProviderStub();
  const webhook_secret = 'secret_of_the_tests';
  const api = { api_key: 'test_key', api_base: stub.apiBase };
  const gateways = [
    gatewayOf('mollie', { webhook_secret, ...api }),
    gatewayOf('keyless', { webhook_secret }),
  ];
  service = await startTestService({
    gateways,
    trustProxy: true,
    rateLimit: 1000,
    failureBurst: 10,
  });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});
beforeEach(() => {
  stub.payments = {};
  stub.nextLookUps = [];
  stub.calls = [];
});

/** A payment of the link as Mollie shows it, from now on. */
function paidAtMollie(link: Pick<Link, 'amount'> & { id?: string }, over: object = {}): string {
  const id = `tr_${next()}`;
  const at = service.clock.now().toISOString();
  stub.payments[id] = {
    resource: 'payment',
    id,
    mode: 'test',
    status: 'paid',
    amount: euros(link.amount),
    metadata: link.id === undefined ? null : { payment_link_id: link.id },
    createdAt: at,
    paidAt: at,
    ...over,
  };
  return id;
}
const euros = (minor: number) => ({ currency: 'EUR', value: (minor / 100).toFixed(2) });
const embed = (id: string, embedded: object) => {
  stub.payments[id] = { ...stub.payments[id], _embedded: embedded };
};
const callBack = async (body: string, gateway = 'mollie', address = '127.0.0.1') =>
  service.call<{ status: string; code?: string }>(`/v1/webhooks/${gateway}`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
  });
const aLink = async () => {
  const invoice = await client.anInvoice();
  return { invoice, link: await client.aPaymentLink(invoice, { gateway: 'mollie' }) };
};
const eventsOf = async (id: string) =>
  service.database.query<{ event_id: string; outcome: string }>(
    'SELECT event_id, outcome FROM provider_events WHERE event_id LIKE $1 ORDER BY event_id',
    [`${id}%`],
  );

describe('a payment at Mollie', () => {
  it('is paid on the page that Mollie made', async () => {
    const { link } = await aLink();
    expect((link as unknown as { url: string }).url).toContain('https://mollie.test/tr_made');
    expect(stub.calls).toContain('POST /v2/payments');
  });

  it('is booked from its id alone, once, however often that is sent', async () => {
    const { invoice, link } = await aLink();
    const id = paidAtMollie(link);
    const answers = await Promise.all(Array.from({ length: 10 }, () => callBack(`id=${id}`)));
    answers.push(await callBack(`id=${id}`));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await eventsOf(id)).toEqual([{ event_id: `${id}:payment.paid`, outcome: 'ok' }]);
    expect(stub.calls.filter((call) => call === `GET /v2/payments/${id}`).length).toBeLessThan(4);
  });

  it('is booked from a signed event without a call', async () => {
    const { invoice, link } = await aLink();
    stub.calls = [];
    expect((await service.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect(stub.calls).toEqual([]);
  });

  it('is one payment when both kinds of webhooks tell of it', async () => {
    const { invoice, link } = await aLink();
    const { body, headers } = service.paidDelivery(link);
    const { entityId, _embedded } = JSON.parse(body) as {
      entityId: string;
      _embedded: { entity: object };
    };
    stub.payments[entityId] = _embedded.entity;
    const answers = await Promise.all([
      callBack(`id=${entityId}`),
      service.call('/v1/webhooks/mollie', { method: 'POST', body, headers }),
    ]);
    expect(answers.map((answer) => answer.body)).toEqual([{ status: 'ok' }, { status: 'ok' }]);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('tells its refunds and chargebacks in the same look-up, each as an event of its own', async () => {
    const { invoice, link } = await aLink();
    const id = paidAtMollie(link);
    const at = service.clock.now().toISOString();
    const refund = { id: `re_${id}`, paymentId: id, amount: euros(1900), status: 'refunded' };
    embed(id, { refunds: [{ ...refund, createdAt: at }] });
    expect((await callBack(`id=${id}`)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await eventsOf(`re_${id}`)).toEqual([
      { event_id: `re_${id}:refund.refunded`, outcome: 'ok' },
    ]);
  });

  it('that a signed event only names is looked up, and the answer says what became of it', async () => {
    const { invoice, link } = await aLink();
    const id = paidAtMollie(link);
    embed(id, { refunds: [{ id: 're_nobody' }] });
    const event = { id: `event_${id}`, type: 'payment.paid', entityId: id };
    const deliver = async (entityId: string) => {
      const body = JSON.stringify({ ...event, entityId });
      const headers = signMollie('secret_of_the_tests', body);
      return service.call('/v1/webhooks/mollie', { method: 'POST', body, headers });
    };
    expect((await deliver(id)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect((await deliver(`${id}0`)).body).toMatchObject({ code: 'gateway_unavailable' });
    const nameless = await deliver(paidAtMollie({ amount: 500 }));
    expect(nameless.body).toEqual({ status: 'no_link_id' });
  });

  it('is due again when it is charged back, and paid when that is reversed', async () => {
    const { invoice, link } = await aLink();
    const id = paidAtMollie(link);
    await callBack(`id=${id}`);
    const chargeback = { id: `chb_${id}`, paymentId: id, amount: euros(11_900) };
    service.clock.advance({ days: 1 });
    const createdAt = service.clock.now().toISOString();
    embed(id, { chargebacks: [{ ...chargeback, createdAt }] });
    await callBack(`id=${id}`);
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    service.clock.advance({ days: 1 });
    const reversedAt = service.clock.now().toISOString();
    embed(id, { chargebacks: [{ ...chargeback, createdAt, reversedAt }] });
    await callBack(`id=${id}`);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('that expired leaves its link failed', async () => {
    const { link } = await aLink();
    const expiredAt = service.clock.now().toISOString();
    const id = paidAtMollie(link, { status: 'expired', paidAt: null, expiredAt });
    expect((await callBack(`id=${id}`)).body).toEqual({ status: 'ok' });
    const { body } = await client.get(`/v1/finance/payment-links/${link.id}`);
    expect(body).toMatchObject({ status: 'failed' });
  });
});

describe('an unsigned id', () => {
  it('gets one answer, whether Mollie knows it or not, and changes nothing', async () => {
    const unknown = await callBack(`id=tr_${next()}`);
    const foreign = await callBack(`id=${paidAtMollie({ amount: 500 })}`);
    expect([unknown.status, unknown.text]).toEqual([200, '{"status":"ok"}']);
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
  });

  it.each([401, 403, 429, 500, 503])('comes again when Mollie says %d', async (status) => {
    const { invoice, link } = await aLink();
    const id = paidAtMollie(link);
    stub.nextLookUps = [status];
    const answer = await callBack(`id=${id}`);
    expect([answer.status, answer.body.code]).toEqual([503, 'gateway_unavailable']);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
    expect((await callBack(`id=${id}`)).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
  });

  it('comes again until there is a key', async () => {
    const answer = await callBack(`id=tr_${next()}`, 'keyless');
    expect([answer.status, answer.body.code]).toEqual([503, 'gateway_key_missing']);
    expect(stub.calls).toEqual([]);
  });

  it.each(['', 'id=', 'id=tr_a/../../v2/profiles', 'id=re_4qqhO89gsT', 'testByMollie=1'])(
    'of another form is refused: %j',
    async (body) => {
      const answer = await callBack(body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_signature']);
      expect(stub.calls).toEqual([]);
    },
  );

  it('makes nobody a provider whose forgeries are let through', async () => {
    const address = '203.0.113.77';
    expect((await callBack(`id=tr_${next()}`, 'mollie', address)).status).toBe(200);
    for (let count = 0; count < 12; count += 1) await callBack('id=', 'mollie', address);
    const { link } = await aLink();
    const { body, headers } = service.paidDelivery(link);
    const answer = await service.call('/v1/webhooks/mollie', {
      method: 'POST',
      body,
      headers: { ...headers, 'x-forwarded-for': address },
    });
    expect([answer.status, answer.body['code']]).toEqual([429, 'too_many_failures']);
  });
});
