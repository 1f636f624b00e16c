import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import {
  CurrencyCode,
  Nested,
  NestedList,
  OneOf,
  Text,
} from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { AllocationRequest, CountsAsRequest, MOST_DOCUMENTS } from '../../payments/index.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import {
  BANK_ENTRY_STATUSES,
  type BankEntryStatus,
  POSTED_ACCOUNTS,
  POSTING_ACCOUNTS,
  type PostingAccount,
} from '../domain/bank-entry.js';
import { PAYMENT_REASONS, PAYMENT_RELATIONS } from '../domain/named-payment.js';
import {
  CSV_BALANCE_ROWS,
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  type CsvHints,
  BANK_STATEMENT_FORMATS,
  DIRECTIONS,
} from '../domain/bank-statement.js';
import { PAYOUT_REASONS } from '../domain/payouts/payout-match.js';
import { CSV_COLUMNS, type CsvColumn } from '../domain/csv-columns.js';
import { REASONS } from '../domain/bank-entry-match.js';
import type { BankStatement } from '../infrastructure/bank-statements.query.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_DATE = { ...NULLABLE_TEXT, format: 'date' } as const;
export const DELIMITERS = { semicolon: ';', comma: ',', tab: '\t', pipe: '|' } as const;

nameWords({
  BankEntryStatus: BANK_ENTRY_STATUSES,
  CsvDateFormat: CSV_DATE_FORMATS,
  CsvDelimiter: Object.keys(DELIMITERS),
  PostedAccount: POSTED_ACCOUNTS,
});
const HEADER = { max: 100, optional: true };
const own = (what: string) => Text({ ...HEADER, description: `The column with ${what}.` });

const WORDS = { max: 200, optional: true } as const;
const SIDE_WORDS = 'Words, parted by commas, with which the column for the direction';

/** Hints for a file that leaves something open, as CSV may do. */
export class ImportStatementQuery {
  @OneOf(Object.keys(DELIMITERS), { optional: true, description: 'Default: what the file has.' })
  delimiter?: keyof typeof DELIMITERS;

  @OneOf(CSV_DECIMALS, { optional: true, description: 'Default: what the file has.' })
  decimal?: NonNullable<CsvHints['decimal']>;

  @OneOf(CSV_DATE_FORMATS, { optional: true })
  date_format?: NonNullable<CsvHints['dateFormat']>;

  @CurrencyCode({ optional: true, description: 'The currency, if no column has it.' })
  currency?: string;

  @Text({ max: 40, optional: true, description: 'The bank account, if no column has it.' })
  account?: string;

  @Text({
    max: 200,
    optional: true,
    description: 'Words, parted by commas, with which this bank says that an entry is booked.',
    example: 'Returned,Refunded',
  })
  booked_states?: string;

  @Text({
    max: 1000,
    optional: true,
    description:
      'Headers of columns, parted by commas, that say nothing of the money, though they look so.',
    example: 'Card type,Category',
  })
  ignore_columns?: string;

  @Text({ ...WORDS, description: `${SIDE_WORDS} says that an entry is a credit.` })
  credit_words?: string;

  @Text({ ...WORDS, description: `${SIDE_WORDS} says that an entry is a debit.` })
  debit_words?: string;

  @OneOf(CSV_BALANCE_ROWS, {
    optional: true,
    description: 'For a row that may be a balance. Default: it is refused where nobody can tell.',
  })
  balance_rows?: NonNullable<CsvHints['balanceRows']>;

  @own('the booking date') column_booked_on?: string;
  @own('the value date') column_value_on?: string;
  @own('the amount, below zero for debits') column_amount?: string;
  @own('credits') column_credit?: string;
  @own('debits') column_debit?: string;
  @own('the word for credit or debit') column_direction?: string;
  @own('the currency') column_currency?: string;
  @own('the fee, on top of the amount') column_fee?: string;
  @own('the amount less the fee') column_net?: string;
  @own('the balance after the entry') column_balance?: string;
  @own('the other side') column_counterparty_name?: string;
  @own('the payer, where payees have another one') column_payer_name?: string;
  @own('the payee, where payers have another one') column_payee_name?: string;
  @own('the other side’s IBAN') column_counterparty_iban?: string;
  @own('what the payer wrote') column_remittance?: string;
  @own('the structured reference') column_structured_reference?: string;
  @own('the end-to-end id') column_end_to_end_id?: string;
  @own('the bank’s reference') column_bank_reference?: string;
  @own('the bank’s word for what it is') column_transaction_type?: string;
  @own('the bank account') column_account?: string;
  @own('the state: booked, pending or failed') column_status?: string;
}

