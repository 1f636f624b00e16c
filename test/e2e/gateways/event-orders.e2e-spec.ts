import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayPalDemoCertificates } from '../../../src/demo/paypal-demo-certificates.js';
import { providers } from '../../../src/gateways/configured-gateways.js';
import { Money } from '../../../src/kernel/money.js';
import { Gateways, type SampleEvent } from '../../../src/payments/index.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf } from '../books/books.js';
import { expectBooksToAgree } from '../documents/document-calls.js';
import { permutations } from '../payments/dispute-calls.js';
import { paymentIdAt } from '../../gateways/all-gateways.js';
import { SETTINGS, settingsOfPayPal } from '../../gateways/gateway-builders.js';
import { next } from './stripe-events.js';

/** The six events of a payment's life, at the provider's own times, and the amount of each. */
const LIFE: [event: SampleEvent, minor: bigint][] = [
  ['processing', 11_900n],
  ['failed', 11_900n],
  ['paid', 11_900n],
  ['refunded', 1900n],
  ['dispute.opened', 10_000n],
  ['dispute.lost', 10_000n],
];
/** Of the 720 orders: all by hand, some in CI, from all over the list. */
const STEP = process.env['TEST_FULL'] ? 1 : 48;
const TIMEOUT_MS = (720 / STEP) * 5000;

let folder = '';
let stub: ProviderStub;
let service: TestService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-orders-'));
  const files = await createPayPalDemoCertificates({
    folder,
    environment: 'sandbox',
    now: new Date(),
  });
  stub = await startProviderStub();
  const api = { client_id: 'a', client_secret: 'b', api_base: stub.apiBase };
  const settings: Record<string, Record<string, string>> = {
    ...SETTINGS,
    paypal: { ...settingsOfPayPal(files), ...api },
  };
  service = await startTestService({
    rateLimit: null,
    gateways: providers.map(({ name }) => ({
      name,
      provider: name,
      accounts: '*',
      settings: settings[name] ?? {},
    })),
  });
});
afterAll(async () => {
  await service.close();
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Payment {
  invoice: { id: string };
  link: { id: string };
  paymentId: string;
}

async function aPayment(client: TestClient, gateway: string): Promise<Payment> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway });
  return { invoice, link, paymentId: paymentIdAt(gateway, next()) };
}

const anyPayment = (name: string): Payment => ({
  invoice: { id: '' },
  link: { id: 'plink_any' },
  paymentId: paymentIdAt(name, '1'),
});

/** PayPal is asked before its events count, so its stub says what the event says. */
function confirmAtPayPal(paymentId: string, body: string): void {
  const { resource } = JSON.parse(body) as { resource: { id?: string; dispute_id?: string } };
  stub.objects = {
    [`/v2/payments/captures/${paymentId}`]: resource,
    [`/v2/payments/refunds/${resource.id}`]: resource,
    [`/v1/customer/disputes/${resource.dispute_id}`]: resource,
  };
}

/** Undefined where the provider does not tell of it. */
function delivery(name: string, { link, paymentId }: Payment, event: SampleEvent, minor: bigint) {
  const at = LIFE.findIndex(([one]) => one === event);
  const time = new Date(service.clock.now().getTime() - 60_000 + at * 10_000);
  const of = { linkId: link.id, paymentId, amount: Money.of(minor, 'EUR') };
  return service.app.get(Gateways).get(name).sampleEventDelivery(event, of, time);
}

async function live(client: TestClient, name: string, order: typeof LIFE) {
  const payment = await aPayment(client, name);
  for (const [event, minor] of order) {
    const sample = delivery(name, payment, event, minor);
    if (!sample) continue;
    if (name === 'paypal') confirmAtPayPal(payment.paymentId, sample.body);
    const { status } = await service.call(`/v1/webhooks/${name}`, { method: 'POST', ...sample });
    expect([name, event, Math.floor(status / 100)]).toEqual([name, event, 2]);
  }
  return stateOf(client, payment);
}

async function stateOf(client: TestClient, { invoice, link }: Payment) {
  const { status, amount_paid, amount_due, amount_refunded } = await client.read(invoice);
  const { body } = await client.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`);
  const path = `/v1/finance/disputes?document_id=${invoice.id}`;
  const disputes = (await client.get<{ data: { status: string; amount: number }[] }>(path)).body
    .data;
  return {
    document: { status, amount_paid, amount_due, amount_refunded },
    link: body.status,
    disputes: disputes.map((dispute) => [dispute.status, dispute.amount]),
  };
}

const openItems = async (client: TestClient) =>
  (await client.get<{ data: object[] }>('/v1/finance/unmatched-items?status=open')).body.data;

describe.each(providers.map(({ name }) => name))('a payment at %s', (name) => {
  it('ends the same in every order of its events', { timeout: TIMEOUT_MS }, async () => {
    const [one, many] = [await service.aClient(), await service.aClient()];
    const expected = await live(one, name, LIFE);
    const orders = permutations(LIFE).filter((_, index) => index % STEP === 0);
    for (const order of orders) {
      const words = order.map(([event]) => event).join(' ');
      expect([words, await live(many, name, order)]).toEqual([words, expected]);
    }
    const refunded = delivery(name, anyPayment(name), 'refunded', 1900n) ? 1900 : 0;
    const owed = { amount_refunded: refunded, amount_due: refunded + 10_000 };
    expect(expected.document).toMatchObject(owed);
    expect(expected.disputes).toEqual([['lost', 10_000]]);
    const [single, all] = [await balancesOf(service, one), await balancesOf(service, many)];
    const times = Object.entries(single).map(([account, sum]) => [account, sum * orders.length]);
    expect(all).toEqual(Object.fromEntries(times));
    expect([await openItems(one), await openItems(many)]).toEqual([[], []]);
    await expectBooksToAgree(service);
  });
});
