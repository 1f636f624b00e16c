import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { DOCUMENT_SORTS, type DocumentSort } from '../../../src/documents/domain/document-list.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { DOCUMENTS, idsOf, pageOf, pagesOf, pathOf, type Query } from './list-calls.js';

// In which order a list shows documents, and how it goes on from page to page.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const FAR = '9999-12-31';
const LAST = '\u{10FFFF}';

const padded = (number: string) => number.replaceAll(/[0-9]+/g, (run) => run.padStart(60, '0'));

/** Worked out another way than in the database: digits are brought to one length. */
function keyOf(document: DocumentBody, sort: string): Buffer {
  const keys: Record<string, string> = {
    created_at: document.created_at,
    issue_date: document.issue_date ?? FAR,
    due_date: document.due_date ?? FAR,
    number: document.number === null ? LAST : padded(document.number),
    total: String(document.total).padStart(20, '0'),
  };
  return Buffer.from(keys[sort.replace('-', '')] ?? '');
}

/** Ids as a list should show them; those of documents sort by time, and settle what is equal. */
function inOrder(documents: readonly DocumentBody[], sort: string): string[] {
  const ascending = documents.toSorted((one, other) => {
    const difference = Buffer.compare(keyOf(one, sort), keyOf(other, sort));
    return difference || (one.id < other.id ? -1 : 1);
  });
  return idsOf(sort.startsWith('-') ? ascending.toReversed() : ascending);
}

const aWish: fc.Arbitrary<DocumentWish> = fc.record({
  kind: fc.constantFrom('invoice' as const, 'quote' as const),
  unitAmount: fc.constantFrom(0, 1, 100, 100, 99_999, 1_000_000),
  issue: fc.boolean(),
  issue_date: fc.constantFrom(undefined, '2026-01-05', '2026-01-05', '2026-02-01'),
  due_date: fc.constantFrom(undefined, '2098-01-01', '2099-01-01'),
});

describe('the order of a list', () => {
  it('of numbers is as people count', async () => {
    const dates = { issue_date: '2026-03-01' };
    const numbers = [
      'X-99999', 'X-100000', 'x-1', 'X-9', 'X-10', 'X-2', 'X-02', 'X', 'X-9-1', 'X-9-B', 'Ä-1',
      '7', '10', '2026/9', '2026/10', '9'.repeat(18), '0', '00', '1-'.repeat(25),
    ]; // oxfmt-ignore
    const made = [await client.anInvoice({ issue: false })];
    for (const number of numbers) made.push(await client.anInvoice({ ...dates, number }));
    for (const sort of ['number', '-number']) {
      const shown = await pagesOf(client, { sort, limit: 3 });
      expect(idsOf(shown)).toEqual(inOrder(made, sort));
    }
    const ascending = (await pageOf(client, { sort: 'number', limit: 100 })).data;
    const ofX = ascending
      .map(({ number }) => number ?? 'none')
      .filter((one) => /^(X|none)/.test(one));
    expect(ofX).toEqual([
      'X', 'X-2', 'X-02', 'X-9', 'X-9-1', 'X-9-B', 'X-10', 'X-99999', 'X-100000', 'none',
    ]); // oxfmt-ignore
  });

  it('shows numbers of any length once each', async () => {
    const made: string[] = [];
    for (const number of ['9'.repeat(50), '1'.repeat(19), `0${'1'.repeat(19)}`, '1-'.repeat(25)]) {
      made.push((await client.anInvoice({ issue_date: '2026-03-01', number })).id);
    }
    expect(idsOf(await pagesOf(client, { sort: 'number', limit: 1 })).sort()).toEqual(made.sort());
  });

  it('is that of a range of dates where none is asked for', async () => {
    const one = await client.anInvoice({ issue_date: '2026-01-05', due_date: '2026-05-01' });
    const other = await client.anInvoice({ issue_date: '2026-01-04', due_date: '2026-06-01' });
    const shown = async (query: Query) => idsOf((await pageOf(client, query)).data);
    expect(await shown({})).toEqual(idsOf([other, one]));
    expect(await shown({ issue_date_from: '2026-01-01' })).toEqual(idsOf([one, other]));
    expect(await shown({ issue_date_to: '2026-02-01' })).toEqual(idsOf([one, other]));
    expect(await shown({ due_date_to: '2027-01-01' })).toEqual(idsOf([other, one]));
    const both = { due_date_to: '2027-01-01', issue_date_to: '2027-01-01' };
    expect(await shown(both)).toEqual(idsOf([one, other]));
    expect(await shown({ ...both, sort: '-created_at' })).toEqual(idsOf([other, one]));
  });
});

