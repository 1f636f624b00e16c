import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { everyRouteOf } from '../every-route.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { type OpenApi, resolved, type Schema } from '../schema-check.js';

// Every list with pages, and each of its filters, as the OpenAPI file tells them.

interface Parameter {
  name: string;
  in: string;
  schema?: Schema & { items?: Schema };
  example?: unknown;
}

interface List {
  path: string;
  parameters: Parameter[];
}

interface Page {
  data: unknown[];
  next_cursor: string | null;
  total_count?: number;
  total_count_exact?: boolean;
}

/**
 * Lines of reports are sums or parts of rows: counting them costs what the whole report costs. A feed
 * has no end to count to.
 */
const NOT_COUNTED = ['/v1/finance/reports/aging', '/v1/finance/reports/journal', '/v1/events'];
const NO_FILTERS = /^(limit|cursor|include|expand|fields|sort|format)$/;
const MOST_WORDS = 8;

let service: TestService;
let document: OpenApi;
let owner: TestClient;
let lists: List[];
beforeAll(async () => {
  service = await startTestService();
  ({ owner } = await everyRouteOf(service));
  const rate = { day: '2026-01-05', base: 'EUR', quote: 'USD', rate: '1.1', source: 'ECB' };
  await owner.put('/v1/finance/exchange-rates', { rates: [rate] });
  await owner.put('/v1/finance/exchange-rates', { rates: [{ ...rate, rate: '1.2' }] });
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  const hooks = await owner.get<{ data: { id: string }[] }>('/v1/webhook-endpoints');
  const schedules = await owner.get<{ data: { id: string }[] }>('/v1/finance/schedules');
  lists = Object.entries(document.paths).flatMap(([template, { get }]) => {
    const all = (get?.parameters ?? []) as Parameter[];
    const parameters = all.filter((one) => one.in === 'query');
    // No other list is of one thing.
    const of = template.includes('schedules') ? schedules : hooks;
    const path = template.replace('{id}', of.body.data[0]!.id);
    return parameters.some(({ name }) => name === 'cursor') ? [{ path, parameters }] : [];
  });
});
afterAll(() => service.close());

const whole = (schema: Schema): Schema =>
  schema.$ref ? (resolved(document, schema.$ref) as Schema) : schema;

/** Values that the parameter takes. An id is of nothing. */
function valuesFor({ schema = {}, example }: Parameter): string[] {
  const { type, format, items, ...said } = whole(schema);
  if (type === 'object') return [];
  const words = (items ? whole(items) : whole(schema)).enum ?? [];
  if (words.length > 0) return words.slice(0, MOST_WORDS).map(String);
  if (format === 'date') return ['2026-01-05', '2030-01-01'];
  if (format === 'date-time') return ['2026-01-05T00:00:00Z', '2030-01-01T00:00:00Z'];
  if (type === 'boolean') return ['true', 'false'];
  const told = example ?? said.example;
  return [String(told ?? (type === 'integer' ? 100 : 'x'))];
}

async function read(client: TestClient, path: string, query: Record<string, string>) {
  const answer = await client.get<Page>(`${path}?${new URLSearchParams(query).toString()}`);
  // The ledger knows what it is asked for, or says that there is none.
  if (answer.status === 404) return null;
  expect([path, query, answer.status]).toEqual([path, query, 200]);
  return answer.body;
}

/** How many things all pages have. */
async function walked(client: TestClient, path: string, query: Record<string, string>) {
  let found = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(client, path, { ...query, limit: '2', ...(cursor && { cursor }) });
    found += page?.data.length ?? 0;
    cursor = page?.next_cursor ?? null;
  }
  return found;
}

const COUNTED = { include: 'total_count', limit: '1' };

describe('a total count', () => {
  it('is had by every list with pages', () => {
    const without = lists.filter(
      ({ parameters }) => !parameters.some(({ name }) => name === 'include'),
    );
    expect(without.map(({ path }) => path)).toEqual(NOT_COUNTED);
    expect(lists.length).toBeGreaterThan(14);
  });

  it('is the number of things on all pages, of each account its own', async () => {
    const stranger = await service.aClient();
    for (const { path } of lists) {
      if (NOT_COUNTED.includes(path)) continue;
      for (const client of [owner, stranger]) {
        const all = await walked(client, path, {});
        const first = await read(client, path, COUNTED);
        if (client === stranger && /\/(whep|sch)_/.test(path)) {
          expect(first).toBeNull();
          continue;
        }
        const ends = [path, first?.total_count, first?.total_count_exact];
        expect(ends).toEqual([path, all, true]);
        if (client === owner) expect([path, all > 0]).toEqual([path, true]);
        if (first?.next_cursor == null) continue;
        const next = await read(client, path, { ...COUNTED, cursor: first.next_cursor });
        expect([path, next?.total_count]).toEqual([path, all]);
      }
      const page = await read(owner, path, {});
      expect([path, Object.keys(page ?? {})]).toEqual([
        path,
        expect.not.arrayContaining(['total_count']),
      ]);
    }
  });

  it('keeps to each filter', async () => {
    let differing = 0;
    for (const { path, parameters } of lists) {
      if (NOT_COUNTED.includes(path)) continue;
      const all = await walked(owner, path, {});
      for (const parameter of parameters) {
        if (NO_FILTERS.test(parameter.name)) continue;
        for (const value of valuesFor(parameter)) {
          const query = { [parameter.name]: value };
          const page = await read(owner, path, { ...query, ...COUNTED });
          if (!page) continue;
          const found = await walked(owner, path, query);
          expect([path, query, page.total_count]).toEqual([path, query, found]);
          if (found !== all) differing += 1;
        }
      }
    }
    expect(differing).toBeGreaterThan(60);
  });

  it('ends at 10,000', async () => {
    const client = await service.aClient();
    await service.database.query(
      `INSERT INTO audit_entries (account_id, entry_id, action, actor_type, occurred_at)
       SELECT $1, gen_random_uuid(), 'a.b', 'none', now() FROM generate_series(1, 10001)`,
      [uuidOf('acc', client.accountId)],
    );
    const page = await read(client, '/v1/audit', { ...COUNTED, action: 'a.b' });
    expect([page?.total_count, page?.total_count_exact]).toEqual([10_000, false]);
  });

  it('reads no more rows than that, in any list', async () => {
    const counts = vi.spyOn(Database.prototype, 'countRows');
    for (const { path } of lists) {
      if (NOT_COUNTED.includes(path)) continue;
      await read(owner, path, COUNTED);
      const [text, values] = counts.mock.lastCall ?? ['', []];
      const last = /LIMIT \$(\d+)$/.exec(text)?.[1];
      expect([path, values[Number(last) - 1]]).toEqual([path, 10_001]);
    }
    expect(counts).toHaveBeenCalledTimes(lists.length - NOT_COUNTED.length);
    counts.mockRestore();
  });

  it('is refused for a file, which has no pages', async () => {
    const answer = await owner.get('/v1/finance/ledger?format=csv&include=total_count');
    expect(pointersOf(expectProblem(answer, 400, 'invalid_query'))).toEqual(['/include']);
  });
});
