import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';
import { movedBy, type StatedBankEntry } from './bank-statement.js';
import { BankRefusal } from './refusals.js';

/**
 * `booked` became a payment, `recorded` is one that a person recorded before, `returned` took one
 * back, `posted` is on an account of the chart. Those that count no more: a sum whose parts came is
 * `replaced`, and one of a file that was taken back is `withdrawn`. The others are open; a `debit`
 * is an open one.
 */
export const BANK_ENTRY_STATUSES = [
  'booked',
  'recorded',
  'returned',
  'posted',
  'proposed',
  'unmatched',
  'ignored',
  'debit',
  'replaced',
  'withdrawn',
] as const;
export type BankEntryStatus = (typeof BANK_ENTRY_STATUSES)[number];

/** The accounts of the chart that somebody may post an entry to. */
export const POSTING_ACCOUNTS = [
  'bank_fees',
  'other_expenses',
  'other_income',
  'opening_balances',
  // A payout that nobody recorded, and one's own money in another currency.
  'gateway_clearing',
  'currency_exchange',
] as const;
/** The accounts that a posted entry stands on: a payout is confirmed by its id. */
export const POSTED_ACCOUNTS = [...POSTING_ACCOUNTS, 'payouts_in_transit'] as const;
export type PostingAccount = (typeof POSTING_ACCOUNTS)[number];
export type PostedAccount = (typeof POSTED_ACCOUNTS)[number];

/** A movement on a bank account, and what became of it. */
export interface BankEntry extends Omit<StatedBankEntry, 'batch'> {
  id: Uuid;
  accountId: Uuid;
  statementId: Uuid;
  /** The bank account, not the tenant. */
  bankAccount: string | null;
  /** Of a part of a batch: the amount of that. */
  batchAmount: Money | null;
  status: BankEntryStatus;
  /** The payment that it is, or that it took back. */
  paymentId: Uuid | null;
  /** The payout of a provider that it is. */
  payoutId: Uuid | null;
  /** Of one that is posted. */
  ledgerAccount: PostedAccount | null;
  /** Whether its documents were looked for. */
  isJudged: boolean;
}

/** Of one that nobody looked at. Money that leaves, and no money, pay nothing. */
export function firstStatus({ direction, amount }: StatedBankEntry): BankEntryStatus {
  if (direction === 'debit') return 'debit';
  return amount.isZero() ? 'ignored' : 'unmatched';
}

/** Words of banks for a direct debit that came back, apart from case. */
const RETURNED =
  /r(?:ü|ue)ck(?:lastschrift|belastung|gabe)|returned|chargeback|stornierung|storno/i;

/** Whether it takes back what came in: the bank says so in a field, or in its words. */
export function isReturn({
  direction,
  isReversal,
  returnReason,
  transactionType,
  remittance,
}: StatedBankEntry): boolean {
  if (direction === 'credit') return false;
  if (isReversal || returnReason !== null) return true;
  return [transactionType, remittance].some((text) => text !== null && RETURNED.test(text));
}

const CONVERSION = /conversion|^exchange$|w(?:ä|ae)hrungsumrechnung/i;

/** One's own money in another currency: nobody paid it. */
export function isConversion({ transactionType }: StatedBankEntry): boolean {
  return transactionType !== null && CONVERSION.test(transactionType);
}

const SETTLED: ReadonlySet<BankEntryStatus> = new Set(['booked', 'recorded', 'returned', 'posted']);

/** It is something in the books. */
export function isBooked({ status }: Pick<BankEntry, 'status'>): boolean {
  return SETTLED.has(status);
}

/** It is something in the books, or somebody said that it is nothing: it is not booked once more. */
export function isSpokenFor({ status }: Pick<BankEntry, 'status'>): boolean {
  return SETTLED.has(status) || status === 'ignored';
}

/** It may become something still: there is something to propose. */
export function isOpenEntry({ status }: Pick<BankEntry, 'status'>): boolean {
  return !SETTLED.has(status) && status !== 'replaced' && status !== 'withdrawn';
}

export function assertIgnorable(entry: BankEntry): void {
  assertOpen(entry);
  if (entry.direction === 'debit') throw notBookable('The entry is a debit: no money came in.');
}

export function assertOpen({ status }: Pick<BankEntry, 'status'>): void {
  if (status === 'replaced') throw notBookable('Its parts came in another file: book those.');
  if (status === 'withdrawn') throw notBookable('The file that brought it was taken back.');
  if (!SETTLED.has(status)) return;
  throw BankRefusal.bank_entry_booked.of(
    status === 'booked'
      ? 'The entry is booked; move or reverse its payment instead.'
      : 'The entry is booked already; POST .../unbook opens it again, unless it reversed a payment.',
  );
}

export function assertBookable(entry: BankEntry): void {
  assertIgnorable(entry);
  if (entry.amount.isZero()) throw notBookable('The entry has no amount.');
  if (entry.isReversal) throw notBookable('The entry takes back a debit: it is no payment.');
}

/** To an account of the chart. */
export function assertPostable(entry: BankEntry): void {
  assertOpen(entry);
  if (movedBy(entry).isZero()) throw notBookable('The entry moved no money.');
}

/** @throws DomainError `bank_entry_not_bookable` for a day to come */
export function assertBookedBy({ bookedOn }: BankEntry, today: IsoDate): void {
  if (bookedOn <= today) return;
  throw notBookable('The bank books the entry on a day to come; wait for that day.');
}

export function assertUnbookable({ status }: BankEntry): void {
  if (status === 'booked' || status === 'recorded' || status === 'posted') return;
  throw BankRefusal.bank_entry_not_booked.of(
    status === 'returned'
      ? 'The entry took a payment back, and the money is gone: record what replaces it.'
      : 'The entry is open: there is nothing to undo.',
  );
}

function notBookable(detail: string): DomainError {
  return BankRefusal.bank_entry_not_bookable.of(detail);
}

/** The status of an entry that is open again. */
export function reopened(entry: BankEntry): BankEntryStatus {
  return entry.direction === 'debit' ? 'debit' : 'unmatched';
}

/** The fee of the bank in an entry that took a payment back: all that is above the payment. */
export function feeOfReturn(entry: BankEntry, payment: Money): Money {
  return movedBy(entry).negated().minus(payment);
}

/** The reference of the payment that an entry becomes. */
export function referenceOf({ structuredReference, remittance }: BankEntry): string | null {
  const words = [structuredReference, remittance].filter((text) => text !== null).join(' ');
  return words === '' ? null : words.slice(0, 200).toWellFormed();
}
