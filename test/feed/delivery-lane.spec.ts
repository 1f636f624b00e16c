import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { PastEvent } from '../../src/events/index.js';
import { DeliveryLane, type LaneMeans } from '../../src/feed/application/delivery-lane.js';
import type { OpenEndpoint } from '../../src/feed/application/delivery-calls.js';
import type { DeliveryStep } from '../../src/feed/infrastructure/delivery-queue.repository.js';

const QUEUE = { accountId: 'a', endpointId: 'e', round: 0n, failingSince: null };
const OK = { code: 200, failure: null, retryAfterMs: null };
const FAILED = { code: 500, failure: 'status' as const, retryAfterMs: null };

const eventAt = (place: number) => ({ id: String(place), xact: BigInt(place) }) as PastEvent;

/** A queue in memory, and an endpoint that answers when it is told to. */
class Played implements LaneMeans {
  readonly waits = [5, 300];
  readonly begun: string[] = [];
  readonly steps: DeliveryStep[] = [];
  readonly ends: string[] = [];
  underWay = 0;
  most = 0;

  constructor(
    private readonly count: number,
    private readonly answer: (place: number) => typeof OK | typeof FAILED = () => OK,
  ) {}

  now = () => new Date('2026-11-27T12:00:00Z');
  open = async () => ({}) as OpenEndpoint;
  again = async () => [];
  enter = async () => undefined;
  leave = () => undefined;
  noteFailing = async () => undefined;
  lease = async () => true;
  failed = (error: unknown) => {
    throw error;
  };

  async fresh(_: object, { xact }: { xact: bigint }, count: number) {
    const from = Number(xact) + 1;
    const length = Math.max(0, Math.min(count, this.count - from + 1));
    return Array.from({ length }, (__, at) => ({ event: eventAt(from + at), tries: 0 }));
  }

  async call(_: object, { id }: PastEvent) {
    this.begun.push(id);
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    await sleep(Math.random() * 3);
    this.underWay -= 1;
    return { result: this.answer(Number(id)), answer: null, ms: 1 };
  }

  async settle(step: DeliveryStep) {
    this.steps.push(step);
  }

  async disable(_: object, reason: string) {
    this.ends.push(`disabled: ${reason}`);
  }

  async release() {
    this.ends.push('released');
    return true;
  }

  async giveUp(_: object, until: Date | null) {
    this.ends.push(`given up until ${until?.toISOString() ?? 'now'}`);
  }
}

const places = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

describe('a lane of deliveries', () => {
  it('begins them in the order of commits, more at once while all goes well', async () => {
    const played = new Played(350);
    await new DeliveryLane(QUEUE, played).run();
    expect(played.begun).toEqual(places(1, 350));
    expect(played.most).toBeGreaterThan(50);
    expect(played.most).toBeLessThanOrEqual(100);
    expect(played.steps.every(({ status }) => status === 'delivered')).toBe(true);
    expect(played.ends).toEqual(['released']);
  });

  it('begins fewer at once after failures, and each has its next try', async () => {
    const played = new Played(60, () => FAILED);
    await new DeliveryLane(QUEUE, played).run();
    expect(played.most).toBeLessThanOrEqual(4);
    expect(played.begun).toEqual(places(1, 60));
    for (const { status, nextTryAt } of played.steps) {
      const wait = (nextTryAt!.getTime() - played.now().getTime()) / 1000;
      expect([status, wait >= 4.5 && wait <= 5.5]).toEqual(['pending', true]);
    }
  });

  it('begins no more when the endpoint has too much to do, and says until when', async () => {
    const busy = { code: 429, failure: 'status' as const, retryAfterMs: 60_000 };
    const played = new Played(200, (place) => (place < 20 ? OK : (busy as never)));
    await new DeliveryLane(QUEUE, played).run();
    expect(played.begun.length).toBeLessThan(80);
    expect(played.ends).toEqual(['given up until 2026-11-27T12:01:00.000Z']);
  });

  it('ends where the endpoint is gone', async () => {
    const gone = { code: 410, failure: 'status' as const, retryAfterMs: null };
    const played = new Played(50, () => gone as never);
    await new DeliveryLane(QUEUE, played).run();
    expect(played.begun.length).toBeLessThanOrEqual(4);
    expect(new Set(played.ends.slice(0, -1))).toEqual(new Set(['disabled: gone']));
    expect(played.ends.at(-1)).toBe('given up until now');
  });

  it('looks once more when something was added meanwhile', async () => {
    const played = new Played(10);
    let released = 0;
    played.release = async () => (released += 1) > 1;
    await new DeliveryLane(QUEUE, played).run();
    expect(released).toBe(2);
    expect(played.begun).toEqual(places(1, 10));
  });
});
