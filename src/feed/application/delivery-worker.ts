import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Commits, type FeedEnd } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { FairQueue } from '../../platform/fair-queue.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { within } from '../../platform/within.js';
import {
  DeliveryQueueRepository,
  type DueQueue,
  type Look,
} from '../infrastructure/delivery-queue.repository.js';
import { DeliveryCalls } from './delivery-calls.js';
import { DeliveryLane, type LaneMeans } from './delivery-lane.js';
import { DeliveryMaker } from './delivery-maker.js';
import { DeliverySettlements } from './delivery-settlements.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

/** A timer of this process; how often the database is asked is another thing. */
const EVERY_MS = 100;
const RENEW_MS = 2000;
const STOP_MS = 5000;
/** Calls of a process that are under way at once, and those of one account. */
const MOST_CALLS = 1000;
const MOST_OF_ACCOUNT = 200;

/** As it was at the last look. */
type Found = Pick<Look, 'isWanted' | 'hasEvents' | 'nextAt'> & { seen: FeedEnd };

/**
 * Makes deliveries of events and sends them. Any number of processes may do it: one has an endpoint
 * at a time, by a lease that ends with it.
 */
@Injectable()
export class DeliveryWorker implements OnModuleDestroy {
  private readonly lanes = new Map<Uuid, { lane: DeliveryLane; ended: Promise<void> }>();
  private readonly places = new FairQueue({
    places: MOST_CALLS,
    each: MOST_OF_ACCOUNT,
    waiting: Infinity,
    refusal: () => new Error('no room for a delivery'),
  });
  private readonly job: Job;
  private renewAt = 0;
  private last: Found | undefined;

  constructor(
    private readonly commits: Commits,
    private readonly maker: DeliveryMaker,
    private readonly queues: DeliveryQueueRepository,
    private readonly calls: DeliveryCalls,
    private readonly settlements: DeliverySettlements,
    private readonly endpoints: WebhookEndpoints,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    this.job = jobs.every(
      calls.areMade ? EVERY_MS : 0,
      'deliveries stopped; the next round goes on',
      () => this.round(),
    );
  }

  /** Calls that are under way have a moment to end. The next process sends the rest. */
  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
    const running = [...this.lanes.values()];
    for (const { lane } of running) lane.end();
    const ended = Promise.all(running.map((one) => one.ended));
    await within(STOP_MS, 'deliveries', ended).catch(() => undefined);
  }

  private async round(): Promise<void> {
    const seen = await this.commits.seen(this.isBusy);
    if (this.last?.seen === seen && this.lanes.size === 0) return;
    if (this.last && !this.mayFind(seen, this.last)) {
      this.last = { ...this.last, seen, hasEvents: false };
      return;
    }
    const { isOtherHistory, isFirst, isWanted, hasEvents, ...found } = await this.look();
    if (isOtherHistory) await this.maker.hold();
    else if (isFirst) await this.maker.begin();
    const makes = hasEvents && isWanted && !isOtherHistory;
    if (makes) while (!this.job.isStopping && (await this.maker.make()));
    const { due, nextAt } = makes ? await this.look() : found;
    for (const queue of due) await this.open(queue);
    await this.renew(performance.now());
    this.last = { seen, isWanted, hasEvents, nextAt };
  }

  private async look(): Promise<Look> {
    return this.queues.look(this.clock.serverNow());
  }

  /** With endpoints, more is expected after something, and while calls are under way. */
  private get isBusy(): boolean {
    if (!this.last?.isWanted) return false;
    return this.last.hasEvents || this.lanes.size > 0 || this.commits.areExpected;
  }

  /** All is as it was if nothing was committed and no time has come. */
  private mayFind({ snapshot }: FeedEnd, { seen, nextAt }: Found): boolean {
    const isDue = nextAt !== null && nextAt <= this.clock.serverNow();
    return isDue || this.lanes.size > 0 || seen.snapshot !== snapshot;
  }

  private async open(queue: DueQueue): Promise<void> {
    const known = this.lanes.get(queue.endpointId);
    if (known) return known.lane.wake(queue);
    if (this.job.isStopping || !(await this.queues.lease(queue))) return;
    const lane = new DeliveryLane(queue, this.means());
    const ended = lane
      .run()
      .catch((error: unknown) => this.job.failed(error, { endpoint: queue.endpointId }))
      .finally(() => this.lanes.delete(queue.endpointId));
    this.lanes.set(queue.endpointId, { lane, ended });
  }

  private async renew(now: number): Promise<void> {
    if (now < this.renewAt || this.lanes.size === 0) return;
    this.renewAt = now + RENEW_MS;
    const own = await this.queues.renew();
    for (const [id, { lane }] of this.lanes) if (!own.has(id)) lane.end();
  }

  private means(): LaneMeans {
    const { queues, calls, settlements, endpoints, clock, places } = this;
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
        endpoints.disableFor(reason, accountId, endpointId),
      lease: (queue) => queues.lease(queue),
      release: (queue) => queues.release(queue),
      giveUp: (queue, until) => queues.giveUp(queue, until),
      failed: (error, of) => this.job.failed(error, of),
    };
  }
}
