import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CalculationBody } from '../../../src/documents/wire/calculation.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { type DocumentWish, requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, closeWithBooks, good, made, pathOf } from './document-calls.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Every number is explained: before there is a document, and of each that there is.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const PREVIEW = `${DOCUMENTS}/preview`;

const preview = async (request: object) =>
  good(await client.post<CalculationBody>(PREVIEW, request), 200);
const calculationOf = async (document: { id: string }) =>
  good(await client.get<CalculationBody>(pathOf(document, 'calculation')), 200);

const FIGURES = [
  'lines',
  'discounts',
  'charges',
  'tax_groups',
  'subtotal',
  'discount_total',
  'charge_total',
  'net_total',
  'tax_total',
  'rounding_amount',
  'total',
  'currency',
  'prices_include_tax',
] as const;
/** The common part of a calculation and a document: only the former tells each line's shares. */
const figuresOf = (body: CalculationBody | DocumentBody) => ({
  ...Object.fromEntries(FIGURES.map((name) => [name, body[name]])),
  lines: body.lines.map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !SHARES.has(name))),
  ),
});
const SHARES = new Set(['discount_share', 'charge_share', 'gross_amount']);
/** A preview keeps no lines. */
const withoutIds = ({ lines, ...rest }: ReturnType<typeof figuresOf>) => ({
  ...rest,
  lines: lines.map((line) => ({ ...line, id: null })),
});

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

const LINES = [
  {
    description: 'Hours',
    quantity: '2.5',
    unit: 'HUR',
    unit_amount: 9999,
    tax_rate: '19',
    discounts: [{ percent: '3.5' }, { amount: 99 }],
    charges: [{ amount: 250, reason: 'At night' }],
  },
  { description: 'Books', quantity: '3', unit_amount_decimal: '1234.567', tax_rate: '7' },
  { description: 'Abroad', unit_amount: 5000, tax_category: 'AE', tax_exemption_reason: '§ 13b' },
];

const MODES: [string, DocumentWish][] = [
  ['plain', {}],
  [
    'of everything',
    {
      lines: LINES,
      discounts: [{ percent: '10' }, { amount: 77 }],
      charges: [{ percent: '2' }, { amount: 990, tax_rate: '7' }],
      cash_rounding: 5,
    },
  ],
  [
    'of everything, with tax',
    {
      lines: LINES,
      discounts: [{ percent: '10' }, { amount: 77 }],
      charges: [{ percent: '2' }, { amount: 990, tax_rate: '7' }],
      cash_rounding: 5,
      prices_include_tax: true,
    },
  ],
  ['with tax', { prices_include_tax: true, lines: 3, unitAmount: 3333 }],
  ['without decimals', { currency: 'JPY', lines: LINES }],
  ['with three decimals', { currency: 'KWD', lines: LINES, discount: { percent: '33.3333' } }],
  ['of nothing', { unitAmount: 0 }],
  ['discounted to nothing', { discount: { percent: '100' } }],
  ['of 10^13', { unitAmount: 10_000_000_000_000, taxRate: '0' }],
];

/** The value at a JSON pointer. */
const at = (body: object, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body);

describe.each(MODES)('a calculation %s', (_, wish) => {
  it('is the same in a preview, in the document and of the document', async () => {
    const shown = await preview(requestFor(wish));
    const document = await client.anInvoice(wish);
    const explained = await calculationOf(document);
    expect(withoutIds(figuresOf(shown))).toEqual(withoutIds(figuresOf(document)));
    expect(shown.lines.every(({ id }) => id === null)).toBe(true);
    expect(figuresOf(explained)).toEqual(figuresOf(document));
    expect(shown.steps).toEqual(explained.steps.slice(0, shown.steps.length));
    const amounts = (list: 'discounts' | 'charges') =>
      sumOf(shown[list].filter(({ tax_rate }) => tax_rate === null).map(({ amount }) => amount));
    expect(sumOf(shown.lines.map((line) => line.discount_share))).toBe(amounts('discounts'));
    expect(sumOf(shown.lines.map((line) => line.charge_share))).toBe(amounts('charges'));
  });

  it('tells in each step a figure of its own', async () => {
    const document = await client.anInvoice(wish);
    const { steps, ...body } = await calculationOf(document);
    for (const { figure, amount, formula, rule } of steps) {
      expect([figure, at(body, figure)]).toEqual([figure, amount]);
      expect([figure, formula, rule]).toEqual([
        figure,
        expect.stringMatching(/\d/),
        expect.stringMatching(/\w/),
      ]);
    }
    const explained = new Set(steps.map(({ figure }) => figure));
    expect(explained.size).toBe(steps.length);
  });
});

