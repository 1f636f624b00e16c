import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A way to the service that loses an answer: the request arrives, and the connection is cut behind it. */
export class CuttingProxy {
  /** Requests whose answer is lost, from now on. */
  cuts = 0;
  /** How many connections were cut. */
  cut = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async to(service: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(service);
    const server = createServer((near) => {
      const far = connect(Number(port), hostname);
      for (const socket of [near, far]) {
        proxy.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          proxy.sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far);
      far.on('data', (piece) => {
        if (proxy.cuts === 0) {
          near.write(piece);
          return;
        }
        // The service has answered: all was done.
        proxy.cuts -= 1;
        proxy.cut += 1;
        near.destroy();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const proxy = new CuttingProxy(`http://127.0.0.1:${own}`, async () => {
      server.close();
      proxy.breakAll();
      await once(server, 'close');
    });
    return proxy;
  }

  /** All connections that are open, streams too. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
