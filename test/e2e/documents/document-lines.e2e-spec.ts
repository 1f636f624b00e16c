import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { aCreditNote } from '../../support/documents.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { closeWithBooks, historyOf, patched, pathOf } from './document-calls.js';

// A line has an id that stays, and names by which its caller knows it.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const work = { description: 'Work', unit_amount: 10_000, external_id: 'row-1', sku: 'W-1' };
const book = { description: 'Book', unit_amount: 1_990, metadata: { shelf: '7' } };
const aDraft = (wish: object = {}) =>
  client.anInvoice({ issue: false, lines: [work, book], ...wish });
const idsOf = ({ lines }: DocumentBody) => lines.map(({ id }) => id ?? '');

describe('the id of a line', () => {
  it('stays when its draft changes, and when it is sent again, in any place', async () => {
    const draft = await aDraft();
    const [first = '', second = ''] = idsOf(draft);
    expect([first, second]).toEqual([
      expect.stringMatching(/^line_[0-9a-z]{26}$/),
      expect.stringMatching(/^line_[0-9a-z]{26}$/),
    ]);
    expect(first).not.toBe(second);
    const noted = await patched(client, draft, { notes: 'Thanks' });
    expect(noted.lines).toEqual(draft.lines);

    const lines = [{ ...book, id: second }, { description: 'New', unit_amount: 5 }, { ...work }];
    const moved = await patched(client, draft, { lines });
    const [kept, added, again] = idsOf(moved);
    expect(kept).toBe(second);
    expect(new Set([first, second, added, again]).size).toBe(4);
    const issued = await client.post<DocumentBody>(`${pathOf(draft)}/issue`);
    expect(idsOf(issued.body)).toEqual(idsOf(moved));
    expect(await client.read(issued.body)).toMatchObject({ lines: issued.body.lines });
  });

  it('is refused where the draft has no such line, and twice, all at once', async () => {
    const draft = await aDraft();
    const [first = ''] = idsOf(draft);
    const [foreign = ''] = idsOf(await aDraft());
    const lines = [first, first, foreign, 'line_1'].map((id) => ({ ...book, id }));
    const refused = await client.patch(pathOf(draft), { lines: lines.slice(0, 3) });
    expectProblem(refused, 422, 'validation_failed');
    expect(refused.body['errors']).toMatchObject([
      { pointer: '/lines/1/id', code: 'said_twice' },
      { pointer: '/lines/2/id', code: 'unknown_line' },
    ]);
    expectProblem(
      await client.patch(pathOf(draft), { lines: lines.slice(3) }),
      422,
      'unknown_line',
    );
    const body = { currency: 'EUR', customer: { name: 'Globex' }, lines: lines.slice(0, 1) };
    expectProblem(await client.post('/v1/finance/documents', body), 422, 'unknown_line');
    expectProblem(await client.post('/v1/finance/documents/preview', body), 422, 'unknown_line');
  });

  it('is its own on a duplicate, a revision and an invoice of a quote; the names go with it', async () => {
    const quote = await aDraft({ kind: 'quote', issue: true });
    const copies = await Promise.all(
      ['duplicate', 'convert'].map((step) =>
        client.post<DocumentBody>(`${pathOf(quote)}/${step}`, {}),
      ),
    );
    for (const { body } of copies) {
      expect(idsOf(body).filter((id) => idsOf(quote).includes(id))).toEqual([]);
      expect(body.lines).toMatchObject([
        { external_id: 'row-1', sku: 'W-1', metadata: {} },
        { external_id: null, sku: null, metadata: { shelf: '7' } },
      ]);
    }
    const invoice = await aDraft({ issue: true });
    const revised = await client.post<DocumentBody>(`${pathOf(invoice)}/revise`, {});
    expect(idsOf(revised.body).filter((id) => idsOf(invoice).includes(id))).toEqual([]);
    // Another id is nothing that a client would notice.
    const changes = await client.get<{ data: { field: string }[] }>(
      `${pathOf(revised.body)}/changes`,
    );
    expect(changes.body.data.filter(({ field }) => field.startsWith('/lines'))).toEqual([]);
  });
});

describe('the names of a line', () => {
  it('are in the history of an edit', async () => {
    const draft = await aDraft({ lines: [work] });
    const [id = ''] = idsOf(draft);
    const lines = [{ ...work, id, sku: 'W-2', metadata: { job: '9' } }];
    await patched(client, draft, { lines });
    const { changes } = (await historyOf(client, draft)).at(-1) as unknown as {
      changes: object[];
    };
    expect(changes).toEqual([
      { field: '/lines/0/sku', from: 'W-1', to: 'W-2' },
      { field: '/lines/0/metadata/job', from: null, to: '9' },
    ]);
  });

  it('of the caller are each on one line of a document', async () => {
    const lines = [work, book, { ...work }];
    const refused = await client.post('/v1/finance/documents', {
      customer: { name: 'Globex' },
      lines,
    });
    expectProblem(refused, 422, 'said_twice');
    expect(refused.body['errors']).toMatchObject([{ pointer: '/lines/2/external_id' }]);
  });
});

