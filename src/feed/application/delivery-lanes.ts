import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { FairQueue } from '../../platform/fair-queue.js';
import type { Job } from '../../platform/jobs.js';
import { tracing } from '../../platform/tracing/tracing.js';
import {
  DeliveryQueueRepository,
  type DueQueue,
  type Look,
} from '../infrastructure/delivery-queue.repository.js';
import { DeliveryCalls } from './delivery-calls.js';
import { DeliveryLane, type LaneMeans } from './delivery-lane.js';
import { DeliverySettlements } from './delivery-settlements.js';
import { EndpointDisabling } from './endpoint-disabling.js';

const RENEW_MS = 2000;
/** Calls of a process that are under way at once, and those of one account. */
const MOST_CALLS = 1000;
const MOST_OF_ACCOUNT = 200;

/** The endpoints that this process sends to, each by a lease that ends with it. */
@Injectable()
export class DeliveryLanes {
  private readonly lanes = new Map<Uuid, { lane: DeliveryLane; ended: Promise<void> }>();
  private readonly places = new FairQueue({
    places: MOST_CALLS,
    each: MOST_OF_ACCOUNT,
    waiting: Infinity,
    refusal: () => new Error('no room for a delivery'),
  });
  private renewAt = 0;

  constructor(
    private readonly queues: DeliveryQueueRepository,
    private readonly calls: DeliveryCalls,
    private readonly settlements: DeliverySettlements,
    private readonly disabling: EndpointDisabling,
    private readonly clock: Clock,
  ) {}

  /** Whether this process has any. */
  get mayOpen(): boolean {
    return this.calls.areMade;
  }

  get areOpen(): boolean {
    return this.lanes.size > 0;
  }

  /** How the queues of all endpoints stand, and which are due. */
  async look(): Promise<Look> {
    return this.queues.look(this.clock.serverNow());
  }

  async open(queue: DueQueue, job: Job): Promise<void> {
    const known = this.lanes.get(queue.endpointId);
    if (known) return known.lane.wake(queue);
    if (job.isStopping || !(await this.queues.lease(queue))) return;
    const lane = new DeliveryLane(queue, this.means(job));
    const ended = tracing
      .detached(async () => lane.run())
      .catch((error: unknown) => job.failed(error, { endpoint: queue.endpointId }))
      .finally(() => this.lanes.delete(queue.endpointId));
    this.lanes.set(queue.endpointId, { lane, ended });
  }

  async renew(now: number): Promise<void> {
    if (now < this.renewAt || !this.areOpen) return;
    this.renewAt = now + RENEW_MS;
    const own = await this.queues.renew();
    for (const [id, { lane }] of this.lanes) if (!own.has(id)) lane.end();
  }

  /** @returns when the calls that are under way have ended */
  async end(): Promise<void> {
    const running = [...this.lanes.values()];
    for (const { lane } of running) lane.end();
    await Promise.all(running.map(({ ended }) => ended));
  }

  private means(job: Job): LaneMeans {
    const { queues, calls, settlements, disabling, clock, places } = this;
    return {
      now: () => clock.serverNow(),
      waits: calls.waits,
      open: (queue) => calls.open(queue),
      fresh: (queue, behind, count) => queues.fresh(queue, behind, count),
      again: (queue, without, count) => queues.again(queue, clock.serverNow(), without, count),
      enter: async (account) => places.enter(account),
      leave: (account) => places.leave(account),
      call: (endpoint, event) => calls.call(endpoint, event),
      settle: (step) => settlements.add(step),
      noteFailing: (queue, since) => queues.noteFailing(queue, since),
      disable: ({ accountId, endpointId }, reason) =>
        disabling.disableFor(reason, accountId, endpointId),
      lease: (queue) => queues.lease(queue),
      release: (queue) => queues.release(queue),
      giveUp: (queue, until) => queues.giveUp(queue, until),
      failed: (error, of) => job.failed(error, of),
    };
  }
}
