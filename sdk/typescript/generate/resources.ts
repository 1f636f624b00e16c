import type { OpenAPIObject } from '@nestjs/swagger';
import names from './names.json' with { type: 'json' };

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** An operation as the OpenAPI document has it, with its method. */
interface Described {
  verb: string;
  path: string;
  operation: Operation;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

const VERBS = ['get', 'put', 'post', 'patch', 'delete'] as const;

/** Classes of resources, whose methods call the functions that openapi-ts generates. */
export function resourcesOf(document: OpenAPIObject): string {
  const operations = operationsOf(document);
  const classes = Object.entries(names.resources).map(([resource, methods]) =>
    classOf(
      classNameOf(resource),
      Object.entries(methods).map(([method, id]) => methodOf(method, found(operations, id))),
    ),
  );
  return `${HEAD}\n${classes.join('\n')}`;
}

/** The class that has all resources, and all that the package exports. */
export function indexOf(): string {
  const resources = Object.keys(names.resources);
  const classes = resources.map(classNameOf).join(', ');
  const fields = resources.map((name) => `  readonly ${name}: ${classNameOf(name)};`);
  const made = resources.map((name) => `    this.${name} = new ${classNameOf(name)}(calls);`);
  return `import { createClient, createConfig } from './api/client/index.js';
import { ${classes} } from './resources.js';
import { Calls, type CallOptions, type QuittanceSettings } from '../src/calls.js';
import { webhooks, QuittanceError } from './typed.js';

export type * from './api/types.gen.js';
export type { CallOptions, QuittanceSettings, VersionedOptions, WriteOptions } from '../src/calls.js';
export { QuittanceConnectionError } from '../src/failures.js';
export type { Following } from '../src/following.js';
export type { FieldName, Listed, Selected } from '../src/pages.js';
export { WebhookVerificationError, type WebhookHeaders } from '../src/webhook-verifier.js';
export { webhooks, QuittanceError, type QuittanceEvent } from './typed.js';

/** The API of Quittance, as one client of it. */
export class Quittance {
${fields.join('\n')}
  /** Tells real deliveries of webhook endpoints from others. */
  readonly webhooks = webhooks;
  readonly #calls: Calls<ReturnType<typeof createClient>>;

  constructor(settings: QuittanceSettings) {
    const client = createClient(createConfig({ baseUrl: settings.baseUrl.replace(/\\/+$/, '') }));
    const calls = new Calls(settings, client, QuittanceError);
    this.#calls = calls;
${made.join('\n')}
  }

  /** Calls a path that has no method here, such as \`/v1/finance/reports/tax\` as CSV: with token and tries. */
  fetch(path: string, init?: RequestInit, options?: CallOptions): Promise<Response> {
    return this.#calls.fetch(path, init, options);
  }
}
`;
}

/** The classes of the hand-written part, with the types of the API. */
export const TYPED = `import type { Problem, ProblemCode, Webhooks } from './api/types.gen.js';
import { RefusedCall } from '../src/failures.js';
import { WebhookVerifier } from '../src/webhook-verifier.js';

/** An event with its data: after a look at \`type\`, the compiler knows what is in \`data\`. */
export type QuittanceEvent = Webhooks['body'];

/** The service refused a call. Nothing was done. */
export class QuittanceError extends RefusedCall {
  declare readonly code: ProblemCode;
  declare readonly errors: NonNullable<Problem['errors']>;
  declare readonly problem: Problem & { errors?: NonNullable<Problem['errors']> };
}

/** Tells real deliveries of webhook endpoints from others. */
export const webhooks = /* @__PURE__ */ new WebhookVerifier<QuittanceEvent>();
`;

const HEAD = `import type { Client } from './api/client/index.js';
import type * as api from './api/types.gen.js';
import * as operations from './api/sdk.gen.js';
import type { Calls, CallOptions, VersionedOptions, WriteOptions } from '../src/calls.js';
import type { Following } from '../src/following.js';
import type { FieldName, Listed, Selected, Selecting } from '../src/pages.js';
import type { QuittanceEvent } from './typed.js';
`;

function operationsOf(document: OpenAPIObject): Map<string, Described> {
  const all = new Map<string, Described>();
  for (const [path, item] of Object.entries(document.paths))
    for (const verb of VERBS) {
      const operation = item[verb];
      if (operation?.operationId) all.set(operation.operationId, { verb, path, operation });
    }
  const named = new Set<string>(Object.values(names.resources).flatMap(Object.values));
  const unnamed = [...all.keys()].filter((id) => !named.has(id) && !(id in names.without));
  if (unnamed.length > 0)
    throw new Error(`sdk/typescript/generate/names.json has no method for ${unnamed.join(', ')}`);
  return all;
}

function found(operations: Map<string, Described>, id: string): Described {
  const operation = operations.get(id);
  if (!operation) throw new Error(`names.json has ${id}, which the API does not have`);
  return operation;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (text: string) => text.replaceAll(/_(\w)/g, (_, letter: string) => capital(letter));
/** A class beside types of the API with such names as `Document` and `Customer`. */
const classNameOf = (resource: string) => `${capital(resource)}Resource`;

function classOf(name: string, methods: string[]): string {
  return `export class ${name} {
  readonly #calls: Calls<Client>;

  constructor(calls: Calls<Client>) {
    this.#calls = calls;
  }

${methods.join('\n\n')}
}
`;
}

function methodOf(method: string, described: Described): string {
  const { operation, path } = described;
  const { summary = '', description = '', operationId = '' } = operation;
  const text = [summary, ...description.split('\n')].map((line) => `   * ${line}`.trimEnd());
  const comment = `  /**\n${text.join('\n').replaceAll('*/', '*\\/')}\n   */`;
  if (operationId === 'followEvents') return `${comment}\n${followOf(method, path)}`;
  const call = callOf(described);
  const given = call.given.join(', ');
  const answer = `api.${capital(operationId)}Response`;
  if (call.isSelective)
    return `${comment}
  ${method}<Name extends FieldName<${answer}> = never>(${call.taken.join(', ')}): Listed<Selected<${answer}, Name>> {
    return this.#calls.list(${call.way}, options, query, (given, query) => operations.${operationId}({ ${given} })) as unknown as Listed<Selected<${answer}, Name>>;
  }`;
  if (call.isList)
    return `${comment}
  ${method}(${call.taken.join(', ')}): Listed<${answer}> {
    return this.#calls.list(${call.way}, options, query, (given, query) => operations.${operationId}({ ${given} }));
  }`;
  return `${comment}
  ${method}(${call.taken.join(', ')}): Promise<${call.isSilent ? 'void' : answer}> {
    return this.#calls.send(${call.way}, options, (given) => operations.${operationId}({ ${given} }))${call.isSilent ? '.then(() => undefined)' : ''};
  }`;
}

const followOf = (method: string, path: string) =>
  `  ${method}(query: NonNullable<api.FollowEventsData['query']> = {}, options?: CallOptions): Following<QuittanceEvent> {
    return this.#calls.follow<QuittanceEvent>('${path}', query, options);
  }`;

/** The parameters of a method, and what it hands to the generated function. */
function callOf({ verb, operation }: Described) {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const data = `api.${capital(operation.operationId ?? '')}Data`;
  const has = (name: string) => parameters.some((one) => one.name === name);
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const inQuery = parameters.filter((one) => one.in === 'query');
  const isList = has('cursor');
  const isSelective = isList && has('fields');
  const taken = inPath.map((name) => `${camel(name)}: ${data}['path']['${name}']`);
  const given = ['...given'];
  if (inPath.length > 0) {
    const paths = inPath.map((name) => (camel(name) === name ? name : `${name}: ${camel(name)}`));
    given.push(`path: { ${paths.join(', ')} }`);
  }
  const body = bodyOf(operation);
  if (body === 'file') {
    taken.push('file: Blob');
    given.push('body: file', `headers: { ...given.headers, 'Content-Type': file.type }`);
  } else if (body !== 'none') {
    taken.push(`body${body === 'optional' ? '?' : ''}: ${data}['body']`);
    given.push('body');
  }
  if (inQuery.length > 0) {
    const isNeeded = inQuery.some(({ required }) => required);
    const all = isList ? `NonNullable<${data}['query']>` : `${data}['query']`;
    const type = isSelective ? `Selecting<${all}, Name>` : all;
    const isDefault = isList && !isNeeded;
    taken.push(`query${isNeeded || isDefault ? '' : '?'}: ${type}${isDefault ? ' = {}' : ''}`);
    given.push('query');
  }
  taken.push(`options?: ${optionsOf(has)}`);
  const contents = answersOf(operation);
  return {
    taken,
    given,
    isList,
    isSelective,
    isSilent: contents.length === 0,
    way: wayOf(verb, operation, has('Idempotency-Key'), contents),
  };
}

const optionsOf = (has: (name: string) => boolean) => {
  if (has('If-Match')) return 'VersionedOptions';
  return has('Idempotency-Key') ? 'WriteOptions' : 'CallOptions';
};

/** Media types of an answer of success. */
function answersOf({ responses }: Operation): string[] {
  return Object.entries(responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.keys((response as { content?: object }).content ?? {}));
}

function bodyOf({ requestBody }: Operation): 'none' | 'optional' | 'required' | 'file' {
  if (!requestBody || !('content' in requestBody)) return 'none';
  if (!('application/json' in requestBody.content)) return 'file';
  return requestBody.required ? 'required' : 'optional';
}

/** `Way` of src/calls.ts, as source text. */
function wayOf(verb: string, operation: Operation, once: boolean, contents: string[]): string {
  const scopes = (operation.security ?? []).flatMap((one) => Object.values(one).flat());
  // Some POST only calculate: a preview, a validation.
  const isRead =
    verb === 'get' || (scopes.length > 0 && scopes.every((one) => one.endsWith(':read')));
  const repeats = once || isRead || verb === 'put' || verb === 'delete';
  const way = [`repeats: ${repeats}`];
  if (once) way.push('once: true');
  if (scopes.length === 0) way.push('open: true');
  const isJson = contents.length === 0 || contents.includes('application/json');
  way.push(`parseAs: '${isJson ? 'json' : 'blob'}'`);
  return `{ ${way.join(', ')} }`;
}
