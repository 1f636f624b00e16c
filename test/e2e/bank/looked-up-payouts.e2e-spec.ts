import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signGoCardless } from '../../../src/gateways/gocardless/gocardless.gateway.js';
import { signRazorpay } from '../../../src/gateways/razorpay/razorpay.gateway.js';
import { signStripe } from '../../../src/gateways/stripe/stripe.gateway.js';
import type { PayoutBody, PayoutDetailBody } from '../../../src/bank/wire/payout.js';
import { Money } from '../../../src/kernel/money.js';
import { PaymentListReads } from '../../../src/payments/inbox/application/checkouts/payment-list-reads.js';
import { aTransfer, happened } from '../../gateways/gocardless/gocardless-objects.js';
import { anEvent, aSettlement } from '../../gateways/razorpay/razorpay-objects.js';
import { aGateway } from '../../gateways/gateway-builders.js';
import { bankFixture } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { anOwnName } from '../gateways/own-gateways.js';
import { importReport } from './bank-calls.js';
import { payoutBooksOf, PAYOUTS } from './reported-payouts.js';

// Payouts whose lines a provider is asked for, as soon as a signed event names one of them.

const SECRET = 'secret_of_looked_up_payouts';
let stub: ProviderStub;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  stub = await startProviderStub();
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient({ timeZone: 'Europe/Berlin' });
  stub.objects = {};
  stub.nextLookUps = [];
});
afterAll(async () => {
  await closeWithBooks(service);
  await stub.close();
});

