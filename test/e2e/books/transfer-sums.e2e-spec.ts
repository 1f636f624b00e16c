import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import { TransferSumming } from '../../../src/books/application/transfer-summing.js';
import { addDays } from '../../../src/kernel/clock.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aHistory, tell, TODAY } from './report-history.js';

/* A report says the same, however much of the ledger is in the sums. */

const RUNS = Number(process.env['TEST_FULL'] ? 100 : 4);
/** Before, on and behind the ends of months, and ahead. */
const DAYS = ['2025-12-31', '2026-02-28', '2026-03-01', '2026-04-15', '2026-05-31', TODAY];

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await aDatabase();
  service = await startTestService({ database, doesJobs: false });
  service.clock.set(`${TODAY}T12:00:00Z`);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const sum = async () => service.app.get(TransferSumming).sum();

/** Each report that reads sums, at its days. */
async function reportsOf(client: TestClient): Promise<string[]> {
  const days = [...DAYS, addDays(TODAY, 40)];
  const paths = [
    ...days.flatMap((date) => [
      `ledger/balances?date=${date}`,
      `ledger/balances?date=${date}&currency=JPY`,
      `reports/aging?date=${date}`,
      `reports/aging?date=${date}&currency=EUR`,
    ]),
    ...days.flatMap((to) =>
      ['2025-12-01', '2026-03-01', to].flatMap((from) => [
        `reports/trial-balance?from=${from < to ? from : to}&to=${to}`,
        `reports/trial-balance?from=${from < to ? from : to}&to=${to}&currency=EUR`,
        `reports/revenue?from=${from < to ? from : to}&to=${to}&interval=month`,
        `reports/revenue?from=${from < to ? from : to}&to=${to}&interval=day&currency=JPY`,
      ]),
    ),
  ];
  const told: string[] = [];
  for (const path of paths) {
    const { status, text } = await client.get(`/v1/finance/${path}`);
    expect([path, status]).toEqual([path, 200]);
    told.push(`${path} ${text}`);
  }
  return told;
}

const summed = async () =>
  (
    await database.query<{ days: bigint; claims: bigint }>(
      `SELECT (SELECT count(*) FROM transfer_sums) AS days, (SELECT count(*) FROM claim_sums) AS claims`,
    )
  )[0];

it('says the same without sums, with some of them, and with all', async () => {
  await fc.assert(
    fc.asyncProperty(aHistory, aHistory, async (first, second) => {
      const client = await service.aClient();
      await tell(client, first);
      await sum();
      await tell(client, second);
      const withSome = await reportsOf(client);
      await sum();
      const withAll = await reportsOf(client);
      expect(await summed()).not.toEqual({ days: 0n, claims: 0n });
      await database.query(`TRUNCATE transfer_sums, claim_sums`);
      await database.query(`UPDATE event_marks SET through_xact = 0 WHERE consumer = 'sums'`);
      const without = await reportsOf(client);
      expect(withSome).toEqual(without);
      expect(withAll).toEqual(without);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
