import { DataSource } from 'typeorm';
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
  await fill(copy, source, copyRows);
  return copy;
}

/** The database as the baseline alone makes it, with what its tables can hold. */
export async function aCopyOfTheBaseline(source: TestDatabase): Promise<TestDatabase> {
  const copy = await aDatabase({ migrated: false });
  const options = dataSourceOptions({
    url: copy.ownerUrl,
    poolSize: 1,
    lockTimeoutMs: 0,
    statementTimeoutMs: 0,
  });
  const migrations = options.migrations.slice(0, 1);
  const baseline = await new DataSource({ ...options, migrations }).initialize();
  await baseline.runMigrations();
  await baseline.destroy();
  await fill(copy, source, copyFields);
  return copy;
}

type CopyRows = typeof copyRows;

/** Without its keys meanwhile: the order of the tables does not matter. */
async function fill(copy: TestDatabase, source: TestDatabase, copyTable: CopyRows): Promise<void> {
  const keys = await copy.query<Definition>(FOREIGN_KEYS);
  for (const { table, name } of keys) {
    await copy.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  for (const { table, columns } of await copy.query<{ table: string; columns: string }>(TABLES)) {
    await copyTable(source, copy, table, columns);
  }
  for (const { table, name, sql } of keys) {
    await copy.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${sql}`);
  }
  const [offset] = await source.query<{ sql: string }>(
    `SELECT pg_get_functiondef('book_xact_offset'::regproc) AS sql`,
  );
  await copy.query(offset?.sql ?? '');
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

async function copyRows(source: TestDatabase, copy: TestDatabase, table: string, columns: string) {
  const rows = await source.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
  await copy.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  // Rows that a migration of the empty database wrote are in the dump, too.
  await copy.query(`DELETE FROM ${table}`);
  const values = columns.replaceAll(/[^, ]+/g, (column) => `(r).${column}`);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const texts = rows.slice(start, start + ROWS_AT_ONCE).map(({ row }) => row);
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
