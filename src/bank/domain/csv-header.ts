import { isCurrency } from '../../kernel/currency.js';
import { tidyIban, tidyText } from '../../kernel/tidy-text.js';
import { type CsvHints, malformedStatement } from './bank-statement.js';
import { columnOf, CSV_COLUMNS, type CsvColumn, headerName } from './csv-columns.js';
import { type CsvLayout, layoutOf } from './csv-layouts.js';

/** One record of a file and the line that it ends on. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvHeader {
  at: ReadonlyMap<CsvColumn, readonly number[]>;
  /** Its cells, as the file has them. */
  cells: readonly string[];
  layout: CsvLayout | undefined;
  /** Places whose column the bank's layout names: these need no proof. */
  named: ReadonlySet<number>;
  /** Places that the caller says to ignore. */
  ignored: ReadonlySet<number>;
  /** Of a header such as `Betrag (EUR)`. */
  currency: string | null;
  /** The account that the lines above the table name. */
  account: string | null;
}

/** Many banks write a few lines about the account before the table. */
export const HEADER_WITHIN = 20;
/** Of these, a file may have several: of a state each counts, a text is put together, and of balances none is read. */
const MANY: ReadonlySet<CsvColumn> = new Set([
  'remittance',
  'transaction_type',
  'status',
  'balance',
]);
/** Of these, the most telling one is taken, and the others are told as unused. */
const ONE_OF_SEVERAL: ReadonlySet<CsvColumn> = new Set([
  'account',
  'bank_reference',
  'counterparty_iban',
  'counterparty_name',
  'end_to_end_id',
  'payee_name',
  'payer_name',
  'structured_reference',
]);
export const AMOUNTS: readonly CsvColumn[] = ['amount', 'credit', 'debit'];

/** @throws DomainError `malformed_statement` for a file that names no date, or no amount */
export function headerIn(
  rows: readonly CsvRow[],
  hints: CsvHints,
): { header: CsvHeader; below: CsvRow[] } {
  const { header, index } = headerRowIn(rows, hints);
  const below = rows.slice(index + 1).filter((row) => row.cells.some(isFilled));
  for (const row of below) assertWithin(row, header.cells);
  if (!hints.columns.has('value_on')) takeCurrencyCalledValuta(header.at, below);
  return { header, below };
}

/** The header alone, and its place among the first rows. */
export function headerRowIn(
  rows: readonly CsvRow[],
  hints: CsvHints,
): { header: CsvHeader & { at: Map<CsvColumn, readonly number[]> }; index: number } {
  for (const [index, { cells }] of rows.slice(0, HEADER_WITHIN).entries()) {
    const columns = columnsOf(cells, hints);
    const { at } = columns;
    if (at.has('booked_on') && AMOUNTS.some((column) => at.has(column))) {
      assertHas(cells, hints);
      assertNamedOnce(columns);
      return { header: { ...columns, account: accountIn(rows.slice(0, index)) }, index };
    }
  }
  throw malformedStatement(
    'No line of the file names a column for the date and one for the amount; ' +
      'name them with column_booked_on and column_amount.',
  );
}

export const isFilled = (cell: string | undefined): boolean => (cell ?? '').trim() !== '';

/** One IBAN above the table is that of the account; of several, nobody knows which. */
function accountIn(preamble: readonly CsvRow[]): string | null {
  const ibans = preamble.flatMap(({ cells }) => cells.flatMap((cell) => tidyIban(cell) ?? []));
  const [only, ...others] = new Set(ibans);
  return only !== undefined && others.length === 0 ? only : null;
}

/** A column without a header may be named so in a hint, too. */
export const unnamed = (place: number): string => `column ${place + 1}`;

/** The names of the columns that no rule took, as the file writes them. */
export function unusedColumns({ cells, at }: CsvHeader, rows: readonly CsvRow[]): string[] {
  const taken = new Set([...at.values()].flat());
  return cells.flatMap((cell, place) => {
    if (taken.has(place)) return [];
    const name = tidyText(cell, 100);
    if (name !== null) return [name];
    return rows.some((row) => isFilled(row.cells[place])) ? [unnamed(place)] : [];
  });
}

