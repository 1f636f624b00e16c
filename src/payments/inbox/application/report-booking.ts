import { Injectable } from '@nestjs/common';
import type { EarlyReport } from '../../port/domain/early-report.js';
import type { Gateway } from '../../port/domain/gateway.js';
import type {
  PaidReport,
  ProviderPayout,
  ProviderReport,
} from '../../port/domain/provider-report.js';
import type { ReturnedReport } from '../../port/domain/told-refund.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { unknownReturn } from '../../recording/domain/unmatched-item.js';
import { MandateReports } from '../../collecting/application/mandates/mandate-reports.service.js';
import { Disputes } from '../../returning/application/disputes/disputes.service.js';
import { ProviderRefunds } from '../../returning/application/provider-refunds.service.js';
import { ProviderFailures } from './provider-failures.service.js';
import { ProviderPayouts } from './provider-payouts.js';
import { ProviderReports } from './provider-reports.service.js';

/** Has those who book money take what its provider confirmed, in their order. */
@Injectable()
export class ReportBooking {
  constructor(
    private readonly refunds: ProviderRefunds,
    private readonly reports: ProviderReports,
    private readonly failures: ProviderFailures,
    private readonly disputes: Disputes,
    private readonly payouts: ProviderPayouts,
    private readonly mandates: MandateReports,
  ) {}

  async take(gateway: Gateway, told: ProviderReport): Promise<WebhookOutcome> {
    if (told.kind === 'processing') return this.failures.processing(gateway, told);
    if (told.kind === 'mandate') return this.mandates.receive(gateway, told);
    if (told.kind === 'dispute') return this.disputes.receive(gateway, told);
    if (told.kind === 'payout') return this.takePayout(gateway, told);
    if (told.kind === 'failed' || told.kind === 'unpaid_again') {
      return this.failures.receive(gateway, told);
    }
    return this.apply(gateway, told);
  }

  /**
   * Money that goes back. It is settled before the event is kept: what broke in between is repeated,
   * and then finds it done.
   */
  async takeReturned(gateway: Gateway, told: ProviderReport): Promise<WebhookOutcome> {
    if (told.kind !== 'refund' && told.kind !== 'refunded_in_all') return this.apply(gateway, told);
    const taken = await this.refunds.receive(gateway, told);
    if (taken === 'kept') return 'ignored';
    if (taken === 'disagrees') return this.apply(gateway, unknownReturn(told));
    if (told.kind === 'refund') await this.payouts.meet(gateway, refundsIn([told]));
    return this.reports.keepBooked(gateway, told);
  }

  /** Money that came in, and what nobody books. */
  async apply(gateway: Gateway, report: ProviderReport): Promise<WebhookOutcome> {
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

  /** Booked before the event is kept, as money that goes back is. */
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
