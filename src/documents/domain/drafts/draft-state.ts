import { addDays, type IsoDate, startOfDay } from '../../../kernel/clock.js';
import { datedDiscounts } from '../cash-discount.js';
import type { DocumentState, NewDraft } from '../document-state.js';
import { noMoney } from '../document-sums.js';

/** A draft to which nothing has happened yet. */
export function draftState(draft: NewDraft, now: Date): DocumentState {
  return {
    ...draft,
    ...noMoney(draft.currency),
    lifecycle: 'draft',
    taxRelief: null,
    number: null,
    numbered: null,
    numberBefore: null,
    lapsesAt: null,
    acceptedAt: null,
    acceptedBy: null,
    rejection: null,
    convertedAt: null,
    writtenOffAt: null,
    settledAt: null,
    version: 1,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
    issuedAt: null,
    voidedAt: null,
  };
}

/** The day of issue, and the terms that count from it. */
export interface IssueDates {
  issueDate: IsoDate;
  /** Days. */
  terms: number;
  timeZone: string;
}

/** The dates that issuing fixes. */
export function issuedTerms(
  draft: Pick<DocumentState, 'dueDate' | 'cashDiscounts'>,
  { issueDate, terms, timeZone }: IssueDates,
  now: Date,
) {
  const dueDate = draft.dueDate ?? addDays(issueDate, terms);
  const lapsesAt = startOfDay(addDays(dueDate, 1), timeZone);
  const cashDiscounts = datedDiscounts(draft.cashDiscounts, issueDate, timeZone);
  return { issueDate, dueDate, lapsesAt, cashDiscounts, issuedAt: now };
}
