import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { RefundedBody } from '../../../src/payments/returning/wire/refund.js';
import type { TestClient } from '../../support/client.js';
import { balancesOf, payment as read, PAYMENTS } from '../books/books.js';
import {
  creditOf,
  expectBooksToAgree,
  good,
  historyOf,
  made,
} from '../documents/document-calls.js';
import {
  afresh,
  paidByCard,
  paymentOf,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

// A refund takes from an account of the ledger, and from credit or documents; it gives that back when
// it is reversed.

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
    const documents = [{ id: invoice.id, amount: 11_900 }];
    expect(done).toMatchObject({ amount: 11_900, from_credit: 0, documents });
    expect(await client.read(invoice)).toMatchObject({
      amount_due: 0,
      amount_refunded: 11_900,
      amount_credited: 11_900,
      status: 'paid',
    });
    expect(await client.read(note)).toMatchObject({ amount_applied: 11_900, status: 'applied' });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    expect((await refund(client, payment)).status).toBe(422);
    await expectBooksToAgree(world.service);
  });

  it('takes a part from the credit of a note, and from the document what no note settled', async () => {
    const { invoice, payment } = await paidByCard(world);
    await made(client, invoice, 'credit-notes', { amount: 1900 });
    const first = good(await refund(client, payment, { amount: 900 }), 201).refund;
    expect(first).toMatchObject({
      from_credit: 0,
      documents: [{ id: invoice.id, amount: 900 }],
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_credited: 900 });
    const rest = good(await refund(client, payment), 201).refund;
    expect(rest).toMatchObject({
      from_credit: 0,
      documents: [{ id: invoice.id, amount: 11_000 }],
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
    const documents = [{ id: invoice.id, amount: 6000 }];
    expect(ofFirst).toMatchObject({ amount: 6000, from_credit: 0, documents });
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

/** An invoice of 119.00 that was overpaid by hand, and a refund of all of it. */
async function allBack() {
  const invoice = await client.anInvoice();
  await client.pay(invoice, { amount: 12_500, on_overpayment: 'credit' });
  const payment = await paymentOf(client, invoice);
  const before = await balancesOf(world.service, client);
  const { refund: done } = good(await refund(client, payment), 201);
  expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900, status: 'open' });
  return { invoice, payment, before, done };
}

const reverse = async ({ id }: { id: string }) =>
  client.post<RefundedBody & { code?: string }>(`/v1/finance/refunds/${id}/reverse`, {
    reason: 'Recorded twice',
  });

describe('a refund by hand that was recorded wrongly', () => {
  it('is reversed once: the books are as before, and the money may go back again', async () => {
    const { invoice, payment, before, done } = await allBack();
    const answers = await Promise.all([reverse(done), reverse(done), reverse(done)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter(Boolean)).toEqual(['refund_undone', 'refund_undone']);
    const body = good(
      answers.find(({ status }) => status === 200)!,
      200,
    );
    expect(body.refund).toMatchObject({ status: 'reversed', undone_reason: 'Recorded twice' });
    expect(body.payment).toMatchObject({ status: 'recorded', amount_refundable: 12_500 });
    expect(body.payment).toEqual(await read(client, payment.id));
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, status: 'paid' });
    expect(await balancesOf(world.service, client)).toEqual(before);
    expect(await creditOf(client, invoice.customer_id)).toBe(600);
    await expectBooksToAgree(world.service);
    expect(good(await refund(client, payment), 201).refund.amount).toBe(12_500);
    await expectBooksToAgree(world.service);
  });

  it('lets a shortfall pass again that was let pass before', async () => {
    const tolerance = [{ currency: 'EUR', amount: 100 }];
    await client.patch('/v1/finance/payment-settings', { underpayment_tolerance: tolerance });
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_850 });
    const before = await balancesOf(world.service, client);
    const payment = await paymentOf(client, invoice);
    const { refund: done } = good(await refund(client, payment), 201);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900, amount_waived: 0 });
    good(await reverse(done), 200);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_waived: 50 });
    expect(await balancesOf(world.service, client)).toEqual(before);
    await expectBooksToAgree(world.service);
  });

  it.each([
    ['is paid otherwise', async (invoice: DocumentBody) => client.pay(invoice, { amount: 11_900 })],
    ['is void', async (invoice: DocumentBody) => client.void(invoice)],
  ])('leaves credit where the document %s meanwhile', async (_what, step) => {
    const { invoice, payment, done } = await allBack();
    await step(invoice);
    const { status } = await client.read(invoice);
    const { payment: after } = good(await reverse(done), 200);
    expect(after).toEqual(await read(client, payment.id));
    expect(after).toMatchObject({ amount_refundable: 12_500, allocations: [] });
    expect((await client.read(invoice)).status).toBe(status);
    expect(await creditOf(client, invoice.customer_id)).toBe(12_500);
    const steps = (await historyOf(client, invoice)).map(({ type }) => type);
    expect(steps.slice(-2)).toEqual(['refund.reversed', 'payment.moved']);
    await expectBooksToAgree(world.service);
  });

  it('pays the document again that is credited meanwhile, and the note gives credit', async () => {
    const { invoice, done } = await allBack();
    const note = await made(client, invoice, 'credit-notes', { amount: 11_900 });
    expect(note).toMatchObject({ amount_applied: 11_900, status: 'applied' });
    const { payment: after } = good(await reverse(done), 200);
    expect(after).toMatchObject({
      amount_refundable: 12_500,
      allocations: [{ document_id: invoice.id, amount: 11_900 }],
    });
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      amount_paid: 11_900,
      amount_refunded: 0,
      amount_credited: 0,
    });
    expect(await client.read(note)).toMatchObject({ amount_applied: 0, status: 'open' });
    expect(await creditOf(client, invoice.customer_id)).toBe(12_500);
    await expectBooksToAgree(world.service);
  });

  it('of a receipt opens it again', async () => {
    const voided = await client.anInvoice();
    const link = await client.aPaymentLink(voided, { gateway: 'gateway-a' });
    await client.void(voided);
    await world.service.deliverPaid(link);
    const path = '/v1/finance/unmatched-receipts';
    const [receipt] = (await client.get<{ data: { id: string }[] }>(path)).body.data;
    const sent = await client.post<RefundedBody>(`${path}/${receipt?.id}/refunds`, {
      method: 'card',
    });
    const { refund: done } = good(sent, 201);
    const undone = good(await reverse(done), 200);
    expect(undone.receipt).toMatchObject({ status: 'open', amount_open: 11_900 });
    expect(await balancesOf(world.service, client)).toEqual({
      gateway_clearing: 11_900,
      unmatched_receipts: -11_900,
    });
    await expectBooksToAgree(world.service);
  });

  it('is one by hand: what a gateway makes is not ours to undo', async () => {
    const { payment } = await paidByCard(world);
    world.stub.next = ['lost'];
    const { refund: pending } = good(await refund(client, payment, { amount: 900 }), 201);
    const { refund: done } = good(await refund(client, payment, { amount: 900 }), 201);
    for (const one of [pending, done]) {
      const refused = await reverse(one);
      expect([refused.status, refused.body.code]).toEqual([409, 'refund_not_reversible']);
    }
    expect((await reverse({ id: 'rfnd_x' })).status).toBe(404);
    await expectBooksToAgree(world.service);
  });
});
