import type { Uuid } from '../../kernel/ids.js';
import type { BankStatementFile, KeyedBankStatement } from './bank-statement.js';
import type { KeptHints } from './mappings/bank-file-mapping.js';

/** A file, and the mappings that were told in its account. */
export type MappedFile = BankStatementFile & { kept?: readonly KeptHints[] };

/** Reads a file of a bank. Nothing outside of the file and the mappings is ever looked at. */
export abstract class BankStatementReader {
  /**
   * @param accountId who waits for it: readers are shared among accounts
   * @throws DomainError `malformed_statement` with what is wrong, `bank_file_mapping_mismatch`,
   *   `statement_too_large` for what takes too much time or memory, `statement_busy`
   */
  abstract read(accountId: Uuid, file: MappedFile): Promise<KeyedBankStatement>;
}
