import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { MailWorker } from '../../../src/mail/application/mail-worker.js';
import type { WebhookEndpointWithSecretBody } from '../../../src/feed/wire/webhook-endpoint.js';
import { leasedByAnother } from '../../feed/lease.js';
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
  const lines = text.split('\n').filter((line) => /^(webhook|mail)_/.test(line));
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
    webhook_events_unread_seconds: 0,
    mail_facts_unread_seconds: 0,
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
  // Another process has it, and sends nothing.
  const { id } = await anEndpoint();
  const endOther = await leasedByAnother(service.database);
  await client.anInvoice();
  await soon(async () =>
    expect(await scraped()).toMatchObject({ 'webhook_deliveries_waiting{state="due"}': 1 }),
  );
  service.clock.advance({ seconds: 90 });
  const { webhook_delivery_oldest_due_seconds: seconds } = await scraped();
  expect(seconds).toBeGreaterThanOrEqual(90);
  expect(seconds).toBeLessThan(120);
  expect(await scraped()).toMatchObject({ webhook_events_unread_seconds: 0 });
  // A transaction that stays open holds up all who read events.
  const held = await service.database.connect();
  await held.query('BEGIN');
  await held.query('SELECT pg_current_xact_id()');
  await client.anInvoice();
  service.clock.advance({ seconds: 45 });
  const unread = (await scraped())['webhook_events_unread_seconds'];
  await held.query('ROLLBACK');
  await held.end();
  expect(unread).toBeGreaterThanOrEqual(45);
  await soon(async () =>
    expect(await scraped()).toMatchObject({ webhook_events_unread_seconds: 0 }),
  );
  // The endpoint of before was disabled, which is mailed; nobody makes messages here but by hand.
  expect((await scraped())['mail_facts_unread_seconds']).toBeGreaterThan(90);
  await service.app.get(MailWorker).run();
  expect(await scraped()).toMatchObject({ mail_facts_unread_seconds: 0 });
  await endOther();
  good(await client.delete(`/v1/webhook-endpoints/${id}`), 204);
});
