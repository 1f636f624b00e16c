import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, historyOf, patched, pathOf } from './document-calls.js';
import { contentsOf, expectProblem, pointersOf, TOKENS } from '../expectations.js';

// A draft is changed; what is issued stays, but for its metadata.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const aDraft = (wish: object = {}) => client.anInvoice({ issue: false, ...wish });

/** The fields that a patch of nothing but `change` must leave alone. */
function rest(document: DocumentBody, ...change: (keyof DocumentBody)[]) {
  const moving = new Set<string>(['version', 'updated_at', ...change]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => !moving.has(name)));
}

describe('a patch of a draft', () => {
  const whole = {
    notes: 'Thanks',
    purchase_order: 'PO-1',
    metadata: { project: 'moon' },
    external_id: 'shop-1',
    discount: { percent: '10', reason: 'Loyalty' },
    charges: [{ amount: 500, reason: 'Shipping', tax_rate: '7' }],
    issue_date: '2026-11-02',
    due_date: '2026-11-30',
    language: 'de',
  };

  it('of nothing changes nothing that a reader sees', async () => {
    const draft = await aDraft(whole);
    const after = await patched(client, draft, {});
    expect(rest(after)).toEqual(rest(draft));
  });

  it('keeps what it does not name', async () => {
    const draft = await aDraft(whole);
    const after = await patched(client, draft, { notes: 'Thank you' });
    expect(after.notes).toBe('Thank you');
    expect(rest(after, 'notes')).toEqual(rest(draft, 'notes'));
    expect(await client.read(draft)).toEqual(after);
  });

  it('empties what it says null of', async () => {
    const draft = await aDraft(whole);
    const after = await patched(client, draft, {
      notes: null,
      purchase_order: null,
      metadata: null,
      external_id: null,
      discounts: null,
      charges: null,
      issue_date: null,
      due_date: null,
    });
    expect(after).toMatchObject({
      notes: null,
      purchase_order: null,
      metadata: {},
      external_id: null,
      discounts: [],
      charges: [],
      issue_date: null,
      due_date: null,
      total: 11_900,
    });
    expect(await client.read(draft)).toEqual(after);
  });

  it('replaces all lines and calculates anew', async () => {
    const draft = await aDraft({ lines: 3, discount: { percent: '50' } });
    const lines = [{ description: 'One', unit_amount: 1000, tax_rate: '7' }];
    const after = await patched(client, draft, { lines });
    expect(after.lines.map(({ description }) => description)).toEqual(['One']);
    expect([after.discount_total, after.net_total, after.tax_total, after.total]).toEqual([
      500, 500, 35, 535,
    ]);
    expect(after.tax_groups.map(({ tax_rate }) => tax_rate)).toEqual(['7']);
    expect(await client.read(draft)).toEqual(after);
  });

  it('turns prices into prices with tax, and back', async () => {
    const draft = await aDraft();
    const gross = await patched(client, draft, { prices_include_tax: true });
    expect([gross.net_total, gross.tax_total, gross.total]).toEqual([8403, 1597, 10_000]);
    const back = await patched(client, draft, { prices_include_tax: false });
    expect([back.net_total, back.tax_total, back.total]).toEqual([10_000, 1900, 11_900]);
  });

  it('rounds to coins, and stops to', async () => {
    const draft = await aDraft({ unitAmount: 9998 });
    const rounded = await patched(client, draft, { cash_rounding: 5 });
    expect([rounded.rounding_amount, rounded.total]).toEqual([2, 11_900]);
    const exact = await patched(client, draft, { cash_rounding: null });
    expect([exact.rounding_amount, exact.total]).toEqual([0, 11_898]);
  });

  it('bills another customer, old or new', async () => {
    const other = await client.aCustomer({ name: 'Initech AG' });
    const draft = await aDraft();
    const switched = await patched(client, draft, { customer_id: other.id });
    expect([switched.customer_id, switched.customer.name]).toEqual([other.id, 'Initech AG']);
    const renewed = await patched(client, draft, { customer: { name: 'Hooli' } });
    expect(renewed.customer.name).toBe('Hooli');
    expect([other.id, draft.customer_id]).not.toContain(renewed.customer_id);
    const issued = await client.issue(draft);
    expect(issued.customer.name).toBe('Hooli');
  });

  it('changes the currency, and can be paid in it', async () => {
    const draft = await aDraft();
    const after = await patched(client, draft, { currency: 'USD' });
    expect([after.currency, after.total, after.amount_due]).toEqual(['USD', 11_900, 0]);
    const issued = await client.issue(draft);
    const paid = await client.pay(issued, { amount: 11_900, currency: 'USD' });
    expect([paid.status, paid.body['status']]).toEqual([201, 'paid']);
  });

  it.each<[object, object, string]>([
    [{ due_date: '2026-11-30' }, { payment_terms_days: 7 }, '2026-11-09'],
    [{ payment_terms_days: 7 }, { due_date: '2026-11-30' }, '2026-11-30'],
    [{ payment_terms_days: 7 }, { payment_terms_days: 10 }, '2026-11-12'],
    [{ due_date: '2026-11-30', payment_terms_days: undefined }, { due_date: null }, '2026-12-02'],
    [{ payment_terms_days: 7 }, { payment_terms_days: null }, '2026-12-02'],
    [{ payment_terms_days: 7 }, { notes: 'x' }, '2026-11-09'],
  ])('of %j by %j is due on the date that was said last', async (before, change, due) => {
    const draft = await aDraft({ issue_date: '2026-11-02', ...before });
    await patched(client, draft, change);
    expect((await client.issue(draft)).due_date).toBe(due);
  });

  it('is refused with both ways to say when it is due', async () => {
    const draft = await aDraft();
    const both = { due_date: '2099-01-01', payment_terms_days: 3 };
    const problem = expectProblem(await client.patch(pathOf(draft), both), 422, 'said_twice');
    expect(pointersOf(problem)).toEqual(['/payment_terms_days']);
  });

  it.each<[string, object, string, string]>([
    ['no line', { lines: [] }, 'too_few_items', '/lines'],
    ['null for lines', { lines: null }, 'required', '/lines'],
    ['a kind', { kind: 'quote' }, 'unknown_field', '/kind'],
    ['a number', { number: 'INV-1' }, 'unknown_field', '/number'],
    ['issue', { issue: true }, 'unknown_field', '/issue'],
    ['a total', { total: 1 }, 'unknown_field', '/total'],
    ['an early due date', { due_date: '2000-01-01' }, 'due_before_issue', '/due_date'],
    [
      'a discount of more than all',
      { discount: { amount: 10_001 } },
      'discount_too_large',
      '/discounts',
    ],
    [
      'a customer of nobody',
      { customer_id: `cus_${'0'.repeat(26)}` },
      'unknown_customer',
      '/customer_id',
    ],
  ])('with %s is refused and changes nothing', async (_, body, code, pointer) => {
    const draft = await aDraft({ issue_date: '2026-11-02' });
    const before = await contentsOf(service.database);
    const problem = expectProblem(await client.patch(pathOf(draft), body), 422, code);
    expect(pointersOf(problem)).toEqual([pointer]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is in the history, with what it changed', async () => {
    const draft = await aDraft({ notes: 'a' });
    await patched(client, draft, { notes: 'b', purchase_order: 'PO' });
    const last = (await historyOf(client, draft)).at(-1);
    expect(last).toMatchObject({
      type: 'document.updated',
      actor: { type: 'client', id: client.id },
      from: 'draft',
      to: 'draft',
      version: 2,
    });
    expect(last?.changes).toEqual([
      { field: '/notes', from: 'a', to: 'b' },
      { field: '/purchase_order', from: null, to: 'PO' },
    ]);
  });

  it.each(['json', 'merge-patch+json'])('may be sent as application/%s', async (type) => {
    const draft = await aDraft();
    const headers = { 'content-type': `application/${type}` };
    const answer = await client.patch(pathOf(draft), { notes: 'x' }, headers);
    expect([answer.status, answer.body['notes']]).toEqual([200, 'x']);
  });
});

describe('a patch of an issued document', () => {
  it('changes its metadata and nothing else', async () => {
    const invoice = await client.anInvoice({ metadata: { a: '1', b: '2' } });
    const after = await patched(client, invoice, { metadata: { a: '3' } });
    expect(after.metadata).toEqual({ a: '3' });
    expect(rest(after, 'metadata')).toEqual(rest(invoice, 'metadata'));
    expect(after.version).toBe(invoice.version + 1);
    expect((await historyOf(client, invoice)).at(-1)?.changes).toEqual([
      { field: '/metadata/a', from: '1', to: '3' },
      { field: '/metadata/b', from: '2', to: null },
    ]);
  });

  it('of nothing keeps its metadata', async () => {
    const invoice = await client.anInvoice({ metadata: { a: '1' } });
    expect((await patched(client, invoice, {})).metadata).toEqual({ a: '1' });
  });

  it('with another field is refused, and says the way out', async () => {
    const invoice = await client.anInvoice();
    const paid = await client.anInvoice();
    await client.pay(paid, { amount: 11_900 });
    const before = await contentsOf(service.database, TOKENS);
    const body = { metadata: { a: 'b' }, notes: 'x' };
    const open = expectProblem(
      await client.patch(pathOf(invoice), body),
      409,
      'document_not_draft',
    );
    expect(open['document_status']).toBe('open');
    expect(open['detail']).toMatch(/revise/i);
    const settled = expectProblem(
      await client.patch(pathOf(paid), body),
      409,
      'document_not_draft',
    );
    expect(settled['document_status']).toBe('paid');
    expect(settled['detail']).toMatch(/credit note/i);
    expect(await contentsOf(service.database, TOKENS)).toEqual(before);
  });
});
