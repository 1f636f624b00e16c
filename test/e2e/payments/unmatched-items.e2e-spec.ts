import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { anItem } from '../every-route.js';
import { disputeCalls } from './dispute-calls.js';
import { next, signedByStripe, stripePayment } from '../gateways/stripe-events.js';

const ITEMS = '/v1/finance/unmatched-items';

let service: TestService;
/** Of the only account: what nobody named is its own. */
let client: TestClient;
let calls: ReturnType<typeof disputeCalls>;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  calls = disputeCalls(service, () => client);
});
afterAll(() => service.close());

interface Item {
  id: string;
  status: string;
  direction: string;
  amount: number | null;
  currency: string | null;
  provider_payment_id: string | null;
  what_to_do: string;
  reason: string | null;
}

const items = async (status = 'open') =>
  good(await client.get<{ data: Item[] }>(`${ITEMS}?status=${status}`), 200).data;

async function sent(gateway: string, delivery: { body: string; headers: Record<string, string> }) {
  const answer = await service.call(`/v1/webhooks/${gateway}`, { method: 'POST', ...delivery });
  return good(answer, 200)['status'];
}

const stripe = async (event: object) =>
  sent('gateway-a', signedByStripe(event, service.clock.now()));

it('stands for money of no link of ours, once, whatever the provider is told', async () => {
  const money = { amount: 700, currency: 'EUR' };
  const { session, intent } = stripePayment(money, service.clock.now());
  expect([await stripe(session), await stripe(intent)]).toEqual(['no_link_id', 'no_link_id']);
  const strange = { ...money, id: 'plink_01h455vb4pex5vsknk084sn02q' };
  expect(await stripe(stripePayment(strange, service.clock.now()).intent)).toBe('ignored');
  expect(await items()).toMatchObject([
    { direction: 'in', ...money, link_reference: strange.id, status: 'open' },
    { direction: 'in', ...money, link_reference: null, what_to_do: expect.stringMatching(/\.$/) },
  ]);
  await expectBooksToAgree(service);
});

it('stands for money that was taken back of a payment that is not ours', async () => {
  const at = service.clock.now().toISOString();
  const payment_id = `sbx_${next()}`;
  expect(
    await sent('sandbox', sandboxDelivery(service, 'payment.reversed', { payment_id, at })),
  ).toBe('ignored');
  expect((await items())[0]).toMatchObject({
    direction: 'out',
    amount: null,
    provider_payment_id: payment_id,
  });
});

it('is marked as done with a reason, and opened again', async () => {
  const id = await anItem(service, client);
  const step = async (name: string, reason: string) =>
    client.post<Item & { code?: string }>(`${ITEMS}/${id}/${name}`, { reason });
  expect((await step('reopen', 'why')).body.code).toBe('item_in_that_state');
  expect((await client.post(`${ITEMS}/${id}/close`, {})).status).toBe(422);
  expect(good(await step('close', 'of another shop'), 200)).toMatchObject({
    status: 'closed',
    reason: 'of another shop',
  });
  expect((await items('closed')).map((one) => one.id)).toEqual([id]);
  expect(good(await step('reopen', 'it is ours'), 200)).toMatchObject({ status: 'open' });
  expect((await step('reopen', 'again')).status).toBe(409);
  expect(good(await client.get<Item>(`${ITEMS}/${id}`), 200)).toMatchObject({ status: 'open' });
  expect((await client.get(`${ITEMS}/item_01h455vb4pex5vsknk084sn02q`)).status).toBe(404);
  const actions = good(
    await client.get<{ data: { action: string }[] }>('/v1/audit?action=unmatched_item.*'),
    200,
  ).data.map(({ action }) => action);
  expect(actions.sort()).toEqual(['unmatched_item.closed', 'unmatched_item.reopened']);
  await expectBooksToAgree(service);
});

it('needs nobody once the payment comes that was disputed, reversed or refunded before', async () => {
  const [of, reversed] = [await calls.linked(), await calls.linked()];
  await calls.tell('dispute.opened', of, { amount: 5000 });
  const refund = { sandbox_refund_id: `re_${of.id}` };
  await calls.tell('refund.succeeded', of, { amount: 3000, ...refund });
  expect(await calls.openItemsOf(of)).toEqual(['dispute.opened', 'refund.succeeded']);
  await calls.reverse({ ...reversed, link: { ...reversed.link, id: 'none' } });
  expect(await calls.openItemsOf(reversed)).toEqual(['payment.reversed']);
  await calls.pay(of);
  await calls.pay(reversed);
  expect([await calls.openItemsOf(of), await calls.openItemsOf(reversed)]).toEqual([[], []]);
  await expectBooksToAgree(service);
});

/** A name of the provider that is told again: of another payment, amount or currency. */
it.each([
  ['refund.succeeded', 'another payment', {}],
  ['refund.succeeded', 'another amount', { amount: 3001 }],
  ['refund.succeeded', 'another currency', { currency: 'USD' }],
  ['dispute.lost', 'another payment', {}],
  ['dispute.lost', 'another currency', { currency: 'USD' }],
])('stands for a %s whose name is told again of %s', async (type, of, other) => {
  const [first, second] = [await calls.paid(), await calls.paid()];
  const named = { amount: 3000, sandbox_refund_id: `re_${first.id}`, dispute: `dp_${first.id}` };
  expect(await calls.tell(type, first, named)).toBe('ok');
  const again = of === 'another payment' ? second : first;
  expect(await calls.tell(type, again, { ...named, at: 90, ...other })).toBe('ignored');
  expect(await calls.openItemsOf(again)).toEqual([type]);
  expect(await client.read(first.invoice)).toMatchObject({ amount_due: 3000 });
  expect(await client.read(second.invoice)).toMatchObject({ amount_due: 0 });
  await expectBooksToAgree(service);
});

/** The name alone does not make it the same money. */
it.each([
  ['another amount', { amount: 5001 }],
  ['another currency', { currency: 'USD' }],
  ['another link', {}],
])('stands for a payment that is told again with %s', async (of, other) => {
  const [first, second] = [await calls.linked(), await calls.linked()];
  const paid_at = service.clock.now().toISOString();
  const told = { amount: 5000, payment_link_id: first.link.id, paid_at };
  const tell = async (more = {}) => calls.tell('payment.succeeded', first, { ...told, ...more });
  expect([await tell(), await tell()]).toEqual(['ok', 'ok']);
  expect(await calls.openItemsOf(first)).toEqual([]);
  const again = of === 'another link' ? { payment_link_id: second.link.id } : other;
  expect([await tell(again), await tell(again)]).toEqual(['ignored', 'ignored']);
  expect(await calls.openItemsOf(first)).toEqual(['payment.succeeded']);
  expect(await client.read(first.invoice)).toMatchObject({ amount_due: 6900 });
  expect(await client.read(second.invoice)).toMatchObject({ amount_due: 11_900 });
  await expectBooksToAgree(service);
});

it('needs nobody once a payment without a link is told with its link', async () => {
  const of = await calls.linked();
  const { amount, currency } = of.link;
  const paid_at = service.clock.now().toISOString();
  const bare = { payment_id: of.id, amount, currency, paid_at };
  expect(await calls.send('payment.succeeded', bare)).toBe('no_link_id');
  expect(await calls.openItemsOf(of)).toEqual(['payment.succeeded']);
  expect(await calls.pay(of)).toBe('ok');
  expect(await calls.openItemsOf(of)).toEqual([]);
  await expectBooksToAgree(service);
});
