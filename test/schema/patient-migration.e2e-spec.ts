import { afterEach, expect, it } from 'vitest';
import { hasPendingMigrations, migrate } from '../../src/platform/database/migrate.js';
import type { TestDatabase } from '../support/database.js';
import { anEmptyBaseline } from '../support/restore.js';

let database: TestDatabase;
afterEach(() => database.drop());

it('A migration that waits for a long transaction lets others pass, and ends behind it', async () => {
  database = await anEmptyBaseline();
  const [report, writer] = await Promise.all([database.connect(), database.connect()]);
  await report.query('BEGIN; SELECT FROM customers');
  const migrated = migrate(database.url);
  try {
    await database.untilBlocked();
    // A writer stands behind the one that waits, and would as long as the report goes on.
    await writer.query(`BEGIN; SET LOCAL lock_timeout = '10s';
      LOCK TABLE customers IN ROW EXCLUSIVE MODE; COMMIT`);
  } finally {
    await report.query('COMMIT');
    expect((await migrated).length).toBeGreaterThan(20);
    await Promise.all([report.end(), writer.end()]);
  }
  expect(await hasPendingMigrations(database.url)).toBe(false);
});
