import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CustomerBody } from '../../../src/documents/wire/customer.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Customers: created, read, changed. The end of a customer is in
// customers-and-documents.e2e-spec.ts, lists in customer-lists.e2e-spec.ts, wrong fields in
// bad-customers.e2e-spec.ts.

const CUSTOMERS = '/v1/finance/customers';

const EVERYTHING = {
  name: 'Globex',
  legal_name: 'Globex GmbH & Co. KG',
  contact_name: 'Erika Mustermann',
  email: 'accounts@globex.example',
  phone: '+49 30 1234567',
  address: ['Hauptstraße 1', 'Hinterhaus'],
  postal_code: '10115',
  city: 'Berlin',
  region: 'Berlin',
  country: 'DE',
  tax_id: 'DE123456789',
  tax_ids: [{ type: 'de_stnr', value: '30/123/45678' }],
  registration_id: 'HRB 12345',
  electronic_address: { scheme: '0088', value: '4012345000009' },
  language: 'de',
  reference: 'Cost centre 7',
  shipping_address: {
    name: 'Globex, Tor 3',
    address: ['Hafenstraße 9'],
    postal_code: '20457',
    city: 'Hamburg',
    region: null,
    country: 'DE',
  },
  kind: 'business',
  currency: 'CHF',
  payment_terms_days: 14,
  cash_discounts: [{ percent: '2', days: 7 }],
  external_id: 'K-10023',
  metadata: { segment: 'A', 'crm/id': '7' },
};

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
const ifMatch = (text: string) => ({ 'If-Match': text });

async function read(customer: { id: string }): Promise<CustomerBody> {
  const answer = await client.get<CustomerBody>(at(customer));
  expect(answer.status).toBe(200);
  return answer.body;
}

async function patched(customer: { id: string }, patch: object): Promise<CustomerBody> {
  const answer = await client.patch<CustomerBody>(at(customer), patch);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
}

describe('a customer', () => {
  it('keeps everything that was said of it, and is read with its version as ETag', async () => {
    const made = await client.post<CustomerBody>(CUSTOMERS, EVERYTHING);
    expect([made.status, made.headers.get('etag')]).toEqual([201, '"1"']);
    expect(made.body).toEqual({
      ...EVERYTHING,
      id: expect.stringMatching(/^cus_/),
      version: 1,
      archived_at: null,
      erased_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: made.body.created_at,
    });
    const again = await client.get(at(made.body));
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([200, '"1"', made.body]);
  });

  it('needs a name, and is otherwise empty', async () => {
    const made = await client.post<CustomerBody>(CUSTOMERS, { name: ' Initech ', email: null });
    const { id: _id, created_at: _created, updated_at: _updated, ...said } = made.body;
    expect(said).toEqual({
      ...Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, null])),
      name: 'Initech',
      address: [],
      tax_ids: [],
      metadata: {},
      archived_at: null,
      erased_at: null,
      version: 1,
    });
  });

  it('that a document made has a profile and nothing else', async () => {
    const invoice = await client.anInvoice();
    const made = await read({ id: invoice.customer_id });
    expect(made).toMatchObject({ ...invoice.customer, currency: null, version: 1 });
    expect([made.external_id, made.payment_terms_days, made.metadata]).toEqual([null, null, {}]);
  });

  it.each(['cus_1', 'doc_01h455vb4pex5vsknk084sn02q', 'cus_01h455vb4pex5vsknk084sn02q', '%00'])(
    'is not found as %s',
    async (id) => {
      expectProblem(await client.get(`${CUSTOMERS}/${id}`), 404, 'customer_not_found');
      expectProblem(await client.patch(`${CUSTOMERS}/${id}`, {}), 404, 'customer_not_found');
      expectProblem(await client.delete(`${CUSTOMERS}/${id}`), 404, 'customer_not_found');
    },
  );

  it('needs the scope to be read and written', async () => {
    const customer = await client.aCustomer();
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    const writer = await service.aClient({ of: client, scopes: ['documents:write'] });
    expect((await reader.get(at(customer))).status).toBe(200);
    expectProblem(await reader.patch(at(customer), {}), 403, 'insufficient_scope');
    expectProblem(await reader.delete(at(customer)), 403, 'insufficient_scope');
    expectProblem(await writer.get(CUSTOMERS), 403, 'insufficient_scope');
  });

  it('is as unknown to another account as if it were not there', async () => {
    const customer = await client.aCustomer({ external_id: 'K-1' });
    const stranger = await service.aClient();
    await stranger.bearer();
    const before = await contentsOf(service.database);
    for (const path of [at(customer), at(customer, '/archive'), at(customer, '/unarchive')]) {
      const isItself = path === at(customer);
      const answer = isItself
        ? await stranger.patch(path, { name: 'Mine' })
        : await stranger.post(path);
      expectProblem(answer, 404, 'customer_not_found');
    }
    expectProblem(await stranger.delete(at(customer)), 404, 'customer_not_found');
    expect(await contentsOf(service.database)).toEqual(before);
    expect((await stranger.aCustomer({ external_id: 'K-1' })).external_id).toBe('K-1');
  });
});

