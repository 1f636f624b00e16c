import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadJob, LoadResult } from './load-job.js';

/**
 * The load generator, a process of its own: keep-alive connections that each send the next request
 * when the answer to the last one is complete. It writes and reads HTTP/1.1 itself, because a
 * general client would take as much of the machine as the server under test.
 */
interface Sent {
  bytes: string;
  amountMinor: number;
}

const HEAD_END = '\r\n\r\n';
/** It has no body, whatever its headers say. */
const NOT_MODIFIED = 304;
const LARGEST_AMOUNT_MINOR = 1000;

class Load {
  private readonly latenciesMs: number[] = [];
  private readonly failures: Record<string, number> = {};
  private readonly head: string;
  private accepted = 0;
  private amountMinor = 0;
  private next = 0;
  private startedAt = 0;
  private endsAt = 0;

  constructor(private readonly job: LoadJob) {
    const lines = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.head = `Host: 127.0.0.1:${job.port}\r\n${lines.join('')}`;
  }

  async run(): Promise<LoadResult> {
    const { connections, port, seconds } = this.job;
    const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
    this.startedAt = performance.now();
    this.endsAt = this.startedAt + seconds * 1000;
    await Promise.all(sockets.map((socket) => this.drive(socket)));
    for (const socket of sockets) socket.destroy();
    const sorted = this.latenciesMs.sort((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
    return {
      completed: sorted.length,
      seconds: (this.endsAt - this.startedAt) / 1000,
      accepted: this.accepted,
      amountMinor: this.amountMinor,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      failures: this.failures,
    };
  }

  private async drive(socket: Socket): Promise<void> {
    const reader = new AnswerReader(socket);
    for (;;) {
      const sentAt = performance.now();
      if (sentAt >= this.endsAt) return;
      const request = this.request();
      if (!request) {
        this.endsAt = sentAt;
        return;
      }
      socket.write(request.bytes);
      const { status, body } = await reader.next();
      const now = performance.now();
      if (now <= this.endsAt) this.latenciesMs.push(now - sentAt);
      const { expect } = this.job;
      if (status === expect.status && body.includes(expect.body)) {
        this.accepted += 1;
        this.amountMinor += request.amountMinor;
      } else {
        const failure = `${status} ${body.toString('latin1', 0, 120)}`;
        this.failures[failure] = (this.failures[failure] ?? 0) + 1;
      }
    }
  }

  private request(): Sent | undefined {
    const { kind, paths, inFullMinor } = this.job;
    if (inFullMinor !== undefined) {
      const path = paths[this.next];
      return path === undefined ? undefined : this.payment(path, inFullMinor);
    }
    const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
    if (kind === 'reads') {
      return { bytes: `GET ${path} HTTP/1.1\r\n${this.head}\r\n`, amountMinor: 0 };
    }
    return kind === 'payments' ? this.payment(path, randomAmount()) : this.webhook(path);
  }

  private payment(path: string, amountMinor: number): Sent {
    const key = `${this.job.prefix}-${this.next++}`;
    const body = `{"amount":${amountMinor},"method":"bank_transfer","reference":"${key}"}`;
    return { bytes: this.post(path, `Idempotency-Key: ${key}\r\n`, body), amountMinor };
  }

  /** A Stripe `checkout.session.completed`, as the service's own sample is. */
  private webhook(path: string): Sent | undefined {
    const link = this.job.links[this.next];
    if (link === undefined) return undefined;
    const id = `${this.job.prefix}${this.next++}`;
    const amountMinor = randomAmount();
    const seconds = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({
      id: `evt_${id}`,
      object: 'event',
      created: seconds,
      livemode: false,
      type: 'checkout.session.completed',
      data: {
        object: {
          id: `cs_test_${id}`,
          object: 'checkout.session',
          mode: 'payment',
          status: 'complete',
          payment_status: 'paid',
          payment_intent: `pi_${id}`,
          amount_total: amountMinor,
          currency: 'eur',
          metadata: { payment_link_id: link },
        },
      },
    });
    const mac = createHmac('sha256', this.job.secret).update(`${seconds}.${body}`).digest('hex');
    return {
      bytes: this.post(path, `Stripe-Signature: t=${seconds},v1=${mac}\r\n`, body),
      amountMinor,
    };
  }

  private post(path: string, headerLine: string, body: string): string {
    const length = Buffer.byteLength(body);
    const type = 'Content-Type: application/json\r\n';
    const sized = `${type}Content-Length: ${length}\r\n`;
    return `POST ${path} HTTP/1.1\r\n${this.head}${headerLine}${sized}\r\n${body}`;
  }
}

/** One answer after the other from a connection; each must have a Content-Length. */
class AnswerReader {
  private buffer: Buffer = Buffer.alloc(0);
  private waiting?: {
    resolve: (answer: { status: number; body: Buffer }) => void;
    reject: (error: Error) => void;
  };

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
      this.settle();
    });
    socket.on('close', () => this.waiting?.reject(new Error('the server closed a connection')));
  }

  next(): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  private settle(): void {
    const headEnd = this.buffer.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.buffer.toString('latin1', 0, headEnd);
    const status = Number(head.slice(9, 12));
    const length = status === NOT_MODIFIED ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.waiting?.reject(new Error(`an answer without Content-Length: ${head}`));
      return;
    }
    const bodyStart = headEnd + HEAD_END.length;
    const end = bodyStart + Number(length);
    if (this.buffer.length < end) return;
    const body = this.buffer.subarray(bodyStart, end);
    this.buffer = this.buffer.subarray(end);
    this.waiting?.resolve({ status, body });
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function randomAmount(): number {
  return 1 + Math.floor(Math.random() * LARGEST_AMOUNT_MINOR);
}

process.on('message', (job: LoadJob) => {
  new Load(job).run().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
