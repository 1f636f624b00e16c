import { CsvError, parse } from 'csv-parse/sync';
import { DomainError } from '../../kernel/domain-error.js';
import {
  LARGEST_BANK_STATEMENT_BYTES,
  malformedStatement,
  type ParsedBankStatement,
} from '../domain/bank-statement.js';
import type { MappedFile } from '../domain/bank-statement-reader.js';
import { readCamt } from '../domain/camt.js';
import { type CsvRow, HEADER_WITHIN } from '../domain/csv-header.js';
import { readMappedCsv } from '../domain/mappings/mapped-csv.js';
import { hintsSaidOf } from '../domain/mappings/said-hints.js';
import { readMt940 } from '../domain/mt940.js';
import {
  type PayoutReport,
  type PayoutReportFile,
  reportIn,
} from '../domain/payouts/payout-report.js';
import { paypalPayouts } from '../domain/payouts/paypal-payouts.js';
import { stripePayouts } from '../domain/payouts/stripe-payouts.js';
import { messageText, tableText, xmlText } from './bank-text.js';
import { refuseOtherFormats } from './other-formats.js';
import { parseXml } from './xml-tree.js';

const LARGEST_RECORD_CHARACTERS = 20_000;
const LARGEST_CELL_CHARACTERS = 5_000;
const MOST_CELLS = 200;
const LONGEST_LINE_CHARACTERS = 2_000;
/** Those of entries, and others between them, for each entry that a file may have. */
const MOST_ROWS_AN_ENTRY = 2;
/** Accounts or periods that one file tells of. */
const MOST_SECTIONS = 1_000;
const DELIMITERS = [';', ',', '\t'];

/**
 * Strict XML without any document type, MT940, and CSV as RFC 4180 and the banks write it. Every part of a
 * file is counted and measured before a pattern sees it, and read in time linear in its size.
 */
export class BankStatementFormats {
  read(file: MappedFile): ParsedBankStatement {
    assertSize(file.bytes);
    refuseOtherFormats(file.bytes, file.format);
    return limited(this.statementIn(file), file.mostEntries);
  }

  private statementIn(file: MappedFile): ParsedBankStatement {
    if (file.format === 'csv') return this.csv(file);
    if (file.format === 'camt') return readCamt(parseXml(xmlText(file.bytes)), file.bookedStates);
    return readMt940(shortLines(messageText(file.bytes)));
  }

  private csv(file: Extract<MappedFile, { format: 'csv' }>): ParsedBankStatement {
    const text = tableText(file.bytes);
    // Each mapping looks at them, and nearly all have one delimiter.
    const parted = (read: (delimiter: string) => CsvRow[]) => {
      const known = new Map<string | null, CsvRow[]>();
      return (delimiter: string | null): CsvRow[] => {
        const found = known.get(delimiter) ?? read(delimiter ?? delimiterOf(text));
        known.set(delimiter, found);
        return found;
      };
    };
    const rows = parted((delimiter) => rowsIn(text, delimiter, file.mostEntries));
    const head = parted((delimiter) => parseCsv(text, delimiter, HEADER_WITHIN));
    return readMappedCsv({ rows, head }, hintsSaidOf(file), file.kept ?? []);
  }

  readPayouts(file: PayoutReportFile): PayoutReport {
    assertSize(file.bytes);
    refuseOtherFormats(file.bytes, 'csv');
    const rows = rowsOf(file);
    const { provider, index } = reportIn(rows);
    const table = rows.slice(index);
    if (table.length - 1 > file.mostEntries) throw tooManyRows(file.mostEntries);
    return provider === 'stripe'
      ? stripePayouts(table, file.hints, file.amountsFrom)
      : paypalPayouts(table, file.hints);
  }
}

function rowsOf({
  bytes,
  hints,
  mostEntries,
}: Pick<PayoutReportFile, 'bytes' | 'hints' | 'mostEntries'>): CsvRow[] {
  const text = tableText(bytes);
  return rowsIn(text, hints.delimiter ?? delimiterOf(text), mostEntries);
}

function rowsIn(text: string, delimiter: string, mostEntries: number): CsvRow[] {
  const most = MOST_ROWS_AN_ENTRY * mostEntries;
  // One more tells that there are more.
  const rows = parseCsv(text, delimiter, most + 1);
  if (rows.length > most) throw tooManyRows(most);
  return rows;
}

function assertSize(bytes: Buffer): void {
  if (bytes.length === 0) throw malformedStatement('The file is empty.');
  if (bytes.length <= LARGEST_BANK_STATEMENT_BYTES) return;
  throw malformedStatement(
    `The file is larger than ${LARGEST_BANK_STATEMENT_BYTES} bytes; split it.`,
  );
}

function limited(statement: ParsedBankStatement, mostEntries: number): ParsedBankStatement {
  const { sections } = statement;
  const entries = sections.reduce((sum, section) => sum + section.entries.length, 0);
  if (entries > mostEntries) {
    throw malformedStatement(
      `The file has ${entries} entries, and at most ${mostEntries} are allowed; split it.`,
    );
  }
  if (sections.length <= MOST_SECTIONS) return statement;
  throw malformedStatement(
    `The file is about ${sections.length} accounts or periods, and at most ${MOST_SECTIONS} are allowed; split it.`,
  );
}

/** The delimiter that parts most of the first lines into the same number of cells. */
function delimiterOf(text: string): string {
  const head = text.split(/\r?\n/, 20);
  const scores = DELIMITERS.map((delimiter) => {
    const counts = head.map((line) => line.split(delimiter).length).filter((count) => count > 1);
    const lines = (count: number) => counts.filter((other) => other === count).length;
    return { delimiter, score: Math.max(0, ...counts.map((count) => count * lines(count))) };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  const isOne = scores.filter(({ score }) => score === best.score).length === 1;
  if (best.score > 0 && isOne) return best.delimiter;
  throw malformedStatement('The delimiter of the columns is not clear; send delimiter.');
}

/** @param to the last row that is read */
function parseCsv(text: string, delimiter: string, to: number): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      to,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LARGEST_RECORD_CHARACTERS,
      on_record: (cells: string[], { lines }) => {
        const row = { line: lines, cells };
        assertRowSize(row);
        rows.push(row);
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof CsvError)) throw error;
    throw malformedStatement(`The file is no well-formed CSV: ${error.message.slice(0, 200)}.`);
  }
}

/** A line of MT940 has 65 characters, and of some banks a few more. */
function shortLines(text: string): string {
  const lines = text.split('\n');
  const long = lines.findIndex((line) => line.length > LONGEST_LINE_CHARACTERS);
  if (long < 0) return text;
  throw malformedStatement(`Line ${long + 1} has more than ${LONGEST_LINE_CHARACTERS} characters.`);
}

function tooManyRows(most: number): DomainError {
  return malformedStatement(`The file has more than ${most} rows; split it.`);
}

function assertRowSize({ line, cells }: CsvRow): void {
  if (cells.length > MOST_CELLS) {
    throw malformedStatement(`Line ${line} has more than ${MOST_CELLS} cells.`);
  }
  const long = cells.findIndex((cell) => cell.length > LARGEST_CELL_CHARACTERS);
  if (long < 0) return;
  throw malformedStatement(
    `Line ${line}, cell ${long + 1}, has more than ${LARGEST_CELL_CHARACTERS} characters.`,
  );
}
