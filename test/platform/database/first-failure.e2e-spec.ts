import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aUnitOfWork } from '../../support/unit-of-work.js';

// Statements are sent behind each other. After one that fails PostgreSQL refuses those behind it. Only
// the first error tells why, and whether the work is tried again, as after a deadlock.

let database: TestDatabase;
let transactions: Awaited<ReturnType<typeof aUnitOfWork>>;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  transactions = await aUnitOfWork(database);
});
afterAll(async () => {
  await transactions.close();
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
      const done = transactions.unitOfWork.run(async (tx) => {
        await tx.read('SELECT 1');
        await Promise.all([tx.read(`SELECT 1 / 0${first}`), tx.read(`SELECT 2${second}`)]);
      });
      await expect(done).rejects.toMatchObject({ code: '22012' });
    }
  });
});
