import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ANSWER_FIELDS } from './answers/answer-headers.js';
import type { ApiRequest } from './request.js';
import { RequestRefusal } from './request-refusals.js';

/** The headers that parameters of a handler read, in lower case. */
export const HEADERS_READ = 'quittance:headers-read';

/** The preconditions of RFC 9110 13.1, and whether a read may leave them aside. */
const PRECONDITIONS: [name: string, isForReads: boolean][] = [
  ['If-Match', false],
  ['If-Unmodified-Since', false],
  // A read that has no tag answers anew, which is what they allow.
  ['If-None-Match', true],
  ['If-Modified-Since', true],
];

/**
 * Refuses a precondition that the route does not look at. A caller who sends one wants nothing to
 * happen if it does not hold, so it may not be ignored. The answer's tag, which later ones name, is
 * told by `JsonAdapter` (decision 106).
 */
@Injectable()
export class PreconditionsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { headers, method } = request;
    request.answers = this.reflector.get(ANSWER_FIELDS, context.getHandler());
    const isRead = method === 'GET' || method === 'HEAD';
    for (const [name, isForReads] of PRECONDITIONS) {
      const key = name.toLowerCase();
      if (headers[key] === undefined || (isForReads && isRead)) continue;
      const read = this.reflector.get<string[]>(HEADERS_READ, context.getHandler());
      if (read.includes(key)) continue;
      throw RequestRefusal.unsupported_precondition.of(
        `${method} does not look at ${name} here; leave it out, and nothing else is changed.`,
      );
    }
    return true;
  }
}
