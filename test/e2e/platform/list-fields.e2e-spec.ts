import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { everyRouteOf } from '../every-route.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { answerOf, namesIn, partsOfPage } from '../list-parts.js';
import type { OpenApi, Schema } from '../schema-check.js';

// Each list that takes `fields`, and each name that the OpenAPI document has for its entries.

/** Lists whose lines are sums or a ledger's, and the feed, which is for programs that want all of it. */
const WITHOUT = [
  '/v1/events',
  '/v1/finance/ledger',
  '/v1/finance/reports/aging',
  '/v1/finance/reports/journal',
];
/** Taken as a whole: what a caller sent once, and lists that other calls have. */
const WHOLE =
  /^(document|recurrence|business_days|minimum|one_off_lines|price_changes|expanded\.\w+)\./;

interface List {
  path: string;
  names: string[];
}

let service: TestService;
let owner: TestClient;
let document: OpenApi;
let lists: List[];
let without: string[];
beforeAll(async () => {
  service = await startTestService();
  ({ owner } = await everyRouteOf(service));
  const rate = { day: '2026-01-05', base: 'EUR', quote: 'USD', rate: '1.1', source: 'ECB' };
  await owner.put('/v1/finance/exchange-rates', { rates: [rate] });
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  const hooks = await owner.get<{ data: { id: string }[] }>('/v1/webhook-endpoints');
  const schedules = await owner.get<{ data: { id: string }[] }>('/v1/finance/schedules');
  const paged = Object.entries(document.paths).filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'cursor'),
  );
  const takes = paged.filter(([, { get }]) =>
    get?.parameters?.some(({ name }) => name === 'fields'),
  );
  without = paged.filter((one) => !takes.includes(one)).map(([path]) => path);
  lists = takes.map(([template, { get }]) => {
    const of = template.includes('schedules') ? schedules : hooks;
    const path = template.replace('{id}', of.body.data[0]!.id);
    const schema = get?.responses['200']?.content?.['application/json']?.schema as Schema;
    const names = namesIn(document, schema, 4).flatMap((name) =>
      name.startsWith('data.') ? [name.slice('data.'.length)] : [],
    );
    return { path, names };
  });
});
afterAll(() => service.close());

/** The service works beside the test: a page that has changed meanwhile is read once more. */
async function expectPart(path: string, names: string[], query: Record<string, string> = {}) {
  const all = await answerOf(owner, path, query);
  const part = await answerOf(owner, path, { ...query, fields: names.join(',') });
  const expected = partsOfPage(all, names);
  if (JSON.stringify(part) === JSON.stringify(expected)) return all;
  const again = partsOfPage(await answerOf(owner, path, query), names);
  expect([path, names, part]).toEqual([path, names, again]);
  return all;
}

const refused = async (fields: string, path = '/v1/finance/documents') => {
  const problem = expectProblem(await owner.get(`${path}?${fields}`), 400, 'invalid_query');
  expect(problem['detail']).toMatch(/^\S.*\.$/s);
  return problem as typeof problem & { detail: string };
};

