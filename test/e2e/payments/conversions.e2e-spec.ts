import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { imported, tellOf } from '../bank/bank-calls.js';
import { balancesOf, PAYMENTS, receipt } from '../books/books.js';
import { creditOf, good } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// An invoice that is paid in another currency than its own. Each currency balances by itself; the
// worth of the money and what was due differ by a gain or a loss.

interface Received {
  amount: number;
  currency: string;
  exchange_rate: string;
  rate_from: string;
  rate_source: string | null;
  rate_date: string | null;
  worth: number;
  exchange_gain: number;
}
interface Recorded {
  amount_due: number;
  status: string;
  payment: { id: string; amount: number; currency: string; received: Received | null };
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.set('2026-11-22T12:00:00Z');
  client = await service.aClient();
});

const USD = { amount: 12_500, currency: 'USD' };
const balances = async (currency: string) => balancesOf(service, client, currency);
/** An invoice of 119.00 that is paid in full with 125.00 USD. */
async function paid(received: object = { ...USD, exchange_rate: '0.96' }, over: object = {}) {
  const invoice = await client.anInvoice();
  const answer = await client.pay(invoice, { amount: 11_900, received, ...over });
  return { invoice, answer, ...(good(answer, 201) as unknown as Recorded) };
}
const refused = async (received: object, over: object = {}): Promise<Answer> =>
  client.pay(await client.anInvoice(), { amount: 11_900, received, ...over });
const refund = async ({ id }: { id: string }, body: object) =>
  client.post<{ refund: { id: string; paid_out: Received | null } }>(`${PAYMENTS}/${id}/refunds`, {
    method: 'bank_transfer',
    ...body,
  });
const deliver = async (kind: string, data: object) => {
  const delivery = sandboxDelivery(service, kind, data);
  return service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
};
async function agree(): Promise<void> {
  const account = uuidOf('acc', client.accountId);
  const { differences } = await service.app.get(IntegrityQuery).differences(account);
  expect(differences).toEqual([]);
}

