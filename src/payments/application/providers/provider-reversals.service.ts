import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '../../../documents/index.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/unit-of-work.js';
import { failedLink, type PaymentLink } from '../../domain/payment-link.js';
import type { Payment } from '../../domain/payment.js';
import {
  type GivingDocument,
  planReversal,
  type ProviderFailure,
} from '../../domain/provider-reversal.js';
import { givenBy } from '../../domain/refund-plan.js';
import { HoldingsRepository } from '../../infrastructure/holdings.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import { PaymentRepository } from '../../infrastructure/payment.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { UnmatchedReceiptRepository } from '../../infrastructure/unmatched-receipt.repository.js';
import { type NewReversal, ProviderReversalWriter } from './provider-reversal-writer.js';

/** Credit of a customer that is spent, and has to come back before a payment can be reversed. */
export interface SpentCredit {
  payment: Payment;
  amount: Money;
}

/**
 * Takes out of the books what a provider took back. It is never refused: the money is gone. Credit
 * that is spent since comes back first, from the documents that it paid last.
 */
@Injectable()
export class ProviderReversals {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly holdings: HoldingsRepository,
    private readonly payments: PaymentRepository,
    private readonly links: PaymentLinkRepository,
    private readonly refunds: RefundRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly writer: ProviderReversalWriter,
  ) {}

  /**
   * @param mayLose what cannot be had back of spent credit is lost
   * @returns the credit that has to come back first; null when it is done
   */
  async takeBack(
    tx: Tx,
    gateway: string,
    money: ProviderMoney & { accountId: string },
    failure: ProviderFailure & { providerPaymentId: string },
    mayLose: boolean,
  ): Promise<SpentCredit | null> {
    const { accountId, amount: whole, takenBack } = money;
    const left = whole.minus(takenBack);
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
    const isWhole = amount.compare(left) === 0;
    return this.ofPayment(tx, paymentId, { ...said, link: isWhole ? link : undefined, mayLose });
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
    const holding = await this.holdings.getForUpdate(tx, accountId, paymentId);
    const { payment } = holding;
    const newestFirst = await this.refunds.newestFirst(tx, payment);
    const ids = new Set([...newestFirst, ...(link ? [link.documentId] : [])]);
    const locked = await this.documents.findForUpdate(tx, accountId, [...ids]);
    const { customerId } = payment;
    const spendable = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    const giving = newestFirst.flatMap((id) => {
      const document = locked.find(({ state }) => state.id === id);
      return document ? [{ id, noteCredit: givenBy(document.state) } satisfies GivingDocument] : [];
    });
    const plan = planReversal(holding, giving, spendable, amount);
    if (plan.spent.isPositive() && !mayLose) return { payment, amount: plan.spent };
    const isPaid = link && (await this.links.isPaidOtherwise(tx, link, paymentId));
    const failed = link && !isPaid ? failedLink(link, said.failedAt, said.reason) : null;
    const { fromCredit, lost } = plan;
    const reversal = { ...said, of: { paymentId }, fromCredit, lost };
    this.writer.ofPayment(tx, payment, reversal, { plan, documents: locked, failed });
    return null;
  }
}
