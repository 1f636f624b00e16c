import {
  QuittanceConnectionError,
  type RefusalBody,
  refusalIn,
  type RefusedCall,
} from './failures.js';
import { Following } from './following.js';
import { type Listed, listed, type ListPage } from './pages.js';
import { within } from './pauses.js';
import { ClientTokens, GivenTokens, NO_TOKENS, type TokenAnswer, type Tokens } from './tokens.js';
import { type Sendable, sendUntilAnswered } from './tries.js';

export interface QuittanceSettings {
  /** Such as `https://billing.example.com`. */
  baseUrl: string;
  clientId?: string;
  clientSecret?: string;
  /** Default: all that the client may. */
  scope?: string;
  /** In place of a client, in a browser for example: a token, or a function that brings the present one. */
  accessToken?: string | (() => string | Promise<string>);
  /** Of each try. Default: 60 seconds. */
  timeoutMs?: number;
  /** Tries after the first one. Default: 3. */
  retries?: number;
  /** Default: that of the platform. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call, its pauses too; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Of each try. */
  timeoutMs?: number | undefined;
  /** Tries after the first one. */
  retries?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Default: a random one. Give one of your own to repeat a call after your program was restarted. */
  idempotencyKey?: string | undefined;
}

export interface VersionedOptions extends WriteOptions {
  /** The `version` that was read: if there is a later one, nothing is changed. */
  ifMatch?: number | string | undefined;
}

/** How an operation is called, as the OpenAPI document says. */
export interface Way {
  /** It takes an `Idempotency-Key`. */
  once?: boolean;
  /** Doing it twice does it once. */
  repeats: boolean;
  /** It needs no token. */
  open?: boolean;
  parseAs: 'json' | 'blob';
}

/** The part of a call that is the same for all operations. */
export interface Given<Client> {
  client: Client;
  fetch: typeof globalThis.fetch;
  headers: Record<string, string>;
  parseAs: 'json' | 'blob';
  throwOnError: true;
}

type Refusal = new (problem: RefusalBody) => RefusedCall;

interface FollowQuery {
  after?: string | undefined;
  types?: readonly string[] | undefined;
  document?: string | undefined;
  customer?: string | undefined;
  payment?: string | undefined;
}

const READS = { repeats: true };
const TIMEOUT_MS = 60_000;
const RETRIES = 3;
const KEY_BYTES = 16;

/** All calls of a client: tokens, keys, tries and refusals. Generated methods stand on it. */
export class Calls<Client> {
  private readonly base: string;
  private readonly tokens: Tokens;

  constructor(
    private readonly settings: QuittanceSettings,
    private readonly client: Client,
    private readonly refusal: Refusal,
  ) {
    this.base = settings.baseUrl.replace(/\/+$/, '');
    if (!/^https?:\/\//.test(this.base)) throw new TypeError('baseUrl must begin with https://.');
    this.tokens = this.tokensOf(settings);
  }

  async send<Answer>(
    way: Way,
    options: VersionedOptions | undefined,
    operation: (given: Given<Client>) => Promise<{ data: Answer }>,
  ): Promise<Answer> {
    const { client } = this;
    const headers = headersOf(way, options ?? {});
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) =>
      this.answered(await sendableOf(new Request(input, init)), way, options);
    const { parseAs } = way;
    return (await operation({ client, fetch, headers, parseAs, throwOnError: true })).data;
  }

  list<Query extends object, Page extends ListPage>(
    way: Way,
    options: CallOptions | undefined,
    query: Query,
    operation: (given: Given<Client>, query: Query) => Promise<{ data: Page }>,
  ): Listed<Page> {
    return listed(query, async (present) =>
      this.send(way, options, async (given) => operation(given, present)),
    );
  }

  follow<Event>(
    path: string,
    { after = 'now', ...filters }: FollowQuery,
    options: CallOptions = {},
  ): Following<Event> {
    const open = async (place: string) => {
      const query = new URLSearchParams({ after: place });
      for (const [name, value] of Object.entries(filters))
        if (value !== undefined) query.set(name, String(value));
      const sendable = await this.sendableTo(`${path}?${query}`);
      const answer = await this.answered(sendable, { ...READS, streams: true }, options);
      if (!answer.body) throw new QuittanceConnectionError('The stream has no body.');
      return answer.body;
    };
    return new Following<Event>(open, after, options.signal);
  }

