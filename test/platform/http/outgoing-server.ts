import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach } from 'vitest';
import { OutgoingClient } from '../../../src/platform/http/outgoing/outgoing-client.js';

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];
export const PLAIN = { plainHttp: true };
export const BOUNDS = { timeoutMs: 2000, limitBytes: 64 };

export const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    (server as ReturnType<typeof createServer>).closeAllConnections();
    server.close();
  }
});

/** On all addresses of this machine. */
export async function listening(
  answer: RequestListener = (_request, response) => response.end('ok'),
) {
  const server = createServer(answer).listen(0, '::');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let connections = 0;
  server.on('connection', () => (connections += 1));
  return { port, server, connections: () => connections };
}

export const toLoopback = async (_host: string) => ['127.0.0.1'];

/** Every port is open, so that only addresses are in question. */
export function aClient(ranges: string[] = [], lookUp = toLoopback) {
  return new OutgoingClient({ ranges, ports: [[1, 65_535]] }, { lookUp });
}

export const call = (url: string, body = '{}') => ({ url, headers: {}, body });
export const failureOf = async (client: OutgoingClient, url: string) => {
  const { failure } = await client.post(call(url), PLAIN, BOUNDS);
  return failure;
};
