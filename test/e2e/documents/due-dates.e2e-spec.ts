import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DueDates } from '../../../src/documents/application/due-dates.service.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import { addDays, dateIn, type IsoDate, startOfDay } from '../../../src/kernel/clock.js';
import type { DocumentWish, TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from './document-calls.js';

// Of two accounts on one day, the one in the east is told first.
const EAST = 'Pacific/Auckland';
const WEST = 'America/Los_Angeles';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.set('2026-11-27T12:00:00Z');
  client = await service.aClient();
});

const run = async (on = service) => on.app.get(DueDates).run();

/** Some seconds after the beginning of a day, or before it. */
function setTo(day: IsoDate, timeZone: string, seconds: number): void {
  service.clock.set(new Date(startOfDay(day, timeZone).getTime() + seconds * 1000));
}

const inZone = async (timeZone: string, by = client) =>
  good(await by.patch('/v1/finance/seller', { time_zone: timeZone }), 200);

interface Told {
  type: string;
  from: string | null;
  to: string | null;
  sequence: number;
  version: number | null;
  actor: object;
}

/** The events of due dates in the history of a document. */
async function told({ id }: { id: string }, by = client): Promise<Told[]> {
  const path = `/v1/finance/documents/${id}/history`;
  const { data } = good(await by.get<{ data: Told[] }>(path), 200);
  return data.filter(({ type }) => /due_soon|overdue|expired/.test(type));
}

const typesOf = async (of: { id: string }, by = client) =>
  (await told(of, by)).map(({ type }) => type);

const today = (timeZone = EAST) => dateIn(timeZone, service.clock.now());

/** An invoice that is due in some days, by the zone of its account. */
const dueIn = async (days: number, wish: DocumentWish = {}): Promise<DocumentBody> =>
  client.anInvoice({ due_date: addDays(today(), days), ...wish });

