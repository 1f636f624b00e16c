import { describe, expect, it } from 'vitest';
import { ExportCopy, exportOf, leftOutLines, lossesOf, readPlan } from './exports.js';

describe('a backup of Invoice Ninja', () => {
  it('gives clients, products, open invoices and credit', async () => {
    const plan = await readPlan('invoice-ninja', exportOf('invoice-ninja'));
    expect(leftOutLines(plan)).toEqual([]);
    expect([...plan.customers.values()].map(({ externalId, body }) => [externalId, body])).toEqual([
      [
        'invoice-ninja:WjnegYbwZ1',
        {
          name: 'Globex GmbH',
          contact_name: 'Erika Mustermann',
          email: 'erika@globex.example',
          address: ['Hauptstraße 1'],
          postal_code: '10115',
          city: 'Berlin',
          country: 'DE',
          tax_id: 'DE123456788',
          identifiers: [{ value: '0001' }],
        },
      ],
      [
        'invoice-ninja:WjnegYbwZ2',
        {
          name: 'Ueli Huber',
          email: 'ueli@huber.example',
          country: 'CH',
          identifiers: [{ value: '0002' }],
          currency: 'CHF',
        },
      ],
    ]);
    expect([...plan.items.values()].map(({ body }) => body['prices'])).toEqual([
      [{ currency: 'EUR', unit_amount_decimal: '8010' }],
      [{ currency: 'EUR', unit_amount_decimal: '3333.5' }],
    ]);
    const [first, second] = [...plan.invoices.values()];
    expect(first).toMatchObject({
      number: '0002',
      currency: 'EUR',
      total: 106_029n,
      open: 56_029n,
      taxes: [{ tax_rate: '19', tax_amount: 16_929n }],
      body: { due_date: '2026-11-01', purchase_order: 'PO-7' },
    });
    // Only the line that rounds otherwise says its amount.
    expect(first?.body['lines']).toEqual([
      {
        sku: 'WORK',
        description: 'Work',
        quantity: '10',
        unit_amount_decimal: '8010',
        tax_rate: '19',
      },
      {
        sku: 'TEA',
        description: 'Tea',
        quantity: '3',
        unit_amount_decimal: '3333.5',
        discounts: [{ percent: '10' }],
        tax_rate: '19',
        issued_net_amount_decimal: '9000',
      },
    ]);
    expect(second).toMatchObject({
      number: '0003',
      currency: 'CHF',
      body: {
        due_date: '2026-10-10',
        discounts: [{ percent: '5' }],
        charges: [{ amount: 1090, tax_rate: '8.1' }],
      },
    });
    expect(
      [...plan.credits.values()].map((one) => [one.externalId, one.amount, one.currency]),
    ).toEqual([
      ['invoice-ninja:Crd1', 4000n, 'EUR'],
      ['invoice-ninja:Pay2', 7505n, 'CHF'],
    ]);
  });

  it('tells what has no place here, with sums', async () => {
    expect(lossesOf(await readPlan('invoice-ninja', exportOf('invoice-ninja')))).toEqual([
      'credits, spent | 1 | 1000 EUR',
      'custom fields | 1',
      'deleted clients | 1',
      'expenses | 1',
      'invoices, draft | 1 | 500 EUR',
      'invoices, paid | 1 | 11900 EUR',
      'lines and taxes of credits, of which the sum is taken | 1',
      'notes on clients | 1',
      'payment methods of clients | 1',
      'payments, told as what is settled | 1 | 50000 EUR',
      'quotes | 1',
      'recurring invoices | 2',
    ]);
  });

  it('may have its parts in any order', async () => {
    const copy = new ExportCopy('invoice-ninja').change('backup.json', (text) => {
      const whole = JSON.parse(text) as Record<string, unknown>;
      return JSON.stringify(Object.fromEntries(Object.entries(whole).toReversed()), null, 2);
    });
    const plan = await readPlan('invoice-ninja', copy.folder);
    expect(leftOutLines(plan)).toEqual([]);
    expect(plan.exported.open.all).toEqual([
      ['CHF', 26_852n],
      ['EUR', 56_029n],
    ]);
  });

  it('leaves a broken record out with its place', async () => {
    const copy = new ExportCopy('invoice-ninja').change('backup.json', (text) =>
      text
        .replace('"country_id":"756"', '"country_id":"9999"')
        .replace('"number":"0002","discount":0', '"number":"0002","discount":1e-3')
        .replace(
          '"amount":"59.500000","balance":"40.000000"',
          '"amount":"59.500000","balance":"40.0001"',
        ),
    );
    expect(leftOutLines(await readPlan('invoice-ninja', copy.folder))).toEqual([
      'backup.json:1 clients[1] customer 0002: country_id 9999 is not known',
      'backup.json:1 credits[0] credit C-0001: 40.0001 has more decimals than EUR',
      'backup.json:1 invoices[1] invoice 0002: 1e-3 is no amount',
    ]);
  });

  it('is refused where it is cut off, or still packed', async () => {
    const cut = new ExportCopy('invoice-ninja').change('backup.json', (text) =>
      text.slice(0, 9000),
    );
    await expect(readPlan('invoice-ninja', cut.folder)).rejects.toThrow(
      'the file ends in the middle',
    );
    const packed = new ExportCopy('csv');
    await expect(readPlan('invoice-ninja', packed.folder)).rejects.toThrow(
      'backup.json is missing',
    );
  });
});
