import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { statementsOf } from '../../src/platform/database/upgrade/upgrade-plan.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from './database.js';

interface Definition {
  table: string;
  name: string;
  sql: string;
}

const TABLES = `SELECT quote_ident(relname) AS table, (
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  ) AS columns FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'`;

const FOREIGN_KEYS = `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
    pg_get_constraintdef(oid) AS sql
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;

const ROWS_AT_ONCE = 500;

/**
 * The database that pg_dump and pg_restore make of another one. Its catalog has other ids, every
 * row is written anew from its text, and keys and triggers are set up after that.
 */
export async function aRestoredCopy(source: TestDatabase): Promise<TestDatabase> {
  const copy = await aDatabase({ migrated: false });
  await copy.query(`SET search_path = public; CREATE DOMAIN first_of_all AS text`);
  await migrate(copy.url);
  await copy.query('DROP DOMAIN first_of_all');
  await fill(copy, await offsetOf(source), async (table, columns) =>
    insertRows(copy, table, columns, await rowsIn(source, table)),
  );
  return copy;
}

/** The database as the baseline alone makes it, with what its tables can hold. */
export async function aCopyOfTheBaseline(source: TestDatabase): Promise<TestDatabase> {
  const copy = await aDatabase({ migrated: false });
  await migrateBy(copy, (_, at) => at === 0);
  await fill(copy, await offsetOf(source), async (table, columns) =>
    copyFields(source, copy, table, columns),
  );
  return copy;
}

/** The same without rows. */
export async function anEmptyBaseline(): Promise<TestDatabase> {
  const database = await aDatabase({ migrated: false });
  await migrateBy(database, (_, at) => at === 0);
  return database;
}

/** A database as a release left it: its migrations alone have run, and its rows are there. */
export async function aReleasedDatabase(kept: KeptRelease): Promise<TestDatabase> {
  const copy = await aDatabase({ migrated: false });
  await migrateBy(copy, ({ name }) => name in kept.migrations);
  await fill(copy, kept.offset, async (table, columns) =>
    insertRows(copy, table, columns, kept.rows[table] ?? []),
  );
  return copy;
}

async function migrateBy(
  { ownerUrl: url }: TestDatabase,
  isWanted: (migration: { name: string }, at: number) => boolean,
): Promise<void> {
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = dataSourceOptions({ url, ...limits });
  const migrations = options.migrations.filter(isWanted);
  const source = await new DataSource({ ...options, migrations }).initialize();
  await source.runMigrations();
  await source.destroy();
}

/** Without its keys meanwhile: the order of the tables does not matter. */
async function fill(
  copy: TestDatabase,
  offset: string,
  fillTable: (table: string, columns: string) => Promise<void>,
): Promise<void> {
  const keys = await copy.query<Definition>(FOREIGN_KEYS);
  for (const { table, name } of keys) {
    await copy.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { table, columns } of await copy.query<{ table: string; columns: string }>(TABLES)) {
    await fillTable(table, columns);
  }
  for (const { table, name, sql } of keys) {
    await copy.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${sql}`);
  }
  await copy.query(offset);
}

/** By which a copy goes on counting transactions, as SQL. */
async function offsetOf(source: TestDatabase): Promise<string> {
  const [offset] = await source.query<{ sql: string }>(
    `SELECT pg_get_functiondef('book_xact_offset'::regproc) AS sql`,
  );
  return offset?.sql ?? '';
}

/** Each as PostgreSQL writes a whole row. */
async function rowsIn(source: TestDatabase, table: string): Promise<string[]> {
  const rows = await source.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
  return rows.map(({ row }) => row);
}

/** A database that later releases are tried on, as a file of the repository. */
export interface KeptRelease {
  version: string;
  /** SHA-256 of all statements of each, by name: one that was released stays as it is. */
  migrations: Record<string, string>;
  /** By table. */
  rows: Record<string, string[]>;
  offset: string;
  /** One that made the books, and the number of its last invoice. */
  client: { id: string; secret: string; accountId: string };
  lastNumber: string;
}

/** All that is in a database, but who made it. */
export async function keptRows(
  source: TestDatabase,
): Promise<Pick<KeptRelease, 'migrations' | 'rows' | 'offset'>> {
  const rows: KeptRelease['rows'] = {};
  for (const { table } of await source.query<{ table: string }>(TABLES)) {
    rows[table] = await rowsIn(source, table);
  }
  return { migrations: await migrationDigests(), rows, offset: await offsetOf(source) };
}

export async function migrationDigests(): Promise<Record<string, string>> {
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const { migrations } = dataSourceOptions({ url: 'postgres://a/b', ...limits });
  const digests = migrations.map(async (one) => {
    const statements = await statementsOf(new one());
    return [one.name, createHash('sha256').update(statements.join(';')).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

/** Columns that a migration dropped, and the baseline wants. */
const GONE: Record<string, object> = { mail_progress: { through_xact: 0 } };

/** By name: what the older table lacks is left out. */
async function copyFields(
  source: TestDatabase,
  copy: TestDatabase,
  table: string,
  columns: string,
) {
  const [row] = await source.query<{ rows: string }>(
    `SELECT coalesce(json_agg(to_jsonb(t) || $1), '[]')::text AS rows FROM ${table} t`,
    [JSON.stringify(GONE[table] ?? {})],
  );
  await copy.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await copy.query(`DELETE FROM ${table}`);
  await copy.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns}
     FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [row?.rows],
  );
  await copy.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

async function insertRows(
  copy: TestDatabase,
  table: string,
  columns: string,
  rows: readonly string[],
): Promise<void> {
  await copy.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  // Rows that a migration of the empty database wrote are in the dump, too.
  await copy.query(`DELETE FROM ${table}`);
  const values = columns.replaceAll(/[^, ]+/g, (column) => `(r).${column}`);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const texts = rows.slice(start, start + ROWS_AT_ONCE);
    await copy.query(
      `INSERT INTO ${table} (${columns}) SELECT ${values}
       FROM (SELECT text::${table} AS r FROM unnest($1::text[]) AS text) rows`,
      [texts],
    );
  }
  await copy.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

/** Ids of the domains that columns of the books have. */
export async function domainIds({ query }: TestDatabase): Promise<string> {
  const [row] = await query<{ ids: string }>(
    `SELECT concat('ledger_fact'::regtype::oid, ' ', 'ledger_account'::regtype::oid) AS ids`,
  );
  return row?.ids ?? '';
}
