import { Injectable } from '@nestjs/common';
import type { Document } from '../../../../documents/index.js';
import type { IsoDate } from '../../../../kernel/clock.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';
import { NotedDocuments } from '../../../recording/application/noted-documents.js';
import type { Holding } from '../../../recording/domain/holding.js';
import type { UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import { getHoldingForUpdate } from '../../../recording/infrastructure/holdings.repository.js';
import { UnmatchedReceiptRepository } from '../../../recording/infrastructure/unmatched-receipt.repository.js';
import type { Refund } from '../../domain/refund.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { RefundsQuery } from '../../infrastructure/refunds/refunds.query.js';

/** A refund by name, with the money that it is of, which is locked before it. */
export type RefundKey = Pick<Refund, 'accountId' | 'id' | 'of'>;

/** A refund, and the money that it is of, as one transaction saw them. */
export interface SeenRefund {
  refund: Refund;
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
  /** The first open day, where that of the fact is closed. */
  bookedOn?: IsoDate | null;
}

/** Refunds that change, with the money and the documents that they are of. */
@Injectable()
export class LockedRefunds {
  constructor(
    private readonly query: RefundsQuery,
    private readonly refunds: RefundRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly documents: NotedDocuments,
  ) {}

  /** Before the transaction: it says what to lock. @throws `refund_not_found` */
  async key(accountId: Uuid, id: Uuid): Promise<RefundKey> {
    const { of } = await this.query.get(accountId, id);
    return { accountId, id, of };
  }

  /** The money first, as everybody who changes a refund. */
  async lock(tx: Tx, { accountId, id, of }: RefundKey): Promise<SeenRefund> {
    const isOfPayment = of.type === 'payment';
    const holding = isOfPayment ? await getHoldingForUpdate(tx, accountId, of.paymentId) : null;
    const receipt = isOfPayment
      ? null
      : await this.receipts.getForUpdate(tx, accountId, of.receiptId);
    const refund = await this.refunds.find(tx, accountId, id);
    if (!refund) throw PaymentRefusal.refund_not_found.of();
    return { refund, holding, receipt };
  }

  async documentsOf(tx: Tx, { accountId, parts }: Refund): Promise<Document[]> {
    const ids = parts.map(({ documentId }) => documentId);
    return this.documents.findForUpdate(tx, accountId, ids);
  }
}
