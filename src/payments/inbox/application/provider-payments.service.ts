import { Injectable } from '@nestjs/common';
import { type Delivery, type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import type { NamedObject, ProviderReport } from '../../port/domain/provider-report.js';
import { ReportJudge } from '../../port/application/report-judge.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { ReportBooking } from './report-booking.js';
import { WantedApprovals } from '../../returning/application/wanted-approvals.js';

/** A delivery may name hundreds of objects, and its sender waits for some seconds only. */
const LOOKED_UP_AT_ONCE = 8;

/** Gets each report, as it came and as its provider confirmed it. */
type Hear = (report: ProviderReport) => void;

/** The outcome of several reports together. */
export function outcomeOfAll(outcomes: readonly WebhookOutcome[]): WebhookOutcome {
  const has = (outcome: WebhookOutcome) => outcomes.includes(outcome);
  return has('ok') ? 'ok' : has('no_link_id') ? 'no_link_id' : 'ignored';
}

/** Takes what providers report of money, and asks them again before it is booked. */
@Injectable()
export class ProviderPayments {
  constructor(
    private readonly approvals: WantedApprovals,
    private readonly booking: ReportBooking,
    private readonly judge: ReportJudge,
  ) {}

  /** All that a verified delivery tells. */
  read(gateway: Gateway, delivery: Delivery): readonly (ProviderReport | NamedObject)[] {
    return this.judge.all(gateway, gateway.parse(delivery));
  }

  /**
   * All reports of one delivery, one after the other, each under its own event id. One that fails
   * does not keep the others out; they find that they are booked when the delivery comes again.
   * @throws InvalidSignature, DomainError: as those who book them, and `Gateway.lookUp`, do
   */
  async receiveAll(
    gateway: Gateway,
    told: readonly (ProviderReport | NamedObject)[],
    hear: Hear = () => {},
  ): Promise<WebhookOutcome> {
    const outcomes: WebhookOutcome[] = [];
    const failures: unknown[] = [];
    const judged = this.judge.all(gateway, told);
    for (let at = 0; at < judged.length; at += LOOKED_UP_AT_ONCE) {
      const some = judged.slice(at, at + LOOKED_UP_AT_ONCE);
      const looked = await Promise.allSettled(
        some.map(async (one) =>
          one.kind === 'named' ? this.judge.all(gateway, await gateway.lookUp(one)) : [one],
        ),
      );
      for (const one of looked) {
        try {
          if (one.status === 'rejected') throw one.reason;
          for (const report of one.value) outcomes.push(await this.receive(gateway, report, hear));
        } catch (error) {
          failures.push(error);
        }
      }
    }
    // One that has to come again says so for all.
    if (failures.length > 0) {
      throw failures.find((error) => !(error instanceof InvalidSignature)) ?? failures[0];
    }
    return outcomeOfAll(outcomes);
  }

  /**
   * Confirms a verified report with its provider, outside any transaction, and has it booked.
   * @throws InvalidSignature when the provider denies it, or the event id came with another body
   * @throws DomainError `gateway_unavailable`, `database_unavailable`: to be sent again
   */
  private async receive(gateway: Gateway, came: unknown, hear: Hear): Promise<WebhookOutcome> {
    const report = this.judge.report(gateway, came);
    hear(report);
    if (report.kind === 'irrelevant') return this.booking.apply(gateway, report);
    const isWanted = report.kind !== 'approved' || (await this.approvals.has(gateway, report));
    const told = isWanted ? await this.confirmed(gateway, report) : report;
    hear(told);
    const isReturn = report.kind === 'refund' || report.kind === 'refunded_in_all';
    return isReturn ? this.booking.takeReturned(gateway, told) : this.booking.take(gateway, told);
  }

  private async confirmed(gateway: Gateway, report: ProviderReport): Promise<ProviderReport> {
    return this.judge.report(gateway, await gateway.confirm(report));
  }
}