describe('a payment in another currency', () => {
  it('settles its document, and books a gain at the rate that was sent', async () => {
    const { status, amount_due, payment } = await paid({
      ...USD,
      exchange_rate: '0.96',
      rate_source: 'Commerzbank',
    });
    expect([status, amount_due]).toEqual(['paid', 0]);
    const received = {
      ...USD,
      exchange_rate: '0.96',
      rate_from: 'stated',
      rate_source: 'Commerzbank',
      rate_date: null,
      worth: 12_000,
      exchange_gain: 100,
    };
    expect(payment).toMatchObject({ amount: 11_900, currency: 'EUR', received });
    expect(good(await client.get(`${PAYMENTS}/${payment.id}`), 200)).toMatchObject({ received });
    expect(await balances('USD')).toEqual({ cash: 12_500, currency_exchange: -12_500 });
    expect(await balances('EUR')).toEqual({
      currency_exchange: 12_000,
      exchange_gains: -100,
      revenue: -10_000,
      tax_payable: -1900,
    });
    await agree();
  });

  it('books a loss at the rate of the table for the day on which it was paid', async () => {
    await client.putRates([
      { base: 'EUR', quote: 'USD', rate: '1.0625', day: '2026-11-18' },
      { base: 'EUR', quote: 'USD', rate: '1.25', day: '2026-11-20' },
    ]);
    const { payment } = await paid(USD, { paid_at: '2026-11-19T23:30:00Z' });
    expect(payment.received).toMatchObject({
      rate_from: 'table',
      rate_source: 'ECB',
      rate_date: '2026-11-18',
      worth: 11_765,
      exchange_gain: -135,
    });
    const { payment: later } = await paid(USD);
    expect(later.received).toMatchObject({ rate_date: '2026-11-20', worth: 10_000 });
    await client.putRates([{ base: 'EUR', quote: 'USD', rate: '9', day: '2026-11-20' }]);
    expect(good(await client.get(`${PAYMENTS}/${later.id}`), 200)).toEqual(
      expect.objectContaining({ received: later.received }),
    );
    const { exchange_losses: losses } = await balances('EUR');
    expect(losses).toBe(135 + 1900);
    await agree();
  });

  it('counts in currencies with no digits and with three', async () => {
    const yen = { amount: 20_000, currency: 'JPY', exchange_rate: '0.00595' };
    expect((await paid(yen)).payment.received).toMatchObject({ worth: 11_900, exchange_gain: 0 });
    const invoice = await client.anInvoice({ currency: 'KWD', unitAmount: 100_000 });
    const euros = { amount: 35_700, currency: 'EUR', exchange_rate: '0.3333333' };
    const { body } = await client.pay(invoice, { amount: 119_000, received: euros });
    expect(body).toMatchObject({ status: 'paid', payment: { received: { worth: 119_000 } } });
    await agree();
  });

  it('pays several documents, and what is left is credit in their currency', async () => {
    const customer = await client.aCustomer();
    const of = { customer: undefined, customer_id: customer.id };
    const [one, other] = [await client.anInvoice(of), await client.anInvoice(of)];
    const answer = await receipt(client, {
      amount: 25_000,
      received: { amount: 27_000, currency: 'CHF', exchange_rate: '0.93' },
      allocations: [{ document_id: one.id }, { document_id: other.id }],
    });
    expect(good(answer, 201)).toMatchObject({ credited: 1200 });
    expect(await creditOf(client, customer.id)).toBe(1200);
    const move = { from: one.id, to: 'credit', amount: 900 };
    const { id } = answer.body.payment;
    expect((await client.post(`${PAYMENTS}/${id}/allocations`, move)).status).toBe(200);
    expect(await balances('CHF')).toEqual({ cash: 27_000, currency_exchange: -27_000 });
    expect(await balances('EUR')).toMatchObject({
      customer_credit: -2100,
      currency_exchange: 25_110,
      exchange_gains: -110,
    });
    await agree();
  });

  it('is taken out of the books in both currencies, whatever the rates are then', async () => {
    const { invoice, payment } = await paid();
    await client.putRates([{ base: 'USD', quote: 'EUR', rate: '2', day: '2026-11-22' }]);
    good(await client.post(`${PAYMENTS}/${payment.id}/reverse`), 200);
    expect(await balances('USD')).toEqual({});
    expect(await balances('EUR')).toEqual({
      receivables: 11_900,
      revenue: -10_000,
      tax_payable: -1900,
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    await agree();
  });
});

describe('a refund of it', () => {
  const LEFT = { amount: 5000, currency: 'USD', exchange_rate: '0.95' };

  it('leaves in the currency in which it came, for its worth on that day', async () => {
    const { invoice, payment } = await paid();
    const { refund: one } = good(await refund(payment, { amount: 4700, paid_out: LEFT }), 201);
    expect(one.paid_out).toMatchObject({ ...LEFT, worth: 4750, exchange_gain: -50 });
    expect(await balances('USD')).toEqual({ cash: 7500, currency_exchange: -7500 });
    expect(await balances('EUR')).toMatchObject({
      receivables: 4700,
      currency_exchange: 12_000 - 4750,
      exchange_gains: -100,
      exchange_losses: 50,
    });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 4700 });
    const shown = good(await client.get(`/v1/finance/refunds/${one.id}`), 200);
    expect(shown).toMatchObject({ paid_out: one.paid_out });
    await agree();
    good(await client.post(`/v1/finance/refunds/${one.id}/reverse`), 200);
    expect(await balances('USD')).toMatchObject({ cash: 12_500 });
    expect(await balances('EUR')).toMatchObject({
      currency_exchange: 12_000,
      exchange_gains: -100,
    });
    await agree();
  });

  it('may leave in the currency of the document, and that of a plain payment in another', async () => {
    const { payment } = await paid();
    good(await refund(payment, { amount: 1900 }), 201);
    expect(await balances('EUR')).toMatchObject({ cash: -1900, currency_exchange: 12_000 });
    const plain = await client.pay(await client.anInvoice());
    await client.putRates([{ base: 'USD', quote: 'EUR', rate: '0.9', day: '2026-11-22' }]);
    const of = (plain.body as unknown as Recorded).payment;
    const paid_out = { amount: 1000, currency: 'USD' };
    const answer = good(await refund(of, { amount: 1000, paid_out }), 201);
    expect(answer.refund.paid_out).toMatchObject({ rate_from: 'table', exchange_gain: 100 });
    await agree();
  });

  it('is refused without a rate, in its own currency, and beyond what is left', async () => {
    const { payment } = await paid();
    const paid_out = { amount: 5000, currency: 'GBP' };
    const without = await refund(payment, { amount: 100, paid_out });
    expectProblem(without, 422, 'exchange_rate_required');
    const same = await refund(payment, { paid_out: { ...LEFT, currency: 'EUR' } });
    expectProblem(same, 422, 'same_currency');
    const beyond = await refund(payment, { amount: 11_901, paid_out: LEFT });
    expectProblem(beyond, 422, 'amount_exceeds_refundable');
  });
});

