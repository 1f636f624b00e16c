import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DocumentWriter, type WrittenDocumentFact } from '../../../documents/index.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

/**
 * The part of a credit note that came off no invoice is the customer's credit, until the note is
 * voided, or its credit goes onto the invoice after all.
 */
@Injectable()
export class CustomerCredits implements OnModuleInit {
  constructor(
    private readonly documents: DocumentWriter,
    private readonly payments: PaymentRepository,
  ) {}

  onModuleInit(): void {
    this.documents.on('credit_note.issued', (tx, happened) =>
      this.book(tx, happened, customerCredit(happened)),
    );
    this.documents.on('credit_note.moved', (tx, happened) => {
      if (happened.fact.moved) this.book(tx, happened, happened.fact.moved.amount.negated());
    });
    // If the credit is spent already, the balance would fall below zero, and the database refuses.
    this.documents.on('credit_note.voided', (tx, happened) =>
      this.book(tx, happened, customerCredit(happened).negated()),
    );
  }

  private book(tx: Tx, { document, at }: WrittenDocumentFact, amount: Money): void {
    if (amount.isZero()) return;
    const { accountId, customerId, id: creditNoteId } = document.state;
    this.payments.addCredit(tx, {
      accountId,
      customerId,
      amount,
      paymentId: null,
      creditNoteId,
      at,
    });
  }
}

function customerCredit({ document: { state } }: WrittenDocumentFact): Money {
  return state.total.minus(state.amountApplied);
}
