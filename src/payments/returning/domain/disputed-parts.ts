import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { type Holding, afterTaken } from '../../recording/domain/holding.js';

/** A part of a document that is disputed, or is no longer. */
export interface DisputedPart {
  documentId: Uuid;
  amount: Money;
}

/** The documents that disputed money pays: the payment's credit is disputed first, as it goes first. */
function disputedParts(
  { rest, allocations }: Holding,
  newestFirst: readonly Uuid[],
  disputed: Money,
): DisputedPart[] {
  const none = Money.zero(disputed.currency);
  let left = disputed.minus(rest.min(disputed));
  return newestFirst.flatMap((documentId) => {
    const free = allocations.find((one) => one.documentId === documentId)?.free ?? none;
    const amount = free.min(left);
    left = left.minus(amount);
    return amount.isPositive() ? [{ documentId, amount }] : [];
  });
}

/**
 * The parts of each of several disputes of a payment: what one holds is not there for the next.
 * @param holding as if nothing was disputed
 * @param disputed the amount of each
 */
export function partsOfDisputes(
  holding: Holding,
  newestFirst: readonly Uuid[],
  disputed: readonly Money[],
): DisputedPart[][] {
  let left = holding;
  return disputed.map((amount) => {
    const parts = disputedParts(left, newestFirst, amount);
    left = afterTaken(left, { parts, fromCredit: left.rest.min(amount) });
    return parts;
  });
}

/** The changes that lead from the parts of before to those of now. */
export function changesOf(
  before: readonly DisputedPart[],
  now: readonly DisputedPart[],
): DisputedPart[] {
  const gone = before.map(({ documentId, amount }) => ({ documentId, amount: amount.negated() }));
  const sums = new Map<Uuid, Money>();
  for (const { documentId, amount } of [...gone, ...now]) {
    const sum = sums.get(documentId);
    sums.set(documentId, sum ? sum.plus(amount) : amount);
  }
  return [...sums]
    .map(([documentId, amount]) => ({ documentId, amount }))
    .filter(({ amount }) => !amount.isZero());
}