describe('an invoice', () => {
  beforeEach(() => inZone(EAST));

  it('is due soon three days before, and overdue after its day, each once, by the zone', async () => {
    const west = await service.aClient();
    await inZone(WEST, west);
    const due_date = '2026-12-10';
    const invoices = [await client.anInvoice({ due_date }), await west.anInvoice({ due_date })];
    const types = async () => [
      await typesOf(invoices[0]!, client),
      await typesOf(invoices[1]!, west),
    ];
    setTo('2026-12-07', EAST, -60);
    expect(await run()).toBe(0);
    setTo('2026-12-07', EAST, 1);
    expect([await run(), await run(), await types()]).toEqual([1, 0, [['document.due_soon'], []]]);
    setTo('2026-12-07', WEST, 1);
    expect([await run(), await run()]).toEqual([1, 0]);
    setTo('2026-12-11', EAST, -60);
    expect(await run()).toBe(0);
    setTo('2026-12-11', EAST, 1);
    const both = ['document.due_soon', 'document.overdue'];
    expect([await run(), await run(), await types()]).toEqual([
      1,
      0,
      [both, ['document.due_soon']],
    ]);
    setTo('2026-12-11', WEST, 1);
    expect([await run(), await run(), await types()]).toEqual([1, 0, [both, both]]);
    service.clock.advance({ days: 400 });
    expect(await run()).toBe(0);
  });

  it('is shown in its history by nobody, in no new version', async () => {
    const invoice = await dueIn(5);
    service.clock.advance({ days: 7 });
    await run();
    expect(await told(invoice)).toMatchObject([
      {
        type: 'document.overdue',
        from: 'open',
        to: 'open',
        version: invoice.version,
        actor: { type: 'operator', id: null },
      },
    ]);
    const { version, is_overdue: isOverdue } = await client.read(invoice);
    expect({ version, isOverdue }).toEqual({ version: invoice.version, isOverdue: true });
    const { body } = await client.get<{ data: { data: object }[] }>(
      `/v1/events?document=${invoice.id}&types=document.overdue`,
    );
    expect(body.data[0]?.data).toMatchObject({ due_date: invoice.due_date });
  });

  it('that was paid in the same minute has none', async () => {
    const invoice = await dueIn(5);
    const other = await dueIn(5, { customer: undefined, customer_id: invoice.customer_id });
    setTo(addDays(invoice.due_date!, 1), EAST, 10);
    await client.pay(invoice, { amount: invoice.total });
    await Promise.all([client.pay(other, { amount: other.total }), run()]);
    expect(await typesOf(invoice)).toEqual([]);
    const { data } = (
      await client.get<{ data: Told[] }>(`/v1/finance/documents/${other.id}/history`)
    ).body;
    const order = data.map(({ type }) => type);
    if (order.includes('document.overdue')) {
      expect(order.indexOf('document.overdue')).toBeLessThan(order.indexOf('document.paid'));
    }
  });

  it('is told once by two processes at the same time, and by one that was started again', async () => {
    const { database, clock } = service;
    const invoices = [await dueIn(5), await dueIn(5), await dueIn(5)];
    service.clock.advance({ days: 7 });
    const second = await startTestService({ database, clock });
    const done = await Promise.all([run(), run(second), run(second), run()]);
    expect(done.reduce((sum, one) => sum + one)).toBe(invoices.length);
    await second.close();
    for (const invoice of invoices) expect(await typesOf(invoice)).toEqual(['document.overdue']);
    expect(await run()).toBe(0);
  });

  it('is told once where the clock was set back', async () => {
    const invoice = await dueIn(5);
    service.clock.advance({ days: 7 });
    expect(await run()).toBe(1);
    service.clock.set('2026-11-27T12:00:00Z');
    expect(await run()).toBe(0);
    service.clock.advance({ days: 7 });
    expect(await run()).toBe(0);
    expect(await typesOf(invoice)).toEqual(['document.overdue']);
  });

  it('is told once where it was paid and is due again', async () => {
    const invoice = await dueIn(5);
    service.clock.advance({ days: 7 });
    await run();
    const paid = await client.pay(invoice, { amount: invoice.total });
    const { id } = paid.body['payment'] as { id: string };
    good(await client.post(`/v1/finance/payments/${id}/reverse`, { reason: 'wrong' }), 200);
    expect(await run()).toBe(0);
    expect(await typesOf(invoice)).toEqual(['document.overdue']);
  });

  it('has it later where it was settled on its day, and is due again', async () => {
    const invoice = await dueIn(5);
    const path = `/v1/finance/documents/${invoice.id}/write-off`;
    good(await client.post(path), 200);
    service.clock.advance({ days: 7 });
    expect(await run()).toBe(0);
    good(await client.post(`${path}/reverse`), 200);
    expect([await run(), await typesOf(invoice)]).toEqual([1, ['document.overdue']]);
  });

  it('is not due soon where it was issued within those days, and has no date to come', async () => {
    const invoice = await dueIn(2);
    expect(await run()).toBe(0);
    service.clock.advance({ days: 4 });
    expect([await run(), await typesOf(invoice)]).toEqual([1, ['document.overdue']]);
    const late = await client.anInvoice({
      issue_date: addDays(today(), -9),
      due_date: addDays(today(), -5),
    });
    expect([await run(), await typesOf(late)]).toEqual([1, ['document.overdue']]);
  });

  it('has none for what went back and nobody asks for, until somebody does', async () => {
    const invoice = await dueIn(5);
    const paid = await client.pay(invoice, { amount: invoice.total });
    const { id } = paid.body['payment'] as { id: string };
    const back = { amount: 4000, method: 'bank_transfer' };
    type Made = { refund: { id: string } };
    const { refund } = good(
      await client.post<Made>(`/v1/finance/payments/${id}/refunds`, back),
      201,
    );
    service.clock.advance({ days: 7 });
    expect([await run(), await typesOf(invoice)]).toEqual([0, []]);
    const owed = { meaning: 'owed_again' };
    good(await client.post(`/v1/finance/refunds/${refund.id}/meaning`, owed), 200);
    service.clock.advance({ days: 1, hours: 1 });
    expect([await run(), await typesOf(invoice)]).toEqual([1, ['document.overdue']]);
  });

  it('that is void, or a draft, has none', async () => {
    const invoice = await dueIn(5);
    await client.void(invoice);
    await dueIn(5, { issue: false });
    service.clock.advance({ days: 7 });
    expect(await run()).toBe(0);
  });
});

describe('a quote', () => {
  it('expires once after its last day, and was open before', async () => {
    await inZone(EAST);
    const due_date = addDays(today(), 10);
    const quote = await client.aQuote({ due_date });
    const answered = await client.aQuote({ due_date });
    const token = await client.aPortalToken(answered);
    await service.call(`/v1/portal/${token}/accept`, { method: 'POST', body: {} });
    setTo(addDays(due_date, 1), EAST, -60);
    expect(await run()).toBe(0);
    setTo(addDays(due_date, 1), EAST, 1);
    expect([await run(), await run()]).toEqual([1, 0]);
    expect(await told(quote)).toMatchObject([
      { type: 'document.expired', from: 'open', to: 'expired' },
    ]);
    expect(await typesOf(answered)).toEqual([]);
  });
});
