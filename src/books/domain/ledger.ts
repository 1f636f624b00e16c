import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';

/** The chart of accounts; each exists once in every tenant and currency. See docs/books.md. */
export const LEDGER_ACCOUNTS = [
  'receivables',
  'rejected_receivables',
  'cash',
  'gateway_clearing',
  'payouts_in_transit',
  'disputed_funds',
  'customer_credit',
  'unmatched_receipts',
  'credit_notes',
  'revenue',
  'tax_payable',
  'rounding',
  'bad_debt',
  'payment_differences',
  'gateway_fees',
  'payment_losses',
  'bank_fees',
  'other_expenses',
  'other_income',
  'opening_balances',
  'currency_exchange',
  'exchange_gains',
  'exchange_losses',
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** The facts that move money. The check on `transfers.fact` knows the same ones. */
export type LedgerFact =
  | 'document.issued'
  | 'document.rejected'
  | 'document.voided'
  | 'document.written_off'
  | 'document.write_off_reversed'
  | 'document.tax_relieved'
  | 'credit_note.issued'
  | 'credit_note.moved'
  | 'credit_note.voided'
  | 'payment.recorded'
  | 'payment.moved'
  | 'payment.reversed'
  | 'payment.refunded'
  | 'refund.returned'
  | 'refund.reversed'
  | 'receipt.unmatched'
  | 'receipt.refunded'
  | 'receipt.closed'
  | 'dispute.opened'
  | 'dispute.won'
  | 'dispute.lost'
  | 'payout.sent'
  | 'payout.failed'
  | 'payout.reversed'
  | 'bank_entry.booked'
  | 'bank_entry.unbooked';

/** One amount that leaves one account and enters another: balanced by construction. */
export interface Leg {
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: Money;
  /** The document whose balance it changes. */
  documentId: Uuid | null;
}

/** The legs of one fact. Each balances in its own currency. */
export interface LedgerEntry {
  accountId: Uuid;
  fact: LedgerFact;
  /** The subject, such as a document, a payment or a bank entry. */
  factId: Uuid;
  customerId: Uuid | null;
  /** The day it counts for; of an instant its day in the account's time zone. */
  effective: IsoDate | Date;
  /** The day of the document that it changes: an invoice dated ahead is not voided before it. */
  notBefore?: IsoDate | null;
  recordedAt: Date;
  legs: readonly Leg[];
}

/** No leg for nothing, and the other way round for less. */
export function leg(
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: Money,
  documentId: Uuid | null = null,
): Leg[] {
  if (amount.isZero()) return [];
  if (amount.isPositive()) return [{ debit, credit, amount, documentId }];
  return [{ debit: credit, credit: debit, amount: amount.negated(), documentId }];
}

export function mirrored(legs: readonly Leg[]): Leg[] {
  return legs.map(({ debit, credit, ...rest }) => ({ ...rest, debit: credit, credit: debit }));
}

/** The parts of the total of an invoice or a credit note. */
export interface TotalParts {
  net: Money;
  tax: Money;
  rounding: Money;
}

/** An invoice asks for money: revenue, tax that is owed on, and the rounding. */
export function invoiceLegs({ net, tax, rounding }: TotalParts, invoiceId: Uuid): Leg[] {
  return [
    ...leg('receivables', 'revenue', net, invoiceId),
    ...leg('receivables', 'tax_payable', tax, invoiceId),
    ...leg('receivables', 'rounding', rounding, invoiceId),
  ];
}

/** A credit note takes revenue and tax back; what it gives for them goes through `credit_notes`. */
export function creditNoteLegs(
  { net, tax, rounding }: TotalParts,
  customerCredit: Money,
  creditNoteId: Uuid,
): Leg[] {
  return [
    ...leg('revenue', 'credit_notes', net, creditNoteId),
    ...leg('tax_payable', 'credit_notes', tax, creditNoteId),
    ...leg('rounding', 'credit_notes', rounding, creditNoteId),
    ...leg('credit_notes', 'customer_credit', customerCredit),
  ];
}

/**
 * Credit of a note goes onto its invoice after all; below zero: comes off again. It goes through
 * `credit_notes`, as at the issue of the note: it is no money that paid the invoice.
 */
export function movedCreditLegs(amount: Money, due: DueAccount, invoiceId: Uuid): Leg[] {
  return [
    ...leg('customer_credit', 'credit_notes', amount),
    ...leg('credit_notes', due, amount, invoiceId),
  ];
}

/** Tax that is claimed back of a loss, or owed again: the loss is less, or more, by it. */
export function reliefLegs(changes: readonly TaxRelieved[], documentId: Uuid): Leg[] {
  return changes.flatMap(({ of, tax }) => leg('tax_payable', LOSS_ACCOUNT[of], tax, documentId));
}

/** A claim that was written off, or a shortfall that was let pass. */
export const LOSS_KINDS = ['write_off', 'waiver'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

export const LOSS_ACCOUNT = {
  write_off: 'bad_debt',
  waiver: 'payment_differences',
} as const satisfies Record<LossKind, LedgerAccount>;

export interface TaxRelieved {
  of: LossKind;
  tax: Money;
}

/** The account that holds what is due on a document: after a write-off, the one of losses. */
export type DueAccount = 'receivables' | 'bad_debt';

export function dueAccount({ lifecycle }: { lifecycle: string }): DueAccount {
  return lifecycle === 'uncollectible' ? 'bad_debt' : 'receivables';
}

/** The effect of a payment on one document. */
export interface AppliedAmount {
  documentId: Uuid;
  due: DueAccount;
  applied: Money;
  /** The shortfall that was let pass. */
  waived: Money;
}

/** Money that comes from `source` pays documents; the rest is the customer's credit. */
export function paymentLegs(
  source: LedgerAccount,
  parts: readonly AppliedAmount[],
  rest: Money,
  fee: Money | null,
): Leg[] {
  return [
    ...parts.flatMap(({ documentId, due, applied, waived }) => [
      ...leg(source, due, applied, documentId),
      ...leg('payment_differences', due, waived, documentId),
    ]),
    ...leg(source, 'customer_credit', rest),
    ...(fee ? leg('gateway_fees', 'gateway_clearing', fee) : []),
  ];
}

/** The part that is taken off one document again. */
export interface TakenOffAmount {
  documentId: Uuid;
  due: DueAccount;
  amount: Money;
  /** The waived shortfall, which is due again too. */
  waived: Money;
}

/** Money leaves documents for `target`; what was waived there is owed again. */
export function takeOffLegs(target: LedgerAccount, parts: readonly TakenOffAmount[]): Leg[] {
  return parts.flatMap(({ documentId, due, amount, waived }) => [
    ...leg(due, target, amount, documentId),
    ...leg(due, 'payment_differences', waived, documentId),
  ]);
}

/** Money that moved in another currency, and its worth in that of the documents. */
export interface ExchangedMoney {
  money: Money;
  worth: Money;
}

/**
 * The legs beside those of documents that `currency_exchange` pays: the money itself, and the gain
 * or loss. So that account has the money in its currency, and its worth in the other.
 * @param settled the amount that it counts for
 */
export function receivedLegs(
  account: LedgerAccount,
  exchanged: ExchangedMoney | null,
  settled: Money,
): Leg[] {
  if (!exchanged) return [];
  const { money, worth } = exchanged;
  return [...leg(account, 'currency_exchange', money), ...gainLegs(worth.minus(settled))];
}

/** The same for money that is paid out. */
export function paidOutLegs(
  account: LedgerAccount,
  exchanged: ExchangedMoney | null,
  settled: Money,
): Leg[] {
  if (!exchanged) return [];
  const { money, worth } = exchanged;
  return [...leg('currency_exchange', account, money), ...gainLegs(settled.minus(worth))];
}

function gainLegs(gain: Money): Leg[] {
  return gain.isNegative()
    ? leg('exchange_losses', 'currency_exchange', gain.negated())
    : leg('currency_exchange', 'exchange_gains', gain);
}
