import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import { paymentDisputed } from '../../../port/domain/payment-refusals.js';
import {
  freeOn,
  type Holding,
  refundable as refundableOf,
} from '../../../recording/domain/holding.js';
import { exceedsRefundable, type RefundPart } from '../refund.js';

/** The parts of a payment that can still go back. */
export interface Refundable {
  holding: Holding;
  /** Its documents, that of the newest allocation first. */
  newestFirst: readonly Uuid[];
  /** The customer's credit that is not spent, and not on its way back. */
  spendable: Money;
  /** Its documents whose credit notes gave credit. */
  noted: readonly CreditedByNotes[];
}

/** A document that credit notes settled further than money did. */
export interface CreditedByNotes {
  documentId: Uuid;
  /** The credit that its notes gave: where its money goes back, that goes onto the document. */
  credit: Money;
  /** The most that it gives beside: more would open again what a note settled. */
  most: Money;
}

/** `credit`, a document, or null: credit first, then the payment's newest allocations. */
export type RefundFrom = 'credit' | { documentId: Uuid } | null;

/** A document, as far as credit notes of it matter here. */
interface NotedDocument {
  id: Uuid;
  creditNotesTotal: Money;
  amountCredited: Money;
}

/** The documents of a payment whose credit notes gave credit. */
export function creditedDocuments<Noted extends NotedDocument>(
  holding: Holding,
  documents: readonly Noted[],
): Noted[] {
  return documents.filter(
    (one) => givenBy(one).isPositive() && freeOn(holding, one.id).isPositive(),
  );
}

/**
 * @param documents those of `creditedDocuments`
 * @param onThem all payments that were ever for them, this one included
 */
export function creditedByNotes(
  documents: readonly NotedDocument[],
  onThem: readonly Holding[],
): CreditedByNotes[] {
  return documents.map((document) => {
    const credit = givenBy(document);
    const free = onThem.map((one) => freeOn(one, document.id));
    const most = Money.sum(free, credit.currency).minus(credit).atLeastZero();
    return { documentId: document.id, credit, most };
  });
}

/** The places of a refund, and what it is to keep until it has gone. */
export interface RefundPlan {
  amount: Money;
  fromCredit: Money;
  parts: RefundPart[];
  /** Credit of notes that goes onto the documents with it. */
  creditKept: Money;
}

/**
 * Plans where a refund comes from. The credit that the payment left goes first. Then come documents
 * whose notes gave credit, as far as that is there: no document is due again that a note settled.
 * `from` names one place instead, and may so take credit that came from elsewhere, or open a document
 * again.
 */
export function planRefund(
  of: Refundable,
  asked: { amount: Money | null; from: RefundFrom },
): RefundPlan {
  const { holding, spendable, noted } = of;
  const { from } = asked;
  const left = refundableOf(holding);
  const most = mostOf(of, from);
  const there = [most.own, most.other, ...most.documents.flatMap(({ kept, rest }) => [kept, rest])];
  const refundable = left.min(Money.sum(there, spendable.currency));
  const amount = asked.amount ?? refundable;
  if (!amount.isPositive() || amount.compare(refundable) > 0) {
    const isWithin = !asked.amount || asked.amount.compare(left.plus(holding.disputed)) <= 0;
    if (holding.disputed.isPositive() && isWithin) throw paymentDisputed(refundable);
    const isCredited = from === null && noted.length > 0 && refundable.compare(left) < 0;
    throw exceedsRefundable(refundable, isCredited);
  }
  const take = takingFrom(amount);
  const own = take(most.own);
  const kept = most.documents.map((one) => take(one.kept));
  const parts = most.documents.map(({ documentId, rest }, index) => {
    const byNotes = kept[index] ?? Money.zero(amount.currency);
    return { documentId, amount: byNotes.plus(take(rest)) };
  });
  return {
    amount,
    fromCredit: own.plus(take(most.other)),
    parts: parts.filter((part) => part.amount.isPositive()),
    creditKept: Money.sum(kept, amount.currency),
  };
}

/** The most that each place gives: of a document what its notes made credit, and the rest. */
function mostOf({ holding, newestFirst, spendable, noted }: Refundable, from: RefundFrom) {
  const zero = Money.zero(spendable.currency);
  const isOfDocument = from !== null && from !== 'credit';
  const own = isOfDocument ? zero : holding.rest.min(spendable);
  let credit = spendable.minus(own);
  const documents = (isOfDocument ? [from.documentId] : newestFirst).map((documentId) => {
    const free = freeOn(holding, documentId);
    const notes = noted.find((one) => one.documentId === documentId);
    const kept = free.min(notes?.credit ?? zero).min(credit);
    credit = credit.minus(kept);
    const rest = free.minus(kept);
    const most = isOfDocument ? rest : (notes?.most ?? rest);
    return { documentId, kept, rest: from === 'credit' ? zero : rest.min(most) };
  });
  return { own, documents, other: from === 'credit' ? credit : zero };
}

/** Takes from one place after the other, until it has the amount. */
function takingFrom(amount: Money): (there: Money) => Money {
  let missing = amount;
  return (there) => {
    const part = there.min(missing);
    missing = missing.minus(part);
    return part;
  };
}

/** The places of a refund that the provider has made already. */
export interface GonePlan extends Omit<RefundPlan, 'amount'> {
  /** The part that nobody can be asked for: the payment has no more. */
  lost: Money;
  /** Credit that the payment gave and that is spent: it has to come back first. */
  spent: Money;
}

/**
 * Plans a refund that is made already, so that nothing refuses it. It takes what any refund takes
 * that names no place. For the rest documents open again that credit notes settled, and what the
 * payment has no more is lost.
 */
export function planGone(of: Refundable, amount: Money): GonePlan {
  const { holding, spendable } = of;
  const taken = holding.payment.amount.minus(holding.returned).atLeastZero().min(amount);
  const own = holding.rest.min(taken);
  const most = mostOf(of, null);
  const take = takingFrom(taken);
  const fromCredit = take(most.own);
  const kept = most.documents.map((one) => take(one.kept));
  const usual = most.documents.map(({ rest }) => take(rest));
  const spent = own
    .minus(spendable)
    .atLeastZero()
    .min(taken.minus(Money.sum([fromCredit, ...kept, ...usual], amount.currency)));
  const parts = most.documents.map(({ documentId }, index) => {
    const none = Money.zero(amount.currency);
    const part = (kept[index] ?? none).plus(usual[index] ?? none);
    return { documentId, amount: part.plus(take(freeOn(holding, documentId).minus(part))) };
  });
  const given = Money.sum([fromCredit, ...parts.map((part) => part.amount)], amount.currency);
  return {
    fromCredit,
    parts: parts.filter((part) => part.amount.isPositive()),
    creditKept: Money.sum(kept, amount.currency),
    lost: amount.minus(given),
    spent,
  };
}

/** The credit that notes of a document gave the customer, instead of taking it off. */
function givenBy({
  creditNotesTotal,
  amountCredited,
}: Pick<NotedDocument, 'creditNotesTotal' | 'amountCredited'>): Money {
  return creditNotesTotal.minus(amountCredited);
}
