import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import type { Behaviour } from '../../support/provider-stub.js';
import { balancesOf, payment as read, PAYMENTS, receipt } from '../books/books.js';
import { creditOf, expectBooksToAgree, good, historyOf } from '../documents/document-calls.js';
import {
  afresh,
  asTold,
  failuresOf,
  lookUpAll,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

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

describe('a refund through the gateway', () => {
  it('gives a part back: the document is due again, and the ledger knows', async () => {
    const { invoice, payment } = await paidByCard(world);
    const { refund: made, payment: seen } = good(
      await refund(client, payment, { amount: 2500, reason: 'Returned goods', reference: 'R-1' }),
      201,
    );
    expect(made).toMatchObject({
      id: expect.stringMatching(/^rfnd_/),
      payment_id: payment.id,
      amount: 2500,
      from_credit: 0,
      documents: [{ id: invoice.id, amount: 2500 }],
      method: 'card',
      gateway: 'gateway-a',
      status: 'succeeded',
      provider_refund_id: 're_1',
      failure: null,
      reason: 'Returned goods',
      reference: 'R-1',
    });
    expect(seen).toMatchObject({
      status: 'partially_refunded',
      amount_refunded: 2500,
      amount_refundable: 9400,
    });
    expect(await read(client, payment.id)).toEqual(seen);
    expect(await readRefund(client, made)).toEqual(made);
    expect(await client.read(invoice)).toMatchObject({
      amount_due: 2500,
      amount_paid: 11_900,
      status: 'partially_paid',
    });
    const events = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(events.slice(-2)).toEqual(['payment.refunded', 'document.reopened']);
    expect(await balancesOf(world.service, client)).toMatchObject({
      gateway_clearing: 9400,
      receivables: 2500,
    });
    await expectBooksToAgree(world.service);
  });

  it('gives all of it back when no amount is asked for, and then nothing more', async () => {
    const { invoice, payment } = await paidByCard(world);
    const { refund: made, payment: seen } = good(await refund(client, payment), 201);
    expect([made.amount, seen.status]).toEqual([11_900, 'refunded']);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900, status: 'open' });
    const again = await refund(client, payment);
    expect([again.status, again.body]).toMatchObject([
      422,
      { code: 'amount_exceeds_refundable', amount_refundable: 0 },
    ]);
    const list = await client.get<{ data: object[] }>(`${PAYMENTS}/${payment.id}/refunds`);
    expect(list.body.data).toEqual([made]);
    await expectBooksToAgree(world.service);
  });

  it('that is refused changes nothing but says why', async () => {
    const { invoice, payment } = await paidByCard(world, 15_000);
    const before = await balancesOf(world.service, client);
    world.stub.next = ['refused'];
    const { refund: made, payment: seen } = good(await refund(client, payment), 201);
    expect(made).toMatchObject({ status: 'failed', failure: 'charge_already_refunded' });
    expect(seen).toEqual(await read(client, payment.id));
    expect(seen).toMatchObject({ status: 'recorded', amount_refunded: 0 });
    expect(await balancesOf(world.service, client)).toEqual(before);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, status: 'paid' });
    expect(await creditOf(client, invoice.customer_id)).toBe(3100);
    expect(await failuresOf(world)).toEqual([
      { document_id: null, data: { refund: asTold(made) } },
    ]);
    await expectBooksToAgree(world.service);
    expect(good(await refund(client, payment), 201).refund.status).toBe('succeeded');
    expect(await failuresOf(world)).toHaveLength(1);
    await expectBooksToAgree(world.service);
  });

  it('takes the rest first that no document took, then the documents', async () => {
    const { invoice, payment } = await paidByCard(world, 15_000);
    const { refund: made } = good(await refund(client, payment, { amount: 4000 }), 201);
    expect(made).toMatchObject({
      from_credit: 3100,
      documents: [{ id: invoice.id, amount: 900 }],
    });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    await expectBooksToAgree(world.service);
  });

  it('takes no credit that was spent meanwhile', async () => {
    const { invoice, payment } = await paidByCard(world, 15_000);
    const other = await client.anInvoice({
      customer: undefined,
      customer_id: invoice.customer_id,
    });
    good(await client.pay(other, { amount: 3000, method: 'credit_balance' }), 201);
    const credit = await refund(client, payment, { from: 'credit' });
    expect(credit.body.refund).toMatchObject({ amount: 100, from_credit: 100 });
    const all = good(await refund(client, payment), 201);
    expect(all.refund).toMatchObject({ amount: 11_900, from_credit: 0 });
    expect(all.payment).toMatchObject({ amount_refundable: 3000 });
    const spent = (await paymentOf(client, other)).id;
    expect((await refund(client, { id: spent })).body.code).toBe('payment_not_refundable');
    await expectBooksToAgree(world.service);
  });

  it('takes from the document that is named, and of several the newest allocation', async () => {
    const first = await client.anInvoice();
    const { customer_id } = first;
    const second = await client.anInvoice({ customer: undefined, customer_id });
    const taken = good(
      await receipt(client, {
        amount: 20_000,
        allocations: [
          { document_id: second.id, amount: 10_000 },
          { document_id: first.id, amount: 10_000 },
        ],
      }),
      201,
    );
    const move = { from: first.id, to: second.id, amount: 1000 };
    good(await client.post(`${PAYMENTS}/${taken.payment.id}/allocations`, move), 200);
    const named = good(
      await refund(client, taken.payment, { from: first.id, amount: 500, method: 'cash' }),
      201,
    );
    expect(named.refund).toMatchObject({
      gateway: null,
      method: 'cash',
      status: 'succeeded',
      documents: [{ id: first.id, amount: 500 }],
    });
    const newest = good(await refund(client, taken.payment, { amount: 11_500 }), 201);
    expect(newest.refund.method).toBe('bank_transfer');
    expect(new Set(newest.refund.documents)).toEqual(
      new Set([
        { id: second.id, amount: 11_000 },
        { id: first.id, amount: 500 },
      ]),
    );
    await expectBooksToAgree(world.service);
  });
});

