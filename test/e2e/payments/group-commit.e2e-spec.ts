import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work.js';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aRelayTo } from '../platform/relay.js';

/*
 * Payments that arrive together share a transaction. For each caller all must be as if it were
 * alone, and what goes wrong must be nobody else's.
 */

const TOTAL = 1_000_000;
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => service.close());

const times = <Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const anInvoice = (wish: object = {}) =>
  client.anInvoice({ unitAmount: TOTAL, taxRate: '0', ...wish });

/** A payment with a key of its own. */
let keys = 0;
const pay = (document: { id: string }, over: object = {}, by = client): Promise<Answer> =>
  by.pay(document, { amount: 100, ...over }, { 'Idempotency-Key': `group-${(keys += 1)}` });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const count = (answers: Answer[], status: number) =>
  statuses(answers).filter((one) => one === status).length;

/** Groups under way are held until so many have arrived: then they are one group. */
async function inOneGroup<Made>(arrivals: number, send: () => Promise<Made>): Promise<Made> {
  const others = await times(2, () => anInvoice());
  const holder = await service.database.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE payments IN SHARE MODE');
  const arrived = vi.spyOn(service.app.get(UnitOfWork), 'runInGroup');
  const before = [];
  for (const [index, other] of others.entries()) {
    before.push(pay(other));
    await service.database.untilBlocked(index + 1);
  }
  const sent = send();
  await vi.waitUntil(() => arrived.mock.calls.length === 2 + arrivals, { timeout: 10_000 });
  arrived.mockRestore();
  await holder.query('ROLLBACK');
  await holder.end();
  await Promise.all(before);
  return sent;
}

/** The payments of each transaction that wrote some of these documents, largest first. */
async function groupsOf(documents: readonly DocumentBody[]): Promise<number[]> {
  const rows = await service.database.query<{ payments: number }>(
    `SELECT count(*)::int AS payments FROM payments WHERE document_id = ANY ($1)
     GROUP BY xmin::text ORDER BY 1 DESC`,
    [documents.map(({ id }) => uuidOf('doc', id))],
  );
  return rows.map(({ payments }) => payments);
}

/** Sums, history, ledger and version agree about a document. */
async function expectSound(document: DocumentBody, payments: number, paid = payments * 100) {
  const [row] = await service.database.query(
    `SELECT d.amount_paid AS paid, d.version,
       (SELECT count(*) FROM payments p WHERE p.document_id = d.document_id) AS payments,
       (SELECT coalesce(sum(t.amount), 0)::bigint FROM transfers t
        WHERE t.document_id = d.document_id AND t.fact = 'payment.recorded') AS booked,
       (SELECT array_agg(e.sequence ORDER BY e.event_id) FROM events e
        WHERE e.document_id = d.document_id) = ARRAY(SELECT generate_series(1, d.event_sequence))
        AS in_order
     FROM documents d WHERE d.document_id = $1`,
    [uuidOf('doc', document.id)],
  );
  expect(row).toEqual({
    paid: BigInt(paid),
    version: document.version + payments,
    payments: BigInt(payments),
    booked: BigInt(paid),
    in_order: true,
  });
}

