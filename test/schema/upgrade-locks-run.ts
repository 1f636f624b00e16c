import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { lockTables, upgradePlan } from '../../src/platform/database/upgrade/upgrade-plan.js';
import { booksOfEverything } from '../support/books.js';
import type { TestDatabase } from '../support/database.js';
import { shareTestServer } from '../support/database-server.js';
import { aCopyOfTheBaseline } from '../support/restore.js';
import { startTestService } from '../support/service.js';

// npm run upgrade:locks -- --documents 1000000

// Migrates that many documents from the baseline, beside a writer. For each migration: seconds that
// `upgrade --check` told, that it took, and that the writer waited.

const EVERY_MS = 10;
/** As a payment locks them, and the letter behind it. */
const WRITTEN = ['documents', 'document_contents', 'payments', 'transfers', 'events', 'customers'];

const { values } = parseArgs({ options: { documents: { type: 'string', default: '1000000' } } });
const wanted = Number(values.documents);

/** The account's rows again and again, as those of other accounts. */
async function multiply(database: TestDatabase, times: number): Promise<void> {
  const tables = await database.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0
       AND NOT attisdropped AND attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'seals'
     GROUP BY 1 HAVING bool_or(a.attname = 'account_id')`,
  );
  const keys = await database.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys)
    await database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name, columns } of tables) {
    const copied = columns.map((one) =>
      one === 'account_id' ? `md5(account_id::text || g)::uuid` : `t."${one}"`,
    );
    await database.query(`ALTER TABLE ${name} DISABLE TRIGGER USER;
      INSERT INTO ${name} (${columns.map((one) => `"${one}"`).join(', ')})
        SELECT ${copied.join(', ')} FROM ${name} t, generate_series(1, ${times}) g
        WHERE account_id IS NOT NULL ON CONFLICT DO NOTHING;
      ALTER TABLE ${name} ENABLE TRIGGER USER`);
  }
  await database.query('ANALYZE');
}

/** The longest that somebody who writes has waited, while `work` goes on. */
async function waitBeside(database: TestDatabase, work: () => Promise<void>): Promise<number> {
  const client = await database.connect();
  let longestMs = 0;
  const over = new AbortController();
  const beside = (async () => {
    while (!over.signal.aborted) {
      const begunAt = performance.now();
      await client.query(`BEGIN; LOCK TABLE ${WRITTEN.join(', ')} IN ROW EXCLUSIVE MODE; COMMIT`);
      longestMs = Math.max(longestMs, performance.now() - begunAt);
      await sleep(EVERY_MS);
    }
  })();
  await work().finally(() => over.abort());
  await beside;
  await client.end();
  return longestMs / 1000;
}

const server = await shareTestServer();
const service = await startTestService();
try {
  await booksOfEverything(service, await service.aClient());
  const database = await aCopyOfTheBaseline(service.database);
  const [{ rows }] = (await database.query('SELECT count(*)::int AS rows FROM documents')) as [
    { rows: number },
  ];
  await multiply(database, Math.ceil(wanted / rows));
  const [{ made }] = (await database.query('SELECT count(*)::int AS made FROM documents')) as [
    { made: number },
  ];
  console.log(`${made} documents; told and taken, and the wait of a writer, in seconds`);
  const limits = { poolSize: 1, lockTimeoutMs: 800, statementTimeoutMs: 0 };
  const source = new DataSource(dataSourceOptions({ url: database.ownerUrl, ...limits }));
  await source.initialize();
  const pending = await new MigrationExecutor(source).getPendingMigrations();
  for (const { name, instance } of pending) {
    if (!instance) continue;
    const [told] = await upgradePlan([{ name, instance }], async <Row>(text: string) =>
      source.query<Row[]>(text),
    );
    const begunAt = performance.now();
    const waited = await waitBeside(database, async () => {
      const runner = source.createQueryRunner();
      // As `migrate` does, which gives way to writers and begins again.
      for (let isDone = false; !isDone;) {
        await runner.startTransaction();
        try {
          await lockTables(runner, instance);
          await instance.up(runner);
          await runner.commitTransaction();
          isDone = true;
        } catch (error) {
          await runner.rollbackTransaction();
          if ((error as { code?: string }).code !== '55P03') throw error;
        }
      }
      await runner.release();
    });
    const took = (performance.now() - begunAt) / 1000;
    const figures = [told?.seconds ?? 0, took, waited].map((one) => one.toFixed(2).padStart(8));
    console.log(`${figures.join(' ')}  ${name}`);
  }
  await source.destroy();
  await database.drop();
} finally {
  await service.close();
  await server.stop();
}
