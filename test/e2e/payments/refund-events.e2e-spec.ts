import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { balancesOf, payment as read, PAYMENTS } from '../books/books.js';
import { expectBooksToAgree, good, historyOf } from '../documents/document-calls.js';
import {
  afresh,
  asTold,
  failuresOf,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  refundsOf,
  type RefundService,
  startRefundService,
  tell,
} from './refund-calls.js';
import { stripePayment } from '../gateways/stripe-events.js';

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

const told = async (type: string, object: object) => tell(world, type, object);

async function anUnknownRefund() {
  const { invoice, payment } = await paidByCard(world);
  const before = await stateOf(invoice, payment);
  world.stub.next = ['lost'];
  const { refund: made } = good(await refund(client, payment, { amount: 5000 }), 201);
  const [atStripe] = world.stub.refunds;
  const object = {
    id: atStripe?.id,
    object: 'refund',
    amount: 5000,
    currency: 'eur',
    payment_intent: atStripe?.paymentId,
    metadata: { refund_id: made.id },
    status: 'succeeded',
  };
  return { invoice, payment, before, made, object };
}

/** The state that must be as before, once a refund is undone. */
async function stateOf(invoice: { id: string }, payment: { id: string }) {
  const { amount_due, amount_paid, amount_refunded, status } = await client.read(invoice);
  const holding = await read(client, payment.id);
  const balances = await balancesOf(world.service, client);
  return { amount_due, amount_paid, amount_refunded, status, holding, balances };
}

const ours = { status: 'ok', review: null };
const toReview = { status: 'ignored', review: expect.stringMatching(/money went back/) };

describe('an event about a refund of ours', () => {
  it('settles what was unknown, once', async () => {
    const { invoice, made, object } = await anUnknownRefund();
    const answers = await Promise.all([
      told('refund.created', object),
      told('refund.updated', object),
      told('charge.refund.updated', object),
    ]);
    expect(answers).toEqual([ours, ours, ours]);
    expect(await readRefund(client, made)).toMatchObject({
      status: 'succeeded',
      provider_refund_id: object.id,
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000 });
    await expectBooksToAgree(world.service);
  });

  it('settles one that failed at the bank, and one that waits stays', async () => {
    const { invoice, made, object } = await anUnknownRefund();
    expect(await told('refund.created', { ...object, status: 'pending' })).toEqual(ours);
    expect((await readRefund(client, made)).status).toBe('pending');
    const failed = { ...object, status: 'failed', failure_reason: 'declined' };
    expect(await told('refund.failed', failed)).toEqual(ours);
    const refused = await readRefund(client, made);
    expect(refused).toMatchObject({ status: 'failed', failure: 'declined' });
    // Told twice, said once.
    expect(await failuresOf(world)).toEqual([
      { document_id: null, data: { refund: asTold(refused) } },
    ]);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
    await expectBooksToAgree(world.service);
  });

  it('brings the money back when it fails after it had succeeded, once', async () => {
    const { invoice, payment, before, made, object } = await anUnknownRefund();
    await told('refund.updated', object);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5000 });
    const failed = { ...object, status: 'failed', failure_reason: 'lost_or_stolen_card' };
    const answers = await Promise.all([
      told('refund.failed', failed),
      told('refund.updated', failed),
      told('charge.refund.updated', failed),
    ]);
    expect(answers).toEqual([ours, ours, ours]);
    // Late news of what was: nothing changes any more.
    expect(await told('refund.updated', object)).toEqual(ours);
    const returned = await readRefund(client, made);
    expect(returned).toMatchObject({
      status: 'returned',
      undone_at: expect.any(String),
      undone_reason: 'lost_or_stolen_card',
      settled_at: expect.any(String),
    });
    expect(await stateOf(invoice, payment)).toEqual(before);
    const steps = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(steps.slice(-2)).toEqual(['refund.returned', 'document.paid']);
    await expectBooksToAgree(world.service);
    // The same money may go back once more.
    const again = good(await refund(client, payment), 201);
    expect(again.refund).toMatchObject({ amount: 11_900, status: 'succeeded' });
    await expectBooksToAgree(world.service);
  });

  it.each([
    ['another amount', { amount: 5001 }],
    ['another payment', { payment_intent: 'pi_other' }],
    ['another currency', { currency: 'usd' }],
  ])('is not believed about %s', async (_name, over) => {
    const { made, object } = await anUnknownRefund();
    expect(await told('refund.updated', { ...object, ...over })).toEqual(toReview);
    expect((await readRefund(client, made)).status).toBe('unknown');
  });

  it('sums up to what we gave back, and to no more', async () => {
    const { payment, object } = await anUnknownRefund();
    const charge = { id: 'ch_1', currency: 'eur', payment_intent: object.payment_intent };
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5000 })).toEqual(ours);
    expect(await refundsOf(client, payment)).toHaveLength(1);
    // Of one cent more than is known Stripe is asked, and shows what there is.
    expect(await told('charge.refunded', { ...charge, amount_refunded: 5001 })).toEqual(ours);
    expect(await refundsOf(client, payment)).toMatchObject([{ amount: 5000, status: 'succeeded' }]);
  });
});

/** An event whose balance transaction stands in it. */
async function paidWithFee(link: Parameters<typeof stripePayment>[0]) {
  const { intent } = stripePayment(link, world.service.clock.now());
  const charge = { balance_transaction: { fee: 375, currency: 'eur' } };
  await told('payment_intent.succeeded', { ...intent.data.object, latest_charge: charge });
}

describe('what a provider keeps of a payment', () => {
  it('is booked with it', async () => {
    const invoice = await client.anInvoice();
    await paidWithFee(await client.aPaymentLink(invoice));
    const { fee } = (await paymentOf(client, invoice)) as unknown as { fee: number };
    expect(fee).toBe(375);
    expect(await balancesOf(world.service, client)).toMatchObject({
      gateway_fees: 375,
      gateway_clearing: 11_525,
    });
    await expectBooksToAgree(world.service);
  });

  it('is booked once where the money has no home yet, wherever that goes', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await client.void(invoice);
    await paidWithFee(link);
    expect(await balancesOf(world.service, client)).toMatchObject({ gateway_fees: 375 });
    const receipts = '/v1/finance/unmatched-receipts';
    const list = await client.get<{ data: { id: string; fee: number }[] }>(receipts);
    const [receipt] = list.body.data;
    expect(receipt?.fee).toBe(375);
    const to = { customer_id: invoice.customer_id };
    good(await client.post(`${receipts}/${receipt?.id}/assign`, to), 200);
    expect(await balancesOf(world.service, client)).toMatchObject({ gateway_fees: 375 });
    await expectBooksToAgree(world.service);
    // A wrong home changes nothing of it.
    const { data } = (await client.get<{ data: { id: string }[] }>(PAYMENTS)).body;
    good(await client.post(`${PAYMENTS}/${data[0]?.id}/reverse`), 200);
    expect(await balancesOf(world.service, client)).toMatchObject({ gateway_fees: 375 });
    good(await client.post(`${receipts}/${receipt?.id}/assign`, to), 200);
    expect(await balancesOf(world.service, client)).toMatchObject({ gateway_fees: 375 });
    await expectBooksToAgree(world.service);
  });
});
