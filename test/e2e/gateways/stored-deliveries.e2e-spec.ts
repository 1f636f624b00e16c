import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { DeliveryBacklog } from '../../../src/payments/inbox/application/delivery-backlog.js';
import { Jobs } from '../../../src/platform/jobs.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';
import { TestClock } from '../../../src/testing/test-clock.js';
import {
  BatchApi,
  deliverBatch,
  foreignEvents,
  invoicesToPay,
  type Told,
  withBatches,
} from './batch-provider.js';

// Large deliveries are stored first, answered, and worked off by whichever process is there.

interface EventBody {
  id: string;
  outcome: string;
  problem: string | null;
  attempts: number;
  next_try_at: string | null;
}

const api = new BatchApi();
const clock = new TestClock();
let database: TestDatabase;
const services: TestService[] = [];
let service: TestService;
let client: TestClient;

/** It works nothing off by itself. */
async function start(doesJobs = false): Promise<TestService> {
  const made = await startTestService({ ...withBatches(api), doesJobs, database, clock });
  services.push(made);
  return made;
}

async function stop(one: TestService): Promise<void> {
  services.splice(services.indexOf(one), 1);
  await one.close();
}

beforeAll(async () => {
  database = await aDatabase();
  service = await start();
  client = await service.aClient();
});
afterAll(async () => {
  for (const one of services) await one.close();
  await database.drop();
});
beforeEach(() => {
  api.asked.length = 0;
});
afterEach(() => {
  api.undecided.clear();
  api.denied.clear();
  api.before = () => undefined;
});

const workOff = (one = service) => one.app.get(DeliveryBacklog).run();

async function event(): Promise<EventBody> {
  const { body } = await client.get<{ data: EventBody[] }>('/v1/finance/gateway-events');
  return body.data[0]!;
}

/** Two payments of the account, among as many as make a delivery large. */
async function aLargeDelivery() {
  const { told, paid } = await invoicesToPay(client, 2);
  const all = [...told, ...foreignEvents(20)];
  return { told, all, paid };
}

async function deliver(all: readonly Told[]) {
  const answer = await deliverBatch(service, all);
  expect([answer.status, answer.body]).toEqual([200, { status: 'accepted' }]);
}

it('is answered before anything of it is applied, and worked off once', async () => {
  const { all, paid } = await aLargeDelivery();
  await deliver(all);
  expect([api.asked, await paid()]).toEqual([[], [0, 0]]);
  expect(await workOff()).toBe(1);
  expect(await paid()).toEqual([11_900, 11_900]);
  expect(api.asked).toEqual(all.map(({ payment }) => payment));
  expect(await event()).toMatchObject({ outcome: 'ok', problem: null, next_try_at: null });
  expect(await workOff()).toBe(0);
});

it('is begun at once by a process that does jobs, and at its start', async () => {
  const { all, paid } = await aLargeDelivery();
  await deliver(all);
  const other = await start(true);
  await expect.poll(paid).toEqual([11_900, 11_900]);
  const second = await aLargeDelivery();
  expect((await deliverBatch(other, second.all)).body).toEqual({ status: 'accepted' });
  await expect.poll(second.paid).toEqual([11_900, 11_900]);
  // Its payments are not all of it: nothing may be left for the next test.
  await expect.poll(async () => (await event()).outcome).toBe('ok');
  await stop(other);
});

it('of a process that died is gone on with by another one, and is not booked twice', async () => {
  const { all, paid } = await aLargeDelivery();
  await deliver(all);
  let revive!: () => void;
  const dead = new Promise<void>((resolve) => (revive = resolve));
  const reached = new Promise<void>((resolve) => {
    api.before = (payment) => {
      if (payment !== all[1]?.payment) return;
      resolve();
      return dead;
    };
  });
  const first = workOff();
  await reached;
  expect(await paid()).toEqual([11_900, 0]);
  api.before = () => undefined;
  const other = await start();
  // As long as the first one may live, nobody takes its work.
  expect(await workOff(other)).toBe(0);
  clock.advance({ seconds: 61 });
  expect(await workOff(other)).toBe(1);
  expect(await event()).toMatchObject({ outcome: 'ok', attempts: 2 });
  revive();
  await first;
  expect(await event()).toMatchObject({ outcome: 'ok', attempts: 2 });
  expect(await paid()).toEqual([11_900, 11_900]);
  await stop(other);
});

