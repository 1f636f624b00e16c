import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object store, as somebody in front of it makes it look. */
export interface S3Proxy {
  endpoint: string;
  /** Of all calls: passed on, refused with a 503, or never answered. */
  mode: 'pass' | 'refuse' | 'hang';
  /** Methods and paths, as they came. */
  calls: string[];
  /** Bytes of bodies that were sent back. */
  sent: number;
  /** Whether it says how long a body is. */
  tellsLength: boolean;
  /** Before a call is passed on. */
  before: (method: string, path: string) => Promise<void>;
  stop(): Promise<void>;
}

export async function startS3Proxy(target: string): Promise<S3Proxy> {
  const server = createServer((asked, response) => {
    const { method = '', url = '', headers } = asked;
    proxy.calls.push(`${method} ${decodeURIComponent(url)}`);
    if (proxy.mode === 'hang') return;
    if (proxy.mode === 'refuse') {
      asked.resume();
      refuse(response);
      return;
    }
    void proxy.before(method, url).then(() => {
      const passed = request(`${target}${url}`, { method, headers }, (answer) => {
        const { 'content-length': length, ...others } = answer.headers;
        const told = proxy.tellsLength && length !== undefined ? { 'content-length': length } : {};
        response.writeHead(answer.statusCode ?? 502, { ...others, ...told });
        answer.on('data', (chunk: Buffer) => (proxy.sent += chunk.length));
        answer.pipe(response);
        response.on('close', () => answer.destroy());
      });
      passed.on('error', () => refuse(response));
      return asked.pipe(passed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: S3Proxy = {
    endpoint: `http://127.0.0.1:${port}`,
    mode: 'pass',
    calls: [],
    sent: 0,
    tellsLength: true,
    before: async () => undefined,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/xml' });
  response.end('<Error><Code>ServiceUnavailable</Code><Message>down</Message></Error>');
}
