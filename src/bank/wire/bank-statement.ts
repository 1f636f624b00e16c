import { z } from 'zod';
import { nameWords } from '../../platform/http/openapi/words.js';
import { answerShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { BANK_STATEMENT_FORMATS } from '../domain/bank-statement.js';
import type { BankStatement } from '../infrastructure/bank-statements.query.js';

const BalanceBody = answerShape('BalanceBody', {
  amount: z.number().describe('An overdrawn account is below zero.'),
  currency: z.string(),
  date: z.string().meta({ format: 'date' }),
});
type BalanceBody = z.output<typeof BalanceBody>;

const SectionBody = answerShape('SectionBody', {
  reference: z.string().nullable().describe('The bank’s own.'),
  account: z.string().nullable().describe('An IBAN, if the account has one.'),
  currency: z.string().nullable(),
  opening_balance: BalanceBody.nullable(),
  closing_balance: BalanceBody.nullable(),
});
type SectionBody = z.output<typeof SectionBody>;

nameWords({ BankStatementFormat: BANK_STATEMENT_FORMATS });

/** Counts of a file that its events tell, too. */
export const FILE_COUNTS = {
  entries: 'All entries of the file that the bank has booked.',
  known_before: 'Entries that an earlier file had already.',
  pending: 'Entries not yet booked; they are left out.',
  rejected: 'Entries that failed, were declined or cancelled; left out.',
};

const CountsBody = answerShape('CountsBody', {
  entries: z.number().describe(FILE_COUNTS.entries),
  booked: z.number(),
  recorded: z.number().describe('Those that are payments that were recorded by hand.'),
  returned: z.number().describe('Those that took a payment back.'),
  posted: z.number().describe('Those on an account of the chart.'),
  proposed: z.number(),
  unmatched: z.number(),
  ignored: z.number(),
  replaced: z.number().describe('Sums of batches whose parts came in another file.'),
  withdrawn: z.number().describe('Those that count no more, as the file was taken back.'),
  debits: z.number(),
  known_before: z.number().describe(FILE_COUNTS.known_before),
  pending: z.number().describe(FILE_COUNTS.pending),
  rejected: z.number().describe(FILE_COUNTS.rejected),
});
type CountsBody = z.output<typeof CountsBody>;

export const BankStatementBody = answerShape('BankStatementBody', {
  id: z.string().meta({ example: 'bstmt_01h455vb4pex5vsknk084sn02q' }),
  format: z.string().meta({ enum: BANK_STATEMENT_FORMATS }),
  sha256: z.string().describe('The SHA-256 of the file.'),
  imported_at: z.string().meta({ format: 'date-time' }),
  withdrawn_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'When it was taken back.' }),
  counts: CountsBody,
  unused_columns: z.array(z.string()).meta({
    description: 'Columns, fields and labels that no rule took, and rows that are a balance.',
    example: ['Category', 'Account Name'],
  }),
  mapping_id: z
    .string()
    .nullable()
    .describe('The kept mapping that it was read by; it may be deleted since.'),
  sections: z.array(SectionBody).describe('One for each account and statement.'),
});
export type BankStatementBody = z.output<typeof BankStatementBody>;

export const BankStatementPage = countedPage('BankStatementPage', BankStatementBody);
export type BankStatementPage = z.output<typeof BankStatementPage>;

export const ListBankStatementsQuery = listQuery(() => BankStatementBody);
export type ListBankStatementsQuery = z.output<typeof ListBankStatementsQuery>;

export function presentBankStatement(statement: BankStatement): BankStatementBody {
  const { debit: debits, ...counts } = statement.counts;
  return {
    id: publicId('bstmt', statement.id),
    format: statement.format,
    sha256: statement.sha256,
    imported_at: statement.importedAt.toISOString(),
    withdrawn_at: statement.withdrawnAt?.toISOString() ?? null,
    counts: {
      entries: statement.entries,
      ...counts,
      debits,
      known_before: statement.knownBefore,
      pending: statement.pending,
      rejected: statement.rejected,
    },
    unused_columns: [...statement.unused],
    mapping_id: statement.mappingId && publicId('bmap', statement.mappingId),
    sections: statement.sections.map(({ reference, account, currency, opening, closing }) => ({
      reference,
      account,
      currency,
      opening_balance: presentBalance(opening),
      closing_balance: presentBalance(closing),
    })),
  };
}

function presentBalance(stored: BankStatement['sections'][number]['opening']) {
  return stored && { ...stored, amount: minorNumber(BigInt(stored.amount)) };
}
