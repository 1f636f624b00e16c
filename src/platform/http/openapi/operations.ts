import type { OpenAPIObject } from '@nestjs/swagger';
import { type AnyRefusal, statusOfRefusal } from '../problem.js';
import { refusalsOf, toJsonSchema } from '../validation/shapes.js';
import { headersOf, HEADERS } from './headers.js';
import { oauthExample, problemExample, problemSchemas } from './problem-schemas.js';
import { factsAt, ROUTE, type RouteFacts } from './route-facts.js';
import { inKeyOrder, schemasInKeyOrder } from './key-order.js';
import { addSamples } from './samples.js';
import { close, exactSchemas, schemasIn } from './schemas.js';
import { AT_WEBHOOKS, RequestRefusal } from '../request-refusals.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Schema = Record<string, unknown>;
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: object }>;

interface Answer {
  $ref?: string;
  description?: string;
  headers?: object;
  content?: Content;
}

interface Parameter {
  name?: string;
  in?: string;
  schema?: { type?: string; $ref?: string; description?: string; example?: unknown };
  style?: string;
  explode?: boolean;
}

interface Operation {
  [ROUTE]?: number;
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  security?: object[];
  responses: Record<string, Answer>;
}

type Schemas = Record<string, Schema>;

/**
 * Adds what holds for every operation, and makes the schemas exact.
 * @param refusals all that the service knows
 */
export function completeDocument(
  given: OpenAPIObject,
  refusals: readonly AnyRefusal[],
): OpenAPIObject {
  const schemas = given.components?.schemas ?? {};
  given.components = {
    ...given.components,
    schemas: { ...schemas, ...problemSchemas(refusals) } as never,
  };
  const facts = new Map<string, RouteFacts>();
  for (const { operation } of operationsOf(given)) {
    const { [ROUTE]: place = -1 } = operation;
    const told = factsAt(place);
    if (told) facts.set(operation.operationId ?? '', told);
    for (const other of told?.others ?? []) {
      Object.assign(given.components.schemas ?? {}, toJsonSchema(other).components);
    }
    delete operation[ROUTE];
  }
  const document = exactSchemas(given);
  const all = document.components?.schemas as Schemas;
  const shown = new Map<string, object>();
  for (const { path, operation } of operationsOf(document)) {
    const told = facts.get(operation.operationId ?? '');
    if (!told) continue;
    const isOAuth = path.startsWith('/v1/auth/');
    operation.parameters?.forEach(describeParts);
    describeAccess(operation, told);
    describeBody(operation, told, all, isOAuth);
    if (told.page) describePage(operation);
    addRefusals(operation, told, path, shown);
    addHeaders(operation, told, path, all);
  }
  addSamples(document);
  document.paths = schemasInKeyOrder(document.paths) as OpenAPIObject['paths'];
  Object.assign(document.components ?? {}, {
    schemas: inKeyOrder(all),
    headers: HEADERS,
    examples: Object.fromEntries([...shown].sort(([one], [other]) => (one < other ? -1 : 1))),
    responses: shareRefusals(operationsOf(document).map(({ operation }) => operation)),
  });
  return document;
}

/** Refusals that several operations have in common are told once. */
function shareRefusals(operations: Operation[]): Record<string, Answer> {
  const alike = new Map<string, { answer: Answer; uses: [Operation, string][] }>();
  for (const operation of operations) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const text = JSON.stringify(answer);
      const known = alike.get(text) ?? { answer, uses: [] };
      known.uses.push([operation, status]);
      alike.set(text, known);
    }
  }
  const shared: Record<string, Answer> = {};
  for (const { answer, uses } of alike.values()) {
    if (uses.length === 1) continue;
    const name = sharedName(answer);
    if (shared[name]) throw new Error(`two refusals would be named ${name}`);
    shared[name] = answer;
    for (const [operation, status] of uses) {
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

function operationsOf(document: OpenAPIObject): { path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      item[method] ? [{ path, operation: item[method] as unknown as Operation }] : [],
    ),
  );
}

