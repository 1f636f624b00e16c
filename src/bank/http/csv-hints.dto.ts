import { nameWords } from '../../platform/http/openapi/words.js';
import { CurrencyCode, OneOf, Text } from '../../platform/http/validation/fields.js';
import {
  CSV_BALANCE_ROWS,
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  type CsvHints,
  DIRECTIONS,
  wordsListed,
} from '../domain/bank-statement.js';
import { CSV_COLUMNS, type CsvColumn } from '../domain/csv-columns.js';
import { columnIn, type SaidHints } from '../domain/mappings/said-hints.js';

export const DELIMITERS = { semicolon: ';', comma: ',', tab: '\t', pipe: '|' } as const;

nameWords({ CsvDateFormat: CSV_DATE_FORMATS, CsvDelimiter: Object.keys(DELIMITERS) });
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

  @OneOf(DIRECTIONS, {
    optional: true,
    description: 'The direction of amounts that have no sign, as of a credit card’s charges.',
  })
  unsigned_amounts?: NonNullable<CsvHints['unsigned']>;

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

/** Words that the caller says mean `booked`. */
export function bookedStatesIn({ booked_states }: ImportStatementQuery): string[] {
  return wordsListed(booked_states);
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
    ignored: wordsListed(query.ignore_columns),
    words: { credit: wordsListed(query.credit_words), debit: wordsListed(query.debit_words) },
    balanceRows: query.balance_rows ?? null,
    unsigned: query.unsigned_amounts ?? null,
  };
}

/** Hints that are kept, as the parameters that say them. */
export function parametersOf(hints: SaidHints): Record<string, string> {
  const { delimiter, columns = [] } = hints;
  const named = Object.entries(DELIMITERS).find(([, sign]) => sign === delimiter);
  const said: Record<string, string | undefined> = {
    delimiter: named?.[0],
    decimal: hints.decimal,
    date_format: hints.dateFormat,
    currency: hints.currency,
    booked_states: hints.bookedStates?.join(','),
    ignore_columns: hints.ignored?.join(','),
    credit_words: hints.creditWords?.join(','),
    debit_words: hints.debitWords?.join(','),
    balance_rows: hints.balanceRows,
    unsigned_amounts: hints.unsigned,
    ...Object.fromEntries(
      columns.map(columnIn).map(([column, header]) => [`column_${column}`, header]),
    ),
  };
  const there = Object.entries(said).filter((one): one is [string, string] => one[1] !== undefined);
  return Object.fromEntries(there);
}
