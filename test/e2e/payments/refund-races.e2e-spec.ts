import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Retention } from '../../../src/platform/database/retention.js';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import { RefundCalls } from '../../../src/payments/returning/application/refunds/refund-calls.js';
import { RefundSettlement } from '../../../src/payments/returning/application/refunds/refund-settlement.js';
import { Gateways } from '../../../src/payments/index.js';
import type { TestClient } from '../../support/client.js';
import { payment as read, PAYMENTS } from '../books/books.js';
import { expectBooksToAgree, good, key } from '../documents/document-calls.js';
import {
  afresh,
  lookUpAll,
  paidByCard,
  readRefund,
  refund,
  type RefundService,
  startRefundService,
} from './refund-calls.js';

let world: RefundService;
let client: TestClient;

beforeAll(async () => {
  world = await startRefundService();
});
afterAll(() => world.close());
beforeEach(async () => {
  world = await afresh(world);
  ({ client } = world);
  vi.restoreAllMocks();
});

const calls = () => world.service.app.get(RefundCalls);
const settlement = () => world.service.app.get(RefundSettlement);

async function refundsOf(payment: { id: string }) {
  const list = await client.get<{ data: { id: string; status: string }[] }>(
    `${PAYMENTS}/${payment.id}/refunds`,
  );
  return list.body.data;
}

describe('at the same time', () => {
  it.each([{}, { method: 'cash' }])(
    'exactly one of 20 refunds of the same money succeeds (%j)',
    async (body) => {
      const { invoice, payment } = await paidByCard(world);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => refund(client, payment, body)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused.map((answer) => answer.body.code)).toEqual(
        Array(19).fill('amount_exceeds_refundable'),
      );
      expect(world.stub.refunds).toHaveLength('method' in body ? 0 : 1);
      expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
      await expectBooksToAgree(world.service);
    },
  );

  it('parts go back as long as there is something left', async () => {
    const { invoice, payment } = await paidByCard(world, 15_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund(client, payment, { amount: 2000 })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(await read(client, payment.id)).toMatchObject({ amount_refundable: 1000 });
    expect(await client.read(invoice)).toMatchObject({ amount_due: 10_900 });
    await expectBooksToAgree(world.service);
  });

  it('one key makes one refund, and everybody gets its answer', async () => {
    const { payment } = await paidByCard(world);
    const send = () => refund(client, payment, { amount: 1000 }, key('same'));
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(world.stub.refunds).toHaveLength(1);
    expect(await refundsOf(payment)).toHaveLength(1);
    const other = await refund(client, payment, { amount: 1001 }, key('same'));
    expect(other.body.code).toBe('idempotency_key_reused');
    await expectBooksToAgree(world.service);
  });

  it('waits for no step of a document to set its money aside', async () => {
    // Of 15,000 on 11,900: the customer has credit, which the credit note adds to.
    const { invoice, payment } = await paidByCard(world, 15_000);
    const other = await world.service.database.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM customer_balances FOR UPDATE');
    const path = `/v1/finance/documents/${invoice.id}/credit-notes`;
    const credited = client.post(path, { amount: 1000 });
    await world.service.database.untilBlocked();
    const returned = refund(client, payment, { from: invoice.id, amount: 2000 });
    while ((await refundsOf(payment)).length === 0) await sleep(5);
    await other.query('ROLLBACK');
    await other.end();
    expect((await credited).status).toBe(201);
    good(await returned, 201);
    await expectBooksToAgree(world.service);
  });

  it('a look-up by hand and by two jobs settle a refund once', async () => {
    const { invoice, payment } = await paidByCard(world);
    world.stub.next = ['lost'];
    const { refund: one } = good(await refund(client, payment), 201);
    world.service.clock.advance({ hours: 2 });
    const job = world.service.app.get(RefundLookUps);
    const [asked, other] = await Promise.all([
      job.run(),
      job.run(),
      client.post(`/v1/finance/refunds/${one.id}/look-up`),
    ]);
    expect(asked + other).toBeLessThanOrEqual(1);
    expect(await client.read(invoice)).toMatchObject({ amount_due: 11_900 });
    expect(world.stub.refunds).toHaveLength(1);
    await expectBooksToAgree(world.service);
  });
});

describe('a process that dies', () => {
  it('before the provider was asked leaves a refund that is asked for later', async () => {
    const { payment } = await paidByCard(world, 15_000);
    vi.spyOn(calls(), 'send').mockRejectedValueOnce(new Error('died'));
    expect((await refund(client, payment)).status).toBe(500);
    const [left] = await refundsOf(payment);
    expect(left?.status).toBe('pending');
    await expectBooksToAgree(world.service);
    expect(await lookUpAll(world)).toBe(1);
    expect((await refundsOf(payment)).map(({ status }) => status)).toEqual(['succeeded']);
    expect(world.stub.refunds).toHaveLength(1);
    await expectBooksToAgree(world.service);
  });

  it('after the provider gave the money back leaves a refund that is found there', async () => {
    const { payment } = await paidByCard(world);
    const gateway = world.service.app.get(Gateways).get('gateway-a');
    vi.spyOn(settlement(), 'settle').mockRejectedValueOnce(new Error('died'));
    const asked = vi.spyOn(gateway, 'refund');
    expect((await refund(client, payment)).status).toBe(500);
    expect(world.stub.refunds).toHaveLength(1);
    await lookUpAll(world);
    expect((await refundsOf(payment)).map(({ status }) => status)).toEqual(['succeeded']);
    expect(asked).toHaveBeenCalledTimes(1);
    await expectBooksToAgree(world.service);
  });

  it('answers the same request again with the same refund, and makes no second one', async () => {
    const { payment } = await paidByCard(world);
    vi.spyOn(settlement(), 'settle').mockRejectedValueOnce(new Error('died'));
    const send = () => refund(client, payment, { amount: 1000 }, key('again'));
    expect((await send()).status).toBe(500);
    const wrong = await refund(client, payment, { amount: 2000 }, key('again'));
    expect(wrong.body.code).toBe('idempotency_key_reused');
    const answer = good(await send(), 201);
    expect(answer.refund).toMatchObject({ status: 'succeeded', amount: 1000 });
    expect((await send()).text).toBe(JSON.stringify(answer));
    expect(await refundsOf(payment)).toHaveLength(1);
    expect(world.stub.refunds).toHaveLength(1);
    await expectBooksToAgree(world.service);
  });
});

it('forgets the keys of requests that nobody repeats any more', async () => {
  const { payment } = await paidByCard(world);
  const { refund: one } = good(await refund(client, payment, { amount: 1000 }, key('old')), 201);
  const left = async (hours: number) => {
    // The clock of the database cannot be turned: the key gets older instead.
    await world.service.database.query(
      `UPDATE refund_requests SET requested_at = now() - interval '${hours} hours'`,
    );
    await world.service.app.get(Retention).run();
    const rows = await world.service.database.query(
      'SELECT FROM refund_requests WHERE refund_id = $1',
      [uuidOf('rfnd', one.id)],
    );
    return rows.length;
  };
  expect([await left(71), await left(73)]).toEqual([1, 0]);
  expect(await readRefund(client, one)).toMatchObject({ status: 'succeeded' });
});
