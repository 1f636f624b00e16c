import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { aDebit, aReturn, happened } from '../../gateways/gocardless/gocardless-objects.js';
import type { TestClient } from '../../support/client.js';
import { type GoCardlessStub, startGoCardlessStub } from '../../support/gocardless-api.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type Link, next } from './stripe-events.js';

const SECRET = 'secret_of_the_tests';
let stub: GoCardlessStub;
let service: TestService;
let client: TestClient;

const gatewayOf = (name: string, settings: Record<string, string> = {}) => ({
  name,
  provider: 'gocardless',
  accounts: '*',
  settings: { webhook_secret: SECRET, ...settings },
});

beforeAll(async () => {
  stub = await startGoCardlessStub();
  const access_token = 'sandbox_token';
  const gateways = [
    gatewayOf('gocardless', { access_token, api_base: stub.apiBase }),
    gatewayOf('tokenless'),
  ];
  service = await startTestService({ gateways });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});
beforeEach(() => {
  stub.failure = null;
  stub.calls = [];
});

const deliver = async (events: readonly object[], name = 'gocardless', secret = SECRET) => {
  const body = JSON.stringify({ events, meta: { webhook_id: `WB${next()}` } });
  const headers = { 'content-type': 'application/json', ...signGoCardless(secret, body) };
  return service.call(`/v1/webhooks/${name}`, { method: 'POST', body, headers });
};
const aLink = async () => {
  const invoice = await client.anInvoice();
  return { invoice, link: await client.aPaymentLink(invoice, { gateway: 'gocardless' }) };
};
const statusOf = async ({ id }: { id: string }) =>
  (await client.get<{ status: string }>(`/v1/finance/payment-links/${id}`)).body.status;
const requestOf = async ({ id }: { id: string }) => {
  const [row] = await service.database.query<{ provider_object_id: string }>(
    `SELECT provider_object_id FROM payment_links WHERE url = $1`,
    [(await client.get<{ url: string }>(`/v1/finance/payment-links/${id}`)).body.url],
  );
  return row?.provider_object_id ?? '';
};

/** A payment of a link at GoCardless, and the events that it tells of it, a minute apart. */
function debitOf(link: Pick<Link, 'amount'> & { id?: string }) {
  const id = `PM${next()}`;
  const metadata = link.id === undefined ? {} : { payment_link_id: link.id };
  stub.objects[`/payments/${id}`] = aDebit({ id, amount: link.amount, metadata });
  const tells = (action: string) => {
    service.clock.advance({ seconds: 60 });
    const created_at = service.clock.now().toISOString();
    const id_of_event = `EV${next()}`;
    const over = { id: id_of_event, created_at, links: { payment: id } };
    const event = happened(`payments.${action}`, over);
    stub.events.unshift(event);
    return event;
  };
  return { id, tells };
}

