import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Providers } from '../../../src/gateways/index.js';
import { NO_ACCOUNT, publicId, uuidOf } from '../../../src/kernel/ids.js';
import { DeliveryRecord } from '../../../src/payments/inbox/application/delivery-record.js';
import { GatewayDeliveriesQuery } from '../../../src/payments/index.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, TOKENS } from '../expectations.js';
import {
  BatchApi,
  deliverBatch,
  foreignEvents,
  invoicesToPay,
  type Told,
  withBatches,
} from './batch-provider.js';
import { signedByStripe, stripePayment } from './stripe-events.js';

// Verified calls of providers are kept, encrypted, shown to the account that they are about, and
// applied again on demand.

const EVENTS = '/v1/finance/gateway-events';

interface EventBody {
  id: string;
  gateway: string;
  outcome: string;
  problem: string | null;
  event_types: string[];
  reports: number;
  replays: number;
}

interface WholeBody extends EventBody {
  body: string | null;
  effects: {
    events: { event_id: string; event_type: string; outcome: string | null }[];
    payment_ids: string[];
    payment_link_ids: string[];
    receipt_ids: string[];
    item_ids: string[];
  };
}

interface ReplayBody {
  changed: boolean;
  outcome: string;
  problem: string | null;
  gateway_event: EventBody;
}

const api = new BatchApi();
const { providers, gateways } = withBatches(api);
const batches = {
  providers: new Providers([...new Providers().all, ...providers.all]),
  gateways: [...testConfig(0).gateways, ...gateways],
};
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService(batches);
  client = await service.aClient();
});
afterAll(() => service.close());
afterEach(() => {
  api.undecided.clear();
  api.denied.clear();
});

const listed = async (of: TestClient, query = '') =>
  (await of.get<{ data: EventBody[] }>(`${EVENTS}?${query}`)).body.data;

const whole = async (of: TestClient, id: string) =>
  (await of.get<WholeBody>(`${EVENTS}/${id}`)).body;

const replay = async (of: TestClient, id: string) => of.post<ReplayBody>(`${EVENTS}/${id}/replay`);

const deliver = (told: readonly Told[], signature?: string) =>
  deliverBatch(service, told, signature);

const keptRows = async () => {
  await service.app.get(DeliveryRecord).written();
  return service.database.query<{ sealed_delivery: Buffer; row: string }>(
    `SELECT sealed_delivery, (to_jsonb(d) - 'sealed_delivery')::text AS row
     FROM gateway_deliveries d ORDER BY delivery_id`,
  );
};

/** A payment by Stripe, signed by its own package, and the event as it was kept. */
async function aStripePayment(of: TestClient = client) {
  const invoice = await of.anInvoice();
  const link = await of.aPaymentLink(invoice);
  const { intent } = stripePayment(link, service.clock.now());
  const delivery = signedByStripe({ ...intent, note: 'Gerda Grün' }, service.clock.now());
  const answer = await service.call('/v1/webhooks/gateway-a', { method: 'POST', ...delivery });
  expect(answer.body).toEqual({ status: 'ok' });
  const [event] = await listed(of);
  return { invoice, link, intent, delivery, event: event! };
}

