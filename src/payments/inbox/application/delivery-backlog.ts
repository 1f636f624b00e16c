import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { type Job, Jobs } from '../../../platform/jobs.js';
import { Log } from '../../../platform/observability/log.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import {
  FIRST_WAIT_SECONDS,
  gatewayEventUnreadable,
  HeardNames,
  MOST_REPORTS_AT_ONCE,
  MOST_TRIES,
  problemOf,
  type TakenDelivery,
} from '../domain/gateway-delivery.js';
import { countedGateway, Gateways } from '../../port/domain/gateways.js';
import type { NamedObject, ProviderReport } from '../../port/domain/provider-report.js';
import { nextLook } from '../../returning/domain/refund.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { outcomeOfAll, ProviderPayments } from './provider-payments.service.js';

/** Longer than a report may take: three calls of ten seconds, and a token. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
const EVERY_MS = 5000;
/** Its provider is out of reach: the next delivery is another one's. */
const MOST_FAILURES_IN_A_ROW = 3;

/** The reports of a delivery after one try. */
interface Tried {
  /** Places of those that failed and may yet succeed; null: all of them. */
  left: readonly number[] | null;
  outcomes: WebhookOutcome[];
  problem: string | null;
}

/**
 * Works off deliveries that were stored first, report by report. Those that fail are tried again, later
 * each time, and in the end are a person's. Any number of processes may do it at the same time.
 */
@Injectable()
export class DeliveryBacklog implements OnApplicationBootstrap {
  private readonly job: Job;

  constructor(
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly payments: ProviderPayments,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    const failure = 'stored deliveries could not be worked off';
    this.job = jobs.every(EVERY_MS, failure, () => this.run());
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
      const taken = await this.deliveries.takeDue(this.clock.serverNow(), this.leaseEnd());
      if (!taken) break;
      tried += 1;
      await this.workOff(taken);
    }
    return tried;
  }

  private async workOff(taken: TakenDelivery): Promise<void> {
    const heard = new HeardNames(taken.names);
    let counted = countedGateway({ name: taken.gateway, provider: 'unknown' });
    try {
      if (!taken.delivery) throw gatewayEventUnreadable();
      const gateway = await this.gateways.find(taken.gateway);
      counted = countedGateway(gateway);
      const told = this.payments.read(gateway, taken.delivery);
      const tried = await this.tryAll(gateway, taken, told, heard);
      // Stopped, or taken by somebody else: it is gone on with elsewhere.
      if (tried) await this.settle(taken, counted, tried, heard);
    } catch (error) {
      const of = { error, delivery: taken.id, gateway: taken.gateway };
      this.log.warn(of, 'a stored delivery could not be read');
      const problem = problemOf(error);
      await this.settle(taken, counted, { left: taken.left, outcomes: [], problem }, heard);
    }
  }

  private async tryAll(
    gateway: Gateway,
    taken: TakenDelivery,
    told: readonly (ProviderReport | NamedObject)[],
    heard: HeardNames,
  ): Promise<Tried | undefined> {
    const places = taken.left ?? [...told.keys()];
    const left: number[] = [];
    const tried: Tried = { left, outcomes: [], problem: null };
    let [renewedAt, sinceRenewal, failures] = [this.clock.elapsedMs(), 0, 0];
    for (const [at, place] of places.entries()) {
      const isOld = this.clock.elapsedMs() - renewedAt > RENEW_MS;
      if (this.job.isStopping || isOld || sinceRenewal >= MOST_REPORTS_AT_ONCE) {
        const again = this.job.isStopping ? this.clock.serverNow() : this.leaseEnd();
        const open = [...places.slice(at), ...left];
        const isOurs = await this.deliveries.keepProgress(taken, open, again);
        if (!isOurs || this.job.isStopping) return undefined;
        [renewedAt, sinceRenewal] = [this.clock.elapsedMs(), 0];
      }
      sinceRenewal += 1;
      const report = told[place];
      if (!report) continue;
      try {
        tried.outcomes.push(await this.payments.receiveAll(gateway, [report], heard.hear));
        failures = 0;
      } catch (error) {
        const of = { error, delivery: taken.id, gateway: gateway.name, place };
        this.log.warn(of, 'a report of a stored delivery failed');
        tried.problem = problemOf(error);
        // A denial stays one, however often it is asked for.
        if (error instanceof InvalidSignature) continue;
        left.push(place);
        failures += 1;
        // Those that were not tried come first the next time.
        if (failures >= MOST_FAILURES_IN_A_ROW) {
          return { ...tried, left: [...places.slice(at + 1), ...left] };
        }
      }
    }
    return tried;
  }

  /** @param counted the gateway's name in metrics */
  private async settle(
    taken: TakenDelivery,
    counted: string,
    tried: Tried,
    heard: HeardNames,
  ): Promise<void> {
    const { left, problem } = tried;
    const names = heard.all();
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

  private leaseEnd(): Date {
    return new Date(this.clock.serverNow().getTime() + LEASE_MS);
  }
}
