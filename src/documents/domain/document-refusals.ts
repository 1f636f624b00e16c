import { DomainError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';

export function documentNotFound(): DomainError {
  return DomainError.notFound(
    'document_not_found',
    'There is no such document; ids look like doc_01h455vb4pex5vsknk084sn02q.',
  );
}

export function exceedsDue(due: Money): DomainError {
  return new DomainError(
    'invalid',
    'amount_exceeds_due',
    `${due.minor} (${due}) is due; send at most that, or on_overpayment "credit".`,
    { amount_due: due.toMinorNumber(), currency: due.currency },
    [
      {
        pointer: '/amount',
        code: 'amount_exceeds_due',
        message: `amount must be at most ${due.minor}.`,
      },
    ],
  );
}

export function exceedsCreditable(creditable: Money): DomainError {
  return DomainError.invalid(
    'amount_exceeds_creditable',
    '/amount',
    `${creditable.minor} (${creditable}) can still be credited; send at most that.`,
    { creditable_amount: creditable.toMinorNumber(), currency: creditable.currency },
  );
}