describe('a patch', () => {
  it('changes what it names, empties what it says is null, and leaves the rest', async () => {
    const customer = await client.aCustomer(EVERYTHING);
    service.clock.advance({ seconds: 1 });
    const next = await patched(customer, {
      city: 'Potsdam',
      email: null,
      address: null,
      tax_ids: null,
      electronic_address: null,
      kind: 'consumer',
      currency: null,
      payment_terms_days: 0,
      metadata: null,
    });
    expect(next).toEqual({
      ...customer,
      city: 'Potsdam',
      email: null,
      address: [],
      tax_ids: [],
      electronic_address: null,
      kind: 'consumer',
      currency: null,
      payment_terms_days: 0,
      metadata: {},
      version: 2,
      updated_at: next.updated_at,
    });
    expect(next.updated_at > customer.updated_at).toBe(true);
    expect(await read(customer)).toEqual(next);
  });

  it('replaces lists and objects as a whole', async () => {
    const customer = await client.aCustomer(EVERYTHING);
    const next = await patched(customer, {
      metadata: { segment: 'B' },
      shipping_address: { city: 'Kiel' },
      tax_ids: [{ type: 'eori', value: 'DE1' }],
    });
    expect(next.metadata).toEqual({ segment: 'B' });
    expect(next.tax_ids).toEqual([{ type: 'eori', value: 'DE1' }]);
    expect(next.shipping_address).toEqual({
      name: null,
      address: [],
      postal_code: null,
      city: 'Kiel',
      region: null,
      country: null,
    });
  });

  it('may empty every field but the name', async () => {
    const customer = await client.aCustomer(EVERYTHING);
    const { name, ...others } = EVERYTHING;
    const nothing = Object.fromEntries(Object.keys(others).map((field) => [field, null]));
    const next = await patched(customer, nothing);
    const bare = await client.post<CustomerBody>(CUSTOMERS, { name });
    expect({ ...next, id: '', version: 1 }).toEqual({
      ...bare.body,
      id: '',
      created_at: next.created_at,
      updated_at: next.updated_at,
    });
    const refused = await client.patch(at(customer), { name: null });
    expect(pointersOf(expectProblem(refused, 422, 'required'))).toEqual(['/name']);
    expect((await read(customer)).name).toBe(name);
  });

  it.each(['application/json', 'application/merge-patch+json'])('comes as %s', async (type) => {
    const customer = await client.aCustomer();
    const body = JSON.stringify({ name: 'Initech' });
    const answer = await client.patch(at(customer), body, { 'content-type': type });
    expect([answer.status, answer.body['name'], answer.headers.get('etag')]).toEqual([
      200,
      'Initech',
      '"2"',
    ]);
  });

  it('with a key is answered again and done once', async () => {
    const customer = await client.aCustomer();
    const first = await client.patch(at(customer), { city: 'Ulm' }, key('p'));
    const again = await client.patch(at(customer), { city: 'Ulm' }, key('p'));
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await read(customer)).version).toBe(2);
    const other = await client.patch(at(customer), { city: 'Bonn' }, key('p'));
    expectProblem(other, 422, 'idempotency_key_reused');
  });
});

