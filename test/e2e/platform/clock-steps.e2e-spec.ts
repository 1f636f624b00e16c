import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Retention } from '../../../src/platform/database/retention.js';
import { ClockWatch } from '../../../src/platform/observability/clock-watch.js';
import { createLog } from '../../../src/platform/observability/log.js';
import { RefundLookUps } from '../../../src/payments/returning/application/refunds/refund-look-ups.js';
import { TestClock } from '../../../src/testing/test-clock.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import {
  afresh,
  paidByCard,
  readRefund,
  refund,
  type RefundService,
} from '../payments/refund-calls.js';
import { startRefundService } from '../payments/refund-calls.js';

const HOUR_MS = 3_600_000;

describe('a clock that is set', () => {
  let service: TestService;
  let client: TestClient;
  const lines: string[] = [];

  beforeEach(async () => {
    lines.length = 0;
    const log = createLog('warn', { write: (line) => lines.push(line) });
    const clock = new TestClock();
    clock.set(new Date(Date.now() - 7 * 24 * HOUR_MS));
    service = await startTestService({ log, clock });
    client = await service.aClient();
  });
  afterEach(() => service.close());

  /** No time passes. */
  const step = (hours: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + hours * HOUR_MS));
  const metric = async (direction: string) =>
    new RegExp(`^clock_steps_total\\{direction="${direction}"\\} (\\d+)$`, 'm').exec(
      (await service.metrics()).text,
    )?.[1];
  const told = () =>
    lines
      .map((line) => JSON.parse(line) as { msg: string; seconds: number })
      // Nest warns of the second application that describes answers, where this file runs first.
      .filter(({ msg }) => !msg.startsWith('A data source'))
      .map(({ msg, seconds }) => `${msg} ${seconds}`);

  it('is told of in the log and counted, once, in either direction', async () => {
    const watch = service.app.get(ClockWatch);
    watch.look();
    service.clock.advance({ hours: 5 });
    watch.look();
    expect(told()).toEqual([]);
    step(24);
    watch.look();
    watch.look();
    expect(told()).toEqual(['the clock was set 86400']);
    step(-1);
    watch.look();
    expect(told()).toEqual(['the clock was set 86400', 'the clock was set -3600']);
    expect([await metric('forwards'), await metric('backwards')]).toEqual(['1', '1']);
  });

  const keys = async () => {
    const rows = await service.database.query('SELECT FROM idempotency_keys');
    return rows.length;
  };

  it('forwards makes no key forgotten that is young by the time that passed', async () => {
    await client.pay(await client.anInvoice(), {}, { 'Idempotency-Key': 'young' });
    // To the database, whose clock went along, the key is a week old, as it is to us.
    step(7 * 24);
    expect(await keys()).toBe(1);
    await service.app.get(Retention).run();
    expect(await keys()).toBe(1);
    service.clock.advance({ hours: 73 });
    await service.app.get(Retention).run();
    expect(await keys()).toBe(0);
  });

  it('forwards makes no key forgotten that the database calls young', async () => {
    service.clock.set(new Date());
    service.app.get(ClockWatch).look();
    await client.pay(await client.anInvoice(), {}, { 'Idempotency-Key': 'young' });
    service.clock.advance({ days: 7 });
    await service.app.get(Retention).run();
    expect(await keys()).toBe(1);
  });
});

describe('what is surely longer ago', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const hoursAgo = () => {
    const before = service.app
      .get(ClockWatch)
      .longAgo(72 * HOUR_MS)
      .getTime();
    return Math.round((service.clock.now().getTime() - before) / HOUR_MS);
  };
  const step = (hours: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + hours * HOUR_MS));

  it('goes by the time that passed, until a leap of the clock is longer ago itself', () => {
    expect(hoursAgo()).toBe(72);
    step(24);
    expect(hoursAgo()).toBe(96);
    service.clock.advance({ hours: 48 });
    step(2);
    expect(hoursAgo()).toBe(98);
    service.clock.advance({ hours: 25 });
    expect(hoursAgo()).toBe(74);
    step(-5);
    expect(hoursAgo()).toBe(74);
    service.clock.advance({ hours: 48 });
    expect(hoursAgo()).toBe(72);
  });
});

describe('a refund that nobody knows of', () => {
  let world: RefundService;
  afterEach(() => world.close());

  it.each([5, 30, 600])('is looked up after the %i seconds of the setting', async (seconds) => {
    world = await afresh(await startRefundService({ refundLookUpSeconds: seconds }));
    const { payment } = await paidByCard(world);
    world.stub.next = ['lost'];
    const { refund: one } = good(await refund(world.client, payment), 201);
    const looks = () => world.service.app.get(RefundLookUps).run();
    world.stub.nextLookUps = [500];
    world.service.clock.advance({ seconds: seconds - 2 });
    expect(await looks()).toBe(0);
    world.service.clock.advance({ seconds: 3 });
    expect(await looks()).toBe(1);
    expect((await readRefund(world.client, one)).status).toBe('unknown');
    world.service.clock.advance({ seconds: 2 * seconds - 2 });
    expect(await looks()).toBe(0);
    world.service.clock.advance({ seconds: 3 });
    expect(await looks()).toBe(1);
    expect((await readRefund(world.client, one)).status).toBe('succeeded');
  });
});
