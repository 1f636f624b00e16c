import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { DATA_DIR } from '../../src/platform/database/embedded/postgres-cluster.js';
import { migrate } from '../../src/platform/database/migrate.js';
import type { DatabaseUrls } from '../../src/platform/database/roles.js';
import { toQuery } from '../../src/platform/database/sql-statement.js';
import { aBegunFolder } from './begun-folder.js';
import type { TestDatabase } from './database.js';
import { aStandby, type Standby } from './standby.js';

/** A real primary, and a real standby that gets from it what is written. */
export interface ServerPair {
  primary: EmbeddedPostgres;
  standby: Standby;
  /** The log of the standby. */
  lines: string[];
  ofPrimary: TestDatabase;
  ofStandby: TestDatabase;
  /** Until the standby has all that the primary has now. */
  caughtUp(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * @param settings of the standby
 * @param isDurable false: what was just written comes to the standby a moment later
 */
export async function aServerPair({
  migrated = true,
  isDurable = false,
  settings = {},
} = {}): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pair-'));
  const begun = await aBegunFolder();
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await begun.copyTo(one);
  await begun.copyTo(other);
  await begun.remove();
  const access = 'host replication all 127.0.0.1/32 scram-sha-256\n';
  await appendFile(join(one, DATA_DIR, 'pg_hba.conf'), access);
  const primary = await EmbeddedPostgres.start({
    dataDir: one,
    isDurable,
    log: () => undefined,
  });
  const lines: string[] = [];
  const follows = withoutDatabase(primary.urls.owner);
  const standby = await aStandby(other, {
    follows,
    settings,
    onLine: (line) => lines.push(line),
  });
  if (migrated) await migrate(primary.urls);
  const ofPrimary = await databaseAt(primary.urls);
  // Only what was flushed is sent: a commit that waits for that has all others before it.
  await ofPrimary.query('SET synchronous_commit = on');
  const caughtUp = async () => {
    await ofPrimary.query("SELECT pg_logical_emit_message(true, 'test', 'caught up')");
    const [row] = await ofPrimary.query<{ lsn: string }>(
      'SELECT pg_current_wal_flush_lsn() AS lsn',
    );
    for (;;) {
      const seen = await ofStandby.query<{ seen: boolean }>(
        'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS seen',
        [row?.lsn],
      );
      if (seen[0]?.seen) return;
      await sleep(50);
    }
  };
  const ofStandby = await databaseAt(standby.urls);
  await caughtUp();
  return {
    primary,
    standby,
    lines,
    ofPrimary,
    ofStandby,
    caughtUp,
    remove: async () => {
      await ofPrimary.drop();
      await ofStandby.drop();
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As `primary_conninfo` takes it. */
function withoutDatabase(url: string): string {
  const { username, password, hostname, port } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${password}`;
}

const { types } = toQuery({ text: 'SELECT 1', values: [] });

/** Of a server of its own: nothing is dropped but the connection. */
async function databaseAt({ app, owner }: DatabaseUrls): Promise<TestDatabase> {
  const connect = async () => {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client(owner);
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch (error) {
        // It begins, or reads what there is to begin with.
        if (tries === 200) throw error;
        await sleep(100);
      }
    }
  };
  const own = await connect();
  return {
    url: app,
    ownerUrl: owner,
    connect,
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const { rows } = await own.query({ text: sql, ...(values && { values }), types });
      return rows as Row[];
    },
    untilBlocked: async () => {
      throw new Error('nobody waits on a server of its own');
    },
    drop: async () => own.end(),
  };
}
