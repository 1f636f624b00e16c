import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good, pathOf } from '../documents/document-calls.js';
import {
  agedDocumentsOf,
  agingOf,
  balanceOf,
  csvOf,
  revenueOf,
  statementOf,
} from './report-calls.js';

// An invoice of ours is over 119.00: 100.00 and 19 % tax. It is issued on the clock's day, UTC.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set('2026-06-15T12:00:00Z');
  client = await service.aClient();
});
afterAll(() => service.close());

/** Issued on a day, due on another. */
const invoiceOf = async (issue_date: string, due_date: string, over: object = {}) =>
  client.anInvoice({ issue_date, due_date, ...over });

const writeOff = async (document: { id: string }) =>
  good(await client.post<DocumentBody>(pathOf(document, 'write-off')), 200);

/** The amounts that are not zero. */
const bucketsOf = (line: object) =>
  Object.fromEntries(
    Object.entries(line).filter(([, value]) => typeof value === 'number' && value),
  );

describe('the aging report', () => {
  it('puts what is due into buckets by the days since it was due, at any date', async () => {
    const customer_id = (await client.aCustomer({ name: 'Initech' })).id;
    const days = [
      '2026-03-01',
      '2026-03-17',
      '2026-03-31',
      '2026-04-16',
      '2026-05-16',
      '2026-06-15',
    ];
    const of = { customer_id, customer: undefined };
    for (const due of days) await invoiceOf('2026-01-10', due, of);
    const { data, totals, date } = await agingOf(client);
    const buckets = {
      days_over_90: 11_900,
      days_61_90: 2 * 11_900,
      days_31_60: 11_900,
      days_1_30: 11_900,
      not_due: 11_900,
      total: 6 * 11_900,
    };
    expect(date).toBe('2026-06-15');
    expect(data).toEqual([
      expect.objectContaining({ customer_id, customer_name: 'Initech', currency: 'EUR' }),
    ]);
    expect(data.map(bucketsOf)).toEqual([buckets]);
    expect(totals?.map(bucketsOf)).toEqual([buckets]);
    const [next] = (await agingOf(client, { date: '2026-06-16' })).data.map(bucketsOf);
    expect(next).toEqual({
      days_over_90: 2 * 11_900,
      days_61_90: 2 * 11_900,
      days_31_60: 11_900,
      days_1_30: 11_900,
      total: 6 * 11_900,
    });
    expect((await agingOf(client, { date: '2026-01-09' })).data).toEqual([]);
  });

  it('counts a payment on the day of its payment, not of its recording', async () => {
    const invoice = await invoiceOf('2026-06-01', '2026-06-30');
    await client.pay(invoice, { amount: 1900, paid_at: '2026-06-10T08:00:00Z' });
    const at = async (date: string) => (await agingOf(client, { date })).data[0]?.total;
    expect([await at('2026-06-09'), await at('2026-06-10')]).toEqual([11_900, 10_000]);
  });

  it('shows credit beside what is owed, and a rejected document apart', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 12_000, on_overpayment: 'credit' });
    const { customer_id } = invoice;
    const refused = await client.anInvoice({ customer_id, customer: undefined });
    const token = await client.aPortalToken(refused);
    const reject = { method: 'POST', body: { reason: 'Never ordered' } };
    expect((await service.call(`/v1/portal/${token}/reject`, reject)).status).toBe(200);
    const { data, totals } = await agingOf(client);
    expect(data.map(bucketsOf)).toEqual([{ rejected: 11_900, credit: 100 }]);
    expect(totals?.map(bucketsOf)).toEqual(data.map(bucketsOf));
    expect((await agedDocumentsOf(client)).data).toMatchObject([
      { document_id: refused.id, number: refused.number, bucket: 'rejected', amount: 11_900 },
    ]);
  });

  it('leaves out what is paid, credited, voided or written off', async () => {
    const [paid, credited, voided, lost, open] = (await Promise.all(
      Array.from({ length: 5 }, async () => client.anInvoice()),
    )) as [DocumentBody, DocumentBody, DocumentBody, DocumentBody, DocumentBody];
    await client.pay(paid, { amount: 11_900 });
    await aCreditNote(client, credited);
    await client.void(voided);
    await writeOff(lost);
    const { data } = await agedDocumentsOf(client);
    expect(data.map(({ document_id: id }) => id)).toEqual([open.id]);
    expect(data[0]?.amount).toBe(await balanceOf(client, 'receivables'));
  });

  it('pages through customers and currencies, with the totals on the first page', async () => {
    for (let at = 0; at < 5; at += 1) {
      const customer_id = (await client.aCustomer({ name: `Customer ${at}` })).id;
      await client.anInvoice({ customer_id, customer: undefined });
      await client.anInvoice({ customer_id, customer: undefined, currency: 'USD' });
    }
    for (const group of ['customer', 'document']) {
      const whole = await agingOf(client, { group });
      expect([whole.data.length, whole.has_more]).toEqual([10, false]);
      let page = await agingOf(client, { group, limit: 3 });
      expect(page.totals?.map(({ currency, total }) => [currency, total])).toEqual([
        ['EUR', 59_500],
        ['USD', 59_500],
      ]);
      const seen = [...page.data];
      while (page.next_cursor) {
        page = await agingOf(client, { group, limit: 3, cursor: page.next_cursor });
        expect(page.totals).toBeNull();
        seen.push(...page.data);
      }
      expect(seen).toEqual(whole.data);
    }
  });

  it('is the same as a file, where names cannot be formulas', async () => {
    const customer_id = (await client.aCustomer({ name: '=HYPERLINK("x"), "Co"' })).id;
    await client.anInvoice({ customer_id, customer: undefined });
    const [line] = await csvOf(client, 'reports/aging');
    expect(line).toEqual({
      customer_id,
      customer_name: '\'=HYPERLINK("x"), "Co"',
      currency: 'EUR',
      not_due: '11900',
      days_1_30: '0',
      days_31_60: '0',
      days_61_90: '0',
      days_over_90: '0',
      rejected: '0',
      total: '11900',
      credit: '0',
    });
    const [document] = await csvOf(client, 'reports/aging', { group: 'document' });
    expect(document).toMatchObject({ customer_id, bucket: 'not_due', amount: '11900' });
  });

  it('takes the day of the account’s time zone', async () => {
    service.clock.set('2026-06-15T23:30:00Z');
    client = await service.aClient({ timeZone: 'Europe/Berlin' });
    expect((await agingOf(client)).date).toBe('2026-06-16');
  });
});

