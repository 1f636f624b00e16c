/** Numbers come from us; a text may come from anybody. */
export type Cell = string | number | bigint | null;

/**
 * Matches where a spreadsheet may begin to read a formula, also in the full width of East Asia.
 * That is at the beginning, behind a possible end of a cell (a semicolon in half of Europe), and
 * behind all that it passes over.
 */
const FORMULA =
  /(^|[;\t\r\n])(?=(?:(?![\t\r\n])[\p{Z}\p{C}\p{DI}"])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/**
 * One line of RFC 4180. Each text is quoted, because readers separate cells differently. A text
 * that would run as a formula gets an apostrophe before it.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const harmless = cell.replace(FORMULA, "$1'");
  // Some spreadsheets drop a first tab or line end.
  const text = /^[\t\r\n]/.test(harmless) ? `'${harmless}` : harmless;
  return `"${text.replaceAll('"', '""')}"`;
}

/** A file of objects, some lines at a time. It begins with the names of its columns. */
export async function* csvOf<Column extends string>(
  columns: readonly Column[],
  pages: AsyncIterable<readonly Readonly<Record<Column, Cell>>[]>,
): AsyncGenerator<string, void> {
  let head = csvLine(columns);
  for await (const lines of pages) {
    const rows = lines.map((line) => csvLine(columns.map((column) => line[column])));
    yield head + rows.join('');
    head = '';
  }
}
