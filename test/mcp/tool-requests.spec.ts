import { describe, expect, it } from 'vitest';
import { serviceOperations } from '../../src/cli/mcp/service-operations.js';
import { toolRequest } from '../../src/cli/mcp/tool-requests.js';
import { inputSchema } from '../../src/cli/mcp/tool-schemas.js';

const KEY = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const security = [{ oauth2: ['things:write'] }];
const responses = { 200: { content: { 'application/json': {} } } };

const NODE = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
};
const schemas = { Node: NODE, Size: { type: 'integer', format: 'int64', example: 3 } };

const operations = serviceOperations({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        security: [{ oauth2: ['things:read'] }],
        tags: ['things'],
        description: 'All of them.\n\nNeeds the scope `things:read`.',
        parameters: [
          { name: 'status', in: 'query', schema: { type: 'array' }, style: 'form' },
          { name: 'metadata', in: 'query', schema: { type: 'object' }, style: 'deepObject' },
          { name: 'q', in: 'query', description: 'Words.', schema: schemas.Size },
        ],
        responses,
      },
    },
    '/things/{id}/parts': {
      post: {
        operationId: 'addPart',
        security,
        parameters: [ID, KEY, { name: 'If-Match', in: 'header', schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Node' },
              example: { name: 'bolt' },
            },
          },
        },
        responses,
      },
    },
    '/things/{id}/file': {
      put: {
        operationId: 'putFile',
        security,
        parameters: [ID],
        requestBody: { required: true, content: { 'text/csv': {}, 'image/png': {} } },
        responses,
      },
    },
    '/stream': {
      get: {
        operationId: 'follow',
        security,
        responses: { 200: { content: { 'text/event-stream': {} } } },
      },
    },
    '/page': { get: { operationId: 'getPage', security: [], responses } },
  },
});
const operation = (tool: string) => operations.get(tool)!;

describe('operations', () => {
  it('are those with a scope that come to an end', () => {
    expect([...operations.keys()]).toEqual(['list_things', 'add_part', 'put_file']);
    expect(operation('list_things')).toMatchObject({ scope: 'things:read', tag: 'things' });
    expect(operation('list_things').description).toBe('All of them.');
  });
});

const fileOf = (content_type: string, content: string) =>
  toolRequest(operation('put_file'), { id: 't', content_type, content }).body;

describe('a request', () => {
  it('has its query as the service reads it', () => {
    const given = { status: ['open', 'paid'], metadata: { project: '4 2' }, q: 'a&b' };
    const { path, headers, body } = toolRequest(operation('list_things'), given);
    expect([path, headers, body]).toEqual([
      '/things?status=open%2Cpaid&metadata%5Bproject%5D=4+2&q=a%26b',
      { accept: 'application/json' },
      undefined,
    ]);
  });

  it('has its parts of the path, its headers and its body', () => {
    const given = { id: 'a/b', idempotency_key: 'k-1', if_match: 3, body: { name: 'nut' } };
    expect(toolRequest(operation('add_part'), given)).toEqual({
      method: 'POST',
      path: '/things/a%2Fb/parts',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'k-1',
        'if-match': '"3"',
      },
      body: '{"name":"nut"}',
    });
  });

  it('has a file as it is', () => {
    expect(fileOf('text/csv', 'a;b')).toBe('a;b');
    expect(fileOf('image/png', 'iVBO')).toEqual(Buffer.from('iVBO', 'base64'));
  });

  it.each([
    ['add_part', { id: 't', body: {} }, 'idempotency_key_required'],
    ['add_part', { id: 't', body: {}, idempotency_key: '' }, 'idempotency_key_required'],
    ['add_part', { id: 't', body: {}, idempotency_key: 'a\nb' }, 'idempotency_key_required'],
    ['add_part', { id: 't', idempotency_key: 'k' }, 'required'],
    ['add_part', { body: {}, idempotency_key: 'k' }, 'required'],
    ['add_part', { id: '..', body: {}, idempotency_key: 'k' }, 'required'],
    ['add_part', { id: '.', body: {}, idempotency_key: 'k' }, 'required'],
    ['add_part', { id: {}, body: {}, idempotency_key: 'k' }, 'invalid_argument'],
    ['add_part', { id: 't', name: 'nut', idempotency_key: 'k' }, 'unknown_argument'],
    ['list_things', { idempotency_key: 'k' }, 'unknown_argument'],
    ['list_things', { constructor: 1 }, 'unknown_argument'],
    ['put_file', { id: 't', content_type: 'text/html', content: '' }, 'invalid_argument'],
  ])('of %s is none with %j', (tool, given, code) => {
    expect(() => toolRequest(operation(tool), given)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a schema', () => {
  it('has all in its place, once also where it goes in circles', () => {
    const { schema, isWhole } = inputSchema(operation('add_part'), schemas, 10_000);
    expect(isWhole).toBe(true);
    expect(schema.required).toEqual(['id', 'idempotency_key', 'body']);
    expect(schema.properties['body']).toEqual({
      ...NODE,
      properties: { name: { type: 'string' }, next: { type: 'object' } },
    });
  });

  it('keeps words of a parameter, and examples where readers of schemas look for them', () => {
    const { schema } = inputSchema(operation('list_things'), schemas, 10_000);
    expect(schema.properties['q']).toEqual({
      type: 'integer',
      format: 'int64',
      examples: [3],
      description: 'Words.',
    });
  });

  it('that is too large keeps the first fields, forbids none that it left out, and has the example', () => {
    const deep = {
      ...schemas,
      Node: { ...NODE, properties: { name: {}, part: { ...NODE, description: 'A part.' } } },
    };
    const { schema, isWhole } = inputSchema(operation('add_part'), deep, 10);
    expect(isWhole).toBe(false);
    expect(schema.properties['body']).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: { name: {}, part: { type: 'object' } },
      examples: [{ name: 'bolt' }],
    });
  });
});
