import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PeriodBody, PeriodList } from '../../../src/books/http/period.dto.js';
import { RunningTransactionsQuery } from '../../../src/books/infrastructure/running-transactions.query.js';
import { IntegrityQuery } from '../../../src/integrity/infrastructure/integrity.query.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';

// Months that an accountant closes: nothing gets in any more, and their reports never change.

const PERIODS = '/v1/finance/periods';
const LAST = '2026-10';
const IN_IT = '2026-10-20T12:00:00Z';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.restoreAllMocks();
  service.clock.set('2026-11-22T12:00:00Z');
  client = await service.aClient();
});

const close = async (month = LAST, headers = {}, by = client) =>
  by.post<PeriodBody>(`${PERIODS}/${month}/close`, {}, headers);
const reopen = async (month = LAST, headers = {}) =>
  client.post<PeriodBody>(`${PERIODS}/${month}/reopen`, {}, headers);
const list = async () => (await client.get<PeriodList>(PERIODS)).body;
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

describe('closing a month', () => {
  it('closes all before it, and opening one opens all after it', async () => {
    await client.patch('/v1/finance/seller', { books_from: '2026-08-15' });
    expect(await list()).toMatchObject({
      open_from: '2026-08-15',
      data: [
        { month: '2026-11', from: '2026-11-01', to: '2026-11-30', status: 'open' },
        { month: '2026-10', status: 'open' },
        { month: '2026-09', status: 'open' },
        { month: '2026-08', status: 'open', closed_at: null },
      ],
    });
    const closed = await close();
    expect([closed.status, closed.body]).toEqual([
      200,
      {
        month: LAST,
        from: '2026-10-01',
        to: '2026-10-31',
        status: 'closed',
        closed_at: expect.stringMatching(/^2026-11-22T12:00:/),
      },
    ]);
    const statuses = async () => (await list()).data.map(({ status }) => status);
    expect(await statuses()).toEqual(['open', 'closed', 'closed', 'closed']);
    expect((await close('2026-08')).body).toMatchObject({ status: 'closed' });
    expect((await reopen('2026-09')).body).toMatchObject({ status: 'open', closed_at: null });
    expect(await statuses()).toEqual(['open', 'open', 'open', 'closed']);
    expect((await reopen('2026-08')).status).toBe(200);
    expect((await list()).open_from).toBe('2026-08-15');
    expect(await differences()).toEqual([]);
  });

  it('is refused for what is no month, has not ended or is open', async () => {
    await client.patch('/v1/finance/seller', { books_from: '2026-08-15' });
    for (const month of ['2026-13', '2026-7', 'x', '2026-07', '0000-01', '9999-12']) {
      expect([month, (await close(month)).body]).toMatchObject([month, { status: 404 }]);
      expect((await reopen(month)).body).toMatchObject({ code: 'period_not_found' });
    }
    expect((await close('2026-11')).body).toMatchObject({ status: 409, code: 'period_not_ended' });
    expect((await reopen()).body).toMatchObject({ status: 409, code: 'period_not_closed' });
    const kiribati = await service.aClient({ timeZone: 'Pacific/Kiritimati' });
    service.clock.set('2026-11-30T10:30:00Z');
    expect((await close('2026-11')).body).toMatchObject({ code: 'period_not_ended' });
    expect((await close('2026-11', {}, kiribati)).body).toMatchObject({ status: 'closed' });
  });

  it('needs settings:write, and says who did it', async () => {
    const reader = await service.aClient({ of: client, scopes: ['reports:read'] });
    expect((await close(LAST, {}, reader)).body).toMatchObject({ code: 'insufficient_scope' });
    await close();
    await reopen();
    const { body } = await client.get<{ data: object[] }>('/v1/audit?action=period.*');
    expect(body.data).toMatchObject([
      { action: 'period.reopened', subject: LAST, after: { open_from: '2026-10-01' } },
      { action: 'period.closed', subject: LAST, after: { open_from: '2026-11-01' } },
    ]);
  });

  it('sent again with its key closes nothing that was opened meanwhile', async () => {
    const first = await close(LAST, { 'Idempotency-Key': 'c' });
    await reopen();
    const again = await close(LAST, { 'Idempotency-Key': 'c' });
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await list()).open_from).toBe('2026-10-01');
  });
});

describe('a fact that names a day in a closed month', () => {
  it('is booked on the first open day, and says so', async () => {
    const invoice = await client.anInvoice({ issue_date: '2026-10-02' });
    const credited = await client.anInvoice({ issue_date: '2026-10-02' });
    await client.pay(invoice, { amount: 100, paid_at: IN_IT });
    await close();
    const late = await client.pay(invoice, { amount: 200, paid_at: IN_IT });
    const warnings = [{ code: 'booked_later', booked_on: '2026-11-01' }];
    expect(late.body).toMatchObject({ payment: { paid_at: '2026-10-20T12:00:00.000Z' }, warnings });
    const receipt = await client.post('/v1/finance/payments', {
      amount: 300,
      method: 'cash',
      paid_at: IN_IT,
      allocations: [{ document_id: invoice.id }],
    });
    expect(receipt.body).toMatchObject({ warnings });
    const onTime = await client.pay(invoice, { amount: 400, paid_at: '2026-11-02T00:00:00Z' });
    expect(onTime.text).not.toContain('booked_later');
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox', amount: 500 });
    service.clock.set(IN_IT);
    const delivery = service.paidDelivery({ ...link, gateway: 'sandbox' });
    await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
    service.clock.set('2026-11-22T12:00:00Z');
    expect(await daysOf('payment.recorded')).toEqual([
      '2026-10-20',
      '2026-11-01',
      '2026-11-01',
      '2026-11-02',
      '2026-11-01',
    ]);
    await client.void(credited);
    expect(new Set(await daysOf('document.voided'))).toEqual(new Set(['2026-11-22']));
    expect(await differences()).toEqual([]);
  });

  it('is refused where its date is law: an invoice and a credit note', async () => {
    const invoice = await client.anInvoice({ issue_date: '2026-10-02' });
    await close();
    const issue_date = '2026-10-31';
    const document = await client.post('/v1/finance/documents', requestFor({ issue_date }));
    const path = `/v1/finance/documents/${invoice.id}/credit-notes`;
    const note = await client.post(path, { issue_date });
    for (const { body } of [document, note]) {
      expect(body).toMatchObject({ status: 409, code: 'period_closed', open_from: '2026-11-01' });
    }
    expect((await client.aQuote({ issue_date })).issue_date).toBe(issue_date);
    expect((await client.anInvoice({ issue_date: '2026-11-01' })).status).toBe('open');
    await reopen();
    expect((await client.anInvoice({ issue_date })).status).toBe('open');
  });
});