describe('a preview', () => {
  it('stores nothing, whatever it is asked', async () => {
    const customer = await client.aCustomer({ currency: 'CHF' });
    const before = await contentsOf(service.database);
    await preview(requestFor());
    await preview(requestFor({ issue: false, kind: 'quote', external_id: 'x' }));
    const own = requestFor({ customer: undefined, customer_id: customer.id });
    expect((await preview(own)).currency).toBe('CHF');
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('needs no more than lines', async () => {
    const lines = [{ description: 'A', quantity: '0.1', unit_amount: 3 }];
    expect(await preview({ lines })).toMatchObject({ currency: 'EUR', total: 0, amount_due: 0 });
  });

  it('refuses what creating would refuse', async () => {
    const lines = [{ description: 'A', unit_amount: 1, tax_rate: '19', tax_category: 'E' }];
    const answer = await client.post(PREVIEW, { lines, discount: {} });
    const problem = expectProblem(answer, 422, 'validation_failed');
    expect(pointersOf(problem)).toEqual(['/discounts/0/percent', '/lines/0/tax_rate']);
    const other = await service.aClient();
    const { id } = await other.aCustomer();
    const foreign = requestFor({ customer: undefined, customer_id: id });
    expectProblem(await client.post(PREVIEW, foreign), 422, 'unknown_customer');
  });

  it('may be asked for by who only reads', async () => {
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    expect((await reader.post(PREVIEW, requestFor())).status).toBe(200);
    const payer = await service.aClient({ of: client, scopes: ['payments:read'] });
    expectProblem(await payer.post(PREVIEW, requestFor()), 403, 'insufficient_scope');
  });
});

describe('what has happened since', () => {
  it('is the end of the calculation: credited, paid, due', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 1900 });
    await made(client, invoice, 'credit-notes', { amount: 1000 });
    const { steps, ...body } = await calculationOf(invoice);
    expect(body).toMatchObject({ amount_credited: 1000, amount_paid: 1900, amount_due: 9000 });
    const due = steps.find(({ figure }) => figure === '/amount_due');
    expect(due).toMatchObject({ formula: '119.00 − 10.00 − 19.00 = 90.00', amount: 9000 });
  });

  it('of a credit note is that nothing is due', async () => {
    const note = await made(client, await client.anInvoice(), 'credit-notes');
    const { steps, ...body } = await calculationOf(note);
    expect(body.amount_due).toBe(0);
    const due = steps.find(({ figure }) => figure === '/amount_due');
    expect(due?.formula).toBe('0.00');
  });
});

describe('1,000 lines', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => ({
    description: `Line ${index}`,
    quantity: `${index % 7}.${index % 10}`,
    unit_amount_decimal: `${index}.123456789012`,
    tax_rate: `${index % 3 === 0 ? 19 : 7}`,
    discounts: [{ percent: '1.5' }],
  }));
  const wish = {
    lines,
    discounts: [{ percent: '7.77' }, { amount: 12_345 }],
    charges: [{ amount: 999 }],
  };

  it.each([false, true])(
    'are stored, read and explained alike, with tax: %s',
    async (withTax) => {
      const document = await client.anInvoice({ ...wish, prices_include_tax: withTax });
      expect(await client.read(document)).toEqual(document);
      const explained = await calculationOf(document);
      expect(figuresOf(explained)).toEqual(figuresOf(document));
      const note = await made(client, document, 'credit-notes', {
        lines: Array.from({ length: 900 }, (_, index) => ({ position: index + 50 })).filter(
          ({ position }) => (document.lines[position - 1]?.net_amount ?? 0) > 0,
        ),
      });
      const rest = await made(client, document, 'credit-notes');
      expect(note.total + rest.total).toBe(document.total);
    },
    30_000,
  );
});
