import { Injectable } from '@nestjs/common';
import type { Document } from '../../../../documents/index.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { afterTaken, type Holding } from '../../../recording/domain/holding.js';
import type { Refund } from '../../domain/refund.js';
import type { UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import { getHoldingForUpdate } from '../../../recording/infrastructure/holdings.repository.js';
import type { ProviderMoney } from '../../infrastructure/provider-reversal.repository.js';
import { UnmatchedReceiptRepository } from '../../../recording/infrastructure/unmatched-receipt.repository.js';
import { DisputedDocuments } from '../disputes/disputed-documents.js';
import { PaymentLosses } from '../payment-losses.js';
import { SpentCredit } from '../spent-credits.js';
import { RefundPlanning } from './refund-planning.js';

/** The money that a refund is of, locked. */
export interface LockedMoney {
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
}

type Given = Pick<Refund, 'of' | 'fromCredit' | 'parts' | 'creditKept' | 'lost' | 'method'> & {
  documents: readonly Document[];
};

/** Finds the places of a refund that its provider has made already: what it takes is never refused. */
@Injectable()
export class GoneRefundPlanning {
  constructor(
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly planning: RefundPlanning,
    private readonly losses: PaymentLosses,
    private readonly disputed: DisputedDocuments,
  ) {}

  /** Before a refund is looked for: nobody records or reverses one by hand meanwhile. */
  async lock(tx: Tx, money: ProviderMoney & { accountId: Uuid }): Promise<LockedMoney> {
    const { accountId, receiptId } = money;
    const receipt = receiptId ? await this.receipts.getForUpdate(tx, accountId, receiptId) : null;
    const paymentId = money.paymentId ?? receipt?.paymentId ?? null;
    const holding = paymentId ? await getHoldingForUpdate(tx, accountId, paymentId) : null;
    return { holding, receipt };
  }

  /** Of the payment, as long as that has all of it or the receipt has less. */
  async plan(
    tx: Tx,
    { holding: seen, receipt }: LockedMoney,
    amount: Money,
    mayLose: boolean,
  ): Promise<Given | SpentCredit | null> {
    const open = receipt?.amount.minus(receipt.settled) ?? Money.zero(amount.currency);
    const left = seen?.payment.amount.minus(seen.returned);
    if (seen && left && (left.compare(amount) >= 0 || left.compare(open) >= 0)) {
      const holding = await this.losses.makeRoom(tx, seen, amount);
      const lifted = await this.disputed.lift(tx, holding);
      const planned = await this.planning.planGone(tx, lifted.holding, amount);
      const { spent, spendable, newestFirst, locked, ...plan } = planned;
      if (spent.isPositive() && !mayLose) return new SpentCredit(holding, spent, spendable);
      const saved = plan.documents.map(({ state }) => state.id);
      const after = afterTaken(lifted.holding, plan);
      this.disputed.place(tx, lifted, after, newestFirst, { locked, saved });
      const { id: paymentId, customerId, method } = holding.payment;
      return { ...plan, of: { type: 'payment', paymentId, customerId }, method };
    }
    if (!receipt) return null;
    const lost = amount.minus(amount.min(open));
    const of = { type: 'receipt' as const, receiptId: receipt.id };
    const none = Money.zero(amount.currency);
    const parts = { parts: [], creditKept: none };
    return { of, fromCredit: none, ...parts, lost, method: 'other', documents: [] };
  }
}
