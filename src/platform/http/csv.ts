/** Numbers are ours; text may be anybody's. */
export type Cell = string | number | bigint | null;

/** What makes a spreadsheet take a text for a formula, also in the full width of East Asia. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One line of RFC 4180. A text that would run as a formula begins with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of objects as a file that begins with the names of its columns, some lines at a time. */
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
