import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { TransferSumming } from '../../../src/books/application/transfer-summing.js';
import { addDays } from '../../../src/kernel/clock.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { tries } from '../../support/share.js';
import { aHistory, tell, TODAY } from './report-history.js';

const RUNS = tries({ pushed: 2, full: 100 });
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
  const spans = days.flatMap((to) =>
    ['2025-12-01', '2026-03-01', to].flatMap((from) =>
      from > to ? [] : [`from=${from}&to=${to}`],
    ),
  );
  const paths = [
    ...days.flatMap((date) => [
      `ledger/balances?date=${date}`,
      `ledger/balances?date=${date}&currency=JPY`,
      `reports/gateway-reconciliation?date=${date}`,
      `reports/aging?date=${date}`,
      `reports/aging?date=${date}&currency=EUR`,
    ]),
    ...spans.flatMap((of) => [
      `reports/trial-balance?${of}`,
      `reports/trial-balance?${of}&currency=EUR`,
      `reports/gateway-reconciliation?${of.replace('to=', 'date=')}`,
      `reports/revenue?${of}&interval=month`,
      `reports/revenue?${of}&interval=day&currency=JPY`,
    ]),
  ];
  const told: string[] = [];
  for (const path of paths) {
    const { status, text } = await client.get(`/v1/finance/${path}`);
    expect([path, status]).toEqual([path, 200]);
    told.push(`${path} ${text}`);
  }
  return told;
}

/** As they are now, with all in the sums, and without any. */
async function expectTheSame(client: TestClient): Promise<void> {
  const told = await reportsOf(client);
  await sum();
  const withAll = await reportsOf(client);
  const [rows] = await database.query<{ flows: bigint; claims: bigint }>(
    `SELECT (SELECT count(*) FROM transfer_sums) AS flows,
       (SELECT count(*) FROM claim_sums) AS claims`,
  );
  expect([rows?.flows, rows?.claims]).not.toContain(0n);
  await database.query(`TRUNCATE transfer_sums, claim_sums, gateway_sums`);
  await database.query(`UPDATE event_marks SET through_xact = 0 WHERE consumer = 'sums'`);
  const without = await reportsOf(client);
  expect(told).toEqual(without);
  expect(withAll).toEqual(without);
}

describe('a report says the same without sums, with some of them, and with all', () => {
  it('of random histories', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, aHistory, async (first, second) => {
        const client = await service.aClient();
        await tell(client, first);
        await sum();
        await tell(client, second);
        await expectTheSame(client);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('of claims of one day and due date that came one by one', async () => {
    const client = await service.aClient();
    for (let count = 0; count < 3; count += 1) {
      const token = await client.aPortalToken(await client.anInvoice());
      const answer = await client.post(`/v1/portal/${token}/reject`, { reason: 'Not ordered' });
      expect(answer.status).toBe(200);
      await sum();
    }
    await expectTheSame(client);
  });

  it('of what a transaction wrote that began before others and ended behind them', async () => {
    const client = await service.aClient();
    await client.anInvoice();
    const late = await database.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
         currency, document_id, customer_id, effective_on, recorded_at)
       SELECT account_id, gen_random_uuid(), fact, fact_id, debit, credit, amount, currency,
         document_id, customer_id, effective_on, recorded_at
       FROM transfers WHERE account_id = $1 LIMIT 1`,
      [uuidOf('acc', client.accountId)],
    );
    await client.anInvoice();
    await sum();
    await late.query('COMMIT');
    await late.end();
    await expectTheSame(client);
  });
});
