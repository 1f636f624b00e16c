import { Injectable } from '@nestjs/common';
import type { Document, LeadingEvent } from '../../../documents/index.js';
import { type Actor, OPERATOR } from '../../../kernel/actor.js';
import type { Currency } from '../../../kernel/currency.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { dueAccount, paymentLegs, receivedLegs } from '../../../books/index.js';
import type { Conversion, ForeignMoney } from '../domain/conversion.js';
import {
  isFromCredit,
  ledgerSource,
  moneySource,
  type NewPayment,
  type Payment,
} from '../domain/payment.js';
import { insufficientCredit } from '../../port/domain/payment-refusals.js';
import { presentPayment } from '../wire/payment.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';
import { Conversions } from './conversions.js';
import { MoneyFacts } from './money-facts.js';
import { NotedDocuments } from './noted-documents.js';

/** The effect of a payment on one of its documents, which is locked. */
export interface PaymentPart {
  document: Document;
  applied: Money;
  /** The shortfall that was let pass. */
  waived: Money;
}

/** Writes a payment with everything that it changes: documents, credit, ledger and events. */
@Injectable()
export class PaymentWriter {
  constructor(
    private readonly facts: MoneyFacts,
    private readonly payments: PaymentRepository,
    private readonly conversions: Conversions,
    private readonly noted: NotedDocuments,
  ) {}

  /** @param also what else happened to the one document that is paid */
  write(
    tx: Tx,
    made: NewPayment,
    parts: readonly PaymentPart[],
    also: LeadingEvent[] = [],
  ): Payment {
    const payment = this.payments.insert(tx, made);
    const { accountId, customerId, recordedAt } = payment;
    const rest = payment.amount.minus(payment.applied);
    if (payment.documentId === null) {
      const allocations = parts.map(({ document, applied }) => ({
        documentId: document.state.id,
        amount: applied,
      }));
      this.payments.insertAllocations(tx, payment, allocations, 'receipt', recordedAt);
    }
    const credit = isFromCredit(payment) ? payment.amount.negated() : rest;
    if (!credit.isZero()) {
      this.payments.addCredit(tx, {
        accountId,
        customerId,
        amount: credit,
        paymentId: payment.id,
        creditNoteId: null,
        at: recordedAt,
      });
    }
    this.facts.write(tx, {
      accountId,
      fact: 'payment.recorded',
      factId: payment.id,
      customerId,
      effective: payment.paidAt,
      recordedAt,
      legs: [
        ...paymentLegs(
          ledgerSource(payment),
          parts.map(({ document, applied, waived }) => ({
            documentId: document.state.id,
            due: dueAccount(document.state),
            applied,
            waived,
          })),
          rest,
          payment.fee,
        ),
        ...receivedLegs(moneySource(payment), payment.conversion, payment.amount),
      ],
    });
    this.tell(tx, payment, parts, also);
    return payment;
  }

  /** Under the customer's lock, so that no two payments spend the same credit. */
  async assertCredit(
    tx: Tx,
    { accountId, customerId, amount }: Pick<NewPayment, 'accountId' | 'customerId' | 'amount'>,
    pointer?: string,
  ): Promise<void> {
    const credit = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    if (credit.compare(amount) < 0) throw insufficientCredit(credit, pointer);
  }

  /** Before a payment that may be above what is due: credit of notes comes off for that first. */
  async loadNotes(tx: Tx, document: Document, amount: Money): Promise<void> {
    if (amount.compare(document.amountPayable) <= 0) return;
    await this.noted.loadNotes(tx, [document]);
  }

  /** The worth of what came in. @throws DomainError as `Conversions.convert` */
  async conversionOf(
    tx: Tx,
    accountId: Uuid,
    received: ForeignMoney,
    into: Currency,
    at: Date,
  ): Promise<Conversion> {
    return this.conversions.convert(tx, accountId, received, into, at);
  }

  /** Of one document the payment is a step in its history; of several it stands for itself. */
  private tell(
    tx: Tx,
    payment: Payment,
    parts: readonly PaymentPart[],
    also: LeadingEvent[],
  ): void {
    const actor = actorOf(payment);
    const recorded = {
      type: 'payment.recorded' as const,
      data: { payment: presentPayment(payment) },
    };
    const isOfOne = payment.documentId !== null;
    if (!isOfOne) {
      const documents = parts.map(({ document: { state }, applied }) => ({
        id: publicId('doc', state.id),
        amount: applied.toMinorNumber(),
      }));
      const alone = { type: recorded.type, data: { ...recorded.data, documents } };
      this.facts.tell(tx, payment, { actor, alone });
    }
    const events = isOfOne ? [recorded, ...also] : [];
    const steps = parts.map(({ document }) => ({ document, events, effective: payment.paidAt }));
    this.facts.tell(tx, payment, { actor, steps });
  }
}

function actorOf({ source }: Payment): Actor {
  if (source.by === 'gateway') return { type: 'gateway', id: source.gateway };
  return source.clientId === null
    ? OPERATOR
    : { type: 'client', id: publicId('cli', source.clientId) };
}
