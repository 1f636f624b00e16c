import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UnmatchedReceiptBody } from '../../../src/payments/recording/wire/unmatched-receipt.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, payment, type PaymentDetail, PAYMENTS, receipt } from '../books/books.js';
import { creditOf, expectBooksToAgree, good, historyOf } from '../documents/document-calls.js';
import { next } from '../gateways/stripe-events.js';
import { paymentOf, refund } from './refund-calls.js';

let service: TestService;
let client: TestClient;
let customerId: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
  customerId = (await client.aCustomer()).id;
});

const anInvoice = () => client.anInvoice({ customer: undefined, customer_id: customerId });

async function paid(document: { id: string }, over: object = {}): Promise<string> {
  const answer = await client.pay(document, over);
  expect(answer.status).toBe(201);
  return (answer.body as { payment: PaymentDetail }).payment.id;
}

const move = (id: string, body: object) =>
  client.post<PaymentDetail & { code?: string }>(`${PAYMENTS}/${id}/allocations`, body);
const reverse = (id: string, body: object = {}) =>
  client.post<PaymentDetail & { code?: string }>(`${PAYMENTS}/${id}/reverse`, body);

describe('moving a part of a payment', () => {
  it('to another document makes it due there, and here again', async () => {
    const [wrong, right] = [await anInvoice(), await anInvoice()];
    const id = await paid(wrong, { amount: 11_900 });
    const answer = await move(id, { from: wrong.id, to: right.id, amount: 5000 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'recorded',
      applied: 11_900,
      allocations: [
        { document_id: wrong.id, amount: 6900, movable: 6900 },
        { document_id: right.id, amount: 5000, movable: 5000 },
      ],
    });
    expect(answer.body).toEqual(await payment(client, id));
    expect(await client.read(wrong)).toMatchObject({
      status: 'partially_paid',
      amount_paid: 6900,
      amount_due: 5000,
    });
    expect(await client.read(right)).toMatchObject({ amount_paid: 5000, amount_due: 6900 });
    const types = (await historyOf(client, wrong)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['payment.moved', 'document.reopened']);
    await expectBooksToAgree(service);
  });

  it('to the credit and back', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    const id = await paid(first, { amount: 2500 });
    const there = await move(id, { from: first.id, to: 'credit' });
    expect(there.body).toMatchObject({ allocations: [] });
    expect(await creditOf(client, customerId)).toBe(2500);
    expect(await client.read(first)).toMatchObject({ status: 'open', amount_paid: 0 });
    const back = await move(id, { from: 'credit', to: second.id, amount: 2000 });
    expect(back.body.allocations).toEqual([
      { document_id: second.id, amount: 2000, movable: 2000 },
    ]);
    expect(await creditOf(client, customerId)).toBe(500);
    expect(await balancesOf(service, client)).toMatchObject({ cash: 2500, customer_credit: -500 });
    await expectBooksToAgree(service);
  });

  it('without an amount: all that is there, as far as it is due', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    await paid(second, { amount: 10_000 });
    const id = await paid(first, { amount: 2500 });
    const answer = await move(id, { from: first.id, to: second.id });
    expect(answer.body.allocations).toMatchObject([{ amount: 600 }, { amount: 1900 }]);
    expect(await client.read(second)).toMatchObject({ status: 'paid' });
  });

  it('is refused where there is not so much, and nothing changes', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    const stranger = await client.anInvoice();
    const foreign = await (await service.aClient()).anInvoice();
    const id = await paid(first);
    const other = await paid(first, { amount: 100, reference: 'B' });
    const before = await payment(client, id);
    const cases: [object, number, string][] = [
      [{ from: first.id, to: second.id, amount: 2501 }, 422, 'amount_exceeds_allocated'],
      [{ from: first.id, to: 'credit', amount: 2501 }, 422, 'amount_exceeds_allocated'],
      [{ from: 'credit', to: second.id, amount: 1 }, 422, 'amount_exceeds_allocated'],
      [{ from: second.id, to: first.id }, 422, 'amount_exceeds_allocated'],
      [{ from: first.id, to: first.id }, 422, 'same_place'],
      [{ from: 'credit', to: 'credit' }, 422, 'same_place'],
      [{ from: first.id, to: stranger.id }, 422, 'customer_mismatch'],
      [{ from: first.id, to: foreign.id }, 422, 'unknown_document'],
      [{ from: 'nowhere', to: second.id }, 422, 'unknown_document'],
      [{ from: first.id, to: second.id, amount: 0 }, 422, 'amount_out_of_range'],
      [{ from: first.id, to: second.id, amount: 0.5 }, 422, 'amount_not_integer'],
      [{ from: first.id, to: second.id, amount: '5' }, 422, 'amount_not_integer'],
      [{ to: second.id }, 422, 'required'],
    ];
    for (const [body, status, code] of cases) {
      const answer = await move(id, body);
      const { errors } = answer.body as unknown as { errors?: { code: string }[] };
      expect([answer.status, errors?.[0]?.code ?? answer.body.code]).toEqual([status, code]);
    }
    await client.void(second);
    const voided = await move(id, { from: first.id, to: second.id });
    expect(voided.body.code).toBe('document_not_payable');
    expect(await payment(client, id)).toEqual(before);
    const strangers = await service.aClient();
    const path = `${PAYMENTS}/${other}/allocations`;
    expect((await strangers.post(path, { from: first.id, to: 'credit' })).status).toBe(404);
  });

  it('lets two movers have it once', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    const id = await paid(first);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        move(id, { from: first.id, to: index % 2 ? 'credit' : second.id, amount: 2500 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await expectBooksToAgree(service);
  });
});

