import { dueAccount, leg, type Leg } from '../../../books/index.js';
import type { Document } from '../../../documents/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Dispute, DisputeStep } from '../../domain/dispute.js';
import type { ReturnedPart } from '../excess-moves.js';

/** Money that a provider gives again after it was lost, and its places. */
export interface GivenBack {
  parts: ReturnedPart[];
  credit: Money;
  lost: Money;
  /** Below zero, as a reversal has it. */
  fromCredit: Money;
  legs: Leg[];
}

/**
 * Mirrors what a lost dispute took: documents first, then credit, then the loss. The documents are
 * changed.
 * @param gave the parts that documents gave
 * @param lost the part of the payment that is lost so far
 */
export function givenBack(
  before: Dispute | null,
  step: DisputeStep,
  {
    documents,
    gave,
    lost,
  }: {
    documents: readonly Document[];
    gave: readonly { documentId: Uuid; amount: Money; waived: Money }[];
    lost: Money;
  },
): GivenBack {
  const zero = Money.zero(step.amount.currency);
  let left = step.taken.negated();
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
    });
    legs.push(...leg('disputed_funds', due, amount, documentId));
    legs.push(...leg('payment_differences', due, waived, documentId));
    return [{ document, amount, excess }];
  });
  const ofDocuments = Money.sum(
    gave.map(({ amount }) => amount),
    zero.currency,
  );
  const others = (before?.taken ?? zero).minus(ofDocuments);
  const lostShare = lost.min(others);
  const credit = left.min(others.minus(lostShare));
  const regained = left.minus(credit);
  legs.push(...leg('disputed_funds', 'customer_credit', credit));
  legs.push(...leg('disputed_funds', 'payment_losses', regained));
  return { parts, credit, lost: regained, fromCredit: credit.negated(), legs };
}
