import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import {
  ApiBody,
  type ApiBodyOptions,
  ApiConsumes,
  ApiExtension,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  type ApiResponseNoStatusOptions,
} from '@nestjs/swagger';
import { z } from 'zod';
import { referenceTo } from './validation/shapes.js';
import { ANSWER_FIELDS, type AnswerFields } from './answers/answer-headers.js';
import { ACCESS, type Access, isScope, type Scope } from './access.js';
import { BODIES, type BodyKind, TAKES } from './body/bodies.js';
import { keepFacts, ROUTE, type RouteFacts } from './openapi/route-facts.js';
import { HEADERS_READ } from './preconditions.guard.js';
import type { AnyRefusal } from './problem.js';

/** Whether a route with a body stores nothing. */
export const READS = 'quittance:reads';

/** The scope of a bearer token, or another way to know the caller. */
type WhoMayCall = Scope | Exclude<Access['by'], 'bearer'>;
type Shape<Body extends object = object> = z.ZodType<Body>;

/** An answer that is not just one JSON body. Of several contents, the caller asks for one. */
interface Content {
  json?: readonly z.ZodType[];
  /** There is a page that shows what the JSON says. */
  html?: boolean;
  /** Media types, such as `text/csv`. */
  text?: readonly string[];
  /** Media types of files. */
  binary?: readonly string[];
  /** JSON that has no shape. */
  example?: object;
  /** Further statuses that a caller may get. */
  others?: readonly { status: number; description: string; problem?: AnyRefusal }[];
  /** Describes an answer that has no content worth reading. */
  description?: string;
}

/** `answers` is 200, or 204 for nothing; `creates` is 201; `puts` is 201 for a new thing, else 200. */
type Outcome<Body extends object> =
  | { answers: Shape<Body> | Content | 'nothing'; creates?: never; puts?: never; at?: never }
  | ({ answers?: never; at: Place } & (
      | { creates: Shape<Body>; puts?: never }
      | { puts: Shape<Body>; creates?: never }
    ));

/**
 * The path below `/v1/` where the new thing is read, with fields of the answer, such as
 * `finance/payments/{payment.id}`; null if there is no such route.
 */
type Place = string | null;

/** The description of a route besides its path and its access. */
type RouteSpec<Body extends object> = Outcome<Body> & {
  summary: string;
  description?: string;
  /** Its own refusals. Those of access, headers, query and body are added. */
  problems?: readonly AnyRefusal[];
  /** How its body is read. Default: `json`. */
  takes?: keyof typeof BODIES;
  /** The shape of its body, if no `@Body()` tells it. */
  body?: Shape;
  /** A small body that works when it is sent unchanged to a fresh demo account. */
  example?: object | string;
  /** The field of the answer that is its entity tag. Default: `version`. */
  tag?: string;
  /** Forms of our own pages are sent here, too: a browser is led back to the page. */
  page?: boolean;
  /** It stores nothing, although it has a body: a service that only reads answers it. */
  reads?: boolean;
};

/** A handler returns what its route answers, or nothing if it sends the answer itself. */
type RouteDecorator<Body extends object> = <
  Handler extends (...given: never[]) => Promise<Body | void> | Body,
>(
  controller: object,
  name: string,
  handler: TypedPropertyDescriptor<Handler>,
) => void;

/**
 * One decorator says all of a route: method and path, who may call it, what it takes and answers.
 * The name of the handler is the `operationId`. `@IfMatch()` and `@OnceOnly()` add their headers.
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
      SetMetadata(READS, spec.reads ?? false),
      ApiOperation({ summary: spec.summary, description: spec.description }),
      tellFacts(access, spec, method !== RequestMethod.GET && !spec.reads),
    );

export const Get = verb(RequestMethod.GET);
export const Post = verb(RequestMethod.POST);
export const Put = verb(RequestMethod.PUT);
export const Patch = verb(RequestMethod.PATCH);
export const Delete = verb(RequestMethod.DELETE);

function accessOf(access: WhoMayCall): MethodDecorator[] {
  if (!isScope(access)) return [SetMetadata(ACCESS, { by: access } satisfies Access)];
  return [SetMetadata(ACCESS, { by: 'bearer', scope: access } satisfies Access)];
}

/** The parameters of a method are decorated before the method itself. */
function tellFacts(access: WhoMayCall, spec: RouteSpec<object>, stores: boolean): MethodDecorator {
  return (controller, name, handler) => {
    const facts: RouteFacts = {
      refusals: spec.problems ?? [],
      stores,
      bodies: bodiesOf(controller, name),
      page: spec.page ?? false,
      example: spec.example,
      scope: isScope(access) ? access : null,
      others: othersIn(spec.answers),
      tag: isContent(spec.answers) ? null : (spec.tag ?? 'version'),
      isPlaced: typeof spec.at === 'string',
    };
    ApiExtension(ROUTE, keepFacts(facts))(controller, name, handler);
  };
}

