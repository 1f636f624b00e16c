import type { OpenAPIObject } from '@nestjs/swagger';

type Plain = Record<string, unknown>;
type Schemas = Record<string, Plain>;

/** Schemas of 3.0 know these as they are. All others become extensions, with `x-` before their name. */
const KNOWN = new Set(
  (
    'title multipleOf maximum minimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties ' +
    'minProperties required enum type description format default nullable discriminator readOnly writeOnly ' +
    'xml externalDocs example deprecated exclusiveMinimum exclusiveMaximum'
  ).split(' '),
);

/** Outside of schemas, they hold data that may look like one. */
const DATA = new Set(['example', 'examples']);

/**
 * The same API as an OpenAPI 3.0.3 document, for generators that do not read 3.1 (decision 277). The given
 * one stays as it is.
 */
export function asOpenApi30(document: OpenAPIObject): OpenAPIObject {
  const { webhooks, jsonSchemaDialect: _, ...rest } = document as OpenAPIObject & Plain;
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const made = new Rendering(schemas);
  return {
    ...(made.part(rest) as OpenAPIObject),
    openapi: '3.0.3',
    // 3.0 has no place for calls that we make; readers of it know this extension.
    ...(webhooks !== undefined && { 'x-webhooks': made.part(webhooks) }),
  };
}

/** Schemas refer to each other, and the type of a null is that of what is referred to. */
class Rendering {
  constructor(private readonly schemas: Schemas) {}

  /** Both versions have alike all that is around schemas. */
  part(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((inner) => this.part(inner));
    if (!isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (inner === undefined || DATA.has(key) || key.startsWith('x-')) return [key, inner];
        if (key === 'schema') return [key, this.schema(inner)];
        if (key === 'schemas' && isPlain(inner)) return [key, this.each(inner)];
        return [key, this.part(inner)];
      }),
    );
  }

  private each(schemas: Plain): Plain {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, inner]) => [name, this.schema(inner)]),
    );
  }

  private schema(given: unknown): Plain {
    if (given === true) return {};
    if (!isPlain(given)) return { not: {} };
    const { $ref, ...beside } = given;
    if (typeof $ref === 'string') {
      if (Object.keys(beside).length === 0) return { $ref };
      // 3.0 passes over all that stands beside a reference.
      const others = (beside['allOf'] as unknown[] | undefined) ?? [];
      return this.schema({ ...beside, allOf: [{ $ref }, ...others] });
    }
    const plain = asEnum(given);
    const { schema, isNullable } = withoutNull(plain);
    const made = this.keywords(schema);
    return isNullable ? this.nullable(made) : made;
  }

  private keywords(schema: Plain): Plain {
    const made: Plain = {};
    for (const [key, value] of Object.entries(schema)) {
      if (KNOWN.has(key) || key.startsWith('x-')) made[key] = value;
      else if (key === 'properties') made[key] = this.each(value as Plain);
      else if (key === 'items' && isPlain(value)) made[key] = this.schema(value);
      else if (key === 'not') made[key] = this.schema(value);
      else if (key === 'additionalProperties')
        made[key] = typeof value === 'boolean' ? value : this.schema(value);
      else if (key === 'allOf' || key === 'anyOf' || key === 'oneOf')
        made[key] = (value as unknown[]).map((inner) => this.schema(inner));
      else if (key === 'examples') made['example'] ??= (value as unknown[])[0];
      else made[`x-${key}`] = value;
    }
    asFormat(schema, made);
    withoutPattern(made);
    asBound(made, 'minimum', 'exclusiveMinimum');
    asBound(made, 'maximum', 'exclusiveMaximum');
    this.places(schema, made);
    this.patterns(schema, made);
    return made;
  }

  /** The places of a tuple are entries of one list, of which each is one of these. */
  private places({ prefixItems, items }: Plain, made: Plain): void {
    if (Array.isArray(prefixItems)) {
      delete made['x-prefixItems'];
      delete made['x-items'];
      const rest = isPlain(items) ? [items] : [];
      made['items'] = { anyOf: [...prefixItems, ...rest].map((inner) => this.schema(inner)) };
      if (items === false) made['maxItems'] ??= prefixItems.length;
    }
    if (made['type'] === 'array') made['items'] ??= {};
  }

  /** Fields that only a pattern names are not refused. */
  private patterns({ patternProperties, additionalProperties }: Plain, made: Plain): void {
    if (!isPlain(patternProperties) || additionalProperties !== false) return;
    made['additionalProperties'] = { anyOf: Object.values(this.each(patternProperties)) };
  }

  /** In 3.0.3, `nullable` says something only beside a `type`. */
  private nullable(schema: Plain): Plain {
    const type = this.typeOf(schema);
    if (type !== undefined) return { ...schema, type, ...wordsOf(schema), nullable: true };
    const key = schema['oneOf'] ? 'oneOf' : 'anyOf';
    const [first, ...others] = (schema[key] as Plain[] | undefined) ?? [];
    // Exactly one of them takes the null.
    return first
      ? { ...schema, [key]: [this.nullable(inPlace(first)), ...others] }
      : { ...schema, nullable: true };
  }

  private typeOf(schema: Plain | undefined): unknown {
    const { type, $ref, allOf } = schema ?? {};
    if (typeof type === 'string') return type;
    if (Array.isArray(type)) return (type as string[]).find((one) => one !== 'null');
    if (typeof $ref === 'string') return this.typeOf(this.schemas[$ref.split('/').at(-1)!]);
    if (Array.isArray(allOf))
      return (allOf as Plain[]).map((one) => this.typeOf(one)).find(Boolean);
    return undefined;
  }
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A null among the words is where generators fail; `nullable` says it. */
function wordsOf({ enum: words }: Plain): Plain {
  const left = Array.isArray(words) ? words.filter((word) => word !== null) : [];
  return left.length > 0 ? { enum: left } : {};
}

