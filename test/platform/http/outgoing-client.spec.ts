import 'reflect-metadata';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { execFile } from 'node:child_process';
import { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OutgoingClient } from '../../../src/platform/http/outgoing/outgoing-client.js';
import { clearMemory } from '../../support/memory.js';
import {
  aClient,
  BOUNDS,
  call,
  listening,
  LOOPBACK,
  PLAIN,
  servers,
  toLoopback,
} from './outgoing-server.js';

const SOURCE_LOADER = new URL('../../support/source-loader.mjs', import.meta.url).href;
describe('a URL that a tenant gives', () => {
  const client = new OutgoingClient({
    ranges: ['10.20.0.0/16'],
    ports: [
      [443, 443],
      [8000, 8999],
    ],
  });
  const refused = (url: string, plainHttp = false) => client.refusalOf(url, { plainHttp }) !== null;

  it.each([
    'https://hooks.example/',
    'https://hooks.example:443/in?a=b#c',
    'https://hooks.example:8443/',
    'https://93.184.215.14/',
    'https://10.20.3.4/',
    'https://[2606:2800:21f:cb07::1]/',
    'https://bücher.example/',
  ])('may be %s', (url) => {
    expect(refused(url)).toBe(false);
    expect(() => client.assertAllowed(url, { plainHttp: false })).not.toThrow();
  });

  it.each([
    'http://hooks.example/',
    'https://hooks.example:80/',
    'https://hooks.example:7999/',
    'https://10.21.0.1/',
    'https://a@hooks.example/',
    `https://hooks.example/${'a'.repeat(2000)}`,
  ])('may not be %s', (url) => {
    expect(refused(url)).toBe(true);
    expect(() => client.assertAllowed(url, { plainHttp: false })).toThrow(
      expect.objectContaining({ code: 'url_not_allowed', errors: [expect.anything()] }),
    );
  });

  it('may be plain where the caller says so', () => {
    expect(refused('http://hooks.example/', true)).toBe(false);
    expect(refused('http://hooks.example:8080/', true)).toBe(false);
    expect(refused('http://hooks.example:22/', true)).toBe(true);
  });
});

