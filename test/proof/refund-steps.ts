import {
  add,
  type Books,
  due,
  dueAccount,
  giveCredit,
  isUnderWay,
  post,
  type Refund,
  reserve,
  takesMoney,
  takeWaiverBack,
} from './books.js';
import { exchange } from './conversion.js';
import { assertFields, Disagreement } from './judge.js';
import { free } from './operations/moves.js';
import { putNoteCredit, takeNoteCreditOff } from './note-credit.js';
import { invoiceOf, paymentWith } from './picks.js';
import type { Provider } from './provider.js';
import { askForLost, regainLost } from './taken-back.js';

/*
 * A refund is set aside, and then goes back or stays. In between its money cannot be given away
 * otherwise, and neither the ledger nor a document knows of it.
 */

/** @throws Disagreement where it is not of money that is free */
export function setAside(books: Books, refund: Refund): void {
  const { of, amount, fromCredit, documents, kept } = refund;
  books.refunds.push(refund);
  const receipt = books.receipts.find(({ id }) => id === of);
  const payment = paymentWith(books, of);
  if (!payment) {
    if (receipt) receipt.settled += amount;
    return;
  }
  let sum = fromCredit;
  for (const { id, amount: part } of documents) {
    const there = free(payment, id);
    if (part <= 0 || part > there) {
      throw new Disagreement(`${part} of ${id} go back, where ${there} were`);
    }
    add(payment.held, id, part);
    sum += part;
  }
  assertFields({ sum }, { sum: amount });
  payment.returned += amount;
  payment.inCredit -= fromCredit;
  reserve(books, payment.customer, payment.currency, fromCredit + kept);
}

export function goBack(books: Books, refund: Refund, account: string): void {
  const { of, amount, fromCredit, documents, kept, paidOut } = refund;
  const target = paidOut ? 'currency_exchange' : account;
  refund.status = 'succeeded';
  refund.paidFrom = target;
  const payment = paymentWith(books, of);
  const currency = payment?.currency ?? books.receipts.find(({ id }) => id === of)?.currency ?? '';
  if (!payment) {
    post(books, currency, 'unmatched_receipts', target, amount);
    return;
  }
  if (paidOut) exchange(books, paidOut, { amount, currency }, { gain: -1, sign: -1 });
  reserve(books, payment.customer, currency, -kept);
  for (const { id, amount: part } of documents) {
    const invoice = invoiceOf(books, id);
    post(books, currency, dueAccount(invoice), target, part, id);
    invoice.refunded += part;
    refund.waived[id] = takeWaiverBack(books, invoice);
    putNoteCredit(books, invoice);
    add(payment.on, id, -part);
    add(payment.held, id, -part);
  }
  post(books, currency, 'customer_credit', target, fromCredit);
  reserve(books, payment.customer, currency, -fromCredit);
  giveCredit(books, payment.customer, currency, -fromCredit);
}

/** The provider said no: what was set aside is there again. */
function stay(books: Books, refund: Refund): void {
  const { of, amount, fromCredit, documents, kept } = refund;
  refund.status = 'failed';
  const receipt = books.receipts.find(({ id }) => id === of);
  const payment = paymentWith(books, of);
  if (!payment) {
    if (receipt) {
      receipt.settled -= amount;
      regainLost(books, receipt);
    }
    return;
  }
  for (const { id, amount: part } of documents) add(payment.held, id, -part);
  payment.returned -= amount;
  payment.inCredit += fromCredit;
  reserve(books, payment.customer, payment.currency, -fromCredit - kept);
  askForLost(books, payment);
}

/** The money is here again, or never went: documents take what they are due, and the rest is credit. */
export function comeBack(books: Books, refund: Refund, how: 'returned' | 'reversed'): void {
  const { of, amount, fromCredit, documents, paidFrom } = refund;
  refund.status = how;
  const receipt = books.receipts.find(({ id }) => id === of);
  const payment = paymentWith(books, of);
  if (!payment) {
    post(books, receipt?.currency ?? '', paidFrom, 'unmatched_receipts', amount);
    if (receipt) {
      receipt.settled -= amount;
      regainLost(books, receipt);
    }
    return;
  }
  const { customer, currency } = payment;
  if (refund.paidOut) {
    exchange(books, refund.paidOut, { amount, currency }, { gain: -1, sign: 1 });
  }
  let credit = fromCredit;
  post(books, currency, paidFrom, 'customer_credit', fromCredit);
  for (const { id, amount: part } of documents) {
    const invoice = invoiceOf(books, id);
    takeNoteCreditOff(books, invoice, part);
    const isPayable = takesMoney(invoice);
    const taken = isPayable ? Math.min(part, due(invoice)) : 0;
    post(books, currency, paidFrom, dueAccount(invoice), taken, id);
    post(books, currency, paidFrom, 'customer_credit', part - taken);
    invoice.refunded -= part;
    invoice.paid -= part - taken;
    add(payment.on, id, taken);
    credit += part - taken;
    const waived = refund.waived[id] ?? 0;
    if (!isPayable || waived === 0 || due(invoice) !== waived) continue;
    invoice.waived = waived;
    post(books, currency, 'payment_differences', dueAccount(invoice), waived, id);
  }
  payment.inCredit += credit;
  payment.returned -= amount;
  giveCredit(books, customer, currency, credit);
  askForLost(books, payment);
}

/** The provider's answer must be in ours. A settled one stays settled. */
export function judgeAnswer(
  books: Books,
  { id, status }: { id: string; status: string },
  provider: Provider,
): Refund {
  const refund = books.refunds.find((one) => one.id === id);
  if (!refund) throw new Disagreement(`there is no refund ${id}`);
  // A refund that bounced had gone before, whoever heard of it when.
  const hasBounced = status === 'returned' && provider.hasBounced(id);
  if (hasBounced && isUnderWay(refund)) goBack(books, refund, 'gateway_clearing');
  if (hasBounced && refund.status === 'succeeded') comeBack(books, refund, 'returned');
  if (!isUnderWay(refund)) {
    assertFields({ status }, { status: refund.status });
    return refund;
  }
  const wasSaid = {
    succeeded: provider.hasSaid(id, 'succeeded') && provider.gave(id) === refund.amount,
    failed: provider.hasSaid(id, 'failed'),
    pending: provider.hasSaid(id, 'pending'),
    // It is known to be on its way, whatever is not answered later.
    unknown: provider.hasSaid(id, 'nothing') && refund.status !== 'pending',
  }[status];
  if (!wasSaid) throw new Disagreement(`${id} is ${status}, and its provider never said so`);
  if (status === 'succeeded') goBack(books, refund, 'gateway_clearing');
  else if (status === 'failed') stay(books, refund);
  else refund.status = status as 'unknown' | 'pending';
  return refund;
}
