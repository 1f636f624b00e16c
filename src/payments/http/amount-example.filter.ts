import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { DocumentsQuery } from '../../documents/index.js';
import { DomainError } from '../../kernel/domain-error.js';
import { uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { ProblemFilter } from '../../platform/http/problem.filter.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

const EXAMPLE_MINOR = 1250n;

/** Rewrites "amount is no integer" with the right form for the currency of this document. */
@Catch(DomainError)
export class AmountExample implements ExceptionFilter<DomainError> {
  constructor(
    private readonly documents: DocumentsQuery,
    private readonly problems: ProblemFilter,
  ) {}

  async catch(error: DomainError, host: ArgumentsHost): Promise<void> {
    let told: unknown = error;
    try {
      if (isAboutAmount(error)) {
        told = await this.withExample(error, host.switchToHttp().getRequest());
      }
    } catch (failure) {
      told = failure;
    }
    this.problems.answer(told, host);
  }

  private async withExample(error: DomainError, request: ApiRequest): Promise<DomainError> {
    const id = uuidOf('doc', String(request.params['id']));
    const accountId = request.user?.accountId;
    const currency = id && accountId && (await this.documents.currencyOf(accountId, id));
    if (!currency) return error;
    const example = Money.of(EXAMPLE_MINOR, currency);
    const message = `amount must be a whole number in the minor unit of ${currency}: send ${example.minor} for ${example}.`;
    const errors = error.errors.map((field) =>
      field.code === FieldRefusal.amount_not_integer.code ? { ...field, message } : field,
    );
    const detail = error.code === FieldRefusal.amount_not_integer.code ? message : error.detail;
    return new DomainError('invalid', error.code, detail, { ...error.context, currency }, errors);
  }
}

function isAboutAmount({ errors }: DomainError): boolean {
  return errors.some((field) => field.code === FieldRefusal.amount_not_integer.code);
}