  /** A call that has no method here: with token and tries. @throws as all others do */
  async fetch(path: string, init: RequestInit = {}, options?: CallOptions): Promise<Response> {
    const sendable = await this.sendableTo(path, init);
    const isRead = ['GET', 'HEAD', 'PUT', 'DELETE'].includes(sendable.method);
    const repeats = isRead || sendable.headers.has('Idempotency-Key');
    return this.answered(sendable, { repeats }, options);
  }

  private async sendableTo(path: string, init: RequestInit = {}): Promise<Sendable> {
    return sendableOf(new Request(`${this.base}${path}`, init));
  }

  /** @returns an answer of success */
  private async answered(
    sendable: Sendable,
    { open, repeats, streams }: Pick<Way, 'open' | 'repeats'> & { streams?: boolean },
    { signal, timeoutMs, retries }: CallOptions = {},
  ): Promise<Response> {
    const tries = {
      fetch: this.settings.fetch ?? globalThis.fetch.bind(globalThis),
      repeats,
      retries: retries ?? this.settings.retries ?? RETRIES,
      timeoutMs: timeoutMs ?? this.settings.timeoutMs ?? TIMEOUT_MS,
      signal,
      ...(streams && { streams }),
    };
    const sent = async (token?: string) => {
      if (token !== undefined) sendable.headers.set('Authorization', `Bearer ${token}`);
      return sendUntilAnswered(sendable, tries);
    };
    if (open) return this.judged(await sent());
    const token = await unlessAborted(this.tokens.current(), signal);
    const answer = await sent(token);
    if (answer.status !== 401) return this.judged(answer);
    const another = await unlessAborted(this.tokens.another(token), signal);
    return this.judged(another === undefined ? answer : await sent(another));
  }

  private async judged(answer: Response): Promise<Response> {
    if (answer.ok) return answer;
    const problem = refusalIn(await answer.text());
    if (problem) throw new this.refusal(problem);
    throw new QuittanceConnectionError(
      `${answer.status || 'A redirect'} did not come from Quittance; look at baseUrl and at what stands between.`,
      answer.status,
    );
  }

  private tokensOf({ clientId, clientSecret, scope, accessToken }: QuittanceSettings): Tokens {
    if (accessToken !== undefined) return new GivenTokens(accessToken);
    if (clientId === undefined && clientSecret === undefined) return NO_TOKENS;
    if (!clientId || !clientSecret) throw new TypeError('Give clientId and clientSecret.');
    return new ClientTokens(async () => {
      const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret, scope });
      const headers = { 'Content-Type': 'application/json' };
      const sendable = await this.sendableTo('/v1/auth/token', { method: 'POST', headers, body });
      const answer = await this.answered(sendable, { open: true, repeats: true });
      return (await answer.json()) as TokenAnswer;
    });
  }
}

async function sendableOf(request: Request): Promise<Sendable> {
  const { url, method } = request;
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength > 0 ? bytes : undefined;
  return { url, method, headers: new Headers(request.headers), body };
}

function headersOf(way: Way, { idempotencyKey, ifMatch }: VersionedOptions) {
  const headers: Record<string, string> = {};
  if (way.parseAs === 'json') headers['Accept'] = 'application/json';
  if (way.once) headers['Idempotency-Key'] = idempotencyKey ?? randomKey();
  if (ifMatch !== undefined)
    headers['If-Match'] = typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch;
  return headers;
}

/** `crypto.randomUUID` is not there on pages without https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One fetch of a token is for all: who leaves does not end it for the others. */
async function unlessAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return result;
  return within(undefined, signal, async (stop) =>
    Promise.race([
      result,
      new Promise<never>((_, reject) => {
        const end = () => reject(stop.reason as Error);
        if (stop.aborted) end();
        stop.addEventListener('abort', end, { once: true });
      }),
    ]),
  );
}
