import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineReplica } from '../../../src/cli/doctor/replication.js';
import { Database } from '../../../src/platform/database/database.js';
import { Replica } from '../../../src/platform/database/servers/replica.js';
import { Snapshots } from '../../../src/platform/database/snapshots.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { checkedBooks } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aServerPair, type ServerPair } from '../../support/server-pair.js';
import { startTestService, type TestService } from '../../support/service.js';

// Lists and reports of a service on a primary, read from a real standby.

const DOCUMENTS = '/v1/finance/documents';
const IS_STANDBY = 'SELECT pg_is_in_recovery() AS "isStandby"';
type Where = { isStandby: boolean };
type Outcome = 'read' | 'behind' | 'away';

let pair: ServerPair;
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  pair = await aServerPair({
    isDurable: true,
    // A read that stands in the way of the primary is ended at once.
    settings: { max_standby_streaming_delay: '0', hot_standby_feedback: 'off' },
  });
  service = await startTestService({
    database: pair.ofPrimary,
    databaseReplicaUrl: pair.standby.urls.app,
  });
  client = await service.aClient();
}, 600_000);
afterAll(async () => {
  await service?.close();
  await pair?.remove();
}, 60_000);

async function outcomes(of = service): Promise<Record<Outcome, number>> {
  const { text } = await of.metrics();
  const [read = 0, behind = 0, away = 0] = ['read', 'behind', 'away'].map((outcome) =>
    Number(
      new Map(
        [...text.matchAll(/^database_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)].map(
          ([, name = '', count]) => [name, count],
        ),
      ).get(outcome) ?? 0,
    ),
  );
  return { read, behind, away };
}

const listed = async (of = client): Promise<string[]> => {
  const { body } = await of.get<{ data: { id: string }[] }>(`${DOCUMENTS}?limit=100`);
  return body.data.map(({ id }) => id);
};

/** Lists until one was answered as is expected. */
async function until(outcome: Outcome, of = service, asker = client): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const before = await outcomes(of);
    await listed(asker);
    if ((await outcomes(of))[outcome] > before[outcome]) return;
    await sleep(50);
  }
  throw new Error(`no list was ${outcome}`);
}

const whereIs = async (text: string, run: 'list' | 'query' | 'queryOnce' | 'usualList') =>
  (await service.app.get(Database)[run]<Where>(text))[0]?.isStandby;

