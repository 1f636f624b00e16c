import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, closeWithBooks, good, patched, pathOf } from './document-calls.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';
import { audited } from './numbering.js';

// Documents that were issued elsewhere keep their id and number; the rest has defaults.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

const create = (wish: object, by = client) =>
  by.post<DocumentBody>(DOCUMENTS, requestFor({ ...wish }));

describe('an external id', () => {
  it('is kept, and taken once in an account', async () => {
    const invoice = await client.anInvoice({ external_id: 'shop-1' });
    expect(invoice.external_id).toBe('shop-1');
    expect((await client.read(invoice)).external_id).toBe('shop-1');
    const before = await contentsOf(service.database);
    for (const wish of [{}, { kind: 'quote' }, { issue: false }, { kind: 'credit_note' }]) {
      expectProblem(await create({ ...wish, external_id: 'shop-1' }), 409, 'external_id_taken');
    }
    expect(await contentsOf(service.database)).toEqual(before);
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });

  it('is free in another account', async () => {
    await client.anInvoice({ external_id: 'shop-1' });
    const other = await service.aClient();
    expect((await other.anInvoice({ external_id: 'shop-1' })).external_id).toBe('shop-1');
  });

  it('goes to one of ten who want it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ external_id: 'shop-1' })),
    );
    const codes = answers.map(({ status, body }) => [status, (body as { code?: string }).code]);
    expect(codes.filter(([status]) => status === 201)).toHaveLength(1);
    const lost = codes.filter(([status]) => status !== 201);
    expect(lost).toHaveLength(9);
    for (const one of lost) expect(one).toEqual([409, 'external_id_taken']);
    expect((await client.anInvoice()).number).toBe('INV-00002');
  });

  it('stays through a PATCH, and may be changed by one as long as nobody has it', async () => {
    await client.anInvoice({ external_id: 'shop-1' });
    const draft = await client.anInvoice({ issue: false, external_id: 'shop-2' });
    expect((await patched(client, draft, { notes: 'x' })).external_id).toBe('shop-2');
    expectProblem(
      await client.patch(pathOf(draft), { external_id: 'shop-1' }),
      409,
      'external_id_taken',
    );
    expect((await patched(client, draft, { external_id: 'shop-3' })).external_id).toBe('shop-3');
    expect((await client.issue(draft)).external_id).toBe('shop-3');
  });

  it('is unique among credit notes of invoices, too', async () => {
    const invoice = await client.anInvoice({ external_id: 'shop-1' });
    const path = pathOf(invoice, 'credit-notes');
    expectProblem(await client.post(path, { external_id: 'shop-1' }), 409, 'external_id_taken');
    const note = good(await client.post<DocumentBody>(path, { external_id: 'return-1' }), 201);
    expect(note.external_id).toBe('return-1');
  });
});

describe('a given number', () => {
  const OLD = { number: '2024/0815', issue_date: '2024-03-01' };

  it('is kept, takes nothing from a series, and is not in its audit', async () => {
    await client.anInvoice();
    const old = good(await create(OLD), 201);
    expect(old).toMatchObject({
      status: 'open',
      number: '2024/0815',
      series_id: null,
      issue_date: '2024-03-01',
      due_date: '2024-03-31',
      is_overdue: true,
    });
    expect(await client.read(old)).toEqual(old);
    expect((await client.anInvoice()).number).toBe('INV-00002');
    const { complete, periods } = await audited(client, 'invoice');
    expect([complete, periods.map(({ count }) => count)]).toEqual([true, [2]]);
    expect((await client.pay(old, { amount: 11_900 })).status).toBe(201);
  });

  it.each<[string, object, string, string]>([
    ['a draft', { ...OLD, issue: false }, 'number_needs_issue', '/number'],
    ['no date', { ...OLD, issue_date: undefined }, 'number_needs_issue', '/number'],
    ['a series', { ...OLD, series_id: 'invoice' }, 'said_twice', '/number'],
    [
      'a number that the series may still give',
      { ...OLD, number: 'INV-00007' },
      'number_belongs_to_series',
      '/number',
    ],
    [
      'a number in the form of a higher one',
      { ...OLD, number: 'INV-123456' },
      'number_belongs_to_series',
      '/number',
    ],
    ['NUL', { ...OLD, number: 'A\0' }, 'invalid_text', '/number'],
    ['a line break', { ...OLD, number: 'A\nB' }, 'invalid_text', '/number'],
    ['an escape', { ...OLD, number: 'A\u001b[31m' }, 'invalid_text', '/number'],
    ['51 characters', { ...OLD, number: 'x'.repeat(51) }, 'invalid_text', '/number'],
    ['a blank', { ...OLD, number: ' ' }, 'invalid_text', '/number'],
  ])('with %s is refused and changes nothing', async (_, wish, code, pointer) => {
    await client.bearer();
    const before = await contentsOf(service.database);
    const problem = expectProblem(await create(wish), 422, code);
    expect(pointersOf(problem)).toEqual([pointer]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is taken once among documents of a kind', async () => {
    good(await create(OLD), 201);
    const before = await contentsOf(service.database);
    expectProblem(await create(OLD), 409, 'number_taken');
    expect(await contentsOf(service.database)).toEqual(before);
    good(await create({ ...OLD, kind: 'quote' }), 201);
    good(await create({ ...OLD, kind: 'credit_note' }), 201);
    good(await create(OLD, await service.aClient()), 201);
  });

  it('goes to one of ten who want it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(OLD)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
  });
});

describe('what is not said', () => {
  it('comes from the customer, then from the seller', async () => {
    good(
      await client.patch('/v1/finance/seller', {
        currency: 'USD',
        language: 'en',
        payment_terms_days: 21,
        document_notes: 'Thank you',
      }),
      200,
    );
    const plain = await client.aCustomer();
    const special = await client.aCustomer({
      currency: 'CHF',
      language: 'de',
      payment_terms_days: 5,
    });
    const wish = { customer: undefined, issue_date: '2026-11-02' };
    expect(await client.anInvoice({ ...wish, customer_id: plain.id })).toMatchObject({
      currency: 'USD',
      language: 'en',
      due_date: '2026-11-23',
      notes: 'Thank you',
    });
    expect(await client.anInvoice({ ...wish, customer_id: special.id })).toMatchObject({
      currency: 'CHF',
      language: 'de',
      due_date: '2026-11-07',
      notes: 'Thank you',
    });
    expect(
      await client.anInvoice({
        ...wish,
        customer_id: special.id,
        currency: 'JPY',
        language: 'fr',
        payment_terms_days: 1,
        notes: 'No',
      }),
    ).toMatchObject({ currency: 'JPY', language: 'fr', due_date: '2026-11-03', notes: 'No' });
  });

  it('is copied at issue, and no later change alters it', async () => {
    const customer = await client.aCustomer();
    const draft = await client.anInvoice({
      customer: undefined,
      customer_id: customer.id,
      issue: false,
    });
    good(await client.patch(`/v1/finance/customers/${customer.id}`, { name: 'Globex SE' }), 200);
    good(await client.patch('/v1/finance/seller', { name: 'Acme SE' }), 200);
    const issued = await client.issue(draft);
    expect([issued.customer.name, issued.seller.name]).toEqual(['Globex SE', 'Acme SE']);
    good(await client.patch(`/v1/finance/customers/${customer.id}`, { name: 'Globex 3' }), 200);
    good(await client.patch('/v1/finance/seller', { name: 'Acme 3' }), 200);
    expect(await client.read(draft)).toEqual(issued);
  });
});
