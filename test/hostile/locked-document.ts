import { Agent, request as httpRequest } from 'node:http';
import pg from 'pg';
import { uuidOf } from '../../src/kernel/ids.js';
import { call } from '../support/http.js';

/** A client of an account. */
export interface Payer {
  client_id: string;
  client_secret: string;
}

export interface LockedWish {
  url: string;
  /** Of a role that may lock documents. */
  databaseUrl: string;
  flooder: Payer;
  other: Payer;
  seconds: number;
}

export interface LockedReport {
  seconds: number;
  /** Payments of the other account in these seconds: by itself, and beside the flood. */
  alone: number;
  beside: number;
  /** By status and code. */
  answersOfFlooder: Map<string, number>;
  answersOfOther: Map<string, number>;
  longestWaitMs: { flooder: number; other: number };
  /** The answers that are not as documented. */
  wrong: string[];
}

const FLOODERS = 100;
const OTHERS = 20;
/** A busy machine takes a part; without shares, one in fifty payments was left. */
const LARGEST_FALL = 4;
/** Of the time beside the flood: a rate without trouble is told sooner. */
const ALONE_SHARE = 0.4;
/** The answers to a caller that waits for a document that somebody else holds. */
const BUSY = new Set(['409 document_busy', '503 database_busy']);

/**
 * One document is locked, and a hundred callers of its account pay it again and again. Twenty of
 * another account pay documents of their own: one account's trouble must not be the other's.
 */
export async function floodOneLockedDocument(wish: LockedWish): Promise<LockedReport> {
  const [flooder, other] = await Promise.all([
    Caller.of(wish.url, wish.flooder),
    Caller.of(wish.url, wish.other),
  ]);
  const hot = await flooder.anInvoice();
  const own: string[] = [];
  for (let one = 0; one < OTHERS; one += 1) own.push(await other.anInvoice());
  const payOwn = (untilMs: number) =>
    Promise.all(own.map((id) => other.payUntil(untilMs, id))).then(() => other.recorded);
  const before = await payOwn(Date.now() + wish.seconds * ALONE_SHARE * 1000);
  const alone = Math.round(before / ALONE_SHARE);

  const lock = new pg.Client(wish.databaseUrl);
  await lock.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT FROM documents WHERE document_id = $1 FOR UPDATE', [uuidOf('doc', hot)]);
  const untilMs = Date.now() + wish.seconds * 1000;
  const flood = Array.from({ length: FLOODERS }, () => flooder.payUntil(untilMs, hot));
  const beside = (await payOwn(untilMs)) - before;
  await lock.query('COMMIT');
  await lock.end();
  await Promise.all(flood);
  const paid = await flooder.amountPaid(hot);
  flooder.end();
  other.end();
  return {
    seconds: wish.seconds,
    alone,
    beside,
    answersOfFlooder: flooder.answers,
    answersOfOther: other.answers,
    longestWaitMs: { flooder: flooder.longestMs, other: other.longestMs },
    wrong: [
      ...flooder.unexpected,
      ...other.unexpected,
      ...[...other.answers.keys()].filter((answer) => answer !== '201'),
      ...(beside * LARGEST_FALL < alone ? [`${alone} payments fell to ${beside}`] : []),
      ...(paid === flooder.recorded ? [] : [`${paid} paid, ${flooder.recorded} acknowledged`]),
    ],
  };
}

/** Many callers of one account, each with a connection of its own. */
class Caller {
  readonly answers = new Map<string, number>();
  readonly unexpected = new Set<string>();
  longestMs = 0;
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async of(url: string, { client_id, client_secret }: Payer): Promise<Caller> {
    const { body, text } = await call<{ access_token?: string }>(`${url}/v1/auth/token`, {
      method: 'POST',
      body: { client_id, client_secret },
    });
    if (!body.access_token) throw new Error(`no token: ${text}`);
    return new Caller(url, body.access_token);
  }

  get recorded(): number {
    return this.answers.get('201') ?? 0;
  }

  async anInvoice(): Promise<string> {
    const answer = await call<{ id?: string }>(`${this.url}/v1/finance/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}` },
      body: {
        currency: 'EUR',
        customer: { name: 'Who pays a lot' },
        lines: [{ description: 'All of it', unit_amount: 1_000_000_000, tax_rate: '0' }],
        issue: true,
      },
    });
    if (!answer.body.id) throw new Error(`no invoice: ${answer.text}`);
    return answer.body.id;
  }

  async amountPaid(id: string): Promise<number | undefined> {
    const { body } = await call<{ amount_paid?: number }>(
      `${this.url}/v1/finance/documents/${id}`,
      { headers: { authorization: `Bearer ${this.token}` } },
    );
    return body.amount_paid;
  }

  async payUntil(untilMs: number, id: string): Promise<void> {
    while (Date.now() < untilMs) {
      const sentMs = performance.now();
      const { status, retryAfter, code } = await this.pay(id);
      this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - sentMs));
      const answer = status === 201 ? '201' : `${status} ${code}`;
      this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
      const isExpected = status === 201 || (BUSY.has(answer) && retryAfter !== undefined);
      if (!isExpected) this.unexpected.add(answer);
    }
  }

  end(): void {
    this.agent.destroy();
  }

  private pay(id: string): Promise<{ status: number; retryAfter?: string; code: string }> {
    return new Promise((resolve) => {
      const request = httpRequest(`${this.url}/v1/finance/documents/${id}/payments`, {
        agent: this.agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': 'application/json',
        },
      });
      request.once('error', (error: NodeJS.ErrnoException) =>
        resolve({ status: 0, code: error.code ?? 'broken' }),
      );
      request.once('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.once('end', () => {
          const { code = '' } = (status === 201 ? {} : JSON.parse(text)) as { code?: string };
          resolve({
            status,
            code,
            ...(headers['retry-after'] && { retryAfter: headers['retry-after'] }),
          });
        });
      });
      request.end('{"amount":1,"method":"bank_transfer"}');
    });
  }
}
