import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { type DocumentWish, requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  DOCUMENTS,
  creditOf,
  closeWithBooks,
  good,
  historyOf,
  made,
  pathOf,
  taxLeft,
} from './document-calls.js';
import { balancesOf } from '../books/books.js';
import { expectProblem } from '../expectations.js';

// The rest of an invoice after a credit note, its sums to the last cent, and a note without an
// invoice.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const credit = (invoice: { id: string }, body: object = {}) =>
  made(client, invoice, 'credit-notes', body);
const refused = (invoice: { id: string }, body: object = {}) =>
  client.post(pathOf(invoice, 'credit-notes'), body);

describe('a credited invoice', () => {
  it('cannot be voided, rejected or revised until its credit notes are void', async () => {
    const invoice = await client.anInvoice();
    const token = await client.aPortalToken(invoice);
    const note = await credit(invoice, { amount: 100 });
    const problem = expectProblem(
      await client.post(pathOf(invoice, 'void')),
      409,
      'document_not_voidable',
    );
    expect(problem['detail']).toMatch(/credit note/i);
    expectProblem(await client.post(pathOf(invoice, 'revise')), 409, 'document_not_revisable');
    const reject = { method: 'POST', body: { reason: 'No' } };
    expectProblem(
      await service.call(`/v1/portal/${token}/reject`, reject),
      409,
      'document_not_rejectable',
    );
    await client.void(note);
    expect((await client.void(invoice)).status).toBe('void');
  });

  it('may be written off for the rest', async () => {
    const invoice = await client.anInvoice();
    await credit(invoice, { amount: 1900 });
    const off = good(await client.post<DocumentBody>(pathOf(invoice, 'write-off')), 200);
    expect(off).toMatchObject({
      status: 'uncollectible',
      amount_due: 0,
      amount_written_off: 10_000,
    });
    expect((await client.pay(invoice, { amount: 10_000 })).body['status']).toBe('paid');
  });

  it('explains what was credited', async () => {
    const invoice = await client.anInvoice();
    await credit(invoice, { amount: 900 });
    await client.pay(invoice, { amount: 1000 });
    const calculation = good(await client.get(pathOf(invoice, 'calculation')), 200);
    expect(calculation).toMatchObject({
      total: 11_900,
      amount_credited: 900,
      amount_paid: 1000,
      amount_due: 10_000,
    });
  });
});

describe('an invoice that is written off', () => {
  const STEPS = {
    'write-off': { 'write-off': {} },
    credit: { 'credit-notes': { amount: 2380 } },
    payment: { payments: { amount: 4760, method: 'bank_transfer' } },
  };
  type Step = keyof typeof STEPS;

  /** The books of an account that has one invoice, after these steps. */
  async function booksAfter(steps: readonly Step[], isTakenBack: boolean) {
    const own = await service.aClient();
    const invoice = await own.anInvoice();
    for (const step of steps) {
      for (const [path, body] of Object.entries(STEPS[step])) {
        expect((await own.post(pathOf(invoice, path), body)).status).toBeLessThan(300);
      }
    }
    if (isTakenBack) good(await own.post(pathOf(invoice, 'write-off/reverse')), 200);
    return balancesOf(service, own);
  }

  it.each([
    ['lost', false, { bad_debt: 4760 }],
    ['asked for again', true, { receivables: 4760 }],
  ])('may be credited, and is %s in any order', async (_, isTakenBack, rest) => {
    const orders: Step[][] = [
      ['payment', 'credit', 'write-off'],
      ['credit', 'payment', 'write-off'],
      ['credit', 'write-off', 'payment'],
      ['payment', 'write-off', 'credit'],
      ['write-off', 'payment', 'credit'],
      ['write-off', 'credit', 'payment'],
    ];
    for (const order of orders) {
      expect([order, await booksAfter(order, isTakenBack)]).toEqual([
        order,
        { cash: 4760, revenue: -8000, tax_payable: -1520, ...rest },
      ]);
    }
  });

  it('owes the loss again when the note is void, and gives credit above it', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 10_000 });
    good(await client.post(pathOf(invoice, 'write-off')), 200);
    const note = await credit(invoice, { amount: 5000 });
    expect(note).toMatchObject({ amount_applied: 1900, status: 'open' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_written_off: 0 });
    expect(await creditOf(client, invoice.customer_id)).toBe(3100);
    await client.void(note);
    expect(await client.read(invoice)).toMatchObject({
      status: 'uncollectible',
      amount_written_off: 1900,
    });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
  });
});