describe('a provider that does not answer', () => {
  it.each<[Behaviour, string]>([
    ['lost', 'succeeded'],
    ['garbled', 'succeeded'],
    ['broken', 'succeeded'],
    ['failing', 'succeeded'],
    ['busy', 'succeeded'],
  ])('(%s) leaves the refund unknown until it is looked up', async (behaviour, status) => {
    const { invoice, payment } = await paidByCard(world, 15_000);
    const before = await balancesOf(world.service, client);
    world.stub.next = [behaviour];
    const unknown = good(await refund(client, payment, { amount: 5000 }), 201);
    expect(unknown.refund).toMatchObject({ status: 'unknown', settled_at: null });
    // Set aside, and not in the books.
    expect(unknown.payment).toMatchObject({ amount_refunded: 5000, amount_refundable: 10_000 });
    expect(await balancesOf(world.service, client)).toEqual(before);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0 });
    await expectBooksToAgree(world.service);
    const spend = await client.anInvoice({
      customer: undefined,
      customer_id: invoice.customer_id,
    });
    const spent = await client.pay(spend, { amount: 100, method: 'credit_balance' });
    expect(spent.body['code']).toBe('insufficient_credit');
    const move = { from: invoice.id, to: 'credit', amount: 10_001 };
    const moved = await client.post(`${PAYMENTS}/${payment.id}/allocations`, move);
    expect(moved.body['code']).toBe('amount_exceeds_allocated');

    expect(await lookUpAll(world)).toBe(1);
    expect((await readRefund(client, unknown.refund)).status).toBe(status);
    expect(world.stub.refunds).toHaveLength(1);
    expect(await lookUpAll(world)).toBe(0);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 1900 });
    await expectBooksToAgree(world.service);
  });

  it('is asked again, later and later, as long as it does not tell', async () => {
    const { payment } = await paidByCard(world);
    world.stub.next = ['lost'];
    const { refund: one } = good(await refund(client, payment), 201);
    world.stub.nextLookUps = [500, 503];
    expect(await lookUpAll(world)).toBe(1);
    expect((await readRefund(client, one)).status).toBe('unknown');
    const now = await client.post<{ refund: { status: string } }>(
      `/v1/finance/refunds/${one.id}/look-up`,
    );
    expect(now.body.refund.status).toBe('unknown');
    expect(await lookUpAll(world)).toBe(1);
    expect((await readRefund(client, one)).status).toBe('succeeded');
    await expectBooksToAgree(world.service);
  });

  it('may have refused: then everything is as before', async () => {
    const { payment } = await paidByCard(world, 15_000);
    world.stub.next = ['broken', 'refused'];
    const { refund: one } = good(await refund(client, payment), 201);
    await lookUpAll(world);
    expect(await readRefund(client, one)).toMatchObject({ status: 'failed' });
    expect(await read(client, payment.id)).toMatchObject({ amount_refundable: 15_000 });
    await expectBooksToAgree(world.service);
  });

  it('may take days: a pending refund is looked up, too, and may yet fail', async () => {
    const { payment } = await paidByCard(world);
    world.stub.next = ['pending'];
    const { refund: one } = good(await refund(client, payment), 201);
    expect(one).toMatchObject({ status: 'pending', provider_refund_id: 're_1' });
    world.stub.nextLookUps = [500];
    await lookUpAll(world);
    expect((await readRefund(client, one)).status).toBe('pending');
    for (const each of world.stub.refunds) each.status = 'failed';
    const asked = await client.post<{ refund: object }>(`/v1/finance/refunds/${one.id}/look-up`);
    expect(asked.body.refund).toMatchObject({ status: 'failed', failure: 'failed' });
    await expectBooksToAgree(world.service);
  });
});