describe('reversing a payment', () => {
  it('makes all of it due again; the payment and its reversal stay', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    const answer = await receipt(client, {
      amount: 20_000,
      allocations: [{ document_id: first.id }, { document_id: second.id, amount: 100 }],
    });
    const { id } = answer.body.payment;
    const reversed = await reverse(id, { reason: 'Booked twice' });
    expect(reversed.status).toBe(200);
    expect(reversed.body).toMatchObject({
      status: 'reversed',
      amount: 20_000,
      amount_refundable: 0,
      allocations: [],
    });
    expect(reversed.body).toEqual(await payment(client, id));
    expect(await client.read(first)).toMatchObject({ status: 'open', amount_paid: 0 });
    expect(await creditOf(client, customerId)).toBe(0);
    expect(await balancesOf(service, client)).toEqual({
      receivables: 23_800,
      revenue: -20_000,
      tax_payable: -3800,
    });
    expect((await reverse(id)).body.code).toBe('payment_reversed');
    expect((await move(id, { from: 'credit', to: first.id })).body.code).toBe('payment_reversed');
    await expectBooksToAgree(service);
  });

  it('is refused when the credit that it left is spent; reversing the spending gives it back', async () => {
    const [first, second] = [await anInvoice(), await anInvoice()];
    const id = await paid(first, { amount: 15_000, on_overpayment: 'credit' });
    const spending = await paid(second, { amount: 1000, method: 'credit_balance' });
    const refused = await reverse(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'customer_credit_spent']);
    expect((await reverse(spending)).body).toMatchObject({ status: 'reversed' });
    expect(await creditOf(client, customerId)).toBe(3100);
    expect((await reverse(id)).status).toBe(200);
    await expectBooksToAgree(service);
  });

  it('of a payment of what was written off leaves the loss', async () => {
    const invoice = await anInvoice();
    await client.post(`/v1/finance/documents/${invoice.id}/write-off`);
    const id = await paid(invoice, { amount: 5000 });
    expect(await balancesOf(service, client)).toMatchObject({ cash: 5000, bad_debt: 6900 });
    await reverse(id);
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 11_900 });
    expect(await client.read(invoice)).toMatchObject({ status: 'uncollectible' });
    await expectBooksToAgree(service);
  });

  it('happens once, however many ask for it', async () => {
    const invoice = await anInvoice();
    const id = await paid(invoice);
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'payment_reversed')).toHaveLength(9);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 0 });
    await expectBooksToAgree(service);
  });

  it('lets a document be voided again', async () => {
    const invoice = await anInvoice();
    const id = await paid(invoice);
    const path = `/v1/finance/documents/${invoice.id}/void`;
    expect((await client.post(path)).body).toMatchObject({ code: 'document_not_voidable' });
    await reverse(id);
    expect((await client.post(path)).body).toMatchObject({ status: 'void' });
    expect(await balancesOf(service, client)).toEqual({});
    await expectBooksToAgree(service);
  });
});

/** 119.00 less a fee of 2.00 that came through a link, which was made for the wrong invoice. */
async function aWrongPayment() {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
  const provider = `sbx_${next()}`;
  const now = service.clock.now().toISOString();
  const tell = async (kind: string, said: object) => {
    const data = { payment_id: provider, payment_link_id: link.id, ...said };
    const { body, headers } = sandboxDelivery(service, kind, data);
    return service.call('/v1/webhooks/sandbox', { method: 'POST', body, headers });
  };
  const tellPaid = async () =>
    tell('payment.succeeded', { amount: 11_900, currency: 'EUR', fee: 200, paid_at: now });
  const tellTakenBack = async () => tell('payment.reversed', { at: now, reason: 'chargeback' });
  await tellPaid();
  const wrong = await paymentOf(client, invoice);
  return { invoice, link, provider, wrong, tellPaid, tellTakenBack };
}

const RECEIPTS = '/v1/finance/unmatched-receipts';

const open = async () =>
  (await client.get<{ data: UnmatchedReceiptBody[] }>(`${RECEIPTS}?status=open`)).body.data;

const assign = async (receipt: { id: string } | undefined, document: { id: string }) =>
  client.post<{ payment: PaymentDetail & { customer_id: string } }>(
    `${RECEIPTS}/${receipt?.id}/assign`,
    { document_id: document.id },
  );

