import { z } from 'zod';
import type { Uuid } from '../../../kernel/ids.js';
import { SEAL_VERSION } from '../sealed-tables.js';
import { ArchiveFault } from './archive-fault.js';
import { type ArchiveLine, sealLine } from './archive-lines.js';
import { type BinaryValue, jsonbText, uuidIn, valuesIn } from './binary-values.js';
import { digestOfBytes, TableDigest } from './row-digests.js';

const Contents = z.record(z.string(), z.strictObject({ rows: z.int(), sha256: z.string() }));

/** The place that a seal has to have in its chain. */
interface SealPlace {
  accountId: Uuid;
  sequence: number;
  /** Digest of the seal before. */
  previous: string;
  after: OpenSeal | undefined;
}

/** A seal whose rows are being read. */
export class OpenSeal {
  private readonly tables: (readonly [string, { rows: number; sha256: string }])[];
  private at = 0;
  private digest: TableDigest | undefined;

  private constructor(
    readonly sequence: number,
    private readonly throughXact: bigint,
    contents: z.infer<typeof Contents>,
  ) {
    this.tables = Object.entries(contents);
  }

  /**
   * @param text the whole line
   * @throws ArchiveFault, or RangeError where the bytes are no row
   */
  static of(
    { seal: { version }, digest, bytes: base64 }: Extract<ArchiveLine, { seal: unknown }>,
    text: string,
    { accountId, sequence, previous, after }: SealPlace,
  ): OpenSeal {
    const fault = (why: string) => new ArchiveFault(`seal ${sequence}: ${why}`);
    if (version !== SEAL_VERSION)
      throw fault(
        `it is of version ${version}, which this program cannot verify: take a later one, or that which wrote it`,
      );
    const bytes = Buffer.from(base64, 'base64');
    if (text !== sealLine(bytes, digest)) throw fault('it is shown otherwise than it is sealed');
    if (digestOfBytes(bytes).toString('hex') !== digest)
      throw fault('it has another digest than it says');
    const values = valuesIn(bytes);
    const number = (at: number) => bytesOf(values[at]).readBigInt64BE();
    if (uuidIn(bytesOf(values[1])) !== accountId)
      throw fault('it is of another account than the first line says');
    if (number(2) !== BigInt(sequence)) throw fault(`seal ${number(2)} stands in its place`);
    if (bytesOf(values[0]).toString('hex') !== previous)
      throw fault('it does not cover the seal before');
    if (after && number(3) < after.throughXact)
      throw fault('it begins before the seal before ends');
    const contents = Contents.safeParse(JSON.parse(jsonbText(bytesOf(values[5])))).data;
    if (!contents) throw fault('it does not say what it covers');
    return new OpenSeal(sequence, number(4), contents);
  }

  /** @throws ArchiveFault where the row has no place here */
  add(table: string, bytes: Buffer): void {
    if (!this.tables.some(([name]) => name === table))
      throw this.fault(table, 'it covers no row of it');
    while (this.tables[this.at]?.[0] !== table) {
      if (this.at >= this.tables.length) throw this.fault(table, 'a row is not in its place');
      this.closeTable();
    }
    this.digest ??= new TableDigest(table);
    if (!this.digest.add(bytes)) throw this.fault(table, 'a row is not in its place');
  }

  /** @throws ArchiveFault where its rows are not those that it covers */
  close(): void {
    while (this.at < this.tables.length) this.closeTable();
  }

  private closeTable(): void {
    const [table = '', { rows, sha256: sealed } = { rows: 0, sha256: '' }] =
      this.tables[this.at] ?? [];
    const found = this.digest?.rows ?? 0;
    if (found !== rows) throw this.fault(table, `${found} rows are here, and ${rows} were sealed`);
    if (this.digest?.end() !== sealed) throw this.fault(table, 'a row is not as it was sealed');
    this.digest = undefined;
    this.at += 1;
  }

  private fault(table: string, why: string): ArchiveFault {
    return new ArchiveFault(`seal ${this.sequence}, ${table}: ${why}`);
  }
}

function bytesOf(value: BinaryValue | undefined): Buffer {
  if (!value?.bytes) throw new RangeError('a seal has no such value');
  return value.bytes;
}
