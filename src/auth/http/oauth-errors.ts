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

/** RFC 6749 5.2: the status and `error` of a refusal; the filter adds `error_description`. */
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
  if (error instanceof DomainError && error.kind === 'unavailable') return error;
  const fields = error instanceof DomainError ? error.errors : [];
  let code = error.code in STATUS_OF_ERROR ? error.code : 'invalid_request';
  if (fields.some((field) => field.pointer === '/grant_type')) code = 'unsupported_grant_type';
  const status = STATUS_OF_ERROR[code] ?? 400;
  const challenge = basic ? 'Basic realm="quittance", charset="UTF-8"' : 'Bearer realm="quittance"';
  return new HttpProblem(
    status,
    code,
    error.detail,
    status === 401 ? { 'WWW-Authenticate': challenge } : {},
    { error: code, ...(fields.length > 0 && { errors: fields }) },
  );
}
