import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAmount } from '../../src/cli/mcp/amounts.js';
import { OPERATIONS_OF_ACTIONS } from '../../src/cli/mcp/document-actions.js';
import {
  type ServiceDescription,
  serviceOperations,
} from '../../src/cli/mcp/service-operations.js';
import { USUAL_TAGS } from '../../src/cli/mcp/tool-choice.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { textOf, toolsOf, valueOf } from './mcp-stage.js';

// Tools of agents are made from the operations of a service, by the scopes of a client.

let service: TestService;
let client: TestClient;
let description: ServiceDescription;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  description = (await service.call<never>('/v1/openapi.json')).body;
});
afterAll(() => service.close());

const tools = async (wish = {}, of = client) => toolsOf(service.url, of, wish);
const namesOf = async (wish = {}, of = client) =>
  (await tools(wish, of)).list.map(({ name }) => name);
const only = async (...scopes: string[]) => service.aClient({ of: client, scopes });
const operations = () => [...serviceOperations(description).values()];

describe('the tools', () => {
  it('read only, unless writes are asked for', async () => {
    const { list } = await tools();
    expect(list.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const reads = operations().filter(
      ({ method, tag }) => method === 'GET' && USUAL_TAGS.includes(tag),
    );
    expect(list.map(({ name }) => name)).toEqual([
      'available_actions',
      ...reads.map(({ tool }) => tool),
    ]);
    expect(list.length).toBeGreaterThan(25);
    expect(JSON.stringify(list).length).toBeLessThan(30_000);
  });

  it('are those of the scopes', async () => {
    const names = await namesOf({ tags: 'all', write: true }, await only('payments:read'));
    const reads = operations().filter(({ scope }) => scope === 'payments:read');
    expect(names).toEqual(reads.map(({ tool }) => tool));
    await expect(namesOf({}, await only('audit:read'))).rejects.toThrow('There is no tool');
  });

  it('have keys and hints where they write', async () => {
    const { list } = await tools({ write: true });
    const named = new Map(list.map((tool) => [tool.name, tool]));
    expect(named.get('void_document')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    expect(named.get('create_customer')?.annotations?.destructiveHint).toBe(false);
    expect(named.get('create_credit_note')?.annotations?.destructiveHint).toBe(true);
    expect(named.get('preview_document')?.annotations).toEqual({ readOnlyHint: true });
    const keyed = operations().filter(({ takesKey, tag }) => takesKey && USUAL_TAGS.includes(tag));
    expect(keyed.length).toBeGreaterThan(30);
    for (const { tool } of keyed) {
      expect([tool, named.get(tool)?.inputSchema.required]).toEqual([
        tool,
        expect.arrayContaining(['idempotency_key']),
      ]);
    }
    expect(JSON.stringify(list).length).toBeLessThan(130_000);
  });

  it('have names and schemas that every client reads', async () => {
    const { list } = await tools({ write: true, tags: 'all' });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const all = new Map(operations().map((one) => [one.tool, one]));
    expect(all.size).toBeGreaterThan(200);
    expect(list.map(({ name }) => name).toSorted()).toEqual(
      ['available_actions', 'describe_tool', ...all.keys()].toSorted(),
    );
    for (const { name, inputSchema } of list) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
      expect([name, ajv.validateSchema(inputSchema)]).toEqual([name, true]);
      const one = all.get(name);
      if (!one) continue;
      const { inPath, inQuery, body, takesKey, takesVersion } = one;
      const ofBody =
        body === null ? 0 : body.mediaTypes.some((type) => type.endsWith('json')) ? 1 : 2;
      const count =
        inPath.length + inQuery.length + ofBody + Number(takesKey) + Number(takesVersion);
      expect([name, Object.keys(inputSchema.properties ?? {}).length]).toEqual([name, count]);
    }
  });

  it('can be chosen by tag and by name', async () => {
    const some = await namesOf({ tags: 'payment-links, disputes' });
    expect(some).toContain('list_disputes');
    expect(some).toContain('list_payment_links');
    expect(some).not.toContain('list_documents');
    expect(await namesOf({ tools: 'list_documents' })).toEqual([
      'available_actions',
      'list_documents',
    ]);
    const both = { tags: 'mail', tools: 'list_documents,send_document', write: true };
    expect(await namesOf(both)).toEqual(
      expect.arrayContaining(['list_documents', 'send_document', 'list_messages']),
    );
  });

  it.each([
    [{ tags: 'nonsense' }, 'nonsense is none of all, '],
    [{ tools: 'nonsense' }, 'nonsense is no operation of this service'],
    [{ tools: 'send_document' }, 'documents:write'],
    [{ tools: 'list_payments' }, 'payments:read'],
  ])('are refused with the reason: %j', async (wish, says) => {
    const reader = await only('documents:read');
    await expect(tools(wish, reader)).rejects.toThrow(says);
  });

  it('that write are not to be had by their name alone', async () => {
    await expect(tools({ tools: 'send_document' })).rejects.toThrow('without --write');
  });

  it('shown in part are described whole by another one', async () => {
    const made = await tools({ write: true });
    const listed = made.list.find(({ name }) => name === 'create_document');
    expect(listed?.description).toContain('describe_tool');
    const { schema } = valueOf(await made.call('describe_tool', { name: 'create_document' })) as {
      schema: { properties: { body: object } };
    };
    expect(schema.properties.body).toHaveProperty('properties.lines.items.properties.quantity');
    expect(textOf(await made.call('describe_tool', { name: 'nonsense' }))).toContain(
      'unknown_tool',
    );
  });
});

describe('what is said of answers', () => {
  /** Beside a currency, and no amount of it. */
  const OTHERS = [
    'cash_rounding',
    'days',
    'days_overdue',
    'exchange_gain',
    'issue_days_ahead',
    'payment_terms_days',
    'revision',
    'step',
    'tax_total_in_tax_currency',
    'version',
    'worth',
  ];

  it('knows each whole number beside a currency, as an amount or as none', () => {
    const found = new Map<string, Set<string>>();
    const look = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties } = schema as { properties?: Record<string, { type?: unknown }> };
      for (const [name, { type }] of Object.entries(properties?.['currency'] ? properties : {})) {
        if (![type].flat().includes('integer')) continue;
        const kind = isAmount(name) ? 'amount' : 'other';
        found.set(kind, (found.get(kind) ?? new Set()).add(name));
      }
      for (const below of Object.values(schema)) look(below);
    };
    const { schemas = {} } = description.components ?? {};
    const answers = Object.entries(schemas).filter(
      ([name]) => !/Request$|^(Problem|OAuthError)$/.test(name),
    );
    for (const [, schema] of answers) look(schema);
    expect([...(found.get('other') ?? [])].toSorted()).toEqual(OTHERS);
    expect(found.get('amount')?.size).toBeGreaterThan(50);
  });

  it('knows each action of a document, and its operations', () => {
    const schema = description.components?.schemas?.['AvailableAction'] as {
      properties: { action: { enum: string[] } };
    };
    expect(Object.keys(OPERATIONS_OF_ACTIONS)).toEqual(schema.properties.action.enum);
    const known = new Set(operations().map(({ operationId }) => operationId));
    const unknown = Object.values(OPERATIONS_OF_ACTIONS)
      .flat()
      .filter((id) => !known.has(id));
    expect(unknown).toEqual([]);
  });
});