describe('a customer’s statement', () => {
  it('tells every movement with running balances', async () => {
    const first = await invoiceOf('2026-06-01', '2026-06-30');
    const { customer_id } = first;
    const same = { customer_id, customer: undefined };
    const second = await invoiceOf('2026-06-02', '2026-06-30', same);
    await client.pay(first, { amount: 12_000, reference: 'TX 1', on_overpayment: 'credit' });
    const note = await aCreditNote(client, second, { amount: 1900 });
    await client.pay(second, { amount: 100, method: 'credit_balance' });
    await writeOff(second);
    await client.pay(second, { amount: 900 });
    const { currencies, ...head } = await statementOf(client, customer_id, { from: '2026-06-02' });
    expect(head).toMatchObject({ customer_id, from: '2026-06-02', to: '2026-06-15' });
    const [euros] = currencies;
    expect(euros?.opening).toEqual({ receivables: 11_900, customer_credit: 0, balance: 11_900 });
    expect(
      euros?.movements.map((line) => [
        line.type,
        line.source_number ?? line.source_id.slice(0, 3),
        line.document_number,
        line.debit,
        line.credit,
        line.balance,
      ]),
    ).toEqual([
      ['issue', second.number, second.number, 11_900, 0, 23_800],
      ['payment', 'pay', first.number, 0, 11_900, 11_900],
      ['payment', 'pay', null, 0, 100, 11_800],
      ['credit_note', note.number, second.number, 0, 1900, 9900],
      ['payment', 'pay', second.number, 100, 100, 9900],
      ['write_off', second.number, second.number, 0, 9900, 0],
      ['payment', 'pay', second.number, 900, 900, 0],
    ]);
    expect(euros?.movements[1]?.reference).toBe('TX 1');
    expect(euros?.closing).toEqual({ receivables: 0, customer_credit: 0, balance: 0 });
    expect([euros?.debit_total, euros?.credit_total]).toEqual([12_900, 24_800]);
  });

  it('shows moves, reversals, waivers and voids', async () => {
    await client.patch('/v1/finance/payment-settings', {
      underpayment_tolerance: [{ currency: 'EUR', amount: 50 }],
    });
    const short = await client.anInvoice();
    const { customer_id } = short;
    const other = await client.anInvoice({ customer_id, customer: undefined });
    await client.pay(short, { amount: 11_860 });
    const { body } = await client.pay(other, { amount: 1000 });
    const { id } = body['payment'] as { id: string };
    const steps = `/v1/finance/payments/${id}`;
    good(await client.post(`${steps}/allocations`, { from: other.id, to: 'credit' }), 200);
    good(await client.post(`${steps}/reverse`), 200);
    await client.void(other);
    const [euros] = (await statementOf(client, customer_id)).currencies;
    const types = euros?.movements.map(({ type, debit, credit }) => [type, debit, credit]);
    expect(types).toEqual([
      ['issue', 11_900, 0],
      ['issue', 11_900, 0],
      ['payment', 0, 11_860],
      ['waiver', 0, 40],
      ['payment', 0, 1000],
      ['move', 1000, 1000],
      ['reversal', 1000, 0],
      ['void', 0, 11_900],
    ]);
    expect(euros?.closing.balance).toBe(0);
  });

  it('is the same as a file, with the balances as lines', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { reference: '@SUM(A1)' });
    const rows = await csvOf(client, `customers/${invoice.customer_id}/statement`);
    expect(rows.map(({ type, debit, credit, balance }) => [type, debit, credit, balance])).toEqual([
      ['opening', '', '', '0'],
      ['issue', '11900', '0', '11900'],
      ['payment', '0', '2500', '9400'],
      ['closing', '', '', '9400'],
    ]);
    expect(rows[2]?.['reference']).toBe("'@SUM(A1)");
  });
});

