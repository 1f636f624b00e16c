import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { By, RequestOrigin } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { AnswerFields } from './answers/answer-headers.js';

/** The holder of the access token: one API client of one account. */
export interface Bearer {
  accountId: Uuid;
  clientId: Uuid;
  /** The version of the client for which the token was issued. */
  clientVersion: number;
  scopes: readonly string[];
  /** When the access token ends, in milliseconds since 1970. */
  expiresAtMs: number;
}

/** The caller of one request. */
export interface Caller extends Bearer {
  origin: RequestOrigin;
}

/** A request as our handlers see it. */
export interface ApiRequest extends Request {
  /** It is sent back as `X-Request-Id`, logged, and part of every problem. */
  id: string;
  /** The exact bytes, once the body was read (body.guard.ts). */
  rawBody?: Buffer;
  /** The guard sets it if the route wants a bearer token. */
  user?: Bearer;
  /** The fields of the answer that its headers repeat, if any. */
  answers?: AnswerFields | undefined;
  /** Of its trace, 32 hexadecimal digits; undefined without traces, and of probes. */
  traceId?: string | undefined;
  /** The code of the problem that it was answered with. */
  problemCode?: string;
  /** When it came, by `process.hrtime`, for the log line and the metrics. */
  startedAt: bigint;
}

/** The authenticated API client of the request. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  if (!request.user) throw new Error('@CallerOf needs @BearerAuth on the route');
  return { ...request.user, origin: originOf(request) };
});

/** An API client acts in its account. */
export function byClient({ accountId, clientId, origin }: Caller): By {
  return { accountId, actor: { type: 'client', id: publicId('cli', clientId) }, origin };
}

/** A proxy's header may hold any text, and a link-local address its zone. Only addresses pass. */
export function originOf({ id, ip = '' }: ApiRequest): RequestOrigin {
  const address = ip.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/s, '');
  return { requestId: id, address: isIP(address) ? address : null };
}
