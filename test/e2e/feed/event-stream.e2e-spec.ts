import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import { Readiness } from '../../../src/platform/observability/readiness.js';
import { EventStream } from '../../feed/event-stream.js';
import { holdAnEvent } from '../../feed/held-event.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let client: TestClient;
let open: EventStream[] = [];

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});
afterEach(() => {
  for (const stream of open) stream.close();
  open = [];
});

interface Wish {
  query?: string;
  last?: string;
  by?: TestClient;
  of?: TestService;
}

async function follow({ query = '', last, by = client, of = service }: Wish = {}) {
  const stream = await EventStream.of(of, by, { query, last });
  open.push(stream);
  return stream;
}

const refused = async (wish: Wish) =>
  follow(wish).then(
    () => 'a stream',
    (error: Error) => {
      const [, status, body] = /^(\d+): (.*)$/s.exec(error.message) ?? [];
      return `${status} ${(JSON.parse(body ?? '{}') as { code?: string }).code}`;
    },
  );

const typesOf = ({ events }: EventStream) => events.map(({ type }) => type);
const OF_INVOICE = ['customer.created', 'document.created', 'document.issued'];

/** All that the list has from the beginning on. */
async function listed(query = '', by = client): Promise<EventBody[]> {
  await allIsShown(service.database);
  const path = `/v1/events?after=beginning&limit=100&${query}`;
  return (await by.get<{ data: EventBody[] }>(path)).body.data;
}

describe('the stream of events', () => {
  it('has what the list has, in its order, and then what happens', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: invoice.total });
    const all = await listed();
    const stream = await follow({ query: 'after=beginning' });
    await stream.until(({ events }) => events.length === all.length);
    expect(stream.events).toEqual(all);
    expect(stream.retryMs).toBe(1000);
    await client.anInvoice();
    await stream.until(({ events }) => events.length === all.length + OF_INVOICE.length);
    expect(typesOf(stream).slice(all.length)).toEqual(OF_INVOICE);
  });

  it('begins with now, where nothing else is asked', async () => {
    await client.anInvoice();
    await allIsShown(service.database);
    const stream = await follow();
    await client.anInvoice();
    await stream.until(({ events }) => events.length >= OF_INVOICE.length);
    expect(typesOf(stream)).toEqual(OF_INVOICE);
  });

  it('goes on behind Last-Event-ID, which misses none and has none twice', async () => {
    for (let count = 0; count < 4; count += 1) await client.anInvoice();
    const all = await listed();
    const seen: EventBody[] = [];
    let last: string | undefined;
    while (seen.length < all.length) {
      const stream = await follow({ query: 'after=beginning', ...(last && { last }) });
      await stream.until(({ events }) => events.length > 0);
      // A client that broke off after the first one.
      const first = stream.frames.find(({ event }) => event);
      seen.push(first!.event!);
      last = first!.id;
      stream.close();
    }
    expect(seen).toEqual(all);
    const { body } = await client.get<{ data: EventBody[] }>(`/v1/events?after=${last}`);
    expect(body.data).toEqual([]);
  });

  it('waits for a transaction that is open, and never passes it over', async () => {
    const paid = await client.anInvoice();
    await client.pay(paid, { amount: paid.total });
    await allIsShown(service.database);
    const stream = await follow();
    const commit = await holdAnEvent(
      service.database,
      uuidOf('acc', client.accountId)!,
      'payment.recorded',
    );
    await client.anInvoice();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stream.events).toEqual([]);
    await commit();
    await stream.until(({ events }) => events.length === 1 + OF_INVOICE.length);
    expect(typesOf(stream)).toEqual(['payment.recorded', ...OF_INVOICE]);
  });

  it('tells the place that it has come to, while nothing of interest happens', async () => {
    await client.anInvoice();
    await allIsShown(service.database);
    const stream = await follow({ query: 'types=document.voided&after=beginning' });
    await stream.until(({ frames }) => frames.length > 1);
    const place = { id: expect.stringMatching(/^[0-9a-f]{12}\./), event: null };
    expect(stream.frames).toEqual([place, place]);
    expect(stream.frames[0]?.id).not.toBe(stream.last);
    const invoice = await client.anInvoice();
    await client.void(invoice);
    const again = await follow({ query: 'types=document.voided', last: stream.last! });
    await again.until(({ events }) => events.length > 0);
    expect(typesOf(again)).toEqual(['document.voided']);
  }, 40_000);

  it('is of types, a document, a customer, a payment, and of its account', async () => {
    const invoice = await client.anInvoice();
    const other = await client.anInvoice();
    await client.pay(invoice, { amount: invoice.total });
    const stranger = await service.aClient();
    const all = await listed();
    const paid = all.find(({ type }) => type === 'payment.recorded')!;
    const { id } = (paid.data as { payment: { id: string } }).payment;
    const queries = [
      'types=document.*',
      'types=document.paid,payment.recorded',
      `document=${other.id}`,
      `customer=${invoice.customer_id}`,
      `payment=${id}`,
    ];
    for (const query of queries) {
      const wanted = await listed(query);
      const stream = await follow({ query: `${query}&after=beginning` });
      await stream.until(({ events }) => events.length >= wanted.length);
      expect([query, stream.events]).toEqual([query, wanted]);
    }
    const theirs = await follow({ query: 'after=beginning', by: stranger });
    await stranger.aCustomer();
    await theirs.until(({ events }) => events.length > 0);
    expect(typesOf(theirs)).toEqual(['customer.created']);
  });

  it('needs events:read, and shows what other scopes read', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: invoice.total });
    await allIsShown(service.database);
    const ofMoney = await service.aClient({ of: client, scopes: ['events:read', 'payments:read'] });
    const stream = await follow({ query: 'after=beginning', by: ofMoney });
    await stream.until(({ events }) => events.length > 0);
    expect(typesOf(stream)).toEqual(['payment.recorded']);
    expect(stream.events[0]!.data).not.toHaveProperty('document');
    const none = await service.aClient({ of: client, scopes: ['documents:read'] });
    expect(await refused({ by: none })).toBe('403 insufficient_scope');
    expect(await refused({ by: ofMoney, query: 'types=document.paid' })).toBe(
      '403 insufficient_scope',
    );
  });

  it('refuses a place of another history, and one that is none', async () => {
    await client.anInvoice();
    const stream = await follow({ query: 'after=beginning' });
    await stream.until(({ events }) => events.length > 0);
    const strange = stream.frames[0]!.id.replace(/^[0-9a-f]{12}/, '000000000000');
    expect(await refused({ last: strange })).toBe('409 history_changed');
    expect(await refused({ query: `after=${strange}` })).toBe('409 history_changed');
    expect(await refused({ last: 'evt_1' })).toBe('400 invalid_last_event_id');
    expect(await refused({ query: 'after=yesterday' })).toBe('400 invalid_query');
    expect(await refused({ query: 'wait=5' })).toBe('400 invalid_query');
    const again = await follow({ last: '', query: 'after=beginning' });
    await again.until(({ events }) => events.length > 0);
  });
});

