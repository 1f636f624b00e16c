import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PeriodBody, PeriodList } from '../../../src/books/wire/period.js';
import { RunningTransactionsQuery } from '../../../src/books/infrastructure/running-transactions.query.js';
import { IntegrityQuery } from '../../../src/integrity/infrastructure/integrity.query.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { requestFor, type TestClient } from '../../support/client.js';
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