describe('the revenue report', () => {
  it('tells what was invoiced, voided and credited, with its taxes, by month', async () => {
    await invoiceOf('2026-04-30', '2026-06-30', {
      lines: [
        { description: 'Work', unit_amount: 10_000, tax_rate: '19' },
        { description: 'Book', unit_amount: 2000, tax_rate: '7' },
      ],
    });
    const voided = await invoiceOf('2026-05-01', '2026-06-30');
    await client.void(voided);
    const credited = await invoiceOf('2026-05-31', '2026-06-30');
    await aCreditNote(client, credited, { amount: 1190 });
    const { data, totals } = await revenueOf(client, { from: '2026-04-15' });
    expect(data.map(({ from, to, net }) => [from, to, net.net, net.tax, net.total])).toEqual([
      ['2026-04-15', '2026-04-30', 12_000, 2040, 14_040],
      ['2026-05-01', '2026-05-31', 20_000, 3800, 23_800],
      ['2026-06-01', '2026-06-15', -11_000, -2090, -13_090],
    ]);
    expect(data[0]?.taxes).toEqual([
      { tax_category: 'S', tax_rate: '19', taxable_amount: 10_000, tax_amount: 1900 },
      { tax_category: 'S', tax_rate: '7', taxable_amount: 2000, tax_amount: 140 },
    ]);
    expect(data[2]).toMatchObject({
      invoiced: { total: 0 },
      invoices_voided: { net: 10_000, tax: 1900 },
      credited: { net: 1000, tax: 190 },
      taxes: [{ taxable_amount: -11_000, tax_amount: -2090 }],
    });
    expect(totals[0]?.net.net).toBe(-(await balanceOf(client, 'revenue')));
    expect(totals[0]?.net.tax).toBe(-(await balanceOf(client, 'tax_payable')));
  });

  it('takes a voided credit note back, where its credit is still there', async () => {
    const note = await aCreditNote(client, await client.anInvoice());
    await client.void(note);
    const [totals] = (await revenueOf(client)).totals;
    expect(totals).toMatchObject({
      credited: { net: 10_000, tax: 1900 },
      credit_notes_voided: { net: 10_000, tax: 1900 },
      net: { net: 10_000, tax: 1900, total: 11_900 },
    });
  });

  it('tells losses and money', async () => {
    const [lost, paid] = [await client.anInvoice(), await client.anInvoice()];
    await writeOff(lost);
    await client.pay(lost, { amount: 900 });
    const whole = await client.pay(paid, { amount: 11_900 });
    const refunds = `/v1/finance/payments/${(whole.body['payment'] as { id: string }).id}/refunds`;
    good(await client.post(refunds, { amount: 500, method: 'bank_transfer' }), 201);
    const { body } = await client.pay(await client.anInvoice(), { amount: 300 });
    const { id } = body['payment'] as { id: string };
    good(await client.post(`/v1/finance/payments/${id}/reverse`), 200);
    const [totals] = (await revenueOf(client, { interval: 'year' })).totals;
    expect(totals).toMatchObject({
      bad_debt: 11_000,
      waived: 0,
      cash: { received: 13_100, reversed: 300, refunded: 500, fees: 0 },
    });
    expect(await balanceOf(client, 'cash')).toBe(12_300);
  });

  it('divides by day, quarter and year, and keeps currencies apart', async () => {
    await invoiceOf('2026-01-31', '2026-06-30');
    await invoiceOf('2026-06-01', '2026-06-30', { currency: 'USD' });
    const periods = async (interval: string) =>
      (await revenueOf(client, { interval, to: '2026-12-31' })).data.map(
        ({ from, to, currency }) => `${from} ${to} ${currency}`,
      );
    expect(await periods('day')).toEqual([
      '2026-01-31 2026-01-31 EUR',
      '2026-06-01 2026-06-01 USD',
    ]);
    expect(await periods('quarter')).toEqual([
      '2026-01-01 2026-03-31 EUR',
      '2026-04-01 2026-06-30 USD',
    ]);
    expect(await periods('year')).toEqual([
      '2026-01-01 2026-12-31 EUR',
      '2026-01-01 2026-12-31 USD',
    ]);
    const query = { interval: 'year', currency: 'USD' };
    expect((await revenueOf(client, query)).totals.map(({ currency }) => currency)).toEqual([
      'USD',
    ]);
  });
});
