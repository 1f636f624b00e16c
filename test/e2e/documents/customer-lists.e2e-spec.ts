import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { CustomerPage } from '../../../src/documents/wire/customer.js';
import { publicId, UuidV7Generator, uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Customers in lists: filtered, searched, sorted, and page by page.

const CUSTOMERS = '/v1/finance/customers';
const SORTS = ['-created_at', 'created_at', 'name', '-name'] as const;

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

type Query = Record<string, string | number>;

const pathOf = (query: Query) =>
  `${CUSTOMERS}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`;

async function page(query: Query = {}): Promise<CustomerPage> {
  const answer = await client.get<CustomerPage>(pathOf(query));
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.body;
}

const namesOf = async (query: Query) => (await page(query)).data.map(({ name }) => name);

/** Folded it has 1,500 characters, in one word: more than an index takes. */
const LONG_WORD = '㌀'.repeat(300);

/** Every page in order; `between` is called before each further one. */
async function pages(query: Query, between = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: CustomerPage = await page({ ...query, ...(cursor && { cursor }) });
    expect(next.has_more).toBe(next.next_cursor !== null);
    expect(next.data.length).toBeLessThanOrEqual(Number(query['limit']));
    seen.push(...next.data.map(({ id }) => id));
    cursor = next.next_cursor;
    if (cursor) await between();
  } while (cursor);
  return seen;
}

const ids = new UuidV7Generator();

/** Straight into the table, as an import would. */
async function insert(of: TestClient, names: string[]): Promise<string[]> {
  const made = names.map(() => ids.next());
  await service.database.query(
    `INSERT INTO customers (account_id, customer_id, profile, created_at)
     SELECT $1, id, jsonb_build_object('name', name), now()
     FROM unnest($2::uuid[], $3::text[]) AS given (id, name)`,
    [uuidOf('acc', of.accountId), made, names],
  );
  return made.map((id) => publicId('cus', id));
}

describe('a list of customers', () => {
  it('is newest first, and otherwise as it is sorted', async () => {
    for (const name of ['beta', 'Äpfel', 'alpha', 'Zeta', '2nd', 'zebra', 'Alpha']) {
      await client.aCustomer({ name });
    }
    const byTime = ['beta', 'Äpfel', 'alpha', 'Zeta', '2nd', 'zebra', 'Alpha'];
    expect(await namesOf({})).toEqual(byTime.toReversed());
    expect(await namesOf({ sort: '-created_at' })).toEqual(byTime.toReversed());
    expect(await namesOf({ sort: 'created_at' })).toEqual(byTime);
    // Accents and capitals do not matter; what is equal then is in the order of time.
    const byName = ['2nd', 'alpha', 'Alpha', 'Äpfel', 'beta', 'zebra', 'Zeta'];
    expect(await namesOf({ sort: 'name' })).toEqual(byName);
    expect(await namesOf({ sort: '-name' })).toEqual(byName.toReversed());
  });

  it('shows what is read one by one', async () => {
    const customer = await client.aCustomer({ external_id: 'K-1', metadata: { a: 'b' } });
    expect(await page()).toEqual({ data: [customer], has_more: false, next_cursor: null });
  });

  it('is filtered, by one thing or by several', async () => {
    await client.aCustomer({ name: 'A', email: 'Info@A.example', country: 'DE', currency: 'EUR' });
    await client.aCustomer({ name: 'B', email: 'info@b.example', country: 'AT', currency: 'EUR' });
    const c = await client.aCustomer({ name: 'C', country: 'AT', external_id: 'K-1' });
    await client.aCustomer({ name: 'D', email: null, country: null });
    await client.post(`${CUSTOMERS}/${c.id}/archive`);
    expect(await namesOf({ email: 'info@a.EXAMPLE' })).toEqual(['A']);
    expect(await namesOf({ email: 'info@' })).toEqual([]);
    expect(await namesOf({ currency: 'EUR' })).toEqual(['B', 'A']);
    expect(await namesOf({ country: 'AT' })).toEqual(['B']);
    expect(await namesOf({ country: 'AT', archived: 'all' })).toEqual(['C', 'B']);
    expect(await namesOf({ archived: 'false' })).toEqual(['D', 'B', 'A']);
    expect(await namesOf({ archived: 'true' })).toEqual(['C']);
    expect(await namesOf({ external_id: 'K-1' })).toEqual([]);
    expect(await namesOf({ external_id: 'K-1', archived: 'all' })).toEqual(['C']);
    expect(await namesOf({ currency: 'EUR', country: 'DE', q: 'info' })).toEqual(['A']);
    expect(await namesOf({ currency: 'EUR', country: 'DE', q: 'b' })).toEqual([]);
  });

  it('knows nothing of another account', async () => {
    await client.aCustomer({ name: 'Globex' });
    client = await service.aClient();
    const queries: Query[] = [{}, { q: 'glob' }, { email: 'accounts@globex.example' }];
    for (const query of [...queries, { country: 'DE' }]) {
      expect((await page(query)).data).toEqual([]);
    }
  });
});

