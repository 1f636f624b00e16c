import { expect } from 'vitest';
import type { Answer } from '../support/http.js';

/** The part of JSON Schema that our OpenAPI document uses, with nothing silently let through. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  description?: string;
  example?: unknown;
}

interface Media {
  schema?: Schema;
  examples?: Record<string, { value: Record<string, unknown> }>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
  security?: object[];
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

type Deviations = string[];

const FORMATS: Record<string, RegExp> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

/** The target of a `#/a/b` reference; undefined if there is nothing. */
export function resolved(document: object, ref: string): Schema | undefined {
  const names = ref.replace(/^#\//, '').split('/');
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      document,
    ) as Schema | undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeOf(value) === type;
}

/** The differences of a value from its schema; members that no schema names are told too. */
export function deviations(document: object, schema: Schema, value: unknown, at = ''): Deviations {
  if (schema.$ref) {
    const target = resolved(document, schema.$ref);
    return target ? deviations(document, target, value, at) : [`${at}: no ${schema.$ref}`];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const tried = choices.map((choice) => deviations(document, choice, value, at));
    return tried.some((found) => found.length === 0) ? [] : [`${at}: fits none`, ...tried.flat()];
  }
  if (schema.allOf) return schema.allOf.flatMap((one) => deviations(document, one, value, at));
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${at}: ${typeOf(value)} instead of ${types.join(' or ')}`];
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at}: ${String(value)} is not listed`];
  if (Array.isArray(value)) return ofItems(document, schema, value, at);
  if (typeof value === 'object' && value !== null) return ofMembers(document, schema, value, at);
  return ofText(schema, value, at);
}

function ofText(schema: Schema, value: unknown, at: string): Deviations {
  if (typeof value !== 'string') return [];
  const format = FORMATS[schema.format ?? ''];
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  return [format, pattern].flatMap((form) =>
    form && !form.test(value) ? [`${at}: ${value} does not match ${form}`] : [],
  );
}

function ofItems(document: object, { items }: Schema, value: unknown[], at: string): Deviations {
  if (!items) return [`${at}: a list whose items are not described`];
  return value.flatMap((item, index) => deviations(document, items, item, `${at}/${index}`));
}

function ofMembers(document: object, schema: Schema, value: object, at: string): Deviations {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const missing = required.filter((name) => !(name in value));
  return [
    ...missing.map((name) => `${at}/${name}: missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const described = Object.hasOwn(properties, name) ? properties[name] : others;
      if (typeof described === 'object') {
        return deviations(document, described, member, `${at}/${name}`);
      }
      return described === true ? [] : [`${at}/${name}: not described`];
    }),
  ];
}

/** A real answer is of a status, a type and a shape that the document tells of. */
export function expectAsDescribed(
  document: OpenApi,
  method: string,
  path: string,
  answer: Answer<object>,
): void {
  const operation = document.paths[path]?.[method];
  const described = operation?.responses[answer.status];
  const content = described?.content;
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  expect([method, path, answer.status, Object.keys(content ?? {})]).toEqual([
    method,
    path,
    answer.status,
    expect.arrayContaining(type ? [type] : []),
  ]);
  expect([method, path, answer.status, described]).toEqual([
    method,
    path,
    answer.status,
    expect.anything(),
  ]);
  if (answer.status === 204) return;
  const schema = content?.[type]?.schema;
  expect(schema).toBeDefined();
  expect([path, deviations(document, schema ?? {}, answer.body)]).toEqual([path, []]);
}
