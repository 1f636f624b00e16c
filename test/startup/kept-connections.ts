import { Agent, get, type IncomingMessage } from 'node:http';

/** Answers that need no database, and some that do. */
const PATHS = ['/livez', '/readyz', `/v1/portal/${'A'.repeat(43)}`];

/** One connection that is kept; what it was answered, and whether that was the last of it. */
export class KeptConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  statuses: number[] = [];
  isLast = false;

  constructor(private readonly url: string) {}

  async ask(path = '/livez'): Promise<void> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${this.url}${path}`, { agent: this.agent }, resolve).on('error', reject);
    });
    for await (const part of answer) void part;
    this.statuses.push(answer.statusCode ?? 0);
    this.isLast = answer.headers.connection === 'close';
  }

  async askUntilTold(): Promise<void> {
    while (!this.isLast) await this.ask();
  }
}

/** Clients that ask and ask, over connections that they keep as long as they may. */
export function aLoadOn({ url }: { url: string }, clients = 60): { failures: Promise<string[]> } {
  const all = Array.from({ length: clients }, async (_, index) => {
    const connection = new KeptConnection(url);
    for (let asked = index; ; asked += 1) {
      try {
        await connection.ask(PATHS[asked % PATHS.length]);
      } catch (error) {
        const { code } = error as { code?: string };
        // Nothing was sent: a balancer goes elsewhere.
        return code === 'ECONNREFUSED' ? [] : [String(error)];
      }
    }
  });
  return { failures: Promise.all(all).then((each) => each.flat()) };
}
