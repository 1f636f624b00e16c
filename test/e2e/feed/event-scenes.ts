import { DueDates } from '../../../src/documents/application/due-dates.service.js';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import { AutomaticCollections } from '../../../src/payments/collecting/application/mandates/automatic-collections.js';
import { untilAllHaveEnded } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import type { MailCatcher } from '../../support/mail-catcher.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import type { TestService } from '../../support/service.js';
import { UNDOINGS } from '../books/undoings/facts.js';
import { disputed, entry, payout, providersPayment, type Shop } from '../books/undoings/shop.js';
import { good, made, patched } from '../documents/document-calls.js';
import { anItemOfSale } from '../every-route.js';
import { anOwnGateway, OWN_GATEWAYS } from '../gateways/own-gateways.js';
import { send } from '../mail/mail-calls.js';
import {
  lookUpAll,
  paidByCard,
  paymentOf,
  refund,
  type RefundService,
} from '../payments/refund-calls.js';
import { decide, LOWERS, OWED, paidByHand } from '../payments/refund-meaning-calls.js';
import { dunning } from './dunning-scene.js';
import { schedules } from './schedule-scene.js';

// Calls that together cause every event.

const DAY_MS = 86_400_000;
const BROWSER = {
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

export interface Scene extends RefundService {
  catcher: MailCatcher;
}

/** Each is played by an account of its own. */
export const SCENES: Record<string, (scene: Scene) => Promise<void>> = {
  'webhook endpoints': async ({ client }) => {
    const wish = { url: 'https://shop.example.com/hook' };
    const { body } = await client.post<{ id: string }>('/v1/webhook-endpoints', wish);
    await client.post(`/v1/webhook-endpoints/${body.id}/test`);
    await client.post(`/v1/webhook-endpoints/${body.id}/disable`);
  },
  customers: async ({ client }) => {
    const customer = await client.aCustomer();
    const path = `/v1/finance/customers/${customer.id}`;
    good(await client.patch(path, { reference: 'R-1' }), 200);
    good(await client.post(`${path}/archive`), 200);
    good(await client.post(`${path}/unarchive`), 200);
    good(await client.delete(path), 204);
    const { id: erased } = await client.aCustomer();
    await client.post(`/v1/finance/customers/${erased}/erase`);
  },
  items: async ({ client }) => {
    const item = good(await client.post<{ id: string }>('/v1/finance/items', anItemOfSale), 201);
    const path = `/v1/finance/items/${item.id}`;
    good(await client.patch(path, { name: 'Advice' }), 200);
    good(await client.post(`${path}/archive`), 200);
    good(await client.post(`${path}/unarchive`), 200);
  },
  schedules,
  dunning,
  gateways: async ({ client, stub }) => {
    const { id } = await anOwnGateway(client, stub);
    good(await client.patch(`${OWN_GATEWAYS}/${id}`, { name: 'renamed' }), 200);
    good(await client.post(`${OWN_GATEWAYS}/${id}/disable`), 200);
    good(await client.post(`${OWN_GATEWAYS}/${id}/enable`), 200);
  },
  drafts: async ({ client }) => {
    for (const kind of ['invoice', 'credit_note'] as never[]) {
      const draft = await client.anInvoice({ kind, issue: false });
      await patched(client, draft, { metadata: { a: 'b' } });
      good(await client.delete(`/v1/finance/documents/${draft.id}`), 204);
    }
  },
  quotes: async ({ service, client }) => {
    const quote = await client.aQuote();
    const draft = await made(client, quote, 'convert');
    good(await client.delete(`/v1/finance/documents/${draft.id}`), 204);
    const portal = `/v1/portal/${await client.aPortalToken(quote)}`;
    good(await service.call(portal, { headers: BROWSER }), 200);
    good(await service.call(`${portal}/accept`, { method: 'POST' }), 200);
  },
  'due dates': async ({ service, client }) => {
    const now = service.clock.now().getTime();
    const due_date = new Date(now + 10 * DAY_MS).toISOString().slice(0, 10);
    await client.anInvoice({ due_date });
    await client.aQuote({ due_date });
    service.clock.advance({ days: 8 });
    await service.app.get(DueDates).run();
    service.clock.advance({ days: 4 });
    await service.app.get(DueDates).run();
  },
  payments: async ({ client }) => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1000 });
    const paid = await client.pay(invoice, { amount: 20_000, on_overpayment: 'credit' });
    const { id } = paid.body['payment'] as { id: string };
    good(await client.post(`/v1/finance/payments/${id}/reverse`, { reason: 'wrong' }), 200);
    const lost = await client.anInvoice();
    good(await client.post(`/v1/finance/documents/${lost.id}/write-off`), 200);
    good(await client.post(`/v1/finance/documents/${lost.id}/tax-relief`), 200);
  },
  links: async ({ service, client }) => {
    const later = await client.aPaymentLink(await client.anInvoice(), { gateway: 'sandbox' });
    const of = { payment_id: `sbx_${later.id}`, payment_link_id: later.id };
    const at = service.clock.now().toISOString();
    await tellSandbox(service, 'payment.processing', { ...of, at });
    await tellSandbox(service, 'payment.failed', { ...of, at });
    const link = await client.aPaymentLink(await client.anInvoice());
    good(await client.post(`/v1/finance/payment-links/${link.id}/cancel`), 200);
  },
  mandates: async ({ client }) => {
    const { id: customer } = await client.aCustomer();
    const path = `/v1/finance/customers/${customer}/mandates`;
    const wish = { gateway: 'sandbox', currency: 'EUR' };
    const { id: object } = good(await client.post<{ id: string }>(path, wish), 201);
    for (const outcome of ['active', 'suspended', 'canceled'])
      good(await client.post('/v1/sandbox/outcomes', { object, outcome }), 200);
  },
  debits: async ({ service, client }) => {
    good(await client.patch('/v1/finance/payment-settings', { debit_retry_days: [1] }), 200);
    const { id: customer_id } = await client.aCustomer();
    const wish = { gateway: 'sandbox', currency: 'EUR' };
    const path = `/v1/finance/customers/${customer_id}/mandates`;
    good(await client.post(path, wish), 201);
    const invoice = await client.anInvoice({ customer: undefined, customer_id });
    const of = `/v1/finance/documents/${invoice.id}`;
    good(await client.post(`${of}/collect`), 201);
    for (const days of [2, 0]) {
      const { body } = await client.get<{ data: { id: string }[] }>(`${of}/payment-links`);
      const object = body.data.at(-1)?.id;
      good(await client.post('/v1/sandbox/outcomes', { object, outcome: 'failed' }), 200);
      service.clock.advance({ days });
      await service.app.get(AutomaticCollections).run();
    }
  },
  refunds: async (scene) => {
    const { client, stub } = scene;
    const byCard = await paidByCard(scene);
    stub.next = ['refused'];
    good(await refund(client, byCard.payment, { amount: 500 }), 201);
    stub.next = ['pending'];
    good(await refund(client, byCard.payment, { amount: 1000, ...LOWERS }), 201);
    await made(client, byCard.invoice, 'credit-notes', { amount: 11_500 });
    for (const each of stub.refunds) each.status = 'succeeded';
    await lookUpAll(scene);
    const payment = await paymentOf(client, await paidByHand(client));
    const back = await refund(client, payment, { amount: 1000, method: 'bank_transfer' });
    good(await decide(client, good(back, 201).refund, OWED), 200);
  },
  disputes: async (scene) => {
    const shop = await aShop(scene);
    const paid = await providersPayment(shop, 1000);
    await paid.tell();
    await disputed(shop, 'opened', paid);
    const evidence_due_by = new Date(Date.parse(shop.paidAt) + 20 * DAY_MS).toISOString();
    await disputed(shop, 'opened', paid, { evidence_due_by });
  },
  'entries of the bank': async (scene) => {
    const shop = await aShop(scene);
    const id = await entry(shop, '3.00');
    good(await scene.client.post(`/v1/finance/bank-entries/${id}/ignore`), 200);
    const { id: payout_id } = await payout(shop);
    const path = `/v1/finance/bank-entries/${await entry(shop, '9.00')}`;
    good(await scene.client.post(`${path}/confirm`, { payout_id }), 200);
    good(await scene.client.post(`${path}/unbook`), 200);
    const { statement_id: file } = good(
      await scene.client.get<{ statement_id: string }>(path),
      200,
    );
    good(await scene.client.delete(`/v1/finance/bank-statements/${file}`), 204);
  },
  'payouts that come first': async (scene) => {
    const shop = await aShop(scene);
    const paid = await providersPayment(shop, 1000);
    const line = { kind: 'payment', amount: 1000, fee: 40, provider_id: paid.payment_id };
    await payout(shop, { amount: 960, lines: [line] });
    await paid.tell();
  },
  months: async ({ service, client }) => {
    const now = service.clock.now();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    const month = `/v1/finance/periods/${last.toISOString().slice(0, 7)}`;
    good(await client.post(`${month}/close`), 200);
    good(await client.post(`${month}/reopen`), 200);
  },
  messages: async ({ service, client, catcher }) => {
    await send(client, await client.anInvoice());
    await sendAll(service);
    catcher.refuse = () => ({ responseCode: 550, message: 'No such mailbox' });
    await send(client, await client.anInvoice());
    await sendAll(service);
    catcher.refuse = () => null;
    const invoice = await client.anInvoice();
    await send(client, invoice);
    await client.void(invoice);
    await sendAll(service);
  },
  ...undoings(),
};