/** Its codes, and what else tells it apart. */
function sharedName({ description = '', content = {}, headers = {} }: Answer): string {
  const marks = {
    oauth: 'application/json' in content,
    page: 'text/html' in content,
    stored: 'Idempotency-Replayed' in headers,
    unlimited: !('RateLimit' in headers),
  };
  const told = Object.entries(marks).flatMap(([mark, isSo]) => (isSo ? [mark] : []));
  return [description.replaceAll(', ', '.'), ...told].join('-');
}

/** A supervisor asks these as often as it likes. */
const isLimited = (path: string) => !['/livez', '/readyz'].includes(path);

const has = ({ parameters = [] }: Operation, name: string) =>
  parameters.some((parameter) => parameter.name === name);

/** A list in a query has commas, and an object its keys in brackets. */
function describeParts(parameter: Parameter): void {
  if (parameter.in !== 'query') return;
  const { type, $ref } = parameter.schema ?? {};
  // Swagger says it of the parameter, too.
  delete parameter.schema?.description;
  if ($ref) delete parameter.schema?.example;
  if (type === 'array') Object.assign(parameter, { style: 'form', explode: false });
  if (type === 'object') Object.assign(parameter, { style: 'deepObject', explode: true });
}

function describeAccess(operation: Operation, { scope }: RouteFacts): void {
  operation.security = scope === null ? [] : [{ oauth2: [scope] }];
  const needs = scope === null ? 'Needs no access token.' : `Needs the scope \`${scope}\`.`;
  operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
}

/** A body of which nothing is required may be left out. */
function describeBody(
  { requestBody }: Operation,
  { example }: RouteFacts,
  schemas: Schemas,
  isOAuth: boolean,
): void {
  if (!requestBody) return;
  const media = Object.values(requestBody.content);
  const names = media.map(({ schema }) => String(schema?.['$ref']).split('/').at(-1) ?? '');
  const isJson = names.every((name) => schemas[name]);
  requestBody.required = !isJson || names.some((name) => schemas[name]?.['required']);
  // OAuth 2 servers ignore parameters that they do not know (RFC 6749 3.2).
  if (!isOAuth) close(schemas, schemasIn(requestBody, schemas));
  const [first] = media;
  if (first && example !== undefined) first.example = example;
}

/** A browser that sent a form is led back to the page. */
function describePage({ responses }: Operation): void {
  responses[303] = {
    description: 'To a form: back to the page, which shows the answer, or on to the pay page.',
  };
}

function addRefusals(
  operation: Operation,
  facts: RouteFacts,
  path: string,
  shown: Map<string, object>,
): void {
  const isOAuth = path.startsWith('/v1/auth/');
  const form = isOAuth ? 'OAuthError' : 'Problem';
  const byStatus = new Map<number, AnyRefusal[]>();
  const all = [...refusalsOfOperation(operation, facts, path)];
  for (const refusal of all.toSorted((one, other) => (one.code < other.code ? -1 : 1))) {
    const elsewhere = path.startsWith('/v1/webhooks/') ? AT_WEBHOOKS[refusal.code] : undefined;
    const status = elsewhere ?? statusOfRefusal(refusal);
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
    const value = isOAuth ? oauthExample(refusal) : problemExample(refusal, status);
    shown.set(exampleOf(refusal, status, isOAuth), { value });
  }
  for (const [status, group] of byStatus) {
    const codes = group.map(({ code }) => code);
    const isPage = path.startsWith('/v1/portal/');
    operation.responses[status] = {
      description: codes.join(', '),
      content: {
        [isOAuth ? 'application/json' : 'application/problem+json']: {
          schema: {
            allOf: [{ $ref: `#/components/schemas/${form}` }],
            properties: { code: { enum: codes } },
          },
          examples: Object.fromEntries(
            group.map((refusal) => [
              refusal.code,
              { $ref: `#/components/examples/${exampleOf(refusal, status, isOAuth)}` },
            ]),
          ),
        },
        ...(isPage && { 'text/html': { schema: { type: 'string' } } }),
      },
    };
  }
}

