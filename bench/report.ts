/** One line of the table. Ratios are of speed: above 1, the service is the faster one. */
export interface ReportRow {
  name: string;
  unit: '/s' | 'ms' | 'MB';
  service?: number;
  bare?: number;
  textbook?: number;
  toBare?: number;
  toTextbook?: number;
}

export interface Report {
  environment: Record<string, string>;
  rows: ReportRow[];
  /** Every round of every server, for whoever wants to see the noise. */
  rounds: Record<string, unknown>;
}

const HEADINGS = ['', 'service', 'bare', 'textbook', 'to bare', 'to textbook'];

export function formatReport({ environment, rows }: Report): string {
  const facts = Object.entries(environment).map(([name, value]) => `${name}: ${value}`);
  const cells = rows.map((row) => [
    `${row.name}, ${row.unit}`,
    quantity(row.service, row.unit),
    quantity(row.bare, row.unit),
    quantity(row.textbook, row.unit),
    row.toBare?.toFixed(2) ?? '',
    row.toTextbook?.toFixed(2) ?? '',
  ]);
  const table = [HEADINGS, ...cells];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...table.map((line) => line[column]?.length ?? 0)),
  );
  const lines = table.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join(' | '),
  );
  const ruler = widths
    .map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
    .join(' | ');
  const tableLines = [lines[0], ruler, ...lines.slice(1)].map((line) => `| ${line} |`);
  return `${facts.join('\n')}\n\n${tableLines.join('\n')}\n`;
}

function quantity(value: number | undefined, unit: ReportRow['unit']): string {
  if (value === undefined) return '';
  const digits = unit !== 'ms' || value >= 100 ? 0 : value < 3 ? 2 : 1;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', options);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
