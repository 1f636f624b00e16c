import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import type { ExportFile } from './export-folder.js';
import { ExportRow, UnreadableRow } from './export-rows.js';
import type { MigrationPlan, RowSubject, TakeRow } from './migration-plan.js';

/** A record with the line on which it begins; of one that cannot be read, only why. */
interface NumberedCsvRow {
  line: number;
  row: ExportRow | null;
  problem: string | null;
}

const LONGEST_RECORD_CHARACTERS = 1024 * 1024;
const HEADER_BYTES = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];

/**
 * The records of a CSV file, one after the other, whatever its size. Names of columns are in small
 * letters.
 */
export async function* csvRows(path: string): AsyncGenerator<NumberedCsvRow> {
  const skipped: NumberedCsvRow[] = [];
  const records = parse({
    bom: true,
    info: true,
    delimiter: await delimiterOf(path),
    columns: (header: string[]) => header.map((name) => name.trim().toLowerCase()),
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD_CHARACTERS,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push({ line: lineOf(error), row: null, problem: told(error) });
    },
  });
  // A failure comes out of the records.
  pipeline(createReadStream(path), records, () => {});
  let line = 2;
  for await (const one of records) {
    const { record, info } = one as Numbered;
    yield* skipped.splice(0);
    yield { line, row: new ExportRow(record), problem: null };
    line = info.lines + 1;
  }
  yield* skipped;
}

/** Takes the records of a table; those that cannot be read are left out. */
export async function eachOfTable(
  { name, path }: ExportFile,
  subject: RowSubject,
  plan: MigrationPlan,
  take: TakeRow,
): Promise<void> {
  for await (const { line, row, problem } of csvRows(path)) {
    const read = () => {
      if (row) return row;
      throw new UnreadableRow(problem ?? 'it cannot be read');
    };
    plan.read(subject, { file: name, line }, read, take);
  }
}

interface Numbered {
  record: Record<string, string>;
  info: { lines: number };
}

const lineOf = (error: CsvError) => (typeof error['lines'] === 'number' ? error['lines'] : 0);

const told = ({ message }: CsvError) => message.slice(0, 200);

/** The one that the header has most. */
async function delimiterOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const [header = ''] = buffer.toString('utf8', 0, bytesRead).split(/[\r\n]/, 1);
    const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
    return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  } finally {
    await file.close();
  }
}
