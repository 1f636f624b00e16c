import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../../src/integrity/infrastructure/integrity.query.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';

// The day that a person or a provider tells of a fact, and the one on which the books have it.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.set('2026-11-22T12:00:00Z');
  client = await service.aClient();
});

const close = async () => client.post('/v1/finance/periods/2026-10/close');
const differences = async () => {
  const account = uuidOf('acc', client.accountId);
  return (await service.app.get(IntegrityQuery).differences(account)).differences;
};

/** The days on which the ledger has what is recorded of a fact. */
async function daysOf(fact: string): Promise<string[]> {
  const { body } = await client.get<{ data: { effective_on: string }[] }>(
    `/v1/finance/ledger?fact=${fact}&sort=recorded_at`,
  );
  return body.data.map(({ effective_on }) => effective_on);
}

const refund = async (path: string, refunded_at?: string) =>
  client.post<{ refund: { id: string }; warnings?: object[] }>(`${path}/refunds`, {
    amount: 1000,
    method: 'cash',
    refunded_at,
  });

describe('the day of a payment, a move, a refund or a reversal', () => {
  const paidAt = '2026-10-20T12:00:00.000Z';
  async function aPayment(isClosed = false) {
    const invoice = await client.anInvoice({ issue_date: '2026-10-01' });
    if (isClosed) await close();
    const paid = await client.pay(invoice, { amount: 5000, paid_at: paidAt });
    const { id } = (paid.body as unknown as { payment: { id: string } }).payment;
    return `/v1/finance/payments/${id}`;
  }
  it('is the one that is told, or the first open day', async () => {
    const path = await aPayment();
    const { body: first } = await refund(path, '2026-10-25T09:00:00Z');
    expect(first).toMatchObject({ refund: { settled_at: '2026-10-25T09:00:00.000Z' } });
    expect(JSON.stringify(first.warnings)).not.toContain('booked_later');
    const undo = `/v1/finance/refunds/${first.refund.id}/reverse`;
    const undone = await client.post(undo, { reversed_at: '2026-10-26T09:00:00Z' });
    expect(undone.body).toMatchObject({ refund: { undone_at: '2026-10-26T09:00:00.000Z' } });
    expect(await daysOf('payment.refunded')).toEqual(['2026-10-25']);
    expect(await daysOf('refund.reversed')).toEqual(['2026-10-26']);
    await close();
    const late = { code: 'booked_later', booked_on: '2026-11-01' };
    const second = await refund(path, '2026-10-25T09:00:00Z');
    expect(second.body.warnings).toEqual(expect.arrayContaining([expect.objectContaining(late)]));
    const back = `/v1/finance/refunds/${second.body.refund.id}/reverse`;
    expect((await client.post(back, { reversed_at: '2026-10-27T09:00:00Z' })).body).toMatchObject({
      warnings: [late],
    });
    const reversed = await client.post(`${path}/reverse`, { reversed_at: paidAt });
    expect(reversed.body).toMatchObject({ status: 'reversed', warnings: [late] });
    expect(await daysOf('payment.refunded')).toEqual(['2026-10-25', '2026-11-01']);
    expect(await daysOf('payment.reversed')).toEqual(['2026-11-01']);
    expect(await differences()).toEqual([]);
  });

  it('is told with the day in the books wherever the fact is shown again', async () => {
    const own = { booked_later: false, booked_on: null };
    const late = { booked_later: true, booked_on: '2026-11-01' };
    const path = await aPayment();
    expect((await client.get(path)).body).toMatchObject(own);
    const invoice = await client.anInvoice({ issue_date: '2026-10-01' });
    await close();
    const { body: now } = await refund(path);
    expect(now.refund).toMatchObject(own);
    const { body: before } = await refund(path, '2026-10-25T09:00:00Z');
    const reversal = `/v1/finance/refunds/${before.refund.id}/reverse`;
    const { body: undone } = await client.post(reversal, { reversed_at: '2026-10-26T09:00:00Z' });
    const shown = { ...late, undone_booked_later: true, undone_booked_on: '2026-11-01' };
    expect(undone).toMatchObject({ refund: shown });
    expect((await client.get(`/v1/finance/refunds/${before.refund.id}`)).body).toEqual(
      undone['refund'],
    );
    const notUndone = { undone_booked_later: false, undone_booked_on: null };
    const refunds = (await client.get<{ data: object[] }>(`${path}/refunds`)).body.data;
    expect(refunds).toHaveLength(2);
    expect(refunds).toEqual(
      expect.arrayContaining([
        expect.objectContaining(shown),
        expect.objectContaining({ ...own, ...notUndone }),
      ]),
    );

    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount: 500 });
    const told = { payment_id: 'p_1', payment_link_id: link.id, amount: 500, currency: 'EUR' };
    const delivery = sandboxDelivery(service, 'payment.succeeded', { ...told, paid_at: paidAt });
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    await client.pay(invoice, { amount: 600, paid_at: paidAt });
    await client.pay(invoice, { amount: 700, paid_at: '2026-11-01T00:00:00Z' });
    for (const list of [`documents/${invoice.id}/payments`, `payments?document_id=${invoice.id}`]) {
      const { data } = (await client.get<{ data: { amount: number }[] }>(`/v1/finance/${list}`))
        .body;
      expect(data.toSorted((x, y) => x.amount - y.amount)).toMatchObject([
        { amount: 500, ...late },
        { amount: 600, ...late },
        { amount: 700, ...own },
      ]);
    }
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['payments', 'booked_on = NULL'],
    ['payments', `booked_on = '2026-11-02'`],
    ['payments', `paid_at = '2026-11-20'`],
    ['refunds', 'booked_on = NULL'],
    ['refund_undoings', 'booked_on = NULL'],
  ])('of %s is compared with the ledger: %s', async (table, change) => {
    const path = await aPayment(true);
    const { body } = await refund(path, '2026-10-25T09:00:00Z');
    const reversal = `/v1/finance/refunds/${body.refund.id}/reverse`;
    await client.post(reversal, { reversed_at: '2026-10-26T09:00:00Z' });
    expect(await differences()).toEqual([]);
    const account = uuidOf('acc', client.accountId);
    await service.database.query(
      `ALTER TABLE ${table} DISABLE TRIGGER USER;
       UPDATE ${table} SET ${change} WHERE account_id = '${account}';
       ALTER TABLE ${table} ENABLE TRIGGER USER`,
    );
    expect((await differences()).map(({ check }) => check)).toContain(
      `the ledger has each row of ${table} on the day that it says`,
    );
  });

  it('of a move is the one that is told, and receivables at a date follow it', async () => {
    const customer = { customer: undefined, customer_id: (await client.aCustomer()).id };
    const wish = { ...customer, issue_date: '2026-10-01' };
    const [wrong, right] = [await client.anInvoice(wish), await client.anInvoice(wish)];
    const later = await client.anInvoice({ ...wish, issue_date: '2026-10-28' });
    const { body } = await client.pay(wrong, { amount: 5000, paid_at: paidAt });
    const path = `/v1/finance/payments/${(body['payment'] as { id: string }).id}`;
    const move = async (from: string, to: string, moved_at?: string) =>
      client.post(`${path}/allocations`, { from, to, amount: 1000, moved_at });
    const early = await move(wrong.id, right.id, '2026-10-20T11:59:59Z');
    expect(early.body).toMatchObject({ status: 422, code: 'date_too_early' });
    const beforeInvoice = await move(wrong.id, later.id, '2026-10-27T12:00:00Z');
    expect(beforeInvoice.body).toMatchObject({ status: 422, code: 'date_too_early' });
    const moved = await move(wrong.id, right.id, '2026-10-25T12:00:00Z');
    expect([moved.status, 'warnings' in moved.body]).toEqual([200, false]);
    const beforeMove = await move(right.id, 'credit', '2026-10-24T12:00:00Z');
    expect(beforeMove.body).toMatchObject({ status: 422, code: 'date_too_early' });
    const dueOn = async (date: string) => {
      const aging = `/v1/finance/reports/aging?date=${date}&group=document`;
      const { body: report } = await client.get<{ data: Record<string, unknown>[] }>(aging);
      const of = ({ id }: { id: string }) =>
        report.data.find(({ document_id }) => document_id === id)?.['amount'];
      return [of(wrong), of(right)];
    };
    expect(await dueOn('2026-10-24')).toEqual([6900, 11_900]);
    expect(await dueOn('2026-10-25')).toEqual([7900, 10_900]);
    await close();
    const late = await move(wrong.id, 'credit', '2026-10-26T12:00:00Z');
    const warning = { code: 'booked_later', booked_on: '2026-11-01' };
    expect(late.body['warnings']).toMatchObject([warning]);
    expect((await move('credit', right.id)).status).toBe(200);
    const days = ['2026-10-25', '2026-10-25', '2026-11-01', '2026-11-22'];
    expect(await daysOf('payment.moved')).toEqual(days);
    expect(await differences()).toEqual([]);
    const account = uuidOf('acc', client.accountId);
    await service.database.query(
      `ALTER TABLE allocations DISABLE TRIGGER USER;
       UPDATE allocations SET counts_on = counts_on + 1 WHERE account_id = '${account}';
       ALTER TABLE allocations ENABLE TRIGGER USER`,
    );
    expect(new Set((await differences()).map(({ check }) => check))).toEqual(
      new Set(['the ledger has each move on the day that its allocations say']),
    );
  });

  it('of a receipt that is assigned is the one that is told, or when it was paid', async () => {
    const wish = { issue_date: '2026-10-01' };
    const home = await client.anInvoice(wish);
    for (const payment_id of ['p_3', 'p_4']) {
      const invoice = await client.anInvoice(wish);
      const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount: 500 });
      await client.void(invoice);
      const told = { payment_id, payment_link_id: link.id, amount: 500, currency: 'EUR' };
      const delivery = sandboxDelivery(service, 'payment.succeeded', { ...told, paid_at: paidAt });
      await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    }
    const receipts = '/v1/finance/unmatched-receipts';
    const [first, second] = (await client.get<{ data: { id: string }[] }>(receipts)).body.data;
    const assign = async (receipt?: { id: string }, assigned_at?: string) =>
      client.post(`${receipts}/${receipt?.id}/assign`, { document_id: home.id, assigned_at });
    expect((await assign(first)).body).not.toHaveProperty('warnings');
    await close();
    const late = { code: 'booked_later', booked_on: '2026-11-01' };
    expect((await assign(second, '2026-10-28T12:00:00Z')).body).toMatchObject({ warnings: [late] });
    expect(await daysOf('payment.recorded')).toEqual(['2026-10-20', '2026-11-01']);
    const { body } = await client.get<{ data: object[] }>(
      `/v1/finance/documents/${home.id}/payments`,
    );
    expect(body.data).toMatchObject([
      { paid_at: paidAt, booked_on: null },
      { paid_at: '2026-10-28T12:00:00.000Z', booked_on: '2026-11-01' },
    ]);
    expect(await differences()).toEqual([]);
  });

  it('of a dispute is told, too, and compared with the ledger', async () => {
    const invoice = await client.anInvoice({ issue_date: '2026-10-01' });
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const money = { payment_id: 'p_2', amount: link.amount, currency: 'EUR' };
    const told = async (type: string, data: object) => {
      const delivery = sandboxDelivery(service, type, { ...money, ...data });
      const answer = await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
      expect(answer.body).toEqual({ status: 'ok' });
    };
    const disputes = async () =>
      (await client.get<{ data: { id: string }[] }>('/v1/finance/disputes')).body.data;
    await told('payment.succeeded', { payment_link_id: link.id, paid_at: paidAt });
    const dispute = { dispute_id: 'd_1', reason: 'fraudulent' };
    await told('dispute.opened', { ...dispute, at: '2026-10-21T12:00:00Z' });
    const own = { booked_later: false, booked_on: null };
    expect(await disputes()).toMatchObject([{ status: 'open', ...own }]);
    await close();
    await told('dispute.lost', { ...dispute, at: '2026-10-22T12:00:00Z' });
    const late = { status: 'lost', booked_later: true, booked_on: '2026-11-01' };
    const [lost] = await disputes();
    expect(lost).toMatchObject(late);
    expect((await client.get(`/v1/finance/disputes/${lost?.id}`)).body).toEqual(lost);
    expect([await daysOf('dispute.opened'), await daysOf('dispute.lost')]).toEqual([
      ['2026-10-21'],
      ['2026-11-01'],
    ]);
    expect(await differences()).toEqual([]);
    const account = uuidOf('acc', client.accountId);
    const found = [];
    for (const change of ['booked_on = NULL', `booked_on = '2026-11-02'`]) {
      await service.database.query(
        `ALTER TABLE dispute_steps DISABLE TRIGGER USER;
         UPDATE dispute_steps SET ${change} WHERE account_id = '${account}' AND step = 2;
         ALTER TABLE dispute_steps ENABLE TRIGGER USER`,
      );
      found.push(...(await differences()).map(({ check }) => check));
    }
    const onItsDay = 'the ledger has what a dispute moved on the day of one of its steps';
    // Checks are made beside one another: whichever ends first is told first.
    expect(found.toSorted()).toEqual([
      'a step of a dispute that was booked later is in the ledger on that day',
      onItsDay,
      onItsDay,
    ]);
  });

  it('is after the fact that it undoes, and not in the future', async () => {
    const path = await aPayment();
    const made = await refund(path, '2026-10-25T09:00:00Z');
    const undo = `/v1/finance/refunds/${made.body.refund.id}/reverse`;
    const other = await aPayment();
    const codes = async (to: string, field: string, day: string, body: object = {}) =>
      (await client.post(to, { ...body, [field]: day })).body['code'];
    const byHand = { amount: 1, method: 'cash' };
    const tooEarly = '2026-10-20T11:59:59Z';
    expect([
      await codes(`${path}/refunds`, 'refunded_at', tooEarly, byHand),
      await codes(`${other}/reverse`, 'reversed_at', tooEarly),
      await codes(undo, 'reversed_at', '2026-10-25T08:59:59Z'),
    ]).toEqual(['date_too_early', 'date_too_early', 'date_too_early']);
    const ahead = '2026-11-22T12:06:00Z';
    expect([
      await codes(`${path}/refunds`, 'refunded_at', ahead, byHand),
      await codes(`${other}/reverse`, 'reversed_at', ahead),
      await codes(undo, 'reversed_at', ahead),
    ]).toEqual(['date_in_future', 'date_in_future', 'date_in_future']);
    expect(await daysOf('payment.reversed')).toEqual([]);
    const invoice = await client.anInvoice();
    await service.deliverPaid(await client.aPaymentLink(invoice, { gateway: 'sandbox' }));
    const ofIt = `/v1/finance/documents/${invoice.id}/payments`;
    const { data } = (await client.get<{ data: { id: string }[] }>(ofIt)).body;
    const byGateway = `/v1/finance/payments/${data[0]?.id}/refunds`;
    expect(await codes(byGateway, 'refunded_at', '2026-11-22T11:00:00Z')).toBe(
      'refund_dated_by_gateway',
    );
    expect(await differences()).toEqual([]);
  });
});
