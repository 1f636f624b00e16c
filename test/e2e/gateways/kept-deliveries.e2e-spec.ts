import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryRecord } from '../../../src/payments/inbox/application/delivery-record.js';
import { Retention } from '../../../src/platform/database/retention.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { type ServiceWish, startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import {
  BatchApi,
  deliverBatch,
  foreignEvents,
  invoicesToPay,
  withBatches,
} from './batch-provider.js';

// How long deliveries are kept, and by whom they can be read.

const EVENTS = '/v1/finance/gateway-events';
const OLD = 'the old secret, of more than thirty-two characters';
const NEW = 'the new secret, of more than thirty-two characters';

const api = new BatchApi();
let database: TestDatabase;
let service: TestService;
let client: TestClient;

beforeAll(async () => {
  database = await aDatabase();
  // Nobody works off what is stored.
  service = await start({ secrets: [OLD] });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
beforeEach(() => database.query('DELETE FROM gateway_deliveries'));

const start = (wish: ServiceWish) =>
  startTestService({ ...withBatches(api), doesJobs: false, database, ...wish });

/** One call about a payment of the client, as it was kept. */
async function aKeptCall() {
  const { told } = await invoicesToPay(client, 1);
  await deliverBatch(service, told);
  const { body } = await client.get<{ data: { id: string }[] }>(EVENTS);
  return { id: body.data[0]?.id ?? '', sent: JSON.stringify(told) };
}

const bodyOf = async ({ id }: { id: string }) =>
  (await client.get<{ body: string | null }>(`${EVENTS}/${id}`)).body.body;

async function readBy(secrets: readonly string[], id: string) {
  const other = await start({ secrets });
  try {
    const reader = await other.aClient({ of: client });
    const { body } = await reader.get<{ body: string | null }>(`${EVENTS}/${id}`);
    return { text: body.body, replayed: await reader.post(`${EVENTS}/${id}/replay`) };
  } finally {
    await other.close();
  }
}

const passed = (days: number) =>
  database.query(
    `UPDATE gateway_deliveries SET received_at = received_at - interval '${days} days'`,
  );
const left = async () => {
  await service.app.get(DeliveryRecord).written();
  await service.app.get(Retention).run();
  return (await database.query('SELECT FROM gateway_deliveries')).length;
};

describe('retention', () => {
  it('forgets a call after its time, and not before', async () => {
    await aKeptCall();
    await passed(89);
    expect(await left()).toBe(1);
    await passed(2);
    expect(await left()).toBe(0);
  });

  it('keeps a large one until it is applied: nobody would send it again', async () => {
    await deliverBatch(service, foreignEvents(21));
    await passed(400);
    expect(await left()).toBe(1);
    await database.query(
      `UPDATE gateway_deliveries SET outcome = 'ignored', is_unfinished = false, next_try_at = NULL`,
    );
    expect(await left()).toBe(0);
  });
});

describe('the body of a call', () => {
  it('is read as long as its secret is one of ours', async () => {
    const { id, sent } = await aKeptCall();
    const both = await readBy([NEW, OLD], id);
    expect(both.text).toBe(sent);
    expect(both.replayed.body).toMatchObject({ changed: false, outcome: 'ok' });
    const gone = await readBy([NEW], id);
    expect(gone.text).toBeNull();
    expectProblem(gone.replayed, 409, 'gateway_event_unreadable');
  });

  it('is not read out of another row, nor if it was changed', async () => {
    const [one, other] = [await aKeptCall(), await aKeptCall()];
    expect([await bodyOf(one), await bodyOf(other)]).toEqual([one.sent, other.sent]);
    await database.query(
      `UPDATE gateway_deliveries d SET sealed_delivery = o.sealed_delivery
       FROM gateway_deliveries o WHERE o.delivery_id <> d.delivery_id`,
    );
    expect([await bodyOf(one), await bodyOf(other)]).toEqual([null, null]);
  });
});
