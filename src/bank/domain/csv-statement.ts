import { isCalendarDate, type IsoDate } from '../../kernel/clock.js';
import { isCurrency } from '../../kernel/currency.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import {
  type StatedBankEntry,
  type CsvHints,
  malformedBankRows,
  malformedStatement,
  type ParsedBankStatement,
  type BankStatementSection,
  tidyIban,
  tidyText,
} from './bank-statement.js';
import { columnOf, type CsvColumn, headerName } from './csv-columns.js';
import { type DecimalSign, decimalSignIn, parseMinorUnits, plainDecimal } from './decimal-text.js';

/** One record of a file and the line that it ends on. */
export interface CsvRow {
  line: number;
  cells: string[];
}

interface Columns {
  at: Map<CsvColumn, number[]>;
  /** Of a header such as `Betrag (EUR)`. */
  currency: string | null;
}

/** Many banks write a few lines about the account before the table. */
const HEADER_WITHIN = 20;
const PENDING = /^(pending|vorgemerkt|umsatz vorgemerkt|vormerkung)/;

/**
 * A CSV file of a bank. A value that could be read in two ways is refused: the caller has to say
 * which.
 * @throws DomainError `malformed_statement` with every wrong value, row by row
 */
export function readCsvStatement(rows: readonly CsvRow[], hints: CsvHints): ParsedBankStatement {
  const { columns, below } = headerIn(rows, hints);
  const table = new Table(columns, hints, below);
  const sections = new Map<string | null, BankStatementSection>();
  let pending = 0;
  for (const row of below) {
    if (table.isPending(row)) {
      pending += 1;
      continue;
    }
    const transaction = table.read(row);
    const account = table.accountOf(row);
    const section = sections.get(account) ?? emptySection(account);
    sections.set(account, section);
    if (transaction) section.entries.push(transaction);
  }
  if (table.errors.length > 0) throw malformedBankRows(table.errors);
  return { format: 'csv', sections: [...sections.values()], pending };
}

function emptySection(account: string | null): BankStatementSection {
  const unknown = { reference: null, currency: null, opening: null, closing: null };
  return { ...unknown, account, entries: [] };
}

function headerIn(rows: readonly CsvRow[], hints: CsvHints): { columns: Columns; below: CsvRow[] } {
  for (const [index, { cells }] of rows.slice(0, HEADER_WITHIN).entries()) {
    const columns = columnsOf(cells, hints);
    const { at } = columns;
    if (at.has('booked_on') && (at.has('amount') || at.has('credit') || at.has('debit'))) {
      assertNamedOnce(at);
      // A line under the table, such as the balance, has fewer cells.
      return { columns, below: rows.slice(index + 1).filter((row) => row.cells.some(isFilled)) };
    }
  }
  throw malformedStatement(
    'No line of the file names a column for the date and one for the amount; ' +
      'name them with column_booked_on and column_amount.',
  );
}

const isFilled = (cell: string) => cell.trim() !== '';

function columnsOf(cells: readonly string[], { columns }: CsvHints): Columns {
  const at = new Map<CsvColumn, number[]>();
  let currency: string | null = null;
  const given = new Map([...columns].map(([column, header]) => [headerName(header).name, column]));
  for (const [index, cell] of cells.entries()) {
    const header = headerName(cell);
    const named = given.get(header.name) ?? given.get(headerName(cell.trim()).name);
    const known = columnOf(header.name);
    // A column that the caller named is taken from nowhere else.
    const column = (named ?? (known && columns.has(known) ? undefined : known)) as
      CsvColumn | undefined;
    if (!column) continue;
    at.set(column, [...(at.get(column) ?? []), index]);
    if (['amount', 'credit', 'debit'].includes(column)) currency ??= header.currency;
  }
  return { at, currency };
}

/** A text may stand in several columns; a date or an amount may not. */
function assertNamedOnce(at: Columns['at']): void {
  for (const [column, places] of at) {
    if (column === 'remittance' || places.length === 1) continue;
    throw malformedStatement(
      `${places.length} columns could be ${column}; name one, as in ?column_${column}=<header>.`,
    );
  }
}

class Table {
  readonly errors: FieldError[] = [];
  private readonly sign: DecimalSign | 'either' | 'none';

  constructor(
    private readonly columns: Columns,
    private readonly hints: CsvHints,
    rows: readonly CsvRow[],
  ) {
    this.sign = this.decimalSign(rows);
  }

