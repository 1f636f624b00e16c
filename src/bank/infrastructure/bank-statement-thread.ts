import { parentPort } from 'node:worker_threads';
import { DomainError } from '../../kernel/domain-error.js';
import { bankEntryKeys } from '../domain/bank-entry-identity.js';
import type { ParsedBankStatement } from '../domain/bank-statement.js';
import type { MappedFile } from '../domain/bank-statement-reader.js';
import type { PayoutReport, PayoutReportFile } from '../domain/payouts/payout-report.js';
import { BankStatementFormats } from './bank-statement-formats.js';

/** A statement of a bank, or a provider's report of payouts. */
export type ThreadFile = MappedFile | PayoutReportFile;

/** The thread's answer to a file; amounts arrive as plain objects. */
export type ThreadAnswer = ReadStatement | { report: PayoutReport };

export interface ReadStatement {
  statement: ParsedBankStatement;
  /** In hex. */
  keys: { key: string; batchKey: string | null }[][];
}

export interface RefusedFile {
  refusal: Pick<DomainError, 'code' | 'detail' | 'context' | 'errors'>;
}

const reader = new BankStatementFormats();

parentPort?.on('message', (file: ThreadFile) => parentPort?.postMessage(answerTo(file)));

/** Any error but a refusal is thrown, and ends the thread. */
function answerTo(file: ThreadFile): ThreadAnswer | RefusedFile {
  // The bytes have lost their class on the way.
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  try {
    if (file.format === 'payouts') return { report: reader.readPayouts({ ...file, bytes }) };
    const statement = reader.read({ ...file, bytes });
    const keys = statement.sections.map((section) =>
      bankEntryKeys(section).map(({ key, batchKey }) => ({
        key: key.toString('hex'),
        batchKey: batchKey && batchKey.toString('hex'),
      })),
    );
    return { statement, keys };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, detail, context, errors } = error;
    return { refusal: { code, detail, context, errors } };
  }
}
