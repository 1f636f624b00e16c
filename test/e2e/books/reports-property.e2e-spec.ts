import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addDays } from '../../../src/kernel/clock.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aHistory, tell, type Told, TODAY } from './report-history.js';
import {
  agedDocumentsOf,
  agingOf,
  balancesOf,
  csvOf,
  revenueOf,
  statementOf,
} from './report-calls.js';

// The reports say the same as the ledger, the documents, and one another, whatever happened.

const RUNS = 15;
/** After the date of every document. */
const AHEAD = addDays(TODAY, 40);
const CURRENCIES = ['EUR', 'JPY'];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  service.clock.set(`${TODAY}T12:00:00Z`);
});
afterAll(() => service.close());

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0);

/** Balances of a date, by account and currency; the sign of debits. */
async function ledgerAt(client: TestClient, date: string) {
  const { data, totals } = await balancesOf(client, { date });
  for (const total of totals) expect(total.balance).toBe(0);
  for (const line of data) if (line.account === 'credit_notes') expect(line.balance).toBe(0);
  return (account: string, currency: string) =>
    data.find((line) => line.account === account && line.currency === currency)?.balance ?? 0;
}

async function expectAgingToAgree(client: TestClient, date: string): Promise<void> {
  const ledger = await ledgerAt(client, date);
  const { data, totals } = await agingOf(client, { date, limit: 100 });
  const documents = (await agedDocumentsOf(client, { date, limit: 100 })).data;
  for (const currency of CURRENCIES) {
    const own = <Line extends { currency: string }>(lines: Line[]) =>
      lines.filter((line) => line.currency === currency);
    const [total] = own(totals ?? []);
    const receivables = ledger('receivables', currency);
    const credit = 0 - ledger('customer_credit', currency);
    expect([date, total?.total ?? 0, total?.credit ?? 0]).toEqual([date, receivables, credit]);
    expect(sum(own(data), (line) => line.total)).toBe(receivables);
    expect(sum(own(data), (line) => line.credit)).toBe(credit);
    const rejected = ledger('rejected_receivables', currency);
    expect([date, total?.rejected ?? 0]).toEqual([date, rejected]);
    expect(sum(own(documents), (line) => line.amount)).toBe(receivables + rejected);
    for (const { bucket } of documents) {
      const found = sum(
        own(documents).filter((line) => line.bucket === bucket),
        (l) => l.amount,
      );
      expect([date, bucket, total?.[bucket] ?? 0]).toEqual([date, bucket, found]);
    }
  }
}

async function expectDocumentsToAgree(client: TestClient, { documents }: Told): Promise<void> {
  const aged = (await agedDocumentsOf(client, { date: AHEAD, limit: 100 })).data;
  const asked = aged.filter(({ bucket }) => bucket !== 'rejected');
  const due = new Map(asked.map((line) => [line.document_id, line.amount]));
  for (const { id } of documents) {
    const document = await client.read({ id });
    expect([document.number, due.get(id) ?? 0]).toEqual([document.number, document.amount_due]);
  }
  const { body } = await client.get<{ data: { amount_due: number; currency: string }[] }>(
    '/v1/finance/documents?limit=100',
  );
  const ledger = await ledgerAt(client, AHEAD);
  for (const currency of CURRENCIES) {
    const listed = body.data.filter((document) => document.currency === currency);
    expect(sum(listed, (one) => one.amount_due)).toBe(ledger('receivables', currency));
  }
}

