import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** A provider's host that has nothing, and another address that nobody may call. */
export class HostWatch {
  /** Connections to anywhere but the provider's own host. */
  connections = 0;
  /** Addresses that were asked for. */
  asked: string[] = [];

  private constructor(
    readonly base: string,
    /** Of the address that nobody may call. */
    readonly elsewhere: number,
    private readonly servers: readonly Server[],
  ) {}

  /** @param host the provider's own, if no setting names it; absent: a server on the loopback */
  static async open(host?: string): Promise<HostWatch> {
    const own = createHttpServer((_request, response) => response.writeHead(404).end('{}'));
    const socket = createServer((one) => {
      watch.connections += 1;
      one.destroy();
    });
    const base = host ?? `http://127.0.0.1:${await listening(own)}`;
    const watch = new HostWatch(base, await listening(socket), [own, socket]);
    return watch;
  }

  /** The loopback is really called; of any other host only the provider's answers. */
  readonly fetch = (async (url: string | URL, init?: RequestInit) => {
    this.asked.push(String(url));
    if (new URL(url).hostname === '127.0.0.1') return globalThis.fetch(url, init);
    if (String(url).startsWith(`${this.base}/`)) return new Response('{}', { status: 404 });
    throw new TypeError('there is no network in this check');
  }) as typeof globalThis.fetch;

  /** Of all that was asked, all that is not at the provider's own host, or not at the path that it says. */
  strayed(): string[] {
    const wrong = this.asked.filter((text) => {
      const { href, username, hash, pathname } = new URL(text);
      const isOwn =
        text.startsWith(`${this.base}/`) && href === text && username === '' && hash === '';
      return !isOwn || /%2f|%5c|%2e/i.test(pathname);
    });
    return [...new Set(wrong)];
  }

  async close(): Promise<void> {
    await Promise.all(
      this.servers.map(async (server) => {
        if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
        server.close();
        if (server.listening) await once(server, 'close');
      }),
    );
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
