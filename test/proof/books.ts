/*
 * An independent model of the books, made from the documentation alone: what documents, customers
 * and payments must say after each call. It shares no code with the service. Amounts are whole
 * numbers of minor units.
 */

import type { PayoutWord } from './voices/voice.js';
import type { Foreign } from './conversion.js';
import type { DunnedBooks } from './dunned.js';
import type { ScheduledBooks } from './scheduled.js';

export const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const;

type Lifecycle = 'open' | 'rejected' | 'uncollectible' | 'void';

export interface Figures {
  net: number;
  tax: number;
  rounding: number;
  total: number;
}

export interface Invoice extends Figures {
  id: string;
  number: string;
  /** The reference that payers are asked to write. */
  reference: string;
  customer: string;
  currency: string;
  lifecycle: Lifecycle;
  /** Gross: what went back is in `refunded`. */
  paid: number;
  refunded: number;
  waived: number;
  /** The amount that credit notes took off, and all that they are over. */
  credited: number;
  creditNotes: number;
  /** The day of its issue, and what comes off for those who pay in so many days. */
  issued: string;
  discounts: readonly { percent: number; days: number }[];
  /** The tax that credit notes left, by rate. */
  taxes: Record<string, number>;
  /** The day until which it is to be paid. */
  dueDate: string;
  /** The part that is charges of letters, and the category of tax that they stand in. */
  charged: number;
  chargedIn: 'O' | 'E' | null;
  /** The amounts that were asked for, each from a day on, in their order. */
  owed: [day: string, amount: number][];
  /** Whether that of the loss is claimed back; and how much is, by the account of the loss. */
  isRelieved: boolean;
  relief: Record<string, number>;
}

export interface CreditNote extends Figures {
  id: string;
  invoice: string;
  currency: string;
  lifecycle: Lifecycle;
  applied: number;
  /** By rate. */
  taxes: Record<string, number>;
  /** Net, by category of tax. */
  nets: Record<string, number>;
}

export interface Payment {
  id: string;
  customer: string;
  currency: string;
  amount: number;
  from: 'hand' | 'credit' | 'gateway' | 'receipt';
  /** The money, where that came in another currency. */
  received: Foreign | null;
  /** The label of the bank entry that it is, and the day of that. */
  entry: string | null;
  day: string | null;
  /** The day for which it counts, and whether that may be another than the one on which it was told. */
  paidOn: string;
  isDated: boolean;
  /** The documents that ever had a part of it. */
  everOn: string[];
  /** The provider's id of it, where a provider took it. */
  provider: string | null;
  /** The link that it came through. */
  link: string | null;
  /** Which document has how much of it now; what was refunded has left. */
  on: Record<string, number>;
  /** The part of it that is on its way back. */
  held: Record<string, number>;
  /**
   * Its part of the customer's credit; below zero when more than that went back to the payer, of
   * credit that came otherwise. The part on its way back has left.
   */
  inCredit: number;
  /** The part of it that is on its way back. */
  returned: number;
  reversed: boolean;
  /** An entry of the bank took it back. */
  isReturned: boolean;
  /** The part that its provider took back, of what was still here; null while it stays. */
  takenBack: number | null;
  /** All that its provider took back, and the part of it that nobody owes. */
  gone: number;
  lost: number;
}

/** A payer disputes a payment at its provider. */
export interface Dispute {
  id: string;
  /** The provider's id of it. */
  payment: string;
  status: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  amount: number;
  /** When that was said last. */
  at: number;
  withdrawn: number;
  /** The part of that which was taken off documents, credit or a receipt. */
  taken: number;
  fee: number;
  /** The part that may not move, and that of documents. */
  disputed: number;
  on: Record<string, number>;
  /** The parts that documents gave, and the shortfalls that were due again with them. */
  gave: Record<string, number>;
  waived: Record<string, number>;
  /** The part that a receipt gave, and what of it was lost. */
  receiptGave: number;
  receiptLost: number;
  /** The part of a payment that nobody could be asked for, and when something was taken last. */
  lost: number;
  turn: number;
  /** The part that reversals had taken before. */
  adopted: number;
  /** The names of reversals that are its money. */
  reversals: string[];
}

/** The parts that each place gave, so that they can come back there. */
export type Taken = Pick<
  Dispute,
  'gave' | 'waived' | 'receiptGave' | 'receiptLost' | 'lost' | 'turn'
>;

export const takenNothing = (): Taken => {
  return { gave: {}, waived: {}, receiptGave: 0, receiptLost: 0, lost: 0, turn: 0 };
};

/** A provider took money back, and no dispute was known then. */
export interface Reversal extends Taken {
  /** Null: it has none. */
  name: string | null;
  /** The part that disputes have adopted since. */
  adopted: number;
  /** The provider's id of it. */
  payment: string;
  amount: number;
}

/** A place at a provider where an invoice can be paid; times are the provider's. */
interface Link {
  invoice: string;
  amount: number;
  /** A debit by a mandate. */
  isCollection: boolean;
  status: 'open' | 'processing' | 'paid' | 'failed' | 'canceled' | 'unmatched';
  processingAt: number;
  paidAt: number;
  failedAt: number;
}

