import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/http/document-body.dto.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree, good, historyOf, made, pathOf } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { balancesOf } from './books.js';

// The tax of what clients do not pay.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  try {
    await expectBooksToAgree(service);
  } finally {
    await service.close();
  }
});
beforeEach(async () => {
  client = await service.aClient();
});

const step = async (of: { id: string }, name: string, body: object = {}) =>
  good(await client.post<DocumentBody>(pathOf(of, name), body), 200);

/** 200.00 with tax: 119.00 at 19 %, 53.50 at 7 %, and 27.50 that the buyer is taxed for. */
const THREE_TAXES = {
  lines: [
    { description: 'A', unit_amount: 10_000, tax_rate: '19' },
    { description: 'B', unit_amount: 5000, tax_rate: '7' },
    { description: 'C', unit_amount: 2750, tax_category: 'AE' },
  ],
};

const share = (tax_category: string, tax_rate: string, taxable_amount: number, tax: number) => ({
  tax_category,
  tax_rate,
  taxable_amount,
  tax_amount: tax,
});

describe('what is lost of an invoice', () => {
  it('tells its tax by rate, in proportion to what was paid', async () => {
    const invoice = await client.anInvoice(THREE_TAXES);
    expect(invoice.loss).toBeNull();
    await client.pay(invoice, { amount: 15_000 });
    const loss = {
      amount: 5000,
      tax_relief: false,
      taxes: [share('S', '19', 2500, 475), share('S', '7', 1250, 88), share('AE', '0', 687, 0)],
      untaxed_amount: 0,
    };
    expect((await step(invoice, 'write-off')).loss).toEqual(loss);
    expect((await client.read(invoice)).loss).toEqual(loss);
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 5000, tax_payable: -2250 });
  });

  it('has only the taxes that credit notes left', async () => {
    const invoice = await client.anInvoice(THREE_TAXES);
    await made(client, invoice, 'credit-notes', { lines: [{ position: 1 }] });
    expect((await step(invoice, 'write-off')).loss).toMatchObject({
      amount: 8100,
      taxes: [share('S', '19', 0, 0), share('S', '7', 5000, 350), share('AE', '0', 2750, 0)],
    });
  });

  it('has its part of the cash rounding', async () => {
    const invoice = await client.anInvoice({ unitAmount: 9910, cash_rounding: 5 });
    expect(invoice.rounding_amount).toBe(2);
    expect((await step(invoice, 'write-off')).loss).toMatchObject({
      amount: 11_795,
      taxes: [share('S', '19', 9910, 1883)],
      untaxed_amount: 2,
    });
  });
});

describe('the tax of a loss', () => {
  const relieved = { tax_relief: true };

  it('is owed no more once it is claimed, and owed again as money comes', async () => {
    const invoice = await client.anInvoice(THREE_TAXES);
    await client.pay(invoice, { amount: 15_000 });
    const off = await step(invoice, 'write-off', relieved);
    expect(off.loss).toMatchObject({ amount: 5000, tax_relief: true });
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 4437, tax_payable: -1687 });
    await client.pay(invoice, { amount: 1000 });
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 3550, tax_payable: -1800 });
    await client.pay(invoice, { amount: 4000 });
    const { bad_debt, tax_payable } = await balancesOf(service, client);
    expect([bad_debt, tax_payable]).toEqual([undefined, -2250]);
    expect((await client.read(invoice)).loss).toBeNull();
  });

  it('is claimed again when the money goes', async () => {
    const invoice = await client.anInvoice();
    await step(invoice, 'write-off', relieved);
    const paid = (await client.pay(invoice, { amount: 5950 })).body as { payment: { id: string } };
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 5000, tax_payable: -950 });
    const path = `/v1/finance/payments/${paid.payment.id}`;
    good(await client.post(`${path}/refunds`, { amount: 2975, method: 'cash' }), 201);
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 7500, tax_payable: -475 });
    const other = (await client.pay(invoice, { amount: 1190 })).body as { payment: { id: string } };
    good(await client.post(`/v1/finance/payments/${other.payment.id}/reverse`), 200);
    expect(await balancesOf(service, client)).toMatchObject({ bad_debt: 7500, tax_payable: -475 });
  });

  it('is owed again when the write-off is taken back, or the invoice is void', async () => {
    const [one, other] = [await client.anInvoice(), await client.anInvoice()];
    for (const invoice of [one, other]) await step(invoice, 'write-off', relieved);
    expect(await balancesOf(service, client)).toEqual({ bad_debt: 20_000, revenue: -20_000 });
    await step(one, 'write-off/reverse');
    expect((await client.void(other)).status).toBe('void');
    expect(await balancesOf(service, client)).toEqual({
      receivables: 11_900,
      revenue: -10_000,
      tax_payable: -1900,
    });
    // The next write-off says by itself whether the tax is claimed.
    expect((await step(one, 'write-off')).loss).toMatchObject({ tax_relief: false });
  });

  it('falls with a credit note, and comes back when that is void', async () => {
    const invoice = await client.anInvoice(THREE_TAXES);
    await step(invoice, 'write-off', relieved);
    expect(await balancesOf(service, client)).toEqual({ bad_debt: 17_750, revenue: -17_750 });
    const note = await made(client, invoice, 'credit-notes', { lines: [{ position: 1 }] });
    expect(await balancesOf(service, client)).toEqual({ bad_debt: 7750, revenue: -7750 });
    await client.void(note);
    expect(await balancesOf(service, client)).toEqual({ bad_debt: 17_750, revenue: -17_750 });
  });

  it('may be claimed later, on a day of its own, and once', async () => {
    const invoice = await client.anInvoice();
    expectProblem(await client.post(pathOf(invoice, 'tax-relief')), 409, 'no_tax_to_relieve');
    await step(invoice, 'write-off');
    const claim = async (date: string) => client.post(pathOf(invoice, 'tax-relief'), { date });
    expectProblem(await claim('2020-01-01'), 422, 'date_too_early');
    expectProblem(await claim('2099-01-01'), 422, 'date_in_future');
    expect((await step(invoice, 'tax-relief')).loss).toMatchObject({ tax_relief: true });
    expectProblem(await client.post(pathOf(invoice, 'tax-relief')), 409, 'no_tax_to_relieve');
    expect((await historyOf(client, invoice)).at(-1)?.type).toBe('document.tax_relief_claimed');
    const free = await client.anInvoice({ lines: [{ description: 'A', unit_amount: 100 }] });
    await step(free, 'write-off');
    expectProblem(await client.post(pathOf(free, 'tax-relief')), 409, 'no_tax_to_relieve');
  });

  it('of a shortfall that was let pass is told and claimed the same way', async () => {
    const underpayment_tolerance = [{ currency: 'EUR', amount: 500 }];
    await client.patch('/v1/finance/payment-settings', { underpayment_tolerance });
    const invoice = await client.anInvoice();
    const paid = (await client.pay(invoice, { amount: 11_662 })).body as {
      payment: { id: string };
    };
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      loss: { amount: 238, taxes: [share('S', '19', 200, 38)] },
    });
    await step(invoice, 'tax-relief');
    expect(await balancesOf(service, client)).toMatchObject({
      payment_differences: 200,
      tax_payable: -1862,
    });
    good(await client.post(`/v1/finance/payments/${paid.payment.id}/reverse`), 200);
    expect(await balancesOf(service, client)).toEqual({
      receivables: 11_900,
      revenue: -10_000,
      tax_payable: -1900,
    });
  });
});
