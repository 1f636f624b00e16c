import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseProbe } from '../../../src/platform/database/database-probe.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { testConfig } from '../../support/service.js';

// Statements are sent behind each other. After one that fails PostgreSQL refuses the others, and what
// it says of those is no reason, and not to be tried again like a deadlock.

let database: TestDatabase;
let dataSource: DataSource;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  dataSource = await new DataSource({
    type: 'postgres',
    url: database.url,
    extra: { pipeline: true },
  }).initialize();
  const probe = new DatabaseProbe(database.url);
  unitOfWork = new UnitOfWork(new Database(dataSource), probe, testConfig(0));
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Long ones have no name, and take another way through the driver. */
const LONG = ' '.repeat(5000);
const WAYS = [
  ['a named one before a long one', '', LONG],
  ['a long one before a named one', LONG, ''],
] as const;

describe('of statements that are sent together', () => {
  it.each(WAYS)('the first that fails is the failure: %s', async (_name, first, second) => {
    // A connection that knows the statements answers all at once.
    for (let time = 0; time < 5; time += 1) {
      const done = unitOfWork.run(async (tx) => {
        await tx.read('SELECT 1');
        await Promise.all([tx.read(`SELECT 1 / 0${first}`), tx.read(`SELECT 2${second}`)]);
      });
      await expect(done).rejects.toMatchObject({ code: '22012' });
    }
  });
});