/** Gateway money that no document could take. */
export interface Receipt {
  /** The provider's id of the payment. */
  id: string;
  currency: string;
  amount: number;
  /** The part of it that is on its way back. */
  settled: number;
  /** All that its provider took back, and the part of it that had gone before. */
  gone: number;
  lost: number;
}

/** A movement on a bank account, and what became of it. */
export interface BankEntry {
  id: string;
  /** The first of the payer's words: of this entry alone. */
  label: string;
  format: 'csv' | 'camt';
  day: string;
  amount: number;
  currency: string;
  direction: 'credit' | 'debit';
  isReversal: boolean;
  /** Invoices that it names: by their references, or by their numbers. */
  names: string[];
  byReference: boolean;
  status: string;
  /** Of one that is posted. */
  account: string | null;
  /** The id of the payout that it is. */
  payout?: string;
}

/** Money that a provider sent to the bank; below zero: took from there. */
export interface Payout {
  id: string;
  gateway: string;
  /** The provider's id of it. */
  provider: string;
  amount: number;
  currency: string;
  /** Its own price. */
  fee: number;
  bookedFee: number;
  /** The provider's ids of the payments whose fees it booked. */
  feesOf: string[];
  /** Those of payments that it tells a fee of, and that were not told when it was recorded. */
  waits: string[];
  sentOn: string;
  status: 'sent' | 'paid' | 'failed' | 'reversed';
}

/** A payout as it was told. */
interface WaitingPayout {
  gateway: string;
  word: PayoutWord;
  status: 'paid' | 'failed';
  at: number;
}

/** The price of one unit of `base`, as the account told it last of that day. */
interface Rate {
  base: string;
  quote: string;
  day: string;
  rate: string;
  revision: number;
}

/** Money that goes back to who paid it. */
export interface Refund {
  id: string;
  /** Of a payment or a receipt. */
  of: string;
  amount: number;
  fromCredit: number;
  documents: { id: string; amount: number }[];
  /** Credit of its documents' notes, which nobody may spend while it is on its way. */
  kept: number;
  byGateway: boolean;
  /** The money, where that left in another currency. */
  paidOut: Foreign | null;
  /** The first is for a moment only: nobody was answered yet. */
  status: 'asked' | 'unknown' | 'pending' | 'succeeded' | 'failed' | 'returned' | 'reversed';
  /** The account that it left, and the shortfalls that were due again with it, by document. */
  paidFrom: string;
  waived: Record<string, number>;
}

/** A provider's word that a payment did not come, or was taken back. */
export interface Failure {
  /** The provider's id of the payment. */
  id: string;
  counts: boolean;
  at: number;
  kind: 'reversed' | 'failed';
  /** The provider's own id of it, if it has one. */
  name: string | null;
  /** Null: all that is left. */
  amount: number | null;
}

export interface Books extends DunnedBooks, ScheduledBooks {
  /** The instant at which the clock of the account stands; null: it runs with ours. */
  standsAt: string | null;
  customers: string[];
  invoices: Invoice[];
  creditNotes: CreditNote[];
  payments: Payment[];
  receipts: Receipt[];
  links: Record<string, Link>;
  /** Provider payments that failed before anybody heard of them; and whether that counts. */
  failures: Failure[];
  /** Provider money of no account that we know of, until somebody claims it. */
  nobodys: Pick<Receipt, 'id' | 'currency' | 'amount'>[];
  disputes: Dispute[];
  reversals: Reversal[];
  refunds: Refund[];
  entries: BankEntry[];
  payouts: Payout[];
  /** By the provider's id of a payout that was told and not booked: whether somebody has to look still. */
  payoutItems: Record<string, 'open' | 'closed'>;
  /** Payouts as they were told while it was not sure whose they are. */
  waiting: WaitingPayout[];
  rates: Rate[];
  /** Debits less credits, by ledger account such as `cash/EUR`. */
  ledger: Record<string, number>;
  /** The part of it that is about one document or one customer. */
  receivable: Record<string, number>;
  /** By customer and currency. */
  credit: Record<string, number>;
  /** The part of it that is on its way back. */
  reserved: Record<string, number>;
  tolerance: Record<string, number>;
  /** The first month that is open, such as `2026-10`; empty before any is closed. */
  openFrom: string;
}

export function emptyBooks(customers: string[]): Books {
  return {
    standsAt: null,
    customers,
    chargesOn: 'own_document',
    letters: [],
    schedules: [],
    drafts: [],
    invoices: [],
    creditNotes: [],
    payments: [],
    receipts: [],
    links: {},
    failures: [],
    nobodys: [],
    disputes: [],
    reversals: [],
    refunds: [],
    entries: [],
    payouts: [],
    payoutItems: {},
    waiting: [],
    rates: [],
    ledger: {},
    receivable: {},
    credit: {},
    reserved: {},
    tolerance: {},
    openFrom: '',
  };
}

