import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toQuery } from '../../src/platform/database/sql-statement.js';

/*
 * Usage:
 *
 *   let database: TestDatabase;
 *   beforeAll(async () => { database = await aDatabase(); });
 *   afterAll(() => database.drop());
 *
 *   await database.query('SELECT count(*) FROM documents WHERE account_id = $1', [accountId]);
 *
 * bigint columns come as `bigint`, date columns as `YYYY-MM-DD`, as in the service.
 */

const { types } = toQuery({ text: 'SELECT 1', values: [] });

/** A migrated database that belongs to one test file; `query` and `connect` are the owner's. */
export interface TestDatabase {
  /** The role of services: it may do no more than the application has to. */
  url: string;
  /** Of the role that owns all tables, and migrates. */
  ownerUrl: string;
  /** Without values, several statements may be sent at once; the rows are then of the last. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: unknown[],
  ): Promise<Row[]>;
  /** Another connection, for locks and races; end it before `drop`. */
  connect(): Promise<pg.Client>;
  /** Until so many wait for locks of others. */
  untilBlocked(count?: number): Promise<void>;
  drop(): Promise<void>;
}

/**
 * A copy of the migrated template, or with `migrated: false` a database without any table, where
 * one role does everything.
 */
export async function aDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = given('TEST_SERVER_URL');
  const template = migrated ? `${given('TEST_TEMPLATE')} STRATEGY FILE_COPY` : 'template1';
  const name = `${given('TEST_TEMPLATE')}_${randomBytes(6).toString('hex')}`;
  await inClient(server, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // Tests outlive no crash: nothing has to wait for the disk.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    // Privileges on tables come with the template, these do not.
    if (migrated) await client.query(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  });
  const ownerUrl = databaseUrl(server, name);
  const connect = async () => {
    const client = new pg.Client(ownerUrl);
    await client.connect();
    return client;
  };
  const own = await connect();
  return {
    url: migrated ? serviceUrl(name) : ownerUrl,
    ownerUrl,
    connect,
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const answer = await own.query({ text: sql, ...(values && { values }), types });
      const last = Array.isArray(answer) ? (answer as pg.QueryResult[]).at(-1) : answer;
      return (last?.rows ?? []) as Row[];
    },
    untilBlocked: async (count = 1) => {
      const blocked = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while (((await own.query(blocked)).rowCount ?? 0) < count) await sleep(5);
    },
    drop: async () => {
      await own.end();
      await inClient(server, (client) => drop(client, name));
    },
  };
}

const INSUFFICIENT_PRIVILEGE = '42501';
const DROP_ATTEMPTS = 100;

/** Others are disconnected; autovacuum, which only a superuser may end, is waited for. */
async function drop(client: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const isBusy = (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE;
      if (!isBusy || attempt === DROP_ATTEMPTS) throw error;
      await sleep(100);
    }
  }
}

async function inClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Another database of the same server, in the same role. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Of the role of services: through a pooler if there is one. */
function serviceUrl(name: string): string {
  return databaseUrl(process.env['TEST_POOLER_URL'] ?? given('TEST_APP_URL'), name);
}

function given(variable: 'TEST_SERVER_URL' | 'TEST_APP_URL' | 'TEST_TEMPLATE'): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: shareTestServer() has to run before`);
  return value;
}
