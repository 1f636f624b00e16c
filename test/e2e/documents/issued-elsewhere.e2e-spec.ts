import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, closeWithBooks, good, pathOf } from './document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// A document that was issued elsewhere keeps the figures that it has there.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const create = (wish: object) => client.post<DocumentBody>(DOCUMENTS, requestFor({ ...wish }));

const OLD = { number: 'OLD-17', issue_date: '2026-10-01' };
const aLine = (over: object = {}) => ({
  description: 'Cable',
  quantity: '3',
  unit_amount: 333,
  tax_rate: '19',
  issued_net_amount_decimal: '1000',
  ...over,
});

describe('a net amount of a document that was issued elsewhere', () => {
  it('is kept and warned of, and all sums follow from it', async () => {
    const discounts = [{ percent: '10', reason: 'Loyalty' }];
    const lines = [aLine({ discounts }), aLine({ issued_net_amount_decimal: '999' })];
    const invoice = good(await create({ ...OLD, lines }), 201);
    const [first, second] = invoice.lines;
    // Ten percent are of quantity times price; what stands above them makes up the amount.
    expect(first).toMatchObject({ subtotal: 1100, amount: 1000, net_amount: 1000 });
    expect(first?.discounts).toMatchObject([{ amount: 100 }]);
    expect(second).toMatchObject({ subtotal: 999, net_amount: 999 });
    expect(invoice).toMatchObject({ net_total: 1999, tax_total: 380, total: 2379 });
    const told = invoice.warnings?.filter(({ code }) => code === 'line_amount_differs');
    expect(told?.map(({ pointer }) => pointer)).toEqual(['/lines/0/net_amount']);
    const { body } = await client.get<{ steps: { figure: string; amount: number }[] }>(
      pathOf(invoice, 'calculation'),
    );
    expect(body.steps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ figure: '/lines/0/subtotal', amount: 1100 }),
        expect.objectContaining({ figure: '/lines/0/amount', amount: 1000 }),
      ]),
    );
    // A credit note takes back what was billed, and a copy is priced anew.
    const note = await client.post<DocumentBody>(pathOf(invoice, 'credit-notes'), {
      lines: [{ position: 1 }],
    });
    expect(good(note, 201)).toMatchObject({ net_total: 1000, tax_total: 190 });
    const copy = good(await client.post<DocumentBody>(pathOf(invoice, 'duplicate'), {}), 201);
    expect(copy.lines[0]).toMatchObject({ subtotal: 999, net_amount: 899 });
    expect(copy.lines[0]).not.toHaveProperty('issued_net_amount_decimal');
  });

  it('may take back with a quantity above zero', async () => {
    const turned = aLine({ issued_net_amount_decimal: '-999' });
    const invoice = good(await create({ ...OLD, lines: [aLine({ quantity: '30' }), turned] }), 201);
    expect(invoice.lines[1]).toMatchObject({ quantity: '3', subtotal: -999, net_amount: -999 });
    expect(invoice).toMatchObject({ net_total: 1, tax_total: 0, total: 1 });
    expect(await client.read(invoice)).toMatchObject({ lines: invoice.lines });
    const copy = good(await client.post<DocumentBody>(pathOf(invoice, 'duplicate'), {}), 201);
    expect(copy.lines[1]).toMatchObject({ quantity: '-3', net_amount: -999 });
  });

  it('of another sign is credited whole or by an amount', async () => {
    const turned = aLine({ issued_net_amount_decimal: '-900' });
    const lines = [aLine({ issued_net_amount_decimal: '5000' }), turned, turned];
    const invoice = good(await create({ ...OLD, lines }), 201);
    const credited = async (...taken: object[]) =>
      client.post<DocumentBody>(pathOf(invoice, 'credit-notes'), { lines: taken });
    const byQuantity = await credited({ position: 1 }, { position: 2, quantity: '1' });
    expectProblem(byQuantity, 422, 'quantity_exceeds_line');
    expect(pointersOf(byQuantity.body as object)).toEqual(['/lines/1/quantity']);
    const taken = [{ position: 1, amount: 4000 }, { position: 2 }, { position: 3, amount: -119 }];
    const note = good(await credited(...taken), 201);
    expect(note.lines.map(({ quantity, amount }) => [quantity, amount])).toEqual([
      ['1', 4000],
      ['-3', -1071],
      ['-1', -119],
    ]);
    expect(note.total).toBe(4000 - 1071 - 119);
    // All that is left of it, too.
    const rest = good(await client.post<DocumentBody>(pathOf(invoice, 'credit-notes'), {}), 201);
    expect(note.total + rest.total).toBe(invoice.total);
  });

  it('is of no other document, and not with tax in it', async () => {
    const pointers = ['/lines/0/issued_net_amount_decimal'];
    const fresh = await create({ lines: [aLine()] });
    const withTax = await create({ ...OLD, prices_include_tax: true, lines: [aLine()] });
    const draft = await client.anInvoice({ issue: false });
    const changed = await client.patch(pathOf(draft), { lines: [aLine()] });
    for (const refused of [fresh, withTax, changed]) {
      expectProblem(refused, 422, 'issued_amount_needs_number');
      expect(pointersOf(refused.body as object)).toEqual(pointers);
    }
  });

  it.each([
    [
      'below its charges',
      { issued_net_amount_decimal: '10', charges: [{ amount: 20, reason: 'Freight' }] },
      'issued_amount_not_possible',
    ],
    ['with decimals', { issued_net_amount_decimal: '1000.00' }, 'invalid_decimal'],
    ['without an end', { issued_net_amount_decimal: '9'.repeat(400) }, 'invalid_decimal'],
  ])('is refused %s', async (_, over, code) => {
    const refused = await create({ ...OLD, lines: [aLine(over)] });
    expectProblem(refused, 422, code);
    expect(pointersOf(refused.body as object)).toEqual(['/lines/0/issued_net_amount_decimal']);
  });
});

