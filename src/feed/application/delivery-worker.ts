import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Commits, type FeedEnd } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { within } from '../../platform/within.js';
import type { Look } from '../infrastructure/delivery-queue.repository.js';
import { DeliveryLanes } from './delivery-lanes.js';
import { DeliveryMaker } from './delivery-maker.js';

/** A timer of this process; how often the database is asked is another thing. */
const EVERY_MS = 100;
const STOP_MS = 5000;

/** As it was at the last look. */
type Found = Pick<Look, 'isWanted' | 'hasEvents' | 'nextAt'> & { seen: FeedEnd };

/**
 * Makes deliveries of events and sends them. Any number of processes may do it: one has an endpoint
 * at a time, by a lease that ends with it.
 */
@Injectable()
export class DeliveryWorker implements OnModuleDestroy {
  private readonly job: Job;
  private last: Found | undefined;

  constructor(
    private readonly commits: Commits,
    private readonly maker: DeliveryMaker,
    private readonly lanes: DeliveryLanes,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    const everyMs = lanes.mayOpen ? EVERY_MS : 0;
    const failure = 'deliveries stopped; the next round goes on';
    this.job = jobs.every(everyMs, failure, () => this.round(), { name: 'deliveries' });
  }

  /** Calls that are under way have a moment to end. The next process sends the rest. */
  async onModuleDestroy(): Promise<void> {
    await this.job.stop();
    await within(STOP_MS, 'deliveries', this.lanes.end()).catch(() => undefined);
  }

  private async round(): Promise<void> {
    const seen = await this.commits.seen(this.isBusy);
    if (this.last?.seen === seen && !this.lanes.areOpen) return;
    if (this.last && !this.mayFind(seen, this.last)) {
      this.last = { ...this.last, seen, hasEvents: false };
      return;
    }
    const { isOtherHistory, isFirst, isWanted, hasEvents, ...found } = await this.lanes.look();
    if (isOtherHistory) await this.maker.hold();
    else if (isFirst) await this.maker.begin();
    const makes = hasEvents && isWanted && !isOtherHistory;
    if (makes) while (!this.job.isStopping && (await this.maker.make()));
    const { due, nextAt } = makes ? await this.lanes.look() : found;
    for (const queue of due) await this.lanes.open(queue, this.job);
    await this.lanes.renew(performance.now());
    this.last = { seen, isWanted, hasEvents, nextAt };
  }

  /** With endpoints, more is expected after something, and while calls are under way. */
  private get isBusy(): boolean {
    if (!this.last?.isWanted) return false;
    return this.last.hasEvents || this.lanes.areOpen || this.commits.areExpected;
  }

  /** All is as it was if nothing was committed and no time has come. */
  private mayFind({ snapshot }: FeedEnd, { seen, nextAt }: Found): boolean {
    const isDue = nextAt !== null && nextAt <= this.clock.serverNow();
    return isDue || this.lanes.areOpen || seen.snapshot !== snapshot;
  }
}
