import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Drain } from '../../src/drain.js';
import { Readiness } from '../../src/platform/observability/readiness.js';
import { aLoadOn } from './kept-connections.js';

const LARGE = 'x'.repeat(30_000_000);

let server: Server;
let drain: Drain;
let url: string;
beforeEach(async () => {
  server = createServer((request, answer) => {
    // Other work keeps the loop away from the connections, as it does under load.
    for (const until = performance.now() + 3; performance.now() < until;);
    answer.end(request.url === '/large' ? LARGE : 'here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const readiness = new Readiness();
  const closed = () => new Promise((resolve) => server.close(resolve));
  drain = new Drain(
    { get: () => readiness, close: closed } as unknown as NestExpressApplication,
    server,
  );
});
afterEach(() => server.closeAllConnections());

const LIMITS = { delaySeconds: 0, seconds: 20 };

describe('a server that stops', () => {
  it('resets nobody under load', async () => {
    const load = aLoadOn({ url });
    await sleep(300);
    await drain.run(LIMITS);
    expect(await load.failures).toEqual([]);
  });

  it('lets a slow reader have all of an answer', async () => {
    const answer = await new Promise<IncomingMessage>((resolve) => get(`${url}/large`, resolve));
    const drained = drain.run(LIMITS);
    await sleep(2000);
    let bytes = 0;
    for await (const part of answer) bytes += (part as Buffer).length;
    expect(bytes).toBe(LARGE.length);
    await drained;
  });

  it('closes connections that ask nothing', async () => {
    await (await fetch(url)).text();
    const begun = performance.now();
    await drain.run(LIMITS);
    expect(performance.now() - begun).toBeLessThan(LIMITS.seconds * 500);
  });
});
