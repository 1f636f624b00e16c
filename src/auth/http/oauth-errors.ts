import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { DomainError } from '../../kernel/domain-error.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest } from '../../platform/http/request.js';

const STATUS_OF_ERROR: Record<string, number> = {
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_request: 400,
  unsupported_grant_type: 400,
};

/** Sets the status of RFC 6749 5.2; the filter adds `error` and `error_description`. */
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
  if (!(error instanceof DomainError || error instanceof HttpProblem)) return error;
  if (error instanceof DomainError && 'retry_after' in error.context) return laterAgain(error);
  const status = STATUS_OF_ERROR[error.code];
  if (status === undefined) return error;
  const challenge = basic ? 'Basic realm="quittance", charset="UTF-8"' : 'Bearer realm="quittance"';
  const fields = error instanceof DomainError ? error.errors : [];
  return new HttpProblem(
    status,
    error.code,
    error.detail,
    status === 401 ? { 'WWW-Authenticate': challenge } : {},
    fields.length > 0 ? { errors: fields } : {},
  );
}

/** The lock is that of a token here, and OAuth knows no 409. */
function laterAgain(error: DomainError): DomainError {
  if (error.kind === 'unavailable') return error;
  return DomainError.unavailable(
    'token_busy',
    'Another request uses this token; send the same request again in a second.',
  );
}