describe('money of a provider in another currency', () => {
  const RECEIPTS = '/v1/finance/unmatched-receipts';
  const FEE = 230;
  /** 125.00 USD that came by the link of an invoice over 119.00 EUR. */
  async function aReceipt() {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const payment_id = randomUUID();
    await deliver('payment.succeeded', {
      payment_id,
      payment_link_id: link.id,
      ...USD,
      fee: FEE,
      paid_at: service.clock.now().toISOString(),
    });
    const { data } = good(await client.get<{ data: { id: string }[] }>(RECEIPTS), 200);
    return { invoice, payment_id, receipt: data[0]! };
  }
  const assign = async (receipt: { id: string }, invoice: { id: string }, counts_as?: object) =>
    client.post<{ payment: Recorded['payment'] }>(`${RECEIPTS}/${receipt.id}/assign`, {
      document_id: invoice.id,
      counts_as,
    });
  const AS = { amount: 11_900, currency: 'EUR', exchange_rate: '0.96' };

  it('is assigned for what it counts for, and assigned again after a mistake', async () => {
    const { invoice, receipt: one } = await aReceipt();
    expectProblem(await assign(one, invoice), 422, 'currency_mismatch');
    const { exchange_rate: _, ...unrated } = AS;
    expectProblem(await assign(one, invoice, unrated), 422, 'exchange_rate_required');
    const before = await balances('USD');
    const { payment } = good(await assign(one, invoice, AS), 200);
    expect(payment.received).toMatchObject({ ...USD, worth: 12_000, exchange_gain: 100 });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect(await balances('USD')).toEqual({
      currency_exchange: -12_500,
      gateway_clearing: 12_500 - FEE,
      gateway_fees: FEE,
    });
    await agree();
    good(await client.post(`${PAYMENTS}/${payment.id}/reverse`), 200);
    expect(await balances('USD')).toEqual(before);
    good(await assign(one, await client.anInvoice(), AS), 200);
    await agree();
  });

  it('goes back in what the provider holds, and its chargeback is for a person', async () => {
    const { invoice, receipt: one, payment_id } = await aReceipt();
    const { payment } = good(await assign(one, invoice, AS), 200);
    const byGateway = await refund(payment, { amount: 100, method: 'gateway' });
    expectProblem(byGateway, 409, 'payment_not_refundable');
    const byHand = { amount: 1900, method: 'other' };
    expectProblem(await refund(payment, byHand), 422, 'currency_mismatch');
    const paid_out = { amount: 2000, currency: 'USD', exchange_rate: '0.95' };
    good(await refund(payment, { ...byHand, paid_out }), 201);
    expect(await balances('USD')).toMatchObject({ gateway_clearing: 10_500 - FEE });
    const back = { payment_id, sandbox_refund_id: randomUUID(), amount: 500, currency: 'USD' };
    await deliver('refund.succeeded', back);
    expect(await balances('USD')).toMatchObject({ gateway_clearing: 10_500 - FEE });
    // The provider holds none of it in the currency of the document, whatever it says.
    const before = await balances('EUR');
    const inEuros = { ...back, sandbox_refund_id: randomUUID(), currency: 'EUR' };
    await deliver('refund.succeeded', inEuros);
    expect(await balances('EUR')).toEqual(before);
    const at = service.clock.now().toISOString();
    expect((await deliver('payment.reversed', { payment_id, at })).body).toEqual({
      status: 'ignored',
    });
    const items = await client.get<{ data: object[] }>('/v1/finance/unmatched-items');
    const item = { direction: 'out', provider_payment_id: payment_id };
    expect(items.body.data).toMatchObject([item, item, item]);
    const dispute = { payment_id, dispute_id: randomUUID(), ...USD, at };
    expect((await deliver('dispute.opened', dispute)).body).toEqual({ status: 'ignored' });
    await agree();
  });
});