describe('a verified call', () => {
  it('is kept as it came, with all that it brought', async () => {
    const { invoice, link, intent, delivery, event } = await aStripePayment();
    expect(event).toMatchObject({
      gateway: 'gateway-a',
      outcome: 'ok',
      problem: null,
      event_types: ['payment_intent.succeeded'],
      reports: 1,
      replays: 0,
    });
    const { body, effects } = await whole(client, event.id);
    expect(body).toBe(delivery.body);
    const payments = await client.get<{ data: { id: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(effects).toMatchObject({
      events: [{ event_id: intent.id, event_type: intent.type, outcome: 'ok' }],
      payment_ids: payments.body.data.map(({ id }) => id),
      payment_link_ids: [link.id],
      receipt_ids: [],
      item_ids: [],
    });
    expect(effects.payment_ids).toHaveLength(1);
  });

  it('is encrypted in the database, headers and all', async () => {
    const { delivery } = await aStripePayment();
    const row = (await keptRows()).at(-1)!;
    const signature = delivery.headers['stripe-signature'] ?? '';
    for (const told of ['Gerda Grün', 'payment_link_id', signature, 'stripe-signature']) {
      expect([told, row.sealed_delivery.includes(told)]).toEqual([told, false]);
      expect([told, row.row.includes(told)]).toEqual([told, false]);
    }
  });

  it('is not kept if its signature is refused, nor if it only names an object unsigned', async () => {
    const before = (await keptRows()).length;
    const { told, paid } = await invoicesToPay(client, 1);
    expect((await deliver(told, 'bad')).body).toMatchObject({ code: 'invalid_signature' });
    api.denied.add(told[0]!.payment);
    expect((await deliver(told)).body).toMatchObject({ code: 'invalid_signature' });
    api.denied.clear();
    const named = told.map((one) => ({ ...one, named: 'unsigned' as const }));
    expect((await deliver(named)).body).toEqual({ status: 'ok' });
    expect(await paid()).toEqual([11_900]);
    expect((await keptRows()).length).toBe(before);
  });

  it('that names an object with a signature has what its look-up told', async () => {
    const { told } = await invoicesToPay(client, 1);
    expect((await deliver(told.map((one) => ({ ...one, named: 'signed' })))).status).toBe(200);
    const [event] = await listed(client);
    expect(event?.event_types).toEqual(['changed', 'paid']);
    expect((await whole(client, event!.id)).effects.payment_ids).toHaveLength(1);
  });

  it('that a look at the provider made a payment has that payment', async () => {
    const { told, paid } = await invoicesToPay(client, 1);
    expect((await deliver(told.map((one) => ({ ...one, isApproval: true })))).status).toBe(200);
    expect(await paid()).toEqual([11_900]);
    const [event] = await listed(client);
    const { effects } = await whole(client, event!.id);
    expect([effects.payment_ids.length, effects.events[0]?.outcome]).toEqual([1, 'ok']);
  });

  it('is kept without passwords and cookies', async () => {
    const { told } = await invoicesToPay(client, 1);
    await service.call('/v1/webhooks/batch', {
      method: 'POST',
      body: JSON.stringify(told),
      headers: {
        'content-type': 'application/json',
        'batch-signature': 'good',
        authorization: 'Basic c2hvcDpzZWNyZXQ=',
        cookie: 'a=b',
      },
    });
    const [event] = await listed(client);
    const [accountId, id] = [uuidOf('acc', client.accountId)!, uuidOf('gevt', event!.id)!];
    const { delivery } = await service.app.get(GatewayDeliveriesQuery).get(accountId, id);
    expect(delivery?.headers).toMatchObject({ 'batch-signature': 'good' });
    expect(delivery?.headers).not.toHaveProperty('authorization');
    expect(delivery?.headers).not.toHaveProperty('cookie');
  });

  it('about nothing at all is kept', async () => {
    const before = (await keptRows()).length;
    expect((await deliver([])).body).toEqual({ status: 'ignored' });
    expect((await keptRows()).length).toBe(before + 1);
  });

  it('is answered by its outcome when it cannot be kept; a large one is sent again', async () => {
    const { told, paid } = await invoicesToPay(client, 1);
    await service.database.query('ALTER TABLE gateway_deliveries RENAME TO elsewhere');
    try {
      expect((await deliver(told)).body).toEqual({ status: 'ok' });
      await service.app.get(DeliveryRecord).written();
      expectProblem(await deliver(foreignEvents(21)), 503, 'database_unavailable');
    } finally {
      await service.database.query('ALTER TABLE elsewhere RENAME TO gateway_deliveries');
    }
    expect(await paid()).toEqual([11_900]);
  });
});

describe('a replay', () => {
  it('of a payment, ten times at once and long after, changes nothing', async () => {
    const { invoice, event } = await aStripePayment();
    service.clock.advance({ days: 40 });
    await client.bearer();
    const beside = [...TOKENS, 'audit_entries'];
    const before = await contentsOf(service.database, beside);
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(client, event.id)));
    for (const { status, body } of answers) {
      expect([status, body.changed, body.outcome, body.problem]).toEqual([200, false, 'ok', null]);
    }
    expect(await contentsOf(service.database, beside)).toEqual(before);
    expect((await client.read(invoice)).amount_paid).toBe(11_900);
    const audited = await client.get<{ data: unknown[] }>(`/v1/audit?subject=${event.id}`);
    expect(audited.body.data).toHaveLength(10);
  });

  it('applies what had failed, once', async () => {
    const { told, paid } = await invoicesToPay(client, 1);
    api.undecided.add(told[0]!.payment);
    expectProblem(await deliver(told), 503, 'gateway_unavailable');
    const [failed] = await listed(client, 'outcome=failed');
    expect(failed).toMatchObject({ problem: 'gateway_unavailable', event_types: ['paid'] });
    const still = await replay(client, failed!.id);
    const { changed, outcome, problem } = still.body;
    expect([changed, outcome, problem]).toEqual([false, 'failed', 'gateway_unavailable']);
    expect(await paid()).toEqual([0]);

    api.undecided.clear();
    expect((await replay(client, failed!.id)).body).toMatchObject({
      changed: true,
      outcome: 'ok',
      gateway_event: { outcome: 'ok', problem: null, replays: 2 },
    });
    expect((await replay(client, failed!.id)).body.changed).toBe(false);
    expect(await paid()).toEqual([11_900]);
    expect(await listed(client, 'outcome=failed')).toEqual([]);
  });

  it('that fails leaves what was applied as it is told', async () => {
    const { told } = await invoicesToPay(client, 1);
    await deliver(told);
    const [event] = await listed(client);
    api.undecided.add(told[0]!.payment);
    expect((await replay(client, event!.id)).body).toMatchObject({
      changed: false,
      outcome: 'failed',
      problem: 'gateway_unavailable',
      gateway_event: { outcome: 'ok', problem: null },
    });
  });

  it('of a document that somebody holds fails, and does not wait for ever', async () => {
    const { database } = service;
    const impatient = await startTestService({ ...batches, database, lockTimeoutMs: 200 });
    const someone = await impatient.aClient({ of: client });
    const { told, paid } = await invoicesToPay(someone, 1);
    const holder = await database.connect();
    await holder.query('BEGIN; SELECT FROM documents FOR UPDATE');
    try {
      const busy = await deliverBatch(impatient, told);
      expectProblem(busy, 503, 'document_busy');
      expect(busy.headers.get('retry-after')).toBe('1');
      const { text } = await impatient.metrics();
      expect(text).toMatch(/^webhook_deliveries_total\{.*outcome="document_busy"\} 1$/m);
      const [event] = await listed(someone, 'outcome=failed');
      expect(event?.problem).toBe('document_busy');
      await holder.query('ROLLBACK');
      const again = await replay(someone, event!.id);
      expect(again.body).toMatchObject({ changed: true, outcome: 'ok' });
      expect(await paid()).toEqual([11_900]);
    } finally {
      await holder.end();
      await impatient.close();
    }
  });

  it('with a key is done once, and answered the same', async () => {
    const { event } = await aStripePayment();
    const key = { 'Idempotency-Key': 'replay-1' };
    const path = `${EVENTS}/${event.id}/replay`;
    const [one, other] = [await client.post(path, {}, key), await client.post(path, {}, key)];
    expect([other.status, other.text]).toEqual([200, one.text]);
    expect((await whole(client, event.id)).replays).toBe(1);
  });

  it('needs the scope to write payments', async () => {
    const { event } = await aStripePayment();
    const reader = await service.aClient({ scopes: ['payments:read'], of: client });
    expect((await whole(reader, event.id)).id).toBe(event.id);
    expectProblem(await replay(reader, event.id), 403, 'insufficient_scope');
  });
});

