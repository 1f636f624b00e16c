import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that came, as it came. */
export interface Received {
  path: string;
  id: string;
  body: string;
  headers: Record<string, string>;
  at: number;
}

type Answers = (call: Received, response: ServerResponse) => unknown;

/** An endpoint of somebody else: a real server that keeps what it gets. */
export class Receiver {
  readonly calls: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param answers what it does with each call; default: 200 */
  static async open(answers: Answers = (_, response) => response.end('ok')): Promise<Receiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        const call = {
          path: request.url ?? '',
          id: headers['webhook-id'] ?? '',
          body: Buffer.concat(chunks).toString(),
          headers,
          at: performance.now(),
        };
        receiver.calls.push(call);
        answers(call, response);
      });
    });
    return receiver;
  }

  get ids(): string[] {
    return this.calls.map(({ id }) => id);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Answers with a code. */
export const answering =
  (code: number, headers: Record<string, string> = {}): Answers =>
  (_, response) =>
    response.writeHead(code, headers).end(`code ${code}`);
