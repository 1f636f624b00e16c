import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { tries } from '../../support/share.js';

/** Of 300 each. */
const PAYMENTS = tries({ pushed: 700, full: 2000 });
/** An invoice of 250 for each of them has room for so many, and something stays due. */
const ACCEPTED = Math.floor((PAYMENTS * 250) / 300);
const KEYS = tries({ pushed: 150, full: 500 });

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

describe('at the same time', () => {
  it(`accepts exactly ${ACCEPTED} of ${PAYMENTS} payments, from 64 clients`, async () => {
    const total = PAYMENTS * 250;
    const invoice = await client.anInvoice({ unitAmount: total, taxRate: '0' });
    const waiting = Array.from({ length: PAYMENTS }, (_, index) => index);
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        while (waiting.pop() !== undefined) {
          let answer = await client.pay(invoice, { amount: 300 });
          // On a slow machine some wait too long for their turn; nothing was written then.
          while (answer.body['code'] === 'document_busy')
            answer = await client.pay(invoice, { amount: 300 });
          statuses.push(answer.status);
        }
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(ACCEPTED);
    expect(statuses.filter((status) => status === 422)).toHaveLength(PAYMENTS - ACCEPTED);
    const paid = ACCEPTED * 300;
    expect(await client.read(invoice)).toMatchObject({
      amount_due: total - paid,
      amount_paid: paid,
    });
    const [books] = await service.database.query<{ sum: bigint; count: bigint }>(
      `SELECT sum(applied)::bigint AS sum, count(*) FROM payments p JOIN documents d
       USING (account_id, document_id) WHERE d.number = $1 AND p.account_id = d.account_id
         AND d.total = $2`,
      [invoice.number, total],
    );
    expect(books).toEqual({ sum: BigInt(paid), count: BigInt(ACCEPTED) });
  });

  it(`makes ${KEYS} payments of ${KEYS} keys that are sent eight times at once`, async () => {
    const invoice = await client.anInvoice({ unitAmount: 1_000_000, taxRate: '0' });
    const keys = Array.from({ length: KEYS }, (_, index) => `burst-${index}`);
    const bodies = new Map<string, Set<string>>();
    const waiting = keys.toSorted();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
          const headers = { 'Idempotency-Key': key };
          const answers = await Promise.all(
            Array.from({ length: 8 }, () => client.pay(invoice, { amount: 7 }, headers)),
          );
          expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
          bodies.set(key, new Set(answers.map(({ text }) => text)));
        }
      }),
    );
    expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
    expect(bodies.size).toBe(KEYS);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: KEYS * 7 });
  });

  it('pays or voids or rejects, never two of them', async () => {
    for (let round = 0; round < 12; round += 1) {
      const invoice = await client.anInvoice();
      const token = await client.aPortalToken(invoice);
      const [paid, voided, rejected] = await Promise.all([
        client.pay(invoice),
        client.post(`/v1/finance/documents/${invoice.id}/void`),
        service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'no' } }),
      ]);
      const { status, amount_paid: amountPaid } = await client.read(invoice);
      const succeeded = [paid.status === 201, voided.status === 200, rejected.status === 200];
      // A rejected document may be withdrawn afterwards; nothing else goes together.
      const legal = {
        partially_paid: [true, false, false],
        void: [false, true, rejected.status === 200],
        rejected: [false, false, true],
      }[status];
      expect(succeeded).toEqual(legal);
      expect(amountPaid).toBe(paid.status === 201 ? 2500 : 0);
    }
  });

  it('answers 409 with Retry-After when a document stays locked', async () => {
    const impatient = await startTestService({ lockTimeoutMs: 200 });
    try {
      const someone = await impatient.aClient();
      const invoice = await someone.anInvoice();
      const link = await someone.aPaymentLink(invoice, { gateway: 'sandbox', amount: 100 });
      const other = await impatient.database.connect();
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM documents FOR UPDATE');
      const key = { 'Idempotency-Key': 'patience' };
      const blocked = await someone.pay(invoice, {}, key);
      expect(blocked.status).toBe(409);
      expect(blocked.body).toMatchObject({ code: 'document_busy' });
      expect(blocked.headers.get('retry-after')).toBe('1');
      const credited = await someone.post(`/v1/finance/documents/${invoice.id}/credit-notes`, {});
      expect(credited).toMatchObject({ status: 409, body: { code: 'document_busy' } });
      const told = await impatient.deliverPaid(link);
      expect(told).toMatchObject({ status: 503, body: { code: 'document_busy' } });
      expect(told.headers.get('retry-after')).toBe('1');
      await other.query('ROLLBACK');
      await other.end();
      expect((await impatient.deliverPaid(link)).body).toEqual({ status: 'ok' });
      // A passing refusal is not kept: the same key succeeds now.
      expect((await someone.pay(invoice, {}, key)).status).toBe(201);
    } finally {
      await impatient.close();
    }
  });
});

describe('when the database breaks', () => {
  it('answers 503, and the same key settles what became of the payment', async () => {
    const invoice = await client.anInvoice();
    const key = { 'Idempotency-Key': 'broken' };
    const admin = await service.database.connect();
    await admin.query('BEGIN');
    await admin.query('SELECT 1 FROM documents WHERE number = $1 FOR UPDATE', [invoice.number]);
    const pending = client.pay(invoice, {}, key);
    await service.database.untilBlocked();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await admin.query('ROLLBACK');
    await admin.end();
    const broken = await pending;
    expect(broken.status).toBe(503);
    expect(broken.body).toMatchObject({ code: 'database_unavailable' });
    expect((await client.pay(invoice, {}, key)).status).toBe(201);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 2500 });
  });
});
