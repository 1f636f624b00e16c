import { dueAccount, leg, type Leg } from '../../../../books/index.js';
import type { Document } from '../../../../documents/index.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import { afterMove, type Holding } from '../../../recording/domain/holding.js';
import type { ReturnedPart } from '../../../recording/application/excess-moves.js';

/** Money that a provider gives again after it was lost, and its places. */
export interface GivenBack {
  amount: Money;
  parts: ReturnedPart[];
  credit: Money;
  lost: Money;
  /** Below zero, as in a reversal. */
  fromCredit: Money;
  legs: Leg[];
}

/** The part of it that goes to the receipt that a payment was before. */
export interface BackToReceipt {
  receiptId: Uuid;
  amount: Money;
  lost: Money;
}

/**
 * A receipt may have given a part before the rest of it was assigned: its payment is given first what
 * it gave itself.
 * @param back the amount that is given again
 * @param taken all that the dispute took
 * @param gave the part of that which the receipt gave
 */
export function backToReceipt(
  receiptId: Uuid,
  { back, taken, gave }: { back: Money; taken: Money; gave: { amount: Money; lost: Money } },
): BackToReceipt {
  const amount = back.minus(back.min(taken.minus(gave.amount)));
  return { receiptId, amount, lost: amount.min(gave.lost) };
}

/**
 * Mirrors what a provider took: documents first, then credit, then the loss. The documents are changed.
 * @param from the account that has the money now
 * @param back the amount that is given again
 * @param taken the amount that was taken of the payment
 * @param gave the parts of that which documents gave
 * @param lost the part of the payment that is lost so far
 */
export function givenBack({
  from,
  back,
  taken,
  documents,
  gave,
  lost,
}: {
  from: 'disputed_funds' | 'payment_losses';
  back: Money;
  taken: Money;
  documents: readonly Document[];
  gave: readonly { documentId: Uuid; amount: Money; waived: Money }[];
  lost: Money;
}): GivenBack {
  let left = back;
  const legs: Leg[] = [];
  const parts = gave.flatMap(({ documentId, amount: given, waived: letPass }) => {
    const document = documents.find(({ state }) => state.id === documentId);
    const amount = given.min(left);
    if (!document || !amount.isPositive()) return [];
    left = left.minus(amount);
    // Before it: afterwards the same document may be due under another name.
    const due = dueAccount(document.state);
    const { excess, waived } = document.takeBack({
      amount,
      waived: letPass,
      wasUnpaid: true,
      isForRefund: from === 'payment_losses',
    });
    legs.push(...leg(from, due, amount, documentId));
    legs.push(...leg('payment_differences', due, waived, documentId));
    return [{ document, amount, excess }];
  });
  const ofDocuments = Money.sum(
    gave.map(({ amount }) => amount),
    back.currency,
  );
  const others = taken.minus(ofDocuments);
  const lostShare = lost.min(others);
  const credit = left.min(others.minus(lostShare));
  const regained = left.minus(credit);
  legs.push(...leg(from, 'customer_credit', credit), ...leg(from, 'payment_losses', regained));
  return { amount: back, parts, credit, lost: regained, fromCredit: credit.negated(), legs };
}

/** As if all of it that was not lost came as credit, of which documents then take their parts. */
export function afterGivenBack(holding: Holding, { amount, parts, lost }: GivenBack): Holding {
  const start = { ...holding, rest: holding.rest.plus(amount).minus(lost) };
  return parts.reduce(
    (now, part) => afterMove(now, null, part.document.state.id, part.amount.minus(part.excess)),
    start,
  );
}
