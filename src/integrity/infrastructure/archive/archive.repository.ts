import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Progress } from '../../../kernel/progress.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import { toLongQuery } from '../../../platform/database/sql-statement.js';
import { newFile } from '../../../platform/new-file.js';
import { ownVersion } from '../../../platform/own-version.js';
import { inLongSnapshot } from '../long-snapshot.js';
import { sealedExtensionTables } from '../sealed-extension-tables.js';
import {
  partOf,
  rowBytes,
  sealBytes,
  SEALED_TABLES,
  type SealedTable,
  sealedTableOf,
} from '../sealed-tables.js';
import {
  ARCHIVE_FORMAT,
  type ArchiveHeader,
  endLine,
  headerLine,
  rowLine,
  sealLine,
} from './archive-lines.js';
import { typeName } from './binary-values.js';
import { columnNames } from './columns.js';

/** So many rows are sorted at once; a seal with more of them, alone. */
const ROWS_OF_A_PART = 5000;
const SEALS_OF_A_PART = 1000;
/** In memory at once, each up to the size of a request's body. */
const ROWS_AT_ONCE = 50;
const CHUNK_CHARACTERS = 65_536;

/** The year of an account, and when its December was closed. */
export interface YearToArchive {
  accountId: Uuid;
  year: number;
  closedAt: Date;
  at: Date;
}

/** Why there is nothing to write. */
export type NoArchive = 'not_sealed' | 'empty';

/** The sealed rows of a year as a file, with the seals over them. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly database: Database) {}

  /** Nothing of it is in memory at once, and all of it is of one moment. */
  async write(
    path: string,
    wanted: YearToArchive,
    progress?: Progress,
  ): Promise<NoArchive | 'written'> {
    return inLongSnapshot(await this.database.lease(), async (client) => {
      const range = await rangeOf(client, wanted);
      if (range.last === null) return 'not_sealed';
      if (range.first === null || range.first > range.last) return 'empty';
      const { first, last, anchor } = range;
      const tables = await tablesIn(client);
      const header: ArchiveHeader = {
        quittance_archive: ARCHIVE_FORMAT,
        account: publicId('acc', wanted.accountId),
        year: wanted.year,
        made_at: wanted.at.toISOString(),
        program: await ownVersion(),
        first: Number(first),
        last: Number(last),
        anchor: anchor ?? '',
        tables: Object.fromEntries(tables.map(({ table, columns }) => [table.name, columns])),
      };
      const lines = linesOf(client, wanted.accountId, header, tables, (done) =>
        progress?.(done, Number(range.rows)),
      );
      await newFile(path, async (handle) =>
        pipeline(chunksOf(lines), createGzip(), async (compressed) => {
          for await (const chunk of compressed) await handle.appendFile(chunk as Buffer);
        }),
      );
      return 'written';
    });
  }
}

interface RangeColumns {
  /** @derived */
  first: bigint | null;
  /** @derived */
  last: bigint | null;
  /** @derived Hexadecimal. */
  anchor: string | null;
  /** @derived */
  rows: bigint;
}

/**
 * From the seal that covers the first that was booked for the year, or happened in it, to that which
 * covers its closing. No fact of the year comes after that: the books refuse it.
 */
const RANGE = `
  WITH year AS (
    SELECT make_date($2::int, 1, 1) AS from_day, make_date($2::int + 1, 1, 1) AS to_day,
      make_timestamp($2::int, 1, 1, 0, 0, 0) AT TIME ZONE time_zone AS from_at,
      make_timestamp($2::int + 1, 1, 1, 0, 0, 0) AT TIME ZONE time_zone AS to_at
    FROM accounts WHERE account_id = $1
  ), begun AS (
    SELECT least(
      (SELECT min(xact) FROM transfers WHERE account_id = $1
        AND effective_on >= from_day AND effective_on < to_day),
      (SELECT min(issued_xact) FROM documents WHERE account_id = $1
        AND issue_date >= from_day AND issue_date < to_day),
      (SELECT min(xact) FROM events WHERE account_id = $1
        AND occurred_at >= from_at AND occurred_at < to_at),
      (SELECT min(xact) FROM audit_entries WHERE account_id = $1
        AND occurred_at >= from_at AND occurred_at < to_at)) AS xact
    FROM year
  ), closed AS (
    SELECT min(xact) AS xact FROM period_closings, year
    WHERE account_id = $1 AND action = 'closed' AND open_from >= to_day AND decided_at >= $3
  ), ends AS (
    SELECT (SELECT min(sequence) FROM seals
        WHERE account_id = $1 AND through_xact > begun.xact) AS first,
      (SELECT sequence FROM seals WHERE account_id = $1
        AND from_xact <= closed.xact AND through_xact > closed.xact) AS last
    FROM begun, closed
  )
  SELECT first, last,
    (SELECT encode(digest, 'hex') FROM seals WHERE account_id = $1 AND sequence = first - 1) AS anchor,
    (SELECT coalesce(sum(rows), 0)::bigint FROM seals
      WHERE account_id = $1 AND sequence BETWEEN first AND last) AS rows
  FROM ends`;

async function rangeOf(
  client: pg.PoolClient,
  { accountId, year, closedAt }: YearToArchive,
): Promise<RangeColumns> {
  const values = [accountId, year, closedAt];
  const { rows } = await client.query<RangeColumns>(toLongQuery({ text: RANGE, values }));
  return rows[0] ?? { first: null, last: null, anchor: null, rows: 0n };
}

interface ArchivedTable {
  table: SealedTable;
  columns: [name: string, type: string][];
}

