import {
  add,
  type Books,
  dueAccount,
  giveCredit,
  isUnderWay,
  post,
  type Refund,
  reserve,
} from './books.js';
import { invoiceOf, takeWaiverBack } from './document-operations.js';
import { assertFields, Disagreement } from './judge.js';
import { free } from './move-operations.js';
import type { Provider } from './provider.js';

/*
 * A refund is set aside, and then goes back or stays. In between its money cannot be given away
 * otherwise, and neither the ledger nor a document knows of it.
 */

/** @throws Disagreement where it is not of money that is free */
export function setAside(books: Books, refund: Refund): void {
  const { of, amount, fromCredit, documents } = refund;
  books.refunds.push(refund);
  const receipt = books.receipts.find(({ id }) => id === of);
  const payment = books.payments.find(({ id }) => id === of);
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
  reserve(books, payment.customer, payment.currency, fromCredit);
}

export function goBack(books: Books, refund: Refund, target: string): void {
  const { of, amount, fromCredit, documents } = refund;
  refund.status = 'succeeded';
  const payment = books.payments.find(({ id }) => id === of);
  const currency = payment?.currency ?? books.receipts.find(({ id }) => id === of)?.currency ?? '';
  if (!payment) {
    post(books, currency, 'unmatched_receipts', target, amount);
    return;
  }
  for (const { id, amount: part } of documents) {
    const invoice = invoiceOf(books, id);
    post(books, currency, dueAccount(invoice), target, part, id);
    invoice.refunded += part;
    takeWaiverBack(books, invoice);
    add(payment.on, id, -part);
    add(payment.held, id, -part);
  }
  post(books, currency, 'customer_credit', target, fromCredit);
  reserve(books, payment.customer, currency, -fromCredit);
  giveCredit(books, payment.customer, currency, -fromCredit);
}

/** The provider said no: what was set aside is there again. */
function stay(books: Books, refund: Refund): void {
  const { of, amount, fromCredit, documents } = refund;
  refund.status = 'failed';
  const receipt = books.receipts.find(({ id }) => id === of);
  const payment = books.payments.find(({ id }) => id === of);
  if (!payment) {
    if (receipt) receipt.settled -= amount;
    return;
  }
  for (const { id, amount: part } of documents) add(payment.held, id, -part);
  payment.returned -= amount;
  payment.inCredit += fromCredit;
  reserve(books, payment.customer, payment.currency, -fromCredit);
}

/** The provider's answer must be in ours. A settled one stays settled. */
export function judgeAnswer(
  books: Books,
  { id, status }: { id: string; status: string },
  provider: Provider,
): Refund {
  const refund = books.refunds.find((one) => one.id === id);
  if (!refund) throw new Disagreement(`there is no refund ${id}`);
  if (!isUnderWay(refund)) {
    assertFields({ status }, { status: refund.status });
    return refund;
  }
  const wasSaid = {
    succeeded: provider.hasSaid(id, 'succeeded') && provider.gaveBack(id) === refund.amount,
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