  isPending(row: CsvRow): boolean {
    return PENDING.test(headerName(this.cell(row, 'status')).name);
  }

  accountOf(row: CsvRow): string | null {
    const text = this.cell(row, 'account');
    return tidyIban(text) ?? tidyText(text) ?? this.hints.account;
  }

  /** Undefined where something is wrong with it, which `errors` then says. */
  read(row: CsvRow): StatedBankEntry | undefined {
    const before = this.errors.length;
    const currency = this.currencyOf(row);
    const bookedOn = this.dateOf(row, 'booked_on');
    const valueOn = this.cell(row, 'value_on') === '' ? null : this.dateOf(row, 'value_on');
    const moved = currency === undefined ? undefined : this.movedIn(row, currency);
    if (this.errors.length > before || !moved || bookedOn === undefined) return undefined;
    return {
      ...moved,
      isReversal: false,
      bookedOn,
      valueOn: valueOn ?? null,
      counterpartyName: tidyText(this.cell(row, 'counterparty_name')),
      counterpartyIban: tidyIban(this.cell(row, 'counterparty_iban')),
      remittance: tidyText(this.cell(row, 'remittance'), 2000),
      structuredReference: tidyText(this.cell(row, 'structured_reference')),
      endToEndId: tidyText(this.cell(row, 'end_to_end_id').replace(/^NOTPROVIDED$/, '')),
      bankReference: tidyText(this.cell(row, 'bank_reference')),
    };
  }

  private cell({ cells }: CsvRow, column: CsvColumn): string {
    const places = this.columns.at.get(column) ?? [];
    return places
      .map((place) => (cells[place] ?? '').trim())
      .filter(isFilled)
      .join(' ');
  }

  private wrong({ line }: CsvRow, column: CsvColumn, message: string): undefined {
    const pointer = `/rows/${line}/${column}`;
    this.errors.push({ pointer, code: 'malformed_statement', message: `Line ${line}: ${message}` });
  }

  private currencyOf(row: CsvRow): string | undefined {
    const text = this.cell(row, 'currency') || this.columns.currency || this.hints.currency;
    if (text && isCurrency(text)) return text;
    return this.wrong(
      row,
      'currency',
      text
        ? `"${text.slice(0, 20)}" is no currency of ISO 4217.`
        : 'no column says the currency; send it, as in ?currency=EUR.',
    );
  }

  private dateOf(row: CsvRow, column: 'booked_on' | 'value_on'): IsoDate | undefined {
    const text = this.cell(row, column);
    const date = readDate(text, this.hints.dateFormat);
    if (date !== undefined) return date;
    const isSlashed = /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(text) && this.hints.dateFormat === null;
    return this.wrong(
      row,
      column,
      isSlashed
        ? `"${text}" may be read in two ways; send date_format, dd/mm/yyyy or mm/dd/yyyy.`
        : `"${text.slice(0, 40)}" is no date that exists, as 2026-11-03 or 03.11.2026.`,
    );
  }

  private movedIn(
    row: CsvRow,
    currency: string,
  ): Pick<StatedBankEntry, 'amount' | 'direction'> | undefined {
    if (this.columns.at.has('amount')) {
      const signed = this.amountOf(row, 'amount', currency);
      if (!signed) return undefined;
      const direction = this.directionOf(row, signed.isNegative);
      return direction && { amount: signed.amount, direction };
    }
    const [credit, debit] = (['credit', 'debit'] as const).map((column) =>
      this.cell(row, column) === '' ? null : this.amountOf(row, column, currency),
    );
    if (credit === undefined || debit === undefined) return undefined;
    const filled = [
      ...(credit && !credit.amount.isZero() ? (['credit'] as const) : []),
      ...(debit && !debit.amount.isZero() ? (['debit'] as const) : []),
    ];
    const [direction] = filled;
    if (filled.length !== 1 || direction === undefined) {
      return this.wrong(row, 'credit', 'exactly one of credit and debit must have an amount.');
    }
    const amount = (direction === 'credit' ? credit : debit)?.amount ?? Money.zero(currency);
    if (direction === 'credit' && credit?.isNegative) {
      return this.wrong(row, 'credit', 'a credit is not below zero.');
    }
    return { amount, direction };
  }

