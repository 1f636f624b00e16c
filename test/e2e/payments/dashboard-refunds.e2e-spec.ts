import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { balancesOf, payment as read } from '../books/books.js';
import { expectBooksToAgree, good, historyOf } from '../documents/document-calls.js';
import {
  afresh,
  paidByCard,
  paymentOf,
  refund,
  type RefundService,
  refundsOf,
  startRefundService,
  tell,
} from './refund-calls.js';
import { next, stripePayment } from '../gateways/stripe-events.js';

let world: RefundService;
let client: TestClient;

beforeAll(async () => {
  world = await startRefundService();
});
afterAll(() => world.close());
beforeEach(async () => {
  world = await afresh(world);
  ({ client } = world);
});

/** Money of a card that came through a link, and the provider's id of it. */
async function cardPayment() {
  const { invoice, payment } = await paidByCard(world);
  return { invoice, payment, intent: await intentOf(payment) };
}

async function intentOf(payment: { id: string }): Promise<string> {
  const [row] = await world.service.database.query<{ id: string }>(
    'SELECT provider_payment_id AS id FROM payments WHERE payment_id = $1',
    [uuidOf('pay', payment.id)],
  );
  return row?.id ?? '';
}

/** A refund of Stripe's dashboard: it names none of ours. */
const aRefund = (intent: string, over: object = {}) => ({
  id: `re_${next()}`,
  object: 'refund',
  amount: 5000,
  currency: 'eur',
  payment_intent: intent,
  metadata: {},
  status: 'succeeded',
  ...over,
});

/** Nobody's, as long as the payment is unknown and there are several accounts. */
const items = async ({ id }: { id: string }, status = 'open') =>
  world.service.database.query<{ amount: number }>(
    `SELECT amount::int FROM unmatched_items i LEFT JOIN unmatched_item_steps s USING (item_id)
     WHERE provider_payment_id = $1 AND coalesce(s.status, 'open') = $2 ORDER BY amount`,
    [id, status],
  );

const told = async (type: string, object: object, secondsAgo?: number) =>
  tell(world, type, object, secondsAgo);
const booked = { status: 'ok', review: null };
const toReview = { status: 'ignored', review: expect.stringMatching(/money went back/) };

