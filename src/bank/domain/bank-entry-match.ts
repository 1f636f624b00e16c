import { daysBetween, type IsoDate } from '../../kernel/clock.js';
import { creditorReference, parseCreditorReference } from '../../kernel/creditor-reference.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { referenceKey } from '../../kernel/reference-key.js';
import { isConversion } from './bank-entry.js';
import type { StatedBankEntry } from './bank-statement.js';
import { isLike } from './names/name-likeness.js';
import { isWithin, type NamesInText, type TextPlace } from './names/names-in-text.js';

/** An invoice that an entry may be for. */
export interface Candidate {
  documentId: Uuid;
  customerId: Uuid;
  customerName: string;
  number: string;
  paymentReference: string;
  due: Money;
  dueDate: IsoDate | null;
  /** It takes payments, and something is due. */
  isPayable: boolean;
  /** The payer's account paid for this customer before. */
  isKnownPayer: boolean;
}

/** Why a document may be meant, and how much that weighs. */
const WEIGHTS = {
  reference: 60,
  number: 45,
  amount: 30,
  payer_iban: 20,
  payer_name: 15,
  due_date: 5,
};

type Reason = keyof typeof WEIGHTS;
export const REASONS = Object.keys(WEIGHTS) as Reason[];

/** A document that an entry may be for, and why. */
export interface Proposal {
  candidate: Candidate;
  /** 0 to 100. */
  score: number;
  reasons: Reason[];
}

/** The part of an entry that one document takes. */
export interface BankEntryPart {
  documentId: Uuid;
  amount: Money;
}

const NEAR_DAYS = 14;
const LOWEST_SCORE = 20;
const MOST_PROPOSALS = 10;

/** The candidates that the payer's words name. */
interface Named {
  /** Of ISO 11649, with right check digits. */
  byReference: Candidate[];
  /** By number, or by a reference in words. */
  byWords: Candidate[];
  /** The places of the text that name each candidate. */
  places: ReadonlyMap<Candidate, TextPlace[]>;
}

/**
 * The documents that an entry surely pays; undefined if a person has to look.
 *
 * A reference of ISO 11649 is sure if it belongs to exactly one payable invoice and no other
 * payable one is named. A payer does not hit its check digits by chance, so the amount does not
 * matter. Numbers in the text, and references in words, are sure if all that is named is payable, of
 * one customer, and its dues sum to exactly the amount (decision 255).
 */
export function sureMatch(
  entry: StatedBankEntry,
  names: NamesInText,
  candidates: readonly Candidate[],
): BankEntryPart[] | undefined {
  if (!isIncoming(entry) || !entry.amount.isPositive()) return;
  const { byReference, byWords, places } = namedAmong(names, candidates);
  const named = [...new Set([...byReference, ...byWords])];
  if (isExactly(entry.amount, named) && isEachNamed(places, named)) {
    return named.map(({ documentId, due }) => ({ documentId, amount: due }));
  }
  const isOpen = ({ isPayable, due }: Candidate) =>
    isPayable && due.currency === entry.amount.currency;
  const [only, ...others] = named.filter(isOpen);
  if (!only || others.length > 0 || !byReference.includes(only)) return undefined;
  // Callers may give a reference that another customer has: it may be that one's money.
  if (byReference.some(({ customerId }) => customerId !== only.customerId)) return undefined;
  return [{ documentId: only.documentId, amount: only.due.min(entry.amount) }];
}

/** Money of somebody else that came in. */
function isIncoming(entry: StatedBankEntry): boolean {
  return entry.direction === 'credit' && !entry.isReversal && !isConversion(entry);
}

function isExactly(amount: Money, named: readonly Candidate[]): boolean {
  const [first] = named;
  const isAllOfOne = named.every(
    ({ isPayable, due, customerId }) =>
      isPayable && due.currency === amount.currency && customerId === first?.customerId,
  );
  if (!first || !isAllOfOne) return false;
  const dues = named.map(({ due }) => due);
  return Money.sum(dues, amount.currency).compare(amount) === 0;
}

/** The documents that an entry may be for, the likeliest first. */
export function proposalsFor(
  entry: StatedBankEntry,
  names: NamesInText,
  candidates: readonly Candidate[],
): Proposal[] {
  if (!isIncoming(entry)) return [];
  const named = namedAmong(names, candidates);
  return candidates
    .filter(
      (one) =>
        one.isPayable &&
        (one.due.currency === entry.amount.currency ||
          // In another currency amounts say nothing: the payer has to name it.
          [...named.byReference, ...named.byWords].includes(one)),
    )
    .map((candidate) => {
      const reasons = reasonsFor(entry, names, named, candidate);
      const score = reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0);
      return { candidate, reasons, score: Math.min(score, 100) };
    })
    .filter(({ score }) => score >= LOWEST_SCORE)
    .sort(
      (one, other) =>
        other.score - one.score || (one.candidate.documentId < other.candidate.documentId ? -1 : 1),
    )
    .slice(0, MOST_PROPOSALS);
}

function reasonsFor(
  entry: StatedBankEntry,
  names: NamesInText,
  named: Named,
  candidate: Candidate,
): Reason[] {
  const { due, dueDate, customerName } = candidate;
  const isByReference =
    named.byReference.includes(candidate) ||
    (named.byWords.includes(candidate) &&
      placesOfWords(names, candidate.paymentReference).length > 0);
  const holds: Record<Reason, boolean> = {
    reference: isByReference,
    number: !isByReference && named.byWords.includes(candidate),
    amount: due.currency === entry.amount.currency && due.compare(entry.amount) === 0,
    payer_iban: candidate.isKnownPayer,
    payer_name: entry.counterpartyName !== null && isLike(entry.counterpartyName, customerName),
    due_date: dueDate !== null && daysBetween(dueDate, entry.bookedOn) <= NEAR_DAYS,
  };
  return REASONS.filter((reason) => holds[reason]);
}

function namedAmong(names: NamesInText, candidates: readonly Candidate[]): Named {
  const places = new Map(candidates.map((one) => [one, placesAmong(names, one)]));
  const placesOf = (one: Candidate) => places.get(one) ?? [];
  const byReference = candidates.filter((one) => names.references.has(one.paymentReference));
  const found = candidates.filter((one) => placesOf(one).length > 0);
  // `2026` in `INV-2026-1` is no document of its own.
  const byWords = found.filter(
    (one) => !isWithin(placesOf(one), found.filter((other) => other !== one).flatMap(placesOf)),
  );
  return { byReference, byWords, places };
}

/** The places of an invoice's number, and of words that its caller gave as its reference. */
function placesAmong(names: NamesInText, { number, paymentReference }: Candidate): TextPlace[] {
  const byNumber = names.places.get(creditorReference(number) ?? '') ?? names.written.get(number);
  return [...(byNumber ?? []), ...placesOfWords(names, paymentReference)];
}

/** Of none with check digits: these are found apart, and are sure. */
function placesOfWords(names: NamesInText, reference: string): TextPlace[] {
  const isChecked = parseCreditorReference(reference) !== undefined;
  return isChecked ? [] : (names.keys.get(referenceKey(reference)) ?? []);
}

/** No reference, and no place in a text, is that of two. */
function isEachNamed(places: Named['places'], named: readonly Candidate[]): boolean {
  const taken = named.flatMap((one) => {
    const ofOne = (places.get(one) ?? []).map(({ text, start, end }) => `${text} ${start} ${end}`);
    return [...new Set(ofOne)];
  });
  const references = new Set(named.map((one) => one.paymentReference));
  return references.size === named.length && new Set(taken).size === taken.length;
}