  private directionOf(row: CsvRow, isNegative: boolean): StatedBankEntry['direction'] | undefined {
    if (!this.columns.at.has('direction')) return isNegative ? 'debit' : 'credit';
    const text = this.cell(row, 'direction');
    const isCredit = /^(c|cr|crdt|credit|h|haben|\+)$/i.test(text);
    if (!isCredit && !/^(d|dr|dbit|debit|s|soll|-)$/i.test(text)) {
      return this.wrong(row, 'direction', `"${text.slice(0, 20)}" is neither credit nor debit.`);
    }
    if (isCredit && isNegative) {
      return this.wrong(row, 'direction', 'a credit has an amount below zero.');
    }
    return isCredit ? 'credit' : 'debit';
  }

  private amountOf(
    row: CsvRow,
    column: 'amount' | 'credit' | 'debit',
    currency: string,
  ): { amount: Money; isNegative: boolean } | undefined {
    const cell = this.cell(row, column);
    const { text, isNegative } = withoutSign(cell, currency);
    const sign = this.sign === 'none' ? '.' : this.sign;
    if (sign === 'either' && decimalSignIn(text) === 'either') {
      return this.wrong(
        row,
        column,
        `"${cell.slice(0, 40)}" may be read in two ways; send decimal, comma or point.`,
      );
    }
    const plain = plainDecimal(text, sign === 'either' ? '.' : sign);
    const minor = plain === undefined ? undefined : parseMinorUnits(plain, currency);
    if (minor !== undefined) return { amount: Money.of(minor, currency), isNegative };
    return this.wrong(row, column, `"${cell.slice(0, 40)}" is no amount in ${currency}.`);
  }

  /** One sign in all of the file, by those of its amounts that can be read in one way only. */
  private decimalSign(rows: readonly CsvRow[]): DecimalSign | 'either' | 'none' {
    if (this.hints.decimal) return this.hints.decimal === 'comma' ? ',' : '.';
    const found = new Set<string>();
    for (const row of rows) {
      for (const column of ['amount', 'credit', 'debit'] as const) {
        const { text } = withoutSign(this.cell(row, column), '');
        found.add(decimalSignIn(text) ?? 'none');
      }
    }
    if (found.has(',') && found.has('.')) {
      throw malformedStatement(
        'Some amounts of the file have a decimal comma and some a decimal point; send decimal.',
      );
    }
    if (found.has(',')) return ',';
    if (found.has('.')) return '.';
    return found.has('either') ? 'either' : 'none';
  }
}

const SIGNS = ['+', '-'];

/** `-12,30`, `12,30-`, `+12,30 EUR`. */
function withoutSign(cell: string, currency: string): { text: string; isNegative: boolean } {
  const all = cell
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('\u2019', "'");
  const last = all.slice(-3);
  const hasCode = currency === '' ? /^[A-Z]{3}$/.test(last) : last === currency;
  const bare = (hasCode ? all.slice(0, -3) : all).trim();
  const before = SIGNS.find((sign) => bare.startsWith(sign)) ?? '';
  const rest = bare.slice(before.length);
  const after = SIGNS.find((sign) => rest.endsWith(sign)) ?? '';
  // Two signs are none.
  if (before && after) return { text: bare, isNegative: false };
  const text = rest.slice(0, rest.length - after.length).trim();
  return { text, isNegative: before === '-' || after === '-' };
}

function readDate(text: string, format: CsvHints['dateFormat']): IsoDate | undefined {
  const date = assembled(text, format);
  return date !== undefined && date >= '1900' && isCalendarDate(date) ? date : undefined;
}

const two = (part: string | undefined) => (part ?? '').padStart(2, '0');

function assembled(text: string, format: CsvHints['dateFormat']): string | undefined {
  // An instant has its date before its time.
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(text);
  if (iso && (format === null || format === 'yyyy-mm-dd')) return iso[1];
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(text);
  if (dotted && (format === null || format === 'dd.mm.yyyy')) {
    const [, day, month, year = ''] = dotted;
    return `${year.length === 2 ? '20' : ''}${year}-${two(month)}-${two(day)}`;
  }
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!slashed || (format !== 'dd/mm/yyyy' && format !== 'mm/dd/yyyy')) return undefined;
  const [, first, second, year] = slashed;
  const [day, month] = format === 'dd/mm/yyyy' ? [first, second] : [second, first];
  return `${year}-${two(month)}-${two(day)}`;
}
