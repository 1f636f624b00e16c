import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Readiness } from '../../../src/platform/observability/readiness.js';
import { holdAnEvent } from '../../feed/held-event.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

interface Feed {
  data: EventBody[];
  has_more: boolean;
  next_cursor: string;
}

const list = async (query: string, by = client) => by.get<Feed>(`/v1/events?${query}`);

/** All that a program reads from a place on, page by page. */
async function followed(after: string, query = 'limit=3', by = client) {
  await allIsShown(service.database);
  const events: EventBody[] = [];
  for (let at = after; ;) {
    const { body } = await list(`after=${at}&${query}`, by);
    events.push(...body.data);
    at = body.next_cursor;
    if (!body.has_more) return { events, at };
  }
}

const idsOf = (events: readonly EventBody[]) => events.map(({ id }) => id);
const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);

/** Of all events of the account that fit. */
const types = async (query: string) => typesOf((await followed('beginning', query)).events);

async function aPaidInvoice() {
  const invoice = await client.anInvoice();
  await client.pay(invoice, { amount: 11_900 });
  return invoice;
}

describe('the feed of events', () => {
  it('has the newest first for people, in pages', async () => {
    const invoice = await aPaidInvoice();
    const { body } = await list('limit=2');
    expect(body.data[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'document.paid',
      api_version: 'v1',
      account_id: expect.stringMatching(/^acc_/),
      actor: { type: 'client', id: client.id },
      document_id: invoice.id,
      data: { document: { id: invoice.id, status: 'paid' }, previous_status: 'open' },
    });
    expect(body.has_more).toBe(true);
    const { body: rest } = await list(`limit=100&cursor=${body.next_cursor}`);
    const shown = [...body.data, ...rest.data];
    expect(typesOf(shown).toReversed().slice(0, 3)).toEqual([
      'customer.created',
      'document.created',
      'document.issued',
    ]);
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    const one = await client.get(`/v1/events/${shown[0]!.id}`);
    expect(one.body).toEqual(shown[0]);
  });

  it('gives programs each event once, in order, and what comes later behind their place', async () => {
    const first = await aPaidInvoice();
    const { events, at } = await followed('beginning');
    const all = await list('limit=100');
    expect(idsOf(events)).toEqual(idsOf(all.body.data).toReversed());
    expect(await followed(at)).toEqual({
      events: [],
      at: expect.stringMatching(/^[0-9a-f]{12}\./),
    });
    await client.post(`/v1/finance/documents/${first.id}/credit-notes`, {});
    const later = await followed(at);
    expect(typesOf(later.events)).toContain('credit_note.issued');
    expect(later.events.some(({ id }) => idsOf(events).includes(id))).toBe(false);
    const now = await list('after=now');
    expect(now.body).toMatchObject({ data: [], has_more: false });
  });

  it('is of some types, a document, a customer, a payment, a time', async () => {
    const invoice = await aPaidInvoice();
    const other = await aPaidInvoice();
    const { body: paid } = await client.get<{ data: { id: string }[] }>(
      `/v1/finance/documents/${invoice.id}/payments`,
    );
    expect(new Set(await types(`document=${invoice.id}`))).toEqual(
      new Set(['document.created', 'document.issued', 'payment.recorded', 'document.paid']),
    );
    expect(await types(`document=${other.id}&types=document.*`)).toEqual([
      'document.created',
      'document.issued',
      'document.paid',
    ]);
    expect(await types(`customer=${invoice.customer_id}&types=document.paid`)).toHaveLength(1);
    expect(await types(`payment=${paid.data[0]!.id}`)).toEqual(['payment.recorded']);
    const now = service.clock.now().getTime();
    const at = (ms: number) => new Date(now + ms).toISOString();
    expect(await types(`from=${at(1000)}`)).toEqual([]);
    expect(await types(`to=${at(1000)}&types=document.issued,payment.*`)).toHaveLength(4);
  });

  it('keeps what is not committed for later, and never skips it', async () => {
    await aPaidInvoice();
    const { at } = await followed('beginning');
    const commit = await holdAnEvent(
      service.database,
      uuidOf('acc', client.accountId)!,
      'payment.recorded',
    );
    await aPaidInvoice();
    const { body: meanwhile } = await list(`after=${at}`);
    expect(meanwhile.data).toEqual([]);
    await commit();
    const { events } = await followed(meanwhile.next_cursor);
    expect(typesOf(events)).toEqual([
      'payment.recorded',
      'customer.created',
      'document.created',
      'document.issued',
      'payment.recorded',
      'document.paid',
    ]);
    expect(await followed('beginning')).toMatchObject({
      events: expect.objectContaining({ length: 11 }),
    });
  });

  it('waits for the next event, and answers at once when it comes, or with none in the end', async () => {
    await allIsShown(service.database);
    const { body: now } = await list('after=now');
    const waiting = list(`after=${now.next_cursor}&wait=20&types=document.issued`);
    const none = await list(`after=${now.next_cursor}&wait=1`);
    expect(none.body).toMatchObject({ data: [], has_more: false });
    await client.anInvoice();
    expect(typesOf((await waiting).body.data)).toEqual(['document.issued']);
  });

  it('lets nobody wait while the process stops', async () => {
    const { database } = service;
    const other = await startTestService({ database });
    const reader = await other.aClient({ of: client });
    other.app.get(Readiness).state = 'stopping';
    // The test would end before that.
    const answer = await list('after=now&wait=25', reader);
    expect(answer.body).toMatchObject({ data: [], has_more: false });
    await other.close();
  }, 15_000);

  it('tells a reader whose history is another one', async () => {
    await aPaidInvoice();
    const { at } = await followed('beginning', 'limit=1');
    const [history, xact, event] = at.split('.') as [string, string, string];
    const stranger = await service.aClient();
    const places = [
      `${history.replace(/./g, '0')}.${xact}.${event}`,
      `${history}.${BigInt(xact) + 1_000_000n}.evt_00000000000000000000000000`,
      `${history}.${xact}.evt_01h455vb4pex5vsknk084sn02q`,
    ];
    for (const place of places) {
      expect((await list(`after=${place}`)).body).toMatchObject({
        status: 409,
        code: 'history_changed',
      });
    }
    const { body } = await list('after=beginning&limit=1');
    expect((await list(`after=${body.next_cursor}`, stranger)).body).toMatchObject({
      code: 'history_changed',
    });
  });

  it('refuses what it cannot read, with all of it', async () => {
    const wrong = await list('after=yesterday&wait=26&types=document.sold&payment=doc_1');
    expect(wrong.body).toMatchObject({
      status: 400,
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: '/after', code: 'invalid_position' }),
        expect.objectContaining({ pointer: '/wait' }),
        expect.objectContaining({ pointer: '/types', code: 'not_in_list' }),
        expect.objectContaining({ pointer: '/payment', code: 'invalid_id' }),
      ]),
    });
    const both = await list('after=now&cursor=abc');
    expect(both.body).toMatchObject({ status: 400, code: 'cursor_and_after' });
    const alone = await list('wait=5');
    expect(alone.body).toMatchObject({ status: 400, code: 'wait_without_after' });
  });
});