describe('the sums of an invoice with', () => {
  const KINDS: [string, DocumentWish][] = [
    ['a discount of the document', { discount: { percent: '12.5' } }],
    [
      'discounts and charges of a line',
      {
        lines: [
          {
            description: 'A',
            quantity: '3',
            unit_amount: 3333,
            tax_rate: '19',
            discounts: [{ percent: '3' }, { amount: 7 }],
            charges: [{ amount: 11 }],
          },
          { description: 'B', unit_amount: 999, tax_rate: '7' },
        ],
      },
    ],
    ['a charge with a tax of its own', { charges: [{ amount: 990, tax_rate: '7' }] }],
    ['prices with tax', { prices_include_tax: true }],
    ['cash rounding up', { cash_rounding: 5, unitAmount: 9998 }],
    ['cash rounding down', { cash_rounding: 5, unitAmount: 9910 }],
    [
      'cash rounding of prices with tax',
      { cash_rounding: 100, unitAmount: 9951, prices_include_tax: true },
    ],
    [
      'no tax and a reason',
      {
        lines: [
          {
            description: 'A',
            unit_amount: 5000,
            tax_category: 'AE',
            tax_exemption_reason: 'Reverse charge',
          },
        ],
      },
    ],
    [
      'a line of nothing',
      {
        lines: [
          { description: 'Free', unit_amount: 0 },
          { description: 'A', unit_amount: 5000, tax_rate: '19' },
        ],
      },
    ],
  ];

  it.each(KINDS)('%s are given back whole', async (_, wish) => {
    const invoice = await client.anInvoice(wish);
    const note = await credit(invoice);
    expect(note).toMatchObject({
      total: invoice.total,
      net_total: invoice.net_total,
      tax_total: invoice.tax_total,
      rounding_amount: invoice.rounding_amount,
      tax_groups: invoice.tax_groups,
    });
    expect(await client.read(note)).toEqual(note);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_creditable: 0 });
    good(await client.get(pathOf(note, 'calculation')), 200);
  });

  it.each(KINDS)('%s are given back in parts, to the last cent', async (_, wish) => {
    const invoice = await client.anInvoice(wish);
    const first = await credit(invoice, {
      lines: [{ position: invoice.lines.length, amount: 100 }],
    });
    const second = await credit(invoice, { amount: 777 });
    const rest = await credit(invoice);
    const notes = [first, second, rest];
    expect(notes.reduce((sum, { total }) => sum + total, 0)).toBe(invoice.total);
    expect(notes.reduce((sum, note) => sum + note.rounding_amount, 0)).toBe(
      invoice.rounding_amount,
    );
    for (const [base = NaN, tax = NaN] of Object.values(taxLeft(invoice, ...notes))) {
      expect([base, tax]).toEqual([0, 0]);
    }
    for (const note of notes) {
      expect(await client.read(note)).toEqual(note);
      const steps = good(await client.get(pathOf(note, 'calculation')), 200);
      expect(steps['total']).toBe(note.total);
    }
    expect(await client.read(invoice)).toMatchObject({ amount_due: 0, amount_creditable: 0 });
  });
});

describe('a credit note of its own', () => {
  it('becomes credit of the customer as a whole', async () => {
    const note = good(
      await client.post<DocumentBody>(DOCUMENTS, { ...requestFor(), kind: 'credit_note' }),
      201,
    );
    expect(note).toMatchObject({
      kind: 'credit_note',
      number: 'CRN-00001',
      status: 'open',
      origin: null,
      total: 11_900,
      amount_applied: 0,
      amount_due: 0,
    });
    expect(await creditOf(client, note.customer_id)).toBe(11_900);
    await client.void(note);
    expect(await creditOf(client, note.customer_id)).toBe(0);
  });

  it('gives nothing while it is a draft, and may be changed and deleted', async () => {
    const body = { ...requestFor({ issue: false }), kind: 'credit_note' };
    const draft = good(await client.post<DocumentBody>(DOCUMENTS, body), 201);
    expect(await creditOf(client, draft.customer_id)).toBe(0);
    good(await client.patch(pathOf(draft), { notes: 'x' }), 200);
    const issued = await client.issue(draft);
    expect(await creditOf(client, issued.customer_id)).toBe(11_900);
    expect((await historyOf(client, issued)).map(({ type }) => type)).toEqual([
      'credit_note.created',
      'credit_note.updated',
      'credit_note.issued',
    ]);
    const other = good(await client.post<DocumentBody>(DOCUMENTS, body), 201);
    expect((await client.delete(pathOf(other))).status).toBe(204);
  });

  it('takes no payment, conversion, revision or duplicate', async () => {
    const note = good(
      await client.post<DocumentBody>(DOCUMENTS, { ...requestFor(), kind: 'credit_note' }),
      201,
    );
    expectProblem(await client.pay(note), 409, 'document_not_payable');
    expectProblem(await client.post(pathOf(note, 'convert')), 409, 'document_not_convertible');
    expectProblem(await client.post(pathOf(note, 'revise')), 409, 'document_not_revisable');
    expectProblem(await client.post(pathOf(note, 'duplicate')), 409, 'document_not_duplicable');
    expectProblem(await client.post(pathOf(note, 'write-off')), 409, 'nothing_to_write_off');
    expectProblem(await refused(note), 409, 'document_not_creditable');
  });
});