const isContent = (answers: RouteSpec<object>['answers']): answers is Content =>
  typeof answers === 'object' && !(answers instanceof z.ZodType);

const othersIn = (answers: RouteSpec<object>['answers']) =>
  isContent(answers) ? (answers.json ?? []) : [];

/** The shapes of the `@Body()` parameters. */
function bodiesOf(controller: object, name: string | symbol): z.core.$ZodType[] {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, name) ??
    {}) as Record<string, { schema?: z.core.$ZodType }>;
  return Object.entries(given).flatMap(([key, { schema }]) =>
    key.startsWith(`${RouteParamtypes.BODY}:`) ? (schema ?? []) : [],
  );
}

function requestOf({ takes, body }: RouteSpec<object>): MethodDecorator[] {
  if (!takes) return [];
  const { json, types, described = json ? undefined : types }: BodyKind = BODIES[takes];
  const decorators: MethodDecorator[] = [SetMetadata(TAKES, takes)];
  if (described) decorators.push(ApiConsumes(...described));
  if (body) decorators.push(ApiBody({ standardSchema: body } as ApiBodyOptions));
  else if (!json) decorators.push(ApiBody({ schema: types ? BYTES : OF_A_PROVIDER }));
  return decorators;
}

const BYTES = { type: 'string', format: 'binary' };
const TEXT = { type: 'string' };
const EMPTY = { 'application/json': { schema: { type: 'object', maxProperties: 0 } } };
const OF_A_PROVIDER = { type: 'object', description: 'The body that the provider defines.' };

function answerOf({ answers, creates, puts, at, tag }: RouteSpec<object>): MethodDecorator[] {
  const told: AnswerFields = { tag: tag ?? 'version', at: at ?? null };
  const headers = SetMetadata(ANSWER_FIELDS, told);
  if (puts) {
    return [...responding(201, shaped(puts)), ...responding(200, shaped(puts)), headers];
  }
  if (creates) return [...responding(201, shaped(creates)), headers];
  if (answers === 'nothing') return responding(204);
  if (answers instanceof z.ZodType) return [...responding(200, shaped(answers)), headers];
  const { others = [], description } = answers;
  if (description) return responding(200, { description, content: EMPTY });
  const unchanged = ApiResponse({ status: 304, description: 'It has the `ETag` that was sent.' });
  return [
    ...responding(200, { content: contentOf(answers) }),
    ...(answers.binary ? [unchanged] : []),
    ...others.map(({ problem, ...other }) =>
      ApiResponse({ ...other, ...(problem && { content: problemContent(problem) }) }),
    ),
  ];
}

const problemContent = ({ code }: AnyRefusal) => ({
  'application/problem+json': {
    schema: { $ref: '#/components/schemas/Problem' },
    examples: { [code]: { $ref: `#/components/examples/${code}` } },
  },
});

const shaped = (shape: z.ZodType) =>
  ({ standardSchema: shape }) as unknown as ApiResponseNoStatusOptions;

const responding = (status: number, response: ApiResponseNoStatusOptions = {}) => [
  HttpCode(status),
  ApiResponse({ status, ...response }),
];

function contentOf({ json = [], text = [], binary = [], html, example }: Content) {
  const references = json.map(referenceTo);
  const schema = references.length > 1 ? { anyOf: references } : references[0];
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

/** A parameter that a header fills. The route of its handler describes the header. */
export function fromHeader(header: Header, parameter: ParameterDecorator): ParameterDecorator {
  return (controller, name = '', index) => {
    parameter(controller, name, index);
    // Decorators of parameters run from the last to the first.
    const later = (Reflect.getMetadata(HEADERS, controller, name) ?? []) as Header[];
    Reflect.defineMetadata(HEADERS, [header, ...later], controller, name);
  };
}

/** Describes the headers that its parameters read; no other precondition is let pass. */
const describeHeaders: MethodDecorator = (controller, name, handler) => {
  const headers = (Reflect.getMetadata(HEADERS, controller, name) ?? []) as Header[];
  for (const header of headers) ApiHeader(header)(controller, name, handler);
  const read = headers.map((header) => header.name.toLowerCase());
  SetMetadata(HEADERS_READ, read)(controller, name, handler);
};
