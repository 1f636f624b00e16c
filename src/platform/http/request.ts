import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Uuid } from '../../kernel/ids.js';

/** Who holds the access token: one API client of one account. */
export interface Caller {
  accountId: Uuid;
  clientId: Uuid;
  scopes: readonly string[];
  /** When the access token ends, in milliseconds since 1970. */
  expiresAtMs: number;
}

/** A request as our handlers see it. */
export interface ApiRequest extends Request {
  /** Echoed as `X-Request-Id`, logged, and part of every problem. */
  id: string;
  /** The exact bytes; for webhooks the body is nothing else. */
  rawBody?: Buffer;
  /** Set by the bearer guard (Passport's `user`). */
  user?: Caller;
  /** Of `process.hrtime`, for the log line and the metrics. */
  startedAt: bigint;
}

/** The authenticated API client of the request. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { user } = context.switchToHttp().getRequest<ApiRequest>();
  if (!user) throw new Error('@CallerOf needs @BearerAuth on the route');
  return user;
});
