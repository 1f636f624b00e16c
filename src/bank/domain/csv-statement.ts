import {
  type BankStatementSection,
  type CsvHints,
  malformedBankRows,
  type ParsedBankStatement,
} from './bank-statement.js';
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
  const sections = new Map<string | null, BankStatementSection>();
  const counts = { pending: 0, rejected: 0 };
  for (const row of below) {
    const state = table.stateOf(row);
    if (state === 'pending' || state === 'rejected') counts[state] += 1;
    if (state !== 'booked') continue;
    const entry = table.read(row);
    const account = table.accountOf(row);
    const section = sections.get(account) ?? emptySection(account);
    sections.set(account, section);
    if (entry) section.entries.push(entry);
  }
  if (table.errors.length > 0) throw malformedBankRows(table.errors);
  return { format: 'csv', sections: [...sections.values()], ...counts };
}

function emptySection(account: string | null): BankStatementSection {
  const unknown = { reference: null, currency: null, opening: null, closing: null };
  return { ...unknown, account, entries: [] };
}
