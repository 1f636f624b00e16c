import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { amountOwed, type DocumentSums } from './document-sums.js';
import type { Lifecycle } from './lifecycle.js';

/** A customer's credit in a currency that may be spent; invoices of that customer share it. */
export interface CreditThere {
  readonly customerId: Uuid;
  left: Money;
}

/** The invoice of a credit note, at the moment at which credit moves. */
export interface NotedInvoice {
  id: Uuid;
  lifecycle: Lifecycle;
}

type InvoiceSums = NotedInvoice & DocumentSums;

/** A credit note, as far as its credit moves. */
interface GivingNote {
  state: { total: Money; amountApplied: Money };
  moveCredit(amount: Money, invoice: NotedInvoice): void;
}

/**
 * The credit notes of an invoice that stand, the oldest first. A note gives the customer credit for
 * the part that its invoice does not owe. That credit goes onto the invoice after all, if money of it
 * goes back. So the order in which both happened makes no difference.
 */
export class NotedCredit<Note extends GivingNote> {
  private readonly moved = new Set<Note>();

  constructor(
    private readonly notes: readonly Note[],
    readonly there: CreditThere,
  ) {}

  /** Credit that is spoken for: less than nothing is there again. */
  setAside(amount: Money): void {
    this.there.left = this.there.left.minus(amount);
  }

  /** Credit of the oldest notes goes onto the invoice, as far as that owes something. */
  putWhatIsOwed(invoice: InvoiceSums): void {
    const most = amountOwed(invoice).min(this.there.left);
    this.move(most, this.notes, creditOf, invoice, 1n);
  }

  /** Money is here again: where the invoice does not owe it, credit of the newest notes is, too. */
  takeOffAbove(amount: Money, invoice: InvoiceSums): void {
    const most = amount.minus(amount.min(amountOwed(invoice)));
    this.move(most, this.notes.toReversed(), appliedOf, invoice, -1n);
  }

  /** Those that changed since the last call. */
  takeMoved(): Note[] {
    const moved = [...this.moved];
    this.moved.clear();
    return moved;
  }

  private move(
    most: Money,
    notes: readonly Note[],
    partOf: (note: Note) => Money,
    invoice: InvoiceSums,
    sign: 1n | -1n,
  ): void {
    let left = most;
    for (const note of notes) {
      const part = partOf(note).min(left);
      if (!part.isPositive()) continue;
      left = left.minus(part);
      const amount = Money.of(sign * part.minor, part.currency);
      note.moveCredit(amount, invoice);
      invoice.amountCredited = invoice.amountCredited.plus(amount);
      this.setAside(amount);
      this.moved.add(note);
    }
  }
}

function creditOf({ state }: GivingNote): Money {
  return state.total.minus(state.amountApplied);
}

function appliedOf({ state }: GivingNote): Money {
  return state.amountApplied;
}
