import { Injectable } from '@nestjs/common';
import type { Document } from '../../../documents/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Holding } from '../../recording/domain/holding.js';
import { planReversal, type ReversalPlan } from '../domain/provider-reversal.js';
import { getHoldingForUpdate } from '../../recording/infrastructure/holdings.repository.js';
import { PaymentRepository } from '../../recording/infrastructure/payment.repository.js';
import { RefundRepository } from '../infrastructure/refund.repository.js';
import { NotedDocuments } from '../../recording/application/noted-documents.js';

/** A payment with all that may give something of it back, locked. */
export interface LockedPayment {
  holding: Holding;
  /** Its documents, that of the newest allocation first. */
  newestFirst: Uuid[];
  /** Those, and the others that were asked for. */
  documents: readonly Document[];
  /** The customer's credit that is there. */
  spendable: Money;
}

/** Locks a payment that a provider takes back, and plans where that comes from. */
@Injectable()
export class ReversalPlanning {
  constructor(
    private readonly documents: NotedDocuments,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundRepository,
  ) {}

  /** @param also documents that change with it */
  async lock(
    tx: Tx,
    accountId: Uuid,
    paymentId: Uuid,
    also: readonly Uuid[],
  ): Promise<LockedPayment> {
    const holding = await getHoldingForUpdate(tx, accountId, paymentId);
    const { payment } = holding;
    const newestFirst = await this.refunds.newestFirst(tx, payment);
    const ids = new Set([...newestFirst, ...also]);
    const documents = await this.documents.findForUpdate(tx, accountId, [...ids]);
    const { customerId, amount } = payment;
    const spendable = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    return { holding, newestFirst, documents, spendable };
  }

  /** @param holding of the payment, as far as it may give */
  plan({ newestFirst, spendable }: LockedPayment, holding: Holding, amount: Money): ReversalPlan {
    return planReversal(holding, newestFirst, spendable, amount);
  }
}