describe('a search', () => {
  beforeEach(async () => {
    await client.aCustomer({
      name: 'Müller & Söhne',
      legal_name: 'Mueller Handelsgesellschaft mbH',
      contact_name: 'Łucja O’Neill',
      email: 'rechnung@mueller-soehne.example',
      city: 'Sankt Pölten',
      tax_id: 'ATU12345678',
      tax_ids: [{ type: 'de_stnr', value: '30/123/45678' }],
      registration_id: 'FN 98765x',
      external_id: 'K-10023',
    });
    await client.aCustomer({ name: 'ООО «Ромашка»', email: null, city: '東京' });
    await client.aCustomer({ name: LONG_WORD, email: null });
  });

  it.each([
    'müller',
    'MULLER',
    'söh mül',
    'handels',
    'łucja',
    "o'neill",
    'neill',
    'rechnung@mueller-soehne.example',
    'soehne',
    'sankt pol',
    'atu1234',
    '30/123/45678',
    '45678',
    'FN 98765X',
    'k-10023',
    '10023',
    'mul   ---   & san',
  ])('for %j finds the customer', async (q) => {
    expect(await namesOf({ q })).toEqual(['Müller & Söhne']);
  });

  it.each([
    ['ромаш', 'ООО «Ромашка»'],
    ['東', 'ООО «Ромашка»'],
    ['アパート', LONG_WORD],
    [LONG_WORD.slice(0, 200), LONG_WORD],
  ])('reads every script: %s', async (q, name) => {
    expect(await namesOf({ q })).toEqual([name]);
  });

  it.each([
    'üller',
    'müller gmbh',
    'accounts',
    '!!!',
    `'`,
    `\\`,
    `':* | 'zz`,
    'a:b & (c | !d)',
    '<->',
    'de',
    'null',
    'value',
    '\u{1F600}',
    'x'.repeat(200),
  ])('for %j finds nobody', async (q) => {
    expect(await namesOf({ q })).toEqual([]);
  });

  it('follows a change of the customer', async () => {
    const customer = await client.aCustomer({ name: 'Before', external_id: 'old-1' });
    await client.patch(`${CUSTOMERS}/${customer.id}`, { name: 'After', external_id: 'new-1' });
    expect(await namesOf({ q: 'before' })).toEqual([]);
    expect(await namesOf({ q: 'old' })).toEqual([]);
    expect(await namesOf({ q: 'after new' })).toEqual(['After']);
  });

  it('finds the last of many thousands as surely as the first', async () => {
    const many = Array.from({ length: 10_500 }, (_, index) => `Customer ${index}`);
    await insert(client, ['Needle in time', ...many, 'Aardvark']);
    expect(await namesOf({ q: 'needle' })).toEqual(['Needle in time']);
    expect(await namesOf({ q: 'needle', sort: 'name' })).toEqual(['Needle in time']);
    expect(await namesOf({ q: 'customer 9999' })).toEqual(['Customer 9999']);
    expect(await namesOf({ q: 'customer', limit: 2 })).toEqual([
      'Customer 10499',
      'Customer 10498',
    ]);
    expect(await namesOf({ q: 'customer', sort: 'created_at', limit: 2 })).toEqual([
      'Customer 0',
      'Customer 1',
    ]);
    const found = await pages({ q: 'customer 104', limit: 100, sort: 'name' });
    expect(found).toHaveLength(111);
  });
});

