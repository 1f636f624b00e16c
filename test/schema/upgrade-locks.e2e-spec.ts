import { DataSource, type MigrationInterface } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import {
  LOCK_MODES,
  type LockMode,
} from '../../src/platform/database/upgrade/statement-effects.js';
import { effectsOfMigration } from '../../src/platform/database/upgrade/upgrade-plan.js';
import { aDatabase, type TestDatabase } from '../support/database.js';

// `upgrade --check` reads the statements of a migration. Here each one is run, and PostgreSQL tells
// which locks it took on the tables that were there before, and which of them it wrote anew.

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = dataSourceOptions({ url: database.ownerUrl, ...limits });
  source = await new DataSource({
    ...options,
    migrations: options.migrations.slice(0, 1),
  }).initialize();
  await source.runMigrations();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const { migrations } = dataSourceOptions({
  url: 'postgres://a/b',
  poolSize: 1,
  lockTimeoutMs: 0,
  statementTimeoutMs: 0,
});
const LATER = migrations.slice(1).map((one) => [one.name, new one()] as const);

const INDEXES = `SELECT indexname AS name, tablename AS "table" FROM pg_indexes
  WHERE schemaname = 'public'`;
const TABLES = `SELECT oid::text, relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;
const LOCKS = `SELECT relation::text AS oid, mode FROM pg_locks
  WHERE pid = pg_backend_pid() AND locktype = 'relation'`;

interface Table {
  oid: string;
  name: string;
  file: string;
}

/** Reading, and looking at keys, holds up nobody. */
const NOTABLE = new Set(LOCK_MODES.slice(LOCK_MODES.indexOf('RowExclusiveLock')));

const place = (mode: LockMode | undefined) => (mode ? LOCK_MODES.indexOf(mode) : -1);

function strongest(locks: readonly { table: string; mode: LockMode }[]): Record<string, LockMode> {
  const found: Record<string, LockMode> = {};
  for (const { table, mode } of locks) {
    if (NOTABLE.has(mode) && place(mode) > place(found[table])) found[table] = mode;
  }
  return found;
}

async function measured(migration: MigrationInterface) {
  const runner = source.createQueryRunner();
  try {
    const before = (await runner.query(TABLES)) as Table[];
    await runner.startTransaction();
    await migration.up(runner);
    const held = (await runner.query(LOCKS)) as { oid: string; mode: LockMode }[];
    const after = (await runner.query(TABLES)) as Table[];
    await runner.commitTransaction();
    const named = new Map(before.map((one) => [one.oid, one]));
    const files = new Map(after.map(({ oid, file }) => [oid, file]));
    return {
      before: new Set(before.map(({ name }) => name)),
      locks: strongest(
        held.flatMap(({ oid, mode }) => {
          const table = named.get(oid)?.name;
          return table ? [{ table, mode }] : [];
        }),
      ),
      rewritten: before
        .filter(({ oid, file }) => files.has(oid) && files.get(oid) !== file)
        .map(({ name }) => name),
    };
  } finally {
    await runner.release();
  }
}

it.each(LATER)('%s takes the locks that are told of it', async (_, migration) => {
  const indexes = (await source.query(INDEXES)) as { name: string; table: string }[];
  const tableOf = new Map(indexes.map(({ name, table }) => [name, table]));
  const told = await effectsOfMigration(migration, tableOf);
  expect(told.filter(({ says }) => says.startsWith('does what is not known'))).toEqual([]);
  const { before, locks, rewritten } = await measured(migration);
  const ofOld = told.flatMap((effect) => effect.locks).filter(({ table }) => before.has(table));
  expect(strongest(ofOld)).toEqual(locks);
  const anew = told.flatMap(({ work }) =>
    work?.kind === 'rewrite' && before.has(work.table) ? [work.table] : [],
  );
  expect(anew).toEqual(rewritten);
});
