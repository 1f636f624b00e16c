import type pg from 'pg';
import type { Config } from '../../platform/config/config.js';
import { clientFor } from '../../platform/database/servers/server-client.js';
import { isPooled } from '../../platform/database/servers/server-urls.js';
import { failed, fine, type Finding, warned } from '../../platform/finding.js';

const ROUND_TRIPS = 15;
const COMMITS = 5;
/** A payment has two round trips, and one commit. */
const SLOW_ROUND_TRIP_MS = 5;
const SLOW_COMMIT_MS = 50;
const WAIT_MS = 5000;
/** Beside the pool: one that listens, one that probes, one that seals. */
const BESIDE_THE_POOL = 5;
const RAISE = 'raise max_connections, or lower DATABASE_POOL_SIZE or QUITTANCE_PROCESSES';

/** A session that gives up by itself, whatever the server does. */
export async function askServer<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  limits: pg.ClientConfig = { statement_timeout: WAIT_MS },
): Promise<Result> {
  const client = clientFor(url, {
    application_name: 'quittance doctor',
    connectionTimeoutMillis: WAIT_MS,
    query_timeout: WAIT_MS,
    ...limits,
  });
  // It also fails the query, or the connection, that is waited for.
  try {
    await client.connect();
    return await work(client);
  } finally {
    // Without a farewell, which a server that hangs would not answer.
    client.connection.stream.destroy();
  }
}

/** One statement, on such a session. */
export async function readOnce<Row>(url: string, text: string, values: unknown[] = []) {
  return askServer(url, async (client) => (await client.query(text, values)).rows as Row[]);
}

/** How fast the database is, and whether it keeps what it has acknowledged. */
export async function examineServer(url: string, config: Config): Promise<Finding[]> {
  const limits = await limitsOf(url, config);
  return askServer(url, async (client) => {
    const { rows } = await client.query<ServerState>(STATE);
    const [state] = rows as [ServerState];
    return [
      await timeOf(client),
      ...(state.standby ? [] : [await timeOfCommits(client)]),
      judgeSettings(state),
      judgeLimits(limits, config, isPooled(url)),
      ...(isPooled(url) ? [] : [judgeConnections(state, config)]),
      judgeArchive(state),
    ];
  });
}

async function timeOf(client: pg.Client): Promise<Finding> {
  const ms = await medianOf(ROUND_TRIPS, () => client.query('SELECT 1'));
  const detail = `a round trip takes ${ms.toFixed(1)} ms`;
  return ms <= SLOW_ROUND_TRIP_MS
    ? fine('database_time', detail)
    : warned('database_time', detail, 'run the service near its database, best in one network');
}

/** A message in the log of the server changes nothing, and waits for disk and standbys as a payment does. */
async function timeOfCommits(client: pg.Client): Promise<Finding> {
  const check = 'commit_time';
  try {
    const emit = `SELECT pg_logical_emit_message(true, 'quittance', 'doctor')`;
    const ms = await medianOf(COMMITS, () => client.query(emit));
    const detail = `a commit takes ${ms.toFixed(1)} ms`;
    if (ms <= SLOW_COMMIT_MS) return fine(check, detail);
    return warned(check, detail, 'look at the disk of the log (pg_wal), and at the standbys');
  } catch (error) {
    const detail = `a commit does not end: ${(error as Error).message}`;
    const next = 'see whether the disk is full, or synchronous_standby_names waits for a standby';
    return failed(check, detail, next);
  }
}

async function medianOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (let done = 0; done < times; done += 1) {
    const begunAt = performance.now();
    await work();
    took.push(performance.now() - begunAt);
  }
  return took.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? NaN;
}

/** A server, in its own words. */
export interface ServerState {
  standby: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  maxConnections: number;
  reserved: number;
  archiveMode: string;
  archivedAt: Date | null;
  archiveFailedAt: Date | null;
}

const STATE = `SELECT pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('max_connections')::integer AS "maxConnections",
    current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true)::integer, 0) AS reserved,
    current_setting('archive_mode') AS "archiveMode",
    last_archived_time AS "archivedAt", last_failed_time AS "archiveFailedAt"
  FROM pg_stat_archiver`;