/** Ids as a list should show them. */
function inOrder(names: Map<string, string>, sort: string): string[] {
  const keyOf = (id: string) =>
    sort.endsWith('name')
      ? `${names.get(id)}`
          .normalize('NFKD')
          .replaceAll(/[\u0300-\u036f]/g, '')
          .toLowerCase()
      : '';
  const ascending = [...names.keys()].toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return (a === b ? one < other : a < b) ? -1 : 1;
  });
  return sort.startsWith('-') ? ascending.toReversed() : ascending;
}

describe('pages', () => {
  const name = fc.string({ unit: fc.constantFrom(...'aAäbBß1 é'), minLength: 1, maxLength: 3 });

  it('show every customer exactly once, in order, whatever is added meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 24 }),
        fc.array(name, { maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(...SORTS),
        fc.boolean(),
        async (first, later, limit, sort, searched) => {
          client = await service.aClient();
          const full = (text: string) => (searched ? `${text} x` : text);
          const names = first.map(full);
          const ids = await insert(client, names);
          // One before each page, and then none: a walk towards the new would never end.
          const waiting = later.map(full);
          const query = { limit, sort, ...(searched && { q: 'x' }) };
          const seen = await pages(query, async () => {
            await insert(client, waiting.splice(0, 1));
          });
          expect(new Set(seen).size).toBe(seen.length);
          const known = new Map(ids.map((id, index) => [id, names[index] ?? '']));
          expect(seen.filter((id) => known.has(id))).toEqual(inOrder(known, sort));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('pages by name', () => {
  it('go on behind names as long as names may be', async () => {
    const names = ['x'.repeat(300), LONG_WORD, LONG_WORD, '!'.repeat(300)];
    const made = await insert(client, names);
    const seen = await pages({ limit: 1, sort: 'name' });
    expect(seen).toEqual([made[3], made[0], made[1], made[2]]);
  });
});

describe('a cursor', () => {
  beforeEach(async () => {
    await insert(client, ['a', 'b', 'c']);
  });

  const cursorOf = async (query: Query) => (await page({ limit: 1, ...query })).next_cursor ?? '';

  it('goes on with another limit, and with defaults said or unsaid', async () => {
    const cursor = await cursorOf({ sort: '-created_at', archived: 'false' });
    expect(await namesOf({ cursor, limit: 100 })).toEqual(['b', 'a']);
  });

  it.each<[Query, Query]>([
    [{ sort: 'name' }, { sort: '-name' }],
    [{ sort: 'name' }, {}],
    [{}, { sort: 'created_at' }],
    [{}, { archived: 'all' }],
    [{ archived: 'all' }, { archived: 'all', country: 'DE' }],
    [{ sort: 'name' }, { sort: 'name', q: 'a' }],
  ])('of %j is refused with %j', async (one, other) => {
    const cursor = await cursorOf(one);
    expect((await client.get(pathOf({ ...one, cursor }))).status).toBe(200);
    expectProblem(await client.get(pathOf({ ...other, cursor })), 400, 'invalid_cursor');
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=1&limit=2',
    'sort=id',
    'sort=name%20DESC',
    'archived=yes',
    'currency=eur',
    'country=Germany',
    'q=',
    'q=%00',
    `q=${'x'.repeat(201)}`,
    'email=%00',
    'external_id=',
    'offset=1',
    'constructor=1',
  ])('or rather a list is refused with %s', async (query) => {
    expectProblem(await client.get(`${CUSTOMERS}?${query}`), 400, 'invalid_query');
  });

  it.each(['x', 'W10', '%27%20OR%201=1', Buffer.from('["a","b"]').toString('base64url')])(
    'is refused as %s',
    async (cursor) => {
      expectProblem(await client.get(`${CUSTOMERS}?cursor=${cursor}`), 400, 'invalid_cursor');
    },
  );
});
