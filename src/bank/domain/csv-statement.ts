import { tidyText } from '../../kernel/tidy-text.js';
import {
  type BankStatementSection,
  type CsvHints,
  malformedBankRows,
  type ParsedBankStatement,
} from './bank-statement.js';
import {
  assertClear,
  isSummary,
  isSummaryText,
  type ReadRow,
  withoutBalanceRows,
} from './csv-balance-rows.js';
import { runningBalances } from './csv-balances.js';
import { type CsvHeader, type CsvRow, headerIn, unusedColumns } from './csv-header.js';
import { CsvTable } from './csv-table.js';
import { assertBalancesAgree, settledByValues } from './csv-unread.js';

/** A header is settled by the kind of its rows at most, and then by their balances. */
const MOST_READINGS = 3;

/**
 * A CSV file of a bank. A value that could be read in two ways is refused: the caller has to say
 * which. A column that nobody reads may not hold the direction, the state or other balances.
 * @param bookedStates words for the state of a row that the caller says mean `booked`
 * @throws DomainError `malformed_statement` with every wrong value, row by row
 */
export function readCsvStatement(
  rows: readonly CsvRow[],
  hints: CsvHints,
  bookedStates: readonly string[],
): ParsedBankStatement {
  const { header, below } = headerIn(rows, hints);
  let reading = readUnder(header, below, hints, bookedStates);
  for (let count = 1; count < MOST_READINGS; count += 1) {
    const accounts = reading.sections.map(({ entries }) => entries);
    const { header: before, table, moving } = reading;
    const settled = settledByValues(before, table, moving, accounts, hints, bookedStates);
    if (settled === before) break;
    reading = readUnder(settled, below, hints, bookedStates);
  }
  assertClear(reading.unclear);
  assertBalancesAgree(
    reading.header,
    reading.sections.map(({ entries }) => entries),
  );
  const { sections, counts, balances } = reading;
  return {
    format: 'csv',
    sections: sections.map(sectionOf),
    ...counts,
    unused: [...unusedColumns(reading.header, below), ...balances.map(lineOf)],
    header: reading.header.cells,
  };
}

interface ReadSection extends Pick<BankStatementSection, 'opening' | 'closing'> {
  account: string | null;
  entries: readonly ReadRow[];
}

interface Reading {
  header: CsvHeader;
  table: CsvTable;
  /** The rows that are no balance or sum. */
  moving: readonly CsvRow[];
  sections: readonly ReadSection[];
  counts: { pending: number; rejected: number };
  /** Rows that are a balance or a sum, and none of the entries. */
  balances: readonly CsvRow[];
  unclear: readonly ReadRow[];
}

function readUnder(
  header: CsvHeader,
  below: readonly CsvRow[],
  hints: CsvHints,
  bookedStates: readonly string[],
): Reading {
  const table = new CsvTable(header, hints, bookedStates, below);
  const accounts = new Map<string | null, ReadRow[]>();
  const counts = { pending: 0, rejected: 0 };
  const [moving, balances]: [CsvRow[], CsvRow[]] = [[], []];
  for (const row of below) {
    const isWithout = !table.isDated(row) || !table.hasAmount(row);
    if (isWithout && isSummary(row)) {
      balances.push(row);
      continue;
    }
    moving.push(row);
    const state = table.stateOf(row);
    if (state === 'pending' || state === 'rejected') counts[state] += 1;
    if (state !== 'booked') continue;
    const entry = table.read(row);
    const account = table.accountOf(row);
    const own = accounts.get(account) ?? [];
    accounts.set(account, own);
    if (entry) own.push({ row, entry, after: table.balanceAfter(row, entry) });
  }
  if (table.errors.length > 0) throw malformedBankRows(table.errors);
  const unclear: ReadRow[] = [];
  const isKnown = header.layout !== undefined;
  const sections = [...accounts].map(([account, own]) => {
    const read = withoutBalanceRows(own, hints.balanceRows, isKnown);
    balances.push(...read.balances.map(({ row }) => row));
    unclear.push(...read.unclear);
    return { account, entries: read.entries, opening: read.opening, closing: read.closing };
  });
  return { header, table, moving, sections, counts, balances, unclear };
}

function sectionOf({
  account,
  entries: rows,
  opening,
  closing,
}: ReadSection): BankStatementSection {
  const entries = rows.map(({ entry }) => entry);
  const running = runningBalances(rows);
  const balances = running.closing ? running : { opening, closing };
  return { reference: null, account, currency: null, ...balances, entries };
}

function lineOf({ line, cells }: CsvRow): string {
  const text = cells.find(isSummaryText) ?? cells.find((cell) => /^\p{L}{2}/u.test(cell)) ?? '';
  return `line ${line} (${tidyText(text, 60) ?? ''})`;
}
