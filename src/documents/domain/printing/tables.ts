/**
 * Chromium's memory grows with the square of a table's sheets: 3 GB for 10,000 rows in one table,
 * half of it in tables of so many (decision 257).
 */
export const LINES_PER_TABLE = 1000;

/** The places of lines among the rows of their tables, each of which has one row of headings. */
export function rowOfLine(index: number): number {
  return index + 1 + Math.floor(index / LINES_PER_TABLE);
}

/** The number of tables that so many lines are in. */
export function tablesOf(count: number): number {
  return Math.max(1, Math.ceil(count / LINES_PER_TABLE));
}