async function expectRevenueToAgree(client: TestClient, to: string): Promise<void> {
  const ledger = await ledgerAt(client, to);
  const from = '2025-12-01';
  const reports = await Promise.all(
    ['day', 'month', 'quarter', 'year'].map(async (interval) =>
      revenueOf(client, { from, to, interval }),
    ),
  );
  for (const { data, totals } of reports) {
    for (const total of totals) {
      const { currency, net, taxes, cash } = total;
      const sides = (...accounts: string[]) => sum(accounts, (name) => ledger(name, currency));
      expect([to, net.net, net.tax, net.rounding]).toEqual([
        to,
        0 - sides('revenue'),
        0 - sides('tax_payable'),
        0 - sides('rounding'),
      ]);
      expect([
        sum(taxes, (tax) => tax.taxable_amount),
        sum(taxes, (tax) => tax.tax_amount),
      ]).toEqual([net.net, net.tax]);
      expect(net.total).toBe(
        total.invoiced.total -
          total.invoices_voided.total -
          total.credited.total +
          total.credit_notes_voided.total,
      );
      expect([total.bad_debt, total.waived]).toEqual([
        sides('bad_debt'),
        sides('payment_differences'),
      ]);
      expect(cash.received - cash.reversed - cash.refunded - cash.fees).toBe(
        sides('cash', 'gateway_clearing'),
      );
      const periods = data.filter((period) => period.currency === currency);
      expect(sum(periods, (period) => period.net.total)).toBe(net.total);
      expect(sum(periods, (period) => sum(period.taxes, (tax) => tax.tax_amount))).toBe(net.tax);
    }
  }
}

async function expectStatementsToAgree(client: TestClient, told: Told, day: string): Promise<void> {
  for (const id of told.customers) {
    const customer_id = id;
    const { data } = await agingOf(client, { date: day, customer_id });
    const before = await statementOf(client, id, { to: day });
    const after = await statementOf(client, id, { from: addDays(day, 1), to: TODAY });
    const whole = await statementOf(client, id);
    for (const currency of CURRENCIES) {
      const of = ({ currencies }: typeof whole) =>
        currencies.find((statement) => statement.currency === currency);
      const aged = data.find((line) => line.currency === currency);
      const closing = of(before)?.closing;
      expect([closing?.receivables ?? 0, closing?.customer_credit ?? 0]).toEqual([
        aged?.total ?? 0,
        aged?.credit ?? 0,
      ]);
      if (of(after)) expect(of(after)?.opening).toEqual(closing ?? ZERO);
      expect([...(of(before)?.movements ?? []), ...(of(after)?.movements ?? [])]).toEqual(
        of(whole)?.movements ?? [],
      );
      const { debit_total = 0, credit_total = 0, closing: end = ZERO } = of(whole) ?? {};
      expect(debit_total - credit_total).toBe(end.balance);
    }
  }
}

const ZERO = { receivables: 0, customer_credit: 0, balance: 0 };

async function expectFileToAgree(client: TestClient): Promise<void> {
  const ledger = await ledgerAt(client, AHEAD);
  const rows = await csvOf(client, 'ledger');
  for (const currency of CURRENCIES) {
    const on = (side: 'debit' | 'credit') =>
      sum(
        rows.filter((row) => row[side] === 'receivables' && row['currency'] === currency),
        (row) => Number(row['amount']),
      );
    expect(on('debit') - on('credit')).toBe(ledger('receivables', currency));
  }
}

describe('reports over random histories', () => {
  it('agree with the ledger, the documents and one another, at any date', async () => {
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(aHistory, fc.integer({ min: 1, max: 150 }), async (history, days) => {
        const client = await service.aClient();
        const told = await tell(client, history);
        const day = addDays(TODAY, -days);
        for (const date of [TODAY, day, AHEAD]) {
          await expectAgingToAgree(client, date);
          await expectRevenueToAgree(client, date);
        }
        await expectDocumentsToAgree(client, told);
        await expectStatementsToAgree(client, told, day);
        await expectFileToAgree(client);
        for (const [what, times] of told.done) done.set(what, (done.get(what) ?? 0) + times);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    // Or the histories have stopped to tell anything.
    const frequent = ['credit', 'issue', 'pay', 'refund', 'reject', 'reverse', 'void', 'write off'];
    expect([...done.keys()]).toEqual(expect.arrayContaining(frequent));
  });
});
