import type { DocumentState, NewDraft } from './document-state.js';
import { noMoney } from './document-sums.js';

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