describe('a stream', () => {
  it('ends when its client is revoked', async () => {
    const reader = await service.aClient({ of: client });
    const stream = await follow({ by: reader });
    expect((await client.delete(`/v1/clients/${reader.id}`)).status).toBe(200);
    await stream.ended;
    await client.anInvoice();
    expect(stream.events).toEqual([]);
    expect(await refused({ by: reader })).toMatch(/^401|^undefined/);
  }, 10_000);

  it('ends with its token', async () => {
    const other = await startTestService({ accessTokenSeconds: 60 });
    const reader = await other.aClient();
    const stream = await follow({ by: reader, of: other });
    other.clock.advance({ seconds: 61 });
    await stream.ended;
    const again = await follow({ by: reader, of: other });
    await reader.aCustomer();
    await again.until(({ events }) => events.length > 0);
    again.close();
    await other.close();
  }, 15_000);

  it('ends when the process stops, and goes on in another one', async () => {
    const { database, clock } = service;
    const stopping = await startTestService({ database, clock });
    const reader = await stopping.aClient({ of: client });
    const stream = await follow({ by: reader, of: stopping, query: 'after=beginning' });
    await client.anInvoice();
    await stream.until(({ events }) => events.length === OF_INVOICE.length);
    stopping.app.get(Readiness).state = 'stopping';
    await stream.ended;
    await stopping.close();
    const again = await follow({ last: stream.last! });
    await client.aCustomer();
    await again.until(({ events }) => events.length > 0);
    expect(typesOf(again)).toEqual(['customer.created']);
  }, 15_000);

  it('has one place of a hundred in its account, until it is closed', async () => {
    const streams: EventStream[] = [];
    for (let count = 0; count < 100; count += 1) streams.push(await follow());
    expect(await refused({})).toBe('503 too_many_streams');
    const stranger = await service.aClient();
    await follow({ by: stranger });
    streams[0]!.close();
    await expect.poll(async () => refused({}), { timeout: 5000 }).toBe('a stream');
  }, 30_000);
});
