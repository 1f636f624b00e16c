import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayBody } from '../../../src/payments/port/wire/account-gateway.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import {
  anOwnGateway,
  anOwnName,
  deliverTo,
  NEXT_OWN_SECRET,
  OWN_GATEWAYS,
  OWN_SECRET,
  paidEvent,
} from './own-gateways.js';

let service: TestService;
let stub: ProviderStub;

beforeAll(async () => {
  stub = await startProviderStub();
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});

describe('a gateway of an account', () => {
  it('is counted under its provider, as there may be any number of them', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: own.id });
    expect((await deliverTo(service, own, paidEvent(service, link))).body).toEqual({
      status: 'ok',
    });
    expect((await deliverTo(service, own, '{}', NEXT_OWN_SECRET)).status).toBe(400);
    const { text } = await service.metrics();
    expect(text).toMatch(/^webhook_deliveries_total\{gateway="stripe",outcome="ok"\} \d+$/m);
    expect(text).toMatch(/^signatures_refused_total\{gateway="stripe"\} \d+$/m);
    expect(text).not.toContain('gw_');
  });

  it('is made and shown without its secrets, which are encrypted', async () => {
    const client = await service.aClient();
    const made = await anOwnGateway(client, stub, {
      settings: { webhook_secret: OWN_SECRET, api_key: 'short_key', environment: 'sandbox' },
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^gw_/),
      provider: 'stripe',
      status: 'enabled',
      webhook_url: `${service.config.baseUrl}/v1/webhooks/${made.id}`,
      previous_secret_ends_at: null,
      version: 1,
    });
    expect(made.settings).toEqual([
      { name: 'api_key', value: null, ends_in: null, set_at: expect.any(String) },
      { name: 'environment', value: 'sandbox', ends_in: null, set_at: expect.any(String) },
      { name: 'webhook_secret', value: null, ends_in: '0001', set_at: expect.any(String) },
    ]);
    const read = await client.get(`${OWN_GATEWAYS}/${made.id}`);
    expect(read.body).toEqual(made);
    expect(read.headers.get('etag')).toBe('"1"');
    const list = await client.get<{ data: GatewayBody[] }>(OWN_GATEWAYS);
    expect(list.body.data).toEqual([made]);
    const audit = await client.get('/v1/audit?action=gateway.created');
    expect(audit.body['data']).toHaveLength(1);
    const rows = await service.database.query(
      `SELECT encode(sealed_settings, 'escape') AS sealed FROM gateways`,
    );
    for (const text of [read.text, list.text, audit.text, JSON.stringify(rows)]) {
      expect(text).not.toMatch(/whsec_|short_key|account_gateways/);
    }
  });

  it('makes links by its id and its name, and takes money and gives it back', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    for (const gateway of [own.id, own.name]) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice, { gateway });
      expect(link).toMatchObject({ gateway: own.id, url: 'https://checkout.test/1' });
      expect((await deliverTo(service, own, paidEvent(service, link))).body).toEqual({
        status: 'ok',
      });
      expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
      const payments = await client.get<{ data: { id: string; gateway: string }[] }>(
        `/v1/finance/payments?gateway=${own.id}&document_id=${invoice.id}`,
      );
      const [payment] = payments.body.data;
      expect(payment?.gateway).toBe(own.id);
      const path = `/v1/finance/payments/${payment?.id}/refunds`;
      const refunded = await client.post(path, { amount: 100 });
      expect(refunded.body['refund']).toMatchObject({ status: 'succeeded', gateway: own.id });
    }
    await expectBooksToAgree(service);
  });

  it('has a name that another account may have, too, and only one gateway of its own', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const name = anOwnName();
    const [of, other] = [
      await anOwnGateway(anna, stub, { name }),
      await anOwnGateway(ben, stub, { name }),
    ];
    const link = await anna.aPaymentLink(await anna.anInvoice(), { gateway: name });
    expect(link.gateway).toBe(of.id);
    const again = { name, provider: 'stripe', settings: { webhook_secret: OWN_SECRET } };
    expectProblem(await anna.post(OWN_GATEWAYS, again), 422, 'gateway_name_taken');
    const configured = await anna.post(OWN_GATEWAYS, { ...again, name: 'gateway-a' });
    expectProblem(configured, 422, 'gateway_name_taken');
    const second = await anOwnGateway(ben, stub);
    const renamed = await ben.patch(`${OWN_GATEWAYS}/${second.id}`, { name });
    expectProblem(renamed, 422, 'gateway_name_taken');
    expect(other.name).toBe(name);
  });

  it('is unknown to other accounts, whatever they call', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const own = await anOwnGateway(anna, stub);
    const before = await service.database.query('SELECT * FROM gateways ORDER BY gateway_id');
    const calls: [string, object][] = [
      ['rotate-secret', { secret: NEXT_OWN_SECRET }],
      ['retire-secret', {}],
      ['disable', {}],
      ['enable', {}],
      ['test', {}],
    ];
    expectProblem(await ben.get(`${OWN_GATEWAYS}/${own.id}`), 404, 'gateway_not_found');
    const patched = await ben.patch(`${OWN_GATEWAYS}/${own.id}`, { name: 'mine' });
    expectProblem(patched, 404, 'gateway_not_found');
    for (const [step, body] of calls) {
      const answer = await ben.post(`${OWN_GATEWAYS}/${own.id}/${step}`, body);
      expectProblem(answer, 404, 'gateway_not_found');
    }
    const invoice = await ben.anInvoice();
    for (const gateway of [own.id, own.name]) {
      const path = `/v1/finance/documents/${invoice.id}/payment-links`;
      expectProblem(await ben.post(path, { gateway }), 404, 'gateway_not_found');
    }
    const payout = { provider_payout_id: 'po_own', amount: 1, currency: 'EUR' };
    const sent_on = service.clock.now().toISOString().slice(0, 10);
    const path = '/v1/finance/payouts';
    const foreign = await ben.post(path, { ...payout, sent_on, gateway: own.id });
    expectProblem(foreign, 404, 'gateway_not_found');
    const now = await service.database.query('SELECT * FROM gateways ORDER BY gateway_id');
    expect(now).toEqual(before);
    expect((await anna.post(path, { ...payout, sent_on, gateway: own.id })).status).toBe(201);
  });

  it('takes money for a link of another account to no document and no account', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const [annas, bens] = [await anOwnGateway(anna, stub), await anOwnGateway(ben, stub)];
    const invoice = await ben.anInvoice();
    const link = await ben.aPaymentLink(invoice, { gateway: bens.id });
    expect((await deliverTo(service, annas, paidEvent(service, link))).body).toEqual({
      status: 'ignored',
    });
    expect(await ben.read(invoice)).toMatchObject({ status: 'open', amount_paid: 0 });
    const kept = await service.database.query(
      'SELECT account_id, unmatched_reason FROM provider_receipts WHERE link_reference = $1',
      [link.id],
    );
    expect(kept).toEqual([{ account_id: null, unmatched_reason: 'foreign_gateway' }]);
    await expectBooksToAgree(service);
  });

  it('gives money back to nobody through the gateway of another account', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const own = await anOwnGateway(anna, stub);
    const invoice = await anna.anInvoice();
    const link = await anna.aPaymentLink(invoice, { gateway: own.id });
    await deliverTo(service, own, paidEvent(service, link));
    const payments = await anna.get<{ data: { id: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    const path = `/v1/finance/payments/${payments.body.data[0]?.id}/refunds`;
    expectProblem(await ben.post(path, { amount: 100 }), 404, 'payment_not_found');
  });
});

