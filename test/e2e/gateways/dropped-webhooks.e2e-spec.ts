import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayPalDemoCertificates } from '../../../src/demo/paypal-demo-certificates.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Money } from '../../../src/kernel/money.js';
import { Gateways, type SampleEvent } from '../../../src/payments/index.js';
import { CheckoutLookUps } from '../../../src/payments/inbox/application/checkouts/checkout-look-ups.js';
import { Chance } from '../../../src/testing/chance.js';
import { SETTINGS, settingsOfPayPal } from '../../gateways/gateway-builders.js';
import type { TestClient } from '../../support/client.js';
import { type ProviderStub, startProviderStub } from '../../support/provider-stub.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf } from '../books/books.js';
import { expectBooksToAgree } from '../documents/document-calls.js';

const LIVES = process.env['TEST_FULL'] ? 200 : 8;
const TIMEOUT_MS = LIVES * 10_000;
const AMOUNTS: Partial<Record<SampleEvent, bigint>> = {
  refunded: 1900n,
  'dispute.opened': 10_000n,
  'dispute.won': 10_000n,
  'dispute.lost': 10_000n,
};

let folder = '';
let stub: ProviderStub;
let service: TestService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-dropped-'));
  const files = await createPayPalDemoCertificates({
    folder,
    environment: 'sandbox',
    now: new Date(),
  });
  stub = await startProviderStub();
  const api = { api_key: 'key', api_base: stub.apiBase };
  const payPal = { client_id: 'a', client_secret: 'b', api_base: stub.apiBase };
  const settings: Record<string, Record<string, string>> = {
    stripe: { ...SETTINGS['stripe'], ...api },
    mollie: { ...SETTINGS['mollie'], ...api },
    paypal: { ...settingsOfPayPal(files), ...payPal },
  };
  service = await startTestService({
    checkoutLookUpSeconds: 60,
    rateLimit: null,
    gateways: Object.entries(settings).map(([name, own]) => ({
      name,
      provider: name,
      accounts: '*',
      settings: own,
    })),
  });
});
afterAll(async () => {
  await service.close();
  await stub.close();
  rmSync(folder, { recursive: true, force: true });
});

type Life = readonly SampleEvent[];

/** PayPal's disputes are not part of its orders: they are told by events alone. */
function aLife(chance: Chance, name: string): Life {
  const begun = chance.isIn(30) ? (['processing'] as const) : [];
  if (chance.isIn(20)) return [...begun, 'failed'];
  const refund = chance.isIn(50) ? (['refunded'] as const) : [];
  const end = chance.of(['dispute.won', 'dispute.lost'] as const);
  const isDisputed = name !== 'paypal' && chance.isIn(60);
  return [...begun, 'paid', ...refund, ...(isDisputed ? (['dispute.opened', end] as const) : [])];
}

/** A page of an invoice over 119.00, and what its provider shows of it. */
interface Page {
  invoice: { id: string };
  link: { id: string };
  object: string;
  paymentId: string;
  /** Objects of the events so far, as the provider sent them. */
  told: Map<SampleEvent, Record<string, unknown>>;
}

async function aPage(client: TestClient, name: string): Promise<Page> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: name });
  const [row] = await service.database.query<{ provider_object_id: string }>(
    'SELECT provider_object_id FROM payment_links WHERE payment_link_id = $1',
    [uuidOf('plink', link.id)],
  );
  const object = row?.provider_object_id ?? '';
  const paymentId = name === 'mollie' ? object : name === 'stripe' ? `pi_${object}` : `C${object}`;
  return { invoice, link, object, paymentId, told: new Map() };
}

/** Something happens at the provider, which makes a delivery of it. */
function happens(name: string, page: Page, event: SampleEvent) {
  service.clock.advance({ seconds: 10 });
  const { link, paymentId } = page;
  const of = { linkId: link.id, paymentId, amount: Money.of(AMOUNTS[event] ?? 11_900n, 'EUR') };
  const gateway = service.app.get(Gateways).get(name);
  const delivery = gateway.sampleEventDelivery(event, of, service.clock.now());
  if (!delivery) return undefined;
  const body = JSON.parse(delivery.body) as {
    data?: { object: Record<string, unknown> };
    _embedded?: { entity: Record<string, unknown> };
    resource?: Record<string, unknown>;
  };
  const object = body.data?.object ?? body._embedded?.entity ?? body.resource ?? {};
  page.told.set(event, object);
  show[name]?.(page);
  return delivery;
}

