import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CustomerBody } from '../../../src/documents/wire/customer.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { DOCUMENTS, pageOf } from './list-calls.js';

// Customers and documents by the caller's own ids: read, create or replace, and who has one.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const CUSTOMERS = '/v1/finance/customers';
const customerAt = (id: string) => `${CUSTOMERS}/by-external-id/${encodeURIComponent(id)}`;
const documentAt = (id: string) => `${DOCUMENTS}/by-external-id/${encodeURIComponent(id)}`;
const LINE = { description: 'Work', unit_amount: 1000 };
const TERMS = { customer: { name: 'Globex' }, lines: [LINE] };

/** They have a slash, a blank, another alphabet, or the name of a step. */
const ODD = ['a/b', 'a b', 'Ä-1', 'calculation', 'statement', 'credit', 'payments', '%'];

describe('a customer', () => {
  it('is created, then replaced as a whole, and read by that id', async () => {
    const first = await client.put<CustomerBody>(customerAt('K-1'), {
      name: 'Globex',
      email: 'a@b.eu',
    });
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"']);
    expect(first.body).toMatchObject({ external_id: 'K-1', email: 'a@b.eu', version: 1 });
    const second = await client.put<CustomerBody>(customerAt('K-1'), {
      name: 'Globex',
      currency: 'USD',
    });
    expect([second.status, second.headers.get('etag')]).toEqual([200, '"2"']);
    expect(second.body).toMatchObject({ id: first.body.id, email: null, currency: 'USD' });
    const again = await client.put<CustomerBody>(customerAt('K-1'), {
      currency: 'USD',
      name: 'Globex',
    });
    expect([again.status, again.body]).toEqual([200, second.body]);
    const read = await client.get(customerAt('K-1'));
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, second.body, '"2"']);
  });

  it.each(ODD)('may have the id %s', async (id) => {
    const { status, body } = await client.put<CustomerBody>(customerAt(id), { name: 'Globex' });
    expect([status, body.external_id]).toEqual([201, id]);
    expect((await client.get(customerAt(id))).body).toEqual(body);
  });

  it('is refused by a wrong id, a wrong body, and an older version', async () => {
    for (const id of ['x'.repeat(101), ' a', 'a\0']) {
      const problem = expectProblem(
        await client.put(customerAt(id), { name: 'G' }),
        422,
        'invalid_text',
      );
      expect(pointersOf(problem)).toEqual(['/external_id']);
    }
    const both = { name: 'G', external_id: 'K-2' };
    expectProblem(await client.put(customerAt('K-1'), both), 422, 'unknown_field');
    const stale = { 'if-match': '"7"' };
    expectProblem(
      await client.put(customerAt('K-1'), { name: 'G' }, stale),
      412,
      'version_mismatch',
    );
    expectProblem(await client.get(customerAt('K-1')), 404, 'customer_not_found');
    expectProblem(await client.get(customerAt('a\0')), 404, 'customer_not_found');
    await client.put(customerAt('K-1'), { name: 'G' });
    expectProblem(
      await client.put(customerAt('K-1'), { name: 'H' }, stale),
      412,
      'version_mismatch',
    );
    const right = await client.put(customerAt('K-1'), { name: 'H' }, { 'if-match': '"1"' });
    expect(right.status).toBe(200);
  });

  it('is another one in another account', async () => {
    const own = await client.put<CustomerBody>(customerAt('K-1'), { name: 'Globex' });
    const stranger = await service.aClient();
    expectProblem(await stranger.get(customerAt('K-1')), 404, 'customer_not_found');
    const other = await stranger.put<CustomerBody>(customerAt('K-1'), { name: 'Initech' });
    expect([other.status, other.body.id === own.body.id]).toEqual([201, false]);
    expect((await client.get(customerAt('K-1'))).body).toEqual(own.body);
  });
});

