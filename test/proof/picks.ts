import type { Books, Invoice, Payment, Receipt } from './books.js';
import { type Call, Disagreement, refused } from './judge.js';

/** The pick of nothing of ours: then something of another account is named. */
export const FOREIGN = 11;

/** One of ours, or for the last pick none. */
export function chosen<Thing>(things: readonly Thing[], pick: number): Thing | undefined {
  return pick === FOREIGN ? undefined : things[pick % Math.max(things.length, 1)];
}

/** Those that suit, if there are any. */
export function fitting<Thing>(
  things: readonly Thing[],
  isFit: (one: Thing) => boolean,
): readonly Thing[] {
  const fit = things.filter(isFit);
  return fit.length > 0 ? fit : things;
}

/** As many quarters of an amount, and at least the smallest that can be sent. */
export function quartersOf(amount: number, quarters: number): number {
  return Math.max(1, Math.floor((amount * quarters) / 4));
}

export function invoiceOf(books: Books, id: string): Invoice {
  return found(books.invoices, id, 'invoice');
}

export function paymentOf(books: Books, id: string): Payment {
  return found(books.payments, id, 'payment');
}

/** The payment with that money; none if it is a receipt, also one that was a payment before. */
export function paymentWith({ payments }: Books, id: string): Payment | undefined {
  return payments.find((one) => one.id === id && (!one.reversed || one.takenBack !== null));
}

export function receiptOf(books: Books, id: string): Receipt {
  return found(books.receipts, id, 'receipt');
}

function found<Thing extends { id: string }>(
  things: readonly Thing[],
  id: string,
  kind: string,
): Thing {
  const one = things.find((thing) => thing.id === id);
  if (!one) throw new Disagreement(`there is no ${kind} ${id}`);
  return one;
}

/** A call about something that another account has. */
export function foreignCall(request: Pick<Call, 'text' | 'send'>, code: string): Call {
  return { ...request, judge: (_books, answer) => void refused(answer, [code]) };
}
