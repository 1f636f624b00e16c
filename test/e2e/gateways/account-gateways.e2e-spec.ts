import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayBody } from '../../../src/payments/http/account-gateway.dto.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

const PATH = '/v1/finance/gateways';
const SECRET = 'whsec_account_gateways_first_0001';
const NEXT_SECRET = 'whsec_account_gateways_second_0002';
const API_KEY = 'sk_test_account_gateways_9876';

let service: TestService;
let stub: ProviderStub;
let names = 0;

beforeAll(async () => {
  stub = await startProviderStub();
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});

const aName = () => `shop-${(names += 1)}`;

async function aStripe(client: TestClient, over: object = {}): Promise<GatewayBody> {
  const settings = { webhook_secret: SECRET, api_key: API_KEY, api_base: stub.apiBase };
  const body = { name: aName(), provider: 'stripe', settings, ...over };
  const made = await client.post<GatewayBody>(PATH, body);
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body;
}

/** As Stripe's own library signs it. */
function signed(payload: string, secret: string) {
  const timestamp = Math.floor(service.clock.now().getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { 'content-type': 'application/json', 'stripe-signature': header };
}

let events = 0;

function paid(link: { id: string; amount: number; currency: string }): string {
  events += 1;
  return JSON.stringify({
    id: `evt_${events}`,
    object: 'event',
    created: Math.floor(service.clock.now().getTime() / 1000),
    livemode: false,
    type: 'payment_intent.succeeded',
    data: {
      object: {
        id: `pi_own_${events}`,
        object: 'payment_intent',
        status: 'succeeded',
        amount_received: link.amount,
        currency: link.currency.toLowerCase(),
        metadata: { payment_link_id: link.id },
      },
    },
  });
}

async function deliver(to: { id: string }, payload: string, secret = SECRET, at = service) {
  const headers = signed(payload, secret);
  return at.call(`/v1/webhooks/${to.id}`, { method: 'POST', body: payload, headers });
}

/** An event that is verified, and of no effect. */
const nothing = () => JSON.stringify({ id: `evt_${(events += 1)}`, object: 'event', type: 'ping' });

describe('a gateway of an account', () => {
  it('is made and shown without its secrets, which are encrypted', async () => {
    const client = await service.aClient();
    const made = await aStripe(client, {
      settings: { webhook_secret: SECRET, api_key: 'short_key', environment: 'sandbox' },
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
    const read = await client.get(`${PATH}/${made.id}`);
    expect(read.body).toEqual(made);
    expect(read.headers.get('etag')).toBe('"1"');
    const list = await client.get<{ data: GatewayBody[] }>(PATH);
    expect(list.body.data).toEqual([made]);
    const audit = await client.get('/v1/audit?action=gateway.created');
    expect(audit.body['data']).toHaveLength(1);
    const rows = await service.database.query(
      `SELECT convert_from(sealed_settings, 'LATIN1') AS sealed FROM gateways`,
    );
    for (const text of [read.text, list.text, audit.text, JSON.stringify(rows)]) {
      expect(text).not.toMatch(/whsec_|short_key|account_gateways/);
    }
  });

  it('makes links by its id and its name, and takes money and gives it back', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    for (const gateway of [own.id, own.name]) {
      const invoice = await client.anInvoice();
      const link = await client.aPaymentLink(invoice, { gateway });
      expect(link).toMatchObject({ gateway: own.id, url: 'https://checkout.test/1' });
      expect((await deliver(own, paid(link))).body).toEqual({ status: 'ok' });
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
    const name = aName();
    const [of, other] = [await aStripe(anna, { name }), await aStripe(ben, { name })];
    const link = await anna.aPaymentLink(await anna.anInvoice(), { gateway: name });
    expect(link.gateway).toBe(of.id);
    const again = { name, provider: 'stripe', settings: { webhook_secret: SECRET } };
    expectProblem(await anna.post(PATH, again), 422, 'gateway_name_taken');
    const configured = await anna.post(PATH, { ...again, name: 'gateway-a' });
    expectProblem(configured, 422, 'gateway_name_taken');
    const second = await aStripe(ben);
    const renamed = await ben.patch(`${PATH}/${second.id}`, { name });
    expectProblem(renamed, 422, 'gateway_name_taken');
    expect(other.name).toBe(name);
  });

  it('is unknown to other accounts, whatever they call', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const own = await aStripe(anna);
    const before = await service.database.query('SELECT * FROM gateways ORDER BY gateway_id');
    const calls: [string, object][] = [
      ['rotate-secret', { secret: NEXT_SECRET }],
      ['retire-secret', {}],
      ['disable', {}],
      ['enable', {}],
      ['test', {}],
    ];
    expectProblem(await ben.get(`${PATH}/${own.id}`), 404, 'gateway_not_found');
    const patched = await ben.patch(`${PATH}/${own.id}`, { name: 'mine' });
    expectProblem(patched, 404, 'gateway_not_found');
    for (const [step, body] of calls) {
      const answer = await ben.post(`${PATH}/${own.id}/${step}`, body);
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
    const [annas, bens] = [await aStripe(anna), await aStripe(ben)];
    const invoice = await ben.anInvoice();
    const link = await ben.aPaymentLink(invoice, { gateway: bens.id });
    expect((await deliver(annas, paid(link))).body).toEqual({ status: 'ignored' });
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
    const own = await aStripe(anna);
    const invoice = await anna.anInvoice();
    const link = await anna.aPaymentLink(invoice, { gateway: own.id });
    await deliver(own, paid(link));
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
    const own = await aStripe(client);
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: own.id });
    const disabled = await client.post<GatewayBody>(`${PATH}/${own.id}/disable`);
    expect(disabled.body).toMatchObject({ status: 'disabled', version: 2 });
    for (const gateway of [own.id, own.name]) {
      const path = `/v1/finance/documents/${invoice.id}/payment-links`;
      expectProblem(await client.post(path, { gateway }), 409, 'gateway_disabled');
    }
    expect((await deliver(own, paid(link))).body).toEqual({ status: 'ok' });
    const payments = await client.get<{ data: { id: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    const path = `/v1/finance/payments/${payments.body.data[0]?.id}/refunds`;
    const refunded = await client.post(path, { amount: 100 });
    expect(refunded.body['refund']).toMatchObject({ status: 'succeeded' });
    const enabled = await client.post<GatewayBody>(`${PATH}/${own.id}/enable`);
    expect(enabled.body).toMatchObject({ status: 'enabled', version: 3 });
    await client.aPaymentLink(await client.anInvoice(), { gateway: own.id });
  });

  it('is not offered to payers', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const token = await client.aPortalToken(await client.anInvoice());
    const page = async () =>
      (await service.call(`/v1/portal/${token}`, { headers: { accept: 'text/html' } })).text;
    expect(await page()).toContain(own.id);
    const pay = { method: 'POST', body: { gateway: own.id } };
    const opened = await service.call(`/v1/portal/${token}/pay`, pay);
    expect([opened.status, opened.body['gateway']]).toEqual([200, own.id]);
    await client.post(`${PATH}/${own.id}/disable`);
    expect(await page()).not.toContain(`value="${own.id}"`);
    const refused = await service.call(`/v1/portal/${token}/pay`, pay);
    expectProblem(refused, 404, 'gateway_not_found');
  });
});

describe('a webhook secret', () => {
  const accepted = async (own: GatewayBody, secret: string, at = service) =>
    (await deliver(own, nothing(), secret, at)).status === 200;

  it('counts beside the new one until it is retired', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const rotated = await client.post<GatewayBody>(`${PATH}/${own.id}/rotate-secret`, {
      secret: NEXT_SECRET,
    });
    expect(rotated.body).toMatchObject({
      version: 2,
      previous_secret_ends_at: expect.any(String),
    });
    expect(rotated.text).not.toContain('whsec_');
    expect([await accepted(own, SECRET), await accepted(own, NEXT_SECRET)]).toEqual([true, true]);
    const retired = await client.post<GatewayBody>(`${PATH}/${own.id}/retire-secret`);
    expect(retired.body).toMatchObject({ version: 3, previous_secret_ends_at: null });
    expect([await accepted(own, SECRET), await accepted(own, NEXT_SECRET)]).toEqual([false, true]);
    const again = await client.post<GatewayBody>(`${PATH}/${own.id}/retire-secret`);
    expect(again.body).toEqual(retired.body);
    const audit = await client.get(`/v1/audit?subject=${own.id}`);
    expect(audit.text).not.toMatch(/whsec_|sk_test/);
    expect((audit.body['data'] as { action: string }[]).map(({ action }) => action)).toEqual([
      'gateway.secret_retired',
      'gateway.secret_rotated',
      'gateway.created',
    ]);
  });

  it('ends by itself, or at once when it leaked', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    await client.post(`${PATH}/${own.id}/rotate-secret`, { secret: NEXT_SECRET, overlap_hours: 2 });
    expect(await accepted(own, SECRET)).toBe(true);
    service.clock.advance({ hours: 2, seconds: 1 });
    expect(await accepted(own, SECRET)).toBe(false);
    const read = await client.get<GatewayBody>(`${PATH}/${own.id}`);
    expect(read.body.previous_secret_ends_at).toBeNull();

    const third = 'whsec_account_gateways_third_0003';
    await client.post(`${PATH}/${own.id}/rotate-secret`, { secret: third, overlap_hours: 0 });
    const all = [SECRET, NEXT_SECRET, third].map(async (secret) => accepted(own, secret));
    expect(await Promise.all(all)).toEqual([false, false, true]);
  });

  it('does not come back with a change after its end', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    await client.post(`${PATH}/${own.id}/rotate-secret`, { secret: NEXT_SECRET, overlap_hours: 1 });
    service.clock.advance({ hours: 1, seconds: 1 });
    await client.patch(`${PATH}/${own.id}`, { settings: { api_key: 'sk_test_another_one' } });
    expect([await accepted(own, SECRET), await accepted(own, NEXT_SECRET)]).toEqual([false, true]);
  });

  it('that is changed is known to other processes at their next use', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const other = await startTestService({ database: service.database, clock: service.clock });
    expect(await accepted(own, SECRET, other)).toBe(true);
    await client.patch(`${PATH}/${own.id}`, { settings: { webhook_secret: NEXT_SECRET } });
    expect(await accepted(own, SECRET, other)).toBe(false);
    expect(await accepted(own, NEXT_SECRET, other)).toBe(true);
    await client.post(`${PATH}/${own.id}/disable`);
    const there = await other.aClient({ of: client });
    const path = `/v1/finance/documents/${(await there.anInvoice()).id}/payment-links`;
    expectProblem(await there.post(path, { gateway: own.id }), 409, 'gateway_disabled');
    await other.close();
  });
});

