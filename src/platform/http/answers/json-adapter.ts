import { ExpressAdapter } from '@nestjs/platform-express';
import http from 'node:http';
import type { Response } from 'express';
import { tellFields } from './answer-headers.js';
import type { ApiRequest } from '../request.js';

/** Answers whose text was made before they are sent: what is stored is what is sent. */
const texts = new WeakMap<object, string>();

/** The text of an answer, which is made once. */
export function textOfAnswer(body: object): string {
  let text = texts.get(body);
  if (text === undefined) texts.set(body, (text = JSON.stringify(body)));
  return text;
}

/** Express's application has the prototypes of its requests and answers. */
interface Prototypes extends http.RequestListener {
  request: http.IncomingMessage;
  response: http.ServerResponse;
}

interface Layer {
  route?: { path: unknown };
  match(path: string): unknown;
}

/**
 * Express for an API of JSON. An answer leaves as it is, without the questions that Express asks of
 * each. A path is only matched with the routes that begin and end as it does.
 */
export class JsonAdapter extends ExpressAdapter {
  private asked = '';
  private asComparable = '';

  constructor(private readonly baseUrl: string) {
    super();
  }

  /**
   * Requests and answers are made with the prototypes that Express would give them later. Objects
   * whose prototype changes are slow ever after.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Prototypes>();
    const IncomingMessage = madeAs(http.IncomingMessage, app.request);
    const ServerResponse = madeAs(http.ServerResponse, app.response);
    this.httpServer = http.createServer({ IncomingMessage, ServerResponse }, app);
  }

  override reply(response: Response, body: unknown, status?: number): unknown {
    const { answers, headers } = response.req as ApiRequest;
    if (status !== undefined) response.statusCode = status;
    if (answers && typeof body === 'object' && body !== null) {
      tellFields(response, answers, { status: response.statusCode, body, baseUrl: this.baseUrl });
    }
    // Whether the caller has it already, Express knows.
    const mayBeKnown = 'if-none-match' in headers || 'if-modified-since' in headers;
    if (mayBeKnown || !isPlain(body) || response.hasHeader('Content-Type')) {
      return super.reply(response, body) as unknown;
    }
    const text = textOfAnswer(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  /** Once all routes are known: asks a route's pattern only about paths with its literal ends. */
  skipForeignPaths(): void {
    const { router } = this.getInstance() as { router: { stack: Layer[] } };
    for (const layer of router.stack) {
      const { path } = layer.route ?? {};
      if (typeof path !== 'string') continue;
      const match = layer.match.bind(layer);
      const [start, end] = literalEndsOf(path);
      layer.match = (asked) => {
        const plain = this.comparable(asked);
        return plain.startsWith(start) && plain.endsWith(end) && match(asked);
      };
    }
  }

  /** As patterns compare it, kept for the next of them. */
  private comparable(path: string): string {
    if (path !== this.asked) {
      this.asked = path;
      const lower = path.toLowerCase();
      this.asComparable = lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
    }
    return this.asComparable;
  }
}

function madeAs<Made extends new (...given: never[]) => object>(
  type: Made,
  prototype: object,
): Made {
  function made(...given: unknown[]) {
    return Reflect.construct(type, given, made) as object;
  }
  made.prototype = prototype;
  return made as unknown as Made;
}

function isPlain(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === Object.prototype || prototype === Array.prototype;
}

const PARAMETER = /[:*{(]/;
const LAST_PARAMETER = /^.*:\w+/;

/** The text before the first parameter, and the text after the last. */
function literalEndsOf(path: string): [start: string, end: string] {
  const [start = ''] = path.split(PARAMETER, 1);
  const isSimple = !/[*{(]/.test(path) && path.includes(':');
  return [start.toLowerCase(), isSimple ? path.replace(LAST_PARAMETER, '').toLowerCase() : ''];
}
