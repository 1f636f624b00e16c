import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerLineBody } from '../../../src/books/wire/ledger.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { balancesOf, csvOf, ledgerOf } from './report-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => service.close());

/** Two invoices of two customers, a payment over the due, a credit note, and dollars: 10 transfers. */
async function aHistory() {
  const first = await client.anInvoice();
  const second = await client.anInvoice();
  const paid = await client.pay(first, {
    amount: 12_000,
    on_overpayment: 'credit',
    paid_at: '2026-01-31T12:00:00Z',
  });
  const note = await aCreditNote(client, second, { amount: 1190 });
  const dollars = await client.anInvoice({ currency: 'USD', taxRate: '0' });
  return { first, second, note, dollars, payment: paid.body['payment'] as { id: string } };
}

const told = (line: LedgerLineBody) =>
  `${line.fact} ${line.debit} ${line.credit} ${line.amount} ${line.currency}`;

describe('the ledger', () => {
  it('lists transfers, newest first', async () => {
    const { first, note, payment } = await aHistory();
    const { data, has_more } = await ledgerOf(client);
    expect(data.map(told).toReversed()).toEqual([
      'document.issued receivables revenue 10000 EUR',
      'document.issued receivables tax_payable 1900 EUR',
      'document.issued receivables revenue 10000 EUR',
      'document.issued receivables tax_payable 1900 EUR',
      'payment.recorded cash receivables 11900 EUR',
      'payment.recorded cash customer_credit 100 EUR',
      expect.stringMatching(/^credit_note.issued .* EUR$/),
      expect.stringMatching(/^credit_note.issued .* EUR$/),
      expect.stringMatching(/^credit_note.issued .* EUR$/),
      'document.issued receivables revenue 10000 USD',
    ]);
    expect(has_more).toBe(false);
    expect(data[5]).toEqual({
      id: expect.stringMatching(/^xfer_/),
      fact: 'payment.recorded',
      fact_id: payment.id,
      debit: 'cash',
      credit: 'receivables',
      amount: 11_900,
      currency: 'EUR',
      document_id: first.id,
      customer_id: first.customer_id,
      effective_on: '2026-01-31',
      recorded_at: expect.stringMatching(/Z$/),
    });
    expect(data.filter(({ fact_id: id }) => id === note.id)).toHaveLength(3);
  });

  it('lists them in pages, in both orders', async () => {
    await aHistory();
    const { data: all } = await ledgerOf(client);
    for (const sort of ['-recorded_at', 'recorded_at']) {
      const seen: LedgerLineBody[] = [];
      let cursor: string | null = null;
      do {
        const page = await ledgerOf(client, { sort, limit: 3, ...(cursor && { cursor }) });
        seen.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor);
      expect(seen).toEqual(sort === 'recorded_at' ? all.toReversed() : all);
    }
    const { next_cursor: cursor } = await ledgerOf(client, { limit: 3 });
    const other = `/v1/finance/ledger?currency=USD&limit=3&cursor=${cursor}`;
    expectProblem(await client.get(other), 400, 'invalid_cursor');
  });

  it('is filtered by account, currency, document, customer, fact and days', async () => {
    const { first, second, dollars } = await aHistory();
    const { data: all } = await ledgerOf(client);
    const today = all[0]?.effective_on ?? '';
    const count = async (query: Record<string, string>) =>
      (await ledgerOf(client, query)).data.length;
    expect({
      receivables: await count({ account: 'receivables' }),
      credit: await count({ account: 'customer_credit' }),
      dollars: await count({ currency: 'USD' }),
      yen: await count({ currency: 'JPY' }),
      first: await count({ document_id: first.id }),
      second: await count({ customer_id: second.customer_id }),
      both: await count({ customer_id: second.customer_id, document_id: first.id }),
      payments: await count({ fact: 'payment.recorded' }),
      dollarDocument: await count({ document_id: dollars.id, account: 'revenue' }),
      january: await count({ effective_from: '2026-01-01', effective_to: '2026-01-31' }),
      today: await count({ effective_from: today }),
      before: await count({ effective_to: '2026-01-30' }),
    }).toEqual({
      receivables: 7,
      credit: 1,
      dollars: 1,
      yen: 0,
      first: 3,
      second: 5,
      both: 0,
      payments: 2,
      dollarDocument: 1,
      january: 2,
      today: 8,
      before: 0,
    });
    const oldest = all.at(-1)?.recorded_at ?? '';
    const since = await count({ recorded_from: oldest });
    const until = await count({ recorded_to: oldest });
    expect([since, until]).toEqual([10, 0]);
  });

  it('has balances that sum to zero in each currency, at any date', async () => {
    await aHistory();
    const { data, totals, date } = await balancesOf(client);
    expect(date).toBe(service.clock.now().toISOString().slice(0, 10));
    expect(data.map(({ account, currency, balance }) => [account, currency, balance])).toEqual([
      ['receivables', 'EUR', 11_900 - 1190],
      ['cash', 'EUR', 12_000],
      ['customer_credit', 'EUR', -100],
      ['credit_notes', 'EUR', 0],
      ['revenue', 'EUR', -20_000 + 1000],
      ['tax_payable', 'EUR', -3800 + 190],
      ['receivables', 'USD', 10_000],
      ['revenue', 'USD', -10_000],
    ]);
    expect(totals.map(({ currency, balance }) => [currency, balance])).toEqual([
      ['EUR', 0],
      ['USD', 0],
    ]);
    const before = await balancesOf(client, { date: '2026-01-31' });
    expect(before.data).toMatchObject([
      { account: 'receivables', currency: 'EUR', debit: 0, credit: 11_900, balance: -11_900 },
      { account: 'cash', currency: 'EUR', debit: 12_000, credit: 0, balance: 12_000 },
      { account: 'customer_credit', currency: 'EUR', debit: 0, credit: 100, balance: -100 },
    ]);
    expect((await balancesOf(client, { currency: 'USD' })).data).toHaveLength(2);
  });
});

describe('a file of the ledger', () => {
  it('has every transfer that matches, as CSV and as JSON lines', async () => {
    await aHistory();
    const { data } = await ledgerOf(client, { limit: 100 });
    const rows = await csvOf(client, 'ledger');
    const texts = data.map((line) =>
      Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value ?? '')])),
    );
    expect(rows).toEqual(texts);
    const answer = await client.get(
      '/v1/finance/ledger?format=jsonl&sort=recorded_at&currency=EUR',
    );
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual(
      ['application/x-ndjson; charset=utf-8', 'attachment; filename=ledger.jsonl'],
    );
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(data.filter(({ currency }) => currency === 'EUR').toReversed());
  });

  it('has a header and nothing else where nothing matches', async () => {
    const csv = await client.get('/v1/finance/ledger?format=csv');
    expect([csv.status, csv.text.trim().split(',').length, csv.text.split('\n').length]).toEqual([
      200, 11, 2,
    ]);
    const lines = await client.get('/v1/finance/ledger?format=jsonl');
    expect([lines.status, lines.text]).toEqual([200, '']);
  });
});
