import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  creditOf,
  closeWithBooks,
  good,
  historyOf,
  made,
  pathOf,
  taxLeft,
} from './document-calls.js';
import { pageOf } from './list-calls.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Credit notes take back what an invoice asked for, and never more of it.

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

/** Two lines and two rates: 3 × 20.00 at 19 % and 50.00 at 7 %: 71.40 and 53.50 with tax. */
const mixed = (over: object = {}) =>
  client.anInvoice({
    lines: [
      { description: 'Hours', quantity: '3', unit_amount: 2000, tax_rate: '19' },
      { description: 'Book', unit_amount: 5000, tax_rate: '7' },
    ],
    ...over,
  });

describe('a credit note of an unpaid invoice', () => {
  it('takes all of it back, from its own series', async () => {
    const invoice = await mixed();
    const note = await credit(invoice, { notes: 'Returned', metadata: { a: 'b' } });
    expect(note).toMatchObject({
      kind: 'credit_note',
      status: 'applied',
      number: 'CRN-00001',
      currency: 'EUR',
      customer_id: invoice.customer_id,
      customer: invoice.customer,
      origin: { relation: 'credit', id: invoice.id, number: invoice.number },
      notes: 'Returned',
      metadata: { a: 'b' },
      total: 12_490,
      amount_applied: 12_490,
      amount_due: 0,
    });
    expect(taxLeft(invoice, note)).toEqual({ 7: [0, 0], 19: [0, 0] });
    expect(await client.read(note)).toEqual(note);
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      amount_credited: 12_490,
      amount_paid: 0,
      amount_due: 0,
      amount_creditable: 0,
      follow_ups: [{ relation: 'credit', id: note.id, number: 'CRN-00001' }],
      status_transitions: { paid_at: expect.any(String) },
    });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    expectProblem(await refused(invoice), 409, 'document_not_creditable');
  });

  it('lowers what is due by a part of it', async () => {
    const invoice = await mixed();
    const note = await credit(invoice, { amount: 2490 });
    expect(note).toMatchObject({ total: 2490, status: 'applied', prices_include_tax: true });
    const after = await client.read(invoice);
    expect(after).toMatchObject({
      status: 'open',
      amount_credited: 2490,
      amount_due: 10_000,
      amount_creditable: 10_000,
    });
    expectProblem(await client.pay(invoice, { amount: 10_001 }), 422, 'amount_exceeds_due');
    const paid = await client.pay(invoice, { amount: 10_000 });
    expect(paid.body).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  it('tells what is left in every place where the invoice stands', async () => {
    const invoice = await mixed();
    await credit(invoice, { amount: 2490 });
    const { data: listed } = await pageOf(client, { ids: invoice.id });
    const expanded = await client.get<DocumentBody>(`${pathOf(invoice)}?expand=customer`);
    const [event] = await service.database.query<{ told: string }>(
      `SELECT data #>> '{document,amount_creditable}' AS told FROM events
        WHERE type = 'document.credited' AND data #>> '{document,id}' = $1`,
      [invoice.id],
    );
    const tooMuch = await refused(invoice, { amount: 10_001 });
    const problem = expectProblem(tooMuch, 422, 'amount_exceeds_creditable');
    const places = [await client.read(invoice), ...listed, good(expanded, 200), problem];
    expect([...places.map((one) => one['amount_creditable' as keyof typeof one]), event]).toEqual([
      10_000,
      10_000,
      10_000,
      10_000,
      { told: '10000' },
    ]);
    const duplicate = await made(client, invoice, 'duplicate');
    expect(duplicate.amount_creditable).toBe(0);
  });

  it('by a quantity of a line, by an amount of another, then the rest', async () => {
    const invoice = await mixed();
    const first = await credit(invoice, {
      lines: [
        { position: 1, quantity: '1' },
        { position: 2, amount: 1000 },
      ],
    });
    expect([first.total, first.lines.map(({ amount }) => amount)]).toEqual([3380, [2380, 1000]]);
    expect(first.lines.map(({ tax_rate }) => tax_rate)).toEqual(['19', '7']);
    const second = await credit(invoice, { lines: [{ position: 1 }] });
    expect(second.total).toBe(4760);
    expectProblem(
      await refused(invoice, { lines: [{ position: 1, amount: 1 }] }),
      422,
      'amount_exceeds_creditable',
    );
    const last = await credit(invoice);
    expect(last.total).toBe(4350);
    expect(taxLeft(invoice, first, second, last)['19']).toEqual([0, 0]);
    const left = taxLeft(invoice, first, second, last)['7'] ?? [];
    expect((left[0] ?? NaN) + (left[1] ?? NaN)).toBe(0);
    expect(await client.read(invoice)).toMatchObject({ amount_creditable: 0, status: 'paid' });
  });

  it('by amounts until nothing is left, and never by more', async () => {
    const invoice = await mixed();
    const notes: DocumentBody[] = [];
    for (const amount of [1, 333, 4156, 5000]) notes.push(await credit(invoice, { amount }));
    const before = await contentsOf(service.database);
    const problem = expectProblem(
      await refused(invoice, { amount: 3001 }),
      422,
      'amount_exceeds_creditable',
    );
    expect(problem).toMatchObject({ amount_creditable: 3000, currency: 'EUR' });
    expect(pointersOf(problem)).toEqual(['/amount']);
    expect(await contentsOf(service.database)).toEqual(before);
    notes.push(await credit(invoice, { amount: 3000 }));
    expect(notes.map(({ number }) => number)).toEqual([
      'CRN-00001',
      'CRN-00002',
      'CRN-00003',
      'CRN-00004',
      'CRN-00005',
    ]);
    for (const [base = NaN, tax = NaN] of Object.values(taxLeft(invoice, ...notes))) {
      expect(base + tax).toBe(0);
      // Each note rounds its own tax: half a cent a note.
      expect(Math.abs(tax)).toBeLessThanOrEqual(3);
    }
  });

  it('after one by amount, no line gives more than its tax group has left', async () => {
    const invoice = await mixed();
    await credit(invoice, { amount: 12_000 });
    expectProblem(
      await refused(invoice, { lines: [{ position: 1 }] }),
      422,
      'amount_exceeds_creditable',
    );
    expect((await credit(invoice)).total).toBe(490);
  });

  it('of 20 at once only as many as there is room for', async () => {
    const invoice = await mixed();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.post(pathOf(invoice, 'credit-notes'), { amount: 1000 }),
      ),
    );
    const done = answers.filter(({ status }) => status === 201);
    expect(done).toHaveLength(12);
    const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body['code']);
    expect(new Set(codes)).toEqual(new Set(['amount_exceeds_creditable']));
    expect((await client.read(invoice)).amount_creditable).toBe(490);
    const numbers = done.map(({ body }) => body['number']);
    expect(new Set(numbers).size).toBe(12);
  });

  it('races with a payment, and no cent is counted twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await client.anInvoice();
      const [note, paid] = await Promise.all([
        client.post(pathOf(invoice, 'credit-notes'), {}),
        client.pay(invoice, { amount: 11_900 }),
      ]);
      expect(note.status).toBe(201);
      const after = await client.read(invoice);
      expect(after).toMatchObject({ status: 'paid', amount_due: 0 });
      expect(after.amount_paid).toBe(paid.status === 201 ? 11_900 : 0);
      expect(await creditOf(client, invoice.customer_id)).toBe(after.amount_paid);
    }
  });

  it('is in the history of both', async () => {
    const invoice = await client.anInvoice();
    const note = await credit(invoice);
    expect((await historyOf(client, invoice)).at(-1)).toMatchObject({
      type: 'document.credited',
      from: 'open',
      to: 'paid',
      actor: { type: 'client', id: client.id },
    });
    expect((await historyOf(client, note)).map(({ type, to }) => [type, to])).toEqual([
      ['credit_note.created', 'draft'],
      ['credit_note.issued', 'applied'],
    ]);
  });
});

