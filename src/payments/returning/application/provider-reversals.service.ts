import { Injectable } from '@nestjs/common';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { afterTaken } from '../../recording/domain/holding.js';
import {
  failedLink,
  type PaymentLink,
  processingChange,
} from '../../collecting/domain/payment-link.js';
import type { ProviderFailure } from '../../port/domain/early-report.js';
import { DebitRetries } from '../../collecting/application/mandates/debit-retries.js';
import { PaymentLinkRepository } from '../../collecting/infrastructure/payment-link.repository.js';
import type { ProviderMoney } from '../infrastructure/provider-reversal.repository.js';
import { UnmatchedReceiptRepository } from '../../recording/infrastructure/unmatched-receipt.repository.js';
import { DisputedDocuments } from './disputes/disputed-documents.js';
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
    private readonly planning: ReversalPlanning,
    private readonly links: PaymentLinkRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly writer: ProviderReversalWriter,
    private readonly disputed: DisputedDocuments,
    private readonly retries: DebitRetries,
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
    const { kind } = failure;
    const left = whole.minus(takenBack).minus(held).atLeastZero();
    const isKnown = failure.reference !== null && money.references.includes(failure.reference);
    const sameCurrency = (failure.amount ?? whole).currency === whole.currency;
    const amount = sameCurrency && failure.amount ? booked(failure.amount, whole, left) : left;
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
    const isWhole = amount.compare(whole.minus(takenBack)) >= 0;
    return this.ofPayment(tx, paymentId, {
      ...said,
      link: isWhole ? link : undefined,
      mayLose,
      kind,
    });
  }

  private async ofPayment(
    tx: Tx,
    paymentId: string,
    {
      link,
      mayLose,
      kind,
      ...said
    }: Omit<NewReversal, 'of' | 'fromCredit' | 'lost'> & {
      link: PaymentLink | undefined;
      mayLose: boolean;
      kind: ProviderFailure['kind'];
    },
  ): Promise<SpentCredit | null> {
    const { accountId, amount } = said;
    const found = await this.planning.lock(tx, accountId, paymentId, link ? [link.documentId] : []);
    const { payment } = found.holding;
    const lifted = await this.disputed.lift(tx, found.holding);
    const plan = this.planning.plan(found, lifted.holding, amount);
    if (plan.spent.isPositive() && !mayLose) {
      return new SpentCredit(found.holding, plan.spent, found.spendable);
    }
    const isPaid = link && (await this.links.isPaidOtherwise(tx, link, paymentId));
    const failed = link && !isPaid ? failedLink(link, said.failedAt, said.reason) : null;
    const own = found.documents.find(({ state }) => state.id === failed?.documentId);
    if (link && failed) own?.held.expect(processingChange(link, failed));
    // Money that the payer took back is not debited once more.
    const isDebit = own && failed && kind === 'failed';
    const isOwed = plan.parts.some(({ documentId }) => documentId === failed?.documentId);
    const more = isDebit ? await this.retries.afterFailure(tx, own, failed, isOwed) : [];
    const { fromCredit, lost, parts } = plan;
    const reversal = { ...said, of: { paymentId }, fromCredit, lost };
    this.disputed.place(tx, lifted, afterTaken(lifted.holding, plan), found.newestFirst, {
      locked: found.documents,
      saved: [...parts.map(({ documentId }) => documentId), ...(failed ? [failed.documentId] : [])],
    });
    this.writer.ofPayment(tx, payment, reversal, {
      plan,
      documents: found.documents,
      failed,
      more,
    });
    return null;
  }
}

/** A dispute's part is told once more with it; all that is more than came is taken, too. */
function booked(told: Money, came: Money, left: Money): Money {
  return told.min(left.plus(told.minus(came).atLeastZero()));
}