describe('an entry of a bank in another currency', () => {
  it('proposes the invoice that it names, and is booked for what it counts for', async () => {
    const invoice = await client.anInvoice();
    await client.anInvoice({ customer: { name: 'Initech', country: 'US' } });
    const wish = { amount: '125.00', currency: 'USD', name: 'Initech', on: '2026-11-20' };
    const [entry] = await imported(client, { ...wish, text: `Invoice ${invoice.number}` });
    expect(entry).toMatchObject({ status: 'proposed', proposals: [{ document_id: invoice.id }] });
    const tell = tellOf(() => client);
    const document_id = invoice.id;
    expectProblem(await tell(entry?.id, 'confirm', { document_id }), 422, 'currency_mismatch');
    const counts_as = { amount: 11_900, currency: 'EUR', exchange_rate: '0.94' };
    good(await tell(entry?.id, 'confirm', { document_id, counts_as }), 200);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect(await balances('USD')).toEqual({ cash: 12_500, currency_exchange: -12_500 });
    expect(await balances('EUR')).toMatchObject({
      currency_exchange: 11_750,
      exchange_losses: 150,
    });
    await agree();
    good(await tell(entry?.id, 'unbook'), 200);
    expect(await balances('USD')).toEqual({});
    await agree();
  });

  it('is the payment that a person recorded in that currency, or takes it back', async () => {
    const { invoice, payment } = await paid(undefined, { paid_at: '2026-11-19T12:00:00Z' });
    const wish = { amount: '125.00', currency: 'USD', text: `${invoice.number}`, on: '2026-11-20' };
    const [came, left] = await imported(client, wish, {
      ...wish,
      amount: '128.00',
      direction: 'debit',
      isReversal: true,
    });
    expect(came).toMatchObject({ payments: [{ payment_id: payment.id, relation: 'same' }] });
    const tell = tellOf(() => client);
    good(await tell(came?.id, 'confirm', { payment_id: payment.id }), 200);
    good(await tell(left?.id, 'confirm', { payment_id: payment.id }), 200);
    expect(await balances('USD')).toEqual({ cash: -300, bank_fees: 300 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    await agree();
  });
});

describe('money in another currency is refused', () => {
  it('without a rate that holds on its day', async () => {
    expectProblem(await refused(USD), 422, 'exchange_rate_required');
    await client.putRates([{ base: 'EUR', quote: 'USD', rate: '1.1', day: '2026-11-15' }]);
    const { body } = await refused(USD);
    expect(body).toMatchObject({ code: 'exchange_rate_required', from: 'USD', into: 'EUR' });
    await client.putRates([{ base: 'EUR', quote: 'USD', rate: '1.1', day: '2026-11-16' }]);
    expect((await refused(USD)).status).toBe(201);
  });

  it.each([
    ['same_currency', { ...USD, currency: 'EUR', exchange_rate: '1' }, {}],
    ['worth_out_of_range', { ...USD, exchange_rate: '0.00000001' }, {}],
    ['worth_out_of_range', { ...USD, exchange_rate: '999999999999' }, {}],
    ['conversion_not_possible', { ...USD, exchange_rate: '1' }, { method: 'credit_balance' }],
    ['required', { ...USD, rate_source: 'ECB' }, {}],
    ['required', USD, { amount: undefined }],
  ])('with %s', async (code, received, over) => {
    expectProblem(await refused(received, over), 422, code);
  });

  it('with all that is wrong in it', async () => {
    const wrong = { amount: 1.5, currency: 'XXX', exchange_rate: '-1', more: 1 };
    const problem = expectProblem(await refused(wrong), 422, 'validation_failed');
    expect(pointersOf(problem)).toEqual([
      '/received/amount',
      '/received/currency',
      '/received/exchange_rate',
      '/received/more',
    ]);
  });
});
