import type { OpenAPIObject } from '@nestjs/swagger';
import type { z } from 'zod';
import type { Scope } from '../access.js';
import { referenceTo, toJsonSchema } from '../validation/shapes.js';
import { exampleOf } from './examples.js';

type Schema = Record<string, unknown>;

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
