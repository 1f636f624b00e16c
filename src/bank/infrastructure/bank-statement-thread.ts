import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../kernel/domain-error.js';
import {
  bankEntryKeys,
  type ParsedBankStatement,
  type BankStatementFile,
} from '../domain/bank-statement.js';
import { BankStatementFormats } from './bank-statement-formats.js';

/** The thread's answer to a file; amounts arrive as plain objects. */
export type ThreadAnswer =
  | { statement: ParsedBankStatement; keys: string[][] }
  | { refusal: Pick<DomainError, 'code' | 'detail' | 'errors'> };

const reader = new BankStatementFormats();

parentPort?.on('message', (file: BankStatementFile) => parentPort?.postMessage(answerTo(file)));

/** Any error but a refusal is thrown, and ends the thread. */
function answerTo(file: BankStatementFile): ThreadAnswer {
  // The bytes have lost their class on the way.
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  try {
    const statement = reader.read({ ...file, bytes });
    const keys = statement.sections.map((section) =>
      bankEntryKeys(section).map((key) => key.toString('hex')),
    );
    return { statement, keys };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, detail, errors } = error;
    return { refusal: { code, detail, errors } };
  }
}
