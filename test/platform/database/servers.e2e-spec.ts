import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { clientFor, clientOptions } from '../../../src/platform/database/servers/server-client.js';
import { aRelayTo, type Relay } from '../../e2e/platform/relay.js';
import { aBegunFolder, type BegunFolder } from '../../support/begun-folder.js';
import { aStandby, type Standby } from '../../support/standby.js';

// Two real servers with the same beginning, one of which follows, behind ways that can be cut.

let begun: BegunFolder;
beforeAll(async () => {
  begun = await aBegunFolder();
});
afterAll(() => begun.remove());

let folder: string;
let primary: EmbeddedPostgres;
let standby: Standby;
let toPrimary: Relay;
let toStandby: Relay;
let pool: pg.Pool;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-servers-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await begun.copyTo(one);
  await begun.copyTo(other);
  primary = await EmbeddedPostgres.start({ dataDir: one, log: () => undefined });
  standby = await aStandby(other);
  toPrimary = await aRelayTo(primary.urls.app);
  toStandby = await aRelayTo(standby.urls.app);
  await vi.waitFor(async () => expect(await recovering(toStandby.url)).toBe(true), 20_000);
  pool = new pg.Pool({ ...clientOptions(bothServers()), max: 3, connectionTimeoutMillis: 5000 });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  for (const relay of [toPrimary, toStandby]) await relay.close();
  await pool.end();
  await primary.stop();
  await standby.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The one that follows stands first. */
function bothServers(): string {
  const { username, password, host, pathname } = new URL(toPrimary.url);
  const hosts = `${new URL(toStandby.url).host},${host}`;
  return `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
}

async function recovering(url: string): Promise<boolean> {
  const client = clientFor(url);
  await client.connect();
  try {
    return await isFollowing(client);
  } finally {
    await client.end();
  }
}

async function isFollowing(asked: pg.Pool | pg.Client): Promise<boolean> {
  const sql = 'SELECT pg_is_in_recovery() AS follows';
  const { rows } = await asked.query<{ follows: boolean }>(sql);
  return rows[0]?.follows === true;
}

async function portsSeen(): Promise<Set<number>> {
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
  for (const client of clients) client.release();
  return new Set(clients.map(({ port }) => port));
}

const portOf = ({ url }: Relay) => Number(new URL(url).port);
const soon = { timeout: 15_000, interval: 50 };

describe('of several servers', () => {
  it('the one that takes changes is written to', async () => {
    expect(await isFollowing(pool)).toBe(false);
    expect(await portsSeen()).toEqual(new Set([portOf(toPrimary)]));
    const alone = clientFor(bothServers());
    expect(await alone.connect()).toBe(alone);
    expect(alone.port).toBe(portOf(toPrimary));
    await alone.end();
  });

  it('the one that takes over is written to, also where nobody was told that the other one is gone', async () => {
    expect(await portsSeen()).toEqual(new Set([portOf(toPrimary)]));
    const waiting = pool.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    toPrimary.silence();
    await standby.promote();
    await vi.waitFor(async () => {
      expect(await portsSeen()).toEqual(new Set([portOf(toStandby)]));
    }, soon);
    // It is not waited for until its own limit.
    expect(await waiting).toBeInstanceOf(Error);
    expect(await isFollowing(pool)).toBe(false);
  });

  it('one that comes back with an older history is not', async () => {
    await pool.query('SELECT');
    await toPrimary.close();
    await standby.promote();
    await vi.waitFor(async () => expect(await isFollowing(pool)).toBe(false), soon);
    await toPrimary.open();
    await toStandby.close();
    await expect
      .poll(() => pool.query('SELECT').catch((error: Error) => error.message), soon)
      .toMatch(/older history/);
  });
});
