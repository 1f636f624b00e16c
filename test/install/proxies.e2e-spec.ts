import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/testing/service/free-port.js';
import { aPlace, NO_CHROMIUM, type Place, type ServiceProgram } from '../startup/program.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aProxy, isInstalled, PROXIES, type RunningProxy } from './proxy.js';

/* Our files for nginx and Caddy, in Debian's nginx and Caddy, before the real service. */

const MEGABYTE = 1_000_000;
const INVOICE = {
  issue: true,
  customer: { name: 'Globex GmbH', country: 'DE' },
  lines: [{ description: 'Work', unit_amount: 100, tax_rate: '0' }],
};

/** Minutes, and a restart that still loses calls: docs/operations.md#ways-to-install. */
const IS_FULL = process.env['TEST_FULL'] === '1';
if (!IS_FULL) process.stderr.write('proxies in front are tried with TEST_FULL=1 only\n');

const tried = new Map(
  await Promise.all(PROXIES.map(async (name) => [name, await isInstalled(name)] as const)),
);
for (const [name, isThere] of tried) {
  if (IS_FULL && !isThere)
    process.stderr.write(`${name} is not installed, so that its file is not tried\n`);
}

/**
 * Before 2.11.2 Caddy closes a body when it cannot connect, and cannot send it again (its issue 7546). It
 * says so, and nothing of it has reached the service.
 */
const CLOSED_BODIES: Partial<Record<string, string>> = { caddy: 'not passed on, as told' };

interface Answered {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: Record<string, unknown>;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The address that it comes from. */
  from?: string;
  agent?: Agent;
}

async function ask(url: string, { body, from, ...asked }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      url,
      {
        method: body === undefined ? 'GET' : 'POST',
        rejectUnauthorized: false,
        localAddress: from,
        ...asked,
        headers: {
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
          }),
          ...asked.headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = String(answer.headers['content-type']).includes('json');
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
          });
        });
      },
    );
    // An answer may come before all of a body has gone, and the connection is closed then.
    request.on('error', (error) => setTimeout(() => reject(error), 500).unref());
    request.end(body);
  });
}

