import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentLinkBody } from '../../../src/payments/collecting/wire/payment-link.js';
import type { RefundBody } from '../../../src/payments/returning/wire/refund.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { good } from '../documents/document-calls.js';
import {
  paidByCard,
  paymentOf,
  refund,
  type RefundService,
  startRefundService,
  tell,
} from './refund-calls.js';

// All refunds of an account, and all of its payment links, whatever they are of.

interface List<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total_count?: number;
}

let world: RefundService;
let client: TestClient;
let refunds: RefundBody[];
let links: PaymentLinkBody[];

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

const listed = async <Item>(path: string, query = '', of = client) =>
  good(await of.get<List<Item>>(`/v1/finance/${path}${query}`), 200);

/** The ids on one page after the other. */
async function walked(path: string, query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: List<{ id: string }> = await listed(
      path,
      `?limit=1${query}${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...idsOf(page.data));
    cursor = page.next_cursor;
  }
  return seen;
}

beforeAll(async () => {
  world = await startRefundService();
  ({ client } = world);
  const card = await paidByCard(world);
  const made = async (payment: { id: string }, body: object) =>
    good(await refund(client, payment, body), 201).refund;
  const byGateway = await made(card.payment, { amount: 2500 });
  world.service.clock.advance({ hours: 1 });
  const dollars = await client.anInvoice({ currency: 'USD' });
  await client.pay(dollars, { amount: 11_900 });
  const byHand = await made(await paymentOf(client, dollars), { amount: 1000 });
  world.service.clock.advance({ hours: 1 });
  const wrong = await made(card.payment, { amount: 300, method: 'cash' });
  good(await client.post(`/v1/finance/refunds/${wrong.id}/reverse`, {}), 200);
  const { provider_payment_id: charge } = await providerPaymentOf(card.payment);
  await tell(world, 'refund.updated', {
    id: 're_dashboard',
    object: 'refund',
    payment_intent: charge,
    amount: 700,
    currency: 'eur',
    status: 'succeeded',
  });
  const all = await listed<RefundBody>('refunds');
  refunds = all.data;
  expect(idsOf(refunds).slice(1)).toEqual(idsOf([wrong, byHand, byGateway]));
  const other = await client.anInvoice();
  await client.aPaymentLink(other, { gateway: 'sandbox', expires_in_days: 1 });
  const canceled = await client.aPaymentLink(other, { gateway: 'sandbox', amount: 100 });
  good(await client.post(`/v1/finance/payment-links/${canceled.id}/cancel`), 200);
  links = (await listed<PaymentLinkBody>('payment-links')).data;
});
afterAll(() => world.close());

async function providerPaymentOf({ id }: { id: string }) {
  const [row] = await world.service.database.query<{ provider_payment_id: string }>(
    'SELECT provider_payment_id FROM payments WHERE payment_id = $1',
    [uuidOf('pay', id)],
  );
  if (!row) throw new Error('there is no such payment');
  return row;
}

describe('the list of all refunds', () => {
  it('has each as it is read by itself, newest first, page by page', async () => {
    expect(refunds).toHaveLength(4);
    for (const one of refunds) {
      expect(one).toEqual((await client.get(`/v1/finance/refunds/${one.id}`)).body);
    }
    expect(await walked('refunds', '')).toEqual(idsOf(refunds));
    expect((await listed('refunds', '?limit=1&include=total_count')).total_count).toBe(4);
  });

  it.each([
    ['status', () => '?status=reversed', ({ status }: RefundBody) => status === 'reversed'],
    [
      'a status that stands',
      () => '?status=succeeded',
      ({ status }: RefundBody) => status === 'succeeded',
    ],
    ['gateway', () => '?gateway=gateway-a', ({ gateway }: RefundBody) => gateway === 'gateway-a'],
    ['who made it', () => '?made_by=gateway', ({ made_by }: RefundBody) => made_by === 'gateway'],
    ['currency', () => '?currency=USD', ({ currency }: RefundBody) => currency === 'USD'],
    [
      'payment',
      () => `?payment_id=${refunds[0]?.payment_id}`,
      ({ payment_id }: RefundBody) => payment_id === refunds[0]?.payment_id,
    ],
    [
      'document',
      () => `?document_id=${refunds[3]?.documents[0]?.id}`,
      ({ documents }: RefundBody) =>
        documents.some(({ id }) => id === refunds[3]?.documents[0]?.id),
    ],
    [
      'time',
      () => `?requested_from=${refunds[2]?.requested_at}&requested_to=${refunds[1]?.requested_at}`,
      ({ id }: RefundBody) => id === refunds[2]?.id,
    ],
  ])('is filtered by %s', async (_, query, isWanted) => {
    const wanted = idsOf(refunds.filter(isWanted));
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(4);
    expect(idsOf((await listed<RefundBody>('refunds', query())).data)).toEqual(wanted);
    expect(await walked('refunds', query().replace('?', '&'))).toEqual(wanted);
  });

  it('is filtered by customer, also where a payment is of no single document', async () => {
    const payment = await client.get<{ customer_id: string }>(
      `/v1/finance/payments/${refunds[2]?.payment_id}`,
    );
    const query = `?customer_id=${payment.body.customer_id}`;
    expect(idsOf((await listed<RefundBody>('refunds', query)).data)).toContain(refunds[2]?.id);
    const nobody = await client.aCustomer();
    expect((await listed('refunds', `?customer_id=${nobody.id}`)).data).toEqual([]);
  });
});

describe('the list of all payment links', () => {
  it('has each as it is read by itself, newest first, page by page', async () => {
    expect(links).toHaveLength(3);
    for (const one of links) {
      expect(one).toEqual((await client.get(`/v1/finance/payment-links/${one.id}`)).body);
    }
    expect(await walked('payment-links', '')).toEqual(idsOf(links));
  });

  it('tells by the clock which have expired, as each says itself', async () => {
    const [, open] = links;
    expect(idsOf((await listed<PaymentLinkBody>('payment-links', '?status=open')).data)).toEqual([
      open?.id,
    ]);
    world.service.clock.advance({ hours: 25 });
    expect((await listed('payment-links', '?status=open')).data).toEqual([]);
    const [expired] = (await listed<PaymentLinkBody>('payment-links', '?status=expired')).data;
    expect(expired).toMatchObject({ id: open?.id, status: 'expired' });
  });

  it.each([
    ['status', () => '?status=paid', 2],
    ['gateway', () => '?gateway=sandbox', 0],
    ['document', () => `?document_id=${links[0]?.document_id}`, 0],
    ['currency', () => '?currency=EUR', 0],
    ['time', () => `?created_to=${links[1]?.created_at}`, 2],
  ])('is filtered by %s', async (_, query, first) => {
    const found = await listed<PaymentLinkBody>('payment-links', query());
    expect(found.data[0]?.id).toBe(links[first]?.id);
  });

  it('is filtered by customer', async () => {
    const { customer_id } = await client.read({ id: links[2]?.document_id ?? '' });
    const found = await listed<PaymentLinkBody>('payment-links', `?customer_id=${customer_id}`);
    expect(idsOf(found.data)).toContain(links[2]?.id);
    const nobody = await client.aCustomer();
    expect((await listed('payment-links', `?customer_id=${nobody.id}`)).data).toEqual([]);
  });
});

describe('both lists', () => {
  it.each(['refunds', 'payment-links'])('show %s of the own account only', async (path) => {
    const stranger = await world.service.aClient();
    expect((await listed(path, '', stranger)).data).toEqual([]);
  });

  it('need the scope that reads payments', async () => {
    const reader = await world.service.aClient({ of: client, scopes: ['documents:read'] });
    for (const path of ['refunds', 'payment-links']) {
      const { status, body } = await reader.get<{ code: string }>(`/v1/finance/${path}`);
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    }
  });
});
