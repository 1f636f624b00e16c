import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import type { Cell } from './csv.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { REPORT_FORMATS, type PrintedColumn } from './report-query.js';
import { PREFIX_OF_FACT } from '../domain/transfer.js';
import {
  statementBalance,
  MOVEMENTS,
  type CustomerBalance,
  type CustomerStatement,
  type CustomerStatementLine,
} from '../domain/customer-statement.js';

export const StatementQueryParameters = queryShape({
  format: oneOf(REPORT_FORMATS, {
    optional: true,
    description: 'Default: `json`; `html` is a page to print.',
  }),
  from: dateText({ optional: true, description: 'The first day. Default: from the beginning.' }),
  to: dateText({ optional: true, description: 'The last day. Default: today.' }),
  currency: currencyCode({ optional: true }),
});
export type StatementQueryParameters = z.output<typeof StatementQueryParameters>;

const StandingBody = answerShape('StandingBody', {
  receivables: z.number().describe('What the customer owes.'),
  customer_credit: z.number().describe('What the customer has overpaid.'),
  balance: z.number().describe('Receivables minus customer credit.'),
});
type StandingBody = z.output<typeof StandingBody>;

const StatementLineBody = answerShape('StatementLineBody', {
  date: z.string().meta({ format: 'date', description: 'The day that it counts for.' }),
  type: z.enum(MOVEMENTS),
  source_id: z.string().describe('The document, payment, allocation or refund that moved it.'),
  source_number: z.string().nullable().describe('The number, if it is a document.'),
  document_id: z
    .string()
    .nullable()
    .describe('The document whose balance changed; null where the customer’s credit changed.'),
  document_number: z.string().nullable(),
  reference: z.string().nullable(),
  debit: z.number().describe('The customer owes more, or has used credit.'),
  credit: z.number().describe('The customer owes less, or has gained credit.'),
  balance: z.number().describe('Receivables minus credit, after this line.'),
  recorded_at: z.string().meta({ format: 'date-time' }),
});
type StatementLineBody = z.output<typeof StatementLineBody>;

const StatementCurrencyBody = answerShape('StatementCurrencyBody', {
  currency: z.string(),
  opening: StandingBody,
  movements: z.array(StatementLineBody),
  debit_total: z.number(),
  credit_total: z.number(),
  closing: StandingBody,
});
type StatementCurrencyBody = z.output<typeof StatementCurrencyBody>;

export const StatementBody = answerShape('StatementBody', {
  customer_id: z.string(),
  customer_name: z.string(),
  from: z.string().nullable().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  currencies: z.array(StatementCurrencyBody),
});
export type StatementBody = z.output<typeof StatementBody>;

export function presentCustomerStatement(statement: CustomerStatement): StatementCurrencyBody {
  return {
    currency: statement.currency,
    opening: presentStanding(statement.opening),
    movements: statement.lines.map(presentStatementLine),
    debit_total: minorNumber(statement.debit),
    credit_total: minorNumber(statement.credit),
    closing: presentStanding(statement.closing),
  };
}

function presentStanding(standing: CustomerBalance): StandingBody {
  return {
    receivables: minorNumber(standing.receivables),
    customer_credit: minorNumber(standing.customerCredit),
    balance: minorNumber(statementBalance(standing)),
  };
}

function presentStatementLine(line: CustomerStatementLine): StatementLineBody {
  return {
    date: line.effectiveOn,
    type: line.type,
    source_id: publicId(PREFIX_OF_FACT[line.fact], line.factId),
    source_number: line.factNumber,
    document_id: line.documentId && publicId('doc', line.documentId),
    document_number: line.documentNumber,
    reference: line.reference,
    debit: minorNumber(line.debit),
    credit: minorNumber(line.credit),
    balance: minorNumber(line.balance),
    recorded_at: line.recordedAt.toISOString(),
  };
}

export const CUSTOMER_STATEMENT_COLUMNS = [
  'date',
  'type',
  'currency',
  'source_id',
  'source_number',
  'document_id',
  'document_number',
  'reference',
  'debit',
  'credit',
  'balance',
  'recorded_at',
] as const;

export const CUSTOMER_STATEMENT_PRINTED: PrintedColumn<keyof StatementRow>[] = [
  { name: 'date', heading: 'Date', is: 'text' },
  { name: 'type', heading: 'Movement', is: 'word' },
  { name: 'source_number', heading: 'Document', is: 'text' },
  { name: 'document_number', heading: 'On', is: 'text' },
  { name: 'reference', heading: 'Reference', is: 'text' },
  { name: 'debit', heading: 'Debit', is: 'summed' },
  { name: 'credit', heading: 'Credit', is: 'summed' },
  { name: 'balance', heading: 'Balance', is: 'amount' },
];

type StatementRow = Record<(typeof CUSTOMER_STATEMENT_COLUMNS)[number], Cell>;

const NO_CELLS: StatementRow = {
  date: null,
  type: null,
  currency: null,
  source_id: null,
  source_number: null,
  document_id: null,
  document_number: null,
  reference: null,
  debit: null,
  credit: null,
  balance: null,
  recorded_at: null,
};

/** The rows of a file. The opening and the closing balance are rows of their own. */
export function toCustomerStatementRows({ from, to, currencies }: StatementBody): StatementRow[] {
  return currencies.flatMap(({ currency, opening, movements, closing }): StatementRow[] => [
    { ...NO_CELLS, date: from, type: 'opening', currency, balance: opening.balance },
    ...movements.map((movement) => ({ currency, ...movement })),
    { ...NO_CELLS, date: to, type: 'closing', currency, balance: closing.balance },
  ]);
}
