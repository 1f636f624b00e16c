import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { aRelayTo, type Relay } from './relay.js';

// The path to PostgreSQL goes silent: packets vanish, and nobody is told.

let database: TestDatabase;
let relay: Relay;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  relay = await aRelayTo(database.url);
  service = await startTestService({
    database: { ...database, url: relay.url },
    databasePoolSize: 5,
    // Each connection is a request's.
    doesJobs: false,
    lockTimeoutMs: 500,
    statementTimeoutMs: 1000,
  });
  client = await service.aClient();
});
afterEach(() => relay.speak());
afterAll(async () => {
  await service.close();
  await relay.close();
  await database.drop();
});

const paymentsOf = async (): Promise<bigint> => {
  const [row] = await database.query<{ count: bigint }>('SELECT count(*) FROM payments');
  return row?.count ?? -1n;
};

/** Each request gets its own document: an answer of another one would show. */
async function expectRecovered(ids: readonly string[]): Promise<void> {
  const all = [...ids, ...ids, ...ids];
  const answers = await Promise.all(all.map((id) => client.get(`/v1/finance/documents/${id}`)));
  expect(answers.map(({ status, body }) => [status, body['id']])).toEqual(
    all.map((id) => [200, id]),
  );
}

describe('a path that goes silent', () => {
  it('before the first query: everybody is refused, and served when it is back', async () => {
    const invoice = await client.anInvoice();
    const token = await client.aPortalToken(invoice);
    const link = await client.aPaymentLink(invoice);
    // One by one: on a busy machine some would wait too long for their number.
    const others: { id: string }[] = [];
    for (let made = 0; made < 9; made += 1) others.push(await client.anInvoice());
    await expectRecovered([invoice.id]);
    relay.silence();
    const credentials = { client_id: client.id, client_secret: client.secret };
    const repeat = async () =>
      Promise.all(others.map(async (one) => client.pay(one, {}, { 'Idempotency-Key': one.id })));
    const login = service.call('/v1/auth/token', { method: 'POST', body: credentials });
    const [paid, ...refused] = await Promise.all([
      repeat(),
      client.get('/v1/finance/documents'),
      client.get('/v1/finance/ledger?format=csv'),
      client.get('/v1/finance/reports/aging'),
      service.call(`/v1/portal/${token}`, { headers: { accept: 'application/json' } }),
      service.deliverPaid(link),
      service.call('/readyz'),
    ]);
    for (const answer of [...paid, ...refused]) {
      expectProblem(answer, 503, 'database_unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Of the form of OAuth.
    expect(await login).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    relay.speak();
    const again = await repeat();
    expect(again.map(({ status }) => status)).toEqual(others.map(() => 201));
    await repeat();
    expect(await paymentsOf()).toBe(9n);
    await expectRecovered([invoice.id]);
    expect((await service.call('/readyz')).status).toBe(200);
  });

  it.each([
    ['before COMMIT is told', false],
    ['after COMMIT is told: its answer is lost', true],
  ])('%s: the key settles it', async (_, told) => {
    const invoices = await Promise.all([1, 2, 3].map(async () => client.anInvoice()));
    const before = await paymentsOf();
    const key = { 'Idempotency-Key': `lost-${told}` };
    const silent = relay.silenceAt('COMMIT', { told });
    const [invoice] = invoices as [(typeof invoices)[0]];
    const [lost] = await Promise.all([client.pay(invoice, {}, key), silent]);
    expectProblem(lost, 503, 'database_unavailable');
    expect(lost.body['detail']).toMatch(/same Idempotency-Key/);
    if (told) expect(await paymentsOf()).toBe(before + 1n);
    relay.speak();
    const settled = async () => {
      for (;;) {
        // The server may still hold the document for the one that was given up.
        const answer = await client.pay(invoice, {}, key);
        if (answer.status !== 409) return answer;
      }
    };
    expect(await settled()).toMatchObject({ status: 201, body: { amount_paid: 2500 } });
    expect(await paymentsOf()).toBe(before + 1n);
    await expectRecovered(invoices.map(({ id }) => id));
  });

  it('between BEGIN and the writes: nothing is kept', async () => {
    const invoice = await client.anInvoice();
    const before = await paymentsOf();
    const silent = relay.silenceAt('BEGIN', { told: true });
    const [lost] = await Promise.all([client.pay(invoice), silent]);
    expectProblem(lost, 503, 'database_unavailable');
    relay.speak();
    expect(await paymentsOf()).toBe(before);
    expect((await client.pay(invoice)).status).toBe(201);
    expect(await paymentsOf()).toBe(before + 1n);
  });
});
