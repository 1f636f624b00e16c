import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describedApi } from './openapi-file.js';
import type { Answer } from './http.js';

// Every answer that a test gets is compared with the OpenAPI document: its status, media type,
// headers and body. So each test of a route is also one of its description.

interface Described {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: object }>;
}

interface Operation {
  responses: Record<string, Described>;
}

interface Route {
  method: string;
  path: string;
  pattern: RegExp;
  operation: Operation;
}

type Document = Record<string, unknown> & { paths: Record<string, Record<string, Operation>> };

/** Of HTTP itself, or for browsers: no client of the API reads them. */
const NOT_OF_THE_API = new Set(
  (
    'cache-control connection content-length content-security-policy content-type ' +
    'cross-origin-opener-policy cross-origin-resource-policy date keep-alive pragma ' +
    'referrer-policy strict-transport-security transfer-encoding vary x-content-type-options'
  ).split(' '),
);

/** The OpenAPI document, ready to judge answers. */
export class DescribedAnswers {
  private readonly routes: Route[];
  private readonly ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    // Few answers are checked by each: it is to be compiled quickly, not to be quick.
    code: { optimize: false },
    inlineRefs: false,
  });
  private readonly compiled = new Map<string, ValidateFunction>();
  private static whole: Promise<DescribedAnswers> | undefined;
  /** As the answers are with `fields`: each property may be absent. */
  private parts: DescribedAnswers | undefined;

  constructor(
    private readonly document: Document,
    private readonly isOfParts = false,
  ) {
    formats.default(this.ajv);
    closeSchemas(document);
    this.ajv.addSchema(document, 'api');
    this.routes = Object.entries(document.paths)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          operation,
        })),
      )
      // As the router does: a fixed path before one with a parameter.
      .sort((one, other) => parameters(one.path) - parameters(other.path));
  }

  /** Made once for all files of a worker. */
  static async load(): Promise<DescribedAnswers> {
    return (this.whole ??= describedApi().then(
      (document) => new DescribedAnswers(document as unknown as Document),
    ));
  }

  /** How the answer differs from what is described; nothing for routes that are not described. */
  differences(method: string, url: string, answer: Answer<unknown>): string[] {
    const path = new URL(url).pathname;
    const asked = method === 'HEAD' ? 'GET' : method;
    const route = this.routes.find(
      (candidate) => candidate.method === asked && candidate.pattern.test(path),
    );
    if (!route) return [];
    if (answer.status === 200 && new URL(url).searchParams.has('fields') && !this.isOfParts) {
      this.parts ??= new DescribedAnswers(withoutRequired(this.document) as Document, true);
      return this.parts.differences(method, url, answer);
    }
    const { status } = answer;
    const described = this.resolved(route.operation.responses[status]);
    const told = `${method} ${route.path} ${status}`;
    if (!described) return [`${told}: the status is not declared: ${answer.text.slice(0, 200)}`];
    const found = [
      ...undeclaredHeaders(described, answer),
      ...this.missingHeaders(described, answer),
    ];
    if (method !== 'HEAD') found.push(...this.ofBody(route, described, answer));
    return found.map((difference) => `${told}: ${difference}`);
  }

  /** A version is also in the `ETag`, and the address of a new thing is one of a read. */
  private missingHeaders(
    { headers = {} }: Described,
    { status, body, headers: sent }: Answer<unknown>,
  ): string[] {
    if (status >= 300) return [];
    const hasVersion = 'ETag' in headers && 'version' in ((body ?? {}) as object);
    const location = sent.get('location');
    const leadsTo = location && URL.canParse(location) ? new URL(location).pathname : '';
    const isRead = this.routes.some((one) => one.method === 'GET' && one.pattern.test(leadsTo));
    return [
      ...(hasVersion && !sent.has('etag') ? ['the header ETag is missing'] : []),
      ...('Location' in headers && !isRead ? [`no GET reads the Location ${location}`] : []),
    ];
  }

  private ofBody(route: Route, { content = {} }: Described, answer: Answer<unknown>): string[] {
    const { bytes, body, status } = answer;
    if (bytes.length === 0 || (status >= 300 && status < 400)) return [];
    const type = answer.headers.get('content-type')?.split(';')[0] ?? '(none)';
    if (!content[type]) return [`the media type ${type} is not declared`];
    if (!/[/+]json$/.test(type)) return [];
    const validate = this.validatorOf(route, status, type);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const code = status >= 400 ? ` ${(body as { code?: string }).code}` : '';
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}${code}`;
    });
  }

  private validatorOf({ method, path, operation }: Route, status: number, type: string) {
    const { $ref } = operation.responses[status] ?? {};
    const place =
      $ref?.replace('#', '') ??
      ['', 'paths', path, method.toLowerCase(), 'responses', String(status)].map(escaped).join('/');
    const pointer = `${place}/content/${escaped(type)}/schema`;
    let validate = this.compiled.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `api#${pointer.split('/').map(inAddress).join('/')}` });
      this.compiled.set(pointer, validate);
    }
    return validate;
  }

  private resolved(described: Described | undefined): Described | undefined {
    if (!described?.$ref) return described;
    const names = described.$ref.slice(2).split('/');
    return names.reduce<unknown>((at, name) => (at as Document)[name], this.document) as Described;
  }
}

const parameters = (path: string) => path.split('{').length;
const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
const inAddress = (step: string) => encodeURIComponent(step);

function undeclaredHeaders({ headers = {} }: Described, answer: Answer<unknown>): string[] {
  const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return [...answer.headers.keys()].flatMap((name) =>
    declared.has(name) || NOT_OF_THE_API.has(name) ? [] : `the header ${name} is not declared`,
  );
}

function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(key === 'required' && Array.isArray(inner)),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRequired(inner)]));
}

/** A client lets new members pass; a test wants each of them described. */
function closeSchemas(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  if (schema['type'] === 'object' && schema['properties']) schema['additionalProperties'] ??= false;
  for (const inner of Object.values(schema)) closeSchemas(inner);
}
