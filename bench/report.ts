import { type Name, NAMES } from './contestants.js';

export type Figures = Partial<Record<Name, number>>;

/** One line of the table. Ratios are of speed: above 1, the service is the faster one. */
export interface ReportRow extends Figures {
  name: string;
  unit: '/s' | 's' | 'ms' | 'MB';
  toBefore?: number | undefined;
  toLean?: number;
  toBare?: number;
  toTextbook?: number;
}

/** The cost of a page: to one caller alone, and how many a second to many. */
export interface PageFigures {
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
}

export interface ListRow {
  name: string;
  first: PageFigures;
  /** Page 10,000; absent where there are fewer. */
  deep?: PageFigures;
}

/** Milliseconds of a call with 100,000 documents, and with 1,000,000, of as many a month. */
export interface GrowthRow {
  name: string;
  smallMs: number;
  largeMs: number;
}

/** Microseconds of PostgreSQL's CPU for a payment: of a part of it, or what less it takes without one. */
export interface CostRow {
  name: string;
  micros: number;
}

export interface Report {
  environment: Record<string, string>;
  rows: ReportRow[];
  lists?: ListRow[];
  costs?: CostRow[];
  growth?: GrowthRow[];
  /** Every round of every server, for whoever wants to see the noise. */
  rounds: Record<string, unknown>;
}

const RATIOS = {
  toBefore: 'to before',
  toLean: 'to lean',
  toBare: 'to bare',
  toTextbook: 'to textbook',
} as const;
const COST_HEADINGS = ['', 'µs'];
const costCells = ({ name, micros }: CostRow) => [name, micros.toFixed(1)];
const GROWTH_HEADINGS = ['', '100,000, ms', '1,000,000, ms', 'factor'];
const growthCells = ({ name, smallMs, largeMs }: GrowthRow) => [
  name,
  quantity(smallMs, 'ms'),
  quantity(largeMs, 'ms'),
  (largeMs / smallMs).toFixed(2),
];
const LIST_HEADINGS = ['page 1 / page 10,000', 'p50, ms', 'p99, ms', '/s'];

export function formatReport(report: Report): string {
  const { environment, rows, lists = [], costs = [], growth = [] } = report;
  const facts = Object.entries(environment).map(([name, value]) => `${name}: ${value}`);
  const names = NAMES.filter((name) => rows.some((row) => row[name] !== undefined));
  const ratios = (Object.keys(RATIOS) as (keyof typeof RATIOS)[]).filter((ratio) =>
    rows.some((row) => row[ratio] !== undefined),
  );
  const headings = ['', ...names, ...ratios.map((ratio) => RATIOS[ratio])];
  const cells = rows.map((row) => [
    `${row.name}, ${row.unit}`,
    ...names.map((name) => quantity(row[name], row.unit)),
    ...ratios.map((ratio) => row[ratio]?.toFixed(2) ?? ''),
  ]);
  const listCells = lists.map(({ name, first, deep }) => [
    name,
    ...(['p50Ms', 'p99Ms', 'perSecond'] as const).map((figure) => {
      const unit = figure === 'perSecond' ? '/s' : 'ms';
      const both = deep ? [first[figure], deep[figure]] : [first[figure]];
      return both.map((value) => quantity(value, unit)).join(' / ');
    }),
  ]);
  const tables = [
    ...(cells.length > 0 ? [tableOf([headings, ...cells])] : []),
    ...(listCells.length > 0 ? [tableOf([LIST_HEADINGS, ...listCells])] : []),
    ...(costs.length > 0 ? [tableOf([COST_HEADINGS, ...costs.map(costCells)])] : []),
    ...(growth.length > 0 ? [tableOf([GROWTH_HEADINGS, ...growth.map(growthCells)])] : []),
  ];
  return `${facts.join('\n')}\n\n${tables.join('\n\n')}\n`;
}

/** The first line is the headings, the first column the names. */
function tableOf(table: string[][]): string {
  const widths = (table[0] ?? []).map((_, column) =>
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
  return [lines[0], ruler, ...lines.slice(1)].map((line) => `| ${line} |`).join('\n');
}

function quantity(value: number | undefined, unit: ReportRow['unit']): string {
  if (value === undefined) return '';
  const isTime = unit === 's' || unit === 'ms';
  const digits = !isTime || value >= 100 ? 0 : value < 3 ? 2 : 1;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', options);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
