import type { Money } from '../../kernel/money.js';
import type { DomainRefusal } from '../../kernel/domain-refusal.js';
import type { DocumentState } from './document-state.js';
import { amountKept } from './document-sums.js';
import {
  type DocumentKind,
  type DocumentStatus,
  isCollected,
  isPayable,
  NEXT,
} from './lifecycle.js';
import { amountLost } from './tax-relief.js';
import { DocumentRefusal } from './refusals.js';

export const DOCUMENT_ACTIONS = [
  'edit',
  'delete',
  'issue',
  'accept',
  'reject',
  'pay',
  'credit',
  'write_off',
  'reverse_write_off',
  'claim_tax_relief',
  'void',
  'convert',
  'revise',
  'duplicate',
] as const;
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number];

/** A document as the rules see it. */
export interface ActedDocument {
  state: Readonly<DocumentState>;
  status: DocumentStatus;
  /** Not settled, whether it is asked for or not. */
  amountPayable: Money;
  /** The part that credit notes may still take. */
  amountCreditable: Money;
}

interface Rule {
  refusal: DomainRefusal;
  /** The condition, as the beginning of a sentence. */
  needs: string;
  allows(document: ActedDocument): boolean;
  /** The way out, as a sentence. */
  wayOut(document: ActedDocument): string;
}

const NAMES: Record<DocumentKind, string> = {
  invoice: 'invoice',
  quote: 'quote',
  credit_note: 'credit note',
};

const isTouched = ({ state }: ActedDocument) =>
  amountKept(state).isPositive() || state.creditNotesTotal.isPositive();

const isDraft = ({ state }: ActedDocument) => state.lifecycle === 'draft';

const NO_CREDIT_NOTES = 'Void its credit notes first.';

/** Of what is paid or credited, and so cannot be taken back as a whole. */
function undoMoney(document: ActedDocument): string {
  if (!amountKept(document.state).isPositive()) return NO_CREDIT_NOTES;
  return RULES.credit.allows(document)
    ? 'Make a credit note for the part that should not be owed.'
    : 'Refund or reverse its payments first.';
}

/** Another document instead of one that stays as it is. */
function inItsPlace(document: ActedDocument): string {
  if (document.state.kind === 'credit_note') {
    return RULES.void.allows(document) ? 'Void it, and make another one.' : 'Make another one.';
  }
  return RULES.credit.allows(document) ? 'Duplicate it, or make a credit note.' : 'Duplicate it.';
}