interface Actions {
  document: object;
  actions: {
    action: string;
    available: boolean;
    code: string | null;
    way_out: string | null;
    tools: { tool: string; not_here?: string }[];
  }[];
  sending: { tools: { tool: string; not_here?: string }[] };
  reminders: { waits_for?: string; code?: string };
}

describe('available_actions', () => {
  it('tells what a document allows, and what this server allows', async () => {
    const invoice = await client.anInvoice();
    const reader = await only('documents:read', 'documents:write');
    const made = await tools({ write: true }, reader);
    const answer = valueOf(await made.call('available_actions', { id: invoice.id })) as Actions;
    const { actions } = answer;
    const of = (name: string) => actions.find(({ action }) => action === name);
    expect(answer.document).toMatchObject({ number: invoice.number, amount_due: 11_900 });
    expect(of('void')).toMatchObject({ available: true, tools: [{ tool: 'void_document' }] });
    expect(of('delete')).toMatchObject({
      available: false,
      code: 'document_not_draft',
      way_out: expect.any(String),
    });
    expect(of('pay')?.tools[0]).toEqual({
      tool: 'record_payment',
      not_here: 'record_payment needs the scope payments:write, which this client has not',
    });
    expect(of('accept')).toMatchObject({ by: 'the client, with a portal link' });
    expect(answer.sending.tools).toEqual([{ tool: 'send_document' }]);
    expect(answer.reminders.waits_for).toEqual(expect.any(String));
  });

  it('says why a server that only reads changes nothing, and why a draft is not reminded of', async () => {
    const draft = await client.anInvoice({ issue: false });
    const made = await tools();
    const result = await made.call('available_actions', { id: draft.id });
    const { sending, reminders } = valueOf(result) as Actions;
    expect(sending.tools[0]?.not_here).toContain('--write');
    expect(reminders).toMatchObject({ code: 'document_not_dunned' });
    const { tools_that_are_not_here: absent } = valueOf(
      await made.call('available_actions', {}),
    ) as { tools_that_are_not_here: object };
    expect(Object.values(absent).flat()).toContain('void_document');
    expect(textOf(await made.call('void_document', { id: draft.id }))).toContain(
      'unknown_tool: void_document is no mere reading',
    );
  });

  it('refuses what is no document', async () => {
    const made = await tools();
    const result = await made.call('available_actions', { id: 'doc_nonsense' });
    expect([result.isError, textOf(result)]).toEqual([
      true,
      expect.stringContaining('404 document_not_found: '),
    ]);
    expect(textOf(await made.call('available_actions', { document: 'x' }))).toContain(
      'unknown_argument',
    );
    expect((await made.call('available_actions', { id: '..' })).isError).toBe(true);
  });
});