describe('a refund that somebody made at the provider', () => {
  it('is booked once, by whatever events tell of it, as made by the gateway', async () => {
    const { invoice, payment, intent } = await cardPayment();
    const object = aRefund(intent, { metadata: { refund_id: 'rfnd_01h455vb4pex5vsknk084sn02q' } });
    const charge = { id: 'ch_1', currency: 'eur', payment_intent: intent, amount_refunded: 5000 };
    const answers = await Promise.all([
      told('refund.created', object),
      told('charge.refunded', charge),
      told('refund.updated', object),
      told('charge.refund.updated', object),
    ]);
    expect(answers).toEqual([booked, booked, booked, booked]);
    const [made, ...more] = await refundsOf(client, payment);
    expect(more).toEqual([]);
    expect(made).toMatchObject({
      amount: 5000,
      status: 'succeeded',
      made_by: 'gateway',
      gateway: 'gateway-a',
      lost: 0,
      paid_from: 'gateway_clearing',
      provider_refund_id: object.id,
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000, amount_refunded: 5000 });
    const last = (await historyOf(client, invoice)).findLast(
      ({ type }) => type === 'payment.refunded',
    );
    expect(last?.actor).toEqual({ type: 'gateway', id: 'gateway-a' });
    expect((await client.post(`/v1/finance/refunds/${made?.id}/reverse`)).body['code']).toBe(
      'refund_not_reversible',
    );
    // It failed at the payer's bank afterwards.
    expect(await told('refund.failed', { ...object, status: 'failed' })).toEqual(booked);
    expect((await refundsOf(client, payment))[0]).toMatchObject({ status: 'returned' });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
    await expectBooksToAgree(world.service);
  });

  it('is asked for where only a sum tells it, and its own events tell no more', async () => {
    const { payment, intent } = await cardPayment();
    const charge = { id: 'ch_1', currency: 'eur', payment_intent: intent };
    const parts = [aRefund(intent, { amount: 2000 }), aRefund(intent, { amount: 3000 })];
    for (const { id, amount } of parts) {
      const shown = { key: '', paymentId: intent, currency: 'eur', ours: '' };
      world.stub.refunds.push({ id, amount: String(amount), status: 'succeeded', ...shown });
    }
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5000 })).toEqual(booked);
    const both = [
      { amount: 2000, made_by: 'gateway', provider_refund_id: parts[0]?.id },
      { amount: 3000, made_by: 'gateway', provider_refund_id: parts[1]?.id },
    ];
    expect(await refundsOf(client, payment)).toMatchObject(both);
    for (const part of parts) expect(await told('refund.created', part)).toEqual(booked);
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5000 })).toEqual(booked);
    expect(await refundsOf(client, payment)).toMatchObject(both);
    expect(await told('refund.created', aRefund(intent, { amount: 100 }))).toEqual(booked);
    expect(await refundsOf(client, payment)).toHaveLength(3);
    expect(await told('refund.failed', { ...parts[0], status: 'failed' })).toEqual(booked);
    expect((await refundsOf(client, payment))[0]).toMatchObject({ status: 'returned' });
    await expectBooksToAgree(world.service);
  });

  it('waits, and then succeeds or fails; it is looked up, and never sent', async () => {
    const { invoice, payment, intent } = await cardPayment();
    const object = aRefund(intent, { status: 'pending' });
    expect(await told('refund.created', object)).toEqual(booked);
    const [waiting] = await refundsOf(client, payment);
    expect(waiting).toMatchObject({ status: 'pending', made_by: 'gateway' });
    const { amount_refundable } = await read(client, payment.id);
    expect(amount_refundable).toBe(6900);
    good(await client.post(`/v1/finance/refunds/${waiting?.id}/look-up`), 200);
    expect(world.stub.refunds).toEqual([]);
    expect((await refundsOf(client, payment))[0]).toMatchObject({ status: 'pending' });
    world.stub.refunds.push({
      id: object.id,
      key: '',
      paymentId: intent,
      amount: '5000',
      currency: 'eur',
      ours: '',
      status: 'succeeded',
    });
    good(await client.post(`/v1/finance/refunds/${waiting?.id}/look-up`), 200);
    expect((await refundsOf(client, payment))[0]).toMatchObject({ status: 'succeeded' });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000 });
    const other = aRefund(intent, { status: 'pending', amount: 100 });
    await told('refund.created', other);
    expect(await told('refund.failed', { ...other, status: 'failed' })).toEqual(booked);
    // Late, and older than the failure.
    const early = aRefund(intent, { amount: 200 });
    expect(await told('refund.failed', { ...early, status: 'failed' })).toEqual(booked);
    expect(await told('refund.created', early, 60)).toEqual(booked);
    expect((await refundsOf(client, payment)).map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
    ]);
    await expectBooksToAgree(world.service);
  });

  it('is not sent where the provider does not find it', async () => {
    const { service } = world;
    const invoice = await client.anInvoice();
    await service.deliverPaid(await client.aPaymentLink(invoice, { gateway: 'sandbox' }));
    const payment = await paymentOf(client, invoice);
    const object = { payment_id: await intentOf(payment), amount: 500, currency: 'EUR' };
    const of = { ...object, sandbox_refund_id: `sbx_${next()}` };
    const delivery = sandboxDelivery(service, 'refund.pending', of);
    good(await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery }), 200);
    const [waiting] = await refundsOf(client, payment);
    // The sandbox would say yes to whatever is sent.
    good(await client.post(`/v1/finance/refunds/${waiting?.id}/look-up`), 200);
    expect(await refundsOf(client, payment)).toMatchObject([{ status: 'pending' }]);
  });

  it('is linked with the record of a person who made it there', async () => {
    const { invoice, payment, intent } = await cardPayment();
    const byHand = { amount: 5000, method: 'card' };
    const { refund: recorded } = good(await refund(client, payment, byHand), 201);
    const charge = { id: 'ch_1', currency: 'eur', payment_intent: intent, amount_refunded: 5000 };
    expect(await told('charge.refunded', charge)).toEqual(booked);
    const object = aRefund(intent);
    expect(await told('refund.created', object)).toEqual(booked);
    expect(await refundsOf(client, payment)).toMatchObject([
      { id: recorded.id, made_by: 'client', gateway: null, provider_refund_id: object.id },
    ]);
    expect((await client.post(`/v1/finance/refunds/${recorded.id}/reverse`)).body['code']).toBe(
      'refund_not_reversible',
    );
    // Another one of the same amount is another one.
    expect(await told('refund.created', aRefund(intent))).toEqual(booked);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 10_000 });
    expect(await told('refund.failed', { ...object, status: 'failed' })).toEqual(booked);
    expect((await refundsOf(client, payment)).map(({ status }) => status)).toEqual([
      'returned',
      'succeeded',
    ]);
    await expectBooksToAgree(world.service);
  });

  it('takes credit that is spent, and what is not there any more is lost', async () => {
    const invoice = await client.anInvoice();
    const customer_id = invoice.customer_id;
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
    await world.service.deliverPaid(link, 15_000);
    const payment = await paymentOf(client, invoice);
    const other = await client.anInvoice({ customer: undefined, customer_id });
    good(await client.pay(other, { amount: 3000, method: 'credit_balance' }), 201);
    const intent = await intentOf(payment);
    good(await refund(client, payment, { amount: 1000, method: 'cash' }), 201);
    expect(await told('refund.created', aRefund(intent, { amount: 15_000 }))).toEqual(booked);
    expect((await refundsOf(client, payment))[1]).toMatchObject({ amount: 15_000, lost: 1000 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    expect(await client.read(other)).toMatchObject({ amount_due: 11_900 });
    expect(await balancesOf(world.service, client)).toMatchObject({ payment_losses: 1000 });
    await expectBooksToAgree(world.service);
  });

  it('leaves one item of an unknown payment, and meets the payment when it comes', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
    const { intent } = stripePayment(link, world.service.clock.now());
    const paid = intent.data.object as { id: string };
    const object = aRefund(paid.id, { amount: 4000 });
    const charge = { id: 'ch_1', currency: 'eur', payment_intent: paid.id, amount_refunded: 4000 };
    expect(await told('charge.refunded', charge)).toEqual(toReview);
    expect(await told('refund.created', object)).toEqual(toReview);
    expect(await told('refund.updated', object)).toEqual(toReview);
    expect(await items(paid)).toMatchObject([{ amount: 4000 }]);
    await told('refund.created', aRefund(paid.id, { amount: 1000 }));
    expect(await items(paid)).toEqual([{ amount: 1000 }, { amount: 4000 }]);
    expect(await told('payment_intent.succeeded', paid)).toEqual(booked);
    const payment = await paymentOf(client, invoice);
    expect(
      (await refundsOf(client, payment)).map(({ amount }) => amount).toSorted((a, b) => a - b),
    ).toEqual([1000, 4000]);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000 });
    expect(await items(paid)).toEqual([]);
    expect(await items(paid, 'closed')).toHaveLength(2);
    await expectBooksToAgree(world.service);
  });

  it('is taken off money that found no document, and off its payment once it has one', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
    await client.void(invoice);
    const { intent } = stripePayment(link, world.service.clock.now());
    const paid = intent.data.object as { id: string };
    await told('payment_intent.succeeded', paid);
    expect(await told('refund.created', aRefund(paid.id, { amount: 900 }))).toEqual(booked);
    const receipts = '/v1/finance/unmatched-receipts';
    const list = await client.get<{ data: { id: string; amount_open: number }[] }>(receipts);
    expect(list.body.data).toMatchObject([{ amount_open: 11_000, amount_refunded: 900 }]);
    const to = { customer_id: invoice.customer_id };
    good(await client.post(`${receipts}/${list.body.data[0]?.id}/assign`, to), 200);
    expect(await told('refund.created', aRefund(paid.id, { amount: 11_000 }))).toEqual(booked);
    const { gateway_clearing, payment_losses } = await balancesOf(world.service, client);
    expect({ gateway_clearing, payment_losses }).toEqual({});
    await expectBooksToAgree(world.service);
  });

  it('of more than came waits for the news that another one failed', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a' });
    await client.void(invoice);
    const { intent } = stripePayment(link, world.service.clock.now());
    const paid = intent.data.object as { id: string };
    await told('payment_intent.succeeded', paid);
    const first = aRefund(paid.id, { amount: 8000 });
    const second = aRefund(paid.id, { amount: 9000 });
    expect(await told('refund.created', first)).toEqual(booked);
    expect(await told('refund.created', second)).toEqual(toReview);
    expect(await items(paid)).toEqual([{ amount: 9000 }]);
    expect(await told('refund.failed', { ...first, status: 'failed' })).toEqual(booked);
    expect(await items(paid)).toEqual([]);
    const list = await client.get<{ data: object[] }>('/v1/finance/unmatched-receipts');
    expect(list.body.data).toMatchObject([{ amount_open: 2900, amount_refunded: 9000 }]);
    await expectBooksToAgree(world.service);
  });
});
