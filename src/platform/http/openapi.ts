import type { OpenAPIObject } from '@nestjs/swagger';
import { oauthErrorOf } from './oauth-error.js';
import { problem } from './problem.js';
import { type ProblemCode, PROBLEMS } from './problem-catalog.js';

/** The own refusals of a route, to which those of every route are added. */
export const OWN_CODES = 'x-problem-codes';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Parameter {
  name?: string;
  in?: string;
  schema?: { type?: string };
  style?: string;
  explode?: boolean;
}

interface Operation {
  [OWN_CODES]?: ProblemCode[];
  parameters?: Parameter[];
  requestBody?: { content: object };
  security?: unknown[];
  responses: Record<string, unknown>;
}

/** The form of every refusal (RFC 9457). A code may add members, such as `version`. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', example: 'urn:quittance:problem:document_not_found' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'A sentence that says what to do.' },
    instance: { type: 'string' },
    code: { type: 'string', description: 'It is stable; programs branch on it.' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'All wrong fields, at most 100.',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: {
            type: 'string',
            description: 'A JSON Pointer into the body; for a query, its parameter after a slash.',
          },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    errors_truncated: { const: true, description: 'More fields are wrong than are listed.' },
  },
};

/** The same for the routes under `/v1/auth/`, whose callers are OAuth 2 clients (RFC 6749 5.2). */
export const OAUTH_ERROR_SCHEMA = {
  ...PROBLEM_SCHEMA,
  required: ['error', 'error_description', ...PROBLEM_SCHEMA.required],
  properties: {
    error: {
      type: 'string',
      enum: [
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'invalid_scope',
        'unsupported_grant_type',
        'temporarily_unavailable',
        'server_error',
      ],
      description: 'The error code of RFC 6749.',
    },
    error_description: { type: 'string', description: 'A sentence that says what to do.' },
    ...PROBLEM_SCHEMA.properties,
  },
};

/** Adds the refusals of each operation, and turns nullables of 3.0 into types of 3.1. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      if (!operation) continue;
      addRefusals(operation, path);
      operation.parameters?.forEach(describeParts);
    }
  }
  return asOpenApi31(document) as OpenAPIObject;
}

/** A list in a query has commas, and an object its keys in brackets. */
function describeParts(parameter: Parameter): void {
  if (parameter.in !== 'query') return;
  const { type } = parameter.schema ?? {};
  if (type === 'array') Object.assign(parameter, { style: 'form', explode: false });
  if (type === 'object') Object.assign(parameter, { style: 'deepObject', explode: true });
}

function addRefusals(operation: Operation, path: string): void {
  const { parameters = [] } = operation;
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  const codes = new Set<ProblemCode>(operation[OWN_CODES]);
  delete operation[OWN_CODES];
  if (parameters.some((parameter) => parameter.in === 'query')) codes.add('invalid_query');
  if (has('cursor')) codes.add('invalid_cursor');
  if (path.startsWith('/v1/')) {
    codes.add('rate_limited').add('too_many_failures');
    codes.add('internal_error').add('database_unavailable');
  }
  if (operation.security) codes.add('missing_token').add('invalid_token').add('insufficient_scope');
  if (has('Idempotency-Key')) codes.add('idempotency_key_reused').add('invalid_idempotency_key');
  if (has('If-Match')) codes.add('version_mismatch').add('invalid_if_match');
  if (operation.requestBody) {
    codes.add('body_too_large').add('unsupported_encoding').add('too_many_bodies');
    if (!path.startsWith('/v1/webhooks/')) {
      codes.add('unsupported_media_type');
      if ('application/json' in operation.requestBody.content) {
        codes.add('malformed_json').add('duplicate_key').add('body_too_complex');
      }
    }
  }
  const isOAuth = path.startsWith('/v1/auth/');
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, group] of byStatus) {
    operation.responses[status] = {
      description: group.join(', '),
      content: {
        [isOAuth ? 'application/json' : 'application/problem+json']: {
          schema: { $ref: `#/components/schemas/${isOAuth ? 'OAuthError' : 'Problem'}` },
          examples: Object.fromEntries(
            group.map((code) => [code, { value: isOAuth ? oauthExample(code) : example(code) }]),
          ),
        },
      },
    };
  }
}

function example(code: ProblemCode) {
  const [status, detail] = PROBLEMS[code];
  return problem(status, { code, detail }, '5f0c3e2e-7b0e-4f38-9d6f-2b8e4c1a9d10', '/v1/...');
}

function oauthExample(code: ProblemCode) {
  const shown = example(code);
  return { error: oauthErrorOf(shown), error_description: shown.detail, ...shown };
}

/** OpenAPI 3.1 has no `nullable`: null is a type, and a reference needs `anyOf`. */
function asOpenApi31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOpenApi31);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, asOpenApi31(inner)]),
  );
  if (nullable !== true) return nullable === undefined ? rest : { ...rest, nullable };
  if (typeof rest['type'] === 'string' && !rest['allOf']) {
    return { ...rest, type: [rest['type'], 'null'] };
  }
  const { allOf, type: _object, ...outer } = rest;
  return { ...outer, anyOf: [...((allOf as unknown[]) ?? []), { type: 'null' }] };
}
