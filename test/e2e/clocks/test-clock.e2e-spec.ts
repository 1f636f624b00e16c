import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntryBody } from '../../../src/auth/index.js';
import { DueWork } from '../../../src/clocks/index.js';
import type { TestClockBody } from '../../../src/clocks/wire/test-clock.js';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { addDays, dateIn, daysBetween } from '../../../src/kernel/clock.js';
import { CommonRefusal } from '../../../src/kernel/common-refusals.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import type { TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { type MailStage, mailStage, messagesOf, wish } from '../mail/mail-calls.js';

const PATH = '/v1/test-clock';

let stage: MailStage;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  stage = await mailStage();
  ({ service } = stage);
});
afterAll(() => stage.close());
beforeEach(async () => {
  client = await service.aClient();
});

const advance = async (body: object, by = client) =>
  good(await by.post<TestClockBody>(`${PATH}/advance`, body), 200);
const tryTo = async (body: object) => client.post(`${PATH}/advance`, body);
const read = async (by = client) => good(await by.get<TestClockBody>(PATH), 200);
const day = (at: string) => dateIn('UTC', new Date(at));
const todayOf = ({ now }: TestClockBody) => day(now);

async function eventsOf(document: { id: string }): Promise<EventBody[]> {
  await allIsShown(service.database);
  const path = `/v1/events?after=beginning&limit=100&document=${document.id}`;
  return good(await client.get<{ data: EventBody[] }>(path), 200).data;
}