describe('If-Match', () => {
  it('lets the version pass that it names, alone, in a list, or as any', async () => {
    const customer = await client.aCustomer();
    for (const tag of ['"1"', '"7", "2"', 'W/"x", "3"', '*']) {
      const answer = await client.patch(at(customer), { city: tag }, ifMatch(tag));
      expect([tag, answer.status]).toEqual([tag, 200]);
    }
  });

  it.each([
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/archive'],
    ['POST', '/unarchive'],
  ])('that is stale stops %s%s', async (method, action) => {
    const customer = await client.aCustomer();
    await patched(customer, { city: 'Ulm' });
    await client.bearer();
    const before = await contentsOf(service.database);
    for (const tag of ['"1"', 'W/"2"', '"3"', '"02"', '"two"', '""']) {
      const authorization = `Bearer ${await client.bearer()}`;
      const headers = { authorization, ...ifMatch(tag) };
      const body = method === 'DELETE' ? undefined : {};
      const answer = await service.call(at(customer, action), { method, headers, body });
      expect(expectProblem(answer, 412, 'version_mismatch')['version']).toBe(2);
    }
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each(['1', '"1', '"1" "2"', '', '*, "1"', "'1'"])('is refused as %j', async (tag) => {
    const customer = await client.aCustomer();
    const answer = await client.patch(at(customer), { city: 'Ulm' }, ifMatch(tag));
    expectProblem(answer, 400, 'invalid_if_match');
    expect(await read(customer)).toEqual(customer);
  });

  it('lets one of two win that come at once, every time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const customer = await client.aCustomer();
      const answers = await Promise.all(
        ['Ulm', 'Bonn'].map((city) => client.patch(at(customer), { city }, ifMatch('"1"'))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const winner = answers.find(({ status }) => status === 200);
      expect(await read(customer)).toEqual(winner?.body);
    }
  });

  it('is not needed: without it all that come at once are done, one after the other', async () => {
    const customer = await client.aCustomer();
    const fields = ['city', 'region', 'phone', 'reference', 'tax_id'];
    await Promise.all(fields.map((field) => patched(customer, { [field]: field })));
    const after = await read(customer);
    expect(after.version).toBe(6);
    expect(after).toMatchObject(Object.fromEntries(fields.map((field) => [field, field])));
  });
});

const expectTaken = (answer: Answer, by: { id: string }) =>
  expect(expectProblem(answer, 409, 'external_id_taken')['customer_id']).toBe(by.id);

describe('an external id', () => {
  it('is had by one customer of an account, whose id the refusal tells', async () => {
    const first = await client.aCustomer({ external_id: 'K-1' });
    const second = await client.aCustomer({ external_id: 'K-2' });
    const before = await contentsOf(service.database);
    expectTaken(await client.post(CUSTOMERS, { name: 'B', external_id: 'K-1' }), first);
    expectTaken(await client.patch(at(second), { external_id: 'K-1' }), first);
    expect(await contentsOf(service.database)).toEqual(before);
    expect((await patched(first, { external_id: 'K-1' })).external_id).toBe('K-1');
    await patched(first, { external_id: null });
    expect((await patched(second, { external_id: 'K-1' })).external_id).toBe('K-1');
  });

  it('that another request was about to take is told to the one that waited for it', async () => {
    const first = await client.aCustomer();
    const rival = await service.database.connect();
    try {
      await rival.query('BEGIN');
      await rival.query(`UPDATE customers SET external_id = 'K-1' WHERE customer_id = $1`, [
        uuidOf('cus', first.id),
      ]);
      const waiting = client.post(CUSTOMERS, { name: 'Initech', external_id: 'K-1' });
      await service.database.untilBlocked();
      await rival.query('COMMIT');
      expectTaken(await waiting, first);
    } finally {
      await rival.end();
    }
  });

  it('goes to one of those that ask for it at once', async () => {
    const body = { name: 'Globex', external_id: 'race' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(CUSTOMERS, body)),
    );
    const [winner, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    for (const answer of answers) {
      if (answer !== winner) expectTaken(answer, { id: String(winner?.body['id']) });
    }
  });
});

describe('a key', () => {
  it('makes one customer of requests that are repeated, also at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.post(CUSTOMERS, EVERYTHING, key('one'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});
