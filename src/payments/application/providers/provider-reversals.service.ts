import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Holding } from '../../domain/holding.js';
import { failedLink, type PaymentLink, processingChange } from '../../domain/payment-link.js';
import type { ProviderFailure } from '../../domain/provider-reversal.js';
import type { UnmatchedReceipt } from '../../domain/unmatched-receipt.js';
import { HoldingsRepository } from '../../infrastructure/holdings.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import {
  type ProviderMoney,
  ProviderReversalRepository,
} from '../../infrastructure/provider-reversal.repository.js';
import { UnmatchedReceiptRepository } from '../../infrastructure/unmatched-receipt.repository.js';
import { type NewReversal, ProviderReversalWriter } from './provider-reversal-writer.js';
import { ReversalPlanning } from './reversal-planning.js';
import { SpentCredit } from './spent-credits.js';

/**
 * Takes out of the books what a provider took back. It is never refused: the money is gone. Credit
 * that is spent since comes back first, from the documents that it paid last.
 */
@Injectable()
export class ProviderReversals {
  constructor(
    private readonly holdings: HoldingsRepository,
    private readonly planning: ReversalPlanning,
    private readonly links: PaymentLinkRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly reversals: ProviderReversalRepository,
    private readonly writer: ProviderReversalWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * @param mayLose what cannot be had back of spent credit is lost
   * @returns the credit that has to come back first; null when it is done
   */
  async takeBack(
    tx: Tx,
    gateway: string,
    money: ProviderMoney & { accountId: string; held: Money },
    failure: ProviderFailure & { providerPaymentId: string },
    mayLose: boolean,
  ): Promise<SpentCredit | null> {
    const { accountId, amount: whole, takenBack, held } = money;
    const left = whole.minus(takenBack).minus(held);
    const isKnown = failure.reference !== null && money.references.includes(failure.reference);
    const sameCurrency = (failure.amount ?? whole).currency === whole.currency;
    const amount = sameCurrency ? (failure.amount ?? left).min(left) : left;
    if (isKnown || !amount.isPositive()) return null;
    const receipt = money.receiptId
      ? await this.receipts.getForUpdate(tx, accountId, money.receiptId)
      : null;
    const paymentId = money.paymentId ?? receipt?.paymentId ?? null;
    const said = {
      accountId,
      disputeId: null,
      gateway,
      providerPaymentId: failure.providerPaymentId,
      reference: failure.reference,
      amount,
      reason: failure.reason,
      failedAt: failure.at,
    };
    if (paymentId === null) {
      if (!receipt) return null;
      const open = receipt.amount.minus(receipt.settled);
      const lost = amount.minus(amount.min(open));
      const none = Money.zero(amount.currency);
      const reversal = { ...said, of: { receiptId: receipt.id }, fromCredit: none, lost };
      this.writer.ofReceipt(tx, reversal, receipt.id);
      return null;
    }
    const link = money.paymentLinkId
      ? await this.links.findById(tx, money.paymentLinkId)
      : undefined;
    const isWhole = amount.compare(whole.minus(takenBack)) === 0;
    return this.ofPayment(tx, paymentId, { ...said, link: isWhole ? link : undefined, mayLose });
  }

  /**
   * Money that had been refunded is lost if a provider takes it back, too. If that refund comes
   * back, or fails, its documents are due for it after all.
   * @returns the payment as it is then
   */
  async askForLost(tx: Tx, holding: Holding | null): Promise<Holding | null> {
    if (!holding?.lost.isPositive()) return holding;
    await tx.flush();
    const { accountId, id: paymentId } = holding.payment;
    const found = await this.planning.lock(tx, accountId, paymentId, []);
    const { payment, lost, returned } = found.holding;
    const amount = lost.min(payment.amount.minus(returned));
    const said = amount.isPositive() && (await this.reversals.lastOf(tx, payment));
    if (!said) return holding;
    const plan = this.planning.plan(found, found.holding, amount);
    const given = amount.minus(plan.lost);
    if (!given.isPositive()) return holding;
    const none = Money.zero(amount.currency);
    const { fromCredit } = plan;
    const reversal = { ...said, accountId, of: { paymentId }, disputeId: null, reference: null };
    const asked = { amount: none, fromCredit, lost: given.negated(), failedAt: this.clock.now() };
    this.writer.ofPayment(
      tx,
      payment,
      { ...reversal, ...asked },
      { plan, documents: found.documents, failed: null, source: 'payment_losses' },
    );
    await tx.flush();
    return this.holdings.getForUpdate(tx, accountId, paymentId);
  }

  /**
   * The same for a receipt: the part of it that is open again takes the place of what was lost, as
   * the payer has it from the provider.
   * @returns the receipt as it is then
   */
  async regainLost(tx: Tx, receipt: UnmatchedReceipt | null): Promise<UnmatchedReceipt | null> {
    const open = receipt?.amount.minus(receipt.settled);
    if (!receipt || !open?.isPositive()) return receipt;
    const { accountId, id: receiptId, gateway, providerPaymentId } = receipt;
    const { lost, reason } = await this.reversals.lostOfReceipt(tx, receipt);
    const amount = lost.min(open);
    if (!amount.isPositive()) return receipt;
    await tx.flush();
    const none = Money.zero(amount.currency);
    const said = { accountId, of: { receiptId }, disputeId: null, reference: null };
    const asked = { amount: none, fromCredit: none, lost: amount.negated() };
    const by = { gateway, providerPaymentId, reason, failedAt: this.clock.now() };
    this.writer.regain(tx, { ...said, ...by, ...asked }, receiptId);
    return {
      ...receipt,
      settled: receipt.settled.plus(amount),
      takenBack: receipt.takenBack.plus(amount),
    };
  }

  private async ofPayment(
    tx: Tx,
    paymentId: string,
    {
      link,
      mayLose,
      ...said
    }: Omit<NewReversal, 'of' | 'fromCredit' | 'lost'> & {
      link: PaymentLink | undefined;
      mayLose: boolean;
    },
  ): Promise<SpentCredit | null> {
    const { accountId, amount } = said;
    const found = await this.planning.lock(tx, accountId, paymentId, link ? [link.documentId] : []);
    const { payment } = found.holding;
    const plan = this.planning.plan(found, found.holding, amount);
    if (plan.spent.isPositive() && !mayLose) {
      return new SpentCredit(found.holding, plan.spent, found.spendable);
    }
    const isPaid = link && (await this.links.isPaidOtherwise(tx, link, paymentId));
    const failed = link && !isPaid ? failedLink(link, said.failedAt, said.reason) : null;
    if (link && failed) {
      const own = found.documents.find(({ state }) => state.id === link.documentId);
      own?.held.expect(processingChange(link, failed));
    }
    const { fromCredit, lost } = plan;
    const reversal = { ...said, of: { paymentId }, fromCredit, lost };
    this.writer.ofPayment(tx, payment, reversal, { plan, documents: found.documents, failed });
    return null;
  }
}