describe('an account', () => {
  it('sees its own calls only', async () => {
    const other = await service.aClient();
    const { event } = await aStripePayment();
    expect(await listed(other)).toEqual([]);
    expectProblem(await other.get(`${EVENTS}/${event.id}`), 404, 'gateway_event_not_found');
    expectProblem(await replay(other, event.id), 404, 'gateway_event_not_found');
    expectProblem(await other.get(`${EVENTS}/gevt_x`), 404, 'gateway_event_not_found');
    expect((await whole(client, event.id)).replays).toBe(0);
  });

  it('does not see a call that is also about another one, or about nobody', async () => {
    const other = await service.aClient();
    const [own, others] = [await invoicesToPay(client, 1), await invoicesToPay(other, 1)];
    const seen = [await listed(client), await listed(other)];
    expect((await deliver([...own.told, ...others.told])).body).toEqual({ status: 'ok' });
    expect(
      (await deliver([...(await invoicesToPay(client, 1)).told, ...foreignEvents(1)])).status,
    ).toBe(200);
    expect((await deliver(foreignEvents(1))).body).toEqual({ status: 'ignored' });
    expect([await listed(client), await listed(other)]).toEqual(seen);
    const all = await service.app.get(GatewayDeliveriesQuery).list(NO_ACCOUNT, {}, null, 3);
    expect(all.map(({ reports }) => reports)).toEqual([1, 2, 2]);
  });

  it('sees all calls of a gateway that is its alone, also of nobody’s money', async () => {
    const alone = await startTestService(withBatches(api));
    try {
      const only = await alone.aClient();
      expect((await deliverBatch(alone, foreignEvents(1))).body).toEqual({ status: 'ignored' });
      expect(await listed(only)).toHaveLength(1);
    } finally {
      await alone.close();
    }
  });
});

describe('the list', () => {
  it('is filtered by what a call was, brought and named', async () => {
    const of = await service.aClient();
    const { invoice, event } = await aStripePayment(of);
    const { told } = await invoicesToPay(of, 1);
    await deliver(told);
    const [batch] = await listed(of);
    const { effects } = await whole(of, batch!.id);
    const between = service.clock.now().toISOString();
    const found = async (query: string) => (await listed(of, query)).map(({ id }) => id);
    expect(await found('')).toEqual([batch!.id, event.id]);
    expect(await found('gateway=batch')).toEqual([batch!.id]);
    expect(await found('outcome=failed')).toEqual([]);
    expect(await found('event_type=payment_intent.succeeded')).toEqual([event.id]);
    expect(await found(`document_id=${invoice.id}`)).toEqual([event.id]);
    expect(await found(`payment_id=${effects.payment_ids[0]}`)).toEqual([batch!.id]);
    expect(await found(`received_from=${between}`)).toEqual([]);
    expect(await found(`received_to=${between}`)).toEqual([batch!.id, event.id]);
    const unknown = publicId('pay', NO_ACCOUNT);
    expect(await found(`payment_id=${unknown}`)).toEqual([]);
  });
});
