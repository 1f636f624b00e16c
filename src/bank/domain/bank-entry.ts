import type { Uuid } from '../../kernel/ids.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { StatedBankEntry } from './bank-statement.js';

export const BANK_ENTRY_STATUSES = ['booked', 'proposed', 'unmatched', 'ignored', 'debit'] as const;
export type BankEntryStatus = (typeof BANK_ENTRY_STATUSES)[number];

/** A movement on a bank account, and what became of it. */
export interface BankEntry extends StatedBankEntry {
  id: Uuid;
  accountId: Uuid;
  statementId: Uuid;
  /** The bank account, not the tenant. */
  bankAccount: string | null;
  status: BankEntryStatus;
  paymentId: Uuid | null;
  /** Whether its documents were looked for. */
  isJudged: boolean;
}

/** Of one that nobody looked at. Money that leaves, and no money, pay nothing. */
export function firstStatus({ direction, amount }: StatedBankEntry): BankEntryStatus {
  if (direction === 'debit') return 'debit';
  return amount.isZero() ? 'ignored' : 'unmatched';
}

/** @throws DomainError `bank_entry_booked`, `bank_entry_not_bookable` */
export function assertOpen({ status }: BankEntry): void {
  if (status === 'booked') {
    throw DomainError.conflict(
      'bank_entry_booked',
      'The entry is booked; move or reverse its payment instead.',
    );
  }
  if (status === 'debit') throw notBookable('The entry is a debit: no money came in.');
}

/** @throws DomainError `bank_entry_booked`, `bank_entry_not_bookable` */
export function assertBookable(entry: BankEntry): void {
  assertOpen(entry);
  if (entry.amount.isZero()) throw notBookable('The entry has no amount.');
  if (entry.isReversal) throw notBookable('The entry takes back a debit: it is no payment.');
}

function notBookable(detail: string): DomainError {
  return DomainError.conflict('bank_entry_not_bookable', detail);
}

export function bankEntryNotFound(): DomainError {
  return DomainError.notFound('bank_entry_not_found', 'There is no such bank entry.');
}

export function bankStatementNotFound(): DomainError {
  return DomainError.notFound('bank_statement_not_found', 'There is no such bank statement.');
}

/** The reference of the payment that an entry becomes. */
export function referenceOf({ structuredReference, remittance }: BankEntry): string | null {
  const words = [structuredReference, remittance].filter((text) => text !== null).join(' ');
  return words === '' ? null : words.slice(0, 200).toWellFormed();
}