describe('the reports of a closed month', () => {
  it('are the same whenever they are asked', async () => {
    const reports = async () => {
      const asked = [
        'ledger/balances?date=2026-10-31',
        'reports/aging?date=2026-10-31&group=document',
        'reports/revenue?from=2026-10-01&to=2026-10-31',
        'ledger?effective_to=2026-10-31&format=csv',
      ];
      return Promise.all(asked.map(async (one) => (await client.get(`/v1/finance/${one}`)).text));
    };
    const wish = { issue_date: '2026-10-02' };
    const [open, paid, rejected, lost] = [
      await client.anInvoice(wish),
      await client.anInvoice(wish),
      await client.anInvoice(wish),
      await client.anInvoice(wish),
    ];
    const { body } = await client.pay(paid, { amount: 11_900, paid_at: IN_IT });
    await close();
    const before = await reports();
    const token = await client.aPortalToken(rejected);
    await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'No' } });
    const documents = '/v1/finance/documents';
    await client.post(`${documents}/${lost.id}/write-off`);
    await client.post(`${documents}/${open.id}/credit-notes`, { amount: 1000 });
    await client.pay(open, { paid_at: IN_IT });
    await client.post(`/v1/finance/payments/${(body['payment'] as { id: string }).id}/reverse`);
    await client.void(rejected);
    expect(await reports()).toEqual(before);
    service.clock.advance({ days: 40 });
    expect(await reports()).toEqual(before);
  });
});

describe('a transaction that began before the closing', () => {
  const insert = `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit,
      amount, currency, effective_on, recorded_at)
    SELECT account_id, gen_random_uuid(), 'document.written_off', gen_random_uuid(), 'bad_debt/EUR',
      'receivables/EUR', 1, 'EUR', greatest(date '2026-10-20', books_open_from), now()
    FROM accounts WHERE account_id = $1`;

  it('is waited for, and one that never ends leaves the month closing', async () => {
    const account = uuidOf('acc', client.accountId);
    const other = await service.database.connect();
    try {
      await other.query('BEGIN');
      await other.query(insert, [account]);
      let isClosed = false;
      const closing = close().finally(() => (isClosed = true));
      await vi.waitUntil(async () => (await list()).data[1]?.status === 'closing', 10_000);
      expect(isClosed).toBe(false);
      await other.query('COMMIT');
      expect((await closing).body).toMatchObject({ status: 'closed' });
    } finally {
      await other.end();
    }
    expect((await list()).data[1]?.status).toBe('closed');
    const found = (await differences()).map(({ check }) => check);
    // The row itself has no fact; that it is dated into the month is right.
    expect(found.filter((check) => check.includes('after a month was closed'))).toEqual([]);
  });

  it('is not waited for without end', async () => {
    vi.spyOn(RunningTransactionsQuery.prototype, 'haveEnded').mockResolvedValue(false);
    expect((await close()).body).toMatchObject({ status: 503, code: 'period_closing' });
    expect((await list()).data[1]?.status).toBe('closing');
    vi.restoreAllMocks();
    expect((await close()).body).toMatchObject({ status: 'closed' });
  });

  it('that did not know of it is found by integrity', async () => {
    await close();
    const account = uuidOf('acc', client.accountId);
    await service.database.query(insert.replace(', books_open_from', ''), [account]);
    expect(
      (await differences()).map(({ check, stored, derived }) => [check, stored, derived]),
    ).toContainEqual([
      'no transfer that was written after a month was closed is dated into it',
      '2026-10-20',
      '2026-11-01 or later',
    ]);
    await service.database.query(
      `UPDATE accounts SET books_open_from = books_from WHERE account_id = $1`,
      [account],
    );
    expect((await differences()).map(({ check }) => check)).toContain(
      'a month that was closed stays closed until it is opened again',
    );
  });
});

const refund = async (path: string, refunded_at?: string) =>
  client.post<{ refund: { id: string }; warnings?: object[] }>(`${path}/refunds`, {
    amount: 1000,
    method: 'cash',
    refunded_at,
  });

describe('the day of a refund or of a reversal', () => {
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
    expect(first).not.toHaveProperty('warnings');
    const undo = `/v1/finance/refunds/${first.refund.id}/reverse`;
    const undone = await client.post(undo, { reversed_at: '2026-10-26T09:00:00Z' });
    expect(undone.body).toMatchObject({ refund: { undone_at: '2026-10-26T09:00:00.000Z' } });
    expect(await daysOf('payment.refunded')).toEqual(['2026-10-25']);
    expect(await daysOf('refund.reversed')).toEqual(['2026-10-26']);
    await close();
    const late = { code: 'booked_later', booked_on: '2026-11-01' };
    const second = await refund(path, '2026-10-25T09:00:00Z');
    expect(second.body.warnings).toMatchObject([late]);
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