describe('a list', () => {
  it('takes fields, unless its lines are those of a report', () => {
    expect(without.sort()).toEqual(WITHOUT);
    expect(lists.length).toBeGreaterThan(20);
  });

  it('answers each field as it is without', async () => {
    let count = 0;
    for (const { path, names } of lists) {
      expect([path, names.length > 3]).toEqual([path, true]);
      for (const name of names.filter((one) => !WHOLE.test(one))) {
        const { data } = await expectPart(path, [name]);
        expect([path, data.length > 0]).toEqual([path, true]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(500);
  }, 300_000);

  it('refuses names inside of what is taken as a whole, and says so', async () => {
    const { names } = lists.find(({ path }) => path === '/v1/finance/schedules')!;
    const inner = names.filter((name) => WHOLE.test(name));
    expect(inner.length).toBeGreaterThan(5);
    for (const name of inner.slice(0, 20)) {
      const answer = await owner.get(`/v1/finance/schedules?fields=${name}`);
      const { detail } = expectProblem(answer, 400, 'invalid_query');
      expect(detail).toContain('nothing: ask for all of it');
    }
  });

  it('says in words that all but the id may be absent then', () => {
    for (const { get } of Object.values(document.paths)) {
      const fields = get?.parameters?.find(({ name }) => name === 'fields') as
        | { description?: string }
        | undefined;
      if (fields) expect(fields.description).toMatch(/`id` is always there.* may be absent then/);
    }
  });
});

describe('names that are none', () => {
  it('are all named, with what may be asked for', async () => {
    const { detail, errors } = await refused('fields=foo,number,bar,customer.baz,total.due,bar');
    expect(pointersOf({ errors })).toEqual(['/fields']);
    expect(errors?.[0]?.code).toBe('not_in_list');
    expect(detail).toContain('none has foo, bar, customer.baz, total.due.');
    expect(detail).toMatch(/There are [^;]+; inside customer name, [^;]+; inside total nothing/);
    expect(detail).toContain('/v1/openapi.json');
    const near = await refused('fields=amount');
    expect(near.detail).toMatch(/There are rounding_amount, amount_paid, amount_prepaid/);
    const many = Array.from({ length: 100 }, (_, at) => `${at}${'x'.repeat(80)}`);
    const cut = await refused(`fields=${many}`);
    expect(cut.detail).toMatch(/ and 9\d more\. There are /);
  });

  it('are refused in each list', async () => {
    for (const { path } of lists) await refused('fields=nothing', path);
  });

  it.each([
    ['empty', 'fields='],
    ['a comma', 'fields=,'],
    ['a comma behind', 'fields=id,'],
    ['brackets', 'fields[]=a'],
    ['brackets around a field that is there', 'fields[]=id'],
    ['sent twice', 'fields=id&fields=number'],
    ['the prototype', 'fields=__proto__'],
    ['the prototype within', 'fields=customer.__proto__'],
    ['a constructor', 'fields=constructor'],
    ['a constructor within', 'fields=constructor.prototype'],
    ['a method', 'fields=toString,hasOwnProperty'],
    ['a length', 'fields=lines.length'],
    ['an index', 'fields=lines.0'],
    ['a dot before', 'fields=.id'],
    ['a dot behind', 'fields=customer.'],
    ['two dots', 'fields=customer..name'],
    ['only a dot', 'fields=.'],
    ['a space', 'fields=id,%20number'],
    ['an asterisk', 'fields=*'],
    ['all within', 'fields=customer.*'],
    ['parentheses', 'fields=customer(name)'],
    ['NUL', 'fields=%00'],
    ['NUL behind a name', 'fields=number%00'],
    ['bytes that are no text', 'fields=%ff%fe'],
    ['a surrogate', 'fields=%ED%A0%80'],
    ['another percent', 'fields=%2565'],
    ['a percent alone', 'fields=%'],
    ['capitals', 'fields=NUMBER'],
    ['a quote', "fields=id';DROP TABLE documents--"],
    ['a field of another list', 'fields=allocations'],
    ['a thing that is no field', 'fields=documents.account_id'],
  ])('%s', async (_, query) => {
    await refused(query);
  });

  it('takes at most a hundred of them, and says so', async () => {
    const many = async (count: number) =>
      owner.get(`/v1/finance/documents?fields=${Array.from({ length: count }, () => 'id')}`);
    expect((await many(100)).status).toBe(200);
    const { detail } = expectProblem(await many(101), 400, 'invalid_query');
    expect(detail).toContain('at most 100 names');
    expectProblem(await many(4000), 400, 'invalid_query');
    const long = Array.from({ length: 10_000 }, (_, at) => `name${at}`).join(',');
    expect((await owner.get(`/v1/finance/documents?fields=${long}`)).status).toBe(431);
    const deep = Array.from({ length: 1500 }, () => 'customer').join('.');
    await refused(`fields=${deep}`);
  });

  it('is taken as it was meant where it is percent-encoded, twice, or within itself', async () => {
    const path = '/v1/finance/documents';
    const expected = partsOfPage(await answerOf(owner, path, {}), ['number', 'customer']);
    for (const fields of [
      'number,customer',
      'number%2Ccustomer',
      '%6Eumber,customer',
      'number,number,customer,id,id',
      'customer.name,number,customer',
      'customer,customer.name,number',
    ]) {
      const answer = await owner.get(`${path}?fields=${fields}`);
      expect([fields, answer.body]).toEqual([fields, expected]);
    }
  });
});