const list = (page: Pick<Page, 'told'>, events: readonly SampleEvent[]) =>
  events
    .flatMap((event): Record<string, unknown>[] => {
      const object = page.told.get(event);
      return object ? [object] : [];
    })
    .slice(-1);
const seconds = () => Math.floor(service.clock.now().getTime() / 1000);
const PAYMENT = ['processing', 'failed', 'paid'] as const;
const DISPUTE = ['dispute.opened', 'dispute.won', 'dispute.lost'] as const;

/** The provider's API shows what has happened so far. */
const show: Record<string, (page: Page) => void> = {
  stripe: (page) => {
    const { object, paymentId, told } = page;
    const status = told.has('paid') ? 'succeeded' : told.has('failed') ? 'canceled' : 'processing';
    const charge = { created: seconds(), disputed: list(page, DISPUTE).length > 0 };
    const dated = (each: object) => ({ created: seconds(), ...each });
    const [intent] = list(page, PAYMENT);
    stub.objects = {
      [`/v1/checkout/sessions/${object}`]: {
        id: object,
        status: 'complete',
        payment_status: 'unpaid',
        payment_intent: paymentId,
      },
      [`/v1/payment_intents/${paymentId}`]: {
        ...intent,
        status,
        created: seconds(),
        latest_charge: charge,
      },
      '/v1/refunds': { data: list(page, ['refunded']).map(dated), has_more: false },
      '/v1/disputes': { data: list(page, DISPUTE).map(dated), has_more: false },
    };
  },
  mollie: (page) => {
    const [payment] = list(page, PAYMENT);
    const chargebacks = list(page, ['dispute.lost', 'dispute.won']);
    const refunds = list(page, ['refunded']);
    stub.payments[page.object] = { ...payment, _embedded: { refunds, chargebacks } };
  },
  paypal: (page) => {
    const captures = list(page, PAYMENT);
    const refunds = list(page, ['refunded']);
    const unit = { custom_id: page.link.id, payments: { captures, refunds } };
    stub.objects = {
      [`/v2/checkout/orders/${page.object}`]: {
        id: page.object,
        status: 'COMPLETED',
        purchase_units: [unit],
      },
      [`/v2/payments/captures/${page.paymentId}`]: captures[0] ?? {},
      [`/v2/payments/refunds/${String(refunds[0]?.['id'])}`]: refunds[0] ?? {},
    };
  },
};

/** As long as nothing has happened at a page, so long nobody asks about it. */
const HOURS_OF_A_LIFE = 12;

async function lookUp(hours = 2): Promise<void> {
  service.clock.advance({ hours });
  await service.app.get(CheckoutLookUps).run();
}

async function liveByWebhooks(client: TestClient, name: string, life: Life) {
  const page = await aPage(client, name);
  for (const event of life) {
    const delivery = happens(name, page, event);
    if (!delivery) continue;
    const { status } = await service.call(`/v1/webhooks/${name}`, { method: 'POST', ...delivery });
    expect([name, event, status]).toEqual([name, event, 200]);
  }
  return stateOf(client, page);
}

async function liveByLookUps(client: TestClient, name: string, life: Life, chance: Chance) {
  await service.database.query('DELETE FROM checkout_look_ups');
  const page = await aPage(client, name);
  for (const event of life) {
    happens(name, page, event);
    if (chance.isIn(40)) await lookUp();
  }
  await lookUp(HOURS_OF_A_LIFE);
  return stateOf(client, page);
}

async function stateOf(client: TestClient, { invoice, link }: Page) {
  const { status, amount_paid, amount_due, amount_refunded } = await client.read(invoice);
  const { body } = await client.get<{ status: string }>(`/v1/finance/payment-links/${link.id}`);
  return { status, amount_paid, amount_due, amount_refunded, link: body.status };
}

describe.each(['stripe', 'mollie', 'paypal'])('without a webhook of %s', (name) => {
  it(
    `the books of ${LIVES} payments end as they do with all of them`,
    { timeout: TIMEOUT_MS },
    async () => {
      const chance = new Chance(20_261_125);
      const [told, untold] = [await service.aClient(), await service.aClient()];
      for (let count = 0; count < LIVES; count += 1) {
        const life = aLife(chance, name);
        const expected = await liveByWebhooks(told, name, life);
        const found = await liveByLookUps(untold, name, life, chance);
        expect([life.join(' '), found]).toEqual([life.join(' '), expected]);
      }
      expect(await balancesOf(service, untold)).toEqual(await balancesOf(service, told));
      await expectBooksToAgree(service);
    },
  );
});
