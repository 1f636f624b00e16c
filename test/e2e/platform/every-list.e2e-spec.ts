import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { type EveryRoute, everyRouteOf } from '../every-route.js';
import { expectProblem, pointersOf } from '../expectations.js';
import type { OpenApi } from '../schema-check.js';

// Rules for the query, the list and the preconditions of every route, also of those that come later.

interface Parameter {
  name: string;
  required: boolean;
  style?: string;
  explode?: boolean;
  schema: { type?: string; format?: string; enum?: string[] };
}

interface Reading {
  path: string;
  parameters: Parameter[];
  /** All parameters that have to be sent, each with a value that is taken. */
  least: Record<string, string>;
}

/** It is no id of ours, but the caller's, an account's, or a provider's. */
const NOT_OURS = /^(external_id|client_id|series_id|provider_\w+)$/;

let service: TestService;
let every: EveryRoute;
let readings: Reading[];
let document: OpenApi;
beforeAll(async () => {
  service = await startTestService();
  every = await everyRouteOf(service);
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  readings = every.routes.flatMap(({ method, path }) => {
    if (method !== 'GET' || !/^\/v1\/(finance|audit|auth)/.test(path)) return [];
    const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.['get'];
    const all = (described?.parameters ?? []) as (Parameter & { in: string })[];
    const parameters = all.filter((one) => one.in === 'query');
    const needed = parameters.filter(({ required }) => required);
    const least = needed.map(({ name, schema }) => [name, valueFor(schema)] as const);
    return [{ path, parameters, least: Object.fromEntries(least) }];
  });
});
afterAll(() => service.close());

const valueFor = ({ format, enum: words }: Parameter['schema']) =>
  format === 'date' ? '2026-01-01' : (words?.[0] ?? '');

async function asked(path: string, query: Record<string, string>) {
  const search = new URLSearchParams(query).toString();
  return every.call({ method: 'GET', path, query: search }, await every.owner.bearer());
}

describe('every list', () => {
  it('has one envelope', async () => {
    const lists: string[] = [];
    for (const { path, least } of readings) {
      const { body } = await asked(path, least);
      if (!Array.isArray((body as { data?: unknown } | null)?.data)) continue;
      lists.push(path);
      const ends = { has_more: false, next_cursor: null };
      expect([path, body]).toEqual([path, expect.objectContaining(ends)]);
    }
    expect(lists.length).toBeGreaterThan(25);
    expect(lists).toContain('/v1/finance/documents/:id/history');
  });
});

describe('every query', () => {
  it('refuses an id that is none of ours, or of another thing, and names it', async () => {
    const seen: string[] = [];
    for (const { path, parameters, least } of readings) {
      for (const { name } of parameters) {
        if (!/_id$|^origin$|^ids$/.test(name) || NOT_OURS.test(name)) continue;
        seen.push(`${path} ${name}`);
        for (const wrong of [
          'x',
          'acc_01h455vb4pex5vsknk084sn02q',
          'doc_01h455vb4pex5vsknk084sn02',
        ]) {
          const problem = expectProblem(
            await asked(path, { ...least, [name]: wrong }),
            400,
            'invalid_query',
          );
          expect([path, pointersOf(problem)[0]]).toEqual([
            path,
            expect.stringMatching(`^/${name}`),
          ]);
          expect(problem.errors?.[0]?.code).toBe('invalid_id');
        }
      }
    }
    expect(seen.length).toBeGreaterThan(7);
  });

  it('says how a list and an object are sent', () => {
    const all = readings.flatMap(({ parameters }) => parameters);
    const styleOf = (name: string) => {
      const { style, explode } = all.find((one) => one.name === name) ?? {};
      return [style, explode];
    };
    expect(styleOf('ids')).toEqual(['form', false]);
    expect(styleOf('metadata')).toEqual(['deepObject', true]);
  });

  it('names each parameter that is wrong, as it was sent, and all at once', async () => {
    let count = 0;
    for (const { path, parameters } of readings) {
      // Nothing takes NUL.
      const wrong = parameters.map(({ name }) => [name, '\0'] as const);
      if (wrong.length === 0) continue;
      count += wrong.length;
      const answer = await asked(
        path,
        Object.fromEntries([...wrong, ['__proto__', '1'], ['x/y', '1']]),
      );
      const problem = expectProblem(answer, 400, 'invalid_query');
      const expected = [...wrong.map(([name]) => `/${name}`), '/__proto__', '/x~1y'].sort();
      expect([path, pointersOf(problem)]).toEqual([path, expected]);
    }
    expect(count).toBeGreaterThan(60);
  });
});

describe('a precondition', () => {
  const STALE = {
    'If-Match': '"999999999"',
    'If-None-Match': '*',
    'If-Unmodified-Since': 'Mon, 23 Nov 2020 10:00:00 GMT',
    'If-Modified-Since': 'Mon, 23 Nov 2037 10:00:00 GMT',
  };
  const FOR_READS = /^If-(None-Match|Modified-Since)$/;

  it('is looked at by a route that declares it, and refused by all others', async () => {
    const bearer = await every.owner.bearer();
    const invalid: string[] = [];
    const stopped: string[] = [];
    let refused = 0;
    for (const route of every.routes) {
      const { method, path } = route;
      const inFile = path.replace(/:(\w+)/g, '{$1}');
      const operation = document.paths[inFile]?.[method.toLowerCase()];
      if (!operation) continue;
      for (const [name, value] of Object.entries(STALE)) {
        if (FOR_READS.test(name) && method === 'GET') continue;
        const { status, body } = await every.call(route, bearer, { [name]: value });
        const isDeclared = operation.parameters?.some((one) => one.name === name) ?? false;
        const isUnsupported = body?.['code'] === 'unsupported_precondition';
        expect([method, path, name, isUnsupported]).toEqual([method, path, name, !isDeclared]);
        expect(status).toBeGreaterThanOrEqual(400);
        if (isDeclared) (status === 412 ? stopped : invalid).push(`${method} ${path}`);
        if (isUnsupported) refused++;
      }
    }
    expect(refused).toBeGreaterThan(300);
    expect(stopped.length).toBeGreaterThan(20);
    // Their bodies are judged first, and are empty here.
    expect(invalid).toEqual([
      'PUT /v1/finance/customers/by-external-id/:external_id',
      'PUT /v1/finance/documents/by-external-id/:external_id',
      'PUT /v1/finance/seller/logo',
    ]);
  });
});
