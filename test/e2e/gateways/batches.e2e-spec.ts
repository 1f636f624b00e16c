import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { BatchApi, deliverBatch, invoicesToPay, type Told, withBatches } from './batch-provider.js';
import { next } from './stripe-events.js';

const api = new BatchApi();
const { undecided } = api;

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService(withBatches(api));
  client = await service.aClient();
});
afterAll(() => service.close());
beforeEach(() => undecided.clear());

const deliver = (told: readonly Told[], signature?: string) =>
  deliverBatch(service, told, signature);

it('books each report of a delivery under its own event', async () => {
  const { told, paid } = await invoicesToPay(client, 3);
  expect((await deliver(told)).body).toEqual({ status: 'ok' });
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
  const events = await service.database.query(
    'SELECT 1 FROM provider_events WHERE event_id = ANY($1)',
    [told.map(({ event }) => event)],
  );
  expect(events).toHaveLength(3);
});

it('books each once when the delivery comes ten times at once', async () => {
  const { told, paid } = await invoicesToPay(client, 3);
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(told)));
  expect(answers.map(({ text }) => text)).toEqual(Array(10).fill('{"status":"ok"}'));
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
});

it('is not done before the last is; one that fails keeps no other out', async () => {
  const { told, paid } = await invoicesToPay(client, 3);
  undecided.add(told[1]?.payment ?? '');
  const answer = await deliver(told);
  expect([answer.status, answer.body.code]).toEqual([503, 'gateway_unavailable']);
  expect(await paid()).toEqual([11_900, 0, 11_900]);
  undecided.clear();
  expect((await deliver(told)).body).toEqual({ status: 'ok' });
  expect(await paid()).toEqual([11_900, 11_900, 11_900]);
});

it('is ok if one of its reports was applied, and ignored if there is none', async () => {
  const { told } = await invoicesToPay(client, 1);
  const foreign = { event: `evt_${next()}`, link: 'plink_nobody', payment: `pay_${next()}` };
  expect((await deliver([foreign, ...told])).body).toEqual({ status: 'ok' });
  expect((await deliver([])).body).toEqual({ status: 'ignored' });
});

it('books nothing of a delivery that is not signed', async () => {
  const { told, paid } = await invoicesToPay(client, 2);
  expect((await deliver(told, 'bad')).body).toMatchObject({ code: 'invalid_signature' });
  expect(await paid()).toEqual([0, 0]);
});
