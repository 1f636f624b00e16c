import type { IsoDate } from '../../kernel/clock.js';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { tooEarly } from '../../kernel/fact-dates.js';
import type { Money } from '../../kernel/money.js';
import type { ActionRefusal } from './available-actions.js';
import type { DocumentState, DraftTerms } from './document-state.js';
import type { DocumentKind } from './lifecycle.js';
import type { Prepayment } from './prepayment.js';
import { DocumentRefusal } from './refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

export function documentNotFound(): DomainError {
  return DocumentRefusal.document_not_found.of(
    'There is no such document; ids look like doc_01h455vb4pex5vsknk084sn02q.',
  );
}

/** @param most the sentence about the field, where it is shorter */
export function exceedsDue(
  due: Money,
  wayOut: string,
  most?: string,
  pointer = '/amount',
): DomainError {
  const refusal = DocumentRefusal.amount_exceeds_due;
  const detail = `${due.minor} (${due}) is due; ${wayOut}.`;
  const context = { amount_due: due.toMinorNumber(), currency: due.currency };
  return refusal.of(detail, context, [refusal.field(pointer, most ?? detail)]);
}

export const overpaid = (due: Money) =>
  exceedsDue(
    due,
    'send at most that, or on_overpayment "credit"',
    `amount must be at most ${due.minor}.`,
  );

/** An invoice can have been paid before, also more than it asks for (decision 262), but not by credit. */
export function assertPrepayable(
  { kind, total }: Pick<DocumentState, 'kind' | 'total'>,
  told: readonly Prepayment[],
): void {
  if (kind !== 'invoice') throw DocumentRefusal.prepayments_need_issue.at('/prepayments');
  let left = total.minor;
  for (const { amountMinor, method, onOverpayment: above } of told) {
    left -= amountMinor;
    if (left >= 0n || (above === 'credit' && method !== 'credit_balance')) continue;
    const wayOut =
      'send prepayments of at most that, or on_overpayment "credit" with what is above';
    throw exceedsDue(total, wayOut, undefined, '/prepayments');
  }
}

export function exceedsCreditable(creditable: Money): DomainError {
  return DocumentRefusal.amount_exceeds_creditable.at(
    '/amount',
    `${creditable.minor} (${creditable}) can still be credited; send at most that.`,
    { amount_creditable: creditable.toMinorNumber(), currency: creditable.currency },
  );
}

/** A document that was issued elsewhere may take back with a quantity above zero. */
export function quantityOfOtherSign(pointer: string): FieldError {
  return DocumentRefusal.quantity_exceeds_line.field(
    `${pointer}/quantity`,
    'The amount of this line has not the sign of its quantity; send an amount, or neither.',
  );
}

export function exceedsGroup(left: bigint): DomainError {
  return DocumentRefusal.amount_exceeds_creditable.at(
    '/lines',
    `Earlier credits by amount left ${left} of the tax group of these lines; credit an amount.`,
  );
}

export function takesBackToo(): DomainError {
  return DocumentRefusal.amount_exceeds_creditable.at(
    '/lines',
    'This would leave lines that take back, which no note can take alone; credit all, or less.',
  );
}

export function nothingCredited(): DomainError {
  return DocumentRefusal.amount_too_small.at(
    '/lines',
    'These lines come to nothing; credit more of what was sold.',
  );
}

export function assertDueAfterIssue({
  issueDate,
  dueDate,
}: Pick<DraftTerms, 'issueDate' | 'dueDate'>): void {
  if (!issueDate || !dueDate || dueDate >= issueDate) return;
  throw DocumentRefusal.due_before_issue.at('/due_date');
}

/** The bounds of the date of a document that is issued. */
export interface IssueBounds {
  /** The first day of the account's books. */
  booksFrom: IsoDate;
  /** The first day that is in no closed month. */
  openFrom: IsoDate;
  latest: IsoDate;
  /** Of a credit note: the day of its invoice. */
  invoiceDate: IsoDate | null;
}

/** The date of an invoice or a credit note is law: it is refused where the books cannot take it. */
export function assertIssueDate(
  { kind }: { kind: DocumentKind },
  issueDate: IsoDate,
  { booksFrom, openFrom, latest, invoiceDate }: IssueBounds,
): void {
  if (issueDate > latest) {
    throw FieldRefusal.date_in_future.at(
      '/issue_date',
      `issue_date must be ${latest} at the latest; issue_days_ahead of the seller says how far.`,
    );
  }
  if (issueDate < booksFrom) {
    throw tooEarly('issue_date', `${booksFrom}, the first day of your books`);
  }
  if (invoiceDate !== null && issueDate < invoiceDate) {
    throw tooEarly('issue_date', `${invoiceDate}, the date of the invoice`);
  }
  if (kind === 'quote' || issueDate >= openFrom) return;
  throw DocumentRefusal.period_closed.of(
    `The books are closed before ${openFrom}; date the document then or later, or reopen the month.`,
    { open_from: openFrom },
  );
}

export function dueDatePassed(dueDate: IsoDate, status: string): DomainError {
  return DocumentRefusal.due_date_passed.of(
    `The due date ${dueDate} is before the issue date; give the draft a later one.`,
    { document_status: status },
  );
}

/** Something that the rules of a document do not allow now, with the way out. */
export function actionRefused(
  { refusal, reason, wayOut }: ActionRefusal,
  status: string,
): DomainError {
  return refusal.of(`${reason} ${wayOut}`, { document_status: status });
}