/** A reference takes nothing beside it. */
const inPlace = (schema: Plain): Plain => ('$ref' in schema ? { allOf: [schema] } : schema);

const TYPES: Record<string, string> = { string: 'string', boolean: 'boolean', object: 'object' };

/** A constant is a list of one word, and a list of words has their type. */
function asEnum(schema: Plain): Plain {
  const { const: only, ...rest } = schema;
  const made: Plain = 'const' in schema ? { ...rest, enum: [only] } : rest;
  const words = made['enum'];
  if (!Array.isArray(words) || made['type'] !== undefined) return made;
  const types = new Set(
    words.map((word) => {
      if (word === null) return 'null';
      if (typeof word === 'number') return Number.isInteger(word) ? 'integer' : 'number';
      return TYPES[typeof word];
    }),
  );
  return { ...made, type: [...types] };
}

/** Takes the null out of a schema, wherever it says that it takes one. */
function withoutNull(schema: Plain): { schema: Plain; isNullable: boolean } {
  const types = [schema['type']].flat().filter((type) => type !== undefined);
  const left = types.filter((type) => type !== 'null');
  const { type: _, ...untyped } = schema;
  let made: Plain = { ...untyped, ...(left.length === 1 && { type: left[0] }) };
  let isNullable = left.length < types.length;
  // A null alone may have any type.
  if (isNullable && left.length === 0)
    return { schema: { ...untyped, type: 'string', enum: [null] }, isNullable };
  if (left.length > 1) made = beside(made, { anyOf: left.map((type) => ({ type })) });
  for (const key of ['anyOf', 'oneOf'] as const) {
    const choices = made[key] as Plain[] | undefined;
    const others = choices?.filter((choice) => choice['type'] !== 'null');
    if (!choices || !others || others.length === choices.length) continue;
    isNullable = true;
    const { [key]: _, ...outer } = made;
    made = others.length === 1 ? beside(outer, inPlace(others[0]!)) : { ...outer, [key]: others };
  }
  return { schema: made, isNullable };
}

/** Both hold: in one object if no keyword is in both. */
function beside(outer: Plain, inner: Plain): Plain {
  if (Object.keys(inner).every((key) => !(key in outer))) return { ...inner, ...outer };
  const others = (outer['allOf'] as unknown[] | undefined) ?? [];
  return { ...outer, allOf: [...others, inner] };
}

/** In 3.0 a bound is exclusive by a mark beside it. */
function asBound(made: Plain, bound: 'minimum' | 'maximum', exclusive: string): void {
  const value = made[exclusive];
  if (typeof value !== 'number') return;
  const other = made[bound];
  delete made[exclusive];
  const isInner = bound === 'minimum' ? Number(other) > value : Number(other) < value;
  if (typeof other === 'number' && isInner) return;
  Object.assign(made, { [bound]: value, [exclusive]: true });
}

/** The bytes of a text are a format of it. */
function asFormat({ contentEncoding, contentMediaType, type }: Plain, made: Plain): void {
  if (type !== 'string' || made['format'] !== undefined) return;
  if (contentEncoding === 'base64') made['format'] = 'byte';
  else if (contentMediaType !== undefined) made['format'] = 'binary';
}

/** The format of a day says the same; generators fail at both. */
function withoutPattern(made: Plain): void {
  const { format, pattern } = made;
  if (pattern === undefined || (format !== 'date' && format !== 'date-time')) return;
  delete made['pattern'];
  made['x-pattern'] = pattern;
}
