import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { OutgoingConfig } from '../../config/outgoing-config.js';
import { RequestRefusal } from '../request-refusals.js';
import { AddressJudge } from './address-judge.js';
import { type CallFailure, codeOf, failureOf } from './call-failure.js';
import { Ways } from './exchange.js';
import { type HostLookUp, judgedLookUp, nameServers } from './host-look-up.js';

const LONGEST_URL = 2000;

interface OutgoingRules {
  /** Whether it may be http, too, which anybody on the way reads: for tests. */
  plainHttp: boolean;
}

interface OutgoingCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type OutgoingAnswer = { durationMs: number } & (
  | {
      failure: null;
      status: number;
      headers: { retryAfter: string | null };
      /** The first bytes of it. */
      body: Buffer;
      /** There was more. */
      isCut: boolean;
    }
  | {
      failure: CallFailure;
      /** The system's word, such as `ECONNREFUSED`; never an address, which may be of a network of ours. */
      detail: string;
    }
);

/** Means that tests replace. */
interface OutgoingMeans {
  lookUp?: HostLookUp;
  /** Authorities beside Node's own. */
  ca?: string;
}

/** All calls of the service to other hosts: those that tenants name, and those of the operator. */
export class OutgoingClient {
  private readonly judge: AddressJudge;
  private readonly ports: OutgoingConfig['ports'];
  private readonly judged: Ways;
  /** The operator named these hosts, which may be his own: the system looks them up. */
  private readonly trusted: Ways;

  constructor(
    { ranges, ports }: OutgoingConfig,
    { lookUp = nameServers(), ca }: OutgoingMeans = {},
  ) {
    this.judge = new AddressJudge(ranges);
    this.ports = ports;
    this.judged = new Ways(
      judgedLookUp(lookUp, (address) => this.judge.isOpen(address)),
      ca,
    );
    this.trusted = new Ways(undefined, ca);
  }

  /**
   * @param pointer to the field of the request
   * @param advice a sentence behind the reason
   * @throws DomainError `invalid` / `url_not_allowed` for a URL that can never be called
   */
  assertAllowed(url: string, rules: OutgoingRules, pointer = '/url', advice = ''): void {
    const reason = this.refusalOf(url, rules);
    if (reason === null) return;
    const sentence = `${pointer.slice(1)} ${reason}.`;
    throw RequestRefusal.url_not_allowed.at(pointer, advice ? `${sentence} ${advice}` : sentence);
  }

  /** Why a URL can never be called, as the end of a sentence. Which addresses its name has is judged at each call. */
  refusalOf(url: string, { plainHttp }: OutgoingRules): string | null {
    if (url.length > LONGEST_URL) return `must have at most ${LONGEST_URL} characters`;
    if (!URL.canParse(url)) return 'must be a URL';
    const { protocol, username, password, hostname, port } = new URL(url);
    if (protocol !== 'https:' && !(plainHttp && protocol === 'http:')) {
      return plainHttp ? 'must begin with https or http' : 'must begin with https';
    }
    if (username !== '' || password !== '') return 'must not have a user name or password in it';
    if (port !== '' && !this.isOpenPort(Number(port))) return `must not name the port ${port}`;
    const literal = hostname.replaceAll(/[[\]]/g, '');
    if (isIP(literal) > 0 && !this.judge.isOpen(literal)) {
      return 'must not name an address of a network that is not public';
    }
    return null;
  }

  /** One POST, of which the other side knows a repetition. It never throws for what the other side does. */
  async post(
    { url, headers, body }: OutgoingCall,
    rules: OutgoingRules,
    { timeoutMs, limitBytes }: { timeoutMs: number; limitBytes: number },
  ): Promise<OutgoingAnswer> {
    const begunAt = performance.now();
    const durationMs = () => Math.round(performance.now() - begunAt);
    const reason = this.refusalOf(url, rules);
    if (reason !== null) return { failure: 'url_not_allowed', detail: reason, durationMs: 0 };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const sent = { method: 'POST', headers, body, isRepeatable: true };
      const answer = await this.judged.send(new URL(url), sent, signal);
      const read = await firstBytes(answer, limitBytes);
      const retryAfter = answer.headers['retry-after'] ?? null;
      const status = answer.statusCode ?? 0;
      return { failure: null, status, headers: { retryAfter }, ...read, durationMs: durationMs() };
    } catch (error) {
      const failure = failureOf(error, signal.aborted);
      return { failure, detail: codeOf(error), durationMs: durationMs() };
    }
  }

  /**
   * A `fetch` that follows no redirect and asks no proxy. It trusts these bases by host and port;
   * all else has to be public.
   */
  fetchFor(bases: readonly string[], rules: OutgoingRules = { plainHttp: false }): typeof fetch {
    const trusted = new Set(bases.map((base) => new URL(base).origin));
    return async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const isTrusted = trusted.has(url.origin);
      const reason = isTrusted ? null : this.refusalOf(request.url, rules);
      if (reason !== null) throw new TypeError(`the URL ${reason}`);
      const ways = isTrusted ? this.trusted : this.judged;
      const bytes = request.body === null ? null : Buffer.from(await request.arrayBuffer());
      const headers = { 'user-agent': 'Quittance', ...Object.fromEntries(request.headers) };
      const { method } = request;
      const sent = { method, headers, body: bytes, isRepeatable: method === 'GET' };
      // The signal of a Request follows another one only while the Request itself is in memory.
      const { signal } = request;
      signal.addEventListener('abort', () => void [input, request]);
      return responseOf(await ways.send(url, sent, signal));
    };
  }

  onApplicationShutdown(): void {
    this.judged.close();
    this.trusted.close();
  }

  private isOpenPort(port: number): boolean {
    return this.ports.some(([first, last]) => first <= port && port <= last);
  }
}

/** A `fetch` for one host that the operator named, which asks no other. */
export function fetchAt(base: string): typeof fetch {
  return new OutgoingClient({ ranges: [], ports: [] }).fetchFor([base]);
}

/** Reads no further, and gives the connection up, where there is more. */
async function firstBytes(answer: IncomingMessage, limitBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limitBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, limitBytes), isCut: length > limitBytes };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new TypeError(`${status} is no status of HTTP`);
  }
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  if (WITHOUT_BODY.has(status)) answer.resume();
  const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  return new Response(body, { status, statusText, headers });
}