describe('a change', () => {
  it('is refused on an older version, and takes optional settings away', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const path = `${PATH}/${own.id}`;
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
    const own = await aStripe(client, { provider: 'paypal', settings });
    const answer = await client.post(`${PATH}/${own.id}/rotate-secret`, { secret: NEXT_SECRET });
    expectProblem(answer, 409, 'nothing_to_rotate');
  });

  it('is refused beyond twenty gateways', async () => {
    const client = await service.aClient();
    for (let made = 0; made < 20; made += 1) await aStripe(client);
    const settings = { webhook_secret: SECRET };
    const body = { name: aName(), provider: 'stripe', settings };
    expectProblem(await client.post(PATH, body), 409, 'too_many_gateways');
  });

  it('needs the scope for settings', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const reader = await service.aClient({ of: client, scopes: ['payments:read'] });
    expect((await reader.get(`${PATH}/${own.id}`)).status).toBe(200);
    expectProblem(await reader.post(`${PATH}/${own.id}/disable`), 403, 'insufficient_scope');
  });
});

describe('a body', () => {
  it('is told all that is wrong with it at once, and no value', async () => {
    const client = await service.aClient();
    const answer = await client.post(PATH, {
      name: 'gateway-a',
      provider: 'paypal',
      settings: {
        webhook_id: 'hush hush',
        environment: 'hush',
        client_id: 'id-hush',
        certificates: '/etc/hush',
        anchors: '/etc/hush',
        demo_key: '/etc/hush',
        colour: 'hush',
      },
    });
    const body = expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(body)).toEqual([
      '/name',
      '/settings/anchors',
      '/settings/certificates',
      '/settings/client_secret',
      '/settings/colour',
      '/settings/demo_key',
      '/settings/environment',
      '/settings/webhook_id',
    ]);
    expect(answer.text).not.toContain('hush');
  });

  const valid = { name: 'hostile', provider: 'stripe', settings: { webhook_secret: SECRET } };
  const settings = (over: unknown) => ({ ...valid, settings: over });
  const hostile: unknown[] = [
    null,
    [],
    'text',
    7,
    {},
    { ...valid, name: '' },
    { ...valid, name: 'A' },
    { ...valid, name: 'a_b' },
    { ...valid, name: 'gw_01h455vb4pex5vsknk084sn02q' },
    { ...valid, name: 'a--b' },
    { ...valid, name: 'a\u0000b' },
    { ...valid, name: 'x'.repeat(61) },
    { ...valid, name: ['hostile'] },
    { ...valid, name: '../../etc' },
    { ...valid, provider: 'unheard-of' },
    { ...valid, provider: '__proto__' },
    { ...valid, provider: 'constructor' },
    { ...valid, provider: { name: 'stripe' } },
    { ...valid, account_id: 'acc_01h455vb4pex5vsknk084sn02q' },
    { ...valid, version: 9 },
    settings(null),
    settings([SECRET]),
    settings(SECRET),
    settings({}),
    settings({ webhook_secret: '' }),
    settings({ webhook_secret: null }),
    settings({ webhook_secret: [SECRET] }),
    settings({ webhook_secret: `${SECRET},` }),
    settings({ webhook_secret: `${SECRET},${NEXT_SECRET}` }),
    settings({ webhook_secret: 'x'.repeat(4097) }),
    settings({ webhook_secret: '\u0000' }),
    settings({ webhook_secret: SECRET, constructor: 'x' }),
    settings({ webhook_secret: SECRET, toString: 'x' }),
    settings({ webhook_secret: SECRET, 'api/key': 'x' }),
    settings({ webhook_secret: SECRET, API_KEY: 'x' }),
    settings({ webhook_secret: SECRET, api_base: 'file:///etc/passwd' }),
    settings({ webhook_secret: SECRET, environment: 'production' }),
    settings(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 'x']))),
  ];

  it.each(hostile.map((body, at) => [at, body] as const))(
    'that is hostile (%d) is refused, and not told back',
    async (_at, body) => {
      const client = await service.aClient();
      const answer = await client.post(PATH, body);
      expect([400, 422]).toContain(answer.status);
      expect(answer.text).not.toContain(SECRET);
      expect((await client.get<{ data: unknown[] }>(PATH)).body.data).toEqual([]);
      const own = await aStripe(client);
      const patched = await client.patch(`${PATH}/${own.id}`, body);
      expect(patched.status).toBeLessThan(500);
      expect(patched.text).not.toContain(SECRET);
    },
  );

  it.each(['gw_', 'gw_01h455vb4pex5vsknk084sn02q', 'GATEWAY-A', '%00', 'gw_%2e%2e'])(
    'for an id that is none (%s) finds nothing',
    async (id) => {
      const client = await service.aClient();
      expect((await client.get(`${PATH}/${id}`)).status).toBeGreaterThanOrEqual(400);
      const answer = await service.call(`/v1/webhooks/${id}`, { method: 'POST', body: '{}' });
      expect([400, 404]).toContain(answer.status);
    },
  );
});

