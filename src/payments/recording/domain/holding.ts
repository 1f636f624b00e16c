import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { isFromCredit, type Payment } from './payment.js';

/** The place of each part of a payment, its row being locked. */
export interface Holding {
  payment: Payment;
  /** The first open day, where that of the payment was closed. */
  bookedOn: IsoDate | null;
  /** The part that went back, or is on its way. */
  returned: Money;
  /** The part of that which a provider took back. */
  takenBack: Money;
  /** The part that it took back, and that nobody can be asked for. */
  lost: Money;
  /** The part that the payer disputes: it stays where it is. */
  disputed: Money;
  isReversed: boolean;
  /** The part that each document has, and what of it is not refunded, on its way, or disputed. */
  allocations: { documentId: Uuid; amount: Money; free: Money }[];
  /** The credit that it gave the customer, less what of it is refunded or disputed. */
  rest: Money;
  /** The disputed part of that credit. */
  disputedRest: Money;
  /** The part that went back, or is on its way, of credit that credit notes gave, and not it. */
  beyondRest: Money;
}

export const HOLDING_STATUSES = ['recorded', 'partially_refunded', 'refunded', 'reversed'] as const;
export type HoldingStatus = (typeof HOLDING_STATUSES)[number];

export function holdingStatus({
  payment,
  returned,
  takenBack,
  isReversed,
}: Holding): HoldingStatus {
  if (isReversed) return 'reversed';
  if (returned.compare(takenBack) === 0) return 'recorded';
  return returned.compare(payment.amount) === 0 ? 'refunded' : 'partially_refunded';
}

/** The part that was taken out of the books: by hand all of it, or what a provider took back. */
export function amountReversed({ payment, takenBack, isReversed }: Holding): Money {
  return isReversed && takenBack.isZero() ? payment.amount : takenBack;
}

/** The amount that may still go back to the payer. Of spent credit nothing: no money came in. */
export function refundable(holding: Holding): Money {
  const { payment, returned, lost, disputed, isReversed } = holding;
  if (isReversed || isFromCredit(payment)) return Money.zero(payment.amount.currency);
  // A provider may take more than is still here: that part is not here to be refunded, either.
  return payment.amount.minus(returned).minus(lost).minus(disputed).atLeastZero();
}

/** The same as if nothing was disputed. @param parts what disputes hold of its documents */
export function undisputed(
  holding: Holding,
  parts: readonly { documentId: Uuid; amount: Money }[],
): Holding {
  const zero = Money.zero(holding.disputed.currency);
  const heldOf = (documentId: Uuid) =>
    Money.sum(
      parts.filter((part) => part.documentId === documentId).map(({ amount }) => amount),
      zero.currency,
    );
  return {
    ...holding,
    disputed: zero,
    allocations: holding.allocations.map((one) => ({
      ...one,
      free: one.free.plus(heldOf(one.documentId)),
    })),
    rest: holding.rest.plus(holding.disputedRest),
    disputedRest: zero,
  };
}

/** The holding after parts of its documents and its credit were taken. */
export function afterTaken(
  holding: Holding,
  {
    parts,
    fromCredit,
  }: { parts: readonly { documentId: Uuid; amount: Money }[]; fromCredit: Money },
): Holding {
  return {
    ...holding,
    allocations: holding.allocations.map((one) => {
      const part = parts.find(({ documentId }) => documentId === one.documentId);
      return part ? { ...one, free: one.free.minus(part.amount) } : one;
    }),
    rest: holding.rest.minus(holding.rest.min(fromCredit)),
  };
}

export function freeOn({ payment, allocations }: Holding, documentId: Uuid): Money {
  const there = allocations.find((one) => one.documentId === documentId);
  return there?.free ?? Money.zero(payment.amount.currency);
}

/** The holding after a part was moved; null stands for the customer's credit. */
export function afterMove(
  holding: Holding,
  from: Uuid | null,
  to: Uuid | null,
  amount: Money,
): Holding {
  const change = (documentId: Uuid) =>
    Money.sum(
      [...(documentId === to ? [amount] : []), ...(documentId === from ? [amount.negated()] : [])],
      amount.currency,
    );
  const zero = Money.zero(amount.currency);
  const isNew = to !== null && !holding.allocations.some(({ documentId }) => documentId === to);
  const places = isNew
    ? [...holding.allocations, { documentId: to, amount: zero, free: zero }]
    : holding.allocations;
  return {
    ...holding,
    allocations: places
      .map(({ documentId, amount: there, free }) => ({
        documentId,
        amount: there.plus(change(documentId)),
        free: free.plus(change(documentId)),
      }))
      .filter((place) => !place.amount.isZero())
      .sort((a, b) => (a.documentId < b.documentId ? -1 : 1)),
    rest:
      from === null ? holding.rest.minus(amount) : to ? holding.rest : holding.rest.plus(amount),
  };
}

export function afterReversal(holding: Holding): Holding {
  return {
    ...holding,
    isReversed: true,
    allocations: [],
    rest: Money.zero(holding.payment.amount.currency),
  };
}
