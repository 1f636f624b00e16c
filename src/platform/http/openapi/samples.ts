import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = Record<string, unknown>;

interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema?: Schema; example?: unknown }>;
  };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

/** Values of parameters that the document shows no example of. */
const VALUES: Record<string, string> = {
  external_id: 'order-4711',
  gateway: 'gateway-a',
  month: '2026-11',
  date: '2026-11-30',
};

/** An example of each operation in TypeScript, as `x-codeSamples`: a call of the generated client. */
export function addSamples(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const ids = idsByCollection(document, schemas);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item as Record<string, Operation>)) {
      if (!operation.operationId) continue;
      const sample = {
        lang: 'typescript',
        label: 'TypeScript',
        source: sampleOf(path, withOwnSchemas(operation, schemas), ids),
      };
      Object.assign(operation, { 'x-codeSamples': [sample] });
    }
  }
}

/** Lists of words have a name, and stand apart from the parameters that take them. */
function withOwnSchemas(operation: Operation, schemas: Record<string, Schema>): Operation {
  const parameters = operation.parameters?.map((parameter) => {
    const name = String(parameter.schema['$ref'] ?? '').replace('#/components/schemas/', '');
    return { ...parameter, schema: schemas[name] ?? parameter.schema };
  });
  return { ...operation, ...(parameters && { parameters }) };
}

function sampleOf(path: string, operation: Operation, ids: Map<string, unknown>): string {
  const { operationId: name = '', parameters = [] } = operation;
  const needed = (place: string) =>
    parameters.filter(({ in: where, required }) => where === place && required);
  const inPath = needed('path').map(({ name, schema }) => {
    const collection = path.slice(0, path.indexOf(`{${name}}`));
    return [name, (name === 'id' && ids.get(collection)) || valueOf(name, schema)];
  });
  const inQuery = needed('query').map(({ name, schema }) => [name, valueOf(name, schema)]);
  const hasKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const options = [
    inPath.length > 0 && `path: ${literal(Object.fromEntries(inPath), 2)}`,
    inQuery.length > 0 && `query: ${literal(Object.fromEntries(inQuery), 2)}`,
    hasKey && `headers: { 'Idempotency-Key': crypto.randomUUID() }`,
    bodyOf(operation),
  ].filter(Boolean);
  const given = options.map((option) => `\n  ${option},`).join('');
  const call = `${name}(${given && `{${given}\n}`})`;
  const result = isStream(operation) ? '{ stream }' : '{ data, error }';
  return `import { ${name} } from './client';\n\nconst ${result} = await ${call};`;
}

/** A generated client reads it event by event. */
const isStream = ({ responses }: Operation): boolean =>
  'text/event-stream' in (responses['200']?.content ?? {});

function bodyOf({ requestBody }: Operation): string | undefined {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!type || !body) return undefined;
  if (!type.endsWith('json')) return `body: new Blob([bytes], { type: '${type}' })`;
  return `body: ${literal(body.example ?? {}, 2)}`;
}

/** `/v1/finance/documents/`: the example of an id in what `GET /v1/finance/documents/{id}` answers. */
function idsByCollection(
  document: OpenAPIObject,
  schemas: Record<string, Schema>,
): Map<string, unknown> {
  const ids = new Map<string, unknown>();
  for (const [path, { get }] of Object.entries(document.paths)) {
    const answer = (get as Operation | undefined)?.responses['200']?.content?.['application/json'];
    const name = String(answer?.schema?.['$ref'] ?? '').replace('#/components/schemas/', '');
    const fields = schemas[name]?.['properties'] as Record<string, Schema> | undefined;
    if (path.endsWith('/{id}')) ids.set(path.slice(0, -'{id}'.length), fields?.['id']?.['example']);
  }
  return ids;
}

function valueOf(name: string, schema: Schema): unknown {
  const [first] = (schema['enum'] as unknown[] | undefined) ?? [];
  if (schema['type'] === 'integer') return schema['minimum'] ?? 1;
  return (
    schema['example'] ??
    first ??
    VALUES[name] ??
    (schema['format'] === 'date' ? VALUES['date'] : name)
  );
}

/** A value as TypeScript: keys without quotes where they need none, texts in single quotes. */
function literal(value: unknown, indent: number): string {
  const pad = ' '.repeat(indent);
  const inside = ' '.repeat(indent + 2);
  if (Array.isArray(value)) {
    const items = value.map((item) => `\n${inside}${literal(item, indent + 2)},`).join('');
    return items ? `[${items}\n${pad}]` : '[]';
  }
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([key, item]) => {
      const name = /^[A-Za-z_]\w*$/.test(key) ? key : quoted(key);
      return `\n${inside}${name}: ${literal(item, indent + 2)},`;
    });
    return fields.length > 0 ? `{${fields.join('')}\n${pad}}` : '{}';
  }
  return typeof value === 'string' ? quoted(value) : String(value);
}

const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
