import { Money } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type { BankEntry, BankEntryStatus, PostedAccount } from '../domain/bank-entry.js';
import type { Direction } from '../domain/bank-statement.js';

export type BankEntryColumns = Omit<
  Row<
    'bank_entries',
    { direction: Direction; status: BankEntryStatus; ledger_account: PostedAccount }
  >,
  'batch_key' | 'entry_key' | 'xact'
>;

export const BANK_ENTRY_COLUMNS = `e.account_id, e.entry_id, e.statement_id, e.direction,
  e.is_reversal, e.amount, e.currency, e.booked_on, e.value_on, e.bank_account,
  e.counterparty_name, e.counterparty_iban, e.remittance, e.structured_reference,
  e.end_to_end_id, e.bank_reference, e.fee, e.transaction_type, e.return_reason, e.batch_amount, e.status, e.payment_id, e.payout_id,
  e.ledger_account, e.judged_at`;

export function toBankEntry(row: BankEntryColumns): BankEntry {
  return {
    id: row.entry_id,
    accountId: row.account_id,
    statementId: row.statement_id,
    direction: row.direction,
    isReversal: row.is_reversal,
    amount: Money.of(row.amount, row.currency),
    bookedOn: row.booked_on,
    valueOn: row.value_on,
    bankAccount: row.bank_account,
    counterpartyName: row.counterparty_name,
    counterpartyIban: row.counterparty_iban,
    remittance: row.remittance,
    structuredReference: row.structured_reference,
    endToEndId: row.end_to_end_id,
    bankReference: row.bank_reference,
    fee: Money.of(row.fee, row.currency),
    transactionType: row.transaction_type,
    returnReason: row.return_reason,
    batchAmount: row.batch_amount === null ? null : Money.of(row.batch_amount, row.currency),
    status: row.status,
    paymentId: row.payment_id,
    payoutId: row.payout_id,
    ledgerAccount: row.ledger_account,
    isJudged: row.judged_at !== null,
  };
}
