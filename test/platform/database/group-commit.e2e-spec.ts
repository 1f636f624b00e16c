import { atTime } from '../../../src/kernel/clock.js';
import { DocumentRefusal } from '../../../src/documents/domain/refusals.js';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../src/platform/database/tx.js';
import { aUnitOfWork } from '../../support/unit-of-work.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';

/*
 * Groups as whoever waits for one sees them: who comes first, and who is sent away.
 */

let database: TestDatabase;
let transactions: Awaited<ReturnType<typeof aUnitOfWork>>;
let holder: pg.Client;

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  await database.query('CREATE TABLE gates (gate int); INSERT INTO gates VALUES (1)');
  transactions = await aUnitOfWork(database);
  holder = await database.connect();
});
afterAll(async () => {
  await holder.end();
  await transactions.close();
  await database.drop();
});

beforeEach(async () => {
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM gates FOR UPDATE');
});
afterEach(() => holder.query('ROLLBACK'));

/** Owners, or owners and rows, in the order in which they were decided. */
let decided: string[] = [];
beforeEach(() => {
  decided = [];
});

const aWork = (name: string, text: string) => async (tx: Tx) => {
  await tx.load({ text, types: ['integer'], values: [1], claims: null });
  decided.push(name);
};
const GATE = 'SELECT gate FROM gates WHERE gate = $1 FOR UPDATE';
const FREE = 'SELECT gate FROM gates WHERE gate = $1';

const run = (owner: string, rows: string[] = [], text = FREE): Promise<void> =>
  transactions.unitOfWork.runInGroup({ owner, rows, isRepeatable: true }, aWork(owner, text));

/** Both groups that may be under way wait at the gate. */
async function bothHeld(): Promise<Promise<void>[]> {
  const first = run('held', ['r'], GATE);
  await database.untilBlocked(1);
  const second = run('held', ['s'], GATE);
  await database.untilBlocked(2);
  return [first, second];
}
const many = (owner: string, count: number) =>
  Array.from({ length: count }, () => run(owner).then(() => 'done', codeOf));
const codeOf = (error: { code: string }) => error.code;

describe('work that waits for a group', () => {
  it('takes turns by owner where more wait than fit into one', async () => {
    const held = await bothHeld();
    const waiting = [...many('a', 150), ...many('b', 2)];
    await holder.query('ROLLBACK');
    await Promise.all([...held, ...waiting]);
    const firstGroup = decided.filter((owner) => owner !== 'held').slice(0, 100);
    expect(firstGroup.filter((owner) => owner === 'b')).toHaveLength(2);
  });

  it('is not begun while another group has a row of it', async () => {
    const first = run('first', ['the same'], GATE);
    await database.untilBlocked(1);
    const second = run('second', ['the same']);
    await run('third', ['another']);
    expect(decided).toEqual(['third']);
    await holder.query('ROLLBACK');
    await Promise.all([first, second]);
    expect(decided).toEqual(['third', 'first', 'second']);
  });

  it('gives way, the newest first, to an owner with less in the full queue', async () => {
    const held = await bothHeld();
    const [greedy, small] = [many('greedy', 2001), many('small', 3)];
    expect(await greedy.at(-1)).toBe('database_busy');
    await holder.query('ROLLBACK');
    await Promise.all(held);
    const answers = await Promise.all(greedy);
    expect(answers.slice(0, -4)).toEqual(Array(1997).fill('done'));
    expect(answers.slice(-4)).toEqual(Array(4).fill('database_busy'));
    expect(await Promise.all(small)).toEqual(['done', 'done', 'done']);
  });

  it('is refused where the queue is full of its own', async () => {
    const held = await bothHeld();
    const waiting = many('only', 2002);
    await holder.query('ROLLBACK');
    await Promise.all(held);
    const answers = await Promise.all(waiting);
    expect(answers.map((one) => one === 'done')).toEqual(
      Array.from({ length: 2002 }, (_, index) => index < 2000),
    );
  });

  it('is in the time of its own account, whoever began the group', async () => {
    const held = await bothHeld();
    const [early, late] = [new Date('2001-01-01T00:00:00Z'), new Date('2033-01-01T00:00:00Z')];
    const share = { owner: 'a', rows: [], isRepeatable: true };
    const asked = [early, late, early].map((at) =>
      atTime(at, () => transactions.unitOfWork.runInGroup(share, timesIn)),
    );
    await holder.query('ROLLBACK');
    await Promise.all(held);
    expect(await Promise.all(asked)).toEqual([early, late, early].map((at) => [at, at]));
  });

  it('is counted, with what became of each', async () => {
    const counted = async () => {
      const values = (await transactions.metrics.registry.getMetricsAsJSON()).flatMap((metric) =>
        metric.name.startsWith('commit_group') ? (metric.values as Counted[]) : [],
      );
      return Object.fromEntries(
        values.map(({ labels, value }) => [String(labels['outcome'] ?? 'groups'), value]),
      );
    };
    transactions.metrics.registry.resetMetrics();
    const held = await bothHeld();
    const share = { owner: 'a', rows: [], isRepeatable: true };
    const refused = transactions.unitOfWork.runInGroup(share, async () => {
      throw DocumentRefusal.document_not_found.of();
    });
    const alone = transactions.unitOfWork.runInGroup(share, async (tx) => tx.read(FREE, [1]));
    const waiting = [...many('a', 2), refused.catch(codeOf), alone];
    await holder.query('ROLLBACK');
    await Promise.all([...held, ...waiting]);
    expect(await counted()).toEqual({ groups: 1, done: 2, refused: 1, alone: 1 });
  });
});

/** Before its look-up and after it. */
async function timesIn(tx: Tx): Promise<Date[]> {
  const before = tx.now();
  await tx.load({ text: FREE, types: ['integer'], values: [1], claims: null });
  return [before, tx.now()];
}

interface Counted {
  labels: Record<string, string | number>;
  value: number;
}
