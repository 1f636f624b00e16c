import {
  type BankEntry,
  type Books,
  due,
  type Invoice,
  type Payment,
  takesMoney,
} from './books.js';
import { assertFields, Disagreement } from './judge.js';
import { book, moneyOf } from './operations/payments.js';
import { isEntryOf } from './operations/payouts.js';
import { invoiceOf } from './picks.js';

export type MadeEntry = Omit<BankEntry, 'id' | 'status' | 'account'>;
export type EntryAnswer = Pick<BankEntry, 'id' | 'status'> & {
  remittance: string;
  payment_id: string | null;
};

/**
 * Entries are booked that the documentation calls sure, and no others.
 * @param others entries of files that do not tell of this one
 */
export function judgeNew(
  books: Books,
  made: MadeEntry,
  { id, status, payment_id }: EntryAnswer,
  others: readonly MadeEntry[],
): void {
  const { currency, amount, direction, isReversal } = made;
  const invoices = made.names.map((name) => invoiceOf(books, name));
  const twins = others.filter((one) => isTwin(one, made)).map(({ label }) => label);
  const known = books.entries.filter(({ label }) => twins.includes(label));
  const isDoubtful = direction === 'debit' || isReversal || known.some(isSpokenFor);
  const parts = isDoubtful ? null : surePartsOf(books, made, invoices);
  const entry: BankEntry = { ...made, id, status, account: null };
  books.entries.push(entry);
  if (parts) {
    assertFields({ status }, { status: 'booked' });
    const { customer } = parts[0]!.invoice;
    book(books, { customer, currency }, amount, parts, {
      id: payment_id ?? '',
      from: 'hand',
      entry: made,
    });
    return;
  }
  assertFields({ payment_id }, { payment_id: null });
  const alone = statusesOf(books, made, invoices);
  // Of one that is not judged yet, the books do not know.
  const doubted = direction === 'debit' || twins.length === 0 ? [] : ['proposed'];
  const may = known.length > 0 && doubted.length > 0 ? doubted : [...alone, ...doubted];
  if (may.includes(status)) return;
  throw new Disagreement(`${made.label} is ${status} instead of ${may.join(' or ')}`);
}

/** The statuses that an entry may get that is not booked. */
function statusesOf(books: Books, made: MadeEntry, invoices: readonly Invoice[]): string[] {
  const { amount, currency, direction, isReversal } = made;
  if (direction === 'debit') return ['debit'];
  if (isReversal) return ['unmatched'];
  const isOwed = (one: Invoice) => takesMoney(one) && due(one) > 0 && one.currency === currency;
  const isAlike = (one: Invoice) => isOwed(one) && one.lifecycle === 'open' && due(one) === amount;
  const payouts = books.payouts.filter((one) => isEntryOf(made, one));
  // A provider may say a day of arrival, some days later: by that it is near for longer.
  const isSent = (days: number) => payouts.some((one) => daysBetween(made.day, one.sentOn) <= days);
  const isPayout = isSent(7);
  if (isPayout || invoices.some(isOwed) || isRecorded(books, made)) return ['proposed'];
  // By its amount alone an invoice is found by its total; one that was named and is paid in this
  // moment may be proposed still.
  if (books.invoices.some((one) => isAlike(one) && one.total === amount)) return ['proposed'];
  const maybe = invoices.length > 0 || isSent(14) || books.invoices.some(isAlike);
  return maybe ? ['unmatched', 'proposed'] : ['unmatched'];
}

/** A person recorded a payment in this amount on a document that the entry names. */
function isRecorded(books: Books, made: MadeEntry): boolean {
  const { amount, currency, names } = made;
  return books.payments.some(
    (one) =>
      one.from === 'hand' &&
      one.entry === null &&
      isNearDay(made, one) &&
      !one.reversed &&
      moneyOf(one).amount === amount &&
      moneyOf(one).currency === currency &&
      one.everOn.some((id) => names.includes(id)),
  );
}

function surePartsOf(books: Books, made: MadeEntry, invoices: readonly Invoice[]) {
  const { amount, currency } = made;
  const [first] = invoices;
  if (!first || isRecorded(books, made)) return null;
  const isEachOwed = invoices.every(
    (one) =>
      takesMoney(one) &&
      due(one) > 0 &&
      one.currency === currency &&
      one.customer === first.customer,
  );
  if (!isEachOwed) return null;
  if (made.byReference) return [{ invoice: first, share: Math.min(due(first), amount) }];
  const sum = invoices.reduce((all, one) => all + due(one), 0);
  return sum === amount ? invoices.map((invoice) => ({ invoice, share: due(invoice) })) : null;
}

/**
 * Perhaps the same movement. Our files of camt have a reference of the bank for each entry, and those
 * of CSV none; their words differ, so that they are alike on one day only.
 */
function isTwin(one: MadeEntry, made: MadeEntry): boolean {
  const isNear =
    one.format === made.format ? one.day === made.day : daysBetween(one.day, made.day) <= 3;
  return (
    isNear &&
    (one.format !== made.format || made.format === 'csv') &&
    one.direction === made.direction &&
    one.isReversal === made.isReversal &&
    one.amount === made.amount &&
    one.currency === made.currency
  );
}

/** It is in the books, or nothing. */
function isSpokenFor(entry: BankEntry): boolean {
  return isSettled(entry) || entry.status === 'ignored';
}

const IS_A_PAYMENT = new Set(['booked', 'recorded', 'returned']);

function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000;
}

/** A person records a payment at most so many days before or after the bank does. */
export function isNearDay({ day }: Pick<MadeEntry, 'day'>, { paidOn }: Payment): boolean {
  return daysBetween(day, paidOn) <= 7;
}

/** Neither a payment nor on an account of the chart. */
export function isSettled({ status }: BankEntry): boolean {
  return IS_A_PAYMENT.has(status) || status === 'posted';
}
