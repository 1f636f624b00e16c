import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { type EveryRoute, everyRouteOf } from '../every-route.js';
import { pointersIn } from '../expectations.js';
import { type OpenApi, resolved, type Schema } from '../schema-check.js';

// Text that no database or no XML can hold is refused in every string of every body and query.

const UNSTORABLE = ['a\u0000b', 'a\u0001b', 'a\u000Bb', 'a\uFFFEb', 'a\uD800b', 'a\u202Eb'];

interface Leaf {
  value: (text: string) => unknown;
  pointer: string;
}

let service: TestService;
let every: EveryRoute;
let document: OpenApi;
beforeAll(async () => {
  service = await startTestService();
  every = await everyRouteOf(service);
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
});
afterAll(() => service.close());

/** One value for each string of a schema, also for the keys of an object of texts. */
function stringsIn(schema: Schema, seen: readonly string[] = []): Leaf[] {
  const { $ref } = schema;
  if ($ref) {
    if (seen.includes($ref)) return [];
    return stringsIn(resolved(document, $ref) as Schema, [...seen, $ref]);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const found = parts.flatMap((part) => stringsIn(part, seen));
  const { items, additionalProperties: values } = schema;
  if ([schema.type].flat().includes('string')) found.push({ value: (text) => text, pointer: '' });
  if (items) {
    found.push(
      ...stringsIn(items, seen).map(({ value, pointer }) => ({
        value: (text: string) => [value(text)],
        pointer: `/0${pointer}`,
      })),
    );
  }
  if (typeof values === 'object') {
    found.push({ value: (text) => ({ key: text }), pointer: '/key' });
    found.push({ value: (text) => ({ [text]: 'value' }), pointer: '/' });
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    found.push(
      ...stringsIn(property, seen).map(({ value, pointer }) => ({
        value: (text: string) => ({ [name]: value(text) }),
        pointer: `/${name}${pointer}`,
      })),
    );
  }
  return found;
}

const asRoute = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

describe('text that cannot be stored', () => {
  it('is refused in every string of every body', async () => {
    const bearer = await every.owner.bearer();
    const taken: string[] = [];
    let count = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(item)) {
        const schema = requestBody?.content['application/json']?.schema;
        for (const { value, pointer } of schema ? stringsIn(schema) : []) {
          // One of them at each place: all at every hundredth.
          for (const text of count % 100 === 0
            ? UNSTORABLE
            : [UNSTORABLE[count % UNSTORABLE.length] ?? '']) {
            const route = { method: method.toUpperCase(), path: asRoute(path) };
            const wrong = { ...route, body: value(text) as object };
            const { status, body } = await every.call(wrong, bearer);
            const isNamed = pointersIn(body).some((one) => one.includes(pointer));
            // A batch answers 200, with a refusal for each of its entries.
            const isRefused = status === 400 || (status === 422 && isNamed);
            if (!isRefused && !(path.endsWith('/batch') && isNamed)) {
              taken.push(`${status} ${route.method} ${path} ${pointer} ${JSON.stringify(text)}`);
            }
          }
          count += 1;
        }
      }
    }
    expect(taken).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });

  it('is refused in every parameter of a query', async () => {
    const bearer = await every.owner.bearer();
    const taken: string[] = [];
    let count = 0;
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { parameters = [] }] of Object.entries(item)) {
        for (const parameter of parameters) {
          if (parameter.in !== 'query') continue;
          for (const text of ['a%00b', 'a%01b', 'a%EF%BF%BEb']) {
            const query = `${parameter.name}=${text}`;
            const route = { method: method.toUpperCase(), path: asRoute(path), query };
            const { status } = await every.call(route, bearer);
            if (status < 400 || status >= 500) taken.push(`${status} ${method} ${path}?${query}`);
          }
          count += 1;
        }
      }
    }
    expect(taken).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
