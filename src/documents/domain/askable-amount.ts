import type { DomainError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import type { Document } from './document.js';
import { exceedsDue } from './document-refusals.js';
import { DocumentRefusal } from './refusals.js';

/** @param wayOut as the end of a sentence, for a call that has one */
function paymentProcessing(onItsWay: Money, wayOut: string): DomainError {
  return DocumentRefusal.payment_processing.of(
    `${onItsWay} for this document is on its way at a provider; wait for it${wayOut}.`,
    { amount_processing: onItsWay.toMinorNumber(), currency: onItsWay.currency },
  );
}

export function assertNothingOnItsWay({ state: { amountProcessing } }: Document): void {
  if (amountProcessing.isPositive()) throw paymentProcessing(amountProcessing, '');
}

/**
 * The amount asked for, or all that is due and not on its way.
 * @param despiteProcessing what is on its way may be asked for once more
 */
export function askableAmount(
  document: Document,
  amountMinor: bigint | null,
  despiteProcessing: boolean,
): Money {
  const due = document.amountPayable;
  const { currency } = document.state;
  document.assertMay('pay');
  if (due.isZero()) {
    throw DocumentRefusal.document_not_payable.of(
      `Nothing is due on this document; it is ${document.status}.`,
      { document_status: document.status },
    );
  }
  const { amountProcessing } = document.state;
  const onItsWay = despiteProcessing ? Money.zero(currency) : due.min(amountProcessing);
  const most = due.minus(onItsWay);
  const undecided = document.refunded.undecided.min(most);
  const asked = most.minus(undecided);
  if (amountMinor === null && undecided.isPositive() && asked.isZero()) {
    throw DocumentRefusal.document_not_payable.of(
      'What is due was refunded, and nobody has said that it is owed again: say so, or send the amount.',
      { document_status: document.status },
    );
  }
  const amount = amountMinor === null ? asked : Money.of(amountMinor, currency);
  if (amount.compare(due) > 0) throw exceedsDue(due, 'ask for at most that');
  if (most.isZero() || amount.compare(most) > 0) {
    const less = most.isPositive() ? `, ask for at most ${most.minor} (${most})` : '';
    const twice = ', or send "despite_processing": true to have the document paid once more';
    throw paymentProcessing(amountProcessing, less + twice);
  }
  return amount;
}
