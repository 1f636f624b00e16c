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
