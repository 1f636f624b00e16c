import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import type { Cell } from '../../platform/http/csv.js';
import { CurrencyCode, DateText, OneOf } from '../../platform/http/validation/fields.js';
import { REPORT_FORMATS, type ReportFormat } from './report-files.js';
import type { PrintedColumn } from './report-page.js';
import { PREFIX_OF_FACT } from '../domain/transfer.js';
import {
  statementBalance,
  MOVEMENTS,
  type MovementType,
  type CustomerBalance,
  type CustomerStatement,
  type CustomerStatementLine,
} from '../domain/customer-statement.js';

export class StatementQueryParameters {
  @OneOf(REPORT_FORMATS, {
    optional: true,
    description: 'Default: `json`; `html` is a page to print.',
  })
  format?: ReportFormat;

  @DateText({ optional: true, description: 'The first day. Default: from the beginning.' })
  from?: string;

  @DateText({ optional: true, description: 'The last day. Default: today.' })
  to?: string;

  @CurrencyCode({ optional: true })
  currency?: string;
}

class StandingBody {
  @ApiProperty({ description: 'What the customer owes.' }) receivables!: number;
  @ApiProperty({ description: 'What the customer has overpaid.' }) customer_credit!: number;
  @ApiProperty({ description: 'Receivables minus customer credit.' }) balance!: number;
}

class StatementLineBody {
  @ApiProperty({ format: 'date', description: 'The day that it counts for.' }) date!: string;
  @ApiProperty({ enum: MOVEMENTS }) type!: MovementType;
  @ApiProperty({ description: 'The document, payment, allocation or refund that moved it.' })
  source_id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The number, if it is a document.' })
  source_number!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The document whose balance changed; null where the customer’s credit changed.',
  })
  document_id!: string | null;
  @ApiProperty({ type: String, nullable: true }) document_number!: string | null;
  @ApiProperty({ type: String, nullable: true }) reference!: string | null;
  @ApiProperty({ description: 'The customer owes more, or has used credit.' }) debit!: number;
  @ApiProperty({ description: 'The customer owes less, or has gained credit.' }) credit!: number;
  @ApiProperty({ description: 'Receivables minus credit, after this line.' }) balance!: number;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
}

class StatementCurrencyBody {
  @ApiProperty() currency!: string;
  @ApiProperty({ type: StandingBody }) opening!: StandingBody;
  @ApiProperty({ type: [StatementLineBody] }) movements!: StatementLineBody[];
  @ApiProperty() debit_total!: number;
  @ApiProperty() credit_total!: number;
  @ApiProperty({ type: StandingBody }) closing!: StandingBody;
}

export class StatementBody {
  @ApiProperty() customer_id!: string;
  @ApiProperty() customer_name!: string;
  @ApiProperty({ type: String, format: 'date', nullable: true }) from!: string | null;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [StatementCurrencyBody] }) currencies!: StatementCurrencyBody[];
}

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
