import { nameOfWords } from './words.js';

/** The extension of a schema that has a name of its own wherever it stands. */
const NAME = 'x-name';

type Plain = Record<string, unknown>;
type Schemas = Record<string, Plain>;

/** A schema that is told once, under its name. */
export function named(name: string, schema: Plain): Plain {
  return { [NAME]: { name, schema }, ...schema };
}

/** A plain text under these names is of the named schema, in answers as in requests. */
const BY_PROPERTY: Record<string, string> = {
  currency: 'Currency',
  base_currency: 'Currency',
  country: 'Country',
  unit: 'Unit',
};

/**
 * Makes the document of @nestjs/swagger valid in OpenAPI 3.1, and exact. Null is a type. A number is
 * an integer, since nothing of ours answers with a fraction. Lists of codes have one place. Names
 * end without `Body`.
 */
export function exactSchemas<Document extends { components?: { schemas?: object } }>(
  document: Document,
): Document {
  const found: Schemas = {};
  const exact = transformed(document, found) as Document;
  const { schemas = {} } = (exact.components ??= {});
  const all: Schemas = { ...found };
  for (const [name, schema] of Object.entries(schemas as Schemas)) {
    if (all[plainName(name)]) throw new Error(`two schemas would be named ${plainName(name)}`);
    all[plainName(name)] = schema;
  }
  exact.components.schemas = all;
  return exact;
}

const plainName = (name: string) => name.replace(/Body$/, '');

function transformed(value: unknown, found: Schemas): unknown {
  if (Array.isArray(value)) return value.map((inner) => transformed(inner, found));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === NAME ? inner : transformed(inner, found),
  ]);
  const plain = Object.fromEntries(entries) as Plain;
  if (typeof plain['$ref'] === 'string') plain['$ref'] = plainName(plain['$ref']);
  if (isPlain(plain['properties'])) plain['properties'] = withNames(plain['properties']);
  return nullAsType(asInteger(withWords(hoisted(withKeys(plain), found), found)));
}

/** @nestjs/swagger leaves the rule for the keys of a parameter beside its schema. */
function withKeys(schema: Plain): Plain {
  const { propertyNames, ...parameter } = schema;
  if (!propertyNames || !('in' in schema)) return schema;
  return { ...parameter, schema: { ...(schema['schema'] as Plain), propertyNames } };
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts a named schema into its place, and leaves a reference with what only this use says. */
function hoisted(schema: Plain, found: Schemas): Plain {
  const { [NAME]: told, ...rest } = schema;
  if (!isPlain(told)) return schema;
  const { name, schema: own } = told as { name: string; schema: Plain };
  found[name] = own;
  const $ref = `#/components/schemas/${name}`;
  // @nestjs/swagger leaves the extensions of a parameter beside its schema.
  if ('in' in rest) return { ...rest, schema: { $ref } };
  const outer = Object.entries(rest).filter(
    ([key, value]) => own[key] !== value && key !== 'enum' && key !== 'type',
  );
  // @nestjs/swagger says the null of a list of words by itself.
  const nullable = rest['nullable'] === true || [rest['type']].flat().includes('null');
  return { ...Object.fromEntries(outer), ...(nullable && { nullable }), allOf: [{ $ref }] };
}

/** A named list of words has one place. */
function withWords(schema: Plain, found: Schemas): Plain {
  const { enum: words, type, ...rest } = schema;
  const name = Array.isArray(words) ? nameOfWords(words) : undefined;
  if (!name) return schema;
  const own = (words as unknown[]).filter((word) => word !== null);
  found[name] = { type: 'string', enum: own };
  const nullable = own.length < (words as unknown[]).length || [type].flat().includes('null');
  return {
    ...rest,
    ...(nullable && { nullable }),
    allOf: [{ $ref: `#/components/schemas/${name}` }],
  };
}

function withNames(properties: Plain): Plain {
  return Object.fromEntries(
    Object.entries(properties).map(([property, schema]) => {
      const name = BY_PROPERTY[property];
      if (!name || !isPlain(schema)) return [property, schema];
      const { type, ...rest } = schema;
      const $ref = `#/components/schemas/${name}`;
      if (type === 'string') return [property, { ...rest, $ref }];
      if (!Array.isArray(type) || !type.includes('string')) return [property, schema];
      return [property, { ...rest, anyOf: [{ $ref }, { type: 'null' }] }];
    }),
  );
}

/** `format` tells the few decimals that may be sent as a number. */
function asInteger(schema: Plain): Plain {
  const isWhole = schema['type'] === 'number' && schema['format'] === undefined;
  return isWhole ? { ...schema, type: 'integer', format: 'int64' } : schema;
}

/** OpenAPI 3.1 has no `nullable`: null is a type, and a reference needs `anyOf`. */
function nullAsType(schema: Plain): Plain {
  const { nullable, ...rest } = schema;
  const { allOf, type, ...outer } = rest;
  const [only, ...others] = (allOf as Plain[] | undefined) ?? [];
  if (nullable !== true) {
    if (nullable !== undefined) return schema;
    return only?.['$ref'] && others.length === 0 ? { ...outer, ...only } : rest;
  }
  if (typeof type === 'string' && !allOf) return { ...rest, type: [type, 'null'] };
  return { ...outer, anyOf: [...((allOf as unknown[]) ?? []), { type: 'null' }] };
}

/** The names of all schemas that these are made of. */
export function schemasIn(value: unknown, schemas: Schemas, seen = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return seen;
  const { $ref } = value as { $ref?: unknown };
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined;
  if (name !== undefined && !seen.has(name)) {
    seen.add(name);
    schemasIn(schemas[name], schemas, seen);
  }
  for (const inner of Object.values(value)) schemasIn(inner, schemas, seen);
  return seen;
}

/** Unknown fields of these are refused, and the schema says so. */
export function close(schemas: Schemas, names: Iterable<string>): void {
  for (const name of names) {
    const schema = schemas[name];
    if (schema?.['type'] !== 'object') continue;
    schema['additionalProperties'] ??= false;
  }
}
