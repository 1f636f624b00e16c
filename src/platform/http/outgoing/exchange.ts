import {
  Agent as PlainAgent,
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { tracing } from '../../tracing/tracing.js';
import { codeOf } from './call-failure.js';

const CLIENT = { isClient: true };
const IDLE_MS = 4000;
const IDLE_OF_ONE_HOST = 32;
const MOST_IDLE = 256;
const KEPT = {
  keepAlive: true,
  maxFreeSockets: IDLE_OF_ONE_HOST,
  scheduling: 'lifo',
  timeout: IDLE_MS,
} as const;

/** One request, as it leaves. */
interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** Whether the other side may get it twice. */
  isRepeatable: boolean;
}

/**
 * Ways to other hosts: how their names are looked up, and the connections that are kept for the
 * next call. Two ways share no connection, because each judges addresses differently.
 */
export class Ways {
  private readonly plain = bounded(new PlainAgent(KEPT));
  private readonly tls = bounded(new TlsAgent(KEPT));

  /**
   * @param lookup absent: the system's
   * @param authorities beside Node's own, for tests
   */
  constructor(
    private readonly lookup: LookupFunction | undefined,
    private readonly authorities: string | undefined,
  ) {}

  /**
   * Sends, and waits for the head of the answer. No redirect is followed, and no proxy asked.
   * @param signal ends it, and the body of the answer, too
   * @throws whatever the network did
   */
  async send(url: URL, outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage> {
    const { method } = outgoing;
    // The host alone: a path or a query may hold a secret. No trace is told to whoever is called.
    const place = { 'http.request.method': method, 'server.address': url.hostname };
    return tracing.span(
      this.lookup ? method : `${method} ${url.hostname}`,
      place,
      async (span) => {
        const answer = await this.exchange(url, outgoing, signal);
        span.set({ 'http.response.status_code': answer.statusCode });
        return answer;
      },
      CLIENT,
    );
  }

  private async exchange(
    url: URL,
    { body, isRepeatable, ...sent }: Outgoing,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const isTls = url.protocol === 'https:';
    const begin = isTls ? tlsRequest : plainRequest;
    const options = {
      ...sent,
      // Without brackets, as sockets want it.
      host: url.hostname.replaceAll(/[[\]]/g, ''),
      port: url.port || (isTls ? 443 : 80),
      path: `${url.pathname}${url.search}`,
      signal,
      lookup: this.lookup,
      // Said here, no variable of the environment switches the check off.
      ...(isTls && { rejectUnauthorized: true, ca: this.authorities }),
    };
    try {
      return await answerOf(begin({ ...options, agent: isTls ? this.tls : this.plain }), body);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      if (!isRepeatable) throw error.cause;
      return await answerOf(begin({ ...options, agent: false }), body);
    }
  }

  close(): void {
    this.plain.destroy();
    this.tls.destroy();
  }
}

/** A kept connection was closed by the other side at the moment at which it was used again. */
class StaleConnection extends Error {}

const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

function answerOf(request: ClientRequest, body: Outgoing['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', (error) => {
      const isStale = request.reusedSocket && CLOSED.has(codeOf(error));
      reject(isStale ? new StaleConnection('closed', { cause: error }) : error);
    });
    request.end(body ?? undefined);
  });
}

/** Node bounds idle connections by host, and any number of hosts. */
function bounded<Kind extends PlainAgent>(agent: Kind): Kind {
  const keeps = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket) => {
    const lists = Object.values(agent.freeSockets);
    const idle = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
    return idle < MOST_IDLE && keeps(socket);
  };
  return agent;
}