export function judgeSettings(state: ServerState): Finding {
  const check = 'database_settings';
  const { fsync, fullPageWrites, synchronousCommit } = state;
  if (fsync === 'off' || synchronousCommit === 'off') {
    const name = fsync === 'off' ? 'fsync' : 'synchronous_commit';
    const detail = `${name} is off: the server acknowledges payments that a crash takes back`;
    return failed(check, detail, `set ${name} = on, for the role and the database, too`);
  }
  if (fullPageWrites === 'off') {
    const detail = 'full_page_writes is off: a crash may leave pages that are half written';
    return warned(check, detail, 'set it on, unless the file system writes pages whole (ZFS)');
  }
  return fine(
    check,
    `fsync, full_page_writes and synchronous_commit (${synchronousCommit}) are on`,
  );
}

/** Of statements of the service, in milliseconds; 0: none. */
interface Limits {
  lock: number;
  statement: number;
}
type WantedLimits = Pick<Config, 'lockTimeoutMs' | 'statementTimeoutMs'>;

/** As a session of the service gets them, outside of a transaction. */
async function limitsOf(url: string, config: WantedLimits): Promise<Limits> {
  const text = `SELECT (SELECT setting::integer FROM pg_settings WHERE name = 'lock_timeout') AS lock,
    (SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout') AS statement`;
  const wanted = {
    lock_timeout: config.lockTimeoutMs,
    statement_timeout: config.statementTimeoutMs,
  };
  return askServer(url, async (client) => (await client.query<Limits>(text)).rows[0]!, wanted);
}

export function judgeLimits(
  { lock, statement }: Limits,
  { lockTimeoutMs, statementTimeoutMs }: WantedLimits,
  isBehindPooler: boolean,
): Finding {
  const check = 'database_limits';
  const detail = `lock_timeout is ${lock} ms and statement_timeout ${statement} ms`;
  if (isBehindPooler) {
    if (lock > 0 && statement > 0) return fine(check, `${detail} outside of transactions`);
    const set = [`lock_timeout = ${lockTimeoutMs}`, `statement_timeout = ${statementTimeoutMs}`];
    const open = `${detail} outside of transactions, where the pooler leaves them to the role`;
    return warned(check, open, set.map((one) => `ALTER ROLE ... SET ${one}`).join('; '));
  }
  if (lock === lockTimeoutMs && statement === statementTimeoutMs) return fine(check, detail);
  const asked = `${detail}, where ${lockTimeoutMs} and ${statementTimeoutMs} were asked for`;
  return failed(
    check,
    asked,
    'for a pooler in transaction mode, add ?pooler=transaction to DATABASE_URL',
  );
}

export function judgeConnections(
  { maxConnections, reserved }: Pick<ServerState, 'maxConnections' | 'reserved'>,
  { processes, databasePoolSize }: Pick<Config, 'processes' | 'databasePoolSize'>,
): Finding {
  const check = 'database_connections';
  const wanted = processes * (databasePoolSize + BESIDE_THE_POOL);
  const open = maxConnections - reserved;
  const detail = `this configuration takes up to ${wanted} connections, the server has ${open}`;
  if (wanted > open) return failed(check, detail, RAISE);
  return fine(check, detail);
}

/** The log that a point in time is restored from, of a server that keeps one. */
export function judgeArchive(state: ServerState): Finding {
  const check = 'database_archive';
  const { archiveMode, archivedAt, archiveFailedAt } = state;
  if (archiveMode === 'off') return fine(check, 'the server archives no log');
  const said = archivedAt
    ? `the last file of the log was archived at ${archivedAt.toISOString()}`
    : 'none was archived yet';
  if (archiveFailedAt && (!archivedAt || archivedAt < archiveFailedAt)) {
    const detail = `${said}, and the last try failed at ${archiveFailedAt.toISOString()}`;
    return failed(check, detail, 'see the log of PostgreSQL: until it works, pg_wal grows');
  }
  return fine(check, said);
}
