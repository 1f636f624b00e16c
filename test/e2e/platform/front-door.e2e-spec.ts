import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodiesInFlight } from '../../../src/platform/http/body/bodies-in-flight.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Each caller is judged before a body is read: seen over raw sockets.

const DOCUMENTS = '/v1/finance/documents';
const REJECT = '/v1/portal/x/reject';
const MB = 1_048_576;

interface Raw {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** A request of which we decide byte by byte how much is sent. */
class Upload {
  private received = '';

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString()));
    socket.on('error', () => undefined);
  }

  static async begin(url: string, path: string, headers: Record<string, string | number>) {
    const { hostname: host, port } = new URL(url);
    const socket = connect(Number(port), host);
    await once(socket, 'connect');
    const upload = new Upload(socket);
    upload.begin(path, headers);
    return upload;
  }

  begin(path: string, headers: Record<string, string | number>, method = 'POST'): void {
    this.received = '';
    const all = { Host: 'localhost', 'Content-Type': 'application/json', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    this.send(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** The answer, as soon as all of it is here. */
  async answer(): Promise<Raw> {
    for (;;) {
      const [head = '', body] = this.received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity);
      if (body !== undefined && Buffer.byteLength(body) >= length) {
        const [first = '', ...lines] = head.split('\r\n');
        return {
          status: Number(first.split(' ')[1]),
          headers: new Headers(lines.map((line) => line.split(': ', 2) as [string, string])),
          body: JSON.parse(body) as Record<string, unknown>,
        };
      }
      await once(this.socket, 'data');
    }
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService({
    bodiesInFlightBytes: 8 * MB,
    documentBodyLimitBytes: 2 * MB,
  });
  client = await service.aClient();
  await client.bearer();
});
afterAll(() => service.close());

describe('a body that was never sent', () => {
  it.each<[string, string, Record<string, string>, number, string]>([
    ['without a token', DOCUMENTS, {}, 401, 'missing_token'],
    ['with a bad one', DOCUMENTS, { Authorization: 'Bearer x' }, 401, 'invalid_token'],
    ['to an unknown path', '/v1/nowhere', {}, 404, 'route_not_found'],
    ['with the wrong method', '/livez', {}, 405, 'method_not_allowed'],
    ['of another type', REJECT, { 'Content-Type': 'text/csv' }, 415, 'unsupported_media_type'],
    ['that is packed', REJECT, { 'Content-Encoding': 'gzip' }, 415, 'unsupported_encoding'],
    ['that is too large', REJECT, {}, 413, 'body_too_large'],
  ])('does not keep its answer: %s', async (_, path, headers, status, code) => {
    const upload = await Upload.begin(service.url, path, {
      'Content-Length': 1_900_000,
      ...headers,
    });
    const answer = await upload.answer();
    expectProblem(answer, status, code);
    expect(answer.headers.get('connection')).toBe('close');
    upload.socket.end();
    await upload.closed();
  });

  it('is not asked for where it is not wanted', async () => {
    const headers = { Expect: '100-continue', 'Content-Length': 2 };
    const refused = await Upload.begin(service.url, DOCUMENTS, headers);
    expectProblem(await refused.answer(), 401, 'missing_token');
    const Authorization = `Bearer ${await client.bearer()}`;
    const wanted = await Upload.begin(service.url, DOCUMENTS, { ...headers, Authorization });
    const [first] = (await once(wanted.socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    wanted.socket.destroy();
  });
});

describe('a refused upload', () => {
  it('is not read to its end, and its client still gets the answer', async () => {
    const upload = await Upload.begin(service.url, DOCUMENTS, { 'Transfer-Encoding': 'chunked' });
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let sent = 0; sent < 40; sent += 1) upload.send(chunk);
    expectProblem(await upload.answer(), 401, 'missing_token');
    // Without end: the service ends it.
    const endless = setInterval(() => upload.send(chunk), 5);
    await upload.closed();
    clearInterval(endless);
    expect(upload.socket.bytesRead).toBeLessThan(2000);
  });

  it('that is small keeps its connection', async () => {
    const upload = await Upload.begin(service.url, DOCUMENTS, { 'Content-Length': 2 });
    const answer = await upload.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
    upload.socket.destroy();
  });

  it('that was read to its end keeps its connection, too', async () => {
    const Authorization = `Bearer ${await client.bearer()}`;
    const headers = { Authorization, 'Content-Length': 100_000 };
    const upload = await Upload.begin(service.url, DOCUMENTS, headers);
    upload.send(`{"notes":"${'x'.repeat(99_988)}"}`);
    const answer = await upload.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([422, null]);
    upload.begin('/livez', {}, 'GET');
    expect((await upload.answer()).status).toBe(200);
    upload.socket.destroy();
  });
});

describe('headers', () => {
  it('are refused above 16 KB, as a problem', async () => {
    const upload = await Upload.begin(service.url, '/livez', { 'X-Long': 'x'.repeat(20_000) });
    const { status, headers, body } = await upload.answer();
    expect([status, body['code']]).toEqual([431, 'headers_too_large']);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it.each([
    ['Authorization', 'Bearer ', 401],
    ['If-Match', '', 401],
    ['Idempotency-Key', '', 401],
    ['X-Request-Id', '', 401],
  ])('are never sent back at length: %s', async (name, prefix, status) => {
    const headers = { [name]: prefix + 'y'.repeat(12_000) };
    const answer = await service.call(DOCUMENTS, { method: 'POST', headers });
    expect([answer.status, answer.text.includes('yyyyyyyy')]).toEqual([status, false]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('and paths neither', async () => {
    const answer = await service.call(`/v1/${'y'.repeat(12_000)}?${'z'.repeat(2000)}=1`);
    expectProblem(answer, 404, 'route_not_found');
    expect(answer.bytes.length).toBeLessThan(2000);
    const query = await client.get(`${DOCUMENTS}?${'z'.repeat(8000)}=1`);
    expectProblem(query, 400, 'invalid_query');
    expect(query.bytes.length).toBeLessThan(2000);
  });
});

const bearer = async (of: TestClient) => ({ Authorization: `Bearer ${await of.bearer()}` });

const held = () => service.app.get(BodiesInFlight).bytes;

/** Begun, and known to be counted. */
async function promised(headers: Record<string, string>, bytes = 2 * MB): Promise<Upload> {
  const before = held();
  const all = { 'Content-Length': bytes, ...headers };
  const upload = await Upload.begin(service.url, DOCUMENTS, all);
  while (held() < before + bytes) await new Promise(setImmediate);
  return upload;
}

describe('bodies in flight', () => {
  it('are bounded for each client, and for all', async () => {
    const a = await bearer(client);
    const b = await bearer(await service.aClient());
    const c = await bearer(await service.aClient());
    const d = await bearer(await service.aClient());
    const e = await bearer(await service.aClient());
    const uploads = [await promised(a)];
    const over = await Upload.begin(service.url, DOCUMENTS, { 'Content-Length': 10, ...a });
    const answer = await over.answer();
    expectProblem(answer, 503, 'too_many_bodies');
    expect(answer.headers.get('retry-after')).toBe('1');
    uploads.push(await promised(b), await promised(c));
    expect(held()).toBe(6 * MB);
    const stranger = await Upload.begin(service.url, '/v1/auth/token', { 'Content-Length': 10 });
    stranger.send('{"a":"bc"}');
    expect((await stranger.answer()).status).toBe(400);
    uploads.push(await promised(d));
    const full = await Upload.begin(service.url, DOCUMENTS, { 'Content-Length': 10, ...e });
    expectProblem(await full.answer(), 503, 'too_many_bodies');
    // A caller that goes gives back what it held.
    for (const { socket } of uploads) socket.destroy();
    while (held() > 0) await new Promise(setImmediate);
    expect((await client.anInvoice()).status).toBe('open');
    while (held() > 0) await new Promise(setImmediate);
  });

  it('leave room for who is known, however much strangers send', async () => {
    const uploads: Upload[] = [];
    // Each promises what a webhook may have; an address has a quarter, all addresses have half.
    for (let count = 0; count < 8; count += 1) {
      const before = held();
      const headers = { 'Content-Length': 262_144 };
      uploads.push(await Upload.begin(service.url, '/v1/webhooks/gateway-a', headers));
      while (held() === before) await new Promise(setImmediate);
    }
    const over = await Upload.begin(service.url, REJECT, { 'Content-Length': 2 });
    expectProblem(await over.answer(), 503, 'too_many_bodies');
    expect((await client.anInvoice()).status).toBe('open');
    for (const { socket } of uploads) socket.destroy();
    while (held() > 0) await new Promise(setImmediate);
  });

  it('are counted as they come where nothing is promised', async () => {
    const Authorization = `Bearer ${await client.bearer()}`;
    const headers = { Authorization, 'Transfer-Encoding': 'chunked' };
    const one = await Upload.begin(service.url, DOCUMENTS, headers);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    for (let sent = 0; sent < 20; sent += 1) one.send(chunk);
    while (held() < 20 * 65_536) await new Promise(setImmediate);
    const other = await Upload.begin(service.url, DOCUMENTS, headers);
    for (let sent = 0; sent < 20; sent += 1) other.send(chunk);
    expectProblem(await other.answer(), 503, 'too_many_bodies');
    one.socket.destroy();
    other.socket.destroy();
    while (held() > 0) await new Promise(setImmediate);
  });
});
