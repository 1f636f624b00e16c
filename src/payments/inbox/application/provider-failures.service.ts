import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Gateway } from '../../port/domain/gateway.js';
import {
  furtherCaptureId,
  type FailedReport,
  type ProcessingReport,
} from '../../port/domain/provider-report.js';
import type { ProviderFailure } from '../../port/domain/early-report.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import { itemOf, subjectOf } from '../../recording/domain/unmatched-item.js';
import type { WebhookOutcome } from '../../port/domain/webhook-outcome.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';
import {
  type ProviderMoney,
  ProviderReversalRepository,
} from '../../returning/infrastructure/provider-reversal.repository.js';
import {
  closeItem,
  keepUnmatchedItem,
} from '../../recording/infrastructure/unmatched-item.repository.js';
import { Disputes } from '../../returning/application/disputes/disputes.service.js';
import { PaymentLinkReports } from '../../collecting/application/payment-link-reports.service.js';
import { ProviderReversals } from '../../returning/application/provider-reversals.service.js';
import { SpentCredit, SpentCredits } from '../../returning/application/spent-credits.js';

/**
 * Takes what providers report of money that is on its way, does not come, or is taken back. Reports
 * come late, twice and in any order: a failure that comes before its payment waits for it.
 */
@Injectable()
export class ProviderFailures {
  constructor(
    private readonly reports: ProviderReportRepository,
    private readonly reversals: ProviderReversalRepository,
    private readonly links: PaymentLinkReports,
    private readonly books: ProviderReversals,
    private readonly disputes: Disputes,
    private readonly spent: SpentCredits,
  ) {}

  /** @throws InvalidSignature when the event id came with another body */
  async processing(gateway: Gateway, report: ProcessingReport): Promise<WebhookOutcome> {
    const linkId = await this.links.idNamedBy(gateway, report);
    return this.spent.untilBack(gateway.name, async (tx) => {
      const known = await this.reports.outcomeOf(tx, gateway.name, report);
      if (known) return known;
      if (linkId) await this.links.apply(tx, gateway, report, linkId);
      // No money has moved yet.
      this.reports.insertEvent(tx, gateway.name, report, 'ignored', tx.now());
      return 'ignored' as const;
    });
  }

  /** @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: FailedReport): Promise<WebhookOutcome> {
    const linkId = await this.links.idNamedBy(gateway, report);
    return this.spent.untilBack(gateway.name, async (tx, mayLose) => {
      if (report.providerPaymentId !== null) {
        await this.reports.lock(tx, gateway.name, report.providerPaymentId);
      }
      const known = await this.reports.outcomeOf(tx, gateway.name, report);
      if (known) return known;
      const own = await this.ofCapture(tx, gateway.name, report);
      const done = await this.apply(tx, gateway, own, linkId, mayLose);
      if (typeof done !== 'string') return done;
      this.reports.insertEvent(tx, gateway.name, report, done, tx.now());
      return done;
    });
  }

  /** The payment that was reported now had failed, or was disputed before: it meets that at once. */
  async meet(gateway: Gateway, early: readonly EarlyReport[]): Promise<void> {
    for (const failure of early) {
      if (failure.kind === 'refund') continue;
      if (failure.kind === 'dispute') {
        await this.disputes.meet(gateway.name, failure);
        continue;
      }
      await this.spent.untilBack(gateway.name, async (tx, mayLose) => {
        const id = failure.providerPaymentId ?? '';
        await this.reports.lock(tx, gateway.name, id);
        const money = await this.reversals.findMoney(tx, gateway.name, id);
        if (!money || !countsAgainst(failure, money)) return 'ignored';
        const spent = await this.takeBack(tx, gateway, money, failure, mayLose);
        return spent ?? 'ok';
      });
    }
  }

  /** A further capture that fails is taken off the payment that it became. */
  private async ofCapture(tx: Tx, gateway: string, report: FailedReport): Promise<FailedReport> {
    const { providerPaymentId: id, reference } = report;
    if (id === null || reference === null) return report;
    const providerPaymentId = furtherCaptureId(id, reference);
    const isBooked = await this.reports.receiptOf(tx, gateway, providerPaymentId);
    return isBooked ? { ...report, providerPaymentId } : report;
  }

  /** The outcome, or the credit that has to come back first. */
  private async apply(
    tx: Tx,
    gateway: Gateway,
    report: FailedReport,
    linkId: Uuid | undefined,
    mayLose: boolean,
  ): Promise<WebhookOutcome | SpentCredit> {
    const { providerPaymentId: id } = report;
    const money = id === null ? undefined : await this.reversals.findMoney(tx, gateway.name, id);
    if (!money || money.accountId === null) {
      if (linkId) await this.links.apply(tx, gateway, report, linkId);
      this.reports.keepFailure(tx, gateway.name, report, tx.now());
      // A failure of a link of ours waits for its payment; any other is for a person.
      const item = linkId && !money ? null : itemOf(report, 'ignored', false);
      if (item) keepUnmatchedItem(tx, gateway, item, tx.now());
      return 'ignored';
    }
    if (!countsAgainst(report, money)) return 'ignored';
    if (!money.isConverted) {
      return (await this.takeBack(tx, gateway, money, report, mayLose)) ?? 'ok';
    }
    const item = itemOf(report, 'ignored', false);
    // A person has to say how much of it is due again.
    const told = 'Money was taken back of a payment that counts in another currency.';
    if (item) keepUnmatchedItem(tx, gateway, { ...item, told }, tx.now());
    return 'ignored';
  }

  private async takeBack(
    tx: Tx,
    gateway: Gateway,
    money: ProviderMoney,
    failure: ProviderFailure,
    mayLose: boolean,
  ): Promise<SpentCredit | null> {
    const { accountId } = money;
    const { providerPaymentId } = failure;
    if (accountId === null || providerPaymentId === null) return null;
    const said = { ...failure, providerPaymentId };
    const own = { ...money, accountId };
    const done = await this.disputes.takeReversal(tx, gateway.name, own, said, mayLose);
    if (done instanceof SpentCredit) return done;
    if (!done) {
      const held = await this.disputes.held(tx, gateway.name, money, providerPaymentId);
      const of = { ...own, held };
      const spent = await this.books.takeBack(tx, gateway.name, of, said, mayLose);
      if (spent) return spent;
    }
    const subject = subjectOf.reversal(failure.reference ?? providerPaymentId);
    const reason = 'The payment was told later, and it is taken back in the books.';
    closeItem(tx, gateway.name, { providerPaymentId, subject }, reason, tx.now());
    return null;
  }
}

/** A try that failed before the payment is of no account: the payer tried again. */
function countsAgainst({ kind, at }: ProviderFailure, { paidAt }: ProviderMoney): boolean {
  return kind === 'unpaid_again' || at > paidAt;
}
