import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookDeliveryBody } from '../../../src/feed/wire/delivery.js';
import type {
  WebhookEndpointBody,
  WebhookEndpointWithSecretBody,
} from '../../../src/feed/wire/webhook-endpoint.js';
import { answering, Receiver } from '../../feed/receiver.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await startTestService({ sendsEvents: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

async function receiver(...of: Parameters<typeof Receiver.open>): Promise<Receiver> {
  const opened = await Receiver.open(...of);
  receivers.push(opened);
  return opened;
}

async function endpoint(to: Receiver, over: object = {}) {
  const made = await client.post<WebhookEndpointWithSecretBody>('/v1/webhook-endpoints', {
    url: to.url,
    ...over,
  });
  expect(made.status).toBe(201);
  return made.body;
}

const path = ({ id }: { id: string }, rest = '') => `/v1/webhook-endpoints/${id}${rest}`;

async function deliveries(of: { id: string }, query = '') {
  const { body } = await client.get<{ data: WebhookDeliveryBody[] }>(
    path(of, `/deliveries?limit=100&${query}`),
  );
  return body.data;
}

const soon = async (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

describe('deliveries to webhook endpoints', () => {
  it('sends each event that it reads, signed, as the feed shows it', async () => {
    const to = await receiver();
    const { secret } = await endpoint(to, { types: ['document.*', 'payment.recorded'] });
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_900 });
    await soon(() => expect(to.calls).toHaveLength(4));
    const [first] = to.calls;
    expect(new Webhook(secret!).verify(first!.body, first!.headers)).toMatchObject({
      id: first!.id,
    });
    expect(() => new SvixWebhook(secret!).verify(first!.body, first!.headers)).not.toThrow();
    for (const one of [new Webhook(secret!), new SvixWebhook(secret!)])
      expect(() => one.verify(`${first!.body} `, first!.headers)).toThrow();
    const types = to.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    // They leave in order, and may overtake each other on their way.
    expect(types.toSorted()).toEqual([
      'document.created',
      'document.issued',
      'document.paid',
      'payment.recorded',
    ]);
    for (const { id, body } of to.calls) {
      expect((await client.get(`/v1/events/${id}`)).body).toEqual(JSON.parse(body));
    }
  });

  it('signs with a key pair, whose secret half never leaves', async () => {
    const to = await receiver();
    const { secret, public_key: told } = await endpoint(to, { signing: 'ed25519' });
    expect(secret).toBeNull();
    await client.anInvoice();
    await soon(() => expect(to.calls.length).toBeGreaterThan(0));
    const { headers, body } = to.calls[0]!;
    const der = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(told!.slice('whpk_'.length), 'base64'),
    ]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
    const [, signature = ''] = headers['webhook-signature']!.split('v1a,');
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('has both signatures while a secret is rotated', async () => {
    const to = await receiver();
    const made = await endpoint(to, { types: ['document.issued'] });
    const { body: rotated } = await client.post<WebhookEndpointWithSecretBody>(
      path(made, '/rotate'),
      {},
    );
    expect(rotated.secret).not.toBe(made.secret);
    await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    const [{ body, headers }] = to.calls as [Receiver['calls'][0]];
    for (const secret of [made.secret, rotated.secret])
      expect(new Webhook(secret!).verify(body, headers)).toMatchObject({ type: 'document.issued' });
    await client.post(path(made, '/rotate'), { overlap_hours: 0 });
    await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(2));
    expect(to.calls[1]!.headers['webhook-signature']).not.toContain(' ');
    expect(() =>
      new Webhook(rotated.secret!).verify(to.calls[1]!.body, to.calls[1]!.headers),
    ).toThrow();
  });

  it('sends thin events without what they are about', async () => {
    const to = await receiver();
    await endpoint(to, { payload: 'thin', types: ['document.issued'] });
    const invoice = await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    const body = JSON.parse(to.calls[0]!.body) as object;
    expect(body).toMatchObject({ type: 'document.issued', document_id: invoice.id });
    expect(body).not.toHaveProperty('data');
    expect(body).not.toHaveProperty('actor');
  });

  it('tells an endpoint nothing that its maker may not read', async () => {
    const maker = await service.aClient({
      scopes: ['webhooks:manage', 'payments:read', 'events:read'],
      of: client,
    });
    const to = await receiver();
    const all = await receiver();
    await endpoint(all);
    const made = await maker.post<WebhookEndpointWithSecretBody>('/v1/webhook-endpoints', {
      url: to.url,
    });
    expect(made.body.scopes).toEqual(['payments:read', 'webhooks:manage']);
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    await soon(() => expect(all.calls.length).toBeGreaterThanOrEqual(4));
    await soon(() => expect(to.calls).toHaveLength(1));
    const body = JSON.parse(to.calls[0]!.body) as { data: object };
    expect(body).toMatchObject({ type: 'payment.recorded', data: { payment: { amount: 2500 } } });
    expect(body.data).not.toHaveProperty('document');
    const other = await service.aClient();
    expect(await other.get(path(made.body))).toMatchObject({
      status: 404,
      body: { code: 'webhook_endpoint_not_found' },
    });
  });

  it('tries again after 5 seconds, 5 minutes, ... with the same id, and then no more', async () => {
    const to = await receiver(answering(500));
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    for (const [before, seconds] of [...service.config.deliveryRetrySeconds, 0].entries()) {
      const tries = before + 1;
      await soon(async () => {
        const [delivery] = await deliveries(made);
        expect(delivery?.tries).toHaveLength(tries);
      });
      // With what is added by chance.
      service.clock.advance({ seconds: seconds * 1.1 });
    }
    const [delivery] = await deliveries(made);
    expect(delivery).toMatchObject({ status: 'failed', next_try_at: null, answer: 'code 500' });
    expect(delivery!.tries.at(-1)).toMatchObject({ status_code: 500, failure: 'status' });
    expect(new Set(to.ids).size).toBe(1);
    expect(to.calls).toHaveLength(10);
  });

  it('does not follow a redirect, and takes it for a failure', async () => {
    const trap = await receiver();
    const to = await receiver(answering(302, { location: trap.url }));
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    await soon(async () =>
      expect((await deliveries(made))[0]?.tries[0]).toMatchObject({
        status_code: 302,
        failure: 'status',
      }),
    );
    expect(trap.calls).toEqual([]);
  });

  it('leaves an endpoint alone for as long as it asks', async () => {
    const to = await receiver((call, response) =>
      answering(to.calls.length > 1 ? 200 : 429, { 'retry-after': '60' })(call, response),
    );
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(1));
    await client.anInvoice();
    await soon(async () => expect(await deliveries(made)).toHaveLength(2));
    service.clock.advance({ seconds: 30 });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(to.calls).toHaveLength(1);
    service.clock.advance({ seconds: 31 });
    await soon(async () =>
      expect((await deliveries(made)).map(({ status }) => status)).toEqual([
        'delivered',
        'delivered',
      ]),
    );
  });

  it('disables an endpoint that is gone, tells the others, and goes on when it is enabled', async () => {
    const other = await receiver();
    await endpoint(other, { types: ['webhook_endpoint.*'] });
    const to = await receiver((call, response) =>
      answering(to.calls.length === 1 ? 410 : 200)(call, response),
    );
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    await soon(async () =>
      expect((await client.get<WebhookEndpointBody>(path(made))).body).toMatchObject({
        status: 'disabled',
        disabled_reason: 'gone',
      }),
    );
    await soon(() => expect(other.calls).toHaveLength(1));
    expect(JSON.parse(other.calls[0]!.body)).toMatchObject({
      type: 'webhook_endpoint.disabled',
      data: { webhook_endpoint: { id: made.id }, reason: 'gone' },
    });
    const missed = await client.anInvoice();
    expect(await client.post(path(made, '/test'), {})).toMatchObject({
      status: 409,
      body: { code: 'webhook_endpoint_disabled' },
    });
    expect((await client.post(path(made, '/enable'), {})).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    });
    service.clock.advance({ seconds: 6 });
    await soon(() => expect(to.calls).toHaveLength(2));
    expect(to.ids[0]).toBe(to.ids[1]);
    // Events of meanwhile are sent to those who ask for them.
    const from = new Date(service.clock.now().getTime() - 60_000).toISOString();
    expect((await client.post(path(made, '/replay'), { from, which: 'all' })).body).toEqual({
      events: 2,
    });
    await soon(() => expect(to.calls).toHaveLength(4));
    const documents = to.calls.map(
      ({ body }) => (JSON.parse(body) as { document_id: string }).document_id,
    );
    expect(documents).toContain(missed.id);
  });

  it('disables an endpoint that did nothing but fail for five days', async () => {
    const to = await receiver(answering(503));
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    const tries = async () => (await deliveries(made))[0]?.tries.length;
    await soon(async () => expect(await tries()).toBe(1));
    service.clock.advance({ days: 4 });
    await soon(async () => expect(await tries()).toBe(2));
    service.clock.advance({ days: 2 });
    await soon(async () =>
      expect((await client.get<WebhookEndpointBody>(path(made))).body).toMatchObject({
        status: 'disabled',
        disabled_reason: 'failing',
      }),
    );
  });

  it('tries an endpoint by an event of its own', async () => {
    const [to, other] = [await receiver(), await receiver()];
    const made = await endpoint(to, { types: ['document.paid'] });
    await endpoint(other);
    const { body: test } = await client.post<{ event_id: string }>(path(made, '/test'), {});
    await soon(() => expect(to.ids).toEqual([test.event_id]));
    await client.anInvoice();
    await soon(() => expect(other.calls.length).toBeGreaterThan(1));
    expect(other.ids).not.toContain(test.event_id);
  });

  it('sends a delivery again when asked, and replays what failed', async () => {
    let code = 200;
    const to = await receiver((call, response) => answering(code)(call, response));
    const made = await endpoint(to, { types: ['document.issued'] });
    await client.anInvoice();
    await soon(async () => expect((await deliveries(made, 'status=delivered')).length).toBe(1));
    const [delivered] = await deliveries(made);
    const again = path(made, `/deliveries/${delivered!.event_id}/redeliver`);
    expect((await client.post(again, {})).body).toMatchObject({ status: 'pending' });
    await soon(async () => {
      expect((await deliveries(made))[0]).toMatchObject({ status: 'delivered' });
      expect(to.ids).toEqual([delivered!.event_id, delivered!.event_id]);
    });
    const absent = path(made, '/deliveries/evt_01h455vb4pex5vsknk084sn02q/redeliver');
    expect(await client.post(absent, {})).toMatchObject({
      status: 404,
      body: { code: 'webhook_delivery_not_found' },
    });
    code = 500;
    await client.anInvoice();
    await soon(async () => expect((await deliveries(made))[0]?.tries).toHaveLength(1));
    expect(
      await client.post(path(made, `/deliveries/${to.ids.at(-1)}/redeliver`), {}),
    ).toMatchObject({ status: 409, body: { code: 'webhook_delivery_pending' } });
    expect(
      await client.post(path(made, '/replay'), { from: '2020-01-01T00:00:00Z' }),
    ).toMatchObject({ status: 200, body: { events: 0 } });
  });

  it('is not held up by an endpoint that does not answer', async () => {
    const stuck = await receiver(() => undefined);
    const to = await receiver();
    await endpoint(stuck, { types: ['document.*'] });
    await endpoint(to, { types: ['document.*'] });
    const begun = performance.now();
    for (let made = 0; made < 10; made += 1) await client.anInvoice();
    await soon(() => expect(to.calls).toHaveLength(20));
    expect(performance.now() - begun).toBeLessThan(14_000);
    expect(stuck.calls.length).toBeGreaterThan(0);
  });

  it('sends nothing to one that was deleted', async () => {
    const [to, other] = [await receiver(), await receiver()];
    const types = ['document.*'];
    const made = await endpoint(to, { types });
    await endpoint(other, { types });
    expect((await client.delete(path(made))).status).toBe(204);
    expect((await client.get(path(made))).status).toBe(404);
    await client.anInvoice();
    await soon(() => expect(other.calls).toHaveLength(2));
    expect(to.calls).toEqual([]);
  });
});
