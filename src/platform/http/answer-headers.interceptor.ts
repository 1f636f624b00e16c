import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { StoredReply } from './stored-reply.js';

/**
 * Tells the version that an answer shows as its `ETag`, which `If-Match` takes. A stored answer has
 * the headers that it had.
 */
@Injectable()
export class AnswerHeaders implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      tap({
        next: (body) => tell(response, body),
        error: (error: unknown) => {
          if (!(error instanceof StoredReply) || error.status >= 300) return;
          tell(response, JSON.parse(error.body.toString()) as object);
        },
      }),
    );
  }
}

function tell(response: Response, body: { version?: number }): void {
  if (body.version !== undefined) response.setHeader('ETag', `"${body.version}"`);
}
