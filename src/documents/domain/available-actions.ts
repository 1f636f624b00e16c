import type { Money } from '../../kernel/money.js';
import type { DocumentState } from './document-state.js';
import { type DocumentKind, type DocumentStatus, NEXT } from './lifecycle.js';

export const ACTIONS = [
  'edit',
  'delete',
  'issue',
  'accept',
  'reject',
  'pay',
  'credit',
  'write_off',
  'void',
  'convert',
  'revise',
  'duplicate',
] as const;
export type Action = (typeof ACTIONS)[number];

/** A document as the rules see it. */
export interface Judged {
  state: Readonly<DocumentState>;
  status: DocumentStatus;
  amountDue: Money;
  /** What credit notes may still take back. */
  creditable: Money;
}

interface Rule {
  code: string;
  /** What must be so, as the beginning of a sentence. */
  needs: string;
  allows(document: Judged): boolean;
  /** What to do instead. */
  wayOut(document: Judged): string;
}

const NAMES: Record<DocumentKind, string> = {
  invoice: 'invoice',
  quote: 'quote',
  credit_note: 'credit note',
};

const isTouched = ({ state }: Judged) =>
  state.amountPaid.isPositive() || state.creditNotesTotal.isPositive();

/** Of what is paid or credited, and so cannot be taken back as a whole. */
const undoMoney = ({ state }: Judged) =>
  state.amountPaid.isPositive()
    ? 'Make a credit note for what should not be owed.'
    : 'Void its credit notes first.';

const forKind = (document: Judged, hint: string) =>
  document.status === 'draft' ? 'Issue it first.' : hint;

/** Each thing that may be done, and when. Services ask this table, and so does every reader. */
const RULES: Record<Action, Rule> = {
  edit: {
    code: 'document_not_draft',
    needs: 'Only a draft can be changed or deleted',
    allows: ({ state }) => state.lifecycle === 'draft',
    wayOut: (document) =>
      RULES.revise.allows(document)
        ? 'Revise it: POST .../revise makes a new version to change.'
        : 'Duplicate it, or make a credit note.',
  },
  delete: {
    code: 'document_not_draft',
    needs: 'Only a draft can be changed or deleted',
    allows: ({ state }) => state.lifecycle === 'draft',
    wayOut: (document) =>
      RULES.void.allows(document) ? 'Void it: the number stays taken.' : 'It stays in the books.',
  },
  issue: {
    code: 'document_not_draft',
    needs: 'Only a draft can be issued',
    allows: ({ state }) => state.lifecycle === 'draft',
    wayOut: () => 'It is issued already; duplicate it to issue another one.',
  },
  accept: {
    code: 'document_not_acceptable',
    needs: 'Only an open quote can be accepted',
    allows: ({ state, status }) => state.kind === 'quote' && status === 'open',
    wayOut: (document) =>
      document.status === 'expired'
        ? 'Ask the sender for a new version.'
        : forKind(document, 'Ask the sender for a new quote.'),
  },
  reject: {
    code: 'document_not_rejectable',
    needs: 'Only an open document with nothing paid can be rejected',
    allows: (document) =>
      document.state.kind !== 'credit_note' && document.status === 'open' && !isTouched(document),
    wayOut: (document) => forKind(document, 'Talk to the sender.'),
  },
  pay: {
    code: 'document_not_payable',
    needs: 'Only an issued, open invoice takes payments',
    allows: ({ state }) =>
      state.kind === 'invoice' &&
      (state.lifecycle === 'open' || state.lifecycle === 'uncollectible'),
    wayOut: (document) =>
      document.state.kind === 'quote'
        ? 'Convert it to an invoice.'
        : forKind(document, 'Make a new invoice.'),
  },
  credit: {
    code: 'document_not_creditable',
    needs: 'Only an open invoice that is not wholly credited takes credit notes',
    allows: ({ state, creditable }) =>
      state.kind === 'invoice' && state.lifecycle === 'open' && creditable.isPositive(),
    wayOut: (document) =>
      document.status === 'draft' ? 'Change the draft.' : 'There is nothing left to credit.',
  },
  write_off: {
    code: 'nothing_to_write_off',
    needs: 'Only an open invoice with something due can be written off',
    allows: ({ state, amountDue }) =>
      state.kind === 'invoice' && state.lifecycle === 'open' && amountDue.isPositive(),
    wayOut: (document) => forKind(document, 'There is nothing left to collect.'),
  },
  void: {
    code: 'document_not_voidable',
    needs: 'Only an issued document with nothing paid can be voided',
    allows: (document) =>
      NEXT[document.state.kind][document.state.lifecycle].includes('void') && !isTouched(document),
    wayOut: (document) => {
      if (document.status === 'draft') return 'Delete the draft.';
      return isTouched(document) ? undoMoney(document) : 'Nothing needs to be done.';
    },
  },
  convert: {
    code: 'document_not_convertible',
    needs: 'Only an open or accepted quote can become an invoice',
    allows: ({ state, status }) =>
      state.kind === 'quote' && (status === 'open' || status === 'accepted'),
    wayOut: (document) =>
      document.state.kind === 'quote'
        ? forKind(document, 'Revise or duplicate it.')
        : 'Duplicate it.',
  },
  revise: {
    code: 'document_not_revisable',
    needs: 'Only an open, rejected or expired document with nothing paid can be revised',
    allows: (document) =>
      document.state.kind !== 'credit_note' &&
      ['open', 'rejected', 'expired'].includes(document.status) &&
      !isTouched(document),
    wayOut: (document) => {
      if (document.status === 'draft') return 'Change the draft.';
      return isTouched(document) ? undoMoney(document) : 'Duplicate it.';
    },
  },
  duplicate: {
    code: 'document_not_duplicable',
    needs: 'Only an invoice or a quote can be duplicated',
    allows: ({ state }) => state.kind !== 'credit_note',
    wayOut: () => 'Make another credit note of the invoice.',
  },
};

export interface Refusal {
  code: string;
  /** A sentence with the state that forbids it. */
  reason: string;
  wayOut: string;
}

/** Why something may not be done now; null when it may. */
export function refusalOf(action: Action, document: Judged): Refusal | null {
  const rule = RULES[action];
  if (rule.allows(document)) return null;
  const { kind } = document.state;
  return {
    code: rule.code,
    reason: `${rule.needs}; this ${NAMES[kind]} is ${document.status}.`,
    wayOut: rule.wayOut(document),
  };
}