describe('pages', () => {
  it('show every document exactly once, in order, whatever is added and changed meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aWish, { maxLength: 12 }),
        fc.array(aWish, { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(...DOCUMENT_SORTS),
        fc.constantFrom<Query>({}, { q: 'globex' }, { currency: 'EUR' }, { total_min: 0 }),
        async (first, later, limit, sort, filter) => {
          client = await service.aClient();
          const made: DocumentBody[] = [];
          for (const wish of first) made.push(await client.anInvoice(wish));
          const known = new Set(idsOf(made));
          const toChange = made.filter(({ status }) => status === 'open');
          // One before each page, and then none: a walk towards the new would never end.
          const seen = await pagesOf(client, { limit, sort, ...filter }, async () => {
            const wish = later.pop();
            if (wish) await client.anInvoice(wish);
            const changed = toChange.pop();
            if (changed) await client.pay(changed, { amount: 1 });
            if (changed && toChange.length % 2 === 0) await client.void(changed).catch(() => null);
          });
          const ids = idsOf(seen);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => known.has(id))).toEqual(inOrder(made, sort));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of equal documents are in the order of time', async () => {
    const made: DocumentBody[] = [];
    const equal = { issue_date: '2026-01-05', due_date: '2026-02-05' };
    for (let count = 0; count < 5; count += 1) made.push(await client.anInvoice(equal));
    for (const sort of DOCUMENT_SORTS) {
      const shown = idsOf(await pagesOf(client, { sort, limit: 2 }));
      const ids = idsOf(made);
      expect([sort, shown]).toEqual([sort, sort.startsWith('-') ? ids.toReversed() : ids]);
    }
  });
});

const cursorOf = async (query: Query) =>
  (await pageOf(client, { limit: 1, ...query })).next_cursor ?? '';

describe('a cursor', () => {
  beforeEach(async () => {
    for (const notes of ['a', 'b', 'c']) await client.anInvoice({ notes });
  });

  it('goes on with another limit, with defaults said or unsaid, and in any order of words', async () => {
    const cursor = await cursorOf({ kind: 'invoice', currency: 'EUR' });
    const same: Query[] = [
      { kind: 'invoice', currency: 'EUR', cursor, limit: 100 },
      { cursor, currency: 'EUR', sort: '-created_at', kind: 'invoice' },
    ];
    for (const query of same) {
      const { data, next_cursor } = await pageOf(client, query);
      expect([data.map(({ notes }) => notes), next_cursor]).toEqual([['b', 'a'], null]);
    }
  });

  it.each<[Query, Query]>([
    [{ sort: 'number' }, { sort: '-number' }],
    [{ sort: 'issue_date' }, { sort: 'due_date' }],
    [{}, { sort: 'created_at' }],
    [{}, { issue_date_from: '2000-01-01' }],
    [{}, { kind: 'invoice' }],
    [{ status: 'open' }, { status: 'paid' }],
    [{ status: 'open' }, { is_overdue: false }],
    [{ total_min: 0 }, { total_max: 0 }],
    [{ total_min: 0 }, { total_min: 1 }],
    [{ created_from: '2026-01-01T00:00:00Z' }, { created_to: '2036-01-01T00:00:00Z' }],
    [{ q: 'globex' }, { q: 'glob' }],
    [{ q: 'globex' }, {}],
    [{ series_id: 'invoice' }, { currency: 'EUR' }],
  ])('of %j is refused with %j', async (one, other) => {
    const cursor = await cursorOf(one);
    expect((await client.get(pathOf({ ...one, cursor }))).status).toBe(200);
    expectProblem(await client.get(pathOf({ ...other, cursor })), 400, 'invalid_cursor');
  });

  it('of another list, another account or nobody leads nowhere else', async () => {
    for (const name of ['One', 'Two']) await client.aCustomer({ name });
    const customers = await client.get<{ next_cursor: string }>('/v1/finance/customers?limit=1');
    const foreign = pathOf({ cursor: customers.body.next_cursor });
    expectProblem(await client.get(foreign), 400, 'invalid_cursor');
    const cursor = await cursorOf({});
    const other = await service.aClient();
    expect((await pageOf(other, { cursor })).data).toEqual([]);
    for (const made of [
      'x',
      'W10',
      `${cursor}A`,
      '%27%20OR%201=1',
      Buffer.from('["a","b"]').toString('base64url'),
    ]) {
      expectProblem(await client.get(`${DOCUMENTS}?cursor=${made}`), 400, 'invalid_cursor');
    }
  });

  it.each<[DocumentSort, string[]]>([
    ['created_at', ['infinity', '2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01', '']],
    ['issue_date', ['infinity', '2026-02-30', '0000-01-01', 'today', '']],
    ['-due_date', ['-infinity', '10000-01-01']],
    ['total', ['1.5', '1e3', '9'.repeat(19), 'NaN', '']],
    ['number', ['x'.repeat(201), '\0', '\ud800']],
  ])('by %s takes only keys that the database can read', async (sort, keys) => {
    const good = JSON.parse(
      Buffer.from(await cursorOf({ sort }), 'base64url').toString(),
    ) as string[];
    for (const key of keys) {
      const text = JSON.stringify([good[0], key, good[2]]);
      const cursor = Buffer.from(text).toString('base64url');
      expectProblem(await client.get(pathOf({ sort, cursor })), 400, 'invalid_cursor');
    }
  });
});
