import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { KeptNumber } from '../domain/kept-seal.js';
import { Database } from '../../platform/database/database.js';
import { ENDED_XACT } from '../../platform/database/ended-transactions.js';
import { ROLLBACK, toLongQuery } from '../../platform/database/sql-statement.js';
import {
  digested,
  SEAL_VERSION,
  SEALED_TABLES,
  sealDigest,
  sealedTableOf,
  type SealedTable,
} from './sealed-tables.js';
import { sealedExtensionTables } from './sealed-extension-tables.js';

const ANY_NUMBER_OF_OURS = 2_026_112_102;

/** The newest seal of an account. A copy kept elsewhere can tell whether the chain still has it. */
export interface SealHead {
  accountId: Uuid;
  sequence: bigint;
  /** 64 hexadecimal digits. */
  digest: string;
  /** Rows that it sealed. */
  rows: bigint;
  sealedAt: Date;
}

/** With what its rows did that nobody may undo by losing them. */
export interface KeptHead extends SealHead {
  /** The last that were given. */
  numbers: KeptNumber[];
  /** `cus_...` */
  erased: string[];
}

/** Closes windows of transactions: one seal for each account that wrote something. */
@Injectable()
export class SealsRepository {
  constructor(private readonly database: Database) {}

  /** When the oldest transfer was recorded that no seal covers; null: none waits. */
  async oldestUnsealed(): Promise<Date | null> {
    const [row] = await this.database.queryOnce<{ at: Date | null }>(OLDEST_UNSEALED);
    return row?.at ?? null;
  }

  /** When the newest seal was made; null: there is none yet. */
  async newest(): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date }>(
      'SELECT sealed_at AS at FROM seals ORDER BY through_xact DESC LIMIT 1',
    );
    return row?.at ?? null;
  }

  /**
   * Seals everything that was written by transactions which have ended, and before which all have:
   * nobody can write there any more. Takes no lock that a writer would wait for. Does nothing while
   * another process is at it.
   */
  async sealNext(): Promise<KeptHead[]> {
    return this.database.using(async (client) => {
      try {
        await client.query('BEGIN');
        await client.query(
          `SELECT set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true)`,
        );
        const { rows: locked } = await client.query<{ ours: boolean }>(
          'SELECT pg_try_advisory_xact_lock($1) AS ours',
          [ANY_NUMBER_OF_OURS],
        );
        // After the lock, and so after the window of whoever had it before.
        const sealed = locked[0]?.ours ? await sealWindow(client) : [];
        await client.query('COMMIT');
        return sealed;
      } catch (error) {
        await client.query(ROLLBACK).catch(() => undefined);
        throw error;
      }
    });
  }
}

/** The index of transfers by transaction finds them behind the last window. */
const OLDEST_UNSEALED = `SELECT min(recorded_at) AS at FROM transfers
  WHERE xact >= (SELECT coalesce(max(through_xact), 0) FROM seals)`;

async function sealWindow(client: pg.PoolClient): Promise<KeptHead[]> {
  const { rows } = await client.query<{ from: bigint; through: bigint }>(
    toLongQuery({ text: NEXT_WINDOW, values: [] }),
  );
  const [window] = rows;
  if (!window || window.from >= window.through) return [];
  const { from, through } = window;
  const heads = await sealBetween(client, from, through);
  if (heads.length === 0) return [];
  const { rows: numbers } = await client.query<NumberColumns>(
    toLongQuery({ text: NUMBERS_GIVEN, values: [from, through] }),
  );
  const { rows: erasures } = await client.query<ErasureColumns>(
    toLongQuery({ text: ERASED, values: [from, through] }),
  );
  return heads.map((head) => {
    const ofAccount = ({ accountId }: { accountId: Uuid }) => accountId === head.accountId;
    return {
      ...head,
      numbers: numbers.filter(ofAccount),
      erased: erasures.filter(ofAccount).map(({ subject }) => subject),
    };
  });
}

/**
 * Planned for these values: the first window of an old database is all of it, the next is small.
 * A few of all the tables have rows in a small one, and to plan for the others takes most of its time.
 */
