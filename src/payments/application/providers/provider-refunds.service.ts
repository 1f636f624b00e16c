import { Injectable } from '@nestjs/common';
import { type Uuid, uuidOf } from '../../../kernel/ids.js';
import type { Gateway } from '../../domain/gateway.js';
import type { RefundOutcome } from '../../domain/refund-request.js';
import { isOfPayment, type RefundReport } from '../../domain/provider-report.js';
import type { EarlyReport } from '../../domain/provider-reversal.js';
import { isSettled, type Refund } from '../../domain/refund.js';
import { type ReturnedReport, type ToldRefund, toldRefundOf } from '../../domain/told-refund.js';
import { ProviderReversalRepository } from '../../infrastructure/provider-reversal.repository.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { ProviderMadeRefunds } from '../refunds/provider-made-refunds.js';
import { RefundSettlement } from '../refunds/refund-settlement.js';
import { RefundUndoings } from '../refunds/refund-undoings.service.js';
import { EarlyRefunds, hasFailed } from './early-refunds.js';
import { SpentCredit, SpentCredits } from './spent-credits.js';

/** `kept`: its payment is not known yet. `disagrees`: a person has to look. */
type Taken = 'booked' | 'kept' | 'disagrees';

/** Takes reports of money that goes back: refunds of ours are settled, all others are booked. */
@Injectable()
export class ProviderRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly reversals: ProviderReversalRepository,
    private readonly made: ProviderMadeRefunds,
    private readonly settlement: RefundSettlement,
    private readonly undoings: RefundUndoings,
    private readonly early: EarlyRefunds,
    private readonly spent: SpentCredits,
  ) {}

  /** @throws InvalidSignature when the event id came with another body */
  async receive(gateway: Gateway, report: ReturnedReport): Promise<Taken> {
    if (report.kind === 'refund') {
      const id = report.refundId === null ? undefined : uuidOf('rfnd', report.refundId);
      const refund = id && (await this.refunds.findAny(id));
      if (refund && !isAbout(refund, gateway, report)) return 'disagrees';
      if (refund) return this.settle(refund, gateway.name, report.outcome);
    }
    return this.take(gateway, toldRefundOf(report), report);
  }

  /** The payment that is known now was refunded before. */
  async meet(gateway: Gateway, early: readonly EarlyReport[]): Promise<void> {
    const told = early.filter((one) => one.kind === 'refund');
    // A sum comes last: it has the others among it.
    const inOrder = told.toSorted(
      (a, b) => Number(a.providerRefundId === null) - Number(b.providerRefundId === null),
    );
    for (const one of inOrder) {
      const taken = await this.take(gateway, one, null);
      if (taken !== 'booked') return;
    }
    const [first] = told;
    if (first) await this.early.close(gateway.name, first.providerPaymentId);
  }

  private async take(
    gateway: Gateway,
    told: ToldRefund,
    report: ReturnedReport | null,
  ): Promise<Taken> {
    const found = await this.spent.untilBack(gateway.name, async (tx, mayLose) => {
      const early = await this.early.lock(tx, gateway.name, told);
      const known = report && (await this.early.outcomeOf(tx, gateway, report));
      if (known) return known === 'ok' ? ('booked' as const) : ('kept' as const);
      const { providerPaymentId } = told;
      const money = await this.reversals.findMoney(tx, gateway.name, providerPaymentId);
      const accountId = money?.accountId;
      if (!money || !accountId) {
        if (report) await this.early.keep(tx, gateway, report, told, early);
        return 'kept' as const;
      }
      // A person has to say what of it is due again in the other currency.
      if (money.isConverted) return 'disagrees' as const;
      const latest = hasFailed(told, early) ? { ...told, outcome: 'failed' as const } : told;
      const id = await this.made.book(tx, gateway.name, { ...money, accountId }, latest, mayLose);
      if (id instanceof SpentCredit) return id;
      if (id === undefined) return 'disagrees' as const;
      const isNew = id === null && told.outcome === 'failed' && report !== null;
      if (isNew) this.early.keepFailure(tx, gateway, report, told, early);
      return id === null ? ('booked' as const) : { id, told: latest };
    });
    return typeof found === 'string' ? found : this.follow(found.id, gateway.name, found.told);
  }

  /** One that is booked is settled, or comes back, as its provider says. */
  private async follow(id: Uuid, gateway: string, told: ToldRefund): Promise<Taken> {
    const { providerRefundId, outcome: status, reason, amount } = told;
    const refund = await this.refunds.findAny(id);
    if (!refund || providerRefundId === null) return 'booked';
    // Of one that was booked by the sum of its payment, only a part may have failed.
    const isWhole = refund.amount.compare(amount) === 0;
    if (status === 'failed' && !isWhole) return 'disagrees';
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
    gateway.isOf(refund.accountId, true) &&
    isOfPayment(refund.providerPaymentId ?? '', report.providerPaymentId) &&
    refund.amount.toString() === report.amount.toString()
  );
}

/** One that failed here may have succeeded at the provider: a person has to look. */
function agrees(refund: Refund, { status }: RefundOutcome): boolean {
  return !isSettled(refund) || status === 'pending' || refund.status === status;
}
