import {
  add,
  type Books,
  creditOf,
  type Dispute,
  due,
  dueAccount,
  type Failure,
  giveCredit,
  type Payment,
  post,
  type Receipt,
  type Taken,
  takenNothing,
  takesMoney,
  takeWaiverBack,
} from './books.js';
import { endByReversal, leftOf } from './disputed.js';
import { putNoteCredit, takeNoteCreditOff } from './note-credit.js';
import { CREDIT, free } from './operations/moves.js';
import { invoiceOf } from './picks.js';

/*
 * A provider takes money back: it is gone, so nothing refuses that. Documents that had a part of it
 * are due again, and the rest is lost.
 */

/** A provider's payment as our books have it: as a payment, or as a receipt. */
export function chargeOf(books: Books, id: string) {
  const receipt = books.receipts.find((one) => one.id === id);
  const payment = books.payments.find(
    (one) => one.provider === id && (!one.reversed || one.takenBack !== null),
  );
  return { payment, receipt, currency: payment?.currency ?? receipt?.currency ?? '' };
}

/** The part of it that its provider has taken, losses included. */
export function goneOf(books: Books, id: string): number {
  const { payment, receipt } = chargeOf(books, id);
  return (payment?.gone ?? 0) + (receipt?.gone ?? 0);
}

/** All that is left of a provider's payment, through whatever link it came. */
export function takeBackWhole(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  { at, kind, name, amount: told }: Omit<Failure, 'id' | 'counts'>,
): void {
  if (name !== null && isTaken(books, paid.id, name)) return;
  if (kind === 'reversed' && endByReversal(books, paid, link, { at, name, told })) return;
  const left = Math.max(0, leftOf(books, paid));
  // It has in it what disputes took; what is more than came is taken, too.
  const most = left + Math.max(0, (told ?? 0) - paid.amount);
  const amount = Math.min(told ?? left, most);
  if (amount <= 0) return;
  const reversal = { name, payment: paid.id, amount, adopted: 0, ...takenNothing() };
  books.reversals.push(reversal);
  take(books, paid, link, { amount, at, taken: reversal });
}

/** Under whatever event it is told, a reversal with a name is one. */
function isTaken({ disputes, reversals }: Books, payment: string, name: string): boolean {
  return (
    reversals.some((one) => one.payment === payment && one.name === name) ||
    disputes.some((one) => one.payment === payment && one.reversals.includes(name))
  );
}

/**
 * @param of the dispute that holds the money
 * @param taken keeps from whom it was taken
 */
export function take(
  books: Books,
  paid: { id: string; amount: number },
  link: string,
  { amount, at, of, taken }: { amount: number; at: number; of?: Dispute; taken: Taken },
): void {
  const { payment, receipt } = chargeOf(books, paid.id);
  const source = of ? 'disputed_funds' : 'gateway_clearing';
  const isWhole = goneOf(books, paid.id) + amount >= paid.amount;
  if (of) of.taken += amount;
  if (!payment) {
    const lost = receipt ? takeFromReceipt(books, receipt, amount, source) : 0;
    taken.receiptGave += amount;
    taken.receiptLost += lost;
    return;
  }
  recallCredit(books, payment, amount);
  takeFromPayment(books, payment, amount, { source, taken });
  payment.gone += amount;
  payment.reversed = payment.gone >= payment.amount;
  if (isWhole) failLink(books, payment, link, at);
}

/** @returns the part that was lost */
function takeFromReceipt(books: Books, receipt: Receipt, amount: number, source: string): number {
  const { currency, settled } = receipt;
  const part = Math.min(amount, receipt.amount - settled);
  post(books, currency, 'unmatched_receipts', source, part);
  post(books, currency, 'payment_losses', source, amount - part);
  receipt.settled += part;
  receipt.gone += amount;
  receipt.lost += amount - part;
  return amount - part;
}

