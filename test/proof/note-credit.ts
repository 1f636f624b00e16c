import {
  type Books,
  creditOf,
  type CreditNote,
  due,
  dueAccount,
  giveCredit,
  type Invoice,
  post,
  takesMoney,
} from './books.js';

/*
 * The same facts leave the same figures, in whatever order they came. A note that came before money
 * went back does in the end what it would have done after it. Its credit goes onto its invoice then,
 * as far as the customer has it still.
 */

/** The part of its notes that became the customer's credit. */
export function creditOfNotes({ creditNotes, credited }: Invoice): number {
  return creditNotes - credited;
}

/** Oldest first; their ids tell it of those that were made at once. */
const notesOf = (books: Books, { id }: Invoice) =>
  books.creditNotes
    .filter(({ invoice, lifecycle }) => invoice === id && lifecycle === 'open')
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** Money of it went back: credit of its oldest notes pays what it owes. */
export function putNoteCredit(books: Books, invoice: Invoice): void {
  const there = creditOf(books, invoice.customer, invoice.currency);
  let left = Math.min(due(invoice), there);
  for (const note of notesOf(books, invoice)) {
    const part = Math.min(left, note.total - note.applied);
    if (part <= 0) continue;
    left -= part;
    move(books, invoice, note, part);
  }
}

/** Money is here again: what it does not owe, its newest notes need not have taken off. */
export function takeNoteCreditOff(books: Books, invoice: Invoice, amount: number): void {
  if (!takesMoney(invoice)) return;
  let left = amount - Math.min(amount, due(invoice));
  for (const note of notesOf(books, invoice).toReversed()) {
    const part = Math.min(left, note.applied);
    if (part <= 0) continue;
    left -= part;
    move(books, invoice, note, -part);
  }
}

function move(books: Books, invoice: Invoice, note: CreditNote, part: number): void {
  const { customer, currency, id } = invoice;
  post(books, currency, 'customer_credit', 'credit_notes', part);
  post(books, currency, 'credit_notes', dueAccount(invoice), part, id);
  giveCredit(books, customer, currency, -part);
  note.applied += part;
  invoice.credited += part;
}
