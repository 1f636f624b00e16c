import { Injectable } from '@nestjs/common';
import { uuidOf } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import { payeeOf } from '../../port/domain/gateways.js';
import { isOfPayment, type RefundReport } from '../../port/domain/provider-report.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import type { Refund } from '../domain/refund.js';
import {
  hasFailed,
  type NamedRefund,
  type ReturnedReport,
  type ToldRefund,
  toldRefundOf,
  unbooked,
} from '../../port/domain/told-refund.js';
import { ProviderMadeRefunds } from './refunds/provider-made-refunds.js';
import { type TakenReturn, ToldOutcomes } from './refunds/told-outcomes.js';
import { SpentCredit, SpentCredits } from './spent-credits.js';
import { WaitingRefunds } from './waiting-refunds.js';

/** Takes reports of money that goes back: refunds of ours are settled, all others are booked. */
@Injectable()
export class ProviderRefunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly made: ProviderMadeRefunds,
    private readonly told: ToldOutcomes,
    private readonly waiting: WaitingRefunds,
    private readonly spent: SpentCredits,
  ) {}

  /** @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: ReturnedReport): Promise<TakenReturn> {
    const taken = await this.takeReport(gateway, report);
    const hasComeBack = report.kind === 'refund' && report.outcome.status === 'failed';
    // The place of one that failed is free for one that waited.
    if (hasComeBack) await this.meet(gateway, await this.waiting.told(gateway.name, report));
    return taken;
  }

  /** The payment that is known now was refunded before, or a refund of it has come back. */
  async meet(gateway: Gateway, early: readonly EarlyReport[]): Promise<void> {
    const told = early.filter((one) => one.kind === 'refund');
    for (const one of unbooked(told, [])) {
      if (one.outcome !== 'failed') await this.take(gateway, one, null);
    }
    for (const one of told) {
      if (one.providerRefundId === null) await this.takeSum(gateway, one, null);
    }
    const [first] = told;
    if (first) await this.waiting.review(gateway, first);
  }

  private async takeReport(gateway: Gateway, report: ReturnedReport): Promise<TakenReturn> {
    const told = toldRefundOf(report);
    if (report.kind === 'refunded_in_all') return this.takeSum(gateway, told, report);
    const id = report.refundId === null ? undefined : uuidOf('rfnd', report.refundId);
    const refund = id && (await this.told.find(id));
    if (refund && !isAbout(refund, gateway, report)) return 'disagrees';
    if (refund) {
      if (told.outcome === 'failed') await this.waiting.noteFailure(gateway, report, told);
      return this.told.settle(refund, gateway.name, report.outcome);
    }
    return this.take(gateway, { ...told, providerRefundId: report.providerRefundId }, report);
  }

  private async take(
    gateway: Gateway,
    told: NamedRefund,
    report: RefundReport | null,
  ): Promise<TakenReturn> {
    const found = await this.spent.untilBack(gateway.name, async (tx, mayLose) => {
      const early = await this.waiting.lock(tx, gateway.name, told);
      const money = await this.waiting.moneyOf(tx, gateway, told, early, report);
      if (typeof money === 'string') return money;
      const latest = hasFailed(told, early) ? { ...told, outcome: 'failed' as const } : told;
      const made = await this.made.book(tx, gateway.name, money, latest, mayLose);
      if (made instanceof SpentCredit) return made;
      if (made.is === 'disagreement') return 'disagrees' as const;
      if (made.is === 'waiting') {
        if (report) await this.waiting.keep(tx, gateway, report, told, early, money.accountId);
        return 'kept' as const;
      }
      if (report && told.outcome === 'failed') {
        this.waiting.keepFailure(tx, gateway, report, told, early);
      }
      return { id: made.id, told: latest, isAmongOthers: early.length > 0 };
    });
    if (typeof found === 'string') return found;
    const taken = found.id ? await this.told.follow(found.id, gateway.name, found.told) : 'booked';
    if (report && found.isAmongOthers) await this.waiting.review(gateway, told);
    return taken;
  }

  /**
   * A sum only confirms what the events of its refunds tell. If it needs one that nobody told, the
   * provider is asked for all. If it cannot be, a person has to know, until that event comes.
   */
  private async takeSum(
    gateway: Gateway,
    told: ToldRefund,
    report: ReturnedReport | null,
  ): Promise<TakenReturn> {
    const found = await this.uow.run(async (tx) => {
      const early = await this.waiting.lock(tx, gateway.name, told);
      const money = await this.waiting.moneyOf(tx, gateway, told, early, report);
      if (typeof money === 'string') return money;
      const { accountId } = money;
      const missing = await this.waiting.missing(tx, gateway.name, accountId, [...early, told]);
      // A refund that seems to be in it may turn out to have failed before.
      if (report) this.waiting.keepSum(tx, gateway, report, told, early);
      return missing.isPositive() ? { accountId } : ('booked' as const);
    });
    if (typeof found === 'string') return found;
    const shown = await gateway.refundsOf(told.providerPaymentId);
    if (shown) {
      let taken: TakenReturn = 'booked';
      for (const one of shown) {
        const did = one.kind === 'refund' ? await this.takeReport(gateway, one) : 'disagrees';
        if (did !== 'booked') taken = did;
      }
      return taken;
    }
    if (report) await this.waiting.tellSum(gateway, report, told, found.accountId);
    return 'kept';
  }
}

function isAbout(refund: Refund, gateway: Gateway, report: RefundReport): boolean {
  return (
    refund.gateway === gateway.name &&
    gateway.isOf(payeeOf(refund.accountId)) &&
    isOfPayment(refund.providerPaymentId ?? '', report.providerPaymentId) &&
    refund.amount.toString() === report.amount.toString()
  );
}
