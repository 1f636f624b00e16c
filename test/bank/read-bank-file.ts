import type { BankStatementFile } from '../../src/bank/domain/bank-statement.js';
import {
  MOST_BANK_ENTRIES,
  type ParsedBankStatement,
} from '../../src/bank/domain/bank-statement.js';
import { BankStatementFormats } from '../../src/bank/infrastructure/bank-statement-formats.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { NO_HINTS } from '../support/bank-files.js';

/** A file as a caller sends it, who says nothing about it. */
export function bankFile(
  bytes: Buffer,
  format: BankStatementFile['format'],
  over: Partial<BankStatementFile> = {},
): BankStatementFile {
  const mostEntries = MOST_BANK_ENTRIES.ofCommand;
  const file = { bytes, mostEntries, bookedStates: [], format, hints: NO_HINTS, ...over };
  return file as BankStatementFile;
}

const reader = new BankStatementFormats();

export function readFile(file: BankStatementFile): ParsedBankStatement {
  return reader.read(file);
}

/** The refusal that something ends with. */
export function refusal(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('it was read');
}
