import { type CsvHints, malformedStatement, tidyIban } from './bank-statement.js';
import { columnOf, type CsvColumn, headerName } from './csv-columns.js';
import { type CsvLayout, layoutOf } from './csv-layouts.js';

/** One record of a file and the line that it ends on. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvHeader {
  at: ReadonlyMap<CsvColumn, readonly number[]>;
  layout: CsvLayout | undefined;
  /** Of a header such as `Betrag (EUR)`. */
  currency: string | null;
  /** The account that the lines above the table name. */
  account: string | null;
}

/** Many banks write a few lines about the account before the table. */
const HEADER_WITHIN = 20;
/** Of these, a file may have several: of a state each counts, a text is put together, and of balances none is read. */
const MANY: ReadonlySet<CsvColumn> = new Set(['remittance', 'status', 'balance']);
const AMOUNTS: readonly CsvColumn[] = ['amount', 'credit', 'debit'];

/** @throws DomainError `malformed_statement` for a file that names no date, or no amount */
export function headerIn(
  rows: readonly CsvRow[],
  hints: CsvHints,
): { header: CsvHeader; below: CsvRow[] } {
  for (const [index, { cells }] of rows.slice(0, HEADER_WITHIN).entries()) {
    const columns = columnsOf(cells, hints);
    const { at } = columns;
    if (at.has('booked_on') && AMOUNTS.some((column) => at.has(column))) {
      assertNamedOnce(columns);
      const account = accountIn(rows.slice(0, index));
      const below = rows.slice(index + 1).filter((row) => row.cells.some(isFilled));
      return { header: { ...columns, account }, below: below.filter((row) => !isSum(row, at)) };
    }
  }
  throw malformedStatement(
    'No line of the file names a column for the date and one for the amount; ' +
      'name them with column_booked_on and column_amount.',
  );
}

const isFilled = (cell: string) => cell.trim() !== '';

/** A line under the table that sums it up. It has no date in the column of dates. */
function isSum({ cells }: CsvRow, at: CsvHeader['at']): boolean {
  const [first = ''] = cells;
  const [place = 0] = at.get('booked_on') ?? [];
  const isDated = /\d/.test(cells[place] ?? '') && place > 0;
  return (
    !isDated &&
    /^(alter |neuer )?(kontostand|saldo|endsaldo|anfangssaldo|summe)\b/i.test(first.trim())
  );
}

/** One IBAN above the table is that of the account; of several, nobody knows which. */
function accountIn(preamble: readonly CsvRow[]): string | null {
  const ibans = preamble.flatMap(({ cells }) => cells.flatMap((cell) => tidyIban(cell) ?? []));
  const [only, ...others] = new Set(ibans);
  return only !== undefined && others.length === 0 ? only : null;
}

function columnsOf(
  cells: readonly string[],
  { columns }: CsvHints,
): Omit<CsvHeader, 'account'> & { at: Map<CsvColumn, number[]> } {
  const headers = cells.map(headerName);
  const layout = layoutOf(new Set(headers.map(({ name }) => name)));
  const at = new Map<CsvColumn, number[]>();
  let currency: string | null = null;
  const given = new Map([...columns].map(([column, header]) => [headerName(header).name, column]));
  const ofLayout = new Map<string, CsvColumn>(
    Object.entries(layout?.columns ?? {}).flatMap(([column, names]) =>
      names.map((name): [string, CsvColumn] => [name, column as CsvColumn]),
    ),
  );
  for (const [index, header] of headers.entries()) {
    const named = given.get(header.name) as CsvColumn | undefined;
    const known = ofLayout.get(header.name) ?? generalColumn(header.name, layout);
    // A column that the caller named is taken from nowhere else.
    const column = named ?? (known && columns.has(known) ? undefined : known);
    if (!column) continue;
    at.set(column, [...(at.get(column) ?? []), index]);
    if (AMOUNTS.includes(column)) currency ??= header.currency;
  }
  keepCurrencyOfAmount(at);
  keepFirstOfLayout(at, headers, layout);
  return { at, layout, currency };
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

function keepFirstOfLayout(
  at: Map<CsvColumn, number[]>,
  headers: readonly { name: string }[],
  layout: CsvLayout | undefined,
): void {
  for (const [column, names] of Object.entries(layout?.columns ?? {})) {
    const places = at.get(column as CsvColumn) ?? [];
    if (places.length < 2 || MANY.has(column as CsvColumn)) continue;
    const first = names.find((name) => places.some((place) => headers[place]?.name === name));
    const kept = places.filter((place) => headers[place]?.name === first);
    at.set(column as CsvColumn, kept);
  }
}

/** A text may stand in several columns; a date or an amount may not. */
function assertNamedOnce({ at }: Pick<CsvHeader, 'at'>): void {
  for (const [column, places] of at) {
    if (MANY.has(column) || places.length === 1) continue;
    throw malformedStatement(
      `${places.length} columns could be ${column}; name one, as in ?column_${column}=<header>.`,
    );
  }
}
