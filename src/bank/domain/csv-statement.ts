import {
  type BankStatementSection,
  type CsvHints,
  malformedBankRows,
  type ParsedBankStatement,
} from './bank-statement.js';
import { type BalancedEntry, runningBalances } from './csv-balances.js';
import { type CsvRow, headerIn } from './csv-header.js';
import { CsvTable } from './csv-table.js';

/**
 * A CSV file of a bank. A value that could be read in two ways is refused: the caller has to say
 * which.
 * @param bookedStates words for the state of a row that the caller says mean `booked`
 * @throws DomainError `malformed_statement` with every wrong value, row by row
 */
export function readCsvStatement(
  rows: readonly CsvRow[],
  hints: CsvHints,
  bookedStates: readonly string[],
): ParsedBankStatement {
  const { header, below } = headerIn(rows, hints);
  const table = new CsvTable(header, hints, bookedStates, below);
  const accounts = new Map<string | null, BalancedEntry[]>();
  const counts = { pending: 0, rejected: 0 };
  for (const row of below) {
    const state = table.stateOf(row);
    if (state === 'pending' || state === 'rejected') counts[state] += 1;
    if (state !== 'booked') continue;
    const entry = table.read(row);
    const account = table.accountOf(row);
    const rows = accounts.get(account) ?? [];
    accounts.set(account, rows);
    if (entry) rows.push({ entry, after: table.balanceAfter(row, entry) });
  }
  if (table.errors.length > 0) throw malformedBankRows(table.errors);
  const sections = [...accounts].map(([account, own]) => sectionOf(account, own));
  return { format: 'csv', sections, ...counts, unused: [] };
}

function sectionOf(account: string | null, rows: readonly BalancedEntry[]): BankStatementSection {
  const entries = rows.map(({ entry }) => entry);
  return { reference: null, account, currency: null, ...runningBalances(rows), entries };
}