/** As they are here: a table of an extension that has gone is told by the archive's verification. */
async function tablesIn(client: pg.PoolClient): Promise<ArchivedTable[]> {
  const theirs = (await sealedExtensionTables(client)).filter(({ isWhole }) => isWhole);
  const all = [...SEALED_TABLES, ...theirs.map((one) => sealedTableOf(one.table, one.columns))];
  const found: ArchivedTable[] = [];
  for (const table of all) {
    const { fields } = await client.query(
      `SELECT ${table.columns.join(', ')} FROM ${table.from} LIMIT 0`,
    );
    const names = columnNames(table.columns);
    const columns = fields.map(({ dataTypeID }, at): [string, string] => [
      names[at] ?? '',
      typeName(dataTypeID),
    ]);
    found.push({ table, columns });
  }
  return found;
}

async function* linesOf(
  client: pg.PoolClient,
  accountId: Uuid,
  header: ArchiveHeader,
  tables: readonly ArchivedTable[],
  told: (rows: number) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const counted = (line: string) => {
    hash.update(line).update('\n');
    return `${line}\n`;
  };
  const names = new Map(
    tables.map(({ table, columns }) => [table.name, columns.map(([name]) => name)]),
  );
  let rows = 0;
  yield counted(headerLine(header));
  for (let next = header.first; next <= header.last;) {
    const seals = await sealsFrom(client, accountId, next, header.last);
    let shown = 0;
    const showTo = function* (place: number) {
      for (; shown < place; shown += 1) {
        const { bytes, digest } = seals[shown] as SealColumns;
        yield counted(sealLine(bytes, digest));
      }
    };
    for await (const { place, name, bytes } of rowsOf(client, accountId, seals, tables)) {
      yield* showTo(place);
      yield counted(rowLine(name, names.get(name) ?? [], bytes));
      told((rows += 1));
    }
    yield* showTo(seals.length);
    next += seals.length;
  }
  yield `${endLine(header.last - header.first + 1, rows, hash.digest('hex'))}\n`;
}

interface SealColumns extends Pick<
  Row<'seals'>,
  'sequence' | 'from_xact' | 'through_xact' | 'rows'
> {
  /** @derived */
  bytes: Buffer;
  /** @derived Hexadecimal. */
  digest: string;
}

const SEALS = `
  SELECT s.sequence, s.from_xact, s.through_xact, s.rows, encode(s.digest, 'hex') AS digest,
    ${sealBytes(`coalesce(p.digest, '')`, 's')} AS bytes
  FROM seals s LEFT JOIN seals p ON p.account_id = s.account_id AND p.sequence = s.sequence - 1
  WHERE s.account_id = $1 AND s.sequence BETWEEN $2 AND $3
  ORDER BY s.sequence LIMIT ${SEALS_OF_A_PART}`;

/** As many as have not too many rows together; one at least. */
async function sealsFrom(
  client: pg.PoolClient,
  accountId: Uuid,
  first: number,
  last: number,
): Promise<SealColumns[]> {
  const query = toLongQuery({ text: SEALS, values: [accountId, first, last] });
  const { rows: seals } = await client.query<SealColumns>(query);
  const gap = seals.findIndex(({ sequence }, at) => sequence !== BigInt(first + at));
  if (seals.length === 0 || gap >= 0)
    throw new Error(`seal ${first + Math.max(0, gap)} is missing: run \`integrity\``);
  let rows = 0n;
  const end = seals.findIndex((seal, at) => (rows += seal.rows) > ROWS_OF_A_PART && at > 0);
  return end < 0 ? seals : seals.slice(0, end);
}

interface SealedRow {
  /** Of its seal, from 1. */
  place: number;
  /** Of its table. */
  name: string;
  bytes: Buffer;
}

/** $1 the account, $2 where the windows begin, $3 and where each ends, $4 and $5 all together. */
const rowsText = (tables: readonly ArchivedTable[]) => `
  SELECT place, name, bytes FROM (
    SELECT place, name, part, bytes, sha256(bytes) AS digest FROM (${tables
      .map(
        ({ table }) => `
      SELECT ${table.xact} AS xact, width_bucket(${table.xact}, $2::bigint[]) AS place,
        '${table.name}' AS name, ${partOf(table)} AS part, ${rowBytes(table)} AS bytes
      FROM ${table.from} WHERE ${table.account} = $1
        AND ${table.xact} >= $4 AND ${table.xact} < $5`,
      )
      .join(' UNION ALL ')}
    ) found WHERE xact < ($3::bigint[])[place] OFFSET 0
  ) digested
  ORDER BY place, length(name), name COLLATE "C", part, digest`;

/** In the order of their seals, of the tables in each (as jsonb has them), and of the digest. */
async function* rowsOf(
  client: pg.PoolClient,
  accountId: Uuid,
  seals: readonly SealColumns[],
  tables: readonly ArchivedTable[],
): AsyncGenerator<SealedRow> {
  const [begins, ends] = [
    seals.map(({ from_xact }) => `${from_xact}`),
    seals.map(({ through_xact }) => `${through_xact}`),
  ];
  const values = [accountId, begins, ends, begins[0], ends.at(-1)];
  const text = `DECLARE sealed_rows NO SCROLL CURSOR FOR ${rowsText(tables)}`;
  await client.query(toLongQuery({ text, values }));
  const next = toLongQuery({ text: `FETCH ${ROWS_AT_ONCE} FROM sealed_rows`, values: [] });
  for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE;) {
    const { rows } = await client.query(next);
    yield* rows as SealedRow[];
    count = rows.length;
  }
  await client.query('CLOSE sealed_rows');
}

/** A stream takes as long for a line as for many. */
async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
