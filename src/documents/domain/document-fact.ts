import type { EventData } from '../../events/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { DocumentState } from './document-state.js';
import { dateWarningsOf } from './document-warnings.js';
import { type DocumentKind, type DocumentStatus, statusOf } from './lifecycle.js';
import type { NotedInvoice } from './noted-credit.js';

/** A change of a document; it becomes the public event `type`. */
export interface DocumentFact {
  type: DocumentEventType;
  /** The status before; null for what is new. */
  from: DocumentStatus | null;
  to: DocumentStatus;
  /** The version that it made. */
  version: number;
  /** The data of the event, without the document. */
  data: object;
  /** Of an invoice: what came of a credit note, or went. */
  credit?: CreditTaken;
  /** Of a credit note: the part of its credit that moved, and its invoice. */
  moved?: CreditMoved;
}

/** Credit of a note that went onto its invoice; below zero: came off again. */
export interface CreditMoved {
  amount: Money;
  invoice: NotedInvoice;
}

/** The amount that a credit note took off an invoice, or gave back to it. */
export interface CreditTaken {
  creditNoteId: Uuid;
  applied: Money;
  /** The waived shortfall that was taken back for it. */
  waived: Money;
  /** Of the credit note; null where it is voided. */
  issueDate: IsoDate | null;
  /** The day of the credit note: nothing of it counts before. */
  notBefore: IsoDate | null;
}

/** The types of events that are about a document alone. */
export type DocumentEventType = keyof EventData & `${'document' | 'credit_note'}.${string}`;

export type DocumentFactName = Tail<DocumentEventType & `document.${string}`>;
type CreditNoteFactName = Tail<DocumentEventType & `credit_note.${string}`>;
type Tail<Name> = Name extends `${string}.${infer Happening}` ? Happening : never;

/** The data of the event, without the document and its status before. */
export type DocumentFactData<What extends DocumentFactName> = Omit<
  EventData[`document.${What}`],
  'document' | 'previous_status'
>;

/** Credit notes have fewer steps than other documents, and each is one of theirs, too. */
const OF_CREDIT_NOTES: Record<CreditNoteFactName, true> = {
  created: true,
  updated: true,
  deleted: true,
  issued: true,
  moved: true,
  voided: true,
};

/** Events of credit notes have names of their own: whoever bills need not tell them apart. */
export function eventTypeOf(kind: DocumentKind, what: DocumentFactName): DocumentEventType {
  if (kind !== 'credit_note') return `document.${what}`;
  if (what in OF_CREDIT_NOTES) return `credit_note.${what as CreditNoteFactName}`;
  throw new Error(`a credit note is never ${what}`);
}

/** The public form of what a credit note did. Minor units. */
export function presentCredit({ creditNoteId, applied, waived, issueDate }: CreditTaken) {
  return {
    credit_note_id: publicId('doc', creditNoteId),
    amount: applied.toMinorNumber(),
    amount_waived: waived.toMinorNumber(),
    issue_date: issueDate,
  };
}

/** Moves credit of a note. Its invoice may change after that: the fact has it as it is now. */
export function movedCredit(
  state: DocumentState,
  { amount, invoice: { id, lifecycle } }: CreditMoved,
  now: Date,
): DocumentFact {
  const from = statusOf(state, now);
  state.amountApplied = state.amountApplied.plus(amount);
  state.amountMoved = state.amountMoved.plus(amount);
  state.version += 1;
  return {
    type: 'credit_note.moved',
    from,
    to: statusOf(state, now),
    version: state.version,
    data: { document_id: publicId('doc', id), amount: amount.toMinorNumber() },
    moved: { amount, invoice: { id, lifecycle } },
  };
}

/** The parts of a total, for the books. */
export function totalPartsData(state: Readonly<DocumentState>) {
  return {
    issue_date: state.issueDate,
    figures: {
      net_total: state.netTotal.toMinorNumber(),
      tax_total: state.taxTotal.toMinorNumber(),
      rounding: state.rounding.toMinorNumber(),
    },
  };
}

/** With the warning that could not be found again later; the others follow from the content. */
export function issuedData(state: Readonly<DocumentState>) {
  const warnings = dateWarningsOf(state);
  return { ...totalPartsData(state), ...(warnings.length > 0 && { warnings }) };
}

/** The client's word for a quote. */
export interface Acceptance {
  /** The name that somebody gave. */
  by?: string;
  /** The sentence that was confirmed, in the language of the page. */
  statement?: string;
}
