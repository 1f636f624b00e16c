import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRIGGERS } from '../../src/cli/remote/triggers.js';
import { freePort } from '../../src/testing/service/free-port.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { aPlace, type Place } from './program.js';

// Commands that talk to a running service as an integration does: with its URL and a client.

let service: TestService;
let client: TestClient;
let place: Place;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  place = await aPlace();
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

const asClient = ({ id, secret }: TestClient = client, url = service.url) => ({
  QUITTANCE_URL: url,
  QUITTANCE_CLIENT_ID: id,
  QUITTANCE_CLIENT_SECRET: secret,
});
const run = async (args: string[], env: Record<string, string> = asClient()) =>
  place.command(args, env);
const linesOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** The program of a developer, on this machine. */
async function aReceiver(port: number, status = 204): Promise<{ got: Received[]; server: Server }> {
  const got: Received[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, { Location: service.url }).end();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { got, server };
}

describe('trigger', () => {
  it('lists what it can do', async () => {
    const { code, output } = await run(['trigger', '--json']);
    expect([code, JSON.parse(output)]).toEqual([0, { types: Object.keys(TRIGGERS) }]);
  });

  it.each(Object.keys(TRIGGERS))('makes %s happen', async (type) => {
    const { code, output, errors } = await run(['trigger', type, '--json']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const event = JSON.parse(output) as { id: string };
    expect(event).toMatchObject({ type });
    expect((await client.get(`/v1/events/${event.id}`)).body).toEqual(event);
  });

  it.each(['document.exploded', 'constructor', '__proto__'])('knows no %s', async (type) => {
    const { code, errors } = await run(['trigger', type]);
    expect(code).toBe(2);
    expect(errors).toContain(`${type} is none of document.created, `);
  });

  it('touches no live account', async () => {
    const live = await service.aClient({ mode: 'live' });
    const { code, errors } = await run(['trigger', 'document.issued'], asClient(live));
    expect(code).toBe(2);
    expect(errors).toContain('sandbox_for_tests');
    expect((await live.get<{ data: object[] }>('/v1/finance/documents')).body.data).toEqual([]);
  });
});

describe('events', () => {
  it('are listed, newest first', async () => {
    const invoice = await client.anInvoice();
    const { output } = await run(['events', '--types', 'document.*', '--limit', '2', '--json']);
    const { data } = JSON.parse(output) as { data: { type: string; document_id: string }[] };
    expect(data.map(({ type, document_id: id }) => [type, id])).toEqual([
      ['document.issued', invoice.id],
      ['document.created', invoice.id],
    ]);
    const plain = await run(['events', '--limit', '1']);
    expect(plain.output).toMatch(/^\S+Z {2}evt_\w+ {2}document.issued {2}doc_\w+$/m);
  });

  it('are followed as they happen, also by their types', async () => {
    const before = await client.anInvoice();
    const followed = run(['events', '--follow', '--types', 'payment.*', '--limit', '2', '--json']);
    await client.pay(before, { amount: 100 });
    for (let tries = 0; tries < 40; tries += 1) {
      const isDone = await Promise.race([followed.then(() => true), wait(250)]);
      if (isDone) break;
      await client.pay(before, { amount: 100 });
    }
    const { code, output } = await followed;
    expect(code).toBe(0);
    expect(linesOf(output).map(({ type }) => type)).toEqual([
      'payment.recorded',
      'payment.recorded',
    ]);
  });
});

const wait = async (ms: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));

/** Makes events until the command has had enough. */
async function whileEvents<Result>(command: Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < 60; tries += 1) {
    const ended = await Promise.race([command.then((result) => ({ result })), wait(250)]);
    if (ended) return ended.result;
    await client.anInvoice({ issue: false });
  }
  return command;
}

