import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { PdfRenderer } from '../../../src/documents/infrastructure/printing/pdf-renderer.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Database } from '../../../src/platform/database/database.js';
import type { FairQueue } from '../../../src/platform/fair-queue.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';

// One account, or one document, that wants much does not stop the others.

const POOL = 4;

let service: TestService;
let flooder: TestClient;
let other: TestClient;
beforeAll(async () => {
  service = await startTestService({ databasePoolSize: POOL, lockTimeoutMs: 60_000 });
  [flooder, other] = await Promise.all([service.aClient(), service.aClient()]);
});
afterAll(() => service.close());

const DOCUMENTS = '/v1/finance/documents';

async function locked(...documents: { id: string }[]): Promise<pg.Client> {
  const connection = await service.database.connect();
  await connection.query('BEGIN');
  const ids = documents.map(({ id }) => uuidOf('doc', id));
  await connection.query('SELECT FROM documents WHERE document_id = ANY ($1) FOR UPDATE', [ids]);
  return connection;
}

describe('one locked document', () => {
  it('keeps one connection, and its account goes on with the others', async () => {
    const [hot, cold] = [await flooder.anInvoice(), await flooder.anInvoice()];
    const lock = await locked(hot);
    const waiting = Array.from({ length: 40 }, async () => flooder.pay(hot, { amount: 1 }));
    await service.database.untilBlocked();
    const served = Array.from({ length: 10 }, async () => flooder.pay(cold, { amount: 1 }));
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual(Array(10).fill(201));
    await lock.query('COMMIT');
    await lock.end();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(40).fill(201));
    expect(await flooder.read(hot)).toMatchObject({ amount_paid: 40 });
  });

  it('makes a provider come again', async () => {
    const impatient = await startTestService({
      database: service.database,
      databasePoolSize: POOL,
      lockTimeoutMs: 100,
    });
    const client = await impatient.aClient();
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice);
    const lock = await locked(invoice);
    try {
      const answers = await Promise.all([1, 2, 3].map(async () => impatient.deliverPaid(link)));
      for (const { status, headers } of answers) {
        expect([status, headers.has('retry-after')]).toEqual([503, true]);
      }
    } finally {
      await lock.query('COMMIT');
      await lock.end();
      await impatient.close();
    }
  });
});

describe('one account that wants every connection', () => {
  it('does not stop another one, nor /readyz', async () => {
    // Of as many documents as there are connections, so that all of them wait for a lock.
    const hot = await Promise.all(Array.from({ length: POOL }, async () => flooder.anInvoice()));
    const lone = await other.anInvoice();
    await Promise.all([flooder.bearer(), other.bearer()]);
    const lock = await locked(...hot);
    const flood = hot.map(async (one) => flooder.pay(one, { amount: 1 }));
    await service.database.untilBlocked(POOL);
    const behind = Array.from({ length: 100 }, async () => flooder.get(DOCUMENTS));
    expect((await service.call('/readyz')).status).toBe(200);
    const order: string[] = [];
    const first = other.read(lone).then(() => order.push('other'));
    for (const one of behind) void one.then(() => order.push('flooder'));
    const { places } = service.app.get(Database) as unknown as { places: FairQueue };
    while (places.waitingCount < behind.length + 1) await sleep(5);
    await lock.query('COMMIT');
    await lock.end();
    await first;
    // The owner with the fewest is next: not behind a hundred.
    expect(order.length).toBeLessThan(20);
    await Promise.all([...flood, ...behind]);
  });
});

describe('one account that wants many PDFs', () => {
  it('does not keep another one from its own, and gets all of them itself', async () => {
    const many: { id: string }[] = [];
    for (let one = 0; one < 24; one += 1) many.push(await flooder.anInvoice());
    const lone = await other.anInvoice();
    const order: string[] = [];
    const pdfOf = async (client: TestClient, name: string, { id }: { id: string }) => {
      const answer = await client.get(`${DOCUMENTS}/${id}/pdf`);
      order.push(name);
      return answer;
    };
    const flood = many.map(async (one) => pdfOf(flooder, 'flooder', one));
    const { turns } = service.app.get(PdfRenderer) as unknown as { turns: FairQueue };
    while (turns.waitingCount < 14) await sleep(5);
    const before = order.length;
    const answers = await Promise.all([...flood, pdfOf(other, 'other', lone)]);
    expect(answers.map(({ status }) => status)).toEqual(Array(25).fill(200));
    // Behind those that were being printed, not behind the fourteen that wait.
    expect(order.indexOf('other') - before).toBeLessThan(10);
  });
});

const exported = (client: TestClient) => client.get('/v1/finance/ledger?format=csv');

describe('one account that wants many exports', () => {
  it('gets two at a time, is told to come again for the others, and another one gets its own', async () => {
    // Nothing can be read: whoever has a place keeps it.
    const connection = await service.database.connect();
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE transfers IN ACCESS EXCLUSIVE MODE');
    const refused: Answer<unknown>[] = [];
    const flood = Array.from({ length: 8 }, async () => {
      const answer = await exported(flooder);
      if (answer.status !== 200) refused.push(answer);
      return answer.status;
    });
    while (refused.length < 6) await sleep(5);
    const own = exported(other);
    await service.database.untilBlocked(3);
    await connection.query('COMMIT');
    await connection.end();
    expect((await own).status).toBe(200);
    expect((await Promise.all(flood)).filter((status) => status === 200)).toHaveLength(2);
    expect(refused).toHaveLength(6);
    for (const answer of refused) {
      expectProblem(answer, 503, 'export_busy');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