describe('bad input', () => {
  it.each([
    [{ amount: 0 }, 'amount_out_of_range'],
    [{ amount: -1 }, 'amount_out_of_range'],
    [{ amount: 1.5 }, 'amount_not_integer'],
    [{ amount: '100' }, 'amount_not_integer'],
    [{ amount: 11_901 }, 'amount_exceeds_refundable'],
    [{ amount: 100, currency: 'USD' }, 'currency_mismatch'],
    [{ method: 'credit_balance' }, 'unknown_method'],
    [{ method: 'pigeon' }, 'unknown_method'],
    [{ from: 'doc_x' }, 'unknown_document'],
    [{ from: 'doc_01h455vb4pex5vsknk084sn02q' }, 'amount_exceeds_refundable'],
    [{ from: 'credit' }, 'amount_exceeds_refundable'],
    [{ paid_from: 'cash' }, 'paid_from_mismatch'],
    [{ method: 'cash', paid_from: 'bad_debt' }, 'not_in_list'],
    [{ nonsense: 1 }, 'unknown_field'],
  ])('%j is refused with %s, and nobody is asked', async (body, code) => {
    const { payment } = await paidByCard(world);
    const answer = await refund(client, payment, body);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect(world.stub.refunds).toEqual([]);
    expect(await read(client, payment.id)).toMatchObject({ amount_refunded: 0 });
  });

  it('a payment of another account, of credit, reversed, or of no gateway', async () => {
    const stranger = await world.service.aClient();
    const { payment } = await paidByCard(world);
    expect((await refund(stranger, payment)).status).toBe(404);
    expect((await refund(client, { id: 'pay_x' })).status).toBe(404);
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    const byHand = await paymentOf(client, invoice);
    const asked = await refund(client, byHand, { method: 'gateway' });
    expect([asked.status, asked.body.code]).toEqual([409, 'payment_not_refundable']);
    good(await client.post(`${PAYMENTS}/${byHand.id}/reverse`), 200);
    const reversed = await refund(client, byHand);
    expect([reversed.status, reversed.body.code]).toEqual([409, 'payment_reversed']);
  });

  it('a gateway without a key gives nothing back, but a person may', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-b' });
    await world.service.deliverPaid(link);
    const payment = await paymentOf(client, invoice);
    expect((await refund(client, payment)).body.code).toBe('payment_not_refundable');
    const { refund: byHand } = good(
      await refund(client, payment, { method: 'bank_transfer', amount: 900 }),
      201,
    );
    expect(byHand).toMatchObject({ method: 'bank_transfer', gateway: null, status: 'succeeded' });
    const balances = await balancesOf(world.service, client);
    expect(balances).toMatchObject({ gateway_clearing: 11_000 });
    expect(balances).not.toHaveProperty('cash');
    await expectBooksToAgree(world.service);
  });
});

it('the sandbox refunds, too', async () => {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  await world.service.deliverPaid(link);
  const { refund: done } = good(await refund(client, await paymentOf(client, invoice)), 201);
  expect(done).toMatchObject({ status: 'succeeded', provider_refund_id: `sbx_${done.id}` });
});