describe('listen', () => {
  it('posts events to a port of this machine, as an endpoint gets them', async () => {
    const port = await freePort();
    const { got, server } = await aReceiver(port);
    const listen = ['listen', '--forward-to', `localhost:${port}/hooks`, '--limit', '3', '--json'];
    const { code, output } = await whileEvents(run(listen));
    server.close();
    expect(code).toBe(0);
    const [{ secret, forward_to: to } = {}, ...told] = linesOf(output);
    expect(to).toBe(`http://localhost:${port}/hooks`);
    const verified = got.map(({ headers, body }) =>
      new Webhook(String(secret)).verify(body, headers as Record<string, string>),
    ) as { id: string; type: string }[];
    expect(verified.map(({ id }) => id)).toEqual(got.map(({ headers }) => headers['webhook-id']));
    expect(told).toEqual(verified.map(({ id, type }) => ({ id, type, status: 204 })));
    expect(verified[0]).toEqual((await client.get(`/v1/events/${verified[0]?.id}`)).body);
  });

  it('tells that nobody listens there, and goes on with the same event once somebody does', async () => {
    const port = await freePort();
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const listen = ['listen', '--forward-to', `127.0.0.1:${port}`, '--limit', '2', '--json'];
    const listening = run([...listen, '--secret', secret]);
    const made = whileEvents(listening);
    await wait(1500);
    const { got, server } = await aReceiver(port, 500);
    const { output, errors } = await made;
    server.close();
    expect(errors).toMatch(/ evt_\w+: 127\.0\.0\.1:\d+ does not answer; again in 1 s/);
    expect(errors).toContain(`127.0.0.1:${port} answers again`);
    const [, ...told] = linesOf(output);
    expect(told.map(({ status }) => status)).toEqual([500, 500]);
    expect(told.map(({ id }) => id)).toEqual(got.map(({ headers }) => headers['webhook-id']));
    expect(output).toContain(secret);
  });

  it('posts to nobody but whom it was told, also where it is led elsewhere', async () => {
    const port = await freePort();
    const { got, server } = await aReceiver(port, 302);
    const listen = ['listen', '--forward-to', `127.0.0.1:${port}`, '--limit', '1', '--json'];
    const { output } = await whileEvents(run(listen));
    server.close();
    expect(linesOf(output)[1]).toMatchObject({ status: 302 });
    expect(got).toHaveLength(1);
  });

  it.each([
    ['nonsense at all', '--forward-to:'],
    ['ftp://localhost:1', '--forward-to:'],
    ['http://user:pass@localhost:1', '--forward-to:'],
  ])('refuses to post to %s', async (to, says) => {
    const { code, errors } = await run(['listen', '--forward-to', to]);
    expect(code).toBe(2);
    expect(errors).toContain(says);
  });
});

describe('each of them', () => {
  it.each([
    [{}, 'There is no demo in this folder'],
    [{ QUITTANCE_URL: 'nonsense' }, 'QUITTANCE_URL'],
    [{ QUITTANCE_URL: 'http://shop.example' }, 'https'],
    [{ QUITTANCE_URL: 'https://shop.example' }, 'QUITTANCE_CLIENT_SECRET'],
  ])('names what is missing in %j', async (env, says) => {
    const { code, errors } = await run(['events'], env as Record<string, string>);
    expect(code).toBe(2);
    expect(errors).toContain(says);
  });

  it('says why it is refused, and shows no secret', async () => {
    const wrong = { ...asClient(), QUITTANCE_CLIENT_SECRET: 'hush-hush-hush' };
    const { code, errors } = await run(['events'], wrong);
    expect(code).toBe(2);
    expect(errors).toContain('invalid_client');
    expect(errors).not.toContain('hush');
    const poor = await service.aClient({ of: client, scopes: ['payments:read'] });
    expect((await run(['events'], asClient(poor))).errors).toContain('insufficient_scope');
  });

  it('says that the service does not answer', async () => {
    const nowhere = asClient(client, `http://127.0.0.1:${await freePort()}`);
    const { code, errors } = await run(['events'], nowhere);
    expect(code).toBe(2);
    expect(errors).toContain('does not answer');
  });
});
