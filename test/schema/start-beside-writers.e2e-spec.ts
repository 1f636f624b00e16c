import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import { NO_ACCOUNT } from '../../src/kernel/ids.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../startup/program.js';

// A process that starts beside others that write, as in a rolling restart: nothing is ahead of the cluster.

let database: TestDatabase;
let writer: pg.Client;
beforeAll(async () => {
  database = await aDatabase();
  writer = new pg.Client(database.ownerUrl);
  await writer.connect();
});
afterAll(async () => {
  await writer.end();
  await database.drop();
});

const OFFSET = 'SELECT book_xact_offset()::int AS offset';

it('takes rows that are committed meanwhile for what they are', async () => {
  await writer.query('BEGIN');
  await writer.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  const starting = migrate({ app: database.url, owner: database.url, reader: null });
  starting.catch(() => undefined);
  await until('it looks for the newest row', async () => {
    const waiting = await database.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = 'audit_entries'::regclass`,
    );
    return waiting.length > 0;
  });
  await writer.query(
    `INSERT INTO audit_entries (account_id, entry_id, action, actor_type, occurred_at)
      VALUES ($1, gen_random_uuid(), 'account.created', 'operator', now())`,
    [NO_ACCOUNT],
  );
  await writer.query('COMMIT');
  await expect(starting).resolves.toEqual([]);
  expect(await database.query(OFFSET)).toEqual([{ offset: 0 }]);
});
