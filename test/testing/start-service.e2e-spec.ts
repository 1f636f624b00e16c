import { existsSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedService, startService, TestClock } from '../../src/testing/index.js';
import { acmeMac, acmeProvider } from './acme-provider.js';

const settings = { webhook_secret: 'a secret of the tests' };
const gateways = { shop: { provider: 'acme', settings } };
const folders = () => globSync(join(tmpdir(), 'quittance-service-*')).toSorted();

describe('a service for one test', () => {
  let service: EmbeddedService;
  beforeAll(async () => {
    service = await startService({ providers: [acmeProvider()], gateways });
  });
  afterAll(() => service.close());

  it('takes money through a provider of another company', async () => {
    const client = await service.aClient();
    const customer = await client.aCustomer({ name: 'Initech' });
    const invoice = await client.anInvoice({ customer: undefined, customer_id: customer.id });
    const link = await client.aPaymentLink(invoice, { gateway: 'shop' });
    expect(link).toMatchObject({ amount: 11_900, url: `https://pay.acme.example/${link.id}` });

    const { body, headers } = service.paidDelivery(link);
    const forged = await service.deliver('shop', { body: `${body} `, headers });
    expect([forged.status, forged.body.code]).toEqual([400, 'invalid_signature']);
    expect((await service.deliver('shop', { body, headers })).body).toEqual({ status: 'ok' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });

    const [payment] = await service.query<{ amount: bigint; method: string }>(
      'SELECT amount, method FROM payments',
    );
    expect(payment).toEqual({ amount: 11_900n, method: 'card' });
  });

  it('has a refund of the provider told by an event', async () => {
    const client = await service.aClient();
    const invoice = await client.anInvoice({ unitAmount: 5000, taxRate: '0' });
    const link = await client.aPaymentLink(invoice, { gateway: 'shop' });
    const paid = service.paidDelivery(link);
    await service.deliver('shop', paid);
    const { payment } = JSON.parse(paid.body) as { payment: string };
    const event = { id: 'ev_back', type: 'refunded', link: null, payment, refund: 'rf_1' };
    const sum = { amount: '20.00', currency: 'EUR', at: service.clock.now().toISOString() };
    const body = JSON.stringify({ ...event, ...sum });
    const headers = { 'acme-signature': acmeMac(settings.webhook_secret, body) };
    expect((await service.deliver('shop', { body, headers })).body).toEqual({ status: 'ok' });
    const { body: payments } = await client.get(`/v1/finance/documents/${invoice.id}/payments`);
    expect(payments['data']).toMatchObject([{ amount: 5000, amount_refunded: 2000 }]);
  });

  it('has a clock that tests set', async () => {
    const client = await service.aClient();
    const link = await client.aPaymentLink(await client.anInvoice(), { gateway: 'shop' });
    const path = `/v1/finance/payment-links/${link.id}`;
    expect((await client.get(path)).body).toMatchObject({ status: 'open' });
    service.clock.advance({ days: 31 });
    expect((await client.get(path)).body).toMatchObject({ status: 'expired' });
  });

  it('has clients of few scopes, and accounts that do not see each other', async () => {
    const client = await service.aClient();
    const customer = await client.aCustomer();
    const path = `/v1/finance/customers/${customer.id}`;
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    expect((await reader.get(path)).status).toBe(200);
    const refused = await reader.patch(path, { name: 'Initech' });
    expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope']);
    expect((await (await service.aClient()).get(path)).status).toBe(404);
    expect((await service.call('/v1/finance/customers')).status).toBe(401);
  });
});

describe('services for tests', () => {
  it('run side by side, and leave nothing behind', async () => {
    const before = folders();
    const clock = new TestClock();
    clock.set('2027-02-28T12:00:00Z');
    const [one, other] = await Promise.all([startService({ clock }), startService()]);
    const client = await one.aClient();
    const invoice = await client.anInvoice();
    expect(invoice).toMatchObject({ issue_date: '2027-02-28' });
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    expect((await one.deliverPaid(link)).body).toEqual({ status: 'ok' });
    expect(await other.query('SELECT document_id FROM documents')).toEqual([]);
    const made = folders().filter((folder) => !before.includes(folder));
    expect(made).toHaveLength(2);
    await Promise.all([one.close(), other.close()]);
    await one.close();
    expect(made.filter((folder) => existsSync(folder))).toEqual([]);
    await expect(one.call('/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    [{ shop: { provider: 'acme', settings: {} } }, 'GATEWAY_SHOP_WEBHOOK_SECRET is required'],
    [{ shop: { provider: 'nobody', settings } }, 'GATEWAY_SHOP_PROVIDER has to be one of'],
    [{ shop: { provider: 'acme' } as never }, 'The gateway shop has no settings'],
  ])('refuse %j in a sentence, and leave nothing behind', async (wrong, sentence) => {
    const before = folders();
    const started = startService({ providers: [acmeProvider()], gateways: wrong });
    await expect(started).rejects.toThrow(sentence);
    expect(folders()).toEqual(before);
  });

  it('refuse a provider whose name is taken', async () => {
    const providers = [acmeProvider(), acmeProvider()];
    await expect(startService({ providers })).rejects.toThrow(
      'A test brings acme, whose name or gateway is there already.',
    );
  });

  it('refuse what is no provider', async () => {
    const before = folders();
    await expect(startService({ providers: [{ name: 'acme' } as never] })).rejects.toThrow(
      'This is no provider; wrong or missing: settings, unsafe, open.',
    );
    expect(folders()).toEqual(before);
  });
});