/** One with another status has an example of its own. */
function exampleOf(refusal: AnyRefusal, status: number, isOAuth: boolean): string {
  const { code } = refusal;
  if (isOAuth) return `oauth_${code}`;
  return status === statusOfRefusal(refusal) ? code : `${code}_${status}`;
}

/** The refusals of one operation: its own, and those of its path, its headers, query and body. */
function refusalsOfOperation(
  operation: Operation,
  facts: RouteFacts,
  path: string,
): Set<AnyRefusal> {
  const { parameters = [], requestBody } = operation;
  const told = new Set<AnyRefusal>(facts.refusals);
  const add = (...more: AnyRefusal[]) => more.forEach((refusal) => told.add(refusal));
  if (parameters.some((parameter) => parameter.in === 'query')) add(RequestRefusal.invalid_query);
  if (has(operation, 'cursor')) add(RequestRefusal.invalid_cursor);
  add(
    RequestRefusal.request_timeout,
    RequestRefusal.headers_too_large,
    RequestRefusal.unsupported_precondition,
    RequestRefusal.internal_error,
  );
  if (isLimited(path)) add(RequestRefusal.rate_limited, RequestRefusal.too_many_failures);
  if (path.startsWith('/v1/')) {
    add(
      CommonRefusal.database_unavailable,
      CommonRefusal.database_busy,
      CommonRefusal.database_read_only,
    );
  }
  // A token that is busy has a word of its own.
  if (facts.stores && !path.startsWith('/v1/auth/')) add(CommonRefusal.document_busy);
  if (path.includes('{')) add(RequestRefusal.malformed_path);
  if (facts.scope !== null) {
    add(
      RequestRefusal.missing_token,
      RequestRefusal.invalid_token,
      RequestRefusal.insufficient_scope,
      RequestRefusal.address_not_allowed,
    );
  }
  if (has(operation, 'Idempotency-Key')) {
    add(
      CommonRefusal.idempotency_key_reused,
      RequestRefusal.invalid_idempotency_key,
      CommonRefusal.stored_answer_unreadable,
    );
  }
  if (has(operation, 'If-Match'))
    add(CommonRefusal.version_mismatch, RequestRefusal.invalid_if_match);
  if (!requestBody) return told;
  add(
    RequestRefusal.malformed_request,
    RequestRefusal.body_too_large,
    RequestRefusal.unsupported_encoding,
    RequestRefusal.too_many_bodies,
  );
  if (path.startsWith('/v1/webhooks/')) return told;
  add(RequestRefusal.unsupported_media_type);
  if (!('application/json' in requestBody.content)) return told;
  add(RequestRefusal.malformed_json, RequestRefusal.duplicate_key, RequestRefusal.body_too_complex);
  for (const body of facts.bodies) add(...refusalsOf(body));
  return told;
}

function addHeaders(
  operation: Operation,
  { tag, isPlaced }: RouteFacts,
  path: string,
  schemas: Schemas,
): void {
  for (const [status, answer] of Object.entries(operation.responses)) {
    const content = Object.entries(answer.content ?? {});
    answer.headers = headersOf({
      status: Number(status),
      types: content.map(([type]) => type),
      hasTag: tag !== null && content.some(([, { schema }]) => hasField(tag, schema, schemas)),
      isPlaced,
      isLimited: isLimited(path),
      hasKey: has(operation, 'Idempotency-Key'),
    });
  }
}

function hasField(field: string, schema: Schema | undefined, schemas: Schemas): boolean {
  const name = String(schema?.['$ref']).split('/').at(-1) ?? '';
  return field in ((schemas[name]?.['properties'] as object | undefined) ?? {});
}
