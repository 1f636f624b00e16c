import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { IdGenerator } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../domain/gateway.js';
import { goneInAll, type ReturnedReport, type ToldRefund } from '../../domain/told-refund.js';
import type { WebhookOutcome } from '../../domain/webhook-outcome.js';
import { ProviderReportRepository } from '../../infrastructure/provider-report.repository.js';
import {
  amountInItems,
  closeItemsOfRefunds,
  keepUnmatchedItem,
} from '../../infrastructure/unmatched-item.repository.js';

/**
 * Keeps refunds that are told before their payment, or that failed before they were told. Of money
 * that went back of a payment of nobody there are items, over as much as is known to have gone.
 */
@Injectable()
export class EarlyRefunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ProviderReportRepository,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** Locks the provider's payment. */
  async lock(
    tx: Tx,
    gateway: string,
    { providerPaymentId }: Pick<ToldRefund, 'providerPaymentId'>,
  ): Promise<readonly ToldRefund[]> {
    const early = await this.reports.lockEarly(tx, gateway, providerPaymentId);
    return early.filter((one) => one.kind === 'refund');
  }

  /** @throws InvalidSignature when the event id came with another body */
  async outcomeOf(
    tx: Tx,
    gateway: Gateway,
    report: ReturnedReport,
  ): Promise<WebhookOutcome | undefined> {
    return this.reports.outcomeOf(tx, gateway.name, report);
  }

  /** With its event, and an item where more went back than items tell. @param early the ones before */
  async keep(
    tx: Tx,
    gateway: Gateway,
    report: ReturnedReport,
    told: ToldRefund,
    early: readonly ToldRefund[],
  ): Promise<void> {
    const now = this.clock.now();
    const { providerPaymentId, amount } = told;
    const { eventId, eventType, review } = report;
    const gone = goneInAll([...early, told], amount.currency);
    const inItems = await amountInItems(tx, gateway.name, providerPaymentId, amount.currency);
    const missing = gone.minus(inItems);
    if (missing.isPositive()) {
      const of = { direction: 'out' as const, providerPaymentId, linkReference: null };
      const subject = `out ${providerPaymentId} ${gone}`;
      const item = { ...of, amount: missing, told: review, eventId, eventType, subject };
      keepUnmatchedItem(tx, gateway, item, this.ids.next(), now);
    }
    this.reports.keepRefund(tx, gateway.name, eventId, told, now);
    this.reports.insertEvent(tx, gateway.name, report, 'ignored', now);
  }

  /** One that failed before it was told: what is told of it later, and earlier at its provider, is old. */
  keepFailure(
    tx: Tx,
    gateway: Gateway,
    { eventId }: ReturnedReport,
    told: ToldRefund,
    early: readonly ToldRefund[],
  ): void {
    if (hasFailed(told, early)) return;
    this.reports.keepRefund(tx, gateway.name, eventId, told, this.clock.now());
  }

  /** The refunds that the items were about are in the books now. */
  async close(gateway: string, providerPaymentId: string): Promise<void> {
    await this.uow.run(async (tx) => {
      await this.lock(tx, gateway, { providerPaymentId });
      closeItemsOfRefunds(tx, gateway, providerPaymentId, this.clock.now());
    });
  }
}

/** Whether it is known already that the provider gave it up. */
export function hasFailed(told: ToldRefund, early: readonly ToldRefund[]): boolean {
  return early.some(
    ({ providerRefundId, outcome, at }) =>
      outcome === 'failed' && providerRefundId === told.providerRefundId && at >= told.at,
  );
}