const partsOf = (list = ''): string[] => list.split(',').filter((word) => word.trim() !== '');

/** Words that the caller says mean `booked`. */
export function bookedStatesIn({ booked_states }: ImportStatementQuery): string[] {
  return partsOf(booked_states);
}

export function hintsIn(query: ImportStatementQuery): CsvHints {
  const columns = (Object.keys(CSV_COLUMNS) as CsvColumn[]).flatMap(
    (column): [CsvColumn, string][] => {
      const header = query[`column_${column}`];
      return header === undefined ? [] : [[column, header]];
    },
  );
  return {
    delimiter: query.delimiter ? DELIMITERS[query.delimiter] : null,
    decimal: query.decimal ?? null,
    dateFormat: query.date_format ?? null,
    currency: query.currency ?? null,
    account: query.account ?? null,
    columns: new Map(columns),
    ignored: partsOf(query.ignore_columns),
    words: { credit: partsOf(query.credit_words), debit: partsOf(query.debit_words) },
    balanceRows: query.balance_rows ?? null,
  };
}

class BalanceBody {
  @ApiProperty({ description: 'An overdrawn account is below zero.' }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date' }) date!: string;
}

class SectionBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank’s own.' }) reference!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'An IBAN, if the account has one.' })
  account!: string | null;
  @ApiProperty(NULLABLE_TEXT) currency!: string | null;
  @ApiProperty({ type: BalanceBody, nullable: true }) opening_balance!: BalanceBody | null;
  @ApiProperty({ type: BalanceBody, nullable: true }) closing_balance!: BalanceBody | null;
}

class CountsBody {
  @ApiProperty({ description: 'All entries of the file that the bank has booked.' })
  entries!: number;
  @ApiProperty() booked!: number;
  @ApiProperty({ description: 'Those that are payments that were recorded by hand.' })
  recorded!: number;
  @ApiProperty({ description: 'Those that took a payment back.' }) returned!: number;
  @ApiProperty({ description: 'Those on an account of the chart.' }) posted!: number;
  @ApiProperty() proposed!: number;
  @ApiProperty() unmatched!: number;
  @ApiProperty() ignored!: number;
  @ApiProperty() debits!: number;
  @ApiProperty({ description: 'Entries that an earlier file had already.' }) known_before!: number;
  @ApiProperty({ description: 'Entries not yet booked; they are left out.' }) pending!: number;
  @ApiProperty({ description: 'Entries that failed, were declined or cancelled; left out.' })
  rejected!: number;
}

export class BankStatementBody {
  @ApiProperty({ example: 'bstmt_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: BANK_STATEMENT_FORMATS }) format!: string;
  @ApiProperty({ description: 'The SHA-256 of the file.' }) sha256!: string;
  @ApiProperty({ format: 'date-time' }) imported_at!: string;
  @ApiProperty({ type: CountsBody }) counts!: CountsBody;
  @ApiProperty({
    type: [String],
    description: 'Columns, fields and labels that no rule took, and rows that are a balance.',
    example: ['Category', 'Account Name'],
  })
  unused_columns!: string[];
  @ApiProperty({ type: [SectionBody], description: 'One for each account and statement.' })
  sections!: SectionBody[];
}

export class BankStatementPage extends CountedEnds {
  @ApiProperty({ type: [BankStatementBody] }) data!: BankStatementBody[];
}

export function presentBankStatement(statement: BankStatement): BankStatementBody {
  const { debit: debits, ...counts } = statement.counts;
  return {
    id: publicId('bstmt', statement.id),
    format: statement.format,
    sha256: statement.sha256,
    imported_at: statement.importedAt.toISOString(),
    counts: {
      entries: statement.entries,
      ...counts,
      debits,
      known_before: statement.knownBefore,
      pending: statement.pending,
      rejected: statement.rejected,
    },
    unused_columns: [...statement.unused],
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

export class ListBankEntriesQuery extends CountedQuery {
  @OneOf(BANK_ENTRY_STATUSES, { optional: true })
  status?: BankEntryStatus;

  @IdParameter('bstmt')
  statement_id?: string;
}

export class BankEntryBody {
  @ApiProperty({ example: 'bentry_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ description: 'The file that the entry came with.' }) statement_id!: string;
  @ApiProperty({ enum: BANK_ENTRY_STATUSES }) status!: string;
  @ApiProperty({ enum: DIRECTIONS }) direction!: string;
  @ApiProperty({ description: 'True if it takes back an earlier entry.' }) is_reversal!: boolean;
  @ApiProperty({ description: 'What the other side paid, or was paid.' }) amount!: number;
  @ApiProperty({ description: 'What the bank kept beside the amount; below zero: gave back.' })
  fee!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date' }) booked_on!: string;
  @ApiProperty(NULLABLE_DATE) value_on!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank account.' }) account!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who paid, or who was paid.' })
  counterparty_name!: string | null;
  @ApiProperty(NULLABLE_TEXT) counterparty_iban!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'What the payer wrote.' })
  remittance!: string | null;
  @ApiProperty(NULLABLE_TEXT) structured_reference!: string | null;
  @ApiProperty(NULLABLE_TEXT) end_to_end_id!: string | null;
  @ApiProperty(NULLABLE_TEXT) bank_reference!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank’s word for what it is.' })
  transaction_type!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it came back, as the bank says.' })
  return_reason!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The payment that it is, or that it took back.' })
  payment_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The payout of a provider that it is.' })
  payout_id!: string | null;
  @ApiProperty({ enum: POSTED_ACCOUNTS, nullable: true, description: 'Of one that is posted.' })
  ledger_account!: string | null;
}

class NamedPaymentBody {
  @ApiProperty() payment_id!: string;
  @ApiProperty({ enum: PAYMENT_RELATIONS, description: 'What confirming it would say.' })
  relation!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ format: 'date' }) paid_on!: string;
  @ApiProperty(NULLABLE_TEXT) reference!: string | null;
  @ApiProperty({ isArray: true, enum: PAYMENT_REASONS }) reasons!: string[];
}