describe('the settings at rest', () => {
  const OLD = 'a test secret of more than thirty-two characters';
  const NEW = 'another test secret of more than thirty-two characters';
  const keyIds = async (id: string) =>
    (
      await service.database.query<{ key: string }>(
        `SELECT encode(substr(sealed_settings, 1, 4), 'hex') AS key FROM gateways WHERE name = $1`,
        [id],
      )
    ).map(({ key }) => key);

  it('follow the secret of the service as it rotates', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const [first] = await keyIds(own.name);
    const { database, clock } = service;
    const both = await startTestService({ database, clock, secrets: [NEW, OLD] });
    const [second] = await keyIds(own.name);
    expect(second).not.toBe(first);
    expect((await deliver(own, nothing(), SECRET, both)).status).toBe(200);
    await both.close();
    const alone = await startTestService({ database, clock, secrets: [NEW] });
    expect((await deliver(own, nothing(), SECRET, alone)).status).toBe(200);
    await alone.close();
    // Back, for the tests that come after.
    await (await startTestService({ database, clock, secrets: [OLD, NEW] })).close();
    expect(await keyIds(own.name)).toEqual([first]);
  });

  it('that cannot be read are told so, and can be given again', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const { database, clock } = service;
    const lost = await startTestService({ database, clock, secrets: [NEW] });
    const there = await lost.aClient({ of: client });
    const refused = await deliver(own, nothing(), SECRET, lost);
    expectProblem(refused, 503, 'gateway_unreadable');
    const read = await there.get<GatewayBody>(`${PATH}/${own.id}`);
    expect(read.body.settings).toBeNull();
    for (const [step, body] of [
      ['test', {}],
      ['rotate-secret', { secret: NEXT_SECRET }],
      ['retire-secret', {}],
    ] as const) {
      const answer = await there.post(`${PATH}/${own.id}/${step}`, body);
      expectProblem(answer, 503, 'gateway_unreadable');
    }
    const settings = { webhook_secret: NEXT_SECRET };
    expect((await there.patch(`${PATH}/${own.id}`, { settings })).status).toBe(200);
    expect((await deliver(own, nothing(), NEXT_SECRET, lost)).status).toBe(200);
    await lost.close();
  });

  it('are of one gateway: in the row of another they are nothing', async () => {
    const [anna, ben] = [await service.aClient(), await service.aClient()];
    const [annas, bens] = [await aStripe(anna), await aStripe(ben)];
    await service.database.query(
      `UPDATE gateways SET version = version + 1, sealed_settings =
         (SELECT sealed_settings FROM gateways WHERE name = $1) WHERE name = $2`,
      [annas.name, bens.name],
    );
    expectProblem(await deliver(bens, nothing()), 503, 'gateway_unreadable');
    expect((await deliver(annas, nothing())).status).toBe(200);
  });

  it('stay with their account, and are never deleted', async () => {
    const own = await aStripe(await service.aClient());
    for (const change of [
      'DELETE FROM gateways WHERE name = $1',
      'UPDATE gateways SET account_id = account_id WHERE name = $1',
      "UPDATE gateways SET provider = 'sandbox' WHERE name = $1",
    ]) {
      await expect(service.database.query(change, [own.name])).rejects.toThrow(/stays what it is/);
    }
  });
});

describe('a test', () => {
  it('tells whether credentials, events and clocks are right', async () => {
    const client = await service.aClient();
    const own = await aStripe(client);
    const test = async () => (await client.post(`${PATH}/${own.id}/test`)).body['checks'];
    const url = own.webhook_url;
    stub.answers['GET /v1/balance'] = [200, { object: 'balance' }];
    const endpoint = { url, status: 'enabled', enabled_events: ['*'] };
    stub.answers['GET /v1/webhook_endpoints'] = [200, { data: [endpoint] }];
    service.clock.set(new Date());
    expect(await test()).toEqual([
      { check: 'credentials', status: 'ok', detail: expect.any(String) },
      { check: 'clock', status: 'ok', detail: expect.any(String) },
      { check: 'webhook', status: 'ok', detail: expect.any(String) },
    ]);
    stub.answers['GET /v1/balance'] = [401, { error: { type: 'invalid_request_error' } }];
    expect(await test()).toContainEqual(
      expect.objectContaining({ check: 'credentials', status: 'failed' }),
    );
    stub.answers['GET /v1/balance'] = [500, {}];
    expect(await test()).toEqual([
      { check: 'credentials', status: 'unknown', detail: expect.any(String) },
    ]);
  });
});
