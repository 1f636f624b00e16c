import { describe, expect, it } from 'vitest';
import { ExportCopy, exportOf, leftOutLines, lossesOf, readPlan } from './exports.js';

describe('our own tables', () => {
  it('give customers, items, open invoices and credit', async () => {
    const plan = await readPlan('csv', exportOf('csv'));
    expect(leftOutLines(plan)).toEqual([]);
    expect([...plan.customers.keys()]).toEqual(['csv:K-100', 'csv:K-101']);
    expect([...plan.items.values()].map(({ body }) => body)).toEqual([
      {
        name: 'Consulting',
        sku: 'CONS',
        unit: 'HUR',
        tax_rate: '19',
        prices: [{ currency: 'EUR', unit_amount_decimal: '12050' }],
      },
      { name: 'Report' },
    ]);
    expect(
      [...plan.invoices.values()].map(({ externalId, place, total, open, taxes, body }) => [
        externalId,
        place.line,
        total,
        open,
        taxes?.map(({ tax_amount }) => tax_amount) ?? null,
        (body['lines'] as object[]).length,
      ]),
    ).toEqual([
      ['csv:invoice:2026-017', 2, 28_679n, 20_000n, [4579n], 1],
      ['csv:invoice:2026-018', 4, 25_061n, 25_061n, [2290n, 701n], 2],
      ['csv:invoice:2026-019', 6, 10_125n, 10_125n, null, 1],
    ]);
    expect(plan.exported.credit.all).toEqual([['EUR', 1500n]]);
    expect(lossesOf(plan)).toEqual([]);
  });

  it('may have semicolons, commas in amounts, tabs and a mark at the beginning', async () => {
    const copy = new ExportCopy('csv')
      .change('credits.csv', () => '\uFEFFid;customer_id;currency;amount\n1;K-100;EUR;1200,50\n')
      .change('items.csv', () => 'ID\tName\tCurrency\tPrice\nA-1\tTea\tEUR\t1.5\n');
    const plan = await readPlan('csv', copy.folder);
    expect(plan.exported.credit.all).toEqual([['EUR', 120_050n]]);
    expect([...plan.items.values()].map(({ body }) => body['prices'])).toEqual([
      [{ currency: 'EUR', unit_amount_decimal: '150' }],
    ]);
  });

  it('leave broken rows out with their line', async () => {
    const copy = new ExportCopy('csv')
      .change('customers.csv', (text) => `${text}K-100,Again,,,,,,,\nK-102,,,,,,,,\nK-103,short\n`)
      .change('credits.csv', (text) => `${text}2,K-100,EUR,1.005,,\n3,K-100,JPY,1.5,,\n`)
      .change('invoices.csv', (text) => `${text},K-100,2026-10-01,,EUR,1,1,Line,1,,1,,,,\n`);
    expect(leftOutLines(await readPlan('csv', copy.folder))).toEqual([
      'customers.csv:4 customer K-100: its id stands twice, first at customers.csv:2',
      'customers.csv:5 customer K-102: name is missing',
      expect.stringMatching(/^customers\.csv:6 customer : Invalid Record Length/),
      'invoices.csv:7 invoice : number is missing',
      'credits.csv:3 credit 2: 1.005 has more decimals than EUR',
      'credits.csv:4 credit 3: 1.5 has more decimals than JPY',
    ]);
  });

  it('have to be UTF-8', async () => {
    const copy = new ExportCopy('csv').change('customers.csv', (text) =>
      text.replace('Globex', 'Globe\uFFFD'),
    );
    expect(leftOutLines(await readPlan('csv', copy.folder))).toEqual([
      'customers.csv:2 customer K-100: name is not UTF-8',
    ]);
  });
});
