import type { IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';
import type { ActionRefusal } from './available-actions.js';
import type { DraftTerms } from './document-state.js';

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

export function assertDueAfterIssue({
  issueDate,
  dueDate,
}: Pick<DraftTerms, 'issueDate' | 'dueDate'>): void {
  if (!issueDate || !dueDate || dueDate >= issueDate) return;
  throw DomainError.invalid(
    'due_before_issue',
    '/due_date',
    'due_date must not be before issue_date.',
  );
}

export function dueDatePassed(dueDate: IsoDate, status: string): DomainError {
  return DomainError.conflict(
    'due_date_passed',
    `The due date ${dueDate} is before the issue date; give the draft a later one.`,
    { document_status: status },
  );
}

/** Something that the rules of a document do not allow now, with the way out. */
export function actionRefused(
  { code, reason, wayOut }: ActionRefusal,
  status: string,
): DomainError {
  return DomainError.conflict(code, `${reason} ${wayOut}`, { document_status: status });
}