function giveToReceipt(books: Books, of: Dispute, receipt: Receipt, amount: number): void {
  const lost = Math.min(of.receiptLost, amount, receipt.lost);
  post(books, receipt.currency, 'disputed_funds', 'payment_losses', lost);
  post(books, receipt.currency, 'disputed_funds', 'unmatched_receipts', amount - lost);
  receipt.settled -= amount - lost;
  receipt.gone -= amount;
  receipt.lost -= lost;
  of.receiptGave -= amount;
  of.receiptLost -= lost;
}

/** The disputed part of a payment that no document has. */
const ofCredit = ({ disputed, on }: Dispute) =>
  disputed - Object.values(on).reduce((sum, part) => sum + part, 0);

/** The free part of a place: not on its way back, and not disputed. */
export function freeOf(books: Books, payment: Payment, place: string): number {
  const there = free(payment, place);
  const own = books.disputes.filter((one) => one.payment === payment.provider);
  const held = own.reduce(
    (sum, one) => sum + (place === CREDIT ? ofCredit(one) : (one.on[place] ?? 0)),
    0,
  );
  return place === CREDIT ? there - Math.min(there, held) : there - held;
}

function takeFromPayment(
  books: Books,
  payment: Payment,
  amount: number,
  { source, taken: kept }: { source: string; taken: Taken },
): void {
  const { customer, currency } = payment;
  const spendable = creditOf(books, customer, currency);
  let left = Math.min(amount, payment.amount - payment.returned);
  const own = Math.min(left, free(payment, CREDIT));
  const fromCredit = Math.min(own, spendable);
  left -= own;
  let fromDocuments = 0;
  post(books, currency, 'customer_credit', source, fromCredit);
  giveCredit(books, customer, currency, -fromCredit);
  for (const id of newestFirst(payment)) {
    const invoice = invoiceOf(books, id);
    const taken = Math.min(left, free(payment, id));
    left -= taken;
    if (taken === 0) continue;
    post(books, currency, dueAccount(invoice), source, taken, id);
    invoice.paid -= taken;
    const waived = takeWaiverBack(books, invoice);
    // A note settled the document: it stays closed as long as the credit of the note is there.
    putNoteCredit(books, invoice);
    add(payment.on, id, -taken);
    fromDocuments += taken;
    add(kept.gave, id, taken);
    add(kept.waived, id, waived);
  }
  payment.inCredit -= fromCredit;
  const given = fromCredit + fromDocuments;
  payment.takenBack = (payment.takenBack ?? 0) + given;
  payment.returned += given;
  kept.turn = ++turns;
  // Disputes come last: they have what is left.
  placeDisputes(books, payment);
  if (source === 'payment_losses') {
    payment.lost -= given;
    kept.lost -= given;
    return;
  }
  post(books, currency, 'payment_losses', source, amount - given);
  payment.lost += amount - given;
  kept.lost += amount - given;
}

let turns = 0;

/** The documents whose money is disputed: credit is first, as it goes first, and one dispute before the next. */
export function placeDisputes({ disputes }: Books, payment: Payment): void {
  let credit = free(payment, CREDIT);
  const documents = newestFirst(payment);
  const left = Object.fromEntries(documents.map((id) => [id, free(payment, id)]));
  for (const one of disputes.filter((dispute) => dispute.payment === payment.provider)) {
    const ofCredit = Math.min(one.disputed, credit);
    let rest = one.disputed - ofCredit;
    credit -= ofCredit;
    one.on = {};
    for (const id of documents) {
      const part = Math.min(rest, left[id] ?? 0);
      if (part > 0) add(one.on, id, part);
      rest -= part;
      left[id] = (left[id] ?? 0) - part;
    }
  }
}

/** Money is here again for which something was lost: that is asked for. */
export function askForLost(books: Books, payment: Payment): void {
  const own = [...books.disputes, ...books.reversals]
    .filter((one) => one.payment === payment.provider)
    .sort((a, b) => a.turn - b.turn);
  for (const taken of own) {
    const amount = Math.min(taken.lost, payment.amount - payment.returned);
    if (amount > 0) takeFromPayment(books, payment, amount, { source: 'payment_losses', taken });
  }
  placeDisputes(books, payment);
}

