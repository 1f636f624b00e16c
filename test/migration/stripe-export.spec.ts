import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExportCopy, exportOf, leftOutLines, lossesOf, readPlan } from './exports.js';

describe('lists of the API of Stripe', () => {
  it('give customers, items, open invoices and credit', async () => {
    const plan = await readPlan('stripe', exportOf('stripe'));
    expect(leftOutLines(plan)).toEqual([]);
    expect([...plan.customers.keys()]).toEqual([
      'stripe:cus_QzAlpha0000001',
      'stripe:cus_QzBeta00000002',
      'stripe:cus_QzGamma0000003',
    ]);
    expect(plan.customers.get('stripe:cus_QzAlpha0000001')?.body).toEqual({
      name: 'Globex GmbH',
      email: 'accounts@globex.example',
      phone: '+49 30 1234567',
      address: ['Hauptstraße 1'],
      postal_code: '10115',
      city: 'Berlin',
      country: 'DE',
      tax_id: 'DE123456788',
      language: 'de',
      currency: 'EUR',
      metadata: { crm_id: '4711' },
    });
    expect([...plan.items.values()].map(({ externalId, body }) => [externalId, body])).toEqual([
      [
        'stripe:prod_QzSupport',
        {
          name: 'Support',
          description: 'Support by phone and mail',
          metadata: { team: 'support' },
          prices: [
            { currency: 'EUR', unit_amount_decimal: '10000' },
            { currency: 'USD', unit_amount_decimal: '11000' },
          ],
        },
      ],
      [
        'stripe:prod_QzPlan',
        {
          name: 'Team plan',
          metadata: {},
          prices: [{ currency: 'EUR', unit_amount_decimal: '1250' }],
        },
      ],
    ]);
    const invoices = [...plan.invoices.values()];
    expect(
      invoices.map(({ number, issueDate, currency, total, open }) =>
        [number, issueDate, total, open, currency].join(' '),
      ),
    ).toEqual([
      'GLX1-0002 2026-10-05 34268 20000 EUR',
      'GLX1-0003 2026-10-06 369 369 EUR',
      'INI2-0001 2026-09-01 7500 7500 USD',
      'HOO3-0001 2026-10-30 50000 30000 JPY',
      'GLX1-0004 2026-10-07 12000 12000 GBP',
    ]);
    expect(invoices[0]?.taxes).toEqual([
      { tax_rate: '19', tax_amount: 5130n },
      { tax_rate: '7', tax_amount: 139n },
    ]);
    expect(invoices[0]?.body).toEqual({
      due_date: '2026-11-04',
      notes: 'Thank you for your business.',
      metadata: {},
      lines: [
        {
          description: 'Support, September',
          quantity: '3',
          unit_amount_decimal: '10000',
          discounts: [{ amount: 3000 }],
          tax_rate: '19',
          service_period: { start: '2026-09-01', end: '2026-09-30' },
        },
        { description: 'Handbook', quantity: '1', unit_amount_decimal: '1999', tax_rate: '7' },
      ],
    });
    // A price that no decimal has, a line below zero, and a due date that nobody said.
    expect(invoices[2]?.body).toMatchObject({
      due_date: '2026-09-01',
      lines: [
        { quantity: '1', unit_amount_decimal: '10000', tax_rate: '0', tax_category: 'Z' },
        { quantity: '-1', unit_amount_decimal: '2500' },
      ],
    });
    expect(invoices[3]?.body['lines']).toMatchObject([{ tax_category: 'AE' }]);
    expect(invoices[4]).toMatchObject({ taxes: null, body: { prices_include_tax: true } });
    expect([...plan.credits.values()].map(({ amount, currency }) => [amount, currency])).toEqual([
      [2500n, 'USD'],
    ]);
  });

  it('tell what has no place here, with sums', async () => {
    expect(lossesOf(await readPlan('stripe', exportOf('stripe')))).toEqual([
      'archived products | 1',
      'file subscriptions.json | 2',
      'footers of invoices | 1',
      'further prices of products | 1',
      'intervals of recurring prices | 1',
      'invoices, draft | 1 | 5000 EUR',
      'invoices, paid | 1 | 11900 EUR',
      'notes on customers | 1',
      'payment methods of customers | 2',
      'prices in tiers | 1',
      'subscriptions behind open invoices | 1',
      'sums to add to the next invoice | 1 | 1200 JPY',
      'tax codes of products | 1',
      'tax exemptions of customers | 1',
    ]);
  });

  it('leave a broken row out with its line, and take the others', async () => {
    const copy = new ExportCopy('stripe')
      .change('customers.json', (text) =>
        text
          .replace('"name": "Globex GmbH"', '"name": null')
          .replace('"email": "accounts@globex.example"', '"email": ""'),
      )
      .change('invoices.json', (text) =>
        text
          .replace('"amount_remaining": 369', '"amount_remaining": 3.69')
          .replace(
            '"currency": "gbp",\n      "custom_fields"',
            '"currency": "xxx",\n      "custom_fields"',
          )
          .replace(
            '"total": 50000',
            '"total": 50000, "lines": {"data": [], "has_more": true}, "x": 1',
          ),
      );
    const plan = await readPlan('stripe', copy.folder);
    expect(leftOutLines(plan)).toEqual([
      expect.stringMatching(
        /^customers\.json:\d+ data\[0\] customer cus_QzAlpha0000001: it has neither name/,
      ),
      expect.stringMatching(
        /^invoices\.json:\d+ data\[3\] invoice GLX1-0003: amount_remaining 3\.69 is no whole number/,
      ),
      expect.stringMatching(/^invoices\.json:\d+ data\[6\] invoice GLX1-0004: xxx is no currency/),
    ]);
    expect(plan.invoices.size).toBe(3);
  });

  it('have to be whole: the last page says so, and an invoice has all of its lines', async () => {
    const copy = new ExportCopy('stripe').change('invoices.json', (text) =>
      text.replaceAll('"has_more": false', '"has_more": true'),
    );
    const told = leftOutLines(await readPlan('stripe', copy.folder));
    expect(told.filter((line) => line.includes('only its first lines'))).toHaveLength(5);
    expect(told.at(-1)).toContain('has_more is true: the export is not whole');
  });

  it('need the rate of each tax, and the customers', async () => {
    const copy = new ExportCopy('stripe');
    rmSync(join(copy.folder, 'tax_rates.json'));
    const told = leftOutLines(await readPlan('stripe', copy.folder));
    expect(told).toHaveLength(3);
    expect(told[0]).toContain('the tax rate txr_1Vat19 is not in the export; add tax_rates.json');
    rmSync(join(copy.folder, 'customers.json'));
    await expect(readPlan('stripe', copy.folder)).rejects.toThrow(
      'customers.json or customers.csv',
    );
  });

  it('write two decimals for currencies that have none', async () => {
    const copy = new ExportCopy('stripe').change('invoices.json', (text) =>
      text.replace(
        '"currency": "jpy",\n      "custom_fields"',
        '"currency": "isk",\n      "custom_fields"',
      ),
    );
    const plan = await readPlan('stripe', copy.folder);
    expect(plan.invoices.get('stripe:in_1Jpy')).toMatchObject({ total: 500n, currency: 'ISK' });
  });

  it('have days where the seller is', async () => {
    const plan = await readPlan('stripe', exportOf('stripe'), { timeZone: 'Pacific/Auckland' });
    expect(plan.invoices.get('stripe:in_1Jpy')?.issueDate).toBe('2026-10-31');
  });
});

