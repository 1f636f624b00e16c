import {
  add,
  type Books,
  creditOf,
  dueAccount,
  giveCredit,
  type Payment,
  post,
  type Receipt,
  takeWaiverBack,
} from './books.js';
import { invoiceOf } from './picks.js';

/*
 * A provider takes money back: it is gone, so nothing refuses that. Documents that had a part of it
 * are due again, and the rest is lost.
 */

/** All of a provider's payment, once; through whatever link it came. */
export function takeBackWhole(
  books: Books,
  { id, amount }: { id: string; amount: number },
  link: string,
  at: number,
): void {
  const receipt = books.receipts.find((one) => one.id === id);
  const payment = books.payments.find(
    (one) => one.provider === id && (!one.reversed || one.takenBack !== null),
  );
  if (receipt?.isTakenBack || (payment?.takenBack ?? null) !== null) return;
  if (payment) {
    takeBackPayment(books, payment, amount);
    failLink(books, payment, link, at);
  } else if (receipt) takeBackReceipt(books, receipt);
  if (receipt) receipt.isTakenBack = true;
}

function takeBackReceipt(books: Books, receipt: Receipt): void {
  const { currency, amount, settled } = receipt;
  const open = amount - settled;
  post(books, currency, 'unmatched_receipts', 'gateway_clearing', open);
  post(books, currency, 'payment_losses', 'gateway_clearing', amount - open);
  receipt.settled = amount;
}

function takeBackPayment(books: Books, payment: Payment, whole: number): void {
  const { customer, currency } = payment;
  recallCredit(books, payment, payment.inCredit - creditOf(books, customer, currency));
  payment.takenBack = takeOff(books, payment, whole, 'gateway_clearing');
  payment.lost = whole - payment.takenBack;
  post(books, currency, 'payment_losses', 'gateway_clearing', payment.lost);
  payment.reversed = true;
}

/** A refund that was lost with it comes back or fails: its documents are due for it after all. */
export function askForLost(books: Books, payment: Payment): void {
  const { takenBack, lost, amount, returned } = payment;
  if (takenBack === null) return;
  const given = takeOff(books, payment, Math.min(lost, amount - returned), 'payment_losses');
  payment.takenBack = takenBack + given;
  payment.lost = lost - given;
}

/** Takes what it can off the credit and the documents of a payment. */
function takeOff(books: Books, payment: Payment, amount: number, target: string): number {
  const { customer, currency } = payment;
  const most = Math.min(amount, payment.amount - payment.returned);
  const own = Math.min(most, Math.max(0, payment.inCredit));
  let spendable = creditOf(books, customer, currency);
  const fromOwn = Math.min(own, spendable);
  spendable -= fromOwn;
  let fromCredit = fromOwn;
  let left = most - own;
  // Credit of notes that went back to the payer before.
  let usedNotes = Math.max(0, -payment.inCredit);
  let fromDocuments = 0;
  for (const id of newestFirst(payment)) {
    const invoice = invoiceOf(books, id);
    const part = Math.min(left, (payment.on[id] ?? 0) - (payment.held[id] ?? 0));
    // A note settled the document: it stays closed as long as the credit of the note is there.
    const noted = invoice.creditNotes - invoice.credited;
    const used = Math.min(usedNotes, noted);
    const byNote = Math.min(part, noted - used, spendable);
    usedNotes -= used;
    spendable -= byNote;
    fromCredit += byNote;
    left -= part;
    const taken = part - byNote;
    if (taken === 0) continue;
    post(books, currency, dueAccount(invoice), target, taken, id);
    invoice.paid -= taken;
    takeWaiverBack(books, invoice);
    add(payment.on, id, -taken);
    fromDocuments += taken;
  }
  post(books, currency, 'customer_credit', target, fromCredit);
  giveCredit(books, customer, currency, -fromCredit);
  payment.inCredit -= fromCredit;
  payment.returned += fromCredit + fromDocuments;
  return fromCredit + fromDocuments;
}

/** Its documents, the one first that had money of it last. */
function newestFirst({ everOn }: Payment): string[] {
  return [...new Set(everOn.toReversed())];
}

/** Spent credit comes back off what it paid last. */
function recallCredit(books: Books, { customer, currency }: Payment, amount: number): void {
  const spent = books.payments
    .filter((one) => one.from === 'credit' && !one.reversed)
    .filter((one) => one.customer === customer && one.currency === currency)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  let missing = amount;
  for (const payment of spent) {
    for (const id of Object.keys(payment.on).sort()) {
      const part = Math.min(missing, payment.on[id] ?? 0);
      if (part <= 0) continue;
      const invoice = invoiceOf(books, id);
      post(books, currency, dueAccount(invoice), 'customer_credit', part, id);
      invoice.paid -= part;
      takeWaiverBack(books, invoice);
      add(payment.on, id, -part);
      payment.inCredit += part;
      giveCredit(books, customer, currency, part);
      missing -= part;
    }
  }
}

/** Its link has failed, unless another payment of that stands. */
function failLink(books: Books, payment: Payment, id: string, at: number): void {
  const link = books.links[id];
  const isPaid = books.payments.some(
    (one) => one !== payment && one.link === id && one.takenBack === null,
  );
  if (link && !isPaid && link.status !== 'failed')
    Object.assign(link, { status: 'failed', failedAt: at });
}
