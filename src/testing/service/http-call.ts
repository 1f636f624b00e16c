import { Agent, type IncomingMessage, request as send, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer, read to its end. */
export interface ServiceAnswer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed JSON; `{}` where the answer is none. */
  body: Body;
  text: string;
  bytes: Buffer;
}

export interface ServiceCall {
  method?: string;
  /** A string or bytes are sent as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Kept open between the calls of all tests of a process. */
const agent = new Agent({ keepAlive: true });

/** By `node:http`: `fetch` takes twice the processor time, and thousands of calls are made. */
export async function httpCall<Body = Record<string, unknown>>(
  url: string,
  request: ServiceCall = {},
): Promise<ServiceAnswer<Body>> {
  const { method = 'GET', body, headers } = request;
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const sent = isRaw ? body : body === undefined ? '' : JSON.stringify(body);
  const type = isRaw ? 'text/plain;charset=UTF-8' : 'application/json';
  const response = await answered(
    url,
    {
      agent,
      method,
      headers: {
        accept: '*/*',
        'user-agent': 'test',
        ...(body !== undefined && !Buffer.isBuffer(body) && { 'content-type': type }),
        ...(!['GET', 'HEAD'].includes(method) && { 'content-length': Buffer.byteLength(sent) }),
        ...lowerCased(headers),
      },
    },
    sent,
  );
  const bytes = await buffer(response);
  const text = bytes.toString();
  const isJson = /[/+]json/.test(response.headers['content-type'] ?? '');
  const parsed = (isJson && text ? JSON.parse(text) : {}) as Body;
  const status = response.statusCode!;
  return { status, headers: asHeaders(response), body: parsed, text, bytes };
}

async function answered(url: string, options: RequestOptions, body: string | Buffer) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end(body);
  });
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function asHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return headers;
}
