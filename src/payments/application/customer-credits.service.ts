import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Event, EventLog } from '../../events/index.js';
import { uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

/** What the events of credit notes say of one. */
interface CreditNoteData {
  document: { customer_id: string; currency: string; customer_credit: number };
}

/** What a credit note did not take off its invoice is the customer's, until it is voided. */
@Injectable()
export class CustomerCredits implements OnModuleInit {
  constructor(
    private readonly events: EventLog,
    private readonly payments: PaymentRepository,
  ) {}

  onModuleInit(): void {
    this.events.on('credit_note.issued', (tx, event) => this.book(tx, event, 1n));
    // Where it is spent already, the balance would fall below zero, and the database refuses.
    this.events.on('credit_note.voided', (tx, event) => this.book(tx, event, -1n));
  }

  private book(tx: Tx, { accountId, document, data, occurredAt }: Event, sign: bigint): void {
    const { document: note } = data as CreditNoteData;
    const amount = Money.of(sign * BigInt(note.customer_credit), note.currency);
    if (!document || amount.isZero()) return;
    this.payments.addCredit(tx, {
      accountId,
      customerId: uuidOf('cus', note.customer_id) ?? '',
      amount,
      paymentId: null,
      creditNoteId: document.id,
      at: occurredAt,
    });
  }
}