describe('a pay page', () => {
  it('is made, and its money is on its way before it is here', async () => {
    const { invoice, link } = await aLink();
    expect((link as unknown as { url: string }).url).toContain('https://pay.test/BRF');
    const { id, tells } = debitOf(link);
    const links = { billing_request: await requestOf(link), payment_request_payment: id };
    const created_at = service.clock.now().toISOString();
    const fulfilled = happened('billing_requests.fulfilled', {
      id: `EV${next()}`,
      links,
      created_at,
    });
    expect((await deliver([fulfilled])).status).toBe(204);
    expect(await statusOf(link)).toBe('processing');
    expect((await deliver([tells('submitted'), tells('confirmed')])).status).toBe(204);
    expect(await statusOf(link)).toBe('paid');
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('that the payer cancels leaves its link failed', async () => {
    const { link } = await aLink();
    service.clock.advance({ seconds: 60 });
    const cancelled = happened('billing_requests.cancelled', {
      id: `EV${next()}`,
      created_at: service.clock.now().toISOString(),
      links: { billing_request: await requestOf(link) },
      details: { origin: 'payer', cause: 'billing_request_cancelled' },
    });
    await deliver([cancelled]);
    expect(await statusOf(link)).toBe('failed');
  });
});

/** Large deliveries that are still worked off. */
const unfinished = async () => {
  const [row] = await service.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM gateway_deliveries WHERE next_try_at IS NOT NULL',
  );
  return row?.count;
};

describe('a delivery', () => {
  it('is answered in the words of GoCardless', async () => {
    const { link } = await aLink();
    const good = await deliver([debitOf(link).tells('confirmed')]);
    expect([good.status, good.text]).toEqual([204, '']);
    const bad = await deliver([happened('payments.confirmed')], 'gocardless', 'other');
    expect(bad.body).toMatchObject({
      status: 498,
      title: 'Invalid Token',
      code: 'invalid_signature',
    });
  });

  it('of 20 events has some of them looked up at once', async () => {
    const { invoice, link } = await aLink();
    const others = Array.from({ length: 19 }, () => debitOf({ amount: 500 }).tells('submitted'));
    stub.mostAtOnce = 0;
    expect((await deliver([...others, debitOf(link).tells('confirmed')])).status).toBe(204);
    expect(stub.mostAtOnce).toBeGreaterThan(2);
    expect(stub.mostAtOnce).toBeLessThan(9);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900 });
  });

  it('of 250 events is booked whole, once, however often it comes', async () => {
    const { invoice, link } = await aLink();
    const others = Array.from({ length: 249 }, () => debitOf({ amount: 500 }).tells('submitted'));
    const events = [...others, debitOf(link).tells('confirmed')];
    for (const { status } of await Promise.all([deliver(events), deliver(events)])) {
      expect(status).toBe(204);
    }
    await expect.poll(unfinished).toBe(0);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900 });
    const ids = events.map((event) => event.id);
    const booked = await service.database.query(
      'SELECT 1 FROM provider_events WHERE event_id = ANY($1)',
      [ids],
    );
    expect(booked).toHaveLength(250);
  });

  it('comes again for the events that could not be looked up, and books the others', async () => {
    const [one, other] = [await aLink(), await aLink()];
    const good = debitOf(one.link).tells('confirmed');
    const late = debitOf(other.link);
    const events = [late.tells('confirmed'), good];
    const kept = stub.objects[`/payments/${late.id}`] ?? {};
    delete stub.objects[`/payments/${late.id}`];
    const answer = await deliver(events);
    expect([answer.status, answer.body['code']]).toEqual([503, 'gateway_unavailable']);
    expect(await client.read(one.invoice)).toMatchObject({ amount_paid: 11_900 });
    stub.objects[`/payments/${late.id}`] = kept;
    expect((await deliver(events)).status).toBe(204);
    expect(await client.read(one.invoice)).toMatchObject({ amount_paid: 11_900 });
    expect(await client.read(other.invoice)).toMatchObject({ amount_paid: 11_900 });
  });

  it.each([401, 403, 429, 500])('comes again when GoCardless says %d', async (status) => {
    const { invoice, link } = await aLink();
    const event = debitOf(link).tells('confirmed');
    stub.failure = status;
    const answer = await deliver([event]);
    expect([answer.status, answer.body['code']]).toEqual([503, 'gateway_unavailable']);
    stub.failure = null;
    expect((await deliver([event])).status).toBe(204);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
  });

  it('comes again until there is a token', async () => {
    const answer = await deliver([debitOf({ amount: 500 }).tells('confirmed')], 'tokenless');
    expect([answer.status, answer.body['code']]).toEqual([503, 'gateway_key_missing']);
    expect(stub.calls).toEqual([]);
  });
});

describe('a payment', () => {
  it('that fails late is taken back, whichever event comes first', async () => {
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
    ]) {
      const { invoice, link } = await aLink();
      const { tells } = debitOf(link);
      const names = ['confirmed', 'paid_out', 'failed', 'late_failure_settled'];
      const events = names.map(tells);
      for (const at of order) {
        expect((await deliver([events[at] ?? {}])).status).toBe(204);
      }
      expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
      expect(await statusOf(link)).toBe('failed');
    }
  });

  it('that failed and was tried again is paid, whichever event comes first', async () => {
    for (const isReversed of [false, true]) {
      const { invoice, link } = await aLink();
      const { tells } = debitOf(link);
      const events = ['failed', 'resubmission_requested', 'submitted', 'confirmed'].map(tells);
      for (const event of isReversed ? events.toReversed() : events) await deliver([event]);
      expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
      expect(await statusOf(link)).toBe('paid');
    }
  });

  it('that is collected again after it failed late leaves an item for a person', async () => {
    const { invoice, link } = await aLink();
    const { id, tells } = debitOf(link);
    const events = ['confirmed', 'failed', 'confirmed', 'paid_out'].map(tells);
    for (const event of events) await deliver([event]);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    const { body } = await client.get<{ data: { provider_payment_id: string; amount: number }[] }>(
      '/v1/finance/unmatched-items',
    );
    const items = body.data.filter((one) => one.provider_payment_id === id);
    expect(items).toMatchObject([{ direction: 'in', amount: 11_900 }]);
  });

  it('is due again when it is charged back, and paid when that is cancelled', async () => {
    const { invoice, link } = await aLink();
    const { tells } = debitOf(link);
    const [confirmed, back, settled] = ['confirmed', 'charged_back', 'chargeback_settled'].map(
      tells,
    );
    await deliver([settled ?? {}, confirmed ?? {}, back ?? {}]);
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    await deliver([tells('chargeback_cancelled')]);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('is refunded in the dashboard, and that comes back', async () => {
    const { invoice, link } = await aLink();
    const { id, tells } = debitOf(link);
    await deliver([tells('confirmed')]);
    const refund = `RF${next()}`;
    const tell = async (status: string) => {
      const created_at = service.clock.now().toISOString();
      const over = { id: refund, amount: 1900, metadata: {}, links: { payment: id }, created_at };
      stub.objects[`/refunds/${refund}`] = aReturn({ ...over, status });
      const links = { refund };
      await deliver([happened(`refunds.${status}`, { id: `EV${next()}`, created_at, links })]);
    };
    await tell('paid');
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 1900, amount_due: 1900 });
    await tell('funds_returned');
    expect(await client.read(invoice)).toMatchObject({ amount_refunded: 0, amount_due: 0 });
  });
});
