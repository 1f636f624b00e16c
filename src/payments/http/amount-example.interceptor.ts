import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, type Observable } from 'rxjs';
import { DocumentsQuery } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import { uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { ApiRequest } from '../../platform/http/request.js';

const EXAMPLE_MINOR = 1250n;

/** Rewrites "amount is no integer" with the right form for the currency of this document. */
@Injectable()
export class AmountExample implements NestInterceptor {
  constructor(private readonly documents: DocumentsQuery) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        throw isAboutAmount(error) ? await this.withExample(error, request) : error;
      }),
    );
  }

  private async withExample(error: DomainError, request: ApiRequest): Promise<DomainError> {
    const id = uuidOf('doc', String(request.params['id']));
    const accountId = request.user?.accountId;
    const currency = id && accountId && (await this.documents.currencyOf(accountId, id));
    if (!currency) return error;
    const example = Money.of(EXAMPLE_MINOR, currency);
    const message = `amount must be a whole number in the minor unit of ${currency}: send ${example.minor} for ${example}.`;
    const errors = error.errors.map((field) =>
      field.code === 'amount_not_integer' ? { ...field, message } : field,
    );
    const detail = error.code === 'amount_not_integer' ? message : error.detail;
    return new DomainError('invalid', error.code, detail, { ...error.context, currency }, errors);
  }
}

function isAboutAmount(error: unknown): error is DomainError {
  return (
    error instanceof DomainError &&
    error.errors.some((field) => field.code === 'amount_not_integer')
  );
}