/** A gateway of the client's own. */
async function aGatewayOf(provider: string, settings: object, of = client): Promise<string> {
  const body = { name: anOwnName(), provider, settings: { webhook_secret: SECRET, ...settings } };
  const answer = await of.post<{ id: string }>('/v1/finance/gateways', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.id;
}
const only = async (of = client) => {
  const { data } = (await of.get<{ data: PayoutBody[] }>(PAYOUTS)).body;
  expect(data).toHaveLength(1);
  return (await of.get<PayoutDetailBody>(`${PAYOUTS}/${data[0]?.id}`)).body;
};
const itemsOf = async (of = client) =>
  (await of.get<{ data: { told: string }[] }>('/v1/finance/unmatched-items')).body.data;
const STRIPE_API = () => ({ api_key: 'sk_test_of_payouts', api_base: stub.apiBase });
const deliverStripe = async (gateway: string, body: string) => {
  const seconds = Math.floor(service.clock.now().getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signStripe(SECRET, seconds, body),
  };
  return service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
};
const transaction = (category: string, amount: number, fee: number, source: string | object) => ({
  id: `txn_${category}`,
  amount,
  fee,
  net: amount - fee,
  currency: 'eur',
  reporting_category: category,
  source,
});
describe('a payout of Stripe', () => {
  let count = 0;
  const event = (type: string, object: object) => {
    count += 1;
    const created = Math.floor(service.clock.now().getTime() / 1000);
    const id = `evt_payouts_${count}`;
    return JSON.stringify({
      id,
      object: 'event',
      type,
      created,
      livemode: false,
      data: { object },
    });
  };
  const arrival = Date.parse('2026-11-17T00:00:00Z') / 1000;
  /** `po_1` of the CSV fixture, with that payment as its first line. */
  const shown = (intent: string, status = 'paid') => {
    stub.objects['/v1/payouts/po_1'] = {
      id: 'po_1',
      amount: 9357,
      currency: 'eur',
      arrival_date: arrival,
      automatic: true,
      status,
      failure_code: status === 'failed' ? 'account_closed' : null,
      reconciliation_status: 'completed',
    };
    const data = [
      transaction('payout', -9357, 0, 'po_1'),
      transaction('charge', 11_900, 203, { id: 'ch_1', payment_intent: intent }),
      transaction('refund', -1900, 0, { id: 're_1' }),
      transaction('dispute', -5000, 1500, 'dp_1'),
      transaction('dispute_reversal', 5000, -1500, 'dp_1'),
      transaction('fee', 0, 40, 'fee_1'),
      transaction('risk_reserved_funds', -500, 0, 'rsv_1'),
      transaction('moon_dust', 100, 0, 'md_1'),
    ];
    stub.objects['/v1/balance_transactions'] = { data, has_more: false };
  };
  /** A client that was paid 119.00 there, and the intent. */
  async function aShop() {
    const of = await service.aClient({ timeZone: 'Europe/Berlin' });
    const gateway = await aGatewayOf('stripe', STRIPE_API(), of);
    const link = await of.aPaymentLink(await of.anInvoice(), { gateway });
    count += 1;
    const intent = `pi_payouts_${count}`;
    const metadata = { payment_link_id: link.id };
    const object = { id: intent, amount_received: 11_900, currency: 'eur', metadata };
    expect((await deliverStripe(gateway, event('payment_intent.succeeded', object))).status).toBe(
      200,
    );
    return { of, gateway, intent };
  }
  type Shop = Awaited<ReturnType<typeof aShop>>;
  const steps: Record<string, (shop: Shop) => Promise<number>> = {
    paid: async ({ gateway, intent }) => {
      shown(intent);
      return (await deliverStripe(gateway, event('payout.paid', { id: 'po_1' }))).status;
    },
    failed: async ({ gateway, intent }) => {
      shown(intent, 'failed');
      return (await deliverStripe(gateway, event('payout.failed', { id: 'po_1' }))).status;
    },
    import: async ({ of, gateway, intent }) => {
      const [header, ...rows] = bankFixture('stripe-payouts.csv').split('\n');
      const own = rows.filter((row) => row.includes('po_1,'));
      const file = [header, ...own].join('\n').replaceAll('pi_1', intent);
      return (await importReport(of, file, `gateway=${gateway}`)).status;
    },
  };
  const done = async (names: readonly string[]) => {
    const shop = await aShop();
    for (const name of names) expect(await steps[name]?.(shop)).toBe(200);
    return payoutBooksOf(shop.of);
  };

  it('makes the same books as the import of its report, whichever comes first', async () => {
    const file = await done(['import']);
    expect(file).toMatchObject({
      payout: { amount: 9357, sent_on: '2026-11-17', status: 'sent', booked_fee: 243 },
      items: [],
    });
    for (const names of [['paid'], ['paid', 'import'], ['import', 'paid', 'paid']]) {
      expect(await done(names)).toEqual(file);
    }
    const failed = await done(['paid', 'failed']);
    expect(failed).toMatchObject({ payout: { status: 'failed' }, balances: { gateway_fees: 243 } });
    for (const names of [['failed', 'paid', 'import'], ['import', 'failed'], ['failed']]) {
      expect(await done(names)).toEqual(failed);
    }
  });

  it('comes again while Stripe does not answer, and books nothing until then', async () => {
    const gateway = await aGatewayOf('stripe', STRIPE_API());
    const body = event('payout.paid', { id: 'po_1' });
    for (const status of [500, 429, 401]) {
      stub.nextLookUps = [status];
      const answer = await deliverStripe(gateway, body);
      expect([answer.status, answer.body['code']]).toEqual([503, 'gateway_unavailable']);
    }
    expect((await client.get<{ data: unknown[] }>(PAYOUTS)).body.data).toEqual([]);
    shown('pi_unknown');
    expect((await deliverStripe(gateway, body)).status).toBe(200);
    const { id, ...payout } = await only();
    expect(payout).toMatchObject({ amount: 9357, booked_fee: 40 });
    // Its event only named it, and shows it as soon as it was looked up.
    const path = '/v1/finance/gateway-events';
    const { data } = (await client.get<{ data: { id: string }[] }>(path)).body;
    const shownBy = await client.get<Record<string, unknown>>(`${path}/${data[0]?.id}`);
    expect(shownBy.body['effects']).toMatchObject({ payout_ids: [id] });
  });

  it('is booked as `demo:webhook` plays it, and comes back', async () => {
    const gateway = await aGatewayOf('stripe', STRIPE_API());
    const signer = aGateway('stripe', { webhook_secret: SECRET });
    shown('pi_unknown');
    for (const [event, status] of [
      ['payout', 'sent'],
      ['payout_failed', 'failed'],
    ] as const) {
      const of = { linkId: 'plink_any', paymentId: 'po_1', amount: Money.of(1n, 'EUR') };
      const sample = signer.sampleEventDelivery(event, of, service.clock.now());
      const answer = await service.call(`/v1/webhooks/${gateway}`, { method: 'POST', ...sample });
      expect(answer.body).toEqual({ status: 'ok' });
      expect(await only()).toMatchObject({ status, amount: 9357 });
    }
  });

  it('comes again until there is a key', async () => {
    const gateway = await aGatewayOf('stripe', {});
    const answer = await deliverStripe(gateway, event('payout.paid', { id: 'po_1' }));
    expect([answer.status, answer.body['code']]).toEqual([503, 'gateway_key_missing']);
  });
});

const deliverGoCardless = async (gateway: string, events: readonly object[]) => {
  const body = JSON.stringify({ events, meta: { webhook_id: 'WB1' } });
  const headers = { 'content-type': 'application/json', ...signGoCardless(SECRET, body) };
  return service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
};
const GOCARDLESS_API = () => ({ access_token: 'sandbox_of_payouts', api_base: stub.apiBase });
const itemsAtGoCardless = (fee: string) => ({
  payout_items: [
    { type: 'payment_paid_out', amount: '12000.0', links: { payment: 'PM1' } },
    { type: 'payment_refunded', amount: '-2000.0', links: { payment: 'PM1' } },
    { type: 'gocardless_fee', amount: fee, taxes: [], links: { payment: 'PM1' } },
  ],
  meta: { cursors: { before: null, after: null } },
});
const told = (action: string, at: string) =>
  happened(action, { links: { payout: 'PO00123' }, created_at: at });

describe('a payout of GoCardless', () => {
  const PATH = '/payouts/PO00123';
  const shown = (over: object = {}, fee = '-129.6') => {
    stub.objects[PATH] = { payouts: aTransfer(over) };
    stub.objects['/payout_items'] = itemsAtGoCardless(fee);
  };
  it('is booked with its fees, and comes back, whichever event comes first', async () => {
    const sent = told('payouts.paid', '2026-11-18T09:00:00Z');
    const back = told('creditors.bounced_payout', '2026-11-20T09:00:00Z');
    const books: unknown[] = [];
    for (const events of [
      [sent, back],
      [back, sent],
      [sent, sent, back, back],
    ]) {
      client = await service.aClient({ timeZone: 'Europe/Berlin' });
      const gateway = await aGatewayOf('gocardless', GOCARDLESS_API());
      for (const one of events) {
        shown({ status: one === sent ? 'paid' : 'bounced' });
        expect((await deliverGoCardless(gateway, [one])).status).toBe(204);
      }
      books.push(await payoutBooksOf(client));
    }
    expect(books[0]).toMatchObject({
      payout: { status: 'failed', sent_on: '2026-11-18', failed_on: '2026-11-20', booked_fee: 130 },
      balances: { gateway_fees: 130, gateway_clearing: -130 },
      items: [],
    });
    expect(books.slice(1)).toEqual([books[0], books[0]]);
  });

  it('with lines that do not add up, or in another currency, is for a person', async () => {
    const gateway = await aGatewayOf('gocardless', GOCARDLESS_API());
    shown({}, '-120.0');
    const event = told('payouts.paid', '2026-11-18T09:00:00Z');
    expect((await deliverGoCardless(gateway, [event])).status).toBe(204);
    const fx = { fx_currency: 'GBP', fx_amount: 8501 };
    shown({ id: 'PO00124', fx });
    stub.objects['/payouts/PO00124'] = stub.objects[PATH] ?? {};
    const other = { ...event, id: `${event.id}X`, links: { payout: 'PO00124' } };
    expect((await deliverGoCardless(gateway, [other])).status).toBe(204);
    expect((await client.get<{ data: unknown[] }>(PAYOUTS)).body.data).toEqual([]);
    const said = (await itemsOf()).map(({ told: text }) => text).toSorted();
    expect(said).toEqual([
      expect.stringMatching(/PO00123 .*make 98\.80 EUR, and it says 98\.70 EUR/),
      expect.stringMatching(/PO00124 .*another currency/),
    ]);
    // A person may have it judged anew, once GoCardless tells it otherwise.
    shown();
    const path = '/v1/finance/gateway-events';
    const { data } = (await client.get<{ data: { id: string }[] }>(path)).body;
    const replayed = await client.post(`${path}/${data.at(-1)?.id}/replay`, {});
    expect(replayed.body).toMatchObject({ outcome: 'ok', changed: true });
    expect(await only()).toMatchObject({ amount: 9870, booked_fee: 130 });
    expect(await itemsOf()).toHaveLength(1);
    const again = await client.post(`${path}/${data.at(-1)?.id}/replay`, {});
    expect(again.body).toMatchObject({ outcome: 'ok', changed: false });
  });
});

const euro = (value: string) => ({ currency: 'EUR', value });

describe('a settlement', () => {
  it('of Razorpay is booked once its report has it, from its event or from the list', async () => {
    const keys = { key_id: 'rzp_test_payouts', key_secret: 'hush', currency: 'INR' };
    const gateway = await aGatewayOf('razorpay', { ...keys, api_base: stub.apiBase });
    const settlement = aSettlement({ amount: 9970 });
    const body = anEvent('settlement.processed', { settlement });
    const row = { currency: 'INR', settlement_id: settlement.id, debit: 0, credit: 0 };
    const rows = (items: object[]) => {
      stub.objects['/v1/settlements/recon/combined'] = { items };
    };
    const deliver = async () => {
      const headers = { 'content-type': 'application/json', ...signRazorpay(SECRET, body) };
      return service.call(`/v1/webhooks/${gateway}`, { method: 'POST', body, headers });
    };
    rows([]);
    expect((await deliver()).body).toEqual({ status: 'ignored' });
    expect(await itemsOf()).toMatchObject([
      { told: expect.stringContaining('does not tell its lines') },
    ]);
    rows([
      { ...row, entity_id: 'pay_1', type: 'payment', credit: 11_970, amount: 12_000 },
      { ...row, entity_id: 'rfnd_1', type: 'refund', debit: 2000, amount: 2000 },
    ]);
    stub.objects['/v1/settlements'] = { items: [settlement] };
    stub.objects['/v1/payments'] = { items: [] };
    await service.app.get(PaymentListReads).run();
    expect(await only()).toMatchObject({
      amount: 9970,
      currency: 'INR',
      sent_on: '2026-11-20',
      lines: [{ kind: 'payment', fee: 30 }, { kind: 'refund' }],
    });
    expect(await itemsOf()).toEqual([]);
    expect((await deliver()).body).toEqual({ status: 'ok' });
    expect(await only()).toMatchObject({ status: 'sent' });
  });

  it('of Mollie is read from the list, once a day, and booked once', async () => {
    const token = { organization_token: 'access_ofPayouts', api_base: stub.apiBase };
    await aGatewayOf('mollie', token);
    const settledAt = service.clock.now().toISOString();
    const costs = [{ amountGross: euro('0.3049') }];
    const settlement = {
      id: 'stl_payouts',
      reference: '1234567.2611.03',
      status: 'paidout',
      settledAt,
      amount: euro('99.70'),
      periods: { 2026: { 11: { costs } } },
    };
    const listed = (path: string, collection: string, all: object[]) => {
      stub.objects[`/v2/settlements${path}`] = { _embedded: { [collection]: all }, _links: {} };
    };
    listed('', 'settlements', [settlement]);
    listed('/stl_payouts/payments', 'payments', [{ id: 'tr_one1', amount: euro('120.00') }]);
    listed('/stl_payouts/refunds', 'refunds', [{ id: 're_1', amount: euro('20.00') }]);
    listed('/stl_payouts/chargebacks', 'chargebacks', []);
    for (const days of [0, 1, 1]) {
      service.clock.advance({ days });
      await service.app.get(PaymentListReads).run();
    }
    expect(await only()).toMatchObject({
      amount: 9970,
      status: 'sent',
      descriptor: '1234567.2611.03',
      lines: [
        { kind: 'payment', amount: 12_000 },
        { kind: 'refund', amount: -2000 },
        { kind: 'fee', amount: -30, booked_fee: 30 },
      ],
    });
    expect(await itemsOf()).toEqual([]);
  });
});