describe('a service with a replica', () => {
  it('reads lists and reports there, and nothing else', async () => {
    await until('read');
    await pair.caughtUp();
    expect(await whereIs(IS_STANDBY, 'list')).toBe(true);
    expect(await whereIs(IS_STANDBY, 'usualList')).toBe(true);
    expect(await whereIs(IS_STANDBY, 'query')).toBe(false);
    expect(await whereIs(IS_STANDBY, 'queryOnce')).toBe(false);
    const snapshots = service.app.get(Snapshots);
    const [report] = await snapshots.run(async (read) => read<Where>(IS_STANDBY));
    expect(report).toEqual({ isStandby: true });
    const [decision] = await snapshots.runToDecide(async (read) => read<Where>(IS_STANDBY));
    expect(decision).toEqual({ isStandby: false });
    const places: (boolean | undefined)[] = [];
    const pages = snapshots.pages<Where>(1, async (read, last) =>
      last && places.length > 2 ? [] : read<Where>(IS_STANDBY),
    );
    for await (const lines of pages) for (const line of lines) places.push(line.isStandby);
    expect(places).toEqual([true, true, true]);
  });

  it('shows each caller what it has written, at once', async () => {
    const before = await outcomes();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const own = await service.aClient();
        const seen: string[] = [];
        for (let made = 0; made < 25; made += 1) {
          seen.unshift((await own.anInvoice()).id);
          expect(await listed(own)).toEqual(seen);
        }
      }),
    );
    const after = await outcomes();
    // Otherwise nothing is shown.
    expect(after.read - before.read).toBeGreaterThan(20);
  });

  it('answers by itself while the replica is behind, and leaves it alone for a while', async () => {
    const replay = await replayOf(pair.ofStandby);
    process.kill(replay, 'SIGSTOP');
    try {
      const { id } = await client.anInvoice();
      await until('behind');
      expect(await listed()).toContain(id);
      const { read } = await outcomes();
      const aging = await client.get('/v1/finance/reports/aging');
      expect(aging.status).toBe(200);
      expect((await outcomes()).read).toBe(read);
    } finally {
      process.kill(replay, 'SIGCONT');
    }
    await until('read');
  });

  it('does again by itself what the replica ended for the primary', async () => {
    await pair.ofPrimary.query('CREATE TABLE in_the_way AS SELECT 1 AS one');
    await pair.ofPrimary.query('GRANT SELECT ON in_the_way TO PUBLIC');
    await pair.caughtUp();
    await until('read');
    const places: (boolean | undefined)[] = [];
    const { away } = await outcomes();
    const rows = await service.app.get(Snapshots).run(async (read) => {
      places.push((await read<Where>(IS_STANDBY))[0]?.isStandby);
      const isFirst = places.length === 1;
      const found = read('SELECT one, pg_sleep($1)::text FROM in_the_way', [isFirst ? 20 : 0]);
      return (await Promise.all([found, isFirst && comeInTheWay()]))[0];
    });
    expect(places).toEqual([true, false]);
    expect(rows).toEqual([]);
    // It is there, and is read on.
    await until('read');
    expect((await outcomes()).away).toBe(away);
  });

  it('checks the books there by day, and the command on the primary', async () => {
    const invoice = await client.anInvoice();
    const names = (await service.app.get(IntegrityQuery).names()).length;
    await until('read');
    const { read } = await outcomes();
    expect(await checkedBooks(service, client)).toMatchObject({ differences: [] });
    // All but the file of heads.
    const { read: then } = await outcomes();
    expect(then - read).toBeGreaterThanOrEqual(names - 1);
    await pair.ofPrimary.query(
      `UPDATE documents SET amount_paid = 1 WHERE number = '${invoice.number}'`,
    );
    const wrong = { id: invoice.id, stored: '1', derived: '0' };
    expect((await checkedBooks(service, client)).differences).toContainEqual(
      expect.objectContaining(wrong),
    );
    const { read: last } = await outcomes();
    const { differences } = await service.app.get(IntegrityQuery).differences();
    expect(differences).toContainEqual(expect.objectContaining(wrong));
    expect((await outcomes()).read).toBe(last);
    await pair.ofPrimary.query(
      `UPDATE documents SET amount_paid = 0 WHERE number = '${invoice.number}'`,
    );
  });

  it('is told by the doctor', async () => {
    const { primary, standby } = pair;
    const [finding] = await examineReplica(primary.urls.app, standby.urls.app);
    expect(finding).toEqual({ check: 'replica', ok: true, detail: expect.any(String) });
    const [own] = await examineReplica(primary.urls.app, primary.urls.app);
    expect(own).toMatchObject({ check: 'replica', warning: true });
  });

  it('never reads a server that has another history', async () => {
    const other = await aDatabase();
    await withReplica(other, async (own, asker) => {
      const { id } = await asker.anInvoice();
      expect(await listed(asker)).toEqual([id]);
      expect(await outcomes(own)).toMatchObject({ read: 0 });
      expect(own.app.get(Replica).isAway).toBe(true);
      const { text } = await own.metrics();
      expect(text).toMatch(/^database_replica_away 1$/m);
    });
    await other.drop();
  });

  it('goes on when the replica was promoted, which then has what nobody else has', async () => {
    await until('read');
    await pair.standby.promote();
    await until('away');
    await pair.ofStandby.query("SELECT pg_logical_emit_message(true, 'test', repeat('x', 100000))");
    const { id } = await client.anInvoice();
    const { read } = await outcomes();
    await sleep(6000);
    expect(await listed()).toContain(id);
    expect((await outcomes()).read).toBe(read);
  });

  it('goes on when the replica is gone', async () => {
    await pair.standby.stop();
    const { id } = await client.anInvoice();
    await sleep(6000);
    expect(await listed()).toContain(id);
    expect(service.app.get(Replica).isAway).toBe(true);
  });
});

/** The process of a standby that does what the primary did. */
async function replayOf(standby: TestDatabase): Promise<number> {
  const [row] = await standby.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'",
  );
  return row!.pid;
}

async function comeInTheWay(): Promise<void> {
  await sleep(300);
  await pair.ofPrimary.query('TRUNCATE in_the_way');
}

async function withReplica(
  replica: TestDatabase,
  work: (own: TestService, asker: TestClient) => Promise<void>,
): Promise<void> {
  const own = await startTestService({
    database: pair.ofPrimary,
    databaseReplicaUrl: replica.url,
  });
  try {
    await work(own, await own.aClient());
  } finally {
    await own.close();
  }
}