describe('a call', () => {
  it('has amounts in words behind the answer', async () => {
    const { id } = await client.anInvoice({ currency: 'KWD', unitAmount: 10_000 });
    const result = await (await tools()).call('get_document', { id });
    expect(valueOf(result)).toMatchObject({ id });
    expect(textOf(result)).toContain(
      'amount_due: 11900 KWD = 11.900 KWD (eleven Kuwaiti dinars and 900/1000)',
    );
  });

  it('is refused as the service refuses it, with all wrong fields', async () => {
    const made = await tools({ write: true });
    const body = { customer: { name: '' }, lines: [{ description: 'x', quantity: 'many' }] };
    const result = await made.call('create_document', { body, idempotency_key: 'k-1' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^422 validation_failed: /);
    expect(textOf(result)).toMatch(/^\/customer\/name: \w+: /m);
    expect(textOf(result)).toMatch(/^\/lines\/0\/quantity: \w+: /m);
  });

  it('writes once with its key, and only if the version is the one that was read', async () => {
    const made = await tools({ write: true });
    const { id, version } = await client.anInvoice({ issue: false });
    const given = { id, body: { notes: 'Thank you.' }, idempotency_key: 'k-2' };
    const stale = await made.call('update_document', { ...given, if_match: version + 1 });
    expect(textOf(stale)).toContain('412 version_mismatch');
    const done = await made.call('update_document', { ...given, if_match: version });
    expect(valueOf(done)).toMatchObject({ notes: 'Thank you.' });
    const deleted = await made.call('delete_document', { id, idempotency_key: 'k-3' });
    expect(textOf(deleted)).toContain('Done');
  });

  it('lists in pages that fit, with filters of each kind', async () => {
    const other = await service.aClient();
    const made = await toolsOf(service.url, other);
    for (let count = 0; count < 3; count += 1)
      await other.anInvoice({ metadata: { project: 'x y' }, lines: 3 });
    await other.anInvoice();
    const wish = { status: ['open', 'paid'], metadata: { project: 'x y' }, unpaid: true };
    const first = await made.call('list_documents', { ...wish, limit: 2 });
    const { data, next_cursor: cursor } = valueOf(first) as { data: object[]; next_cursor: string };
    expect([data.length, textOf(first)]).toEqual([2, expect.stringContaining('next_cursor')]);
    const rest = await made.call('list_documents', { ...wish, limit: 2, cursor });
    expect(valueOf(rest)).toMatchObject({ data: [{ id: expect.any(String) }] });
  });

  it('goes on when its token has ended', async () => {
    const made = await tools();
    service.clock.advance({ hours: 1 });
    expect((await made.call('list_customers', { limit: 1 })).isError).toBeUndefined();
  });

  it('hands over files', async () => {
    const { id } = await client.anInvoice();
    const { content } = await (await tools()).call('get_document_pdf', { id });
    expect(content[1]).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'application/pdf', blob: expect.stringMatching(/^JVBERi/) },
    });
  });
});
