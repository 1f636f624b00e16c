import type { RefundMeaningName } from '../../../recording/domain/payment-settings.js';
import type { NewCreditNote } from '../../../../documents/index.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Money } from '../../../../kernel/money.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

/** `default`: neither the call nor a setting said it, so that nobody is asked for the money. */
export const MEANINGS_SAID_BY = ['call', 'setting', 'default', 'later'] as const;

/** The meaning of a refund for the documents that give it. */
export interface RefundMeaning {
  /** Counts what was said of it, from 1. */
  step: number;
  name: RefundMeaningName;
  saidBy: (typeof MEANINGS_SAID_BY)[number];
  /** The terms of the credit note; null: over what goes back. */
  note: NewCreditNote | null;
  /** The code with which a note was refused when the money had gone. */
  problem: string | null;
  clientId: Uuid | null;
  at: Date;
}

/** A credit note over what a refund gave back of a document. */
export interface RefundNote {
  documentId: Uuid;
  creditNoteId: Uuid;
  number: string;
  isVoid: boolean;
}

/** The words of a call about it; null where it has none. */
export type SaidMeaning = Pick<RefundMeaning, 'name' | 'note'> | null;

/** A refund, as far as its meaning is about it. */
interface Given {
  parts: readonly GivenPart[];
  meaning: RefundMeaning | null;
  notes: readonly RefundNote[];
}

interface GivenPart {
  documentId: Uuid;
  amount: Money;
}

interface GivenAndSettled extends Given {
  status: string;
  undoing: { kind: string } | null;
}

/** Whether a note comes with it, so that the document is never due again. */
export function isLowering({ meaning }: Pick<Given, 'meaning'>): boolean {
  return meaning?.name === 'lowers_document' && meaning.problem === null;
}

/** The part of a document whose meaning nobody has said. A credit note of it says the meaning. */
export function undecidedPart({ parts, meaning, notes }: Given, documentId: Uuid): Money | null {
  const part = parts.find((one) => one.documentId === documentId);
  if (!part || !meaning) return null;
  const isOpen = meaning.saidBy === 'default' || meaning.problem !== null;
  const hasNote = notes.some((note) => note.documentId === documentId);
  return isOpen && !hasNote ? part.amount : null;
}

export function isUndecided(refund: GivenAndSettled): boolean {
  if (refund.status !== 'succeeded' || refund.undoing !== null) return false;
  return refund.parts.some(({ documentId }) => undecidedPart(refund, documentId) !== null);
}

/** The parts that no note stands for. */
export function partsWithoutNote({ parts, notes }: Given): GivenPart[] {
  return parts.filter(
    ({ documentId }) => !notes.some((note) => note.documentId === documentId && !note.isVoid),
  );
}

export function assertMeant(
  { parts }: Pick<Given, 'parts'>,
  said: SaidMeaning,
  gateway: string | null,
): void {
  if (said === null) return;
  if (parts.length === 0) {
    throw notPossible(
      '/meaning',
      'No document gives anything of this refund: credit does, and a note may have made it. Leave meaning out.',
    );
  }
  if (!said.note) return;
  if (said.name !== 'lowers_document') {
    throw notPossible('/credit_note', 'Send credit_note only with the meaning `lowers_document`.');
  }
  const { lines, amountMinor, externalId, issueDate } = said.note;
  if (parts.length > 1 && (lines ?? amountMinor ?? externalId) !== null) {
    throw notPossible(
      '/credit_note',
      'Several documents give this refund, and each gets a credit note over its part: leave lines, amount and external_id out, or refund from one document.',
    );
  }
  if (gateway === null || issueDate === null) return;
  throw notPossible(
    '/credit_note/issue_date',
    'The credit note is made when the provider has given the money back; leave issue_date out.',
  );
}

export function assertDecidable(refund: GivenAndSettled, said: NonNullable<SaidMeaning>): void {
  assertMeant(refund, said, null);
  const standing = refund.notes.filter(({ isVoid }) => !isVoid);
  const shown = refund.undoing?.kind ?? refund.status;
  if (shown !== 'succeeded') {
    throw decided(`Only a refund that has succeeded is decided; this one is ${shown}.`);
  }
  const isDone = said.name === 'owed_again' ? standing.length > 0 : !hasPartLeft(refund);
  if (!isDone) return;
  const numbers = standing.map(({ number }) => number).join(', ');
  throw decided(`The document is lowered by ${numbers}: void it first, and what went back is due.`);
}

/** It is owed again already, and somebody has said so. */
export function isSaidAlready({ meaning }: Given, said: NonNullable<SaidMeaning>): boolean {
  const isOwed = said.name === 'owed_again' && meaning?.name === 'owed_again';
  return isOwed && meaning.saidBy !== 'default';
}

function hasPartLeft(refund: Given): boolean {
  return partsWithoutNote(refund).length > 0;
}

function notPossible(pointer: string, detail: string): DomainError {
  return PaymentRefusal.refund_meaning_not_possible.at(pointer, detail);
}

function decided(detail: string): DomainError {
  return PaymentRefusal.refund_meaning_decided.of(detail);
}

export function creditNoteDiffers(total: Money, part: Money): DomainError {
  return PaymentRefusal.credit_note_differs.at(
    '/credit_note',
    `The credit note comes to ${total.minor} (${total}), and the refund takes ${part.minor} ` +
      `(${part}) of the document; make both the same.`,
    { credit_note_total: total.toMinorNumber(), amount_of_document: part.toMinorNumber() },
  );
}