describe('a disabled gateway', () => {
  it('makes no links, and still books and refunds what is under way', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: own.id });
    const disabled = await client.post<GatewayBody>(`${OWN_GATEWAYS}/${own.id}/disable`);
    expect(disabled.body).toMatchObject({ status: 'disabled', version: 2 });
    for (const gateway of [own.id, own.name]) {
      const path = `/v1/finance/documents/${invoice.id}/payment-links`;
      expectProblem(await client.post(path, { gateway }), 409, 'gateway_disabled');
    }
    expect((await deliverTo(service, own, paidEvent(service, link))).body).toEqual({
      status: 'ok',
    });
    const payments = await client.get<{ data: { id: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    const path = `/v1/finance/payments/${payments.body.data[0]?.id}/refunds`;
    const refunded = await client.post(path, { amount: 100 });
    expect(refunded.body['refund']).toMatchObject({ status: 'succeeded' });
    const enabled = await client.post<GatewayBody>(`${OWN_GATEWAYS}/${own.id}/enable`);
    expect(enabled.body).toMatchObject({ status: 'enabled', version: 3 });
    await client.aPaymentLink(await client.anInvoice(), { gateway: own.id });
  });

  it('is not offered to payers', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const token = await client.aPortalToken(await client.anInvoice());
    const page = async () =>
      (await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } })).text;
    expect(await page()).toContain(own.id);
    const pay = { method: 'POST', body: { gateway: own.id } };
    const opened = await service.call(`/v1/portal/${token}/pay`, pay);
    expect([opened.status, opened.body['gateway']]).toEqual([200, own.id]);
    await client.post(`${OWN_GATEWAYS}/${own.id}/disable`);
    expect(await page()).not.toContain(`value="${own.id}"`);
    const refused = await service.call(`/v1/portal/${token}/pay`, pay);
    expectProblem(refused, 404, 'gateway_not_found');
  });
});