describe('tables of the dashboard of Stripe', () => {
  it('give the same with less', async () => {
    const plan = await readPlan('stripe', exportOf('stripe-tables'));
    expect(leftOutLines(plan)).toEqual([]);
    expect([...plan.customers.values()].map(({ body }) => body['name'])).toEqual([
      'Globex GmbH',
      'Initech, LLC',
    ]);
    expect([...plan.items.values()].map(({ body }) => body['prices'])).toEqual([
      [{ currency: 'EUR', unit_amount_decimal: '10000' }],
      [{ currency: 'EUR', unit_amount_decimal: '1250' }],
    ]);
    expect([...plan.invoices.values()].map(({ open, body }) => [open, body['lines']])).toEqual([
      [
        20_000n,
        [{ description: 'Support, September', unit_amount_decimal: '28797', tax_rate: '19' }],
      ],
      [
        7500n,
        [
          {
            description: 'Team plan',
            unit_amount_decimal: '7500',
            tax_rate: '0',
            tax_category: 'Z',
          },
        ],
      ],
    ]);
    expect([...plan.credits.values()].map(({ amount }) => amount)).toEqual([2500n]);
    expect(lossesOf(plan)).toContain('lines of open invoices, told as one each | 2');
  });

  it('tell a row with too few cells, and a tax without its rate', async () => {
    const copy = new ExportCopy('stripe-tables').change('invoices.csv', (text) =>
      text.replace('in_1Usd,75.00,', 'in_1Usd,').replace('54.71,19,', '54.71,,'),
    );
    expect(leftOutLines(await readPlan('stripe', copy.folder))).toEqual([
      expect.stringMatching(
        /^invoices\.csv:3 invoice GLX1-0002: it has tax, and the table does not/,
      ),
      expect.stringMatching(/^invoices\.csv:4 invoice : /),
    ]);
  });
});