/** The first way of each fact of the ledger, and of its undoing. */
function undoings(): typeof SCENES {
  const all = Object.entries(UNDOINGS).flatMap(([fact, undone]) =>
    'never' in undone ? [] : undone.map(({ by, ways }) => [`${fact}, ${by}`, ways] as const),
  );
  return Object.fromEntries(
    all.map(([name, ways]) => [
      name,
      async (scene: Scene) => {
        const [way] = Object.values(ways);
        const steps = way!(await aShop(scene));
        while (!(await steps.next()).done);
      },
    ]),
  );
}

async function aShop({ service, client }: Pick<Scene, 'service' | 'client'>): Promise<Shop> {
  const { id: customer } = await client.aCustomer();
  const on = new Date(service.clock.now().getTime() - 5 * DAY_MS).toISOString();
  const [day, paidAt] = [on.slice(0, 10), on];
  const issued = { customer: undefined, customer_id: customer, issue_date: day, due_date: day };
  const [invoice, other] = [await client.anInvoice(issued), await client.anInvoice(issued)];
  return { service, client, customer, invoice: invoice.id, other: other.id, day, paidAt };
}

async function tellSandbox(service: TestService, type: string, data: object): Promise<void> {
  const delivery = sandboxDelivery(service, type, data);
  good(await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery }), 200);
}

async function sendAll(service: TestService): Promise<void> {
  await untilAllHaveEnded(service);
  await service.app.get(MailWorker).run();
}

/** Accounts of which something was told, by the clients that caused it. */
export async function playAll(scene: Scene): Promise<TestClient[]> {
  const clients: TestClient[] = [];
  for (const play of Object.values(SCENES)) {
    const client = await scene.service.aClient();
    clients.push(client);
    Object.assign(scene.stub, { next: [], nextLookUps: [], refunds: [] });
    await play({ ...scene, client });
  }
  return clients;
}
