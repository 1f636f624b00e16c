import { expect } from 'vitest';
import type { Answer } from '../support/http.js';

/** The part of JSON Schema that our OpenAPI document uses. */
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
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  security?: object[];
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

/** Whether it is answered by a stream, for which nobody may wait. */
export const neverEnds = ({ responses }: Pick<Operation, 'responses'>): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {});

/** The target of a `#/a/b` reference; undefined if there is nothing. */
export function resolved(document: object, ref: string): object | undefined {
  const names = ref.replace(/^#\//, '').split('/');
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      document,
    ) as object | undefined;
}

/**
 * The operation answers so. The headers and the body of every answer are judged where it is read
 * (described-answers.ts).
 */
export function expectAsDescribed(
  document: OpenApi,
  method: string,
  path: string,
  answer: Answer<object>,
): void {
  const operation = document.paths[path]?.[method];
  const told = operation?.responses[answer.status];
  const described = told?.$ref ? (resolved(document, told.$ref) as Response) : told;
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
}