class ProposedPayoutBody {
  @ApiProperty() payout_id!: string;
  @ApiProperty() gateway!: string;
  @ApiProperty() provider_payout_id!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ format: 'date' }) sent_on!: string;
  @ApiProperty(NULLABLE_DATE) arrives_on!: string | null;
  @ApiProperty({ isArray: true, enum: PAYOUT_REASONS }) reasons!: string[];
}

class ProposalBody {
  @ApiProperty() document_id!: string;
  @ApiProperty() number!: string;
  @ApiProperty() customer_id!: string;
  @ApiProperty() customer_name!: string;
  @ApiProperty() amount_due!: number;
  @ApiProperty(NULLABLE_DATE) due_date!: string | null;
  @ApiProperty({ minimum: 0, maximum: 100 }) score!: number;
  @ApiProperty({ isArray: true, enum: REASONS }) reasons!: string[];
}

export class BankEntryDetailBody extends BankEntryBody {
  @ApiProperty({ type: [ProposalBody], description: 'What it may pay, the likeliest first.' })
  proposals!: ProposalBody[];
  @ApiProperty({ type: [NamedPaymentBody], description: 'What it may be, or may take back.' })
  payments!: NamedPaymentBody[];
  @ApiProperty({ type: [ProposedPayoutBody], description: 'Payouts on their way that it may be.' })
  payouts!: ProposedPayoutBody[];
}

export class BankEntryPage extends CountedEnds {
  @ApiProperty({ type: [BankEntryBody] }) data!: BankEntryBody[];
}

/** One of the five is sent. Money above what is due becomes the customer’s credit. */
export class ConfirmEntryRequest {
  @Text({ max: 40, optional: true, example: 'doc_01h455vb4pex5vsknk084sn02q' })
  document_id?: string;

  @NestedList(() => AllocationRequest, { max: MOST_DOCUMENTS, optional: true })
  allocations?: AllocationRequest[];

  @Text({ max: 40, optional: true, description: 'All of it becomes this customer’s credit.' })
  customer_id?: string;

  @Nested(() => CountsAsRequest, {
    optional: true,
    description: 'What the entry counts for, if that is in another currency than the entry.',
  })
  counts_as?: CountsAsRequest;

  @Text({
    max: 40,
    optional: true,
    description:
      'The payment that was recorded by hand and that the entry is; or, of a returned debit, the ' +
      'payment that it takes back: that is reversed, and the rest of the entry is a fee.',
  })
  payment_id?: string;

  @Text({ max: 40, optional: true, description: 'The payout of a provider that the entry is.' })
  payout_id?: string;
}

export class BookEntryRequest {
  @OneOf(POSTING_ACCOUNTS, { description: 'The other side is `cash`.' })
  ledger_account!: PostingAccount;
}
