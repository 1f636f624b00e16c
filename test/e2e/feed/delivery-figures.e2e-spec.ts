import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { WebhookEndpointWithSecretBody } from '../../../src/feed/wire/webhook-endpoint.js';
import { answering, Receiver } from '../../feed/receiver.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';

let service: TestService;
let client: TestClient;
let receiver: Receiver;
let code = 200;

beforeAll(async () => {
  service = await startTestService({ sendsEvents: true, deliveryRetrySeconds: [60] });
  receiver = await Receiver.open((call, response) => answering(code)(call, response));
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});
beforeEach(async () => {
  client = await service.aClient();
});

/** Samples of ours by their names and labels. */
async function scraped(): Promise<Record<string, number>> {
  const { text } = await service.metrics();
  const lines = text.split('\n').filter((line) => /^(webhook_|event_reader)/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const soon = async (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 100 });

async function anEndpoint() {
  const wish = { url: receiver.url, types: ['document.issued'] };
  return good(await client.post<WebhookEndpointWithSecretBody>('/v1/webhook-endpoints', wish), 201);
}

it('tells how deliveries stand: what waits and is due, how long, tries, what was given up, endpoints', async () => {
  expect(await scraped()).toMatchObject({
    'webhook_deliveries_waiting{state="waiting"}': 0,
    webhook_delivery_oldest_due_seconds: 0,
    'webhook_endpoints{state="enabled"}': 0,
    'event_reader_behind_transactions{reader="deliveries"}': 0,
  });
  const endpoint = await anEndpoint();
  await client.anInvoice();
  await soon(async () =>
    expect(await scraped()).toMatchObject({
      'webhook_delivery_tries_total{outcome="delivered"}': 1,
      'webhook_deliveries_waiting{state="waiting"}': 0,
      'webhook_endpoints{state="enabled"}': 1,
    }),
  );
  code = 500;
  await client.anInvoice();
  await soon(async () =>
    expect(await scraped()).toMatchObject({
      'webhook_delivery_tries_total{outcome="status"}': 1,
      'webhook_deliveries_waiting{state="waiting"}': 1,
      'webhook_deliveries_waiting{state="due"}': 0,
      webhook_delivery_oldest_due_seconds: 0,
    }),
  );
  service.clock.advance({ seconds: 67 });
  await soon(async () =>
    expect(await scraped()).toMatchObject({
      webhook_deliveries_given_up_total: 1,
      'webhook_deliveries_waiting{state="waiting"}': 0,
    }),
  );
  code = 410;
  await client.anInvoice();
  await soon(async () =>
    expect(await scraped()).toMatchObject({
      'webhook_endpoints{state="gone"}': 1,
      'webhook_endpoints{state="enabled"}': 0,
    }),
  );
  good(await client.delete(`/v1/webhook-endpoints/${endpoint.id}`), 204);
  expect(await scraped()).toMatchObject({ 'webhook_endpoints{state="gone"}': 0 });
});

it('tells how long something is due that nobody sends, and how far readers are behind', async () => {
  code = 200;
  // Another process has it, for longer than it lives.
  const { id } = await anEndpoint();
  await service.database.query(
    `UPDATE webhook_queues SET leased_by = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
  );
  await client.anInvoice();
  await soon(async () =>
    expect(await scraped()).toMatchObject({ 'webhook_deliveries_waiting{state="due"}': 1 }),
  );
  service.clock.advance({ seconds: 90 });
  const { webhook_delivery_oldest_due_seconds: seconds } = await scraped();
  expect(seconds).toBeGreaterThanOrEqual(90);
  expect(seconds).toBeLessThan(120);
  // A reader whose mark was set back.
  await service.database.query(
    `UPDATE event_marks SET through_xact = through_xact - 5000 WHERE consumer = 'mail'`,
  );
  const behind = (await scraped())['event_reader_behind_transactions{reader="mail"}'];
  expect(behind).toBeGreaterThanOrEqual(5000);
  good(await client.delete(`/v1/webhook-endpoints/${id}`), 204);
});
