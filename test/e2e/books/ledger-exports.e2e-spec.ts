import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { ledgerOf } from './report-calls.js';

// Files of the ledger while they are sent to clients that stop to read.

/** Some 8 MB, of which the buffers between server and client take half. */
const TRANSFERS = 30_000;
const FILE = '/v1/finance/ledger?format=jsonl&sort=recorded_at';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await transfersAt('0 s', TRANSFERS);
  // As the database does by itself after a while.
  await service.database.query('ANALYZE transfers');
});
afterEach(async () => expectSoon(async () => waiting(), 0));
afterAll(() => service.close());

/** Transfers in francs, recorded so long from now. */
async function transfersAt(from: string, count: number): Promise<void> {
  await service.database.query(
    `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
       currency, effective_on, recorded_at)
     SELECT $1, uuidv7($3::interval), 'payment.recorded', gen_random_uuid(),
       'cash/CHF', 'customer_credit/CHF', n, 'CHF', current_date, now()
     FROM generate_series(1, $2::int) n`,
    [uuidOf('acc', client.accountId), count, from],
  );
}

/** A file that began, and whose client then stops to read, until the server waits for it. */
async function aStalledFile() {
  const before = await waiting();
  const headers = { authorization: `Bearer ${await client.bearer()}` };
  const response = await new Promise<IncomingMessage>((resolve) => {
    get(`${service.url}${FILE}`, { headers, agent: false }, resolve);
  });
  response.on('error', () => undefined);
  expect(response.statusCode).toBe(200);
  await expectSoon(waiting, before + 1);
  return {
    rest: async () => {
      let lines = 0;
      for await (const chunk of response) lines += String(chunk).split('\n').length - 1;
      return lines;
    },
    leave: () => response.destroy(),
  };
}

/** Transactions that wait for their client. Between two pages they wait, too, but not as long. */
async function waiting(): Promise<number> {
  const [row] = await service.database.query<{ count: bigint }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction'
       AND state_change < clock_timestamp() - interval '300 ms'`,
  );
  return Number(row?.count);
}

async function expectSoon(found: () => Promise<number>, wanted: number): Promise<void> {
  let last = await found();
  for (let tries = 0; tries < 500 && last !== wanted; tries += 1) {
    await sleep(20);
    last = await found();
  }
  expect(last).toBe(wanted);
}

describe('a file of the ledger', () => {
  it('is as a whole of one moment, whatever is booked while it is read', async () => {
    const { rest } = await aStalledFile();
    await transfersAt('1 day', 500);
    expect(await rest()).toBe(TRANSFERS);
    const all = await client.get(FILE);
    expect(all.text.split('\n').length - 1).toBe(TRANSFERS + 500);
  });

  it('gives its connection back when the client goes away', async () => {
    const { leave } = await aStalledFile();
    leave();
    await expectSoon(waiting, 0);
  });

  it('breaks off where it cannot go on: nobody takes a part for the whole', async () => {
    const { rest } = await aStalledFile();
    await service.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    await expect(rest()).rejects.toThrow(/aborted/);
    expect((await ledgerOf(client, { limit: 1 })).data).toHaveLength(1);
  });

  it('is sent to two clients at once, and to no third', async () => {
    const running = [await aStalledFile(), await aStalledFile()];
    const refused = await client.get('/v1/finance/ledger?format=csv');
    expectProblem(refused, 503, 'export_busy');
    expect(refused.headers.get('retry-after')).toBe('5');
    for (const { leave } of running) leave();
    await expectSoon(waiting, 0);
    expect((await client.get('/v1/finance/ledger?format=csv&currency=EUR')).status).toBe(200);
  });

  it('is not made for a HEAD', async () => {
    const authorization = `Bearer ${await client.bearer()}`;
    const answer = await service.call(FILE, { method: 'HEAD', headers: { authorization } });
    expect([answer.status, answer.headers.get('content-type'), answer.bytes.length]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      0,
    ]);
  });
});
