import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import { ACCESS, type Access, type Scope, SCOPES } from './access.js';
import { BODIES, type BodyKind, TAKES } from './body/bodies.js';
import { OWN_CODES } from './openapi.js';
import type { ProblemCode } from './problem-catalog.js';

/** A scope for a bearer token; or what else the handler goes by. */
type WhoMayCall = Scope | Exclude<Access['by'], 'bearer'>;
type BodyClass<Body extends object = object> = new () => Body;

/** What is answered where it is not one JSON body; of several, the caller asks for one. */
interface Content {
  json?: readonly BodyClass[];
  /** What the JSON says, also as a page. */
  html?: boolean;
  /** Media types, such as `text/csv`. */
  text?: readonly string[];
  /** Media types of files. */
  binary?: readonly string[];
  /** JSON without a class. */
  example?: object;
  /** Instead of all content. */
  description?: string;
}

/** 200, or 204 for nothing; or 201 with the body of what was made. */
type Outcome<Body extends object> =
  | { answers: BodyClass<Body> | Content | 'nothing'; creates?: never }
  | { creates: BodyClass<Body>; answers?: never };

/** What is said of a route besides its path and its access. */
type RouteSpec<Body extends object> = Outcome<Body> & {
  summary: string;
  description?: string;
  /** The refusals that are its own; what follows from access, headers, query and body is added. */
  problems?: readonly ProblemCode[];
  /** How the body is read; `json` where nothing is said. */
  takes?: keyof typeof BODIES;
  /** Where no `@Body()` says it. */
  body?: BodyClass;
};

/** A handler returns what its route answers, or nothing where it sends the answer itself. */
type RouteDecorator<Body extends object> = <
  Handler extends (...given: never[]) => Promise<Body | void> | Body,
>(
  controller: object,
  name: string,
  handler: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * All that is said of a route, at once: method and path, who may call it, and its description. The
 * name of the handler is its `operationId`. Of headers, `@IfMatch()` and `@OnceOnly()` tell.
 */
const verb =
  (method: RequestMethod) =>
  <Body extends object>(
    path: string,
    access: WhoMayCall,
    spec: RouteSpec<Body>,
  ): RouteDecorator<Body> =>
    applyDecorators(
      RequestMapping({ path, method }),
      ...accessOf(access),
      ...requestOf(spec),
      ...answerOf(spec),
      describeHeaders,
      ApiOperation({ summary: spec.summary, description: spec.description }),
      ApiExtension(OWN_CODES, spec.problems ?? []),
    );

export const Get = verb(RequestMethod.GET);
export const Post = verb(RequestMethod.POST);
export const Put = verb(RequestMethod.PUT);
export const Patch = verb(RequestMethod.PATCH);
export const Delete = verb(RequestMethod.DELETE);

const isScope = (access: WhoMayCall): access is Scope =>
  (SCOPES as readonly string[]).includes(access);

function accessOf(access: WhoMayCall): MethodDecorator[] {
  if (!isScope(access)) return [SetMetadata(ACCESS, { by: access } satisfies Access)];
  const bearer = { by: 'bearer', scope: access } satisfies Access;
  return [SetMetadata(ACCESS, bearer), ApiBearerAuth('access_token')];
}

function requestOf({ takes, body }: RouteSpec<object>): MethodDecorator[] {
  if (!takes) return [];
  const { json, types, described = json ? undefined : types }: BodyKind = BODIES[takes];
  const decorators: MethodDecorator[] = [SetMetadata(TAKES, takes)];
  if (described) decorators.push(ApiConsumes(...described));
  if (body) decorators.push(ApiBody({ type: body }));
  else if (!json) decorators.push(ApiBody({ schema: types ? BYTES : OF_A_PROVIDER }));
  return decorators;
}

const BYTES = { type: 'string', format: 'binary' };
const TEXT = { type: 'string' };
const OF_A_PROVIDER = { type: 'object', description: 'The body that the provider defines.' };

function answerOf({ answers, creates }: RouteSpec<object>): MethodDecorator[] {
  if (creates) return responding(201, { type: creates });
  if (answers === 'nothing') return responding(204);
  if (typeof answers === 'function') return responding(200, { type: answers });
  const { json = [], description } = answers;
  if (description) return responding(200, { description });
  return [ApiExtraModels(...json), ...responding(200, { content: contentOf(answers) })];
}

const responding = (status: number, response: ApiResponseNoStatusOptions = {}) => [
  HttpCode(status),
  ApiResponse({ status, ...response }),
];

function contentOf({ json = [], text = [], binary = [], html, example }: Content) {
  const references = json.map((body) => ({ $ref: getSchemaPath(body) }));
  const schema = references.length > 1 ? { oneOf: references } : references[0];
  return {
    ...(html && { 'text/html': { schema } }),
    ...(schema && { 'application/json': { schema } }),
    ...(example && { 'application/json': { schema: { example } } }),
    ...Object.fromEntries(text.map((type) => [type, { schema: TEXT }])),
    ...Object.fromEntries(binary.map((type) => [type, { schema: BYTES }])),
  };
}

type Header = Parameters<typeof ApiHeader>[0];
const HEADERS = 'quittance:headers';

/** A parameter that a header fills: where it stands, the route describes the header. */
export function fromHeader(header: Header, parameter: ParameterDecorator): ParameterDecorator {
  return (controller, name = '', index) => {
    parameter(controller, name, index);
    // The last parameter comes first.
    const later = (Reflect.getMetadata(HEADERS, controller, name) ?? []) as Header[];
    Reflect.defineMetadata(HEADERS, [header, ...later], controller, name);
  };
}

const describeHeaders: MethodDecorator = (controller, name, handler) => {
  const headers = (Reflect.getMetadata(HEADERS, controller, name) ?? []) as Header[];
  for (const header of headers) ApiHeader(header)(controller, name, handler);
};
