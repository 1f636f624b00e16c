import type { CallToolResult } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailStage, mailStage } from '../e2e/mail/mail-calls.js';
import { aPlace, type Place } from '../startup/program.js';
import type { TestClient } from '../support/client.js';
import { type Agent, anAgent, textOf, valueOf } from './mcp-stage.js';

// The command as programs of agents start it, with the client of the protocol's own SDK.

let stage: MailStage;
let place: Place;
let client: TestClient;
beforeAll(async () => {
  [stage, place] = await Promise.all([mailStage(), aPlace()]);
  stage.service.clock.set('2026-11-20T10:00:00Z');
  client = await stage.service.aClient();
});
afterAll(async () => {
  await place.remove();
  await stage.close();
});

const started = async (options: string[], mode: 'legacy' | 'auto') =>
  anAgent(place, stage.service.url, client, options, mode);

const invoiceDue = async (issue_date: string, due_date: string, email: string) =>
  client.anInvoice({ issue_date, due_date, customer: { name: 'Globex', country: 'DE', email } });

describe('an agent', () => {
  it('finds the oldest open invoice and sends a reminder, once', async () => {
    const settled = await invoiceDue('2026-08-01', '2026-08-15', 'paid@globex.example');
    await client.pay(settled, { amount: 11_900 });
    await invoiceDue('2026-09-01', '2026-10-15', 'later@globex.example');
    const oldest = await invoiceDue('2026-09-05', '2026-09-15', 'oldest@globex.example');
    await stage.mails();

    const agent = await started(['--write'], 'auto');
    const transcript: string[] = [];
    const call = async (name: string, given: object): Promise<CallToolResult> => {
      const result = await agent.client.callTool({ name, arguments: given as never });
      const told = textOf(result as CallToolResult);
      transcript.push(`> ${name} ${JSON.stringify(given)}\n${told}`);
      return result as CallToolResult;
    };

    const found = await call('list_documents', {
      kind: 'invoice',
      status: ['open', 'partially_paid'],
      sort: 'due_date',
      limit: 1,
    });
    expect(textOf(found)).toContain('11900 EUR = 119.00 EUR (one hundred nineteen euros)');
    const { id } = oldest;
    expect(valueOf(found)).toMatchObject({ data: [{ id }] });

    const may = await call('available_actions', { id });
    expect(valueOf(may)).toMatchObject({ sending: { tools: [{ tool: 'send_document' }] } });

    const wish = { id, body: { kind: 'reminder' } };
    const keyless = await call('send_document', wish);
    expect([keyless.isError, textOf(keyless)]).toEqual([
      true,
      expect.stringContaining('idempotency_key_required'),
    ]);
    const sent = await call('send_document', { ...wish, idempotency_key: 'remind-once' });
    const message = valueOf(sent) as { id: string; kind: string };
    expect(message).toMatchObject({ kind: 'reminder' });
    const again = await call('send_document', { ...wish, idempotency_key: 'remind-once' });
    expect(valueOf(again)).toEqual(message);
    expect(textOf(again)).toContain('nothing was done again');

    const mails = await stage.mails();
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining(oldest.number!)]);
    expect(mails[0]?.headers.get('to')).toMatchObject({ text: 'oldest@globex.example' });
    const told = await call('list_messages', { document_id: id });
    expect(valueOf(told)).toMatchObject({
      data: [{ id: message.id, kind: 'reminder', status: 'sent' }],
    });
    if (process.env['SHOW_TRANSCRIPT']) console.info(transcript.join('\n\n'));
    await ended(agent, 'tools of http');
  });

  it('of an earlier protocol only reads, if nobody asked for more', async () => {
    const agent = await started(['--tools', 'list_documents,get_document'], 'legacy');
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'available_actions',
      'list_documents',
      'get_document',
    ]);
    expect(agent.client.getInstructions()).toContain('--write');
    const result = await agent.client.callTool({ name: 'send_document', arguments: {} });
    expect([result.isError, textOf(result as CallToolResult)]).toEqual([
      true,
      expect.stringContaining('--write'),
    ]);
    await ended(agent, '3 tools of http');
  });

  it('is not started with a wish that cannot be had', async () => {
    const environment = {
      QUITTANCE_URL: stage.service.url,
      QUITTANCE_CLIENT_ID: client.id,
      QUITTANCE_CLIENT_SECRET: client.secret,
    };
    const { code, errors, output } = await place.command(['mcp', '--tags', 'x'], environment);
    expect([code, errors, output]).toEqual([2, expect.stringContaining('--tags: x is none'), '']);
  });
});

/** Nothing but the protocol came on standard output, and nothing but one line on the other. */
async function ended(agent: Agent, says: string): Promise<void> {
  await agent.client.close();
  expect(agent.faults).toEqual([]);
  expect(agent.said()).toContain(says);
  expect(agent.said().trim().split('\n')).toHaveLength(1);
}
