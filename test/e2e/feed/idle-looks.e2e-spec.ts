import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EventFeedQuery, type FeedEnd } from '../../../src/events/index.js';
import { DeliveryQueueRepository } from '../../../src/feed/infrastructure/delivery-queue.repository.js';
import { answering, Receiver } from '../../feed/receiver.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';

const WATCHED_MS = 4000;

let service: TestService;
let client: TestClient;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService({ sendsEvents: true });
  client = await service.aClient();
  receiver = await Receiver.open(answering(200));
  const wish = { url: receiver.url, types: ['document.issued'] };
  expect((await client.post('/v1/webhook-endpoints', wish)).status).toBe(201);
  await client.anInvoice();
  await vi.waitFor(() => expect(receiver.calls).toHaveLength(1), { timeout: 20_000 });
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

it('asks the database at most twice a second for readers and endpoints together', async () => {
  const { next_cursor: now } = (await client.get<{ next_cursor: string }>('/v1/events?after=now'))
    .body;
  await sleep(2000);
  const asked = vi.spyOn(service.app.get(EventFeedQuery), 'end');
  const others = [
    vi.spyOn(service.app.get(DeliveryQueueRepository), 'look'),
    vi.spyOn(service.app.get(EventFeedQuery), 'accountsBetween'),
  ];
  const read = client.get<{ data: object[] }>(`/v1/events?after=${now}&wait=10`);
  await sleep(WATCHED_MS);
  expect(asked.mock.calls.length).toBeGreaterThan(0);
  // Two more of the reader itself, when it comes.
  expect(asked.mock.calls.length).toBeLessThanOrEqual((2 * WATCHED_MS) / 1000 + 2);
  // One may be under way.
  const snapshots = asked.mock.settledResults.flatMap(({ type, value }) =>
    type === 'fulfilled' ? (value as FeedEnd).snapshot : [],
  );
  // Other databases of the server commit, too.
  const changes = new Set(snapshots).size;
  // A change brings a look before deliveries are made, and one after; the last one may be from before.
  for (const { mock } of others) expect(mock.calls.length).toBeLessThanOrEqual(2 * changes + 1);
  await client.anInvoice();
  expect((await read).body.data.length).toBeGreaterThan(0);
  await vi.waitFor(() => expect(receiver.calls).toHaveLength(2), { timeout: 20_000 });
});