it('of a process that stops is gone on with where it stopped, and at once', async () => {
  const { all, paid } = await aLargeDelivery();
  await deliver(all);
  const other = await start();
  let stopping: Promise<void> | undefined;
  api.before = async (payment) => {
    if (payment !== all[4]?.payment) return;
    stopping = Promise.resolve(other.app.get(Jobs).onModuleDestroy());
  };
  expect(await workOff(other)).toBe(1);
  await stopping;
  expect(api.asked).toHaveLength(5);
  api.before = () => undefined;
  expect(await workOff()).toBe(1);
  expect(api.asked).toEqual(all.map(({ payment }) => payment));
  expect([await paid(), (await event()).outcome]).toEqual([[11_900, 11_900], 'ok']);
  await stop(other);
});

it('is tried again for what failed, later each time, and is a person’s in the end', async () => {
  const { told, all, paid } = await aLargeDelivery();
  await deliver(all);
  const stuck = told[1]!.payment;
  api.undecided.add(stuck);
  expect(await workOff()).toBe(1);
  expect(await paid()).toEqual([11_900, 0]);
  expect(await event()).toMatchObject({ outcome: 'accepted', problem: 'gateway_unavailable' });
  expect(await workOff()).toBe(0);
  api.asked.length = 0;
  clock.advance({ seconds: 31 });
  expect(await workOff()).toBe(1);
  // The next wait is longer.
  clock.advance({ seconds: 31 });
  expect(await workOff()).toBe(0);
  for (let tries = 2; tries < 30; tries += 1) {
    clock.advance({ hours: 1, seconds: 1 });
    expect(await workOff()).toBe(1);
  }
  expect(new Set(api.asked)).toEqual(new Set([stuck]));
  const failed = await event();
  expect(failed).toMatchObject({
    outcome: 'failed',
    problem: 'gateway_unavailable',
    attempts: 30,
    next_try_at: null,
  });
  clock.advance({ days: 30 });
  expect(await workOff()).toBe(0);

  api.undecided.clear();
  const replayed = await client.post(`/v1/finance/gateway-events/${failed.id}/replay`);
  expect(replayed.body).toMatchObject({ changed: false, outcome: 'accepted' });
  expect(await workOff()).toBe(1);
  expect(await paid()).toEqual([11_900, 11_900]);
  expect(await event()).toMatchObject({ outcome: 'ok', problem: null });
});

it('does not ask a provider that is out of reach for each report, and leaves none untried', async () => {
  const { told, all, paid } = await aLargeDelivery();
  // The first three fail for good, the two payments stand behind them.
  const [one, two, three, ...others] = foreignEvents(20);
  const stuck = [one!, two!, three!];
  await deliver([...stuck, ...others, ...told]);
  for (const { payment } of stuck) api.undecided.add(payment);
  expect(await workOff()).toBe(1);
  expect(api.asked).toEqual(stuck.map(({ payment }) => payment));
  expect(await event()).toMatchObject({ outcome: 'accepted', problem: 'gateway_unavailable' });
  clock.advance({ seconds: 31 });
  expect(await workOff()).toBe(1);
  expect(api.asked).toHaveLength(3 + all.length);
  expect(await paid()).toEqual([11_900, 11_900]);
});

it('is not asked for again where its provider denies a report', async () => {
  const { told, all, paid } = await aLargeDelivery();
  await deliver(all);
  api.denied.add(told[0]!.payment);
  expect(await workOff()).toBe(1);
  expect(await paid()).toEqual([0, 11_900]);
  expect(await event()).toMatchObject({
    outcome: 'failed',
    problem: 'invalid_signature',
    next_try_at: null,
  });
});

it('is shared by several processes, each delivery with one of them', async () => {
  const other = await start();
  const large = [await aLargeDelivery(), await aLargeDelivery(), await aLargeDelivery()];
  for (const { all } of large) await deliver(all);
  const tried = await Promise.all([workOff(), workOff(other), workOff(), workOff(other)]);
  expect(tried.reduce((sum, count) => sum + count)).toBe(3);
  const sent = large.flatMap(({ all }) => all.map(({ payment }) => payment));
  expect(api.asked.toSorted()).toEqual(sent.toSorted());
  for (const { paid } of large) expect(await paid()).toEqual([11_900, 11_900]);
  await stop(other);
});