describe('a call', () => {
  const client = aClient(LOOPBACK);
  const post = (port: number, bounds = BOUNDS) =>
    client.post(call(`http://127.0.0.1:${port}/in?a=b`, '{"id":1}'), PLAIN, bounds);

  it('sends what it is given, and nothing of its own but the length', async () => {
    const told: unknown[] = [];
    const { port } = await listening(async (request, response) => {
      told.push(request.method, request.url, request.headers, await text(request));
      response.writeHead(202, { 'Retry-After': '7' }).end('taken');
    });
    const url = `http://127.0.0.1:${port}/in?a=b`;
    const headers = { 'Content-Type': 'application/json', 'webhook-id': 'evt_1' };
    const answer = await client.post({ url, headers, body: '{"n":"ü"}' }, PLAIN, BOUNDS);
    expect(told).toEqual([
      'POST',
      '/in?a=b',
      {
        'content-type': 'application/json',
        'webhook-id': 'evt_1',
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'content-length': '10',
      },
      '{"n":"ü"}',
    ]);
    expect(answer).toMatchObject({ failure: null, status: 202, isCut: false });
    expect(answer).toMatchObject({ headers: { retryAfter: '7' }, body: Buffer.from('taken') });
  });

  it('follows no redirect', async () => {
    const other = await listening();
    const { port } = await listening((_request, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/` }).end();
    });
    expect(await post(port)).toMatchObject({ failure: null, status: 307 });
    expect(other.connections()).toBe(0);
  });

  it('asks no proxy of the environment', async () => {
    const proxy = await listening();
    proxy.server.on('connect', (_request, socket) => socket.end('HTTP/1.1 502 No\r\n\r\n'));
    const { port, connections } = await listening();
    const at = `http://127.0.0.1:${proxy.port}`;
    const client = new URL(
      '../../../src/platform/http/outgoing/outgoing-client.ts',
      import.meta.url,
    );
    const script = `
      const { OutgoingClient } = await import(${JSON.stringify(client.href)});
      const url = 'http://127.0.0.1:${port}/';
      await fetch(url).catch(() => {});
      const client = new OutgoingClient({ ranges: ['127.0.0.1'], ports: [[1, 65535]] });
      const call = { url, headers: {}, body: '' };
      const { status } = await client.post(call, { plainHttp: true }, { timeoutMs: 5000, limitBytes: 9 });
      console.log(status);
      process.exit();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', SOURCE_LOADER, '--input-type=module', '--eval', script],
      { env: { HTTP_PROXY: at, http_proxy: at, NODE_USE_ENV_PROXY: '1' } },
    );
    expect(stdout).toBe('200\n');
    expect(connections()).toBe(1);
    // The process's own fetch went there.
    expect(proxy.connections()).toBeGreaterThan(0);
  });

  it('reads no more of an answer than it may', async () => {
    const { port } = await listening(async (_request, response) => {
      while (response.writable && !response.destroyed) {
        if (!response.write('a'.repeat(1000)))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    });
    const answer = await post(port);
    expect(answer).toMatchObject({ failure: null, status: 200, isCut: true });
    expect(answer).toMatchObject({ body: Buffer.from('a'.repeat(64)) });
  });

  it.each<[string, RequestListener]>([
    ['answers nothing', () => {}],
    ['never ends its answer', (_request, response) => void response.write('a')],
    [
      'sends a byte now and then',
      (_request, response) => {
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
    [
      'says again and again that it works on it',
      (_request, response) => {
        const timer = setInterval(() => response.writeProcessing(), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends in time where the other side %s', async (_name, answer) => {
    const { port } = await listening(answer);
    const ended = await post(port, { timeoutMs: 150, limitBytes: 64 });
    expect(ended).toMatchObject({ failure: 'timeout' });
  });

  it('ends in time where name servers answer nothing', async () => {
    const silent = aClient([], async () => new Promise(() => {}));
    const url = 'https://a.example/';
    const ended = await silent.post(call(url), PLAIN, { timeoutMs: 100, limitBytes: 64 });
    expect(ended).toMatchObject({ failure: 'timeout' });
  });

  it('tells what broke', async () => {
    const { port, server } = await listening((request) => request.socket.end('no http\r\n\r\n'));
    expect(await post(port)).toMatchObject({ failure: 'no_http' });
    const url = `https://127.0.0.1:${port}/`;
    expect(await client.post(call(url), PLAIN, BOUNDS)).toMatchObject({ failure: 'tls' });
    server.close();
    expect(await post(port)).toMatchObject({ failure: 'connection', detail: 'ECONNREFUSED' });
    const cut = await listening((_request, response) => {
      response.writeHead(200, { 'Content-Length': '50' }).write('half');
      response.socket?.end();
    });
    expect(await post(cut.port)).toMatchObject({ failure: 'connection' });
  });

  it('keeps its connection, and takes another where the kept one was just closed', async () => {
    let isRestarted = false;
    const { port, connections } = await listening((request, response) => {
      if (!isRestarted) return response.end('ok');
      // The other side closes without a word, as one that was restarted.
      isRestarted = false;
      return request.socket.destroy();
    });
    for (let n = 0; n < 3; n += 1) expect(await post(port)).toMatchObject({ status: 200 });
    expect(connections()).toBe(1);
    isRestarted = true;
    expect(await post(port)).toMatchObject({ status: 200 });
    expect(connections()).toBe(2);
  });

  it('is not made again where a new connection is closed without a word', async () => {
    const { port, connections } = await listening((request) => request.socket.destroy());
    expect(await post(port)).toMatchObject({ failure: 'connection', detail: 'ECONNRESET' });
    expect(connections()).toBe(1);
  });
});

describe('a call by TLS', () => {
  it('is made only to who has a certificate of that name, whatever the environment says', async () => {
    const { ca, key } = await aCertificateOf('hooks.example');
    const server = createTlsServer({ key, cert: ca }, (_request, response) => response.end('ok'));
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const config = { ranges: LOOPBACK, ports: [[port, port]] } as const;
    const post = async (host: string, means: object) => {
      const client = new OutgoingClient(config, { lookUp: toLoopback, ...means });
      return client.post(call(`https://${host}:${port}/`), { plainHttp: false }, BOUNDS);
    };
    expect(await post('hooks.example', { ca })).toMatchObject({ failure: null, status: 200 });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post('hooks.example', {})).toMatchObject({ failure: 'tls' });
      expect(await post('other.example', { ca })).toMatchObject({ failure: 'tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

async function aCertificateOf(host: string) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { ca: certificate.toString('pem'), key };
}

describe('a fetch for the operator', () => {
  const client = aClient();

  it('trusts the hosts of its bases, by name and port, and no others', async () => {
    const { port } = await listening(async (request, response) => {
      const sent = `${request.method} ${await text(request)}`;
      response.writeHead(201, { 'X-Two': ['a', 'b'] }).end(sent);
    });
    const other = await listening();
    const fetch = client.fetchFor([`http://127.0.0.1:${port}/api`]);
    const answer = await fetch(`http://127.0.0.1:${port}/x`, { method: 'PATCH', body: 'ü' });
    expect([answer.status, answer.headers.get('x-two'), await answer.text()]).toEqual([
      201,
      'a, b',
      'PATCH ü',
    ]);
    await expect(fetch(`http://127.0.0.1:${other.port}/`)).rejects.toThrow(TypeError);
    await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow(TypeError);
    await expect(fetch(`https://localhost:${port}/`)).rejects.toThrow('may not be called');
    expect(other.connections()).toBe(0);
  });

  it('follows no redirect, whatever it is told, and ends when it is told', async () => {
    const other = await listening();
    const { port } = await listening((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(302, { Location: `http://127.0.0.1:${other.port}/` }).end();
    });
    const base = `http://127.0.0.1:${port}`;
    const fetch = client.fetchFor([base, `http://127.0.0.1:${other.port}`]);
    expect((await fetch(base, { redirect: 'follow' })).status).toBe(302);
    expect(other.connections()).toBe(0);
    const signal = AbortSignal.timeout(50);
    await expect(fetch(`${base}/slow`, { signal })).rejects.toThrow();
    expect(signal.aborted).toBe(true);
  });

  it.each([
    ['/slow', false],
    ['/slow', true],
    ['/begun', false],
    ['/begun', true],
  ])(
    'ends %s by its signal also when memory is cleared up (in a Request: %s)',
    async (path, inside) => {
      const { port } = await listening((request, response) => {
        if (request.url === '/begun') response.writeHead(200).write('begun');
      });
      const base = `http://127.0.0.1:${port}`;
      const init = { signal: AbortSignal.timeout(400) };
      const url = `${base}${path}`;
      const fetch = client.fetchFor([base]);
      const ended = (inside ? fetch(new Request(url, init)) : fetch(url, init))
        .then(async (answer) => answer.text())
        .then(
          () => 'answered',
          (error: Error) => error.name,
        );
      for (let round = 0; round < 3; round += 1) {
        await sleep(50);
        clearMemory();
      }
      expect(await Promise.race([ended, sleep(3000, 'goes on')])).toMatch(/Error$/);
    },
  );

  it.each([
    ['GET', 3],
    ['POST', 2],
    ['DELETE', 2],
  ])(
    'repeats a %s of which nobody knows whether it arrived only where that does no harm',
    async (method, times) => {
      let calls = 0;
      const { port } = await listening((request, response) => {
        calls += 1;
        if (calls === 2) request.socket.destroy();
        else response.end('ok');
      });
      const base = `http://127.0.0.1:${port}`;
      const fetch = client.fetchFor([base]);
      await (await fetch(base)).text();
      const second = await fetch(base, { method }).then(
        ({ status }) => status,
        () => 'failed',
      );
      expect([second, calls]).toEqual([times === 3 ? 200 : 'failed', times]);
    },
  );

  it('gives an answer up that has a status of its own invention', async () => {
    const { port } = await listening((request) => {
      request.socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n');
    });
    const base = `http://127.0.0.1:${port}`;
    await expect(client.fetchFor([base])(base)).rejects.toThrow('999 is no status');
  });

  it.each([204, 304])('has an answer of %i', async (status) => {
    const { port } = await listening((_request, response) => response.writeHead(status).end());
    const base = `http://127.0.0.1:${port}`;
    expect((await client.fetchFor([base])(base)).status).toBe(status);
  });
});