/** Says of each action when it may be done. Services and readers ask this one table. */
const RULES: Record<DocumentAction, Rule> = {
  edit: {
    refusal: DocumentRefusal.document_not_draft,
    needs: 'Only a draft can be changed or deleted',
    allows: isDraft,
    wayOut: (document) =>
      RULES.revise.allows(document)
        ? 'Revise it: POST .../revise makes a new version to change.'
        : inItsPlace(document),
  },
  delete: {
    refusal: DocumentRefusal.document_not_draft,
    needs: 'Only a draft can be changed or deleted',
    allows: isDraft,
    wayOut: (document) =>
      RULES.void.allows(document) ? 'Void it: the number stays taken.' : 'It stays in the books.',
  },
  issue: {
    refusal: DocumentRefusal.document_not_draft,
    needs: 'Only a draft can be issued',
    allows: isDraft,
    wayOut: ({ state }) =>
      state.kind === 'credit_note'
        ? 'It is issued already; make another one of the invoice.'
        : 'It is issued already; duplicate it to issue another one.',
  },
  accept: {
    refusal: DocumentRefusal.document_not_acceptable,
    needs: 'Only an open quote can be accepted',
    allows: ({ state, status }) => state.kind === 'quote' && status === 'open',
    wayOut: (document) => {
      if (document.state.kind !== 'quote') return 'It needs no acceptance.';
      if (isDraft(document)) return 'Issue it first.';
      return document.status === 'expired'
        ? 'Ask the sender for a new version.'
        : 'Ask the sender for a new quote.';
    },
  },
  reject: {
    refusal: DocumentRefusal.document_not_rejectable,
    needs: 'Only an open document with nothing paid can be rejected',
    allows: (document) =>
      document.state.kind !== 'credit_note' && document.status === 'open' && !isTouched(document),
    wayOut: (document) => {
      if (document.state.kind === 'credit_note') return 'It needs no answer.';
      return isDraft(document) ? 'Issue it first.' : 'Talk to the sender.';
    },
  },
  pay: {
    refusal: DocumentRefusal.document_not_payable,
    needs: 'Only an issued, open invoice takes payments',
    allows: ({ state }) => isPayable(state),
    wayOut: (document) => {
      if (RULES.convert.allows(document)) return 'Convert it to an invoice.';
      if (document.status === 'converted') return 'Pay the invoice that was made of it.';
      return isDraft(document) && document.state.kind === 'invoice'
        ? 'Issue it first.'
        : 'Make a new invoice.';
    },
  },
  credit: {
    refusal: DocumentRefusal.document_not_creditable,
    needs: 'Only an issued invoice that is not wholly credited takes credit notes',
    allows: ({ amountCreditable }) => amountCreditable.isPositive(),
    wayOut: (document) => {
      if (isDraft(document)) return 'Change the draft.';
      return RULES.void.allows(document) ? 'Void it.' : 'There is nothing left to credit.';
    },
  },
  write_off: {
    refusal: DocumentRefusal.nothing_to_write_off,
    needs: 'Only an open invoice with something due can be written off',
    allows: ({ state, amountPayable }) => isCollected(state) && amountPayable.isPositive(),
    wayOut: (document) =>
      isDraft(document) && document.state.kind === 'invoice'
        ? 'Issue it first.'
        : 'There is nothing left to collect.',
  },
  reverse_write_off: {
    refusal: DocumentRefusal.document_not_written_off,
    needs: 'Only an invoice that was written off, and is not paid, can be asked for again',
    allows: ({ status }) => status === 'uncollectible',
    wayOut: ({ state }) =>
      state.lifecycle === 'uncollectible' ? 'It is paid already.' : 'Nothing was given up.',
  },
  claim_tax_relief: {
    refusal: DocumentRefusal.no_tax_to_relieve,
    needs: 'Only an invoice with a loss, and tax in it that is not claimed yet, has relief',
    allows: ({ state }) =>
      isPayable(state) &&
      state.taxRelief === null &&
      state.taxTotal.isPositive() &&
      amountLost(state).isPositive(),
    wayOut: (document) => {
      if (document.state.taxRelief) return 'It is claimed, and follows what is paid.';
      return RULES.write_off.allows(document)
        ? 'Send tax_relief true where you write it off.'
        : 'Nothing needs to be done.';
    },
  },
  void: {
    refusal: DocumentRefusal.document_not_voidable,
    needs: 'Only an issued document with nothing paid can be voided',
    allows: (document) =>
      NEXT[document.state.kind][document.state.lifecycle].includes('void') && !isTouched(document),
    wayOut: (document) => {
      if (isDraft(document)) return 'Delete the draft.';
      return isTouched(document) ? undoMoney(document) : 'Nothing needs to be done.';
    },
  },
  convert: {
    refusal: DocumentRefusal.document_not_convertible,
    needs: 'Only an open or accepted quote can become an invoice',
    allows: ({ state, status }) =>
      state.kind === 'quote' && (status === 'open' || status === 'accepted'),
    wayOut: (document) => {
      const { kind } = document.state;
      if (kind !== 'quote') {
        return kind === 'invoice' ? 'It is an invoice already.' : 'Make a new invoice.';
      }
      if (isDraft(document)) return 'Issue it first.';
      return RULES.revise.allows(document) ? 'Revise or duplicate it.' : 'Duplicate it.';
    },
  },
  revise: {
    refusal: DocumentRefusal.document_not_revisable,
    needs: 'Only an open, rejected or expired document with nothing paid can be revised',
    allows: (document) =>
      document.state.kind !== 'credit_note' &&
      ['open', 'rejected', 'expired'].includes(document.status) &&
      !isTouched(document),
    wayOut: (document) => {
      if (isDraft(document)) return 'Change the draft.';
      const { state } = document;
      return state.lifecycle === 'open' && isTouched(document) && !amountKept(state).isPositive()
        ? NO_CREDIT_NOTES
        : inItsPlace(document);
    },
  },
  duplicate: {
    refusal: DocumentRefusal.document_not_duplicable,
    needs: 'Only an invoice or a quote can be duplicated',
    allows: ({ state }) => state.kind !== 'credit_note',
    wayOut: () => 'Make another credit note of the invoice.',
  },
};

export interface ActionRefusal {
  refusal: DomainRefusal;
  /** A sentence with the state that forbids it. */
  reason: string;
  wayOut: string;
}

/**
 * Steps after which money that is on its way would find no document, or a loss, with the way out. After all
 * others it is booked as if nothing had happened.
 */
const WAITS_FOR_MONEY: Partial<Record<DocumentAction, string>> = {
  reject: 'Wait until it has arrived or failed.',
  write_off:
    'Wait for it, or send "despite_processing": true: it is booked on the invoice when it comes.',
  void:
    'Wait for it, or send "despite_processing": true: when it comes it is an unmatched receipt, to ' +
    'be refunded or assigned.',
  revise: 'Wait for it, or void the document with "despite_processing": true, and duplicate it.',
};

/**
 * Why something may not be done now; null when it may.
 * @param despiteProcessing the caller knows that money is on its way
 */
export function refusalOf(
  action: DocumentAction,
  document: ActedDocument,
  despiteProcessing = false,
): ActionRefusal | null {
  const rule = RULES[action];
  const { kind, amountProcessing } = document.state;
  if (rule.allows(document)) {
    const wayOut = WAITS_FOR_MONEY[action];
    if (!wayOut || despiteProcessing || !amountProcessing.isPositive()) return null;
    const reason = `Money for this ${NAMES[kind]} is on its way at a provider: ${amountProcessing}.`;
    return { refusal: DocumentRefusal.payment_processing, reason, wayOut };
  }
  return {
    refusal: rule.refusal,
    reason: `${rule.needs}; this ${NAMES[kind]} is ${document.status}.`,
    wayOut: rule.wayOut(document),
  };
}
