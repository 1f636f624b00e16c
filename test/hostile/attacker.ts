import { Agent, request as httpRequest } from 'node:http';
import { PROBLEMS } from '../support/problems.js';
import { AT_WEBHOOKS } from '../../src/platform/http/request-refusals.js';

/** One request as it goes over the wire; headers may stand twice. */
export interface Shot {
  operation: string;
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body?: Buffer;
  /** The status of a refused signature, where a provider wants its own. */
  refusal?: number;
}

export interface Hit {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  bytes: number;
}

const LARGEST_REFUSAL_BYTES = 65_536;
const ANSWER_WITHIN_MS = 120_000;
const MOST_EXAMPLES = 3;
/** OAuth's own words, of codes that are not in the catalog. */
const OAUTH_TYPE = /^application\/json/;
/** Words that only our code, its libraries or the database would say. */
const LEAKS = [
  /\n\s+at [\w.<>]+ \(/,
  /node_modules|\.[jt]s:\d+/,
  /\b(SELECT|INSERT INTO|UPDATE) .* (FROM|VALUES|SET)\b/,
  /relation "|syntax error at|violates \w+ constraint/,
  /\b(TypeError|RangeError|SyntaxError|QueryFailedError|DomainError|HttpProblem)\b/,
];

/** Sends what is hostile and keeps count of what came back. */
export class Attacker {
  /** By operation, then by status. */
  readonly answers = new Map<string, Map<string, number>>();
  /** Examples by what is wrong with them. */
  readonly unexpected = new Map<string, { count: number; examples: string[] }>();
  largestBytes = 0;
  largestRefusalBytes = 0;
  sent = 0;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(private readonly url: string) {}

  /** All of them, so many at once. */
  async fire(shots: Iterable<Shot> | AsyncIterable<Shot>, atOnce = 16): Promise<void> {
    const iterator =
      Symbol.asyncIterator in shots ? shots[Symbol.asyncIterator]() : shots[Symbol.iterator]();
    const worker = async () => {
      for (;;) {
        const { done, value } = await iterator.next();
        if (done) return;
        await this.shoot(value);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /** @param mustRefuse an answer below 400 is unexpected */
  async shoot(shot: Shot, { mustRefuse = false } = {}): Promise<Hit | undefined> {
    this.sent += 1;
    try {
      const hit = await this.exchange(shot);
      this.judge(shot, hit, mustRefuse);
      return hit;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.count(shot.operation, code ?? 'broken');
      // A caller refused before the body is read may find the connection ended while sending.
      const isWhileSending = code === 'EPIPE' || code === 'ECONNRESET';
      if (!isWhileSending || (shot.body?.length ?? 0) < 1_000) {
        this.note(`no answer: ${code ?? message}`, shot, '');
      }
      return undefined;
    }
  }

  note(what: string, shot: Shot, answer: string): void {
    const known = this.unexpected.get(what) ?? { count: 0, examples: [] };
    this.unexpected.set(what, known);
    known.count += 1;
    if (known.examples.length >= MOST_EXAMPLES) return;
    const headers = shot.headers
      .filter(([name]) => !/^authorization$/i.test(name))
      .map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
    const body = shot.body ? `${shot.body.length} B ${shot.body.subarray(0, 300).toString()}` : '-';
    known.examples.push(
      `${shot.operation}: ${shot.method} ${shot.path.slice(0, 300)} [${headers.join('; ')}] ` +
        `${JSON.stringify(body)} -> ${answer.slice(0, 400)}`,
    );
  }

  end(): void {
    this.agent.destroy();
  }

  private judge(shot: Shot, hit: Hit, mustRefuse: boolean): void {
    const { status, headers, text, bytes } = hit;
    const answer = `${status} ${text}`;
    this.count(shot.operation, String(status));
    this.largestBytes = Math.max(this.largestBytes, bytes);
    if (mustRefuse && status < 400) this.note(`answered ${status}`, shot, answer);
    const isUnavailable = status === 503 && headers['retry-after'] !== undefined;
    if (status >= 500 && !isUnavailable) this.note(`status ${status}`, shot, answer);
    if (status < 400) return;
    this.largestRefusalBytes = Math.max(this.largestRefusalBytes, bytes);
    if (bytes > LARGEST_REFUSAL_BYTES) this.note('a refusal above 64 KB', shot, `${bytes} B`);
    if (shot.method === 'HEAD') return;
    for (const leak of LEAKS) if (leak.test(text)) this.note(`leak ${leak.source}`, shot, answer);
    const type = String(headers['content-type'] ?? '');
    const acceptsHtml = shot.headers.some(
      ([name, value]) => /^accept$/i.test(name) && /html/.test(value),
    );
    if (acceptsHtml && type.startsWith('text/html')) return;
    const isOAuth = /^\/v1\/auth\//i.test(shot.path) && OAUTH_TYPE.test(type);
    if (!isOAuth && !type.startsWith('application/problem+json')) {
      this.note(`a refusal as ${type || 'nothing'}`, shot, answer);
      return;
    }
    const { code = '', error } = parsed(text);
    if (isOAuth && typeof error !== 'string') this.note('OAuth without error', shot, answer);
    const [expected] = PROBLEMS[code] ?? [];
    if (expected === undefined) this.note(`code "${code}" is not in the catalog`, shot, answer);
    else if (![expected, shot.refusal, AT_WEBHOOKS[code]].includes(status))
      this.note(`${code} with ${status}`, shot, answer);
  }

  private count(operation: string, status: string): void {
    const of = this.answers.get(operation) ?? new Map<string, number>();
    this.answers.set(operation, of.set(status, (of.get(status) ?? 0) + 1));
  }

  private async exchange({ method, path, headers, body }: Shot): Promise<Hit> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.url);
      const length: [string, string][] = body ? [['Content-Length', String(body.length)]] : [];
      const request = httpRequest({
        agent: this.agent,
        hostname,
        port,
        method,
        path,
        setHost: false,
        headers: [['Host', `${hostname}:${port}`], ...length, ...headers].flat(),
      });
      request.setTimeout(ANSWER_WITHIN_MS, () => request.destroy(new Error('timed out')));
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const bytes = Buffer.concat(chunks);
          const status = response.statusCode ?? 0;
          resolve({
            status,
            headers: response.headers,
            bytes: bytes.length,
            // An answer that is no refusal is only measured.
            text: status < 400 ? bytes.subarray(0, 100_000).toString() : bytes.toString(),
          });
        });
      });
      request.end(body);
    });
  }
}

function parsed(text: string): { code?: string; error?: unknown } {
  try {
    return JSON.parse(text) as { code?: string; error?: unknown };
  } catch {
    return {};
  }
}
