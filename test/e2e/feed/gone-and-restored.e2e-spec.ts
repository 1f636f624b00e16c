import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/feed/wire/event.js';
import { EventStream } from '../../feed/event-stream.js';
import { allIsShown } from '../../feed/shown.js';
import type { TestClient } from '../../support/client.js';
import { aRestoredCopy } from '../../support/restore.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good, patched } from '../documents/document-calls.js';

// Events outlive their objects, and a restored database has another history.

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

interface Page {
  data: EventBody[];
  next_cursor: string;
}

async function page(query: string, by = client, of = service): Promise<Page> {
  await allIsShown(of.database);
  return good(await by.get<Page>(`/v1/events?${query}`), 200);
}

async function follow(query: string, last?: string, by = client, of = service) {
  const stream = await EventStream.of(of, by, { query, last });
  open.push(stream);
  return stream;
}

const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);

describe('what was deleted', () => {
  it('is told of a draft, whose events stay', async () => {
    const draft = await client.anInvoice({ issue: false });
    await patched(client, draft, { notes: 'To be thrown away' });
    const { next_cursor: before } = await page('after=beginning');
    const stream = await follow(`types=document.deleted&after=${before}`);
    good(await client.delete(`/v1/finance/documents/${draft.id}`), 204);
    expect((await client.get(`/v1/finance/documents/${draft.id}`)).status).toBe(404);
    await stream.until(({ events }) => events.length > 0);
    expect(stream.events[0]).toMatchObject({
      document_id: draft.id,
      data: { document: { id: draft.id, status: 'draft' }, previous_status: 'draft' },
    });
    const all = ['document.created', 'document.updated', 'document.deleted'];
    const { data } = await page(`after=beginning&document=${draft.id}`);
    expect(typesOf(data)).toEqual(all);
    for (const event of data) {
      expect((await client.get(`/v1/events/${event.id}`)).body).toEqual(event);
    }
    const newest = await page(`document=${draft.id}`);
    expect(typesOf(newest.data)).toEqual(all.toReversed());
  });

  it('is told of a customer, of whom no event keeps a name', async () => {
    const customer = await client.aCustomer({ name: 'Erika Mustermann', email: 'erika@a.example' });
    const path = `/v1/finance/customers/${customer.id}`;
    good(await client.patch(path, { name: 'Erika Gabler', reference: 'R-77' }), 200);
    good(await client.delete(path), 204);
    const { data } = await page(`after=beginning&customer=${customer.id}`);
    expect(data.map(({ type, data }) => [type, data])).toEqual([
      ['customer.created', { customer: { id: customer.id, version: 1, archived_at: null } }],
      [
        'customer.updated',
        {
          customer: { id: customer.id, version: 2, archived_at: null },
          changed: ['/name', '/reference'],
        },
      ],
      ['customer.deleted', { customer: { id: customer.id, version: 2, archived_at: null } }],
    ]);
    const [kept] = await service.database.query<{ rows: bigint }>(
      `SELECT count(*) AS rows FROM events WHERE data::text ~ 'Erika|erika@|R-77'`,
    );
    expect(kept).toEqual({ rows: 0n });
  });
});

describe('after a restore', () => {
  it('no place of before counts, and the same events are there in the same order', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: invoice.total });
    const all = (await page('after=beginning')).data;
    const inside = (await page('after=beginning&limit=2')).next_cursor;
    const { next_cursor: atTheEnd } = await page('after=now');
    const database = await aRestoredCopy(service.database);
    // Committed after the backup: gone, and perhaps in the copy of a program.
    await client.anInvoice();
    const lost = (await page('after=beginning')).next_cursor;
    const restored = await startTestService({ database, clock: service.clock });
    try {
      const reader = await restored.aClient({ of: client });
      for (const place of [inside, atTheEnd, lost]) {
        const answer = await reader.get(`/v1/events?after=${place}`);
        expect(answer.body).toMatchObject({ status: 409, code: 'history_changed' });
        await expect(follow('', place, reader, restored)).rejects.toThrow('history_changed');
      }
      const { next_cursor: now } = await page('after=now', reader, restored);
      expect((await page('after=beginning', reader, restored)).data).toEqual(all);
      const stream = await follow('', now, reader, restored);
      await reader.aCustomer();
      await stream.until(({ events }) => events.length > 0);
      expect(typesOf(stream.events)).toEqual(['customer.created']);
      expect((await client.get(`/v1/events?after=${now}`)).body).toMatchObject({
        code: 'history_changed',
      });
    } finally {
      for (const stream of open) stream.close();
      await restored.close();
      await database.drop();
    }
  }, 120_000);
});
