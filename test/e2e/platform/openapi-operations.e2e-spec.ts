import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../../support/service.js';
import { type OpenApi, resolved, type Schema } from '../schema-check.js';

// Rules for all operations of the OpenAPI document, also for those that come later.

/** They store nothing, or may be repeated without harm. */
const WITHOUT_KEY = [
  'POST /v1/finance/documents/preview',
  'DELETE /v1/finance/documents/{id}/portal-tokens',
  'DELETE /v1/finance/documents/{id}/portal-tokens/{token_id}',
  'POST /v1/finance/seller/template/preview',
  'POST /v1/finance/documents/validate',
  'POST /v1/finance/documents/{id}/validate',
  'POST /v1/finance/schedules/preview',
  'POST /v1/finance/schedules/{id}/preview',
];
/** There is no route that reads one of them. */
const WITHOUT_LOCATION = [
  'POST /v1/finance/documents/{id}/portal-tokens',
  'POST /v1/finance/vat-methods',
  'POST /v1/finance/schedules/{id}/usage',
];
const LONGEST_SUMMARY = 70;
const MOST_WORDS = 25;
/** The description of a refusal has only its codes. */
const CODES = /^[a-z_]+(, [a-z_]+)*$/;

let document: OpenApi;
beforeAll(async () => {
  const service = await startTestService();
  document = (await service.call<OpenApi>('/v1/openapi.json')).body;
  await service.close();
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** Every summary and description, of operations and of schemas. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /^(summary|description)$/.test(key) ? inner : textsIn(inner),
  );
}

describe('every operation', () => {
  it('takes an Idempotency-Key if a client writes with it', () => {
    const writes = operations().filter(
      ({ name, operation }) => !name.startsWith('GET ') && operation.security?.length,
    );
    const keyless = writes.filter(
      ({ operation }) => !operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(writes.length).toBeGreaterThan(30);
    expect(keyless.map(({ name }) => name)).toEqual(WITHOUT_KEY);
  });

  it('tells where the thing is read that it creates', () => {
    const creating = operations().filter(({ operation }) => operation.responses['201']);
    const silent = creating.filter(
      ({ operation }) => !('Location' in (operation.responses['201']?.headers ?? {})),
    );
    expect(creating.length).toBeGreaterThan(15);
    expect(silent.map(({ name }) => name)).toEqual(WITHOUT_LOCATION);
  });

  it('has a short summary that is no sentence of its own', () => {
    const odd = operations().filter(
      ({ operation: { summary = '' } }) =>
        summary.length > LONGEST_SUMMARY || !/^[A-Z].*[^.]$/.test(summary),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  it('has a description of its own, besides its access and its summary', () => {
    const told = operations().map(({ name, operation }) => {
      const { description = '', summary = '' } = operation;
      const [own = ''] = description.split(/(?:^|\n\n)Needs (?:the scope|no access token)/);
      return { name, own: own.trim(), summary };
    });
    const silent = told.filter(({ own, summary }) => own.length < 30 || own === `${summary}.`);
    expect(silent.map(({ name }) => name)).toEqual([]);
    const all = told.map(({ own }) => own);
    expect(all.filter((own, index) => all.indexOf(own) !== index)).toEqual([]);
  });

  it('is described in short sentences, and so is every schema', () => {
    const texts = textsIn(document).filter((text) => !CODES.test(text));
    const sentences = texts.flatMap((text) => text.split(/(?<=[.;]) /));
    expect(sentences.length).toBeGreaterThan(500);
    const long = sentences.filter((sentence) => sentence.split(/\s+/).length > MOST_WORDS);
    expect(long).toEqual([]);
  });
});

/** Each list of words, with its place. The codes of a refusal are those of one operation. */
function wordListsIn(value: unknown, path: string): { path: string; words: string }[] {
  if (typeof value !== 'object' || value === null || path.endsWith('/properties/code')) return [];
  const { enum: words } = value as { enum?: unknown[] };
  const own = (words ?? []).filter((word) => word !== null).map(String);
  return [
    ...(own.length > 2 ? [{ path, words: own.toSorted().join(' ') }] : []),
    ...Object.entries(value).flatMap(([key, inner]) => wordListsIn(inner, `${path}/${key}`)),
  ];
}

it('no list of words stands twice, but has a name', () => {
  const lists = wordListsIn(document, '');
  expect(lists.length).toBeGreaterThan(40);
  const repeated = lists.filter(({ words }, index) =>
    lists.some((other, place) => place !== index && other.words === words),
  );
  expect(repeated.map(({ path }) => path)).toEqual([]);
});

const schemas = () => Object.entries(document.components.schemas);

/** The schemas of the objects that a field may be. Lists and plain values have none. */
function objectsOf({ $ref, anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] {
  const named = [$ref, ...[...anyOf, ...oneOf, ...allOf].map((part) => part.$ref)];
  return named.flatMap((ref) => (ref ? [resolved(document, ref) as Schema] : []));
}

/** The names of the instants of a thing, also of its parts, which have no id of their own. */
function instantsOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if (field.format === 'date-time') return [name];
    return objectsOf(field)
      .filter((object) => !object.properties?.['id'])
      .flatMap(instantsOf);
  });
}

describe('every schema', () => {
  it('has each instant in one place', () => {
    const twice = schemas().flatMap(([name, schema]) => {
      const instants = instantsOf(schema);
      const repeated = instants.filter((instant, index) => instants.indexOf(instant) !== index);
      return repeated.map((instant) => `${name}.${instant}`);
    });
    expect(schemas().some(([, schema]) => instantsOf(schema).length > 1)).toBe(true);
    expect(twice).toEqual([]);
  });

  it('has the name before the address', () => {
    const places = schemas().flatMap(([name, { properties = {} }]) => {
      const [first, address] = ['name', 'address'].map((one) =>
        Object.keys(properties).indexOf(one),
      ) as [number, number];
      return first >= 0 && address >= 0 ? [{ name, isFirst: first < address }] : [];
    });
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter(({ isFirst }) => !isFirst)).toEqual([]);
  });

  it('names a number series by its id', () => {
    const fields = schemas().flatMap(([name, { properties = {} }]) =>
      Object.keys(properties).map((field) => `${name}.${field}`),
    );
    const parameters = operations().flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => `${name}.${parameter.name}`),
    );
    const named = [...fields, ...parameters].filter((field) => /\.\w*series/.test(field));
    expect(named).not.toEqual([]);
    expect(named.filter((field) => !field.endsWith('.series_id'))).toEqual([]);
  });
});