describe('a test clock', () => {
  it('runs with that of the server until it is advanced, and stands from then on', async () => {
    const before = await read();
    expect(before.status).toBe('running');
    const after = await advance({ days: 31 });
    expect(after.status).toBe('standing');
    const days = (Date.parse(after.now) - Date.parse(before.now)) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(31);
    expect(days).toBeLessThan(31.01);
    expect(await read()).toEqual({ ...after, happened: [] });
    service.clock.advance({ hours: 1 });
    expect((await read()).now).toBe(after.now);
  });

  it('brings what is due on the way, in its order and at its time', async () => {
    await wish(client, { reminder_days: [-3, 7, 14] });
    const today = todayOf(await read());
    const invoice = await client.anInvoice({ due_date: addDays(today, 20) });
    const { now, happened } = await advance({ days: 60 });
    const due = (days: number) => addDays(today, 20 + days);
    expect(happened.map(({ at, work }) => [day(at), work])).toEqual(
      [
        [due(-3), 'due_dates'],
        [due(-3), 'reminders'],
        [due(1), 'due_dates'],
        [due(7), 'reminders'],
        [due(14), 'reminders'],
      ].toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
    );
    const told = (await eventsOf(invoice)).filter(({ type }) => /due/.test(type));
    expect(told.map(({ type, occurred_at: at }) => [type, day(at)])).toEqual([
      ['document.due_soon', due(-3)],
      ['document.overdue', due(1)],
    ]);
    const mails = (await stage.mails()).toSorted(
      (one, other) => Number(one.date) - Number(other.date),
    );
    expect(mails.map(({ text = '' }) => /was due/.test(text))).toEqual([false, true, true]);
    const messages = (await messagesOf(client, invoice)).toReversed();
    expect(messages.map(({ kind, created_at: at }) => [kind, day(at)])).toEqual([
      ['reminder', due(-3)],
      ['reminder', due(7)],
      ['reminder', due(14)],
    ]);
    expect((await client.read(invoice)).is_overdue).toBe(true);
    // A payment and a new invoice are of that day, too.
    const { payment } = good(await client.pay(invoice), 201) as {
      payment: { recorded_at: string };
    };
    expect(payment.recorded_at).toBe(now);
    expect((await client.anInvoice()).issue_date).toBe(day(now));
  });

  it('is that of the portal and of the pay page, too', async () => {
    const invoice = await client.anInvoice();
    const token = await client.aPortalToken(invoice, { expires_in_days: 30 });
    good(await service.call(`/v1/portal/${token}`), 200);
    await advance({ days: 29 });
    good(await service.call(`/v1/portal/${token}`), 200);
    await advance({ days: 2 });
    expectProblem(await service.call(`/v1/portal/${token}`), 404, 'portal_link_not_found');
  });

  it('dates what the sandbox tells', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'sandbox' });
    const { now } = await advance({ days: 3 });
    good(await client.post('/v1/sandbox/outcomes', { object: link.id, outcome: 'paid' }), 200);
    const path = `/v1/finance/documents/${invoice.id}/payments`;
    const { data } = good(
      await client.get<{ data: { paid_at: string; recorded_at: string }[] }>(path),
      200,
    );
    expect(data).toMatchObject([{ paid_at: now, recorded_at: now }]);
  });

  it('begins debits in time for their due date, and ends payment links', async () => {
    const customer = await client.aCustomer();
    const { body: mandate } = await client.post<{ id: string }>(
      `/v1/finance/customers/${customer.id}/mandates`,
      { gateway: 'sandbox', currency: 'EUR', collects_automatically: true },
    );
    const tell = async (object: string, outcome: string) =>
      good(await client.post('/v1/sandbox/outcomes', { object, outcome }), 200);
    await tell(mandate.id, 'active');
    const today = todayOf(await read());
    const invoice = await client.anInvoice({
      customer: undefined,
      customer_id: customer.id,
      due_date: addDays(today, 30),
    });
    const other = await client.aPaymentLink(await client.anInvoice(), {
      gateway: 'sandbox',
      expires_in_days: 20,
    });
    const { happened } = await advance({ days: 25 });
    const debits = happened.filter(({ work }) => work === 'debits');
    expect(debits).toMatchObject([{ count: 1 }]);
    // Ten days before the due date, which lasts to its end.
    expect(day(debits[0]?.at ?? '')).toBe(addDays(today, 21));
    const list = `/v1/finance/documents/${invoice.id}/payment-links`;
    const { data } = good(
      await client.get<{ data: { id: string; created_at: string }[] }>(list),
      200,
    );
    expect(data.map(({ created_at: at }) => day(at))).toEqual([addDays(today, 21)]);
    await tell(data[0]?.id ?? '', 'paid');
    expect((await client.read(invoice)).status).toBe('paid');
    const link = await client.get<{ status: string }>(`/v1/finance/payment-links/${other.id}`);
    expect(link.body.status).toBe('expired');
  });

  it('tries debits again that failed, each on its day', async () => {
    good(await client.patch('/v1/finance/payment-settings', { debit_retry_days: [3, 7] }), 200);
    const { id: customer_id } = await client.aCustomer();
    const asked = `/v1/finance/customers/${customer_id}/mandates`;
    good(await client.post(asked, { gateway: 'sandbox', currency: 'EUR' }), 201);
    const invoice = await client.anInvoice({ customer: undefined, customer_id });
    const of = `/v1/finance/documents/${invoice.id}`;
    good(await client.post(`${of}/collect`), 201);
    const days: string[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const { data } = good(
        await client.get<{ data: { id: string; charge_on: string }[] }>(`${of}/payment-links`),
        200,
      );
      const object = data.at(-1)?.id;
      good(await client.post('/v1/sandbox/outcomes', { object, outcome: 'failed' }), 200);
      const today = todayOf(await read());
      const { happened } = await advance({ days: 10 });
      const debits = happened.filter(({ work }) => work === 'debits');
      days.push(...debits.map(({ at, count }) => `${count} in ${daysBetween(day(at), today)}`));
    }
    expect(days).toEqual(['1 in 3', '1 in 7']);
  });

  it('moves nobody else', async () => {
    const other = await service.aClient();
    const invoice = await other.anInvoice({ due_date: todayOf(await read(other)) });
    await advance({ days: 90 });
    expect((await read(other)).status).toBe('running');
    expect((await other.read(invoice)).is_overdue).toBe(false);
  });

  it('is moved by one call at a time', async () => {
    const { now } = await advance({ days: 1 });
    const to = new Date(Date.parse(now) + 100 * 86_400_000).toISOString();
    const answers = await Promise.all([1, 2, 3].map(() => client.post(`${PATH}/advance`, { to })));
    const others = answers.filter(({ status }) => status !== 200);
    for (const answer of others) expectProblem(answer, 409, 'test_clock_moved');
    expect(others.length).toBeGreaterThan(0);
  });

  it('is not moved twice by one key', async () => {
    const key = { 'Idempotency-Key': 'clock-1' };
    const first = await client.post(`${PATH}/advance`, { days: 5 }, key);
    const again = await client.post(`${PATH}/advance`, { days: 5 }, key);
    expect(again.text).toBe(first.text);
  });

  it('is said in the audit log also where the call breaks on the way', async () => {
    const { now } = await read();
    const due = service.app.get(DueWork);
    const days = vi
      .spyOn(due, 'of')
      .mockResolvedValueOnce([])
      .mockRejectedValueOnce(CommonRefusal.database_busy.later(1, 'Again.'));
    expectProblem(await tryTo({ days: 3 }), 503, 'database_busy');
    days.mockRestore();
    const stands = await read();
    expect(todayOf(stands)).toBe(addDays(day(now), 2));
    const { data } = good(await client.get<{ data: AuditEntryBody[] }>('/v1/audit'), 200);
    const entry = data.find(({ action }) => action === 'test_clock.advanced');
    expect(entry?.before).toEqual({ now: expect.stringContaining(day(now)) });
    expect(entry?.after).toEqual({ now: stands.now });
  });

  it('never goes back, nor too far', async () => {
    const { now } = await advance({ days: 10 });
    expectProblem(await tryTo({ to: now }), 422, 'test_clock_only_forward');
    const far = new Date(Date.parse(now) + 367 * 86_400_000).toISOString();
    expect((await tryTo({ to: far })).text).toContain('test_clock_too_far');
    expect((await tryTo({})).text).toContain('one_of_to_and_days');
    expect((await tryTo({ to: far, days: 3 })).text).toContain('one_of_to_and_days');
  });

  it('is of no account that is live', async () => {
    const live = await service.aClient({ mode: 'live' });
    expectProblem(await live.get(PATH), 403, 'test_clock_for_tests');
    expectProblem(await live.post(`${PATH}/advance`, { days: 1 }), 403, 'test_clock_for_tests');
    const insert = service.database.query(
      `INSERT INTO test_clocks (account_id, stands_at) VALUES ($1, now())`,
      [uuidOf('acc', live.accountId)],
    );
    await expect(insert).rejects.toThrow(/foreign key/);
  });
});
