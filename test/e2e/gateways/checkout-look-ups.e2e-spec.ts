import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { PaymentListReads } from '../../../src/payments/inbox/application/checkouts/payment-list-reads.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, testConfig, type TestService } from '../../support/service.js';
import { next, signedByStripe, stripePayment } from './stripe-events.js';

const DAY_MS = 86_400_000;

let stub: ProviderStub;
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  stub = await startProviderStub();
  const api = { api_key: 'key', api_base: stub.apiBase };
  const stripe = testConfig(0).gateways.find(({ provider }) => provider === 'stripe');
  const payPal = { webhook_id: 'WH-1', environment: 'sandbox', api_base: stub.apiBase };
  service = await startTestService({
    checkoutLookUpSeconds: 60,
    // A round of its own would take a page before the one that counts it.
    doesJobs: false,
    gateways: [
      {
        ...stripe,
        name: 'gateway-a',
        provider: 'stripe',
        settings: { ...stripe?.settings, ...api },
      },
      {
        name: 'gateway-b',
        provider: 'paypal',
        accounts: '*',
        settings: { ...payPal, client_id: 'a', client_secret: 'b' },
      },
      { name: 'mollie', provider: 'mollie', accounts: '*', settings: api },
    ],
  });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await stub.close();
});
beforeEach(async () => {
  Object.assign(stub, { payments: {}, objects: {}, calls: [], nextLookUps: [] });
  await service.database.query('DELETE FROM checkout_look_ups');
});

/** All that is due after this time. */
async function later({ minutes = 0, hours = 0, days = 0 }): Promise<number> {
  service.clock.advance({ seconds: minutes * 60 + hours * 3600, days });
  return service.app.get(CheckoutLookUps).run();
}

/** An invoice of 119.00 with a pay page, and the provider's name of that. */
async function aPage(gateway: string) {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway });
  const [row] = await service.database.query<{ provider_object_id: string }>(
    'SELECT provider_object_id FROM payment_links WHERE payment_link_id = $1',
    [uuidOf('plink', link.id)],
  );
  return { invoice, link, object: row?.provider_object_id ?? '' };
}
const linkOf = async ({ id }: { id: string }) =>
  (await client.get<PaymentLinkBody>(`/v1/finance/payment-links/${id}`)).body;
const seconds = () => Math.floor(service.clock.now().getTime() / 1000);
const iso = () => service.clock.now().toISOString();
const paymentsOf = async ({ id }: { id: string }) =>
  (await client.get<{ data: object[] }>(`/v1/finance/documents/${id}/payments`)).body.data;
const entries = async () => {
  const [row] = await service.database.query<{ sum: string }>(
    'SELECT count(*) AS sum FROM transfers',
  );
  return Number(row?.sum);
};

/** The session is complete, and its PaymentIntent of this status. */
function atStripe(page: { object: string; link: { id: string } }, status: string, over = {}) {
  const id = `pi_${page.object}`;
  stub.objects[`/v1/checkout/sessions/${page.object}`] = {
    id: page.object,
    status: 'complete',
    payment_status: status === 'succeeded' ? 'paid' : 'unpaid',
    payment_intent: id,
  };
  stub.objects[`/v1/payment_intents/${id}`] = {
    id,
    status,
    created: seconds(),
    amount: 11_900,
    amount_received: status === 'succeeded' ? 11_900 : 0,
    currency: 'eur',
    metadata: { payment_link_id: page.link.id },
    latest_charge: {
      created: seconds(),
      balance_transaction: { fee: 320, currency: 'eur' },
      ...over,
    },
  };
  stub.objects['/v1/refunds'] = { data: [], has_more: false };
  return id;
}

function atMollie(page: { object: string; link: { id: string } }, over: object): void {
  stub.payments[page.object] = {
    resource: 'payment',
    id: page.object,
    mode: 'test',
    status: 'paid',
    amount: { currency: 'EUR', value: '119.00' },
    metadata: { payment_link_id: page.link.id },
    createdAt: iso(),
    paidAt: iso(),
    ...over,
  };
}

