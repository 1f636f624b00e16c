import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Job } from '../../../platform/jobs.js';
import { Log } from '../../../platform/observability/log.js';
import { type Delivery, type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import {
  gatewayEventUnreadable,
  HeardNames,
  MOST_REPORTS_AT_ONCE,
  problemOf,
  type ReportNames,
  type TakenDelivery,
} from '../domain/gateway-delivery.js';
import { countedGateway, Gateways } from '../../port/domain/gateways.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';
import { ProviderPayments } from './provider-payments.service.js';

/** Longer than a report may take: three calls of ten seconds, and a token. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;
/** Its provider is out of reach: the next delivery is another one's. */
const MOST_FAILURES_IN_A_ROW = 3;

/** The reports of a delivery after one try. */
interface TriedReports {
  /** Places of those that failed and may yet succeed; null: all of them. */
  left: readonly number[] | null;
  outcomes: WebhookOutcome[];
  problem: string | null;
}

export interface TriedDelivery extends TriedReports {
  /** The gateway's name in metrics. */
  counted: string;
  names: readonly ReportNames[];
}

/** The end of a lease that is taken, or renewed, now. */
export const leaseEnd = (clock: Clock) => new Date(clock.serverNow().getTime() + LEASE_MS);

/** Tries the reports of a stored delivery one by one, as long as its lease is ours. */
@Injectable()
export class DeliveryTries {
  constructor(
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly payments: ProviderPayments,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Undefined: stopped, or taken by somebody else. It is gone on with elsewhere. */
  async of(taken: TakenDelivery, job: Job): Promise<TriedDelivery | undefined> {
    const heard = new HeardNames(taken.names);
    let counted = countedGateway({ name: taken.gateway, provider: 'unknown' });
    try {
      if (!taken.delivery) throw gatewayEventUnreadable();
      const gateway = await this.gateways.find(taken.gateway);
      counted = countedGateway(gateway);
      const tried = await this.tryAll(gateway, taken, taken.delivery, heard, job);
      return tried && { ...tried, counted, names: heard.all() };
    } catch (error) {
      const of = { error, delivery: taken.id, gateway: taken.gateway };
      this.log.warn(of, 'a stored delivery could not be read');
      const problem = problemOf(error);
      return { left: taken.left, outcomes: [], problem, counted, names: heard.all() };
    }
  }

  private async tryAll(
    gateway: Gateway,
    taken: TakenDelivery,
    delivery: Delivery,
    heard: HeardNames,
    job: Job,
  ): Promise<TriedReports | undefined> {
    const told = this.payments.read(gateway, delivery);
    const places = taken.left ?? [...told.keys()];
    const left: number[] = [];
    const tried: TriedReports = { left, outcomes: [], problem: null };
    let [renewedAt, sinceRenewal, failures] = [this.clock.elapsedMs(), 0, 0];
    for (const [at, place] of places.entries()) {
      const isOld = this.clock.elapsedMs() - renewedAt > RENEW_MS;
      if (job.isStopping || isOld || sinceRenewal >= MOST_REPORTS_AT_ONCE) {
        const again = job.isStopping ? this.clock.serverNow() : leaseEnd(this.clock);
        const open = [...places.slice(at), ...left];
        const isOurs = await this.deliveries.keepProgress(taken, open, again);
        if (!isOurs || job.isStopping) return undefined;
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
}
