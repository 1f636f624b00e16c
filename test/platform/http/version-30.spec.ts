import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { asOpenApi30 } from '../../../src/platform/http/openapi/version-30.js';
import { describedApi } from '../../support/openapi-file.js';

// OpenAPI 3.0 has the same API: it is valid, and nothing of the 3.1 document is lost.

type Plain = Record<string, unknown>;

/** The schema of OpenAPI 3.0 documents that Spectral judges by. */
function schemaOf30(): object {
  const linter = createRequire(import.meta.url).resolve('@stoplight/spectral-cli/package.json');
  const rules = createRequire(linter).resolve('@stoplight/spectral-rulesets/package.json');
  const file = new URL('./dist/oas/schemas/oas/v3.0.json', `file://${rules}`);
  return JSON.parse(readFileSync(file, 'utf8')) as object;
}

let given: OpenAPIObject & Plain;
let made: OpenAPIObject & Plain;
beforeAll(async () => {
  given = (await describedApi()) as OpenAPIObject & Plain;
  made = asOpenApi30(given) as OpenAPIObject & Plain;
});

/** All that a schema says, in words that are the same in both versions. */
function factsOf(schema: unknown, at: string, told: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { type, properties, required, items, enum: words, ...rest } = schema as Plain;
  for (const one of [type].flat()) if (one !== undefined) told.add(`${at} type ${String(one)}`);
  if (rest['nullable'] === true) told.add(`${at} type null`);
  const listed = 'const' in rest ? [rest['const']] : ((words as unknown[] | undefined) ?? []);
  for (const word of listed)
    told.add(word === null ? `${at} type null` : `${at} word ${JSON.stringify(word)}`);
  for (const name of (required as string[] | undefined) ?? []) told.add(`${at}.${name} required`);
  for (const [name, inner] of Object.entries((properties ?? {}) as Plain)) {
    told.add(`${at}.${name}`);
    factsOf(inner, `${at}.${name}`, told);
  }
  factsOf(items, `${at}[]`, told);
  const { additionalProperties: more } = rest;
  if (typeof more === 'boolean') told.add(`${at} more ${more}`);
  factsOf(more, `${at}{}`, told);
  factsOf(rest['propertyNames'] ?? rest['x-propertyNames'], `${at} keys`, told);
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const inner of (rest[key] as unknown[] | undefined) ?? []) factsOf(inner, at, told);
  for (const [key, value] of Object.entries(rest))
    if (!STRUCTURE.has(key))
      told.add(`${at} ${key === 'x-pattern' ? 'pattern' : key} ${JSON.stringify(value)}`);
}
const STRUCTURE = new Set(
  'nullable const additionalProperties propertyNames x-propertyNames allOf anyOf oneOf'.split(' '),
);

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

/** Operations with their parameters, bodies and answers, and all schemas. */
function allFacts(document: Plain): string[] {
  const told = new Set<string>();
  const calls = { ...(document['paths'] as object), ...(callsOf(document) as object) };
  for (const [path, item] of Object.entries(calls as Record<string, Record<string, Described>>))
    for (const [verb, operation] of Object.entries(item)) {
      const at = `${verb} ${path}`;
      const { parameters = [], requestBody, responses, ...rest } = operation;
      told.add(`${at} ${JSON.stringify(rest)}`);
      for (const { schema, ...parameter } of parameters) {
        told.add(`${at} ${JSON.stringify(parameter)}`);
        factsOf(schema, `${at} ${parameter.in} ${parameter.name}`, told);
      }
      contentFacts(requestBody, `${at} body`, told);
      for (const [status, answer] of Object.entries(responses))
        contentFacts(answer, `${at} ${status}`, told);
    }
  const { schemas, responses = {}, ...rest } = document['components'] as Record<string, Plain>;
  for (const [name, schema] of Object.entries(schemas ?? {})) factsOf(schema, name, told);
  for (const [name, answer] of Object.entries(responses)) contentFacts(answer, name, told);
  for (const [kind, all] of Object.entries(rest))
    for (const [name, part] of Object.entries(all)) {
      const { schema, ...more } = part as Plain;
      told.add(`${kind} ${name} ${JSON.stringify(more)}`);
      factsOf(schema, `${kind} ${name}`, told);
    }
  return [...told].sort();
}

const callsOf = (document: Plain) => document['webhooks'] ?? document['x-webhooks'];

function contentFacts(part: unknown, at: string, told: Set<string>): void {
  const { content = {}, ...rest } = (part ?? {}) as { content?: Record<string, Plain> };
  told.add(`${at} ${JSON.stringify(rest)}`);
  for (const [type, { schema, ...media }] of Object.entries(content)) {
    told.add(`${at} ${type} ${JSON.stringify(media)}`);
    factsOf(schema, `${at} ${type}`, told);
  }
}

