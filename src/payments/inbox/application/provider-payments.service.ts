import { Injectable } from '@nestjs/common';
import { type Delivery, type Gateway, InvalidSignature } from '../../port/domain/gateway.js';
import type {
  NamedObject,
  PaidReport,
  ProviderPayout,
  ProviderReport,
} from '../../port/domain/provider-report.js';
import { ReportJudge } from '../../port/application/report-judge.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import type { ReturnedReport } from '../../port/domain/told-refund.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { unknownReturn } from '../../recording/domain/unmatched-item.js';
import { MandateReports } from '../../collecting/application/mandates/mandate-reports.service.js';
import { Disputes } from '../../returning/application/disputes/disputes.service.js';
import { ProviderPayouts } from './provider-payouts.js';
import { ProviderRefunds } from '../../returning/application/provider-refunds.service.js';
import { ProviderReports } from './provider-reports.service.js';
import { ProviderFailures } from './provider-failures.service.js';
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
    private readonly refunds: ProviderRefunds,
    private readonly reports: ProviderReports,
    private readonly failures: ProviderFailures,
    private readonly disputes: Disputes,
    private readonly payouts: ProviderPayouts,
    private readonly mandates: MandateReports,
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
    if (report.kind === 'irrelevant') return this.apply(gateway, report);
    if (report.kind === 'refund' || report.kind === 'refunded_in_all') {
      return this.takeReturned(gateway, report, hear);
    }
    const wanted = report.kind !== 'approved' || (await this.approvals.has(gateway, report));
    return this.takeConfirmed(gateway, report, hear, wanted);
  }

  /** @param isAsked whether the provider is asked first */
  private async takeConfirmed(
    gateway: Gateway,
    report: ProviderReport,
    hear: Hear,
    isAsked: boolean,
  ): Promise<WebhookOutcome> {
    const told = isAsked ? await this.confirmed(gateway, report) : report;
    hear(told);
    if (told.kind === 'processing') return this.failures.processing(gateway, told);
    if (told.kind === 'mandate') return this.mandates.receive(gateway, told);
    if (told.kind === 'dispute') return this.disputes.receive(gateway, told);
    if (told.kind === 'payout') return this.takePayout(gateway, told);
    if (told.kind === 'failed' || told.kind === 'unpaid_again') {
      return this.failures.receive(gateway, told);
    }
    return this.apply(gateway, told);
  }

  private async apply(gateway: Gateway, report: ProviderReport): Promise<WebhookOutcome> {
    const { outcome, early, isAwaited } = await this.reports.apply(gateway, report);
    // Also of a repeated report: the process may have died in between.
    await this.meet(gateway, early, isAwaited && report.kind === 'paid' ? report : null);
    return outcome;
  }

  /**
   * Applies to a payment what was told before it came.
   * @param awaited the payment, if a payout may wait for it
   */
  async meet(
    gateway: Gateway,
    early: readonly EarlyReport[],
    awaited: Pick<PaidReport, 'providerPaymentId'> | null,
  ): Promise<void> {
    await this.failures.meet(gateway, early);
    await this.refunds.meet(gateway, early);
    await this.payouts.meet(gateway, refundsIn(early));
    if (!awaited) return;
    const { providerPaymentId: providerId } = awaited;
    await this.payouts.meet(gateway, [{ kind: 'payment', providerId }]);
  }

  private async confirmed(gateway: Gateway, report: ProviderReport): Promise<ProviderReport> {
    return this.judge.report(gateway, await gateway.confirm(report));
  }

  /** Settled before the event is kept: what broke in between is repeated, and then finds it done. */
  private async takeReturned(
    gateway: Gateway,
    report: ReturnedReport,
    hear: Hear,
  ): Promise<WebhookOutcome> {
    const told = await this.confirmed(gateway, report);
    hear(told);
    if (told.kind !== 'refund' && told.kind !== 'refunded_in_all') return this.apply(gateway, told);
    const taken = await this.refunds.receive(gateway, told);
    if (taken === 'kept') return 'ignored';
    if (taken === 'disagrees') return this.apply(gateway, unknownReturn(told));
    if (told.kind === 'refund') await this.payouts.meet(gateway, refundsIn([told]));
    return this.reports.keepBooked(gateway, told);
  }

  /** Booked before the event is kept, for the same reason. */
  private async takePayout(gateway: Gateway, told: ProviderPayout): Promise<WebhookOutcome> {
    const review = await this.payouts.take(gateway, told);
    if (review !== null) return this.apply(gateway, { ...told, review });
    await this.reports.keepBooked(gateway, told);
    // Also where it could not be booked when this event came first.
    return 'ok';
  }
}

function refundsIn(
  told: readonly (EarlyReport | ReturnedReport)[],
): { kind: 'refund'; providerId: string }[] {
  return told.flatMap((one) =>
    one.kind === 'refund' && one.providerRefundId !== null
      ? { kind: one.kind, providerId: one.providerRefundId }
      : [],
  );
}
