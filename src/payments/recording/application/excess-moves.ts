import { Injectable } from '@nestjs/common';
import { dueAccount, LedgerRepository, takeOffLegs } from '../../../books/index.js';
import type { Document, LeadingEvent } from '../../../documents/index.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../domain/payment.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

/** Money that is here again, and the part of it that its document does not take again. */
export interface ReturnedPart {
  document: Document;
  amount: Money;
  excess: Money;
}

/** Moves what documents do not take again to the customer's credit, by a fact of its own. */
@Injectable()
export class ExcessMoves {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly ledger: LedgerRepository,
  ) {}

  /** The credit itself is the caller's to write. @param when an instant is that of recording */
  write(
    tx: Tx,
    payment: Pick<Payment, 'accountId' | 'id' | 'customerId' | 'amount'>,
    parts: readonly ReturnedPart[],
    when: { effective: IsoDate | Date; recordedAt: Date },
  ): void {
    const moved = parts.filter(({ excess }) => excess.isPositive());
    // The fact has the id of its first allocation.
    const factId = tx.newId();
    const changes = moved.map(({ document, excess }, index) => ({
      id: index === 0 ? factId : tx.newId(),
      documentId: document.state.id,
      amount: excess.negated(),
    }));
    const countsOn = when.effective instanceof Date ? null : when.effective;
    this.payments.insertAllocations(tx, payment, changes, 'move', when.recordedAt, countsOn);
    const waived = Money.zero(payment.amount.currency);
    const legs = takeOffLegs(
      'customer_credit',
      moved.map(({ document: { state }, excess }) => {
        return { documentId: state.id, due: dueAccount(state), amount: excess, waived };
      }),
    );
    const { accountId, customerId } = payment;
    this.ledger.insert(tx, { accountId, customerId, fact: 'payment.moved', factId, legs, ...when });
  }
}

/** The step in the history of the document. */
export function excessMoved(paymentId: Uuid, { document, excess }: ReturnedPart): LeadingEvent[] {
  if (!excess.isPositive()) return [];
  const data = {
    payment_id: publicId('pay', paymentId),
    amount: excess.toMinorNumber(),
    from: publicId('doc', document.state.id),
    to: 'credit',
  };
  return [{ type: 'payment.moved', data }];
}
