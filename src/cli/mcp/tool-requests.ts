import type { RemoteRequest } from '../remote/remote-service.js';
import { isJson, type ServiceOperation } from './service-operations.js';

export type ToolArguments = Record<string, unknown>;

/** The agent has to call otherwise. */
export class BadArguments extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The request that a call of a tool is. The service judges all values; names are judged here.
 * @throws BadArguments
 */
export function toolRequest(operation: ServiceOperation, given: ToolArguments): RemoteRequest {
  const { method, answers } = operation;
  assertKnown(operation, given);
  const headers: Record<string, string> = {};
  if (answers.some(isJson)) headers['accept'] = 'application/json';
  if (operation.takesKey) headers['idempotency-key'] = keyIn(given);
  const version = given['if_match'];
  if (version !== undefined) headers['if-match'] = tagOf(textIn('if_match', version));
  const path = `${pathOf(operation, given)}${queryOf(operation, given)}`;
  return { method, path, ...bodyIn(operation, given, headers) };
}

function assertKnown(operation: ServiceOperation, given: ToolArguments): void {
  const { inPath, inQuery, body, takesKey, takesVersion } = operation;
  const isFile = body !== null && !body.mediaTypes.every(isJson);
  const known = [
    ...inPath.map(({ name }) => name),
    ...inQuery.map(({ name }) => name),
    ...(takesKey ? ['idempotency_key'] : []),
    ...(takesVersion ? ['if_match'] : []),
    ...(body === null ? [] : isFile ? ['content_type', 'content'] : ['body']),
  ];
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  if (strange.length === 0) return;
  const advice = body && !isFile ? ' Fields of the body stand in `body`.' : '';
  throw new BadArguments(
    'unknown_argument',
    `${strange.join(', ')}: unknown; ${operation.tool} takes ${known.join(', ') || 'none'}.${advice}`,
  );
}

function keyIn({ idempotency_key: key }: ToolArguments): string {
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new BadArguments(
    'idempotency_key_required',
    'idempotency_key: a write needs one, so that it is not done twice. Make a new one, such as a UUID, for each ' +
      'thing that you want done, and repeat it only to repeat a call that got no answer.',
  );
}

/** `3` is `"3"`, as the header has it. */
const tagOf = (version: string) => (/^\d+$/.test(version) ? `"${version}"` : version);

function textIn(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  throw new BadArguments('invalid_argument', `${name}: must be text, a number or a boolean.`);
}

function pathOf({ path, inPath }: ServiceOperation, given: ToolArguments): string {
  return inPath.reduce((made, { name }) => {
    const value = given[name] === undefined ? '' : textIn(name, given[name]);
    // Two dots would lead to another operation.
    if (/^\.{0,2}$/.test(value)) {
      throw new BadArguments('required', `${name}: is required.`);
    }
    return made.replace(`{${name}}`, () => encodeURIComponent(value));
  }, path);
}

function queryOf({ inQuery }: ServiceOperation, given: ToolArguments): string {
  const query = new URLSearchParams();
  for (const { name, style } of inQuery) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) query.append(name, value.map((one) => textIn(name, one)).join(','));
    else if (style === 'deepObject' && typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) {
        query.append(`${name}[${key}]`, textIn(name, one));
      }
    } else query.append(name, textIn(name, value));
  }
  return query.size > 0 ? `?${query}` : '';
}

function bodyIn(
  { body }: ServiceOperation,
  given: ToolArguments,
  headers: Record<string, string>,
): Pick<RemoteRequest, 'headers' | 'body'> {
  if (!body) return { headers };
  const [mediaType = ''] = body.mediaTypes;
  if (isJson(mediaType)) {
    const value = given['body'];
    if (value === undefined && !body.isRequired) return { headers };
    if (typeof value !== 'object' || value === null) {
      throw new BadArguments('required', 'body: must be an object, with the fields of the body.');
    }
    return {
      headers: { ...headers, 'content-type': mediaType },
      body: JSON.stringify(value),
    };
  }
  const type = textIn('content_type', given['content_type'] ?? '');
  const content = textIn('content', given['content'] ?? '');
  if (!body.mediaTypes.includes(type)) {
    throw new BadArguments(
      'invalid_argument',
      `content_type: must be one of ${body.mediaTypes.join(', ')}.`,
    );
  }
  const isText = /^text\/|\/xml$/.test(type);
  return {
    headers: { ...headers, 'content-type': type },
    body: isText ? content : Buffer.from(content, 'base64'),
  };
}