/** A refund of a receipt came back of which something was lost: it takes the place of that. */
export function regainLost(books: Books, receipt: Receipt): void {
  const amount = Math.min(receipt.lost, receipt.amount - receipt.settled);
  post(books, receipt.currency, 'unmatched_receipts', 'payment_losses', amount);
  receipt.settled += amount;
  receipt.lost -= amount;
}

/** A dispute gives again what it took, all or a part: to documents first. */
export function giveAgain(books: Books, of: Dispute, link: string, whole: number): void {
  const { payment, receipt, currency } = chargeOf(books, of.payment);
  // A receipt may have given a part before the rest of it was assigned.
  const amount = payment ? Math.min(whole, of.taken - of.receiptGave) : 0;
  const ofDocuments = Object.values(of.gave).reduce((sum, part) => sum + part, 0);
  const others = of.taken - of.receiptGave - ofDocuments;
  of.taken -= whole;
  if (receipt && whole > amount) giveToReceipt(books, of, receipt, whole - amount);
  if (!payment || amount === 0) return;
  let rest = amount;
  let credit = 0;
  for (const id of Object.keys(of.gave).sort()) {
    const part = Math.min(of.gave[id] ?? 0, rest);
    if (part === 0) continue;
    const invoice = invoiceOf(books, id);
    takeNoteCreditOff(books, invoice, part);
    const isPayable = takesMoney(invoice);
    const taken = isPayable ? Math.min(part, due(invoice)) : 0;
    rest -= part;
    add(of.gave, id, -part);
    post(books, currency, 'disputed_funds', dueAccount(invoice), taken, id);
    post(books, currency, 'disputed_funds', 'customer_credit', part - taken);
    credit += part - taken;
    invoice.paid += taken;
    add(payment.on, id, taken);
    payment.everOn.push(id);
    const waived = of.waived[id] ?? 0;
    if (!isPayable || waived === 0 || due(invoice) !== waived) continue;
    invoice.waived = waived;
    of.waived[id] = 0;
    post(books, currency, 'payment_differences', dueAccount(invoice), waived, id);
  }
  // Of a part that comes back, credit is whole again before what was lost.
  const toCredit = Math.min(rest, others - Math.min(payment.lost, others));
  const regained = rest - toCredit;
  post(books, currency, 'disputed_funds', 'payment_losses', regained);
  post(books, currency, 'disputed_funds', 'customer_credit', toCredit);
  credit += toCredit;
  giveCredit(books, payment.customer, currency, credit);
  payment.inCredit += credit;
  payment.lost -= regained;
  of.lost -= Math.min(of.lost, regained);
  payment.gone -= amount;
  payment.takenBack = (payment.takenBack ?? 0) - (amount - regained);
  payment.returned -= amount - regained;
  payment.reversed = payment.gone >= payment.amount;
  if (payment.gone === 0) payment.takenBack = null;
  const place = books.links[link];
  if (place && payment.link === link && !payment.reversed) place.status = 'paid';
}

/** Its documents, the one first that had money of it last. */
export function newestFirst({ everOn }: Payment): string[] {
  return [...new Set(everOn.toReversed())];
}

/** Spent credit comes back off what it paid last. */
function recallCredit(books: Books, of: Payment, whole: number): void {
  const { customer, currency } = of;
  const own = Math.min(free(of, CREDIT), whole, of.amount - of.returned);
  let missing = own - creditOf(books, customer, currency);
  const spent = books.payments
    .filter((one) => one.from === 'credit' && !one.reversed)
    .filter((one) => one.customer === customer && one.currency === currency)
    .sort((a, b) => (a.id < b.id ? 1 : -1));
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
    (one) => one !== payment && one.link === id && one.gone < one.amount,
  );
  if (link && !isPaid && !['failed', 'canceled', 'unmatched'].includes(link.status))
    Object.assign(link, { status: 'failed', failedAt: at });
}
