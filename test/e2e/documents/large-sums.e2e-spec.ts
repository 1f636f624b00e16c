import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { agingOf, csvOf, ledgerOf, revenueOf, statementOf } from '../books/report-calls.js';

// 901 invoices over the largest amount are owed: 10^13 each, together more than 2^53.

const LARGEST = 10_000_000_000_000;
const TOGETHER = '9010000000000000';
const FIRST = '2026-01-01';
const SECOND = '2026-01-02';

let service: TestService;
let client: TestClient;
let customer: { id: string };

/** As so many invoices of one day would book it, written by hand: the service would take minutes. */
async function owe(amount: bigint, count: number, day: string) {
  await service.database.query(
    `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
       document_id, customer_id, effective_on, recorded_at)
     SELECT $1, gen_random_uuid(), 'document.issued', gen_random_uuid(), 'receivables/EUR',
       'revenue/EUR', $3, 'EUR', gen_random_uuid(), $2, $5, now()
     FROM generate_series(1, $4)`,
    [uuidOf('acc', client.accountId), uuidOf('cus', customer.id), amount, count, day],
  );
}

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe('a sum that no JSON number has exactly', () => {
  beforeAll(async () => {
    client = await service.aClient();
    customer = await client.aCustomer();
    await owe(BigInt(LARGEST), 451, FIRST);
    await owe(BigInt(LARGEST), 450, SECOND);
    await service.database.query(
      `INSERT INTO customer_balances (account_id, customer_id, currency, credit)
       VALUES ($1, $2, 'EUR', ${TOGETHER})`,
      [uuidOf('acc', client.accountId), uuidOf('cus', customer.id)],
    );
  });

  it.each([
    'ledger/balances',
    'reports/aging',
    'reports/aging?group=document',
    'reports/revenue?from=2026-01-01',
    'customers/:id/statement',
    'customers/:id/statement?from=2026-01-03',
    'customers/:id/statement?format=csv',
    'customers/:id/credit',
  ])('is refused: %s', async (path) => {
    const answer = await client.get(`/v1/finance/${path.replace(':id', customer.id)}`);
    expectProblem(answer, 422, 'sum_too_large');
  });

  it('is there for whoever asks for less', async () => {
    const half = 451 * LARGEST;
    expect(await agingOf(client, { date: FIRST })).toMatchObject({ data: [{ total: half }] });
    const { totals } = await revenueOf(client, { from: FIRST, to: FIRST });
    expect(totals).toMatchObject([{ net: { total: half } }]);
    const { currencies } = await statementOf(client, customer.id, { to: FIRST });
    expect(currencies).toMatchObject([{ closing: { balance: half } }]);
    expect((await agingOf(client, { currency: 'USD' })).data).toEqual([]);
  });

  it('stands in files, and its parts stand in the ledger', async () => {
    expect(await csvOf(client, 'reports/aging')).toMatchObject([
      { customer_id: customer.id, not_due: TOGETHER, total: TOGETHER },
    ]);
    expect((await ledgerOf(client, { limit: 1 })).data).toMatchObject([{ amount: LARGEST }]);
    expect(await csvOf(client, 'ledger')).toHaveLength(901);
  });
});

it('refuses a sum that the database cannot have either', async () => {
  client = await service.aClient();
  customer = await client.aCustomer();
  await owe(9_000_000_000_000_000_000n, 2, FIRST);
  for (const path of ['ledger/balances', 'reports/aging', 'reports/aging?format=csv']) {
    expectProblem(await client.get(`/v1/finance/${path}`), 422, 'sum_too_large');
  }
});
