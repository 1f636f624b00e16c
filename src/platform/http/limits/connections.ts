import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Metrics } from '../../observability/metrics.js';
import { Readiness } from '../../observability/readiness.js';
import { type HttpProblem, type HttpRefusal, problem, PROBLEM_TYPE } from '../problem.js';
import { RequestRefusal } from '../request-refusals.js';

/** A client has this long for its headers, and for all of its request. */
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 60_000;
/** The rest of an upload up to this size is read and dropped, and the connection kept. */
const SMALL_REST_BYTES = 65_536;
/** This much of a larger rest is taken after the answer, so that the client reads the answer. */
const LINGER_BYTES = 1_048_576;
const LINGER_MS = 2000;

/**
 * The rules below HTTP. A request of two readings is refused. A client that sends slowly is cut off. One that asks whether to go on hears
 * so only once its body is wanted. An answer does not wait for the rest of an upload.
 */
export function useConnections(app: NestExpressApplication): void {
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_WITHIN_MS;
  server.requestTimeout = REQUEST_WITHIN_MS;
  // Node would say "100 Continue" to anybody; read-body.ts says it when the body is wanted.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  const metrics = app.get(Metrics);
  server.on('clientError', (error: ClientError, socket: Socket) => {
    metrics.countRefusal(refuseUnreadable(error, socket));
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const refusal = twoWaysToRead(request);
    if (refusal || isLarge(request)) closeUnlessRead(request, response, app.get(Readiness));
    next(refusal);
  });
}

/**
 * A proxy may read a request otherwise than Node does. Of two Host headers it may take the other
 * one. With a coding besides chunked it may see another end of the body.
 */
function twoWaysToRead({ rawHeaders, headers, httpVersion }: Request): HttpProblem | undefined {
  const hosts = rawHeaders.filter(
    (name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host',
  );
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return RequestRefusal.malformed_request.of('Send one Host header.');
  }
  const coding = headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  const detail = 'Transfer-Encoding must be chunked, and nothing else; send the body as it is.';
  return RequestRefusal.malformed_request.of(detail);
}

function isLarge({ headers }: Request): boolean {
  return (
    Number(headers['content-length'] ?? 0) > SMALL_REST_BYTES ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined
  );
}

/** Closes the connection after an answer that comes before the end of the body. */
function closeUnlessRead(request: Request, response: Response, readiness: Readiness): void {
  const { socket } = request;
  response.setHeader('Connection', 'close');
  // Node calls it after the last answer. While data still come in it would reset the connection,
  // and a client loses an answer that it has not read before a reset.
  socket.destroySoon = () => linger(request, socket);
  response.once('prefinish', () => {
    if (!request.readableEnded) takeSome(request);
  });
  request.once('end', () => {
    // From now on, the method of its class again.
    Reflect.deleteProperty(socket, 'destroySoon');
    const stays = readiness.state !== 'stopping' && !response.headersSent;
    if (stays) response.removeHeader('Connection');
  });
}

/** Reads on a little, but not all that is sent. */
function takeSome(request: Request): void {
  let left = LINGER_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  request.resume();
}

/** Closes for writing first, and for reading once the client has seen that (RFC 9112 9.6). */
function linger(request: Request, socket: Socket): void {
  socket.end();
  const patience = setTimeout(() => socket.destroy(), LINGER_MS);
  request.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(patience));
}

type ClientError = Error & { code?: string };

const REFUSALS_OF_NODE: Record<string, HttpRefusal> = {
  HPE_HEADER_OVERFLOW: RequestRefusal.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: RequestRefusal.request_timeout,
};

/** Answers what never becomes a request of Express. Returns the code. */
function refuseUnreadable({ code: reason = '' }: ClientError, socket: Socket): string {
  const refusal = REFUSALS_OF_NODE[reason] ?? RequestRefusal.malformed_request;
  const { code, status, example: detail } = refusal;
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse };
  if (socket.writable && !answer?.headersSent) {
    const body = JSON.stringify(problem(status, { code, detail }, { id: randomUUID() }, '/'));
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
        `Content-Type: ${PROBLEM_TYPE}\r\nCache-Control: no-store\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
  return code;
}
