import { z } from 'zod';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../platform/http/validation/text-fields.js';
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
export const DELIMITER_NAMES = Object.keys(DELIMITERS) as (keyof typeof DELIMITERS)[];

nameWords({ CsvDateFormat: CSV_DATE_FORMATS, CsvDelimiter: DELIMITER_NAMES });
const HEADER = { max: 100, optional: true } as const;
const own = (what: string) => shortText({ ...HEADER, description: `The column with ${what}.` });

const WORDS = { max: 200, optional: true } as const;
const SIDE_WORDS = 'Words, parted by commas, with which the column for the direction';

/** Hints for a file that leaves something open, as CSV may do. */
export const ImportStatementQuery = queryShape({
  delimiter: oneOf(DELIMITER_NAMES, {
    optional: true,
    description: 'Default: what the file has.',
  }),
  decimal: oneOf(CSV_DECIMALS, { optional: true, description: 'Default: what the file has.' }),
  date_format: oneOf(CSV_DATE_FORMATS, { optional: true }),
  currency: currencyCode({ optional: true, description: 'The currency, if no column has it.' }),
  account: shortText({
    max: 40,
    optional: true,
    description: 'The bank account, if no column has it.',
  }),
  booked_states: shortText({
    max: 200,
    optional: true,
    description: 'Words, parted by commas, with which this bank says that an entry is booked.',
    example: 'Returned,Refunded',
  }),
  ignore_columns: shortText({
    max: 1000,
    optional: true,
    description:
      'Headers of columns, parted by commas, that say nothing of the money, though they look so.',
    example: 'Card type,Category',
  }),
  credit_words: shortText({
    ...WORDS,
    description: `${SIDE_WORDS} says that an entry is a credit.`,
  }),
  debit_words: shortText({ ...WORDS, description: `${SIDE_WORDS} says that an entry is a debit.` }),
  balance_rows: oneOf(CSV_BALANCE_ROWS, {
    optional: true,
    description: 'For a row that may be a balance. Default: it is refused where nobody can tell.',
  }),
  unsigned_amounts: oneOf(DIRECTIONS, {
    optional: true,
    description: 'The direction of amounts that have no sign, as of a credit card’s charges.',
  }),
  column_booked_on: own('the booking date'),
  column_value_on: own('the value date'),
  column_amount: own('the amount, below zero for debits'),
  column_credit: own('credits'),
  column_debit: own('debits'),
  column_direction: own('the word for credit or debit'),
  column_currency: own('the currency'),
  column_fee: own('the fee, on top of the amount'),
  column_net: own('the amount less the fee'),
  column_balance: own('the balance after the entry'),
  column_counterparty_name: own('the other side'),
  column_payer_name: own('the payer, where payees have another one'),
  column_payee_name: own('the payee, where payers have another one'),
  column_counterparty_iban: own('the other side’s IBAN'),
  column_remittance: own('what the payer wrote'),
  column_structured_reference: own('the structured reference'),
  column_end_to_end_id: own('the end-to-end id'),
  column_bank_reference: own('the bank’s reference'),
  column_transaction_type: own('the bank’s word for what it is'),
  column_account: own('the bank account'),
  column_status: own('the state: booked, pending or failed'),
});
export type ImportStatementQuery = z.output<typeof ImportStatementQuery>;

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
