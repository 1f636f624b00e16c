import { ExpressAdapter } from '@nestjs/platform-express';
import http from 'node:http';
import express, { type Response } from 'express';
import { tellFields } from './answer-headers.js';
import type { ApiRequest } from '../request.js';
import { RouteIndex, type RouterLayer } from '../route-index.js';

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

/**
 * Express for an API of JSON. An answer leaves as it is, without the questions that Express asks of
 * each, and the route of a request is looked up.
 */
export class JsonAdapter extends ExpressAdapter {
  /** Set before the first route is there. */
  prepared?: { baseUrl: string };

  constructor() {
    // A proxy that keeps a path inside compares paths as they are.
    super(express().set('case sensitive routing', true));
  }

  /**
   * Requests and answers are made with the prototypes that Express would give them later. Objects
   * whose prototype changes are slow ever after.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Prototypes>();
    const IncomingMessage = madeAs(http.IncomingMessage, app.request);
    const ServerResponse = madeAs(http.ServerResponse, app.response);
    this.httpServer = http.createServer(
      // Node's own refusal of a missing Host is no problem document; connections.ts refuses it.
      { IncomingMessage, ServerResponse, requireHostHeader: false },
      app,
    );
  }

  /** Bodies are read by our guard, which keeps their bytes. */
  override registerParserMiddleware(): void {}

  override reply(response: Response, body: unknown, status?: number): unknown {
    // The handler sent the answer itself.
    if (body === undefined && response.headersSent) return response;
    const { answers } = response.req as ApiRequest;
    if (status !== undefined) response.statusCode = status;
    if (answers && typeof body === 'object' && body !== null) {
      tellFields(response, answers, {
        status: response.statusCode,
        body,
        baseUrl: this.prepared?.baseUrl ?? '',
      });
    }
    if (!isPlain(body) || response.hasHeader('Content-Type')) {
      return super.reply(response, body) as unknown;
    }
    // Never 304: `ETag` is the version, and the clock changes an answer, too (`is_overdue`).
    const text = textOfAnswer(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  /** Once all routes are known. */
  indexRoutes(): void {
    const { router } = this.getInstance<{ router: { stack: RouterLayer[] } }>();
    const { stack } = router;
    const index = new RouteIndex(stack.filter(({ route }) => route));
    this.use(index.handle);
    const added = stack.splice(-1);
    stack.splice(
      stack.findIndex(({ route }) => route),
      0,
      ...added,
    );
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
