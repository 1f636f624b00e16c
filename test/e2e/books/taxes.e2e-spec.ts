import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, good, historyOf, made, pathOf } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { balancesOf } from './books.js';
import { aChance, ledgerTaxIn, type Report, taxOf } from './tax-figures.js';

// The tax of what clients do not pay, and when tax is due.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
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

  it('changes on the day of what changes it', async () => {
    const invoice = await client.anInvoice({ issue_date: '2026-09-10' });
    await step(invoice, 'write-off', relieved);
    await client.pay(invoice, { amount: 5950, paid_at: '2026-10-05T12:00:00Z' });
    await made(client, invoice, 'credit-notes', { amount: 2975, issue_date: '2026-10-06' });
    const path = `/v1/finance/ledger?document_id=${invoice.id}&fact=document.tax_relieved`;
    const { data } = good(
      await client.get<{ data: { amount: number; debit: string; effective_on: string }[] }>(
        `${path}&sort=recorded_at`,
      ),
      200,
    );
    expect(data.slice(1).map((line) => [line.debit, line.amount, line.effective_on])).toEqual([
      ['bad_debt', 950, '2026-10-05'],
      ['bad_debt', 475, '2026-10-06'],
    ]);
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

const dueIn = async (from: string, to: string) =>
  good(await client.get<Report>(`/v1/finance/reports/tax?from=${from}&to=${to}`), 200);
const linesIn = async (from: string, to: string) =>
  (await dueIn(from, to)).data.map((line) => [
    line.tax_category,
    line.tax_rate,
    line.taxable_amount,
    line.tax_amount,
  ]);
const byCash = async (from = '2026-01-01') =>
  good(await client.post('/v1/finance/vat-methods', { method: 'cash', from }), 201);
const SEPTEMBER = ['2026-09-01', '2026-09-30'] as const;
const OCTOBER = ['2026-10-01', '2026-10-31'] as const;
const at = (day: string) => ({ paid_at: `${day}T12:00:00Z` });

describe('the tax that is due', () => {
  it('is that of the invoices of the period, less credit notes and relief', async () => {
    const invoice = await client.anInvoice({ ...THREE_TAXES, issue_date: '2026-09-10' });
    await made(client, invoice, 'credit-notes', {
      lines: [{ position: 2 }],
      issue_date: '2026-10-05',
    });
    expect(await linesIn(...SEPTEMBER)).toEqual([
      ['S', '19', 10_000, 1900],
      ['S', '7', 5000, 350],
      ['AE', '0', 2750, 0],
    ]);
    expect(await linesIn(...OCTOBER)).toEqual([['S', '7', -5000, -350]]);
    await step(invoice, 'write-off', { tax_relief: true });
    const today = service.clock.now().toISOString().slice(0, 10);
    expect((await dueIn(today, today)).data).toMatchObject([
      {
        country: 'DE',
        tax_rate: '19',
        taxable_amount: -10_000,
        tax_amount: -1900,
        tax_relief: 1900,
      },
      { tax_category: 'AE', taxable_amount: -2750, tax_amount: 0 },
    ]);
  });

  it('is that of the payments of the period, where the account owes it so', async () => {
    await byCash();
    const invoice = await client.anInvoice({ ...THREE_TAXES, issue_date: '2026-09-10' });
    const none = await dueIn(...SEPTEMBER);
    expect(none.data).toEqual([]);
    expect(none.totals).toMatchObject([{ currency: 'EUR', tax_amount: 0, tax_not_due: 2250 }]);
    await client.pay(invoice, { amount: 5000, ...at('2026-10-05') });
    await client.pay(invoice, { amount: 6667, ...at('2026-10-20') });
    const first = (await client.pay(invoice, { amount: 8333 })).body as { payment: { id: string } };
    expect(await linesIn(...OCTOBER)).toEqual([
      ['S', '19', 5834, 1108],
      ['S', '7', 2917, 204],
      ['AE', '0', 1604, 0],
    ]);
    const all = await linesIn('2026-09-01', '2026-12-31');
    expect(all).toEqual([
      ['S', '19', 10_000, 1900],
      ['S', '7', 5000, 350],
      ['AE', '0', 2750, 0],
    ]);
    good(await client.post(`/v1/finance/payments/${first.payment.id}/reverse`), 200);
    await step(invoice, 'write-off');
    expect(await linesIn('2026-09-01', '2026-12-31')).toEqual(await linesIn(...OCTOBER));
    // A credit note takes what nobody paid; what was paid is taxed as before.
    await made(client, invoice, 'credit-notes', { amount: 8333 });
    const { totals } = await dueIn('2026-09-01', '2026-12-31');
    expect(totals).toMatchObject([{ tax_amount: 1312, tax_not_due: 0 }]);
  });

  it('follows the method of the day of the invoice, and a change keeps it', async () => {
    await byCash('2026-10-01');
    const old = await client.anInvoice({ issue_date: '2026-09-10' });
    const later = await client.anInvoice({ issue_date: '2026-10-10' });
    for (const invoice of [old, later]) {
      await client.pay(invoice, { amount: 11_900, ...at('2026-10-20') });
    }
    // A credit note is its invoice's, whatever holds on its own day.
    await made(client, old, 'credit-notes', { amount: 1190, issue_date: '2026-10-21' });
    await made(client, later, 'credit-notes', { amount: 2380, issue_date: '2026-10-22' });
    const { data } = await dueIn('2026-09-01', '2026-10-31');
    expect(data.map((line) => [line.vat_method, line.tax_amount])).toEqual([
      ['accrual', 1710],
      ['cash', 1520],
    ]);
    const list = await client.get<{ method: string; data: object[] }>('/v1/finance/vat-methods');
    expect(list.body).toMatchObject({ method: 'cash', data: [{ from: '2026-10-01' }] });
    const decide = async (from: string) =>
      client.post('/v1/finance/vat-methods', { method: 'accrual', from });
    expectProblem(await decide('2099-01-01'), 422, 'date_in_future');
    good(await client.post('/v1/finance/periods/2026-09/close'), 200);
    expectProblem(await decide('2026-09-15'), 409, 'period_closed');
  });

  it('by payment is less by a credit note of what was paid before its month', async () => {
    await byCash();
    const invoice = await client.anInvoice({ issue_date: '2026-09-10' });
    await client.pay(invoice, { amount: 11_900, ...at('2026-09-20') });
    await made(client, invoice, 'credit-notes', { amount: 5950, issue_date: '2026-10-05' });
    expect(await linesIn(...SEPTEMBER)).toEqual([['S', '19', 10_000, 1900]]);
    expect(await linesIn(...OCTOBER)).toEqual([['S', '19', -5000, -950]]);
  });

  it('comes to the ledger by invoice, and to the documents by payment, in random months', async () => {
    const chance = aChance(20_261_122);
    const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10'];
    const days = MONTHS.map((month) => [`${month}-01`, `${month}-28`] as const);
    for (const method of ['accrual', 'cash'] as const) {
      client = await service.aClient();
      if (method === 'cash') await byCash();
      let paidTax = 0;
      for (let count = 0; count < 6; count += 1) {
        const issued = chance(3);
        const invoice = await client.anInvoice({
          lines: ['19', '7', '5.5'].slice(0, 1 + chance(3)).map((tax_rate) => ({
            description: 'A',
            unit_amount: 1 + chance(9999),
            tax_rate,
          })),
          issue_date: `${MONTHS[issued]}-0${1 + chance(8)}`,
        });
        let left = invoice.total;
        const isPaid = chance(3) > 0;
        for (let part = chance(4); part > 0 && left > 0; part -= 1) {
          const amount = part === 1 && isPaid ? left : 1 + chance(left);
          const month = MONTHS[issued + 1 + chance(3 - issued)];
          await client.pay(invoice, { amount, ...at(`${month}-1${chance(9)}`) });
          left -= amount;
        }
        const paid = invoice.total - left;
        for (const { tax_amount: tax } of invoice.tax_groups) {
          paidTax += Math.floor((2 * tax * paid + invoice.total) / (2 * invoice.total));
        }
        if (paid === 0 && chance(2) === 0) {
          const issue_date = `${MONTHS[3]}-20`;
          await made(client, invoice, 'credit-notes', { amount: 1 + chance(left), issue_date });
        }
      }
      const due = await Promise.all(days.map(async ([from, to]) => taxOf(await dueIn(from, to))));
      if (method === 'accrual') expect(due).toEqual(await ledgerTaxIn(client, days));
      else expect(due.reduce((sum, one) => sum + one, 0)).toBe(paidTax);
      const whole = await dueIn('2026-07-01', '2026-10-28');
      expect(taxOf(whole)).toBe(due.reduce((sum, one) => sum + one, 0));
      const booked = -((await balancesOf(service, client))['tax_payable'] ?? 0);
      expect(taxOf(whole) + (whole.totals[0]?.tax_not_due ?? 0)).toBe(booked);
    }
  });

  it('has each cent, also of a credit note that takes back tax alone, or none', async () => {
    const day = { issue_date: '2026-09-10' };
    const invoice = await client.anInvoice({ unitAmount: 100, ...day });
    for (let cent = 0; cent < 10; cent += 1) {
      await made(client, invoice, 'credit-notes', { amount: 1, ...day });
    }
    // 19 % in 1.09 is 0.17: the notes took back 0.02 of the tax, and 0.08 without it.
    expect(await linesIn(...SEPTEMBER)).toEqual([['S', '19', 92, 17]]);
    expect([taxOf(await dueIn(...SEPTEMBER))]).toEqual(await ledgerTaxIn(client, [SEPTEMBER]));
    const path = '/v1/finance/reports/revenue?from=2026-09-01&to=2026-09-30';
    const revenue = good(await client.get<{ data: { taxes: object[] }[] }>(path), 200);
    expect(revenue.data[0]?.taxes).toMatchObject([{ taxable_amount: 92, tax_amount: 17 }]);
  });

  it('is of a method that no closing overtakes', async () => {
    const admin = await service.database.connect();
    try {
      await admin.query('BEGIN');
      await admin.query(`UPDATE accounts SET books_open_from = '2026-10-01'`);
      const decided = client.post('/v1/finance/vat-methods', {
        method: 'cash',
        from: '2026-09-01',
      });
      await Promise.race([decided, service.database.untilBlocked()]);
      await admin.query('COMMIT');
      expectProblem(await decided, 409, 'period_closed');
    } finally {
      await admin.end();
    }
  });

  it('comes as a file', async () => {
    await client.anInvoice({ issue_date: '2026-09-10' });
    const path = '/v1/finance/reports/tax?from=2026-09-01&to=2026-09-30&format=csv';
    const { text } = await client.get(path);
    expect(text.trim().split('\r\n')).toEqual([
      '"vat_method","currency","country","tax_category","tax_rate","taxable_amount","tax_amount","tax_relief"',
      '"accrual","EUR","DE","S","19",10000,1900,0',
    ]);
  });
});
