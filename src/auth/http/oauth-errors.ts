import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { DomainError } from '../../kernel/domain-error.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

/** Sets the challenge of RFC 6749 5.2; the filter adds `error` and `error_description`. */
export class OAuthErrors implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw asOAuth(error, request.headers.authorization !== undefined);
      }),
    );
  }
}

function asOAuth(error: unknown, basic: boolean): unknown {
  if (!(error instanceof DomainError)) return error;
  if ('retry_after' in error.context) return laterAgain(error);
  if (error.kind !== 'unauthenticated') return error;
  const challenge = basic ? 'Basic realm="quittance", charset="UTF-8"' : 'Bearer realm="quittance"';
  return new HttpProblem(401, error.code, error.detail, { 'WWW-Authenticate': challenge });
}

/** The lock is that of a token here, and OAuth knows no 409. */
function laterAgain(error: DomainError): DomainError {
  if (error.kind === 'unavailable') return error;
  return AuthRefusal.token_busy.later(
    1,
    'Another request uses this token; send the same request again in a second.',
  );
}