/** The clock of a service of the tests runs with ours until somebody moves that of the account. */
export function nowIn({ standsAt }: Books): Date {
  return standsAt === null ? new Date() : new Date(standsAt);
}

export const dayIn = (books: Books): string => nowIn(books).toISOString().slice(0, 10);

/** The accounts of what an invoice is owed, asked for or not. */
const CLAIMS = new Set(['receivables', 'rejected_receivables', 'bad_debt']);

/** Debit, credit, amount; less than zero is the other way round. */
export function post(
  books: Books,
  currency: string,
  debit: string,
  credit: string,
  amount: number,
  invoice?: string,
): void {
  if (amount === 0) return;
  add(books.ledger, `${debit}/${currency}`, amount);
  add(books.ledger, `${credit}/${currency}`, -amount);
  if (invoice === undefined) return;
  for (const [account, sign] of [
    [debit, 1],
    [credit, -1],
  ] as const) {
    if (CLAIMS.has(account)) {
      add(books.receivable, invoice, sign * amount);
    }
  }
}

export function add(sums: Record<string, number>, key: string, amount: number): void {
  sums[key] = (sums[key] ?? 0) + amount;
  if (sums[key] === 0) delete sums[key];
}

export function giveCredit(books: Books, customer: string, currency: string, amount: number): void {
  add(books.credit, `${customer}/${currency}`, amount);
}

/** Below zero: it may be spent again. */
export function reserve(books: Books, customer: string, currency: string, amount: number): void {
  add(books.reserved, `${customer}/${currency}`, amount);
}

/** The part of a customer's credit that may be spent. */
export function creditOf(books: Books, customer: string, currency: string): number {
  const key = `${customer}/${currency}`;
  return (books.credit[key] ?? 0) - (books.reserved[key] ?? 0);
}

export function isUnderWay({ status }: Refund): boolean {
  return status === 'asked' || status === 'unknown' || status === 'pending';
}

/** The ledger account of the amount due on an invoice. */
export function dueAccount({ lifecycle }: Invoice): string {
  return lifecycle === 'uncollectible' ? 'bad_debt' : 'receivables';
}

export function kept({ paid, refunded }: Invoice): number {
  return paid - refunded;
}

export function due(invoice: Invoice): number {
  return invoice.total - kept(invoice) - invoice.credited - invoice.waived;
}

/** The part that is asked for: what a rejected or written off invoice is owed is not. */
export function asked(invoice: Invoice): number {
  return invoice.lifecycle === 'open' ? due(invoice) : 0;
}

export function takesMoney({ lifecycle }: Invoice): boolean {
  return lifecycle === 'open' || lifecycle === 'uncollectible';
}

/** The amount that credit notes may still take. */
export function creditable(invoice: Invoice): number {
  return takesMoney(invoice) ? invoice.total - invoice.creditNotes : 0;
}

export function statusOf(invoice: Invoice): string {
  if (!takesMoney(invoice)) return invoice.lifecycle;
  if (due(invoice) === 0) return 'paid';
  if (invoice.lifecycle === 'uncollectible') return 'uncollectible';
  return kept(invoice) > 0 ? 'partially_paid' : 'open';
}

/** The tax of an invoice's lines by rate; half a unit goes away from zero. */
export function taxesOf(lines: readonly { amount: number; rate: number }[]) {
  const bases: Record<string, number> = {};
  for (const { amount, rate } of lines) bases[rate] = (bases[rate] ?? 0) + amount;
  return Object.fromEntries(
    Object.entries(bases).map(([rate, base]) => [
      rate,
      Math.sign(base) * Math.floor((2 * Math.abs(base) * Number(rate) + 100) / 200),
    ]),
  );
}

/** The figures of an invoice of these lines. */
export function figuresOf(
  lines: readonly { amount: number; rate: number }[],
  coin: number | null,
): Figures {
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Object.values(taxesOf(lines)).reduce((sum, one) => sum + one, 0);
  const exact = net + tax;
  // Five units: nothing is halfway between two coins.
  const total = coin === null ? exact : Math.round(exact / coin) * coin;
  return { net, tax, rounding: total - exact, total };
}

/** The answer that an invoice must give. */
export function shown(invoice: Invoice): Record<string, unknown> {
  return {
    status: statusOf(invoice),
    amount_due: asked(invoice),
    amount_written_off: invoice.lifecycle === 'uncollectible' ? due(invoice) : 0,
    amount_paid: invoice.paid,
    amount_credited: invoice.credited,
    amount_creditable: creditable(invoice),
  };
}

/** A shortfall was let pass because nothing else was due; now something is. */
export function takeWaiverBack(books: Books, invoice: Invoice): number {
  const { waived } = invoice;
  post(
    books,
    invoice.currency,
    dueAccount(invoice),
    'payment_differences',
    invoice.waived,
    invoice.id,
  );
  invoice.waived = 0;
  return waived;
}

/** Money that providers have on its way for an invoice. */
export function onItsWay({ links }: Books, invoice: string): number {
  return Object.values(links)
    .filter((one) => one.invoice === invoice && one.status === 'processing')
    .reduce((sum, { amount }) => sum + amount, 0);
}