describe('a document', () => {
  it('is created as a draft, replaced as a whole, and issued', async () => {
    const full = { ...TERMS, notes: 'Thank you', metadata: { a: '1' }, purchase_order: 'PO' };
    const first = await client.put<DocumentBody>(documentAt('D-1'), full);
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"']);
    expect(first.body).toMatchObject({ status: 'draft', external_id: 'D-1', total: 1000 });
    const other = { ...TERMS, lines: [{ ...LINE, quantity: '2' }] };
    const second = await client.put<DocumentBody>(documentAt('D-1'), other);
    expect(second.status).toBe(200);
    const { id, customer_id } = first.body;
    expect(second.body).toMatchObject({ id, total: 2000, notes: null, metadata: {}, customer_id });
    expect(second.body.purchase_order).toBeNull();
    expect((await client.get(documentAt('D-1'))).body).toEqual(second.body);
    const issued = await client.put<DocumentBody>(documentAt('D-1'), { ...other, issue: true });
    expect([issued.status, issued.body.status]).toEqual([200, 'open']);
    expect(issued.body.number).toMatch(/\d/);
    expect((await client.read(issued.body)).total).toBe(2000);
    const expanded = await client.get<DocumentBody>(`${documentAt('D-1')}?expand=customer`);
    expect(expanded.body.expanded?.customer?.id).toBe(customer_id);
    const problem = expectProblem(
      await client.put(documentAt('D-1'), full),
      409,
      'document_not_draft',
    );
    expect(problem).toMatchObject({ document_id: id, document_status: 'open' });
  });

  it('takes the customer that it is given', async () => {
    const first = await client.put<DocumentBody>(documentAt('D-1'), TERMS);
    const renamed = { ...TERMS, customer: { name: 'Initech' } };
    const second = await client.put<DocumentBody>(documentAt('D-1'), renamed);
    expect(second.body.customer_id).not.toBe(first.body.customer_id);
    const named = { lines: [LINE], customer_id: first.body.customer_id };
    const third = await client.put<DocumentBody>(documentAt('D-1'), named);
    expect(third.body).toMatchObject({ ...named, lines: [{ description: 'Work' }] });
  });

  it.each(ODD)('may have the id %s', async (id) => {
    const { status, body } = await client.put<DocumentBody>(documentAt(id), TERMS);
    expect([status, body.external_id]).toEqual([201, id]);
    expect((await client.get(documentAt(id))).body).toEqual(body);
  });

  it('is refused by another kind, an older version and wrong terms, and stays as it is', async () => {
    const { body } = await client.put<DocumentBody>(documentAt('D-1'), TERMS);
    const quote = { ...TERMS, kind: 'quote' };
    const other = expectProblem(await client.put(documentAt('D-1'), quote), 409, 'kind_differs');
    expect(other['document_id']).toBe(body.id);
    const stale = { 'if-match': '"7"' };
    expectProblem(await client.put(documentAt('D-1'), TERMS, stale), 412, 'version_mismatch');
    expectProblem(await client.put(documentAt('D-2'), TERMS, stale), 412, 'version_mismatch');
    const wrong = { ...TERMS, lines: [{ ...LINE, unit_amount: 1.5 }] };
    expectProblem(await client.put(documentAt('D-1'), wrong), 422, 'amount_not_integer');
    const late = { ...TERMS, issue: true, issue_date: '2890-01-01' };
    expectProblem(await client.put(documentAt('D-1'), late), 422, 'date_in_future');
    expect((await client.get(documentAt('D-1'))).body).toEqual(body);
    expect((await pageOf(client)).data).toHaveLength(1);
  });
});

describe('the same call', () => {
  it('sent by many at once makes one', async () => {
    for (const [path, body] of [
      [customerAt('K-1'), { name: 'Globex' }],
      [documentAt('D-1'), TERMS],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => client.put<DocumentBody>(path, body)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200, 200, 200, 200, 200, 200, 200, 201,
      ]);
      expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    }
    expect((await pageOf(client)).data).toHaveLength(1);
  });

  it('with a key is answered again as it was', async () => {
    for (const [path, body] of [
      [customerAt('K-1'), { name: 'Globex' }],
      [documentAt('D-1'), { ...TERMS, issue: true }],
    ] as const) {
      const key = { 'idempotency-key': `of ${path}` };
      const first = await client.put(path, body, key);
      const again = await client.put(path, body, key);
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
  });
});

describe('external_id_taken', () => {
  it('names the one that has it', async () => {
    const customer = (await client.put<CustomerBody>(customerAt('K-1'), { name: 'Globex' })).body;
    const again = await client.post(CUSTOMERS, { name: 'Initech', external_id: 'K-1' });
    expect(expectProblem(again, 409, 'external_id_taken')['customer_id']).toBe(customer.id);
    const draft = await client.anInvoice({ issue: false, external_id: 'D-1' });
    const other = await client.anInvoice();
    for (const answer of [
      await client.post(DOCUMENTS, { ...TERMS, external_id: 'D-1' }),
      await client.post(`${DOCUMENTS}/${other.id}/credit-notes`, { external_id: 'D-1' }),
      await client.patch(`${DOCUMENTS}/${(await client.anInvoice({ issue: false })).id}`, {
        external_id: 'D-1',
      }),
    ]) {
      expect(expectProblem(answer, 409, 'external_id_taken')['document_id']).toBe(draft.id);
    }
    const own = await client.patch(`${DOCUMENTS}/${draft.id}`, { external_id: 'D-1', notes: 'x' });
    expect(own.status).toBe(200);
  });

  it('names it also to those who were slower at the same moment', async () => {
    const wish = { ...TERMS, external_id: 'D-1' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post(DOCUMENTS, wish)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      const problem = expectProblem(answer, 409, 'external_id_taken');
      expect(problem['document_id']).toBe(made[0]?.body['id']);
    }
  });
});
