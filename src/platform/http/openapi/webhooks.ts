import type { OpenAPIObject } from '@nestjs/swagger';
import type { z } from 'zod';
import type { Scope } from '../access.js';
import { referenceTo, toJsonSchema } from '../validation/shapes.js';

type Schema = Record<string, unknown>;

/** The moment and the day of all examples. */
const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-27T09:30:00.000Z',
  date: '2026-11-27',
};

/** Something that we tell, to those who ask for it or have asked to be called. */
interface Told {
  when: string;
  scope: Scope;
  data: z.ZodObject;
  /** The parts of its example that the schemas do not say: of the data, and around them. */
  example: object;
  around: object;
}

let envelope: z.ZodObject | undefined;
const all = new Map<string, Told>();

/**
 * The `webhooks` of the OpenAPI document, by their types.
 * @param shape has `type` and `data`
 */
export function nameWebhooks(shape: z.ZodObject, webhooks: Record<string, Told>): void {
  envelope = shape;
  for (const [type, told] of Object.entries(webhooks)) all.set(type, told);
}

/** Adds them with the schemas that they are made of. */
export function addWebhooks(document: OpenAPIObject): void {
  if (!envelope) return;
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  Object.assign(schemas, toJsonSchema(envelope).components);
  const webhooks = Object.fromEntries(
    [...all].map(([type, told]) => [type, { post: webhookOf(type, told, envelope!, schemas) }]),
  );
  Object.assign(document, { webhooks });
}

function webhookOf(
  type: string,
  { when, scope, data, example, around }: Told,
  shape: z.ZodObject,
  schemas: Record<string, Schema>,
): object {
  const told = toJsonSchema(data);
  const names = Object.keys(told.components);
  const renamed = (value: unknown) => withNames(value, names) as Schema;
  for (const [name, schema] of Object.entries(told.components)) {
    schemas[dataName(name)] ??= renamed(schema);
  }
  const shown = {
    ...(exampleOf(referenceTo(shape), schemas, { type, ...around }) as object),
    data: exampleOf(told.schema, told.components, example),
  };
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['events'],
    summary: when,
    description: `Read with the scope \`${scope}\`.`,
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              referenceTo(shape),
              {
                type: 'object',
                properties: { type: { const: type }, data: renamed(told.schema) },
              },
            ],
          },
          example: shown,
        },
      },
    },
    responses: { '2XX': { description: 'It was taken.' } },
  };
}

/** An object as an event shows it is not the one that an answer shows: it has a name of its own. */
const dataName = (name: string) => (name.endsWith('Body') ? name : `${name}InEvent`);

function withNames(value: unknown, names: readonly string[]): unknown {
  const told = JSON.stringify(value).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (whole, name: string) =>
      names.includes(name) ? `"#/components/schemas/${dataName(name)}"` : whole,
  );
  return JSON.parse(told);
}

/**
 * A value that fits a schema: its example, else its first word, else the least that there is. A field
 * that may be null is null, and one that may be absent is.
 * @param schemas those that are referred to by name
 * @param told the parts that are told otherwise
 */
function exampleOf(schema: Schema, schemas: Record<string, Schema>, told?: unknown): unknown {
  const { example, $ref, allOf, anyOf, type, nullable } = schema;
  const outer = $ref ?? (allOf as Schema[] | undefined)?.[0]?.['$ref'];
  const named = typeof outer === 'string' && schemas[outer.split('/').at(-1)!];
  const isObject = told !== null && typeof told === 'object' && !Array.isArray(told);
  if (told !== undefined && !isObject) return told;
  if (nullable === true && !isObject) return null;
  if (named) return exampleOf(named, schemas, told);
  if (type === 'object') return objectExample(schema, schemas, told as Schema | undefined);
  if (example !== undefined) return example;
  if (anyOf) return exampleOf((anyOf as Schema[])[0]!, schemas, told);
  if (type === 'array') return [exampleOf(schema['items'] as Schema, schemas)];
  const [word] = (schema['enum'] as unknown[] | undefined) ?? [];
  if (word !== undefined) return word;
  if (type === 'string') return BY_FORMAT[schema['format'] as string] ?? 'text';
  return type === 'boolean' ? false : 1;
}

function objectExample(
  schema: Schema,
  schemas: Record<string, Schema>,
  differs: Schema = {},
): object {
  const told = { ...(schema['example'] as Schema | undefined), ...differs };
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as string[];
  const shown = fields.filter(([name]) => required.includes(name) || name in told);
  return Object.fromEntries(
    shown.map(([name, field]) => [name, exampleOf(field, schemas, told[name])]),
  );
}