describe('the payment of a link that was made for the wrong invoice', () => {
  it('is without a home when it is reversed, and pays the right one, also of another customer', async () => {
    const { invoice, link, provider, wrong, tellPaid } = await aWrongPayment();
    const [right, third] = [await client.anInvoice(), await client.anInvoice()];
    const before = await balancesOf(service, client);
    expect(before).toMatchObject({ gateway_clearing: 11_700, gateway_fees: 200 });
    const answers = await Promise.all([reverse(wrong.id), reverse(wrong.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await payment(client, wrong.id)).toMatchObject({ status: 'reversed' });
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    const [receipt] = await open();
    expect(receipt).toMatchObject({
      reason: 'payment_reversed',
      provider_payment_id: provider,
      amount_open: 11_900,
      document_id: invoice.id,
      payment_id: null,
    });
    expect(await balancesOf(service, client)).toMatchObject({
      gateway_clearing: 11_700,
      gateway_fees: 200,
      unmatched_receipts: -11_900,
    });
    await expectBooksToAgree(service);

    // The provider tells it again: it is known. The link stays paid, as its payer has paid by it.
    expect((await tellPaid()).body).toEqual({ status: 'ok' });
    const shown = await client.get(`/v1/finance/payment-links/${link.id}`);
    expect(shown.body).toMatchObject({ status: 'paid' });

    for (const [home, last] of [
      [third, false],
      [right, true],
    ] as const) {
      const assigned = await assign(receipt, home);
      const made = assigned.body.payment;
      expect(made).toMatchObject({ customer_id: home.customer_id, fee: null, applied: 11_900 });
      expect(await client.read(home)).toMatchObject({ status: 'paid' });
      expect(await balancesOf(service, client)).toEqual(before);
      if (!last) expect((await reverse(made.id)).status).toBe(200);
    }
    await expectBooksToAgree(service);
  });

  it('goes back through its gateway', async () => {
    const { wrong } = await aWrongPayment();
    good(await reverse(wrong.id), 200);
    const [receipt] = await open();
    const back = await client.post<Record<string, object>>(
      `${RECEIPTS}/${receipt?.id}/refunds`,
      {},
    );
    expect(back.body['refund']).toMatchObject({ status: 'succeeded', gateway: 'sandbox' });
    expect((await refund(client, wrong)).body).toMatchObject({ code: 'payment_reversed' });
    expect(await balancesOf(service, client)).toMatchObject({ gateway_clearing: -200 });
    await expectBooksToAgree(service);
  });

  it.each([
    ['a receipt', false],
    ['its next payment', true],
  ])('is taken back by its provider as %s', async (_name, isAssigned) => {
    const { invoice, link, wrong, tellTakenBack } = await aWrongPayment();
    const right = await client.anInvoice();
    good(await reverse(wrong.id), 200);
    const [receipt] = await open();
    if (isAssigned) good(await assign(receipt, right), 200);
    expect((await tellTakenBack()).body).toEqual({ status: 'ok' });
    expect(await open()).toEqual([]);
    expect(await client.read(right)).toMatchObject({ amount_due: 11_900 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    expect((await client.get(`/v1/finance/payment-links/${link.id}`)).body).toMatchObject({
      status: 'paid',
    });
    expect(await balancesOf(service, client)).toMatchObject({ gateway_clearing: -200 });
    await expectBooksToAgree(service);
  });

  it('is taken back by its provider, and reversed by a person, at the same time', async () => {
    for (let n = 0; n < 8; n += 1) {
      const { wrong, tellTakenBack } = await aWrongPayment();
      const [told, undone] = await Promise.all([tellTakenBack(), reverse(wrong.id)]);
      expect(told.body).toEqual({ status: 'ok' });
      expect([200, 409]).toContain(undone.status);
      expect(await open()).toEqual([]);
    }
    await expectBooksToAgree(service);
  });

  it('has its fee booked once, whichever of them a payout names', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    await service.deliverPaid(link);
    const wrong = await paymentOf(client, invoice);
    const [row] = await service.database.query<{ id: string }>(
      'SELECT provider_payment_id AS id FROM payments WHERE payment_id = $1',
      [uuidOf('pay', wrong.id)],
    );
    const payout = async (id: string) =>
      client.post('/v1/finance/payouts', {
        gateway: link.gateway,
        provider_payout_id: id,
        amount: 11_700,
        currency: 'EUR',
        sent_on: service.clock.now().toISOString().slice(0, 10),
        lines: [{ kind: 'payment', amount: 11_900, fee: 200, provider_id: row?.id }],
      });
    good(await payout('po_1'), 201);
    good(await reverse(wrong.id), 200);
    expect(good(await payout('po_2'), 201)).toMatchObject({ booked_fee: 0 });
    expect(await balancesOf(service, client)).toMatchObject({ gateway_fees: 200 });
    await expectBooksToAgree(service);
  });

  it('stays if its credit is spent', async () => {
    const invoice = await anInvoice();
    const link = await client.aPaymentLink(invoice);
    await service.deliverPaid(link, 12_900);
    const wrong = await paymentOf(client, invoice);
    const other = await anInvoice();
    const path = `/v1/finance/documents/${other.id}/payments`;
    good(await client.post(path, { amount: 500, method: 'credit_balance' }), 201);
    expect((await reverse(wrong.id)).body.code).toBe('customer_credit_spent');
    expect(await open()).toEqual([]);
    await expectBooksToAgree(service);
  });
});