describe('a credit note', () => {
  it('names the lines of the invoice, whole and by line', async () => {
    const invoice = await aDraft({ issue: true });
    const [first, second] = idsOf(invoice);
    const part = await aCreditNote(client, invoice, { lines: [{ position: 2, amount: 100 }] });
    expect(part.lines).toMatchObject([{ credited_line_id: second, external_id: null }]);
    const other = await aDraft({ issue: true });
    const whole = await aCreditNote(client, other);
    expect(whole.lines.map(({ credited_line_id: id }) => id)).toEqual(idsOf(other));
    expect(whole.lines).toMatchObject([{ sku: 'W-1' }, { sku: null }]);
    const amount = await aCreditNote(client, invoice, { amount: 100 });
    expect(amount.lines).toMatchObject([{ credited_line_id: null }]);
    expect(first).not.toBe(second);
    expect(await client.read(whole)).toMatchObject({ lines: whole.lines });
  });
});

describe('a line below zero', () => {
  const crate = { description: 'Crate', unit_amount: 10_000, tax_rate: '19' };
  const deposit = {
    description: 'Deposit',
    quantity: '-3',
    unit_amount: 1_000,
    tax_rate: '19',
    discounts: [{ percent: '10' }, { amount: 100 }],
  };
  const back = {
    quantity: '-3',
    unit_amount_decimal: '1000',
    subtotal: -3_000,
    discounts: [{ amount: -300 }, { amount: -100 }],
    amount: -2_600,
  };

  it('takes back at its own discount, and stays the same when the draft changes', async () => {
    const draft = await aDraft({ lines: [crate, deposit], discount: { percent: '10' } });
    const figures = { subtotal: 7_400, discount_total: 740, tax_total: 1_265, total: 7_925 };
    expect(draft).toMatchObject({ ...figures, lines: [{ amount: 10_000 }, back] });
    const noted = await patched(client, draft, { notes: 'Thanks' });
    expect(noted).toMatchObject({ ...figures, lines: [{ amount: 10_000 }, back] });
    const { body } = await client.get<{ steps: { figure: string; formula: string }[] }>(
      `${pathOf(draft)}/calculation`,
    );
    const formulas = new Map(body.steps.map(({ figure, formula }) => [figure, formula]));
    expect(formulas.get('/lines/1/subtotal')).toBe('-3 × 10.00 = -30.00');
    expect(formulas.get('/lines/1/amount')).toBe('-30.00 + 3.00 + 1.00 = -26.00');
    expect(formulas.get('/subtotal')).toBe('100.00 − 26.00 = 74.00');
  });

  it('is credited with what was sold: whole, in part, and never alone', async () => {
    const invoice = await aDraft({ issue: true, lines: [crate, deposit] });
    const credit = (lines: object[]) => client.post(`${pathOf(invoice)}/credit-notes`, { lines });
    const wrong: [object[], string][] = [
      [[{ position: 2 }], 'amount_exceeds_creditable'],
      [[{ position: 1 }], 'amount_exceeds_creditable'],
      [[{ position: 2, quantity: '1' }], 'quantity_exceeds_line'],
      [[{ position: 2, quantity: '-4' }], 'quantity_exceeds_line'],
      [[{ position: 2, amount: 100 }], 'amount_exceeds_creditable'],
      [
        [
          { position: 1, amount: 1031 },
          { position: 2, quantity: '-1' },
        ],
        'amount_too_small',
      ],
    ];
    for (const [lines, code] of wrong) expectProblem(await credit(lines), 422, code);
    const one = await aCreditNote(client, invoice, {
      lines: [
        { position: 1, amount: 2_000 },
        { position: 2, quantity: '-1' },
      ],
    });
    expect(one).toMatchObject({ total: 969, lines: [{ amount: 2_000 }, { amount: -1_031 }] });
    const rest = await aCreditNote(client, invoice, { lines: [{ position: 1 }, { position: 2 }] });
    expect(one.total + rest.total).toBe(invoice.total);
    expect(await client.read(invoice)).toMatchObject({ amount_creditable: 0 });

    const other = await aDraft({ issue: true, lines: [crate, deposit] });
    const whole = await aCreditNote(client, other);
    expect(whole).toMatchObject({ total: other.total, lines: [{ amount: 10_000 }, back] });
  });

  it('is paid with the rest, and may bring a document to zero', async () => {
    const invoice = await aDraft({ issue: true, lines: [crate, deposit] });
    const free = await aDraft({ issue: true, lines: [crate, { ...crate, quantity: '-1' }] });
    expect(free).toMatchObject({ total: 0, status: 'paid', tax_groups: [{ taxable_amount: 0 }] });
    expect((await client.pay(invoice, { amount: invoice.total })).status).toBe(201);
  });
});