function columnsOf(
  cells: readonly string[],
  { columns, ignored }: CsvHints,
): Omit<CsvHeader, 'account'> & { at: Map<CsvColumn, number[]> } {
  const headers = cells.map((cell, place) => headerName(isFilled(cell) ? cell : unnamed(place)));
  const layout = layoutOf(new Set(headers.map(({ name }) => name)));
  const at = new Map<CsvColumn, number[]>();
  let currency: string | null = null;
  const given = new Map([...columns].map(([column, header]) => [headerName(header).name, column]));
  const ofLayout = new Map<string, CsvColumn>(
    Object.entries(layout?.columns ?? {}).flatMap(([column, names]) =>
      names.map((name): [string, CsvColumn] => [name, column as CsvColumn]),
    ),
  );
  const without = new Set(ignored.map((header) => headerName(header).name));
  const [named, left] = [new Set<number>(), new Set<number>()];
  for (const [index, header] of headers.entries()) {
    const said = given.get(header.name) as CsvColumn | undefined;
    if (ofLayout.has(header.name)) named.add(index);
    if (without.has(header.name)) left.add(index);
    if (!said && left.has(index)) continue;
    const known = ofLayout.get(header.name) ?? generalColumn(header.name, layout);
    // A column that the caller named is taken from nowhere else.
    const column = said ?? (known && columns.has(known) ? undefined : known);
    if (!column) continue;
    at.set(column, [...(at.get(column) ?? []), index]);
    if (AMOUNTS.includes(column)) currency ??= header.currency;
  }
  const names = headers.map(({ name }) => name);
  keepCurrencyOfAmount(at);
  keepFirst(at, names, layout?.columns ?? {});
  keepFirst(
    at,
    names,
    Object.fromEntries([...ONE_OF_SEVERAL].map((one) => [one, CSV_COLUMNS[one]])),
  );
  if (!columns.has('transaction_type')) takeTextOfBooking(at, names);
  return { at, cells, layout, currency, named, ignored: left };
}

/** One that the layout names is taken from there only. */
function generalColumn(name: string, layout: CsvLayout | undefined): CsvColumn | undefined {
  const column = columnOf(name);
  return column && layout?.columns[column] ? undefined : column;
}

/** ING writes the currency of the balance, too: that of the amount stands right behind it. */
function keepCurrencyOfAmount(at: Map<CsvColumn, number[]>): void {
  const [place = -1] = at.get('amount') ?? [];
  if (at.get('currency')?.includes(place + 1)) at.set('currency', [place + 1]);
}

/** `Valuta` is the currency in Scandinavia. */
function takeCurrencyCalledValuta(
  at: Map<CsvColumn, readonly number[]>,
  below: readonly CsvRow[],
): void {
  const [place] = at.get('value_on') ?? [];
  if (place === undefined || at.has('currency')) return;
  const isCode = ({ cells }: CsvRow) => isCurrency((cells[place] ?? '').trim());
  if (below.length === 0 || !below.every(isCode)) return;
  at.delete('value_on');
  at.set('currency', [place]);
}

/** The one whose name comes first; two columns of that very name are two. */
function keepFirst(
  at: Map<CsvColumn, number[]>,
  headers: readonly string[],
  columns: CsvLayout['columns'],
): void {
  for (const [column, names] of Object.entries(columns)) {
    const places = at.get(column as CsvColumn) ?? [];
    if (places.length < 2 || MANY.has(column as CsvColumn)) continue;
    const first = names.find((name) => places.some((place) => headers[place] === name));
    const kept = places.filter((place) => headers[place] === first);
    at.set(column as CsvColumn, kept);
  }
}

/** Without another text, the words of the payer stand in that of the booking. */
function takeTextOfBooking(at: Map<CsvColumn, number[]>, headers: readonly string[]): void {
  const types = at.get('transaction_type') ?? [];
  const [texts, others] = [true, false].map((isText) =>
    types.filter((place) => (headers[place] === 'buchungstext') === isText),
  );
  if (at.has('remittance') || !texts?.length || !others) return;
  at.set('remittance', texts);
  if (others.length > 0) at.set('transaction_type', others);
  else at.delete('transaction_type');
}

/** A text may stand in several columns; a date or an amount may not. */
function assertNamedOnce({ at, cells }: Pick<CsvHeader, 'at' | 'cells'>): void {
  for (const [column, places] of at) {
    if (MANY.has(column) || places.length === 1) continue;
    const names = places.map((place) => `"${(cells[place] ?? '').trim()}"`).join(', ');
    throw malformedStatement(
      `${places.length} columns could be ${column}: ${names}; name one, as in ` +
        `?column_${column}=<header>.`,
    );
  }
}

/** A hint for a column that is not there would change nothing, and seem to. */
function assertHas(cells: readonly string[], { columns, ignored }: CsvHints): void {
  const names = new Set(
    cells.map((cell, place) => headerName(isFilled(cell) ? cell : unnamed(place)).name),
  );
  const isMissing = (header: string) => !names.has(headerName(header).name);
  const missing = [
    ...[...columns].flatMap(([column, header]) =>
      isMissing(header) ? [`column_${column} (${header})`] : [],
    ),
    ...ignored.flatMap((header) => (isMissing(header) ? [`ignore_columns (${header})`] : [])),
  ];
  if (missing.length === 0) return;
  const there = cells.filter(isFilled).join(', ').slice(0, 1000);
  throw malformedStatement(
    `The file has no column for ${missing.join(', ')}; it has ${there}. Send a header of these.`,
  );
}

/** A separator within a text or an amount moves all that follows into other columns. */
function assertWithin({ line, cells }: CsvRow, header: readonly string[]): void {
  if (!cells.slice(header.length).some(isFilled)) return;
  throw malformedStatement(
    `Line ${line} has ${cells.length} cells, and the header ${header.length}: a text or an amount ` +
      'holds the delimiter without quotes; export the file again, or send delimiter.',
  );
}
