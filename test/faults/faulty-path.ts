import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The path's treatment of bytes. `open` lets them pass. `late` keeps them, in both directions,
 * until it is open again. `silent` lets them vanish, and the connections that were open then stay
 * silent for good. `cut` breaks connections around COMMIT: before it reaches the server, or when
 * the server has answered it and nobody has heard.
 */
type Mode = 'open' | 'late' | 'silent' | 'cut';

const COMMIT = Buffer.from('COMMIT\0');
/** One COMMIT in so many is cut. */
const ONE_IN = 20;

/** A path to PostgreSQL on the loopback that can be made to fail. */
export class FaultyPath {
  private current: Mode = 'open';
  private readonly held: (() => void)[] = [];
  /** Connections that were there while the path was silent are of an earlier one. */
  private generation = 0;
  private readonly sockets = new Set<Socket>();
  private commits = 0;
  /** COMMITs that did not reach the server, and those whose answer did not come back. */
  readonly cuts = { before: 0, after: 0 };

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {}

  static async to(target: string): Promise<FaultyPath> {
    const server = createServer({ allowHalfOpen: true });
    const path = new FaultyPath(new URL(target), server);
    server.on('connection', (socket) => path.carry(socket));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return path;
  }

  /** The database by this path. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  set(mode: Mode): void {
    if (this.current === 'silent') this.generation += 1;
    this.current = mode;
    if (mode === 'late') return;
    for (const pass of this.held.splice(0)) pass();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private carry(client: Socket): void {
    const upstream = connect(Number(this.target.port || 5432), this.target.hostname);
    const { generation } = this;
    const pass = (step: () => void) => {
      if (this.current === 'silent' || generation !== this.generation) return;
      if (this.current === 'late') this.held.push(step);
      else step();
    };
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    let isAnswerLost = false;
    client.on('data', (bytes) => {
      pass(() => {
        const fault = this.current === 'cut' && bytes.includes(COMMIT) ? this.nextCut() : null;
        if (fault === 'before') return cut();
        if (fault === 'after') isAnswerLost = true;
        return upstream.write(bytes);
      });
    });
    upstream.on('data', (bytes) => {
      pass(() => (isAnswerLost ? cut() : client.write(bytes)));
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('end', () => pass(() => to.end()));
      from.on('close', () => {
        this.sockets.delete(from);
        pass(() => to.destroy());
      });
    }
  }

  private nextCut(): 'before' | 'after' | null {
    this.commits += 1;
    if (this.commits % ONE_IN !== 0) return null;
    const fault = (this.commits / ONE_IN) % 2 === 0 ? 'before' : 'after';
    this.cuts[fault] += 1;
    return fault;
  }
}