describe('payments under way at the same moment', () => {
  it('share transactions, and each is booked and answered as if it were alone', async () => {
    const invoices = await times(12, () => anInvoice());
    const answers = await inOneGroup(60, () =>
      times(60, async (index) => {
        const invoice = invoices[index % invoices.length]!;
        return { invoice, answer: await pay(invoice) };
      }),
    );
    expect(statuses(answers.map(({ answer }) => answer))).toEqual(Array(60).fill(201));
    for (const invoice of invoices) {
      const paid = answers
        .filter((one) => one.invoice === invoice)
        .map(({ answer }) => Number(answer.body['amount_paid']));
      expect(paid.toSorted((a, b) => a - b)).toEqual([100, 200, 300, 400, 500]);
      await expectSound(invoice, 5);
    }
    expect(await groupsOf(invoices)).toEqual([60]);
  });

  it('of one document are applied one after the other, and it is written once', async () => {
    const invoice = await anInvoice({ unitAmount: 1000 });
    const answers = await inOneGroup(30, () => times(30, () => pay(invoice)));
    expect(count(answers, 201)).toBe(10);
    expect(count(answers, 422)).toBe(20);
    const paid = answers.flatMap(({ status, body }) =>
      status === 201 ? [body['amount_paid']] : [],
    );
    expect(paid.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 10 }, (_, index) => (index + 1) * 100),
    );
    expect(
      new Set(answers.flatMap(({ status, body }) => (status === 422 ? [body['code']] : []))),
    ).toEqual(new Set(['amount_exceeds_due']));
    const [events] = await service.database.query<{ paid: bigint }>(
      `SELECT count(*) AS paid FROM events WHERE document_id = $1 AND type = 'document.paid'`,
      [uuidOf('doc', invoice.id)],
    );
    expect(events).toEqual({ paid: 1n });
    const before = await service.database.query<{ status: string }>(
      `SELECT data->>'previous_status' AS status FROM events
       WHERE document_id = $1 AND type = 'payment.recorded' ORDER BY sequence`,
      [uuidOf('doc', invoice.id)],
    );
    expect(before.map(({ status }) => status)).toEqual([
      'open',
      ...Array(9).fill('partially_paid'),
    ]);
    expect(await groupsOf([invoice])).toEqual([10]);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 1000 });
  });

  it('that are refused leave no trace in the others', async () => {
    const [invoice, other] = [await anInvoice(), await anInvoice()];
    const answers = await inOneGroup(40, () =>
      times(40, async (index) => {
        if (index % 4 === 0) return pay(invoice, { amount: TOTAL + 1 });
        if (index % 4 === 1) return pay(invoice, { currency: 'USD' });
        return pay(index % 4 === 2 ? invoice : other);
      }),
    );
    expect(statuses(answers)).toEqual(Array.from(Array(10), () => [422, 422, 201, 201]).flat());
    await expectSound(invoice, 10);
    await expectSound(other, 10);
  });

  it('with one key are one payment, and all get its bytes', async () => {
    const invoice = await anInvoice();
    const [others, same] = await inOneGroup(32, () =>
      Promise.all([
        times(20, () => pay(invoice)),
        times(12, () => client.pay(invoice, { amount: 100 }, { 'Idempotency-Key': 'the same' })),
      ]),
    );
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(count(others, 201)).toBe(20);
    await expectSound(invoice, 21);
  });

  it('without a key warn of each other', async () => {
    const invoice = await anInvoice();
    const answers = await inOneGroup(8, () => times(8, () => client.pay(invoice, { amount: 100 })));
    expect(statuses(answers)).toEqual(Array(8).fill(201));
    const warned = answers.filter(({ text }) => text.includes('similar_payment'));
    expect(warned).toHaveLength(7);
    await expectSound(invoice, 8);
  });

  it('are not held up by a document that somebody else holds', async () => {
    const patient = await startTestService({
      database: service.database,
      lockTimeoutMs: 600_000,
      statementTimeoutMs: 600_000,
    });
    const by = await patient.aClient({ of: client });
    const [held, free] = [await anInvoice(), await anInvoice()];
    const holder = await service.database.connect();
    await holder.query('BEGIN');
    const lock = 'SELECT 1 FROM documents WHERE document_id = $1 FOR UPDATE';
    await holder.query(lock, [uuidOf('doc', held.id)]);
    const [waiting, answers] = [
      times(3, () => pay(held, {}, by)),
      await times(30, () => pay(free, {}, by)),
    ];
    expect(statuses(answers)).toEqual(Array(30).fill(201));
    await expectSound(held, 0);
    await holder.query('ROLLBACK');
    await holder.end();
    expect(statuses(await waiting)).toEqual(Array(3).fill(201));
    await patient.close();
    await expectSound(held, 3);
    await expectSound(free, 30);
  });

  it('are not booked again where nobody knows whether COMMIT was carried out', async () => {
    const relay = await aRelayTo(service.database.url);
    const far = await startTestService({ database: { ...service.database, url: relay.url } });
    const by = await far.aClient({ of: client });
    const invoice = await anInvoice();
    await by.bearer();
    const lost = relay.silenceAt('the last of them', { told: true });
    const keyless = times(12, (index) =>
      by.pay(invoice, {
        amount: 100,
        reference: `K${index}`,
        note: index === 11 ? 'the last of them' : null,
      }),
    );
    const keyed = times(12, () => pay(invoice, {}, by));
    await lost;
    // Their writes left together with COMMIT: the database carries it out meanwhile.
    await sleep(500);
    relay.cut();
    expect(count(await keyless, 503)).toBeGreaterThan(0);
    const unsettled = (await keyed).filter(({ status }) => status !== 201);
    expect(unsettled.map(({ status }) => status)).toEqual(unsettled.map(() => 503));
    const rows = await service.database.query<{ times: bigint }>(
      `SELECT count(*) AS times FROM payments WHERE document_id = $1 AND reference IS NOT NULL
       GROUP BY reference`,
      [uuidOf('doc', invoice.id)],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => row.times !== 1n)).toEqual([]);
    await far.close();
    await relay.close();
  });

  it('are each done alone where one of them breaks the statement that writes all', async () => {
    const invoices = await times(5, () => anInvoice());
    await service.database.query(
      `CREATE FUNCTION break_payment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF NEW.reference = 'poison' THEN
           RAISE 'held' USING ERRCODE = 'lock_not_available';
         END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER break_payment BEFORE INSERT ON payments
         FOR EACH ROW EXECUTE FUNCTION break_payment()`,
    );
    const answers = await inOneGroup(30, () =>
      times(30, (index) => pay(invoices[index % 5]!, index === 17 ? { reference: 'poison' } : {})),
    );
    await service.database.query('DROP FUNCTION break_payment CASCADE');
    expect(answers[17]?.body['code']).toBe('document_busy');
    expect(count(answers, 201)).toBe(29);
    for (const [index, invoice] of invoices.entries())
      await expectSound(invoice, index === 2 ? 5 : 6);
  });

  it('are booked once when their connections break and they are sent again', async () => {
    const invoices = await times(4, () => anInvoice());
    const send = (index: number) =>
      client.pay(invoices[index % 4]!, { amount: 100 }, { 'Idempotency-Key': `broken-${index}` });
    const rush = times(80, send);
    for (let cut = 0; cut < 20; cut += 1) {
      await service.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
           AND backend_type = 'client backend'`,
      );
    }
    const first = await rush;
    expect(count(first, 201) + count(first, 503)).toBe(80);
    const again = await times(80, send);
    expect(statuses(again)).toEqual(Array(80).fill(201));
    for (const [index, answer] of first.entries()) {
      if (answer.status === 201) expect(again[index]?.text).toBe(answer.text);
    }
    for (const invoice of invoices) await expectSound(invoice, 20);
  });

  it('that pay more than is due add up the credit of a customer', async () => {
    const customer = await client.aCustomer();
    const invoices = await times(6, () =>
      anInvoice({ customer: undefined, customer_id: customer.id, unitAmount: 50 }),
    );
    const answers = await inOneGroup(24, () =>
      times(24, (index) => pay(invoices[index % 6]!, { on_overpayment: 'credit' })),
    );
    expect(count(answers, 201)).toBe(24);
    const credit = await client.get(`/v1/finance/customers/${customer.id}/credit`);
    expect(credit.body).toMatchObject({ data: [{ amount: 24 * 100 - 6 * 50 }] });
    for (const invoice of invoices) await expectSound(invoice, 4, 50);
  });
});

describe('reports of providers at the same moment', () => {
  it('are booked once each, with those that are sent twice and those of one document', async () => {
    const [invoice, other] = [await anInvoice(), await anInvoice()];
    const links = await times(16, (index) =>
      client.aPaymentLink(index % 2 === 0 ? invoice : other, { amount: 100 }),
    );
    const deliveries = links.map((link) => service.paidDelivery(link));
    const answers = await inOneGroup(48, () =>
      Promise.all(
        [...deliveries, ...deliveries, ...deliveries].map(({ body, headers }) =>
          service.call('/v1/webhooks/gateway-a', { method: 'POST', body, headers }),
        ),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body['status']])).toEqual(
      Array.from({ length: 48 }, () => [200, 'ok']),
    );
    const [told] = await service.database.query<{ paid: bigint }>(
      `SELECT count(*) AS paid FROM payment_links WHERE status = 'paid'`,
    );
    expect(told).toEqual({ paid: 16n });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 800 });
    expect(await client.read(other)).toMatchObject({ amount_paid: 800 });
    expect(await groupsOf([invoice, other])).toEqual([16]);
  });
});

describe('several processes on one database', () => {
  it('share a document among their groups', async () => {
    const second = await startTestService({ database: service.database });
    const by = await second.aClient({ of: client });
    const invoice = await anInvoice();
    const answers = await times(60, (index) => pay(invoice, {}, index % 2 === 0 ? client : by));
    await second.close();
    const busy = answers.filter(({ body }) => body['code'] === 'document_busy').length;
    expect(count(answers, 201)).toBe(60 - busy);
    await expectSound(invoice, 60 - busy);
  });
});
