import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { type EveryRoute, everyRouteOf } from '../every-route.js';
import { pointersIn } from '../expectations.js';
import { type OpenApi, resolved, type Schema } from '../schema-check.js';

// Every body with a list of texts, or an object of texts, as the OpenAPI file tells them.

interface Case {
  method: string;
  path: string;
  body: object;
  /** Of the list or the object. */
  at: string;
  /** Of its only wrong entry. */
  pointer: string;
}

let service: TestService;
let every: EveryRoute;
let cases: Case[];
beforeAll(async () => {
  service = await startTestService();
  every = await everyRouteOf(service);
  const document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  cases = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      const found = schema ? wrongEntriesIn(document, schema) : [];
      return found.map(({ value, at, pointer }) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, ':$1'),
        body: value as object,
        at,
        pointer,
      }));
    }),
  );
});
afterAll(() => service.close());

interface Wrong {
  value: unknown;
  at: string;
  pointer: string;
}

/** One value for each list and object of texts in the schema, with its second entry wrong. */
function wrongEntriesIn(document: OpenApi, schema: Schema, seen: readonly string[] = []): Wrong[] {
  const { $ref } = schema;
  if ($ref) {
    if (seen.includes($ref)) return [];
    return wrongEntriesIn(document, resolved(document, $ref) as Schema, [...seen, $ref]);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const found = parts.flatMap((part) => wrongEntriesIn(document, part, seen));
  const { items, additionalProperties: values } = schema;
  if (items && isText(document, items)) {
    const good = (schema.example as unknown[] | undefined)?.[0] ?? wordOf(document, items);
    found.push({ value: [good, 7], at: '', pointer: '/1' });
  } else if (items) {
    const inner = wrongEntriesIn(document, items, seen);
    found.push(...inner.map((wrong) => within(wrong, '/0', [wrong.value])));
  }
  if (typeof values === 'object' && isText(document, values)) {
    found.push({ value: { good: 'x', 'a/b~c': 7 }, at: '', pointer: '/a~1b~0c' });
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner = wrongEntriesIn(document, property, seen);
    found.push(...inner.map((wrong) => within(wrong, `/${name}`, { [name]: wrong.value })));
  }
  return found;
}

function within({ at, pointer }: Wrong, step: string, value: unknown): Wrong {
  return { value, at: step + at, pointer: step + pointer };
}

const whole = (document: OpenApi, schema: Schema) =>
  schema.$ref ? (resolved(document, schema.$ref) as Schema) : schema;

function isText(document: OpenApi, schema: Schema): boolean {
  return [whole(document, schema).type].flat().includes('string');
}

const wordOf = (document: OpenApi, schema: Schema) => whole(document, schema).enum?.[0] ?? 'x';

describe('a wrong entry', () => {
  it('is named by its index or its key, in every body', async () => {
    const bearer = await every.owner.bearer();
    for (const { method, path, body, at, pointer } of cases) {
      const answer = await every.call({ method, path, body }, bearer);
      const pointers = pointersIn(answer.body).filter(
        (one) => one === at || one.startsWith(`${at}/`),
      );
      expect([method, path, pointers]).toEqual([method, path, [pointer]]);
    }
    expect(cases.length).toBeGreaterThan(35);
    const all = new Set(cases.map(({ pointer }) => pointer));
    expect([...all]).toEqual(
      expect.arrayContaining([
        '/scopes/1',
        '/addresses/1',
        '/address/1',
        '/metadata/a~1b~0c',
        '/lines/0/metadata/a~1b~0c',
        '/documents/0/customer/address/1',
      ]),
    );
  });
});
