import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../src/platform/database/tx.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aUnitOfWork } from '../../support/unit-of-work.js';

// A transaction that changes a row more than once. Its writes leave as few statements, and in one
// statement PostgreSQL would drop all changes of a row but one.

let database: TestDatabase;
let transactions: Awaited<ReturnType<typeof aUnitOfWork>>;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  await database.query(
    'CREATE TABLE sums (id int PRIMARY KEY, sum int, note text, at timestamptz)',
  );
  transactions = await aUnitOfWork(database);
});
afterAll(async () => {
  await transactions.close();
  await database.drop();
});
beforeEach(async () => {
  await database.query(`TRUNCATE sums; INSERT INTO sums VALUES (1, 10, 'old', NULL)`);
});

const add = (tx: Tx, amount: number) =>
  tx.write('UPDATE sums SET sum = sum + $1 WHERE id = $2', [amount, 1]);
const addOrInsert = (tx: Tx, amount: number) =>
  tx.write(
    'INSERT INTO sums AS s (id, sum) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET sum = s.sum + $2',
    [1, amount],
  );
const set = (tx: Tx, changes: Record<string, unknown>) => tx.update('sums', { id: 1 }, changes);
const NOTED = {
  head: "UPDATE sums s SET note = s.note || ' of ' || s.sum FROM",
  tail: 'AS v (id) WHERE s.id = v.id',
  types: ['integer'],
};

const WAYS: [string, (work: (tx: Tx) => void, times: number) => Promise<unknown>][] = [
  [
    'alone',
    async (work, times) => {
      for (let done = 0; done < times; done += 1)
        await transactions.unitOfWork.run(async (tx) => work(tx));
    },
  ],
  [
    'in a group',
    async (work, times) =>
      Promise.all(
        Array.from({ length: times }, async () =>
          transactions.unitOfWork.runInGroup(
            { owner: 'one', rows: [], isRepeatable: true },
            async (tx) => work(tx),
          ),
        ),
      ),
  ],
];

describe.each(WAYS)('a row that is changed %s', (_way, carryOut) => {
  it('twice by its key has both changes, and of one column the last', async () => {
    await carryOut((tx) => {
      set(tx, { sum: 20, note: 'first' });
      set(tx, { sum: 30 });
    }, 2);
    expect(await theRow()).toEqual({ sum: 30, note: 'first' });
  });

  it('twice by a sum has both', async () => {
    await carryOut((tx) => {
      add(tx, 1);
      add(tx, 2);
    }, 3);
    expect(await theRow()).toEqual({ sum: 19, note: 'old' });
  });

  it('by adding it where it may be there already, and by a sum, has all', async () => {
    await carryOut((tx) => {
      addOrInsert(tx, 1);
      add(tx, 2);
      addOrInsert(tx, 3);
    }, 2);
    expect(await theRow()).toEqual({ sum: 22, note: 'old' });
  });

  it('by its key and otherwise has both, that by its key first', async () => {
    await carryOut((tx) => {
      tx.writeFrom(NOTED, [1]);
      set(tx, { sum: 20, note: 'new' });
    }, 1);
    expect(await theRow()).toEqual({ sum: 20, note: 'new of 20' });
  });
});

async function theRow(): Promise<unknown> {
  const [row] = await database.query('SELECT sum, note FROM sums');
  return row;
}
