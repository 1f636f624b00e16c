import type { IsoDate } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { DocumentState } from './document-state.js';
import { warningsOf } from './document-warnings.js';
import type { DocumentKind, DocumentStatus } from './lifecycle.js';

/** What happened to a document, by the name of its public event. */
export interface DocumentFact {
  type: DocumentEvent;
  /** The status before; null for what is new. */
  from: DocumentStatus | null;
  to: DocumentStatus;
  /** The version that it made. */
  version: number;
  /** What the event says beside the document. */
  data: object;
}

export type DocumentHappening =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'issued'
  | 'accepted'
  | 'rejected'
  | 'converted'
  | 'conversion_undone'
  | 'partially_paid'
  | 'paid'
  | 'overpaid'
  | 'reopened'
  | 'credited'
  | 'credit_reversed'
  | 'written_off'
  | 'voided';

/** The names of `events/domain/event.ts` that are about documents. */
export type DocumentEvent =
  | `document.${DocumentHappening}`
  | `credit_note.${'created' | 'updated' | 'deleted' | 'issued' | 'voided'}`;

/** Events of credit notes have names of their own: whoever bills need not tell them apart. */
export function eventTypeOf(kind: DocumentKind, what: DocumentHappening): DocumentEvent {
  if (kind !== 'credit_note') return `document.${what}`;
  switch (what) {
    case 'created':
    case 'updated':
    case 'deleted':
    case 'issued':
    case 'voided':
      return `credit_note.${what}`;
    default:
      throw new Error(`a credit note is never ${what}`);
  }
}

/**
 * What an invoice's event says of a credit note that came, or went. Minor units.
 * @param waived the waived shortfall that was taken back for it
 */
export function creditOf(
  creditNoteId: Uuid,
  applied: Money,
  waived: Money,
  issueDate: IsoDate | null = null,
) {
  return {
    credit_note_id: publicId('doc', creditNoteId),
    amount: applied.toMinorNumber(),
    amount_waived: waived.toMinorNumber(),
    issue_date: issueDate,
  };
}

/** What a total is made of, for the books. */
export function figuresOf(state: Readonly<DocumentState>) {
  return {
    issue_date: state.issueDate,
    figures: {
      net_total: state.netTotal.toMinorNumber(),
      tax_total: state.taxTotal.toMinorNumber(),
      rounding: state.rounding.toMinorNumber(),
    },
  };
}

/** What the event of an issued document says: its figures, and what may not have been meant. */
export function issuedData(state: Readonly<DocumentState>) {
  const warnings = warningsOf(state);
  return { ...figuresOf(state), ...(warnings.length > 0 && { warnings }) };
}
