import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CustomerBody } from '../../../src/documents/wire/customer.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Customers are archived or deleted, and issued documents do not mind.

const CUSTOMERS = '/v1/finance/customers';
const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const at = ({ id }: { id: string }, action = '') => `${CUSTOMERS}/${id}${action}`;
const key = (text: string) => ({ 'Idempotency-Key': text });
const documentFor = (customer: { id: string }, over: object = {}) =>
  requestFor({ customer: undefined, customer_id: customer.id, ...over });

describe('an archived customer', () => {
  it('is out of the list until it is taken back; twice is as once', async () => {
    const customer = await client.aCustomer();
    const listed = async () => (await client.get<{ data: unknown[] }>(CUSTOMERS)).body.data;
    const archived = await client.post<CustomerBody>(at(customer, '/archive'));
    expect([archived.status, archived.headers.get('etag')]).toEqual([200, '"2"']);
    expect(archived.body).toEqual({
      ...customer,
      version: 2,
      archived_at: archived.body.updated_at,
      updated_at: archived.body.updated_at,
    });
    expect((await client.post(at(customer, '/archive'))).body).toEqual(archived.body);
    expect(await listed()).toEqual([]);
    const back = await client.post<CustomerBody>(at(customer, '/unarchive'));
    expect([back.body.version, back.body.archived_at]).toEqual([3, null]);
    expect((await client.post(at(customer, '/unarchive'))).body).toEqual(back.body);
    expect(await listed()).toEqual([back.body]);
  });

  it.each(['/archive', '/unarchive'])('%s takes no field', async (action) => {
    const customer = await client.aCustomer();
    const answer = await client.post(at(customer, action), { archived_at: null });
    expect(pointersOf(expectProblem(answer, 422, 'unknown_field'))).toEqual(['/archived_at']);
  });
});

describe('a deletion', () => {
  it('takes a customer without documents, who is not found again', async () => {
    const customer = await client.aCustomer({ external_id: 'K-1' });
    const answer = await client.delete(at(customer), { 'If-Match': '"1"' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectProblem(await client.get(at(customer)), 404, 'customer_not_found');
    expectProblem(await client.delete(at(customer)), 404, 'customer_not_found');
    const late = await client.post(DOCUMENTS, documentFor(customer));
    expectProblem(late, 422, 'unknown_customer');
    await client.aCustomer({ external_id: 'K-1' });
  });

  it.each([false, true])('is refused with a document, issued: %s', async (issue) => {
    const customer = await client.aCustomer();
    await client.post(DOCUMENTS, documentFor(customer, { issue }));
    const before = await contentsOf(service.database);
    expectProblem(await client.delete(at(customer)), 409, 'customer_in_use');
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is answered again the same way for the same key, if it was not refused', async () => {
    const [free, used] = [await client.aCustomer(), await client.aCustomer()];
    await client.post(DOCUMENTS, documentFor(used));
    for (const [customer, status, replayed] of [
      [free, 204, 'true'],
      [used, 409, null],
    ] as const) {
      const headers = key(`delete ${customer.id}`);
      const first = await client.delete(at(customer), headers);
      const again = await client.delete(at(customer), headers);
      expect([first.status, again.status]).toEqual([status, status]);
      expect(again.headers.get('idempotency-replayed')).toBe(replayed);
    }
  });

  it('and a new document at once end as one or the other', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const customer = await client.aCustomer();
      const [made, gone] = await Promise.all([
        client.post(DOCUMENTS, documentFor(customer)),
        client.delete(at(customer)),
      ]);
      outcomes.add(`${made.status} ${gone.status}`);
    }
    expect([...outcomes].filter((each) => !['201 409', '422 204'].includes(each))).toEqual([]);
  });
});

describe('a document', () => {
  it('that is issued stays as it was whatever becomes of its customer; a draft follows', async () => {
    const customer = await client.aCustomer({ address: ['Hauptstraße 1'], tax_id: 'DE123456788' });
    const document = { ...documentFor(customer), currency: 'EUR' };
    const issued = (await client.post<{ id: string }>(DOCUMENTS, document)).body;
    const draft = (await client.post<{ id: string }>(DOCUMENTS, { ...document, issue: false }))
      .body;
    const portal = `/v1/portal/${await client.aPortalToken(issued)}`;
    const asJson = { headers: { accept: 'application/json' } };
    const seen = (await service.call(portal, asJson)).body;
    expect(JSON.stringify(seen)).toContain('Globex');

    const change = { name: 'Initech', address: null, city: 'Ulm', tax_id: null };
    expect((await client.patch(at(customer), change)).status).toBe(200);
    await client.post(at(customer, '/archive'));
    expect(await client.read(issued)).toEqual(issued);
    expect((await service.call(portal, asJson)).body).toEqual(seen);
    const later = await client.issue(draft);
    expect(later.customer).toMatchObject({ name: 'Initech', address: [], city: 'Ulm' });
    expect((await client.read(issued)).customer.name).toBe('Globex GmbH');
  });
});
