import { Money } from '../../kernel/money.js';
import type { DocumentState } from './document-state.js';
import { amountOwed } from './document-sums.js';
import { isPayable } from './lifecycle.js';

/** How much of what was paid went back to the payer. */
export const DOCUMENT_REFUND_STATUSES = ['none', 'partial', 'full'] as const;
export type DocumentRefundStatus = (typeof DOCUMENT_REFUND_STATUSES)[number];

/** `REFUNDED_SQL` in `status-sql.ts` asks the database the same. */
function refundStatusOf({
  amountPaid,
  amountRefunded,
}: Pick<DocumentState, 'amountPaid' | 'amountRefunded'>): DocumentRefundStatus {
  if (!amountRefunded.isPositive()) return 'none';
  return amountRefunded.compare(amountPaid) < 0 ? 'partial' : 'full';
}

/**
 * Money that a document gave back to its payer. As long as nobody has said whether it is owed again, it
 * is due in the books, and nobody is asked for it.
 */
export class RefundedMoney {
  private moved = false;

  constructor(private readonly state: DocumentState) {}

  get status(): DocumentRefundStatus {
    return refundStatusOf(this.state);
  }

  /** The part of what is due that nobody is asked for: a credit note or a payment may have settled it. */
  get undecided(): Money {
    const { amountUndecided, total } = this.state;
    return isPayable(this.state)
      ? amountUndecided.min(amountOwed(this.state))
      : Money.zero(total.currency);
  }

  /** Hardly any payment changes it, so it is written only where it moved. */
  get hasMoved(): boolean {
    return this.moved;
  }

  /** Nobody has said what this is; below zero: somebody did, or it is here again. */
  leave(amount: Money): void {
    if (amount.isZero()) return;
    this.state.amountUndecided = this.state.amountUndecided.plus(amount);
    this.moved = true;
  }

  /** A step of its own: somebody says what it is. */
  decide(amount: Money): void {
    this.leave(amount.negated());
    this.state.version += 1;
  }
}