describe('a tax of a document that was issued elsewhere', () => {
  const lines = [
    { description: 'Energy', quantity: '1', unit_amount: 10_000, tax_rate: '19' },
    { description: 'Book', quantity: '1', unit_amount: 999, tax_rate: '7' },
  ];

  it('is kept and warned of, and the total follows from it', async () => {
    const issued_taxes = [{ tax_rate: '19.0', tax_amount: 1905 }];
    const invoice = good(await create({ ...OLD, lines, issued_taxes }), 201);
    expect(invoice).toMatchObject({
      issued_taxes,
      tax_groups: [{ tax_amount: 1905 }, { tax_amount: 70 }],
      net_total: 10_999,
      tax_total: 1975,
      total: 12_974,
    });
    const told = invoice.warnings?.filter(({ code }) => code === 'tax_amount_differs');
    expect(told?.map(({ pointer }) => pointer)).toEqual(['/tax_groups/0/tax_amount']);
    const { body } = await client.get<{ steps: { figure: string }[] }>(
      pathOf(invoice, 'calculation'),
    );
    expect(body.steps).toContainEqual({
      figure: '/tax_groups/0/tax_amount',
      amount: 1905,
      formula: '19.05',
      rule: 'the tax as it was issued elsewhere (BT-117)',
    });
    const { text } = await client.get(pathOf(invoice, 'xml?profile=en16931-ubl'));
    expect(text).toContain('<cbc:TaxAmount currencyID="EUR">19.05</cbc:TaxAmount>');
    // A credit note takes back what was billed, and a copy is taxed anew.
    const note = await client.post<DocumentBody>(pathOf(invoice, 'credit-notes'), {
      lines: [{ position: 1 }],
    });
    expect(good(note, 201)).toMatchObject({ net_total: 10_000, tax_total: 1905 });
    expect(note.body).not.toHaveProperty('issued_taxes');
    const copy = good(await client.post<DocumentBody>(pathOf(invoice, 'duplicate'), {}), 201);
    expect(copy).toMatchObject({ tax_total: 1970 });
    expect(copy).not.toHaveProperty('issued_taxes');
    const revised = good(await client.post<DocumentBody>(pathOf(copy, 'issue'), {}), 200);
    expect(revised.warnings ?? []).not.toContainEqual(
      expect.objectContaining({ code: 'tax_amount_differs' }),
    );
  });

  it('may be off by more than there are lines, and of a rate that takes back', async () => {
    const back = { description: 'Deposit', quantity: '-1', unit_amount: 500, tax_rate: '10' };
    const issued_taxes = [
      { tax_rate: '19', tax_category: 'S', tax_amount: 2000 },
      { tax_rate: '10', tax_amount: -42 },
    ];
    const invoice = good(await create({ ...OLD, lines: [...lines, back], issued_taxes }), 201);
    expect(invoice.tax_groups.map(({ tax_amount }) => tax_amount)).toEqual([2000, -42, 70]);
    const note = good(await client.post<DocumentBody>(pathOf(invoice, 'credit-notes'), {}), 201);
    expect(note).toMatchObject({ total: invoice.total, tax_total: invoice.tax_total });
  });

  it('is of no other document, and not with tax in prices', async () => {
    const issued_taxes = [{ tax_rate: '19', tax_amount: 1905 }];
    const draft = await client.anInvoice({ issue: false });
    for (const refused of [
      await create({ lines, issued_taxes }),
      await create({ ...OLD, prices_include_tax: true, lines, issued_taxes }),
      await client.patch(pathOf(draft), { issued_taxes }),
    ]) {
      expectProblem(refused, 422, 'issued_amount_needs_number');
      expect(pointersOf(refused.body as object)).toEqual(['/issued_taxes']);
    }
  });

  it.each([
    ['of no line', { tax_rate: '5', tax_amount: 1 }],
    ['above what it is on', { tax_rate: '19', tax_amount: 10_001 }],
    ['of the other sign', { tax_rate: '7', tax_amount: -1 }],
    ['of another category', { tax_rate: '19', tax_category: 'L', tax_amount: 1900 }],
  ])('is refused %s', async (_, tax) => {
    const refused = await create({ ...OLD, lines, issued_taxes: [tax] });
    expectProblem(refused, 422, 'issued_tax_not_possible');
    expect(pointersOf(refused.body as object)).toEqual(['/issued_taxes/0']);
  });

  it('is refused where there is none, and twice', async () => {
    const untaxed = [{ description: 'Lesson', unit_amount: 900, tax_category: 'E' }];
    const none = { tax_rate: '0', tax_category: 'E', tax_amount: 1 };
    const refused = await create({ ...OLD, lines: untaxed, issued_taxes: [none] });
    expectProblem(refused, 422, 'issued_tax_not_possible');
    const tax = { tax_rate: '19', tax_amount: 1900 };
    const twice = await create({ ...OLD, lines, issued_taxes: [tax, tax] });
    expectProblem(twice, 422, 'said_twice');
    expect(pointersOf(twice.body as object)).toEqual(['/issued_taxes/1']);
  });
});

describe('the due date of a document that was issued elsewhere', () => {
  it('may be before its issue, in one step and as a draft that is replaced', async () => {
    const due = { ...OLD, due_date: '2026-09-15' };
    const invoice = good(await create(due), 201);
    expect(invoice).toMatchObject({ due_date: '2026-09-15', is_overdue: true });
    const path = `${DOCUMENTS}/by-external-id/old-18`;
    good(await client.put(path, requestFor({ issue: false })), 201);
    const put = await client.put<DocumentBody>(path, requestFor({ ...due, number: 'OLD-18' }));
    expect(good(put, 200)).toMatchObject({ due_date: '2026-09-15', status: 'open' });
  });

  it('is never before that of a document of ours', async () => {
    const early = { issue_date: '2026-11-20', due_date: '2026-11-19' };
    expectProblem(await create(early), 422, 'due_before_issue');
    expectProblem(await create({ ...early, issue: false }), 422, 'due_before_issue');
  });
});
