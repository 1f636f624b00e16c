import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tx } from '../../../src/platform/database/tx.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aUnitOfWork } from '../../support/unit-of-work.js';

/*
 * A group that is sent behind the COMMIT of the one before, on the same connection. COMMIT waits here
 * at a gate for each name, and fails for some.
 */

const POOL = 4;
let database: TestDatabase;
let transactions: Awaited<ReturnType<typeof aUnitOfWork>>;
let holder: pg.Client;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  await database.query(`
    CREATE TABLE gates (gate text PRIMARY KEY);
    CREATE TABLE sums (id text PRIMARY KEY, sum integer NOT NULL);
    CREATE TABLE marks (mark text);
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM FROM gates WHERE gate = NEW.mark FOR SHARE;
      IF NEW.mark = 'slow' THEN PERFORM pg_sleep(0.0003); END IF;
      IF NEW.mark LIKE 'fails%' THEN RAISE 'not committed'; END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON marks
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`);
  transactions = await aUnitOfWork(database, { databasePoolSize: POOL });
  const { pool } = transactions;
  const lease = pool.lease.bind(pool);
  pool.lease = async (...args) => {
    const { client, giveBack } = await lease(...args);
    leases.taken += 1;
    return {
      client,
      giveBack: (error) => {
        leases.givenBack += 1;
        giveBack(error);
      },
    };
  };
});
afterAll(async () => {
  await transactions.close();
  await database.drop();
});

let decided: string[] = [];
let connections: number[] = [];
let leases = { taken: 0, givenBack: 0 };
beforeEach(async () => {
  [decided, connections] = [[], []];
  leases = { taken: 0, givenBack: 0 };
  await database.query(`TRUNCATE gates, sums, marks;
    INSERT INTO gates VALUES ('x'), ('y'), ('fails x'); INSERT INTO sums VALUES ('x', 0), ('y', 0), ('z', 0)`);
  holder = await database.connect();
  await holder.query(`BEGIN; SELECT FROM gates WHERE gate = 'y' FOR UPDATE;
    SAVEPOINT first; SELECT FROM gates FOR UPDATE`);
});
afterEach(async () => {
  await holder.end();
  expect(leases.givenBack).toBe(leases.taken);
});
const open = () => holder.query('ROLLBACK');
const openAllButY = () => holder.query('ROLLBACK TO first');

const SUM = 'SELECT sum, pg_backend_pid() AS connection FROM sums WHERE id = $1 FOR UPDATE';

/** Adds one to the sum as it was found. */
async function run(row: string, mark: string, rows = [row]): Promise<unknown> {
  const work = async (tx: Tx) => {
    const [found] = await tx.load<{ sum: number; connection: number }>({
      text: SUM,
      withoutWaiting: `${SUM} SKIP LOCKED`,
      types: ['text'],
      values: [row],
      claims: null,
    });
    if (!found) throw new Error(`no row ${row}`);
    const state = tx.handedOn(
      row,
      () => ({ sum: found.sum }),
      (left) => ({ ...left }),
    );
    state.sum += 1;
    decided.push(mark);
    connections.push(found.connection);
    tx.update('sums', { id: row }, { sum: state.sum });
    tx.write('INSERT INTO marks VALUES ($1)', [mark]);
    return mark;
  };
  return transactions.unitOfWork.runInGroup({ owner: row, rows, isRepeatable: true }, work);
}
const sums = async () => {
  const rows = await database.query<{ sum: number }>('SELECT sum FROM sums ORDER BY id');
  return rows.map(({ sum }) => sum);
};
const codeOf = (error: { code?: string }) => error.code ?? 'failed';
const soon = () => new Promise(setImmediate);

/** A group of two whose COMMIT waits: one alone would have a transaction of its own. */
async function committing(row: string, { mark = row, blocked = 1 } = {}) {
  const two = Promise.all([run(row, mark).catch(codeOf), run(row, mark).catch(codeOf)]);
  await database.untilBlocked(blocked);
  return () => two;
}

