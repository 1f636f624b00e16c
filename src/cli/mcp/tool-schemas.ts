import type { JsonSchema } from '../../platform/http/validation/shapes.js';
import { isJson, type ServiceOperation } from './service-operations.js';

type Schemas = Record<string, JsonSchema>;

export interface InputSchema {
  [keyword: string]: unknown;
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
}

/** Many readers of tools do not follow `$ref`, so schemas stand in their place. */
const REF = /^#\/components\/schemas\/(.+)$/;
const SAYS_FIELDS = new Set([
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
]);
const WORDS = new Set(['description', 'examples', 'title', 'format']);

const KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A new one, such as a UUID, for each thing that you want done. With the same key again it is not done twice.',
};
const VERSION = {
  type: ['string', 'integer'],
  description: 'The `version` that you have read: if there is a later one, nothing is changed.',
};

/**
 * The arguments of a tool: parts of path and query by their names, the rest as `body`.
 * @param mostCharacters of it: if it has more, fields far down are left out, then descriptions
 */
export function inputSchema(
  operation: ServiceOperation,
  schemas: Schemas,
  mostCharacters: number,
): { schema: InputSchema; isWhole: boolean } {
  const whole = withDepth(operation, schemas, Infinity);
  if (lengthOf(whole) <= mostCharacters) return { schema: whole, isWhole: true };
  const shallow = withDepth(operation, schemas, 2);
  if (lengthOf(shallow) <= mostCharacters) return { schema: shallow, isWhole: false };
  const { properties, ...rest } = withDepth(operation, schemas, 1);
  const { body, ...others } = properties;
  if (!body) return { schema: { properties, ...rest }, isWhole: true };
  const examples = operation.body?.example === undefined ? [] : [operation.body.example];
  const bare = { ...withoutWords(body), examples };
  return { schema: { ...rest, properties: { ...others, body: bare } }, isWhole: false };
}

const lengthOf = (schema: object) => JSON.stringify(schema).length;

function withDepth(operation: ServiceOperation, schemas: Schemas, depth: number): InputSchema {
  const { inPath, inQuery, body, takesKey, takesVersion } = operation;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const add = (name: string, schema: JsonSchema, isRequired: boolean) => {
    properties[name] = schema;
    if (isRequired) required.push(name);
  };
  for (const { name, description, required: isRequired = false, schema } of [
    ...inPath,
    ...inQuery,
  ]) {
    const inPlace = resolved(schema, schemas, depth);
    add(name, { ...inPlace, ...(description !== undefined && { description }) }, isRequired);
  }
  if (takesKey) add('idempotency_key', KEY, true);
  if (takesVersion) add('if_match', VERSION, false);
  if (body && body.mediaTypes.every(isJson)) {
    add('body', resolved(body.schema, schemas, depth), body.isRequired);
  } else if (body) {
    add('content_type', { type: 'string', enum: body.mediaTypes }, true);
    add('content', FILE, true);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

const FILE = {
  type: 'string',
  description: 'The file: text and XML as they are, others in base64.',
};

function resolved(
  schema: JsonSchema,
  schemas: Schemas,
  depth: number,
  within: readonly string[] = [],
): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? REF.exec(schema['$ref'])?.[1] : undefined;
  if (name !== undefined) {
    const { $ref: _, ...beside } = schema;
    if (within.includes(name)) return { type: 'object', ...beside };
    return resolved({ ...schemas[name], ...beside }, schemas, depth, [...within, name]);
  }
  const isCut = depth <= 0 && 'properties' in schema;
  const made: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isCut && SAYS_FIELDS.has(keyword)) continue;
    if (keyword === 'example') made['examples'] = [value];
    else if (keyword === 'properties') {
      made[keyword] = mapped(value as Schemas, (one) => resolved(one, schemas, depth - 1, within));
    } else made[keyword] = belowKeyword(value, (one) => resolved(one, schemas, depth, within));
  }
  return made;
}

function belowKeyword(value: unknown, of: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => belowKeyword(one, of));
  return typeof value === 'object' && value !== null ? of(value as JsonSchema) : value;
}

const mapped = (schemas: Schemas, of: (schema: JsonSchema) => JsonSchema): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, of(schema)]));

function withoutWords(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties'
        ? mapped(value as Schemas, withoutWords)
        : belowKeyword(value, withoutWords),
    ]),
  );
}
