import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { balancesOf, PAYMENTS } from '../books/books.js';
import { creditOf, expectBooksToAgree, good, made } from '../documents/document-calls.js';
import {
  afresh,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

// A refund takes from an account of the ledger, and from credit or documents.

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

describe('a refund after a credit note', () => {
  it.each([
    ['by itself', {}],
    ['when asked to', { from: 'credit' }],
  ])('gives back what a credit note made credit of, %s', async (_how, body) => {
    const { invoice, payment } = await paidByCard(world);
    const note = await made(client, invoice, 'credit-notes');
    expect(note.total).toBe(11_900);
    const { refund: done } = good(await refund(client, payment, body), 201);
    expect(done).toMatchObject({ amount: 11_900, from_credit: 11_900, documents: [] });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, status: 'paid' });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    expect((await refund(client, payment)).status).toBe(422);
    await expectBooksToAgree(world.service);
  });

  it('takes a part from the credit of a note, and from the document what no note settled', async () => {
    const { invoice, payment } = await paidByCard(world);
    await made(client, invoice, 'credit-notes', { amount: 1900 });
    const first = good(await refund(client, payment, { amount: 900 }), 201).refund;
    expect(first).toMatchObject({ from_credit: 900, documents: [] });
    const rest = good(await refund(client, payment), 201).refund;
    expect(rest).toMatchObject({
      from_credit: 1000,
      documents: [{ id: invoice.id, amount: 10_000 }],
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 10_000 });
    await expectBooksToAgree(world.service);
  });

  it('opens nothing that a note settled when its credit is spent, unless it is told to', async () => {
    const { invoice, payment } = await paidByCard(world);
    await made(client, invoice, 'credit-notes');
    const other = await client.anInvoice({
      customer: undefined,
      customer_id: invoice.customer_id,
    });
    good(await client.pay(other, { amount: 11_900, method: 'credit_balance' }), 201);
    const refused = await refund(client, payment);
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'amount_exceeds_refundable', amount_refundable: 0 },
    ]);
    const told = good(await refund(client, payment, { from: invoice.id }), 201).refund;
    expect(told.documents).toEqual([{ id: invoice.id, amount: 11_900 }]);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    await expectBooksToAgree(world.service);
  });

  it('of several payments takes the credit of a note once, and other credit never', async () => {
    const invoice = await client.anInvoice();
    for (const amount of [6000, 5900]) await client.pay(invoice, { amount });
    const path = `/v1/finance/documents/${invoice.id}/payments`;
    const [first, second] = (await client.get<{ data: { id: string }[] }>(path)).body.data;
    await made(client, invoice, 'credit-notes', { amount: 6000 });
    const { customer_id } = invoice;
    const over = { amount: 777, currency: 'EUR', method: 'cash', customer_id };
    good(await client.post(PAYMENTS, over), 201);
    const ofFirst = good(await refund(client, first!), 201).refund;
    expect(ofFirst).toMatchObject({ amount: 6000, from_credit: 6000, documents: [] });
    const ofSecond = good(await refund(client, second!), 201).refund;
    expect(ofSecond).toMatchObject({ amount: 5900, from_credit: 0 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 5900 });
    expect(await creditOf(client, customer_id)).toBe(777);
    await expectBooksToAgree(world.service);
  });
});

describe('a refund by hand leaves', () => {
  it.each([
    ['what the provider holds, where it can be made', { method: 'card' }, 'gateway_clearing'],
    ['the till, where it can be nothing else', { method: 'cash' }, 'cash'],
    [
      'the account that is named',
      { method: 'cash', paid_from: 'gateway_clearing' },
      'gateway_clearing',
    ],
    ['our own account, if that is named', { method: 'bank_transfer', paid_from: 'cash' }, 'cash'],
  ])('%s', async (_where, body, account) => {
    const { payment } = await paidByCard(world);
    const { refund: done } = good(await refund(client, payment, body), 201);
    expect(done).toMatchObject({ gateway: null, paid_from: account });
    expect(await readRefund(client, done)).toEqual(done);
    const balances = await balancesOf(world.service, client);
    expect(balances['cash'] ?? 0).toBe(account === 'cash' ? -11_900 : 0);
    expect(balances['gateway_clearing'] ?? 0).toBe(account === 'cash' ? 11_900 : 0);
    await expectBooksToAgree(world.service);
  });

  it('cash, where no provider took the money', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice);
    const payment = await paymentOf(client, invoice);
    const wrong = await refund(client, payment, { paid_from: 'gateway_clearing' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'paid_from_mismatch']);
    expect(good(await refund(client, payment), 201).refund.paid_from).toBe('cash');
    await expectBooksToAgree(world.service);
  });
});