function atPayPal(page: { object: string; link: { id: string } }, over: object): string {
  const path = `/v2/checkout/orders/${page.object}`;
  const unit = { custom_id: page.link.id, ...over };
  stub.objects[path] = { id: page.object, status: 'COMPLETED', purchase_units: [unit] };
  return path;
}
const aCapture = (link: { id: string }, status = 'COMPLETED') => ({
  id: `CAP${next()}`,
  status,
  amount: { currency_code: 'EUR', value: '119.00' },
  custom_id: link.id,
  create_time: iso(),
});

describe('a payment of which no event came', () => {
  it('at Stripe is booked, with its fee, and once with the event that comes late', async () => {
    const page = await aPage('gateway-a');
    expect(await later({ minutes: 2 })).toBe(1);
    expect(await client.read(page.invoice)).toMatchObject({ status: 'open' });
    const intent = atStripe(page, 'succeeded');
    expect(await later({ minutes: 4 })).toBe(1);
    expect(await client.read(page.invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
    expect(await paymentsOf(page.invoice)).toMatchObject([{ fee: 320 }]);
    const { session } = stripePayment(page.link, service.clock.now(), intent.slice('pi_'.length));
    const { body, headers } = signedByStripe(session, service.clock.now());
    const answer = await service.call('/v1/webhooks/gateway-a', { method: 'POST', body, headers });
    expect(answer.body).toEqual({ status: 'ok' });
    expect(await paymentsOf(page.invoice)).toHaveLength(1);
    expect(await linkOf(page.link)).toMatchObject({ status: 'paid' });
  });

  it('at Mollie is booked, and its refund and chargeback', async () => {
    const page = await aPage('mollie');
    atMollie(page, {});
    await later({ minutes: 2 });
    expect(await client.read(page.invoice)).toMatchObject({ status: 'paid' });
    const id = `chb_${next()}`;
    service.clock.advance({ hours: 1 });
    const chargeback = { id, paymentId: page.object, createdAt: iso() };
    const amount = { currency: 'EUR', value: '119.00' };
    atMollie(page, { _embedded: { chargebacks: [{ ...chargeback, amount }] } });
    await later({ hours: 2 });
    expect(await client.read(page.invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
  });

  it('at PayPal that was only approved is captured', async () => {
    const page = await aPage('gateway-b');
    const path = atPayPal(page, {});
    stub.objects[path] = { ...stub.objects[path], status: 'APPROVED' };
    const captured = { purchase_units: [{ payments: { captures: [aCapture(page.link)] } }] };
    stub.objects[`${path}/capture`] = { id: page.object, status: 'COMPLETED', ...captured };
    await later({ minutes: 2 });
    expect(stub.calls).toContain(`POST ${path}/capture`);
    expect(await client.read(page.invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('at PayPal is booked although it was refunded there since, and so is the refund', async () => {
    const page = await aPage('gateway-b');
    const capture = aCapture(page.link, 'PARTIALLY_REFUNDED');
    const refund = {
      id: `REF${next()}`,
      status: 'COMPLETED',
      amount: { currency_code: 'EUR', value: '19.00' },
      links: [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${capture.id}` }],
    };
    atPayPal(page, { payments: { captures: [capture], refunds: [refund] } });
    await later({ minutes: 2 });
    const refunded = { amount_refunded: 1900, amount_due: 1900 };
    expect(await client.read(page.invoice)).toMatchObject(refunded);
    const before = await entries();
    await later({ days: 1 });
    await later({ days: 3 });
    expect(await entries()).toBe(before);
    expect(await client.read(page.invoice)).toMatchObject(refunded);
  });

  it('at Stripe is refunded, disputed and lost there without an event', async () => {
    const page = await aPage('gateway-a');
    const intent = atStripe(page, 'succeeded', { disputed: true });
    const refund = { id: `re_${next()}`, status: 'succeeded', created: seconds() };
    const money = { currency: 'eur', payment_intent: intent };
    const dispute = { id: `dp_${next()}`, status: 'needs_response', created: seconds() };
    const more = { reason: 'fraudulent', balance_transactions: [] };
    stub.objects['/v1/refunds'] = {
      data: [{ ...refund, ...money, amount: 1900 }],
      has_more: false,
    };
    const disputes = (status: string) => {
      const data = [{ ...dispute, ...money, ...more, amount: 10_000, status }];
      stub.objects['/v1/disputes'] = { data, has_more: false };
    };
    disputes('needs_response');
    await later({ minutes: 2 });
    expect(await client.read(page.invoice)).toMatchObject({
      status: 'partially_paid',
      amount_due: 1900,
    });
    const { body } = await client.get<{ data: object[] }>(
      `/v1/finance/disputes?document_id=${page.invoice.id}`,
    );
    expect(body.data).toMatchObject([{ status: 'open', amount: 10_000 }]);
    disputes('lost');
    await later({ days: 1 });
    expect(await client.read(page.invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
  });

  it.each([
    ['processing', 'processing'],
    ['canceled', 'failed'],
    ['requires_payment_method', 'failed'],
  ])('at Stripe that is %s leaves its link %s', async (status, link) => {
    const page = await aPage('gateway-a');
    atStripe(page, status);
    await later({ minutes: 2 });
    expect(await linkOf(page.link)).toMatchObject({ status: link });
  });
});

const read = async (days: number) => {
  service.clock.advance({ days });
  await service.app.get(PaymentListReads).run();
};
const unmatched = async () => {
  const rows = await service.database.query<{ provider_payment_id: string }>(
    'SELECT provider_payment_id FROM provider_receipts WHERE unmatched_reason IS NOT NULL',
  );
  return rows.map(({ provider_payment_id: id }) => id);
};

describe('the lists of payments', () => {
  it('find money whose link was lost, once, and nothing of others', async () => {
    await read(0);
    const known = await aPage('mollie');
    const lost = { object: `tr_${next()}`, link: { id: 'plink_01k9x3v7e8f2r4t6y8w0a1b2c3' } };
    const other = `tr_${next()}`;
    for (const page of [known, lost]) atMollie(page, {});
    const payments = [
      stub.payments[known.object],
      stub.payments[lost.object],
      { ...stub.payments[lost.object], id: other, metadata: null },
    ];
    stub.objects['/v2/payments'] = { _embedded: { payments } };
    const intent = atStripe({ object: `cs_${next()}`, link: lost.link }, 'succeeded');
    const found = stub.objects[`/v1/payment_intents/${intent}`];
    stub.objects['/v1/payment_intents'] = { data: [found], has_more: false };
    await read(1);
    await read(1);
    expect(await client.read(known.invoice)).toMatchObject({ status: 'paid' });
    expect(await unmatched()).toEqual(expect.arrayContaining([lost.object, intent]));
    expect(await unmatched()).not.toContain(other);
    expect(await paymentsOf(known.invoice)).toHaveLength(1);
    expect(stub.calls.filter((call) => call === 'GET /v2/payments')).toHaveLength(3);
  });

  it('are read again from where they were whole', async () => {
    await read(1);
    stub.objects = {};
    stub.calls = [];
    await read(1);
    const [row] = await service.database.query<{ days: number }>(
      `SELECT ($1::timestamptz - read_to) > interval '1 day' AS days
       FROM payment_list_reads WHERE gateway = 'mollie'`,
      [service.clock.now()],
    );
    expect([stub.calls.includes('GET /v2/payments'), row?.days]).toEqual([true, true]);
  });
});

describe('a pay page', () => {
  const CLOSING: [string, (page: { object: string }) => string][] = [
    ['gateway-a', ({ object }) => `POST /v1/checkout/sessions/${object}/expire`],
    ['mollie', ({ object }) => `DELETE /v2/payments/${object}`],
  ];
  const steps: [string, (page: Awaited<ReturnType<typeof aPage>>) => Promise<unknown>][] = [
    [
      'paid otherwise',
      ({ invoice }) =>
        client.post(`/v1/finance/documents/${invoice.id}/payments`, {
          amount: 11_900,
          method: 'bank_transfer',
        }),
    ],
    ['void', ({ invoice }) => client.post(`/v1/finance/documents/${invoice.id}/void`, {})],
    ['canceled', ({ link }) => client.post(`/v1/finance/payment-links/${link.id}/cancel`, {})],
  ];
  const all = CLOSING.flatMap(([gateway, call]) =>
    steps.map(([name, step]) => ({ gateway, call, name, step })),
  );

  it.each(all)('is closed at $gateway when it is $name', async ({ gateway, call, step }) => {
    const page = await aPage(gateway);
    expect(await step(page)).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number });
    expect(await linkOf(page.link)).toMatchObject({ status: 'canceled' });
    atMollie(page, { status: 'canceled', paidAt: null, canceledAt: iso() });
    atStripe(page, 'canceled');
    expect(await later({ minutes: 0 })).toBe(1);
    expect(stub.calls).toContain(call(page));
    expect(await linkOf(page.link)).toMatchObject({ status: 'canceled' });
    expect(await later({ days: 30 })).toBe(0);
  });

  it('is closed a day after its time is over, if that is not only a clock that was set', async () => {
    const page = await aPage('mollie');
    atMollie(page, { status: 'open', paidAt: null });
    const call = `DELETE /v2/payments/${page.object}`;
    const days =
      (new Date(page.link.expires_at).getTime() - service.clock.now().getTime()) / DAY_MS;
    service.clock.set(new Date(service.clock.now().getTime() + (days + 2) * DAY_MS));
    await later({ minutes: 0 });
    expect(stub.calls.includes(call)).toBe(false);
    service.clock.set(new Date(service.clock.now().getTime() - (days + 2) * DAY_MS));
    await later({ days: days + 0.5 });
    expect(stub.calls.includes(call)).toBe(false);
    await later({ days: 3 });
    expect(stub.calls.includes(call)).toBe(true);
    expect(await later({ days: 30 })).toBe(0);
  });

  it('that was paid before it could be closed is credit of the customer', async () => {
    const page = await aPage('mollie');
    await steps[0]?.[1](page);
    atMollie(page, {});
    await later({ minutes: 0 });
    expect(await linkOf(page.link)).toMatchObject({ status: 'paid' });
    const { body } = await client.get<{ data: object[] }>(
      `/v1/finance/customers/${page.invoice.customer_id}/credit`,
    );
    expect(JSON.stringify(body)).toContain('11900');
  });

  it('is asked about again after a failure, and keeps no other waiting', async () => {
    const [one, other] = [await aPage('gateway-a'), await aPage('mollie')];
    atMollie(other, {});
    stub.nextLookUps = [500];
    expect(await later({ minutes: 2 })).toBe(2);
    expect(await client.read(other.invoice)).toMatchObject({ status: 'paid' });
    expect(await client.read(one.invoice)).toMatchObject({ status: 'open' });
    atStripe(one, 'succeeded');
    await later({ minutes: 5 });
    expect(await client.read(one.invoice)).toMatchObject({ status: 'paid' });
  });

  it('is asked about by one process at a time', async () => {
    const page = await aPage('mollie');
    atMollie(page, {});
    service.clock.advance({ seconds: 120 });
    const job = service.app.get(CheckoutLookUps);
    expect((await Promise.all([job.run(), job.run(), job.run()])).sort()).toEqual([0, 0, 1]);
    expect(await paymentsOf(page.invoice)).toHaveLength(1);
  });
});
