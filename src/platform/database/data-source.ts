import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { clientOptions } from './servers/server-client.js';
import { serverUrls } from './servers/server-urls.js';
import { MIGRATIONS } from '../../../migrations/migrations.js';

/** No answer for that long after `statement_timeout`: there is nobody who could give one. */
const SILENCE_MS = 3000;
const CONNECT_TIMEOUT_MS = 5000;
/** Also where nothing is asked for long: 10 probes, a second apart, after this. */
const KEEPALIVE_AFTER_MS = 10_000;
const LONGEST_MIGRATION_MS = 24 * 3_600_000;

interface DatabaseOptions {
  url: string;
  poolSize: number;
  lockTimeoutMs: number;
  /** 0: as long as a migration may take. */
  statementTimeoutMs: number;
  /** Nothing can be written, by mistake neither. */
  readOnly?: boolean;
}

export const BASELINE_TIMESTAMP = 1_795_651_200_000;

export function dataSourceOptions(options: DatabaseOptions) {
  return {
    type: 'postgres',
    url: serverUrls(options.url)[0],
    applicationName: 'quittance',
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: options.poolSize,
    extra: {
      ...clientOptions(options.url, options.readOnly),
      // Statements leave without waiting for the answer to the one before: see UnitOfWork.
      pipeline: true,
      // The limit is for making a connection; `Database` has the queue for a free one.
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
      lock_timeout: options.lockTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      // Ours, for a server that is out of reach. In a pipeline it destroys the socket: an answer that
      // comes later is nobody's.
      query_timeout: (options.statementTimeoutMs || LONGEST_MIGRATION_MS) + SILENCE_MS,
      idle_in_transaction_session_timeout: 30_000,
    },
  } satisfies DataSourceOptions;
}

/** Connections as those of the service, to a server that is only read. */
export function readingPool(options: DatabaseOptions): pg.Pool {
  const { applicationName, extra } = dataSourceOptions({ ...options, readOnly: true });
  const { url: connectionString, poolSize: max } = options;
  const pool = new pg.Pool({ connectionString, max, application_name: applicationName, ...extra });
  // The next who wants a connection is told.
  pool.on('error', () => undefined);
  return pool;
}