export async function sealBetween(
  client: pg.ClientBase,
  from: bigint,
  through: bigint,
): Promise<SealHead[]> {
  const values = [from, through];
  const theirs = await sealedExtensionTables(client);
  // One that has gone is told by the check of the books; it holds no seal of the others back.
  const whole = theirs.filter(({ isWhole }) => isWhole);
  const all = [
    ...SEALED_TABLES,
    ...whole.map(({ table, columns }) => sealedTableOf(table, columns)),
  ];
  const { rows: written } = await client.query<{ name: string }>(
    toLongQuery({ text: writtenOf(all), values }),
  );
  const names = new Set(written.map(({ name }) => name));
  const tables = all.filter(({ name }) => names.has(name));
  if (tables.length === 0) return [];
  const { rows } = await client.query<SealHead>(toLongQuery({ text: sealOf(tables), values }));
  return rows;
}

const NEXT_WINDOW = `SELECT coalesce((SELECT max(through_xact) FROM seals), 0) AS from,
  ${ENDED_XACT} AS through`;

interface NumberColumns extends Omit<KeptNumber, 'sequence'> {
  /** @notNull A number has one. */
  series: string;
  /** @notNull */
  period: string;
  /** @derived */
  sequence: bigint;
}

const NUMBERS_GIVEN = `SELECT account_id AS "accountId", number_series AS series,
    number_period AS period, max(number_sequence) AS sequence
  FROM documents WHERE issued_xact >= $1 AND issued_xact < $2 AND number_sequence IS NOT NULL
  GROUP BY 1, 2, 3`;

interface ErasureColumns {
  accountId: Uuid;
  /** @notNull The entry of an erasure has it. */
  subject: string;
}

const ERASED = `SELECT account_id AS "accountId", subject FROM audit_entries
  WHERE xact >= $1 AND xact < $2 AND action = 'customer.erased'`;

const inWindow = (xact: string) => `${xact} >= $1 AND ${xact} < $2`;

/** Counted: to find one, PostgreSQL would read a table from its old end. Values as `sealOf`. */
const writtenOf = (tables: readonly SealedTable[]) =>
  `SELECT name FROM (${tables
    .map(
      ({ name, from, xact }) =>
        `SELECT '${name}' AS name FROM ${from} WHERE ${inWindow(xact)} HAVING count(*) > 0`,
    )
    .join(' UNION ALL ')}) written`;

/** $1 the first transaction of the window, $2 the first after it. */
const sealOf = (tables: readonly SealedTable[]) => `
  WITH found AS (${tables
    .map(
      (one) => `
    SELECT account_id, '${one.name}' AS name, rows, digest
    FROM (${digested(one, '1', inWindow(one.xact))}) found`,
    )
    .join(' UNION ALL ')}
  ), contents AS (
    SELECT account_id, sum(rows)::bigint AS rows,
      jsonb_object_agg(name, jsonb_build_object(
        'rows', rows, 'sha256', encode(digest, 'hex'))) AS contents
    FROM found GROUP BY 1
  ), seal AS (
    SELECT c.account_id, coalesce(h.sequence, 0) + 1 AS sequence, $1::bigint AS from_xact,
      $2::bigint AS through_xact, c.contents, c.rows, now() AS sealed_at,
      ${SEAL_VERSION}::smallint AS version,
      coalesce(h.digest, '') AS previous
    FROM contents c LEFT JOIN seal_heads h USING (account_id)
  ), made AS (
    INSERT INTO seals (account_id, sequence, from_xact, through_xact, contents, rows, digest,
      sealed_at, version)
    SELECT account_id, sequence, from_xact, through_xact, contents, rows,
      ${sealDigest('seal.previous', 'seal')}, sealed_at, version
    FROM seal RETURNING account_id, sequence, through_xact, digest, rows, sealed_at
  ), heads AS (
    INSERT INTO seal_heads AS h (account_id, sequence, through_xact, digest)
    SELECT account_id, sequence, through_xact, digest FROM made
    ON CONFLICT (account_id) DO UPDATE SET sequence = excluded.sequence,
      through_xact = excluded.through_xact, digest = excluded.digest
  ), first AS (
    -- A chain that is begun again has another first seal than was seen.
    INSERT INTO seals_seen (account_id, sequence, digest, seen_at)
    SELECT account_id, sequence, digest, sealed_at FROM made WHERE sequence = 1
    ON CONFLICT DO NOTHING
  )
  SELECT account_id AS "accountId", sequence, encode(digest, 'hex') AS digest, rows,
    sealed_at AS "sealedAt" FROM made`;