describe('a change', () => {
  it('is refused on an older version, and takes optional settings away', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const path = `${OWN_GATEWAYS}/${own.id}`;
    const change = { settings: { api_key: null } };
    const stale = await client.patch(path, change, { 'If-Match': '"7"' });
    expectProblem(stale, 412, 'version_mismatch');
    const changed = await client.patch<GatewayBody>(path, change, { 'If-Match': '"1"' });
    expect(changed.body.version).toBe(2);
    expect(changed.body.settings?.map(({ name }) => name)).toEqual(['api_base', 'webhook_secret']);
    const same = await client.patch<GatewayBody>(path, change);
    expect(same.body).toEqual(changed.body);
    const needed = await client.patch(path, { settings: { webhook_secret: null } });
    expectProblem(needed, 422, 'setting_required');
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: own.id });
    expect(link.url).toBeNull();
  });

  it('of a provider without a webhook secret rotates nothing', async () => {
    const client = await service.aClient();
    const settings = { webhook_id: 'WH-1', environment: 'sandbox' };
    const own = await anOwnGateway(client, stub, { provider: 'paypal', settings });
    const answer = await client.post(`${OWN_GATEWAYS}/${own.id}/rotate-secret`, {
      secret: NEXT_OWN_SECRET,
    });
    expectProblem(answer, 409, 'nothing_to_rotate');
  });

  it('is refused beyond twenty gateways', async () => {
    const client = await service.aClient();
    for (let made = 0; made < 20; made += 1) await anOwnGateway(client, stub);
    const settings = { webhook_secret: OWN_SECRET };
    const body = { name: anOwnName(), provider: 'stripe', settings };
    expectProblem(await client.post(OWN_GATEWAYS, body), 409, 'too_many_gateways');
  });

  it('needs the scope for settings', async () => {
    const client = await service.aClient();
    const own = await anOwnGateway(client, stub);
    const reader = await service.aClient({ of: client, scopes: ['payments:read'] });
    expect((await reader.get(`${OWN_GATEWAYS}/${own.id}`)).status).toBe(200);
    expectProblem(
      await reader.post(`${OWN_GATEWAYS}/${own.id}/disable`),
      403,
      'insufficient_scope',
    );
  });
});
