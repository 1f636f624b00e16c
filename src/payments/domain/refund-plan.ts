import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { paymentDisputed } from './dispute.js';
import { freeOn, type Holding, refundable as refundableOf } from './holding.js';
import { exceedsRefundable, type RefundPart } from './refund.js';

/** The parts of a payment that can still go back. */
export interface Refundable {
  holding: Holding;
  /** Its documents, that of the newest allocation first. */
  newestFirst: readonly Uuid[];
  /** The customer's credit that is not spent, and not on its way back. */
  spendable: Money;
  credited: CreditedByNotes | null;
}

/** The credit that credit notes gave, by the document that a payment pays. */
export interface CreditedByNotes {
  /** The part of that credit that a refund of this payment may take. */
  credit: Money;
  /** The most that these documents give back: more would open again what a note settled. */
  most: ReadonlyMap<Uuid, Money>;
}

/** `credit`, a document, or null: credit first, then the payment's newest allocations. */
export type RefundFrom = 'credit' | { documentId: Uuid } | null;

/** A document, as far as credit notes of it matter here. */
interface NotedDocument {
  id: Uuid;
  creditNotesTotal: Money;
  amountCredited: Money;
}

/** The documents of a payment of which a credit note made credit. */
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
  holding: Holding,
  documents: readonly NotedDocument[],
  onThem: readonly Holding[],
): CreditedByNotes {
  const { currency } = holding.payment.amount;
  const sum = (amounts: Money[]) => Money.sum(amounts, currency);
  const freeOnAll = ({ id }: NotedDocument) => sum(onThem.map((one) => freeOn(one, id)));
  const paying = onThem.filter((one) => documents.some(({ id }) => freeOn(one, id).isPositive()));
  const wentBack = sum(paying.map(({ beyondRest }) => beyondRest));
  const left = atLeastZero(sum(documents.map(givenBy)).minus(wentBack));
  const own = sum(documents.map((one) => givenBy(one).min(freeOn(holding, one.id))));
  return {
    credit: left.min(own),
    most: new Map(
      documents.map((one) => [one.id, atLeastZero(freeOnAll(one).minus(givenBy(one)))]),
    ),
  };
}

/**
 * Plans where a refund comes from. The credit that the payment or a credit note gave goes first, so
 * that no document is due again that a note settled. `from` names one place instead, and may so
 * take credit that came from elsewhere, or open a document again.
 * @throws DomainError `amount_exceeds_refundable`, `payment_disputed`
 */
export function planRefund(
  { holding, newestFirst, spendable, credited }: Refundable,
  asked: { amount: Money | null; from: RefundFrom },
): { amount: Money; fromCredit: Money; parts: RefundPart[] } {
  const { from } = asked;
  const zero = Money.zero(spendable.currency);
  const left = refundableOf(holding);
  const isOfDocument = from !== null && from !== 'credit';
  const own = holding.rest.plus(credited?.credit ?? zero).min(spendable);
  const credit = isOfDocument ? zero : from ? spendable : own;
  const documents = isOfDocument ? [from.documentId] : from ? [] : newestFirst;
  const free = documents.map((documentId) => {
    const there = freeOn(holding, documentId);
    return from === null ? there.min(credited?.most.get(documentId) ?? there) : there;
  });
  const refundable = left.min(Money.sum([credit, ...free], zero.currency));
  const amount = asked.amount ?? refundable;
  if (!amount.isPositive() || amount.compare(refundable) > 0) {
    const isWithin = !asked.amount || asked.amount.compare(left.plus(holding.disputed)) <= 0;
    if (holding.disputed.isPositive() && isWithin) throw paymentDisputed(refundable);
    const isCredited = from === null && credited !== null && refundable.compare(left) < 0;
    throw exceedsRefundable(refundable, isCredited);
  }
  const fromCredit = credit.min(amount);
  let missing = amount.minus(fromCredit);
  const parts = documents.map((documentId, index) => {
    const part = missing.min(free[index] ?? zero);
    missing = missing.minus(part);
    return { documentId, amount: part };
  });
  return { amount, fromCredit, parts: parts.filter((part) => part.amount.isPositive()) };
}

/** The places of a refund that the provider has made already. */
export interface GonePlan {
  fromCredit: Money;
  parts: RefundPart[];
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
export function planGone(
  { holding, newestFirst, spendable, credited }: Refundable,
  amount: Money,
): GonePlan {
  const zero = Money.zero(amount.currency);
  const taken = atLeastZero(holding.payment.amount.minus(holding.returned)).min(amount);
  const own = holding.rest.min(taken);
  const fromCredit = own
    .plus(credited?.credit ?? zero)
    .min(spendable)
    .min(taken);
  let missing = taken.minus(fromCredit);
  const take = (most: Money) => {
    const part = most.min(missing);
    missing = missing.minus(part);
    return part;
  };
  const kept = newestFirst.map((documentId) => {
    const there = freeOn(holding, documentId);
    const part = take(there.min(credited?.most.get(documentId) ?? there));
    return { documentId, amount: part, left: there.minus(part) };
  });
  const spent = atLeastZero(own.minus(spendable)).min(missing);
  const parts = kept
    .map(({ documentId, amount: part, left }) => ({ documentId, amount: part.plus(take(left)) }))
    .filter((part) => part.amount.isPositive());
  return { fromCredit, parts, lost: amount.minus(taken).plus(missing), spent };
}

/** The credit that notes of a document gave the customer, instead of taking it off. */
export function givenBy({
  creditNotesTotal,
  amountCredited,
}: Pick<NotedDocument, 'creditNotesTotal' | 'amountCredited'>): Money {
  return creditNotesTotal.minus(amountCredited);
}

function atLeastZero(amount: Money): Money {
  return amount.isNegative() ? Money.zero(amount.currency) : amount;
}