describe('the API in OpenAPI 3.0', () => {
  it('is valid by the schema of that version', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    const validate = ajv.compile(schemaOf30());
    validate(made);
    expect(validate.errors ?? []).toEqual([]);
    expect(made.openapi).toBe('3.0.3');
  });

  it('has every operation, parameter, property, word and bound of 3.1, and no other', () => {
    const before = allFacts(given);
    const after = allFacts(made);
    expect(before.length).toBeGreaterThan(10_000);
    const kept = new Set(after);
    expect(before.filter((fact) => !kept.has(fact))).toEqual([]);
    const known = new Set(before);
    // A null says its type here, and a word that of the list.
    const added = after.filter((fact) => !known.has(fact));
    expect(added.filter((fact) => !/ type (string|object|boolean|integer)$/.test(fact))).toEqual(
      [],
    );
  });

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(made);
    const names = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(500);
    const found = (path: string) =>
      path.split('/').reduce<unknown>((at, key) => (at as Plain | undefined)?.[key], made);
    expect([...names].filter((name) => found(name) === undefined)).toEqual([]);
  });

  it('leaves the given document as it was', async () => {
    expect(given).toEqual(await describedApi());
  });
});

/** A schema of 3.1, as 3.0 has it. */
function rendered(schema: unknown): unknown {
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: {},
    components: {
      schemas: { Asked: schema, Word: { type: 'string', enum: ['a'] }, Thing: { type: 'object' } },
    },
  };
  return asOpenApi30(document as never).components?.schemas?.['Asked'];
}

const WORD = { $ref: '#/components/schemas/Word' };

describe('a schema', () => {
  it.each([
    [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [{ type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [
      { type: ['string', 'integer', 'null'] },
      { anyOf: [{ type: 'string', nullable: true }, { type: 'integer' }] },
    ],
    [{ type: 'null' }, { type: 'string', enum: [null], nullable: true }],
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', enum: ['a'], nullable: true },
    ],
    [{ anyOf: [WORD, { type: 'null' }] }, { type: 'string', allOf: [WORD], nullable: true }],
    [
      { description: 'A', anyOf: [{ oneOf: [WORD, { type: 'number' }] }, { type: 'null' }] },
      {
        description: 'A',
        oneOf: [{ type: 'string', allOf: [WORD], nullable: true }, { type: 'number' }],
      },
    ],
    [
      { description: 'A', anyOf: [{ type: 'string', description: 'B' }, { type: 'null' }] },
      {
        description: 'A',
        type: 'string',
        allOf: [{ type: 'string', description: 'B' }],
        nullable: true,
      },
    ],
    [
      { ...WORD, description: 'A' },
      { description: 'A', allOf: [WORD] },
    ],
    [WORD, WORD],
    [{ const: 'a' }, { type: 'string', enum: ['a'] }],
    [{ const: true }, { type: 'boolean', enum: [true] }],
    [{ enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    [
      { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
      { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 },
    ],
    [{ minimum: 5, exclusiveMinimum: 0 }, { minimum: 5 }],
    [
      { maximum: 5, exclusiveMaximum: 5 },
      { maximum: 5, exclusiveMaximum: true },
    ],
    [
      { type: 'string', examples: ['a', 'b'] },
      { type: 'string', example: 'a' },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { const: 1 }], items: false },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'integer', enum: [1] }] },
        maxItems: 2,
      },
    ],
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { type: 'object', patternProperties: { '^x': { const: 'a' } }, additionalProperties: false },
      {
        type: 'object',
        'x-patternProperties': { '^x': { const: 'a' } },
        additionalProperties: { anyOf: [{ type: 'string', enum: ['a'] }] },
      },
    ],
    [
      { type: 'object', properties: { examples: { const: 'a' } }, propertyNames: { maxLength: 4 } },
      {
        type: 'object',
        properties: { examples: { type: 'string', enum: ['a'] } },
        'x-propertyNames': { maxLength: 4 },
      },
    ],
    [
      { type: 'string', contentEncoding: 'base64' },
      { type: 'string', format: 'byte', 'x-contentEncoding': 'base64' },
    ],
    [
      { type: 'string', format: 'date', pattern: '^2' },
      { type: 'string', format: 'date', 'x-pattern': '^2' },
    ],
    [true, {}],
    [false, { not: {} }],
  ])('%j', (schema, expected) => {
    expect(rendered(schema)).toEqual(expected);
  });
});