describe('a group that wants the rows of one whose COMMIT is on its way', () => {
  it('is sent behind it, and finds what it left', async () => {
    const first = await committing('x');
    const second = run('x', 'behind');
    await soon();
    await open();
    expect(await Promise.all([first(), second])).toEqual([['x', 'x'], 'behind']);
    expect(leases).toEqual({ taken: 1, givenBack: 1 });
    expect(new Set(connections).size).toBe(1);
    expect(await sums()).toEqual([3, 0, 0]);
  });

  it('has its own end where that COMMIT fails', async () => {
    const first = await committing('x', { mark: 'fails x' });
    const second = [run('x', 'behind'), run('x', 'behind')];
    await soon();
    await open();
    const failed = ['P0001', 'P0001'];
    expect(await Promise.all([first(), ...second])).toEqual([failed, 'behind', 'behind']);
    expect(await sums()).toEqual([2, 0, 0]);
    expect(await database.query('SELECT DISTINCT mark FROM marks')).toEqual([{ mark: 'behind' }]);
  });

  it('is not sent behind one that has failed by then', async () => {
    const first = await committing('x', { mark: 'fails x' });
    let late: Promise<unknown> | undefined;
    const failed = vi.spyOn(transactions.probe, 'noteFailure').mockImplementation(() => {
      late ??= run('x', 'late');
    });
    await open();
    expect(await first()).toEqual(['P0001', 'P0001']);
    expect(await late).toBe('late');
    failed.mockRestore();
    expect(await sums()).toEqual([1, 0, 0]);
  });

  it('is done alone where the connection breaks', async () => {
    const first = await committing('x');
    const second = [run('x', 'behind'), run('x', 'behind')];
    await soon();
    await database.query('SELECT pg_terminate_backend($1)', [connections[0]]);
    await open();
    expect(await Promise.all([first(), ...second])).toEqual([['x', 'x'], 'behind', 'behind']);
    expect(await sums()).toEqual([4, 0, 0]);
  });

  it('lets those go first that have waited longer', async () => {
    const first = await committing('x');
    const other = await committing('y', { blocked: 2 });
    const longest = run('z', 'longest');
    await soon();
    const second = run('x', 'behind');
    await soon();
    await openAllButY();
    await Promise.all([first(), longest, second]);
    expect(decided.slice(4)).toEqual(['longest', 'behind']);
    await open();
    await other();
  });

  it('lets those go first that wait for a connection', async () => {
    const { pool } = transactions;
    const other = await database.connect();
    await other.query('SELECT pg_advisory_lock(1)');
    const first = await committing('x');
    const others = Array.from({ length: POOL - 1 }, async () =>
      pool.query('SELECT pg_advisory_xact_lock(1)'),
    );
    await database.untilBlocked(POOL);
    const waiting = pool.query('SELECT').then(() => decided.push('connection'));
    const second = run('x', 'behind');
    await soon();
    await open();
    await Promise.all([first(), waiting, second]);
    await other.end();
    await Promise.all(others);
    expect(decided.slice(2)).toEqual(['connection', 'behind']);
  });

  it('has the connection for some groups, and leaves the row to whoever waits in the database', async () => {
    await open();
    const other = await database.connect();
    await other.query("SET lock_timeout = '3s'");
    const rush = { isOver: false };
    const callers = () =>
      Array.from({ length: 16 }, async () => {
        while (!rush.isOver) await run('x', 'slow');
      });
    const half = callers();
    await sleep(3);
    const otherHalf = callers();
    while (decided.length < 16 * 40) await sleep(5);
    expect(leases.taken).toBeGreaterThanOrEqual(40 / 8);
    const got = await other
      .query("UPDATE sums SET sum = sum + 1000000 WHERE id = 'x'")
      .then(() => 'done', codeOf);
    rush.isOver = true;
    await Promise.all([...half, ...otherHalf]);
    await other.end();
    expect(got).toBe('done');
    expect(await sums()).toEqual([1_000_000 + decided.length, 0, 0]);
  });
});