async function guess(url: string, from: string, forged: string): Promise<Answered> {
  return ask(`${url}/v1/auth/token`, {
    from,
    headers: { 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}` },
    body: JSON.stringify({ client_id: 'none', client_secret: 'none' }),
  });
}

describe.each(PROXIES)('behind %s', (name) => {
  describe.runIf(IS_FULL && tried.get(name))('', () => {
    let place: Place;
    let database: TestDatabase;
    let ports: number[];
    let services: ServiceProgram[];
    let proxy: RunningProxy;
    let credentials: { client_id: string; client_secret: string };
    let authorization: string;

    const aService = async (port: number) =>
      place.service({
        ...NO_CHROMIUM,
        PORT: String(port),
        DATABASE_URL: database.url,
        BASE_URL: proxy.url,
        QUITTANCE_DEMO: '1',
        QUITTANCE_TRUST_PROXY: '1',
        QUITTANCE_RATE_LIMIT: '100000',
        QUITTANCE_RATE_BURST: '100000',
        // Longer than a connection of the proxy stays idle, as in production.
        QUITTANCE_DRAIN_DELAY_SECONDS: '5',
      });

    beforeAll(async () => {
      [place, database] = await Promise.all([aPlace(), aDatabase()]);
      // nginx asks the next one at once where Caddy waits, so it has two.
      ports = await Promise.all(name === 'nginx' ? [freePort(), freePort()] : [freePort()]);
      proxy = await aProxy(name, { folder: place.folder, ports });
      services = [];
      for (const port of ports) services.push(await aService(port));
      credentials = await place.demo();
      const { client_id, client_secret } = credentials;
      const body = JSON.stringify({ client_id, client_secret });
      const { body: token } = await ask(`${proxy.url}/v1/auth/token`, { body });
      authorization = `Bearer ${String(token['access_token'])}`;
    });
    afterAll(async () => {
      await proxy.stop();
      await place.remove();
      await database.drop();
    });

    const documents = async (bytes: number) =>
      ask(`${proxy.url}/v1/finance/documents`, {
        headers: { authorization },
        // Space between two names counts as any other byte.
        body: JSON.stringify(INVOICE).padEnd(bytes, ' '),
      });

    it('takes the largest document', async () => {
      const { status, body } = await documents(7.9 * MEGABYTE);
      expect([status, body['status']]).toEqual([201, 'open']);
    });

    it('lets the service say that a body is too large, or says it as the service would', async () => {
      const byService = await documents(8.9 * MEGABYTE);
      expect([byService.status, byService.body['code']]).toEqual([413, 'body_too_large']);
      expect(byService.body['request_id']).toBeDefined();
      const byProxy = await documents(30 * MEGABYTE);
      expect(byProxy.headers['content-type']).toContain('application/problem+json');
      expect([byProxy.status, byProxy.body['code']]).toEqual([413, 'body_too_large']);
      // Caddy counts what passes, and the service may say it first.
      if (name === 'nginx') expect(byProxy.body['request_id']).toBeUndefined();
    });

    it.each(['/metrics', '/metrics/', '/metrics?x=1', '/status', '/status/now', '/%6Detrics'])(
      'has no %s for the outside',
      async (path) => {
        const { status, headers, body } = await ask(proxy.url + path);
        expect(headers['content-type']).toContain('application/problem+json');
        expect([status, body['code']]).toEqual([404, 'route_not_found']);
        // The service has never heard of it.
        expect(body['request_id']).toBeUndefined();
      },
    );

    it('lets the service refuse other paths', async () => {
      const { status, body } = await ask(`${proxy.url}/metricsandmore`);
      expect([status, body['code']]).toEqual([404, 'route_not_found']);
      expect(body['request_id']).toBeDefined();
    });

    it("counts the caller's own address, whatever it says of itself", async () => {
      const codes: unknown[] = [];
      for (let at = 1; at <= 30 * ports.length + 30; at += 1) {
        codes.push((await guess(proxy.url, '127.0.0.2', `198.51.100.${at}`)).body['code']);
      }
      expect(codes.slice(0, 5)).not.toContain('too_many_failures');
      expect(codes).toContain('too_many_failures');
      // Naming the one that is refused harms nobody but the caller.
      const other = await guess(proxy.url, '127.0.0.3', '127.0.0.2');
      expect(other.body['code']).not.toBe('too_many_failures');
    });

    it('makes links that begin as the proxy does, and keeps their tokens out of its logs', async () => {
      const { body } = await documents(0);
      const { body: link } = await ask(
        `${proxy.url}/v1/finance/documents/${String(body['id'])}/portal-tokens`,
        { headers: { authorization }, body: '{}' },
      );
      const url = String(link['url']);
      expect(url.startsWith(`${proxy.url}/`)).toBe(true);
      const page = await ask(url);
      expect(page.status).toBe(200);
      expect(page.text).toContain('Globex');
      const token = url.split('/').at(-1) ?? '';
      expect(token.length).toBeGreaterThan(40);
      expect(await proxy.logs()).not.toContain(token);
    });

    it('speaks HTTP/2', async () => {
      const session = connectHttp2(proxy.url, { rejectUnauthorized: false });
      const stream = session.request({ [constants.HTTP2_HEADER_PATH]: '/livez' });
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      stream.resume();
      session.close();
      expect(headers[':status']).toBe(200);
    });

    it('loses no request while the service is started anew', async () => {
      const { client_id, client_secret } = credentials;
      const answers: string[] = [];
      const over = new AbortController();
      const callers = Array.from({ length: 10 }, async (_, index) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
        while (!over.signal.aborted) {
          const body = JSON.stringify({ client_id, client_secret });
          const asked = index % 2 === 0 ? { agent, body } : { agent };
          const path = index % 2 === 0 ? '/v1/auth/token' : '/v1/openapi.json';
          const { status, text } = await ask(proxy.url + path, asked);
          const isTold = status === 503 && text.includes('urn:quittance:problem:no_answer');
          const known = isTold && asked.body !== undefined ? CLOSED_BODIES[name] : undefined;
          answers.push(status === 200 ? 'ok' : (known ?? `${status} ${text}`));
          await sleep(20);
        }
        agent.destroy();
      });
      for (const [index, port] of ports.entries()) {
        services[index]?.signal('SIGTERM');
        await services[index]?.ended;
        services[index] = await aService(port);
      }
      over.abort();
      await Promise.all(callers);
      expect(answers.length).toBeGreaterThan(20);
      const others = answers.filter((answer) => answer !== 'ok' && answer !== CLOSED_BODIES[name]);
      expect(others).toEqual([]);
      // At most what each of the five was about to send.
      expect(answers.filter((answer) => answer === CLOSED_BODIES[name]).length).toBeLessThan(10);
    });

    it('says when nothing answers, and when to come again, without the path in its logs', async () => {
      const changes: Record<string, string> =
        name === 'caddy' ? { 'lb_try_duration 30s': 'lb_try_duration 1s' } : {};
      const lone = await aProxy(name, { folder: place.folder, ports: [await freePort()], changes });
      try {
        const { status, headers, body } = await ask(`${lone.url}/v1/portal/a-secret-token`);
        expect([status, body['code'], headers['retry-after']]).toEqual([503, 'no_answer', '5']);
        expect(headers['content-type']).toContain('application/problem+json');
        expect(await lone.logs()).not.toContain('a-secret-token');
      } finally {
        await lone.stop();
      }
    });
  });
});
