import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { type Job, Jobs } from '../../../platform/jobs.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import {
  FIRST_WAIT_SECONDS,
  MOST_TRIES,
  problemOf,
  type TakenDelivery,
} from '../domain/gateway-delivery.js';
import { nextLook } from '../../returning/domain/refund.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { DeliveryTries, leaseEnd, type TriedDelivery } from './delivery-tries.js';
import { outcomeOfAll } from './provider-payments.service.js';

const EVERY_MS = 5000;

/**
 * Works off deliveries that were stored first. Those whose reports fail are tried again, later each time,
 * and in the end are a person's. Any number of processes may do it at the same time.
 */
@Injectable()
export class DeliveryBacklog implements OnApplicationBootstrap {
  private readonly job: Job;

  constructor(
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly tries: DeliveryTries,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    jobs: Jobs,
  ) {
    const failure = 'stored deliveries could not be worked off';
    this.job = jobs.every(EVERY_MS, failure, () => this.run(), { name: 'stored deliveries' });
  }

  onApplicationBootstrap(): void {
    this.begin();
  }

  /** Nobody waits for it; another process may do it. */
  begin(): void {
    void this.job.begin();
  }

  /** @returns how many deliveries were tried */
  async run(): Promise<number> {
    let tried = 0;
    while (!this.job.isStopping) {
      const now = this.clock.serverNow();
      const taken = await this.deliveries.takeDue(now, leaseEnd(this.clock));
      if (!taken) break;
      tried += 1;
      await this.workOff(taken);
    }
    return tried;
  }

  private async workOff(taken: TakenDelivery): Promise<void> {
    const tried = await this.tries.of(taken, this.job);
    if (!tried) return;
    try {
      await this.settle(taken, tried);
    } catch (error) {
      this.job.failed(error, { delivery: taken.id, gateway: taken.gateway });
      const problem = problemOf(error);
      await this.settle(taken, { ...tried, left: taken.left, outcomes: [], problem });
    }
  }

  private async settle(taken: TakenDelivery, tried: TriedDelivery): Promise<void> {
    const { left, problem, names, counted } = tried;
    if (left?.length !== 0 && taken.attempts < MOST_TRIES) {
      const nextTryAt = nextLook(this.clock.serverNow(), taken.attempts - 1, FIRST_WAIT_SECONDS);
      const to = { outcome: 'accepted', problem, left, nextTryAt, names } as const;
      return this.deliveries.settle(taken, to);
    }
    const before = await this.deliveries.outcomesOf(taken.gateway, names);
    const outcome = problem ? 'failed' : outcomeOfAll([...before, ...tried.outcomes]);
    await this.deliveries.settle(taken, { outcome, problem, left, nextTryAt: null, names });
    this.metrics.countWebhook(counted, outcome);
  }
}
