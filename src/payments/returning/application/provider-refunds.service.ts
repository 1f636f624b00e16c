import { Injectable } from '@nestjs/common';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Gateway } from '../../port/domain/gateway.js';
import { payeeOf } from '../../port/domain/gateways.js';
import type { RefundOutcome } from '../../port/domain/refund-request.js';
import { isOfPayment, type RefundReport } from '../../port/domain/provider-report.js';
import type { EarlyReport } from '../../port/domain/early-report.js';
import { isSettled, type Refund } from '../domain/refund.js';
import {
  hasFailed,
  type NamedRefund,
  type ReturnedReport,
  type ToldRefund,
  toldRefundOf,
  unbooked,
} from '../../port/domain/told-refund.js';
import {
  type ProviderMoney,
  ProviderReversalRepository,
} from '../infrastructure/provider-reversal.repository.js';
import { RefundRepository } from '../infrastructure/refund.repository.js';
import { ProviderMadeRefunds } from './refunds/provider-made-refunds.js';
import { RefundSettlement } from './refunds/refund-settlement.js';
import { RefundUndoings } from './refunds/refund-undoings.service.js';
import { SpentCredit, SpentCredits } from './spent-credits.js';
import { WaitingRefunds } from './waiting-refunds.js';

/** `kept`: it waits for other news. `disagrees`: a person has to look. */
type Taken = 'booked' | 'kept' | 'disagrees';

/** All that was told of the same payment before, oldest first. */
type Early = readonly ToldRefund[];

/** Takes reports of money that goes back: refunds of ours are settled, all others are booked. */
@Injectable()
export class ProviderRefunds {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly refunds: RefundRepository,
    private readonly reversals: ProviderReversalRepository,
    private readonly made: ProviderMadeRefunds,
    private readonly settlement: RefundSettlement,
    private readonly undoings: RefundUndoings,
    private readonly waiting: WaitingRefunds,
    private readonly spent: SpentCredits,
  ) {}

  /** @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: ReturnedReport): Promise<Taken> {
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

  private async takeReport(gateway: Gateway, report: ReturnedReport): Promise<Taken> {
    const told = toldRefundOf(report);
    if (report.kind === 'refunded_in_all') return this.takeSum(gateway, told, report);
    const id = report.refundId === null ? undefined : uuidOf('rfnd', report.refundId);
    const refund = id && (await this.refunds.findAny(id));
    if (refund && !isAbout(refund, gateway, report)) return 'disagrees';
    if (refund) {
      if (told.outcome === 'failed') await this.waiting.noteFailure(gateway, report, told);
      return this.settle(refund, gateway.name, report.outcome);
    }
    return this.take(gateway, { ...told, providerRefundId: report.providerRefundId }, report);
  }

  private async take(
    gateway: Gateway,
    told: NamedRefund,
    report: RefundReport | null,
  ): Promise<Taken> {
    const found = await this.spent.untilBack(gateway.name, async (tx, mayLose) => {
      const early = await this.waiting.lock(tx, gateway.name, told);
      const money = await this.moneyOf(tx, gateway, told, early, report);
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
    const taken = found.id ? await this.follow(found.id, gateway.name, found.told) : 'booked';
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
  ): Promise<Taken> {
    const found = await this.uow.run(async (tx) => {
      const early = await this.waiting.lock(tx, gateway.name, told);
      const money = await this.moneyOf(tx, gateway, told, early, report);
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
      let taken: Taken = 'booked';
      for (const one of shown) {
        const did = one.kind === 'refund' ? await this.takeReport(gateway, one) : 'disagrees';
        if (did !== 'booked') taken = did;
      }
      return taken;
    }
    if (report) await this.waiting.tellSum(gateway, report, told, found.accountId);
    return 'kept';
  }

  /** The money that went back, its id at the provider being locked; or what becomes of the report. */
  private async moneyOf(
    tx: Tx,
    gateway: Gateway,
    told: ToldRefund,
    early: Early,
    report: ReturnedReport | null,
  ): Promise<(ProviderMoney & { accountId: Uuid }) | Taken> {
    const known = report && (await this.waiting.outcomeOf(tx, gateway, report));
    if (known) return known === 'ok' ? 'booked' : 'kept';
    const money = await this.reversals.findMoney(tx, gateway.name, told.providerPaymentId);
    const accountId = money?.accountId;
    if (!money || !accountId) {
      if (report) await this.waiting.keep(tx, gateway, report, told, early, null);
      return 'kept';
    }
    // A person has to say what of it is due again in the other currency.
    return money.isConverted ? 'disagrees' : { ...money, accountId };
  }

  /** Settles a booked refund, or takes it back, as its provider says. */
  private async follow(id: Uuid, gateway: string, told: NamedRefund): Promise<Taken> {
    const { providerRefundId, outcome: status, reason } = told;
    const refund = await this.refunds.findAny(id);
    if (!refund) return 'booked';
    const outcome = status === 'failed' ? { status, reason } : { status, providerRefundId };
    return this.settle(refund, gateway, outcome);
  }

  private async settle(refund: Refund, gateway: string, outcome: RefundOutcome): Promise<Taken> {
    const { refund: seen } = await this.settlement.settle(refund, outcome);
    if (seen.status === 'succeeded' && outcome.status === 'failed') {
      await this.undoings.receiveReturn(seen, gateway, outcome.reason);
      return 'booked';
    }
    return agrees(seen, outcome) ? 'booked' : 'disagrees';
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

/** One that failed here may have succeeded at the provider: a person has to look. */
function agrees(refund: Refund, { status }: RefundOutcome): boolean {
  return !isSettled(refund) || status === 'pending' || refund.status === status;
}
