import { createHash, type Hash } from 'node:crypto';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import type { Progress } from '../../../kernel/progress.js';
import { ArchiveFault, FileFault } from './archive-fault.js';
import { linesOf } from './archive-file.js';
import {
  type ArchiveHeader,
  type ArchiveLine,
  archiveHeaderIn,
  lineIn,
  rowLine,
  typesOf,
} from './archive-lines.js';
import { jsonOf, utf8In, valuesIn } from './binary-values.js';
import { columnNames } from './columns.js';
import { OpenSeal } from './open-seal.js';
import { SEALED_TABLES } from '../sealed-tables.js';

/** An archive, as it proves itself. */
export interface VerifiedArchive {
  header: ArchiveHeader;
  accountId: Uuid;
  seals: number;
  rows: number;
  /** Of each table. */
  tables: Map<string, number>;
  /** By their sequence, in hexadecimal; also that of the seal before the first. */
  digests: Map<number, string>;
}

/** Gets the JSON of each row of a table, once its bytes are known to be those that are shown. */
export interface WantedRows {
  table: string;
  show(json: string): void;
}

/**
 * Computes every digest of an archive anew. Needs nothing but the file.
 * @throws ArchiveFault for the first thing that does not agree
 */
export async function verifyArchive(
  path: string,
  progress?: Progress,
  wanted?: WantedRows,
): Promise<VerifiedArchive> {
  let reading: Verification | undefined;
  try {
    for await (const bytes of linesOf(path, progress)) {
      if (reading) reading.take(bytes, wanted);
      else reading = new Verification(archiveHeaderIn(readable(bytes, 'the first line')), bytes);
    }
    if (!reading) throw new ArchiveFault('the file is empty');
    return reading.end();
  } catch (error) {
    if (!(error instanceof FileFault) || !reading) throw error;
    throw new ArchiveFault(`${error.message}, after ${reading.place()}`);
  }
}

function readable(bytes: Buffer, place: string): string {
  try {
    return utf8In(bytes);
  } catch {
    throw new ArchiveFault(`${place} is no text`);
  }
}

class Verification {
  private readonly hash: Hash = createHash('sha256');
  private readonly accountId: Uuid;
  private readonly tables = new Map<string, number>();
  private readonly digests = new Map<number, string>();
  private seal: OpenSeal | undefined;
  private seals = 0;
  private rows = 0;
  private hasEnded = false;
  /** The last seal with a closing of the year, or of one after it. */
  private closedBy = 0;

  constructor(
    private readonly header: ArchiveHeader,
    bytes: Buffer,
  ) {
    const accountId = uuidOf('acc', header.account);
    if (!accountId) throw new ArchiveFault('the first line names no account');
    this.accountId = accountId;
    for (const { name, columns } of SEALED_TABLES) {
      const named = header.tables[name]?.map(([column]) => column);
      if (named && named.join() !== columnNames(columns).join())
        throw new ArchiveFault(`${name}: the first line names other columns than are sealed`);
    }
    if (header.anchor !== '') this.digests.set(header.first - 1, header.anchor);
    this.count(bytes);
  }

  place(): string {
    return this.seal ? `seal ${this.seal.sequence}` : 'the first line';
  }

  take(bytes: Buffer, wanted?: WantedRows): void {
    if (this.hasEnded) throw new ArchiveFault('something stands behind the last line');
    const text = readable(bytes, `a line after ${this.place()}`);
    const line = lineIn(text);
    if (!line) throw new ArchiveFault(`a line after ${this.place()} is none of an archive`);
    if ('end' in line) return this.takeEnd(line);
    this.count(bytes);
    try {
      if ('seal' in line) this.takeSeal(line, text);
      else this.takeRow(line, text, wanted);
    } catch (error) {
      if (error instanceof ArchiveFault) throw error;
      const place = 'seal' in line ? 'a seal' : `a row of ${line.table}`;
      throw new ArchiveFault(
        `${place} after ${this.place()} has bytes that PostgreSQL does not write`,
      );
    }
  }

  end(): VerifiedArchive {
    const { header, accountId, seals, rows, tables, digests } = this;
    if (!this.hasEnded) throw new FileFault('the last line is missing: the file is cut off');
    return { header, accountId, seals, rows, tables, digests };
  }

  private count(bytes: Buffer): void {
    this.hash.update(bytes).update('\n');
  }

  private takeSeal(line: Extract<ArchiveLine, { seal: unknown }>, text: string): void {
    const { header, accountId } = this;
    this.close();
    const sequence = header.first + this.seals;
    const previous = this.digests.get(sequence - 1) ?? '';
    this.seal = OpenSeal.of(line, text, { accountId, sequence, previous, after: this.seal });
    this.digests.set(sequence, line.digest);
    this.seals += 1;
  }

  private takeRow(
    line: Extract<ArchiveLine, { table: string }>,
    text: string,
    wanted?: WantedRows,
  ): void {
    const { table } = line;
    if (!this.seal) throw new ArchiveFault('a row stands before the first seal');
    const place = `seal ${this.seal.sequence}, ${table}`;
    const bytes = Buffer.from(line.bytes, 'base64');
    const columns = this.header.tables[table];
    if (!columns) throw new ArchiveFault(`${place}: the first line does not name this table`);
    if (typesOf(bytes).join() !== columns.map(([, type]) => type).join())
      throw new ArchiveFault(`${place}: a row has other columns than the first line says`);
    const names = columns.map(([name]) => name);
    const expected = rowLine(table, names, bytes);
    if (text !== expected)
      throw new ArchiveFault(`${place}: a row is shown otherwise than it is sealed`);
    this.seal.add(table, bytes);
    this.rows += 1;
    this.tables.set(table, (this.tables.get(table) ?? 0) + 1);
    if (table === 'period_closings' && this.closesYear(bytes)) this.closedBy = this.seal.sequence;
    if (wanted?.table === table) wanted.show(rowJson(expected));
  }

  private takeEnd({ end, sha256 }: Extract<ArchiveLine, { end: unknown }>): void {
    const { header, seals, rows } = this;
    this.close();
    const last = header.first + seals - 1;
    if (last !== header.last)
      throw new ArchiveFault(
        `the archive ends with seal ${last}, and its first line says ${header.last}`,
      );
    if (this.closedBy !== last)
      throw new ArchiveFault(`seal ${last}, period_closings: no row closes ${header.year}`);
    if (end.seals !== seals || end.rows !== rows)
      throw new ArchiveFault(
        `there are ${seals} seals and ${rows} rows, and the last line says ${end.seals} and ${end.rows}`,
      );
    if (this.hash.digest('hex') !== sha256)
      throw new ArchiveFault('the lines have another SHA-256 than the last line says');
    this.hasEnded = true;
  }

  private closesYear(bytes: Buffer): boolean {
    const [, , action, openFrom] = valuesIn(bytes);
    if (!action || !openFrom || jsonOf(action) !== '"closed"') return false;
    return jsonOf(openFrom) > `"${this.header.year}-12-31"`;
  }

  private close(): void {
    this.seal?.close();
  }
}

/** Between the name of its table and its bytes. */
const rowJson = (line: string): string =>
  line.slice(line.indexOf(',"row":') + 7, line.lastIndexOf(',"bytes":'));
