import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { balancesOf, PAYMENTS, receipt } from '../books/books.js';
import { creditOf, good } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// An invoice that is paid in another currency than its own. Each currency balances by itself; the
// worth of the money and what was due differ by a gain or a loss.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

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