describe('who reads an event', () => {
  it('needs events:read, and the scope that reads its object', async () => {
    await aPaidInvoice();
    const none = await service.aClient({ scopes: ['documents:read'], of: client });
    expect((await list('limit=1', none)).body).toMatchObject({
      code: 'insufficient_scope',
      scope: 'events:read',
    });
    const ofMoney = await service.aClient({ scopes: ['events:read', 'payments:read'], of: client });
    const { events } = await followed('beginning', 'limit=2', ofMoney);
    expect(typesOf(events)).toEqual(['payment.recorded']);
    expect(events[0]!.data).toMatchObject({ payment: { amount: 11_900 } });
    expect(events[0]!.data).not.toHaveProperty('document');
    expect((await list('types=document.*', ofMoney)).body).toMatchObject({
      status: 403,
      scope: 'documents:read',
    });
    const [issued] = (await list('types=document.issued')).body.data;
    expect((await ofMoney.get(`/v1/events/${issued!.id}`)).body).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
    expect((await list('types=document.*&limit=1', ofMoney)).status).toBe(403);
  });

  it('is of its account', async () => {
    await aPaidInvoice();
    const [event] = (await list('limit=1')).body.data;
    const stranger = await service.aClient();
    expect((await stranger.get(`/v1/events/${event!.id}`)).body).toMatchObject({
      status: 404,
      code: 'event_not_found',
    });
    expect((await list('after=beginning', stranger)).body.data).toEqual([]);
  });
});
