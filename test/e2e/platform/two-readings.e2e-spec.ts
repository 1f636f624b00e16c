import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// Requests that a proxy may read otherwise than the service are refused: over raw sockets.

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** All that comes back until the service closes the connection. */
async function sent(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  await once(socket, 'close');
  return received;
}

function answerIn(received: string) {
  const [head = '', body = ''] = received.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status, headers, body: (body ? JSON.parse(body) : {}) as Record<string, unknown> };
}

const BODY = '2\r\n{}\r\n0\r\n\r\n';
const SECOND = 'GET /livez HTTP/1.1\r\nHost: b\r\n\r\n';

describe('a request that can be read in two ways', () => {
  it.each<[string, string]>([
    ['two hosts', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['the same host twice', 'GET /livez HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    [
      'two hosts before a body',
      'POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 2\r\n\r\n{}',
    ],
    ['two hosts of HTTP/1.0', 'GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n'],
    ...[
      'Transfer-Encoding: gzip, chunked',
      'Transfer-Encoding: chunked, chunked',
      'Transfer-Encoding: identity, chunked',
      'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: chunked, gzip',
      'Transfer-Encoding: gzip',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked\r\nContent-Length: 5',
    ].map((coding): [string, string] => [
      coding,
      `POST /v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${coding}\r\n\r\n${BODY}`,
    ]),
  ])('is refused, and nothing behind it is answered: %s', async (_, request) => {
    const received = await sent(request + SECOND);
    const { status, headers, body } = answerIn(received);
    expect([status, body['code']]).toEqual([400, 'malformed_request']);
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('content-type')).toMatch(/^application\/(problem\+)?json/);
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('is told as any other refusal', async () => {
    const request = 'GET /v1/finance/documents HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n';
    expectProblem(answerIn(await sent(request)), 400, 'malformed_request');
  });

  it.each<[string, string]>([
    ['one host', 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['no host of HTTP/1.0', 'GET /livez HTTP/1.0\r\n\r\n'],
    [
      'chunked',
      `GET /livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${BODY}`,
    ],
    [
      'Chunked',
      `GET /livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n${BODY}`,
    ],
  ])('is not one with %s', async (_, request) => {
    expect(answerIn(await sent(request)).status).toBe(200);
  });
});
