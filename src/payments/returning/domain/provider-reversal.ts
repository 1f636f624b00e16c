import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Dispute, DisputedMoney } from './dispute.js';
import { freeOn, type Holding } from '../../recording/domain/holding.js';

/** Money that a provider took back after it was paid. */
export interface ProviderReversal {
  accountId: Uuid;
  of: DisputedMoney;
  /** The dispute that it comes of; null where the provider took it back without one. */
  disputeId: Uuid | null;
  gateway: string;
  providerPaymentId: string;
  reference: string | null;
  amount: Money;
  fromCredit: Money;
  /** The part that nobody can be asked for: it had gone back to the payer already. */
  lost: Money;
  reason: string;
  failedAt: Date;
  recordedAt: Date;
}

/** Money that a provider took back without a dispute that is known. */
export type LooseReversal = Pick<ProviderReversal, 'reference' | 'amount' | 'lost'>;

/**
 * The reversal that no dispute is known for yet: the first with a name, or what is left of those without.
 */
export function looseReversal(
  reversals: readonly LooseReversal[],
  disputes: readonly Dispute[],
  { currency }: Money,
): LooseReversal {
  const known = new Set(disputes.flatMap(({ references }) => references));
  const named = reversals.find(({ reference }) => reference !== null && !known.has(reference));
  if (named) return named;
  const sum = (amounts: Money[]) => Money.sum(amounts, currency);
  const unnamed = reversals.filter(({ reference }) => reference === null);
  const taken = sum(unnamed.map((one) => one.amount));
  const adopted = sum(disputes.map(({ adoptedUnnamed }) => adoptedUnnamed));
  const amount = taken.minus(adopted.min(taken));
  return { reference: null, amount, lost: sum(unnamed.map(({ lost }) => lost)).min(amount) };
}

/** The places that the money is taken from. */
export interface ReversalPlan {
  fromCredit: Money;
  parts: { documentId: Uuid; amount: Money }[];
  lost: Money;
  /** Credit that the payment gave and that is spent: it has to come back first. */
  spent: Money;
}

/**
 * Plans where money comes from that a provider took back: it is gone, so this is never refused. The
 * payment's own credit gives first, then its newest documents. A document that credit notes have
 * settled stays closed as long as the credit is there that they gave: it goes onto the document.
 */
export function planReversal(
  holding: Holding,
  newestFirst: readonly Uuid[],
  spendable: Money,
  amount: Money,
): ReversalPlan {
  const { payment, returned, rest } = holding;
  const taken = amount.min(payment.amount.minus(returned));
  const ownCredit = rest.min(taken);
  const fromCredit = ownCredit.min(spendable);
  let left = taken.minus(ownCredit);
  const parts = newestFirst.map((documentId) => {
    const part = freeOn(holding, documentId).min(left);
    left = left.minus(part);
    return { documentId, amount: part };
  });
  const given = Money.sum([fromCredit, ...parts.map((part) => part.amount)], amount.currency);
  return {
    fromCredit,
    parts: parts.filter((part) => part.amount.isPositive()),
    lost: amount.minus(given),
    spent: ownCredit.minus(fromCredit),
  };
}
