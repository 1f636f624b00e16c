import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import { tidyText } from '../../kernel/tidy-text.js';
import { BankRefusal } from './refusals.js';

export const BANK_STATEMENT_FORMATS = ['camt.052', 'camt.053', 'camt.054', 'csv', 'mt940'] as const;
export type BankStatementFormat = (typeof BANK_STATEMENT_FORMATS)[number];

export const DIRECTIONS = ['credit', 'debit'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** One movement on a bank account, as the bank tells of it. */
export interface StatedBankEntry {
  direction: Direction;
  /** It takes an earlier one back. */
  isReversal: boolean;
  /** The amount that the other side paid, or was paid. Never below zero. */
  amount: Money;
  /** The bank's fee beside the amount; below zero where it gave some back. */
  fee: Money;
  bookedOn: IsoDate;
  valueOn: IsoDate | null;
  /** The other side: the payer, or the payee of a debit. */
  counterpartyName: string | null;
  counterpartyIban: string | null;
  /** The payer's own words. */
  remittance: string | null;
  /** As given; whether it is one of ISO 11649 is for the match to say. */
  structuredReference: string | null;
  endToEndId: string | null;
  /** The bank's own, where it gives one. */
  bankReference: string | null;
  /** The bank's word for what it is. */
  transactionType: string | null;
  /** Why it came back, as the bank says, with its code; null where it does not say. */
  returnReason: string | null;
  /** Of a part of a batch: what the batch as a whole is. */
  batch?: Pick<StatedBankEntry, 'amount' | 'direction' | 'bankReference'>;
}

/** The amount by which the balance of the account moved. */
export function movedBy({
  direction,
  amount,
  fee,
}: Pick<StatedBankEntry, 'direction' | 'amount' | 'fee'>): Money {
  return (direction === 'credit' ? amount : amount.negated()).minus(fee);
}

export interface BankBalance {
  /** Below zero: overdrawn. */
  amount: Money;
  date: IsoDate;
}

/** The part of a file about one bank account and one period. */
/** A file without what the bank says in it. */
export interface ToldBankStatement {
  id: Uuid;
  format: BankStatementFormat;
  /** In hex. */
  sha256: string;
  importedAt: Date;
  withdrawnAt: Date | null;
  entries: number;
  knownBefore: number;
  pending: number;
  rejected: number;
}

export interface BankStatementSection {
  /** The bank's name for the statement. */
  reference: string | null;
  /** An IBAN, where the account has one. */
  account: string | null;
  currency: Currency | null;
  opening: BankBalance | null;
  closing: BankBalance | null;
  entries: StatedBankEntry[];
}

export interface ParsedBankStatement {
  format: BankStatementFormat;
  sections: BankStatementSection[];
  /** Entries that the bank has not booked yet, and may never book: counted and left out. */
  pending: number;
  /** Entries that failed, were declined or cancelled: counted and left out. */
  rejected: number;
  /** Columns, fields and labels that no rule took. */
  unused: readonly string[];
  /** Of CSV. */
  header?: readonly string[];
  /** Of CSV: the mapping that it was read by, too. */
  mappingId?: Uuid;
}

export const CSV_DECIMALS = ['comma', 'point'] as const;
export const CSV_DATE_FORMATS = [
  'yyyy-mm-dd',
  'yyyymmdd',
  'dd.mm.yyyy',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'dd-mm-yyyy',
  'mm-dd-yyyy',
  'yyyy/mm/dd',
  'yyyy.mm.dd',
  'dd/mm/yy',
  'mm/dd/yy',
  'dd-mm-yy',
  'mm-dd-yy',
  'yy/mm/dd',
  'yy-mm-dd',
  'ddmmyyyy',
  'mmddyyyy',
  'dd mmm yyyy',
] as const;

/** For rows that may be a balance: they are none of the entries, or they all are. */
export const CSV_BALANCE_ROWS = ['leave_out', 'book'] as const;

/** The caller's hints for a CSV file that does not say enough itself. */
export interface CsvHints {
  delimiter: string | null;
  decimal: (typeof CSV_DECIMALS)[number] | null;
  dateFormat: (typeof CSV_DATE_FORMATS)[number] | null;
  currency: Currency | null;
  /** The account that the file is about. */
  account: string | null;
  /** Header names of the file, by what we take from the column. */
  columns: ReadonlyMap<string, string>;
  /** Header names of columns that say nothing of the money. */
  ignored: readonly string[];
  /** Words in the column for the direction, beside those that we know. */
  words: Readonly<Record<Direction, readonly string[]>>;
  balanceRows: (typeof CSV_BALANCE_ROWS)[number] | null;
  /** The direction of amounts that say nothing of it. */
  unsigned: Direction | null;
}

/** A file as a bank gives it. */
export type BankStatementFile = {
  bytes: Buffer;
  mostEntries: number;
  /** Words for the state of an entry that the caller says mean `booked`. */
  bookedStates: readonly string[];
} & ({ format: 'camt' | 'mt940' } | { format: 'csv'; hints: CsvHints });

/** Of a request: writing them blocks the process. An operator's command may take its time. */
export const MOST_BANK_ENTRIES = { ofRequest: 10_000, ofCommand: 100_000 } as const;
/** Of a file; what comes over HTTP has the limit of its bodies, too. */
export const LARGEST_BANK_STATEMENT_BYTES = 33_554_432;

/** The keys of an entry, by which it is known again. */
export interface BankEntryKeys {
  key: Buffer;
  /** Of a part of a batch: the key that the batch has where a file tells of it as one entry. */
  batchKey: Buffer | null;
}

/** A statement with the keys of each of its entries. */
export interface KeyedBankStatement extends ParsedBankStatement {
  sections: (BankStatementSection & { keys: readonly BankEntryKeys[] })[];
}

export function malformedStatement(detail: string): DomainError {
  return BankRefusal.malformed_statement.of(detail);
}

const MOST_ERRORS = 100;

/** Of a file with wrong rows: at most the first hundred are listed. */
export function malformedBankRows(errors: readonly FieldError[]): DomainError {
  const [first] = errors;
  const detail =
    errors.length === 1 && first
      ? first.message
      : `${errors.length} values of the file cannot be read; errors lists ` +
        `${errors.length > MOST_ERRORS ? `the first ${MOST_ERRORS}` : 'each'} of them.`;
  return BankRefusal.malformed_statement.of(detail, {}, errors.slice(0, MOST_ERRORS));
}

/** Words of banks and of their formats for a reference that is not there. */
const PLACEHOLDER =
  /^(?:not ?(?:provided|available|known)|[a-z]{1,3}-?ref\+?|marf|unknown|none|n\/?a|0*|[-+./*]+)$/i;

/** Whether a text stands where a reference would, and is none: many entries share it. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** A reference as given; null for a placeholder. */
export function tidyReference(text: string | undefined | null): string | null {
  const tidy = tidyText(text);
  return tidy === null || isPlaceholder(tidy) ? null : tidy;
}

/** Words that a caller tells with commas between them. An empty one would fit every empty cell. */
export const wordsListed = (list = ''): string[] =>
  list.split(',').filter((word) => word.trim() !== '');
