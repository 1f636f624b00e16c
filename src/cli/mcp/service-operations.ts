import type { JsonSchema } from '../../platform/http/validation/shapes.js';

interface OperationParameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: JsonSchema;
  style?: string;
  explode?: boolean;
}

interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
}

interface DescribedOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: OperationParameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
  security?: Record<string, string[]>[];
}

/** The OpenAPI document of a service, as far as tools are made from it. */
export interface ServiceDescription {
  paths: Record<string, Record<string, DescribedOperation>>;
  tags?: { name: string; description?: string }[];
  components?: { schemas?: Record<string, JsonSchema> };
}

/** A call that a token may make, and the tool that makes it. */
export interface ServiceOperation {
  /** `send_document`, of the operation `sendDocument`. */
  tool: string;
  operationId: string;
  method: string;
  path: string;
  tag: string;
  scope: string;
  summary: string;
  description: string;
  inPath: OperationParameter[];
  inQuery: OperationParameter[];
  body: {
    isRequired: boolean;
    /** Of a body that is no JSON, one of several. */
    mediaTypes: string[];
    schema: JsonSchema;
    example: unknown;
  } | null;
  /** It takes an `Idempotency-Key`. */
  takesKey: boolean;
  /** It takes `If-Match`. */
  takesVersion: boolean;
  /** Of its answers that are no refusals. */
  answers: string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** It has no end, and a tool has. */
const ENDLESS = 'text/event-stream';

/** All that ask for a scope. Those of clients' pages and providers are for nobody with a token. */
export function serviceOperations({ paths }: ServiceDescription): Map<string, ServiceOperation> {
  const found = new Map<string, ServiceOperation>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of METHODS) {
      const described = methods[method];
      const operation = described && operationOf(method, path, described);
      if (operation && !found.has(operation.tool)) found.set(operation.tool, operation);
    }
  }
  return found;
}

function operationOf(
  method: string,
  path: string,
  described: DescribedOperation,
): ServiceOperation | undefined {
  const { operationId, security = [], parameters = [], requestBody } = described;
  const [scope] = security.flatMap((way) => Object.values(way).flat());
  const answers = answersOf(described);
  if (!operationId || !scope || answers.includes(ENDLESS)) return undefined;
  const headers = new Set(parameters.flatMap((one) => (one.in === 'header' ? one.name : [])));
  const { summary = operationId, description = '', tags: [tag = ''] = [] } = described;
  return {
    tool: toolName(operationId),
    operationId,
    method: method.toUpperCase(),
    path,
    tag,
    scope,
    summary,
    description: (description.split('Needs the scope `')[0] ?? '').trim(),
    inPath: parameters.filter((one) => one.in === 'path'),
    inQuery: parameters.filter((one) => one.in === 'query'),
    body: requestBody ? bodyOf(requestBody) : null,
    takesKey: headers.has('Idempotency-Key'),
    takesVersion: headers.has('If-Match'),
    answers,
  };
}

export const toolName = (operationId: string): string =>
  operationId.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

function answersOf({ responses }: DescribedOperation): string[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return good.flatMap(([, { content = {} }]) => Object.keys(content));
}

function bodyOf({
  required = false,
  content,
}: NonNullable<DescribedOperation['requestBody']>): ServiceOperation['body'] {
  const mediaTypes = Object.keys(content);
  const json = mediaTypes.find(isJson);
  const { schema = {}, example } = content[json ?? mediaTypes[0] ?? ''] ?? {};
  return { isRequired: required, mediaTypes: json ? [json] : mediaTypes, schema, example };
}

export const isJson = (mediaType: string): boolean => /[/+]json\b/.test(mediaType);