describe('a credit note of a paid invoice', () => {
  it('becomes credit of the customer, which pays another invoice', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_900 });
    const note = await credit(invoice, { amount: 5000 });
    expect(note).toMatchObject({ status: 'open', total: 5000, amount_applied: 0 });
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      amount_paid: 11_900,
      amount_credited: 0,
      amount_due: 0,
      amount_creditable: 6900,
    });
    expect(await creditOf(client, invoice.customer_id)).toBe(5000);
    const next = await client.anInvoice({
      customer: undefined,
      customer_id: invoice.customer_id,
    });
    const from = { method: 'credit_balance' };
    expectProblem(await client.pay(next, { ...from, amount: 5001 }), 422, 'insufficient_credit');
    const paid = await client.pay(next, { ...from, amount: 5000 });
    expect(paid.body).toMatchObject({ success: true, amount_due: 6900 });
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
  });

  it('is split where the invoice is paid in part', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 10_000 });
    const note = await credit(invoice);
    expect(note).toMatchObject({ status: 'open', total: 11_900, amount_applied: 1900 });
    expect(await client.read(invoice)).toMatchObject({
      status: 'paid',
      amount_credited: 1900,
      amount_paid: 10_000,
      amount_due: 0,
    });
    expect(await creditOf(client, invoice.customer_id)).toBe(10_000);
  });
});

