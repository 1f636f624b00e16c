import type { Currency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';

/** The amounts that changed an invoice's total. */
export interface DocumentSums {
  total: Money;
  amountPaid: Money;
  amountRefunded: Money;
  amountCredited: Money;
  amountWaived: Money;
}

/** The effect of one payment on a document. */
export interface PaymentApplied {
  applied: Money;
  /** The part above what was due; it becomes the customer's credit. */
  excess: Money;
  /** The shortfall that the account lets pass. */
  waived: Money;
}

/** The amount paid and not given back. */
export function amountKept(sums: Pick<DocumentSums, 'amountPaid' | 'amountRefunded'>): Money {
  return sums.amountPaid.minus(sums.amountRefunded);
}

/** The part of an invoice's total that is still owed. Never below zero. */
export function amountOwed(sums: DocumentSums): Money {
  return sums.total.minus(amountKept(sums)).minus(sums.amountCredited).minus(sums.amountWaived);
}

/** A tenth of the total is no small difference, whatever the tolerance is. */
export function canBeWaived(shortfall: Money, { total }: Pick<DocumentSums, 'total'>): boolean {
  return shortfall.isPositive() && shortfall.minor * 10n <= total.minor;
}

/** The shortfall that a tolerance lets pass: all that is left, or nothing. */
export function waivable(sums: DocumentSums, tolerance: Money | null): Money {
  const shortfall = amountOwed(sums);
  const isLetPass = tolerance !== null && shortfall.compare(tolerance) <= 0;
  return isLetPass && canBeWaived(shortfall, sums) ? shortfall : Money.zero(shortfall.currency);
}

/** The sums of a draft: money has a currency even where there is none. */
export function noMoney(currency: Currency) {
  const zero = Money.zero(currency);
  return {
    amountPaid: zero,
    amountRefunded: zero,
    amountWaived: zero,
    amountCredited: zero,
    creditNotesTotal: zero,
    amountApplied: zero,
  };
}
