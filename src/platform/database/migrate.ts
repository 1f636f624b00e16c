import {
  DataSource,
  type Logger,
  type Migration,
  MigrationExecutor,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { pause } from '../../kernel/clock.js';
import type { Progress } from '../../kernel/progress.js';
import { ConfigError } from '../config/config-error.js';
import { BASELINE_TIMESTAMP, dataSourceOptions } from './data-source.js';
import { isLockTimeout } from './database-error.js';
import { type MigratedExtension, migrateExtensions, missingSteps } from './extension-migrations.js';
import { beginHeld } from './held-transaction.js';
import { recordOperator } from './operator-entry.js';
import { type DatabaseUrls, grantRoles } from './roles.js';
import { isPooled } from './servers/server-urls.js';
import { lockTables } from './upgrade/upgrade-plan.js';

const ANY_NUMBER_OF_OURS = 2_026_112_001;
/** The oldest major version on which all of it was tried. */
const OLDEST_SERVER = 15;
/**
 * Writers stand behind a migration that waits for a lock. Below `deadlock_timeout`, so that it
 * is the migration which gives way, and no payment.
 */
const LOCK_TIMEOUT_MS = 800;
const PAUSE_MS = 1000;
const MOST_TRIES = 600;

/**
 * Brings the schema up to date, and what each role may do with it; returns the names of the
 * migrations that were run. An advisory lock lets several processes start at once.
 * @param database an address alone is that of one role for everything
 */
export async function migrate(
  database: DatabaseUrls | string,
  extensions: readonly MigratedExtension[] = [],
  progress?: Progress,
): Promise<string[]> {
  const urls =
    typeof database === 'string' ? { app: database, owner: database, reader: null } : database;
  const dataSource = await open(urls.owner, LOCK_TIMEOUT_MS);
  try {
    const runner = dataSource.createQueryRunner();
    const turn = dataSource.createQueryRunner();
    try {
      await refuseOldServer(runner);
      await refuseEarlierDatabase(dataSource);
      await takeTurn(turn);
      // Extensions and grants wait for their locks; behind a pooler they give up, as others share the session.
      if (!isPooled(urls.owner)) await runner.query('SET lock_timeout = 0');
      const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
      lockBeforeEach(pending);
      if (progress) tellOfEach(pending, progress);
      await runPatiently(dataSource);
      await goOnCounting(runner);
      const migrations = pending.map(({ name }) => name);
      if (pending.length > 0) await recordOperator(runner, 'schema.migrated', { migrations });
      const ofExtensions = await migrateExtensions(runner, extensions);
      await grantRoles(runner, urls);
      return [...migrations, ...ofExtensions];
    } catch (error) {
      throw isForOwnerOnly(error) ? ownerWanted() : error;
    } finally {
      await turn.query('ROLLBACK').catch(() => undefined);
      await turn.release();
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Another process may be at it for long. */
async function takeTurn(runner: QueryRunner): Promise<void> {
  await beginHeld(runner);
  await runner.query('SET LOCAL lock_timeout = 0');
  await runner.query('SELECT pg_advisory_xact_lock($1)', [ANY_NUMBER_OF_OURS]);
}

const silent = () => undefined;

/** A try that gave way is no failure, and whatever is one is thrown. */
const QUIET: Logger = {
  logQuery: silent,
  logQueryError: silent,
  logQuerySlow: silent,
  logSchemaBuild: silent,
  logMigration: silent,
  log: silent,
};

/** Lets go of all locks where it waits for one, and begins that migration again. */
async function runPatiently(source: DataSource): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await source.runMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tried === MOST_TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** The baseline finds no table. */
function lockBeforeEach(pending: readonly Migration[]): void {
  for (const { instance, timestamp } of pending) {
    if (!instance || timestamp <= BASELINE_TIMESTAMP) continue;
    const up = instance.up.bind(instance);
    instance.up = async (runner) => {
      await lockTables(runner, { up, down: instance.down });
      await up(runner);
    };
  }
}

/** Those that have not run are known before the first one runs, under the lock. */
function tellOfEach(pending: readonly Migration[], progress: Progress): void {
  for (const [at, { instance }] of pending.entries()) {
    if (!instance) continue;
    const up = instance.up.bind(instance);
    instance.up = async (runner) => {
      progress(at, pending.length);
      await up(runner);
      progress(at + 1, pending.length);
    };
  }
}

async function refuseOldServer(runner: QueryRunner): Promise<void> {
  const [{ number }] = (await runner.query(
    `SELECT current_setting('server_version_num') AS number`,
  )) as [{ number: string }];
  const major = Math.trunc(Number(number) / 10_000);
  if (major >= OLDEST_SERVER) return;
  throw new ConfigError(
    `DATABASE_URL: the server is PostgreSQL ${major}, which is too old. Upgrade it to ` +
      `${OLDEST_SERVER} or newer.`,
  );
}

/** Nothing before the baseline was released, and no migration leads from there to here. */
async function refuseEarlierDatabase(source: DataSource): Promise<void> {
  const [{ exists }] = await source.query<[{ exists: boolean }]>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS exists`,
  );
  if (!exists) return;
  const [earlier] = await source.query<{ name: string }[]>(
    'SELECT name FROM public.migrations WHERE timestamp < $1 ORDER BY timestamp LIMIT 1',
    [BASELINE_TIMESTAMP],
  );
  if (!earlier) return;
  throw new ConfigError(
    `The database was made by a version before the first release (it has ${earlier.name}), and ` +
      'nothing leads from there to this one. Start the version that made it to export what you ' +
      'need, and give this one an empty database: another DATABASE_URL or QUITTANCE_DATA_DIR.',
  );
}

/** @throws ConfigError for a database that no migration can bring up to date */
export async function hasPendingMigrations(url: string): Promise<boolean> {
  const dataSource = await open(url);
  try {
    await refuseEarlierDatabase(dataSource);
    return await dataSource.showMigrations();
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Those that have not run, in their order; none of them is run.
 * @throws ConfigError for a database that no migration can bring up to date
 */
export async function pendingMigrations(
  url: string,
): Promise<{ name: string; instance: MigrationInterface }[]> {
  const dataSource = await open(url);
  try {
    await refuseEarlierDatabase(dataSource);
    const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
    return pending.flatMap(({ name, instance }) => (instance ? [{ name, instance }] : []));
  } finally {
    await dataSource.destroy();
  }
}

/**
 * For a service that only reads: the tables have to be those of its version already.
 * @throws ConfigError that names the steps that are missing
 */
export async function assertMigrated(
  url: string,
  extensions: readonly MigratedExtension[] = [],
): Promise<void> {
  const dataSource = await open(url);
  const runner = dataSource.createQueryRunner();
  try {
    await refuseOldServer(runner);
    await refuseEarlierDatabase(dataSource);
    const ours = await new MigrationExecutor(dataSource).getPendingMigrations();
    const missing = ours.map(({ name }) => name);
    // Their list came with one of ours.
    if (missing.length === 0) missing.push(...(await missingSteps(runner, extensions)));
    if (missing.length === 0) return;
    throw new ConfigError(
      `QUITTANCE_READ_ONLY: the database lacks ${missing.join(', ')}, and is not changed from here. Run migrate ` +
        'of this version on the primary, wait until the standby has followed, and start again.',
    );
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

function isForOwnerOnly(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === INSUFFICIENT_PRIVILEGE;
}

function ownerWanted(): ConfigError {
  return new ConfigError(
    'DATABASE_URL: the schema has to be brought up to date, which its role may not do. Run ' +
      'migrate with DATABASE_OWNER_URL set to the role that owns the tables.',
  );
}

/** Migrations may work as long as they need: no time limit but the connection's. */
async function open(url: string, lockTimeoutMs = 0): Promise<DataSource> {
  const limits = { poolSize: 3, lockTimeoutMs, statementTimeoutMs: 0 };
  return new DataSource({ ...dataSourceOptions({ url, ...limits }), logger: QUIET }).initialize();
}

/**
 * Columns that hold the transaction that wrote a row, or, as `through_xact`, the one before which a
 * row ends. No row begins after it ends, so `from_xact` says nothing more.
 */
const XACT_COLUMNS = `
  SELECT quote_ident(c.relname) AS table, quote_ident(a.attname) AS column,
    a.attname = 'through_xact' AS "isEnd"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
    AND NOT a.attisdropped AND a.attname ~ '(^|_)xact$' AND a.attname <> 'from_xact'`;

/** Transactions that have begun, anywhere in the cluster, are below it: no row is above. */
const NEXT_XACT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * Rows of a dump from another cluster may have higher transaction numbers than this cluster counts.
 * New rows would then stand in windows that are sealed. An offset lets the order go on behind them.
 */
async function goOnCounting(runner: QueryRunner): Promise<void> {
  const columns = (await runner.query(XACT_COLUMNS)) as {
    table: string;
    column: string;
    isEnd: boolean;
  }[];
  const ahead = columns.map(({ table, column, isEnd }) => {
    const [last, isAhead] = isEnd ? [`${column} - 1`, '>'] : [column, '>='];
    return `SELECT max(${last}) AS xact FROM ${table}
      WHERE ${column} ${isAhead} ${NEXT_XACT} + book_xact_offset()`;
  });
  // One statement has one snapshot: what another process commits meanwhile is not ahead of it.
  const [{ newest, next }] = (await runner.query(
    `SELECT max(xact)::text AS newest, (${NEXT_XACT})::text AS next
      FROM (${ahead.join(' UNION ALL ')}) ahead`,
  )) as [{ newest: string | null; next: string }];
  if (newest === null) return;
  await runner.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
    LANGUAGE sql STABLE RETURN ${BigInt(newest) + 1n - BigInt(next)}::bigint`);
}