describe('voiding a credit note', () => {
  it('makes due again what it took off, and lets it be credited again', async () => {
    const invoice = await mixed();
    const note = await credit(invoice, { lines: [{ position: 1 }] });
    const voided = await client.void(note);
    expect(voided).toMatchObject({ status: 'void', number: 'CRN-00001' });
    expect(await client.read(invoice)).toMatchObject({
      status: 'open',
      amount_credited: 0,
      amount_due: 12_490,
      amount_creditable: 12_490,
      status_transitions: { paid_at: null },
    });
    expect((await historyOf(client, invoice)).at(-1)?.type).toBe('document.credit_reversed');
    expect((await credit(invoice, { lines: [{ position: 1 }] })).total).toBe(7140);
    expectProblem(await client.post(pathOf(note, 'void')), 409, 'document_not_voidable');
  });

  it('opens an invoice again that was credited in full', async () => {
    const invoice = await client.anInvoice();
    const note = await credit(invoice);
    await client.void(note);
    expect(await client.read(invoice)).toMatchObject({
      status: 'open',
      amount_due: 11_900,
      status_transitions: { paid_at: null },
    });
  });

  it('takes the credit back, as long as it is not spent', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 11_900 });
    const kept = await credit(invoice, { amount: 2000 });
    expect(await creditOf(client, invoice.customer_id)).toBe(2000);
    await client.void(kept);
    expect(await creditOf(client, invoice.customer_id)).toBe(0);
    expect((await client.read(invoice)).amount_creditable).toBe(11_900);
    const spent = await credit(invoice, { amount: 2000 });
    const next = await client.anInvoice({ customer: undefined, customer_id: invoice.customer_id });
    good(await client.pay(next, { amount: 1, method: 'credit_balance' }), 201);
    const before = await contentsOf(service.database);
    expectProblem(await client.post(pathOf(spent, 'void')), 409, 'customer_credit_spent');
    expect(await contentsOf(service.database)).toEqual(before);
    expect((await client.read(spent)).status).toBe('open');
  });

  it('races with spending the credit, and one of them wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await client.anInvoice();
      await client.pay(invoice, { amount: 11_900 });
      const note = await credit(invoice);
      const next = await client.anInvoice({
        customer: undefined,
        customer_id: invoice.customer_id,
      });
      const [voided, paid] = await Promise.all([
        client.post(pathOf(note, 'void')),
        client.pay(next, { amount: 11_900, method: 'credit_balance' }),
      ]);
      expect([
        [200, 422],
        [409, 201],
      ]).toContainEqual([voided.status, paid.status]);
      expect(await creditOf(client, invoice.customer_id)).toBe(0);
    }
  });
});

describe('nothing is credited of', () => {
  it('a draft, a quote, a void invoice, one of nothing', async () => {
    const draft = await client.anInvoice({ issue: false });
    const quote = await client.aQuote();
    const gone = await client.anInvoice();
    await client.void(gone);
    const free = await client.anInvoice({ unitAmount: 0 });
    for (const one of [draft, quote, gone, free]) {
      expectProblem(await refused(one), 409, 'document_not_creditable');
    }
  });
});
