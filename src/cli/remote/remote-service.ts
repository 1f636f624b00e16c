import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CommandCaller } from '../command-context.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { isPlainHttp } from '../../kernel/plain-http.js';
import { withoutEndSlashes } from '../../kernel/trim-end.js';
import { dataFolder } from '../../platform/config/folders.js';
import { fetchAt } from '../../platform/http/outgoing/outgoing-client.js';

/** Longer than the feed waits. */
const ANSWER_MS = 60_000;

export interface RemoteOptions {
  url?: string;
  clientId?: string;
  clientSecret?: string;
}

export interface RemoteRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer<ArrayBuffer>;
}

export interface RemoteAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

interface Grant {
  access_token: string;
  scope: string;
}

/** The service said no. */
export class RemoteRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly retryAfterSeconds: number,
    readonly errors: readonly FieldError[] = [],
  ) {
    super(`${code}: ${detail}`);
  }
}

/** The service did not answer. */
export class RemoteSilent extends Error {}

/** A command that talks to a service as an integration does. */
export function remoteCommand(command: Command): Command {
  return command
    .option('--url <url>', 'of the service; else QUITTANCE_URL, else the demo of this folder')
    .option('--client-id <id>', 'cli_...; else QUITTANCE_CLIENT_ID')
    .option('--client-secret <secret>', 'others of this machine see it: QUITTANCE_CLIENT_SECRET');
}

/** A running service, over HTTP, with the credentials of a client of an account. */
export class RemoteService {
  private grant: Grant | undefined;
  private readonly fetch: typeof globalThis.fetch;

  private constructor(
    readonly url: string,
    private readonly credentials: { client_id: string; client_secret: string },
  ) {
    this.fetch = fetchAt(url);
  }

  /** @throws Error that names what is missing, and shows no value */
  static async of(
    { url, clientId, clientSecret }: RemoteOptions,
    { environment, folder }: CommandCaller,
  ): Promise<RemoteService> {
    const given = {
      base_url: url ?? environment['QUITTANCE_URL'],
      client_id: clientId ?? environment['QUITTANCE_CLIENT_ID'],
      client_secret: clientSecret ?? environment['QUITTANCE_CLIENT_SECRET'],
    };
    const isNothingGiven = Object.values(given).every((value) => !value);
    const { base_url, client_id, client_secret } = isNothingGiven
      ? await demoOf(dataFolder(environment, folder))
      : given;
    if (!base_url || !URL.canParse(base_url) || !/^https?:$/.test(new URL(base_url).protocol)) {
      throw new Error('--url or QUITTANCE_URL: must be the URL of a service.');
    }
    if (isPlainHttp(base_url)) {
      throw new Error(
        '--url or QUITTANCE_URL: must begin with https, unless it is of this machine.',
      );
    }
    if (!client_id || !client_secret) {
      throw new Error('QUITTANCE_CLIENT_ID and QUITTANCE_CLIENT_SECRET: set both.');
    }
    return new RemoteService(withoutEndSlashes(base_url), { client_id, client_secret });
  }

  async get<Body>(path: string): Promise<Body> {
    return this.authorized('GET', path);
  }

  async post<Body>(path: string, body: object = {}): Promise<Body> {
    return this.authorized('POST', path, body);
  }

  /** @param key makes a repeat safe: it is answered as the first one was */
  async send<Body>(method: string, path: string, body?: object, key?: string): Promise<Body> {
    return this.authorized(method, path, body, key);
  }

  /** The rights of this client. */
  async scopes(): Promise<ReadonlySet<string>> {
    const { scope } = await this.granted();
    return new Set(scope.split(' '));
  }

  /**
   * The answer as it came, also if it says no. A token lasts half an hour, so one that is refused is made anew
   * once.
   * @throws RemoteSilent; RemoteRefused, if there is no token
   */
  async answer(request: RemoteRequest): Promise<RemoteAnswer> {
    const isFresh = this.grant === undefined;
    const answer = await this.exchange(request, (await this.granted()).access_token);
    if (isFresh || answer.status !== 401) return answer;
    this.grant = undefined;
    return this.exchange(request, (await this.granted()).access_token);
  }

  private async authorized<Body>(
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<Body> {
    return bodyOf(await this.answer(jsonRequest(method, path, body, key))) as Body;
  }

  private async granted(): Promise<Grant> {
    if (this.grant === undefined) {
      const request = jsonRequest('POST', '/v1/auth/token', this.credentials);
      this.grant = bodyOf(await this.exchange(request)) as Grant;
    }
    return this.grant;
  }

  /** @throws RemoteSilent */
  private async exchange(
    { method, path, headers, body }: RemoteRequest,
    token?: string,
  ): Promise<RemoteAnswer> {
    try {
      const answer = await this.fetch(`${this.url}${path}`, {
        method,
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, bytes };
    } catch {
      throw new RemoteSilent(`${this.url} does not answer`);
    }
  }
}

function jsonRequest(method: string, path: string, body?: object, key?: string): RemoteRequest {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = {
    ...(body && { 'content-type': type }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  return { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
}

/** @throws RemoteRefused */
function bodyOf(answer: RemoteAnswer): unknown {
  const text = answer.bytes.toString();
  if (answer.status < 200 || answer.status > 299) throw refusedBy(answer, text);
  return text === '' ? {} : JSON.parse(text);
}

function refusedBy(answer: RemoteAnswer, text: string): RemoteRefused {
  let told: { code?: string; error?: string; detail?: string; errors?: FieldError[] } = {};
  try {
    told = JSON.parse(text) as typeof told;
  } catch {
    // Something else than the service answers there.
  }
  const code = told.code ?? told.error ?? `status_${answer.status}`;
  const wait = parseInt(answer.headers.get('retry-after') ?? '', 10) || 1;
  const detail = told.detail ?? 'the service refused this';
  return new RemoteRefused(answer.status, code, detail, wait, told.errors);
}

interface DemoCredentials {
  base_url: string;
  client_id: string;
  client_secret: string;
}

async function demoOf(folder: string): Promise<DemoCredentials> {
  const text = await readFile(join(folder, 'demo.json'), 'utf8').catch(() => {
    throw new Error(
      'There is no demo in this folder: set QUITTANCE_URL, QUITTANCE_CLIENT_ID and QUITTANCE_CLIENT_SECRET.',
    );
  });
  return JSON.parse(text) as DemoCredentials;
}
