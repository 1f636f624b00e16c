import { Injectable } from '@nestjs/common';
import {
  type Document,
  DocumentRepository,
  DocumentWriter,
  type LeadingEvent,
} from '../../documents/index.js';
import type { Actor } from '../../events/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Payment } from '../domain/payment.js';
import type { PaymentMethod } from '../domain/payment-method.js';
import { presentPayment } from '../domain/present-payment.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

export interface RecordPayment {
  accountId: Uuid;
  clientId: Uuid;
  documentId: Uuid;
  amountMinor: bigint;
  method: PaymentMethod;
  currency: string | null;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  paidAt: Date | null;
  onOverpayment: 'reject' | 'credit';
  /** Without an Idempotency-Key a payment that looks like a recent one gets a warning. */
  warnOfSimilar: boolean;
}

export interface RecordedPayment {
  payment: Payment;
  document: Document;
  /** An earlier payment that looks the same. */
  similar: Uuid | null;
}

const SIMILAR_WITHIN_MS = 24 * 3_600_000;
const LARGEST_CLOCK_SKEW_MS = 300_000;

/** Money that an integration reports. */
@Injectable()
export class Payments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentWriter,
    private readonly documentRepository: DocumentRepository,
    private readonly payments: PaymentRepository,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /**
   * Document, payment, events and idempotency record in one transaction, under the document's lock.
   * @throws DomainError `document_not_found`, `document_not_payable`, `amount_exceeds_due`,
   *   `currency_mismatch`, `insufficient_credit`, `paid_at_in_future`
   */
  async record(
    command: RecordPayment,
    guard?: CommitGuard<RecordedPayment>,
  ): Promise<RecordedPayment> {
    const now = this.clock.now();
    assertNotInFuture(command.paidAt, now);
    return this.uow.run(async (tx) => {
      const { accountId, documentId, method, reference } = command;
      const [document, similar] = await Promise.all([
        this.documentRepository.getForUpdate(tx, accountId, documentId),
        command.warnOfSimilar
          ? this.payments.findSimilar(
              tx,
              { accountId, documentId, method, reference, minor: command.amountMinor },
              new Date(now.getTime() - SIMILAR_WITHIN_MS),
            )
          : undefined,
      ]);
      assertSameCurrency(command.currency, document.state.currency);
      const amount = Money.of(command.amountMinor, document.state.currency);
      const payment = this.take(document, amount, command, now);
      if (method === 'credit_balance') await this.assertCredit(tx, document, amount);
      this.write(tx, payment, document);
      return { payment, document, similar: similar ?? null };
    }, guard);
  }

  /** Writes a payment that a document took, its rest as credit, and the document itself. */
  write(tx: Tx, payment: Payment, document: Document, also: LeadingEvent[] = []): void {
    this.payments.insert(tx, payment);
    const credit = creditFrom(payment);
    if (!credit.isZero()) {
      this.payments.addCredit(tx, {
        accountId: payment.accountId,
        customerId: document.state.customerId,
        amount: credit,
        paymentId: payment.id,
        creditNoteId: null,
        at: payment.recordedAt,
      });
    }
    const recorded = {
      type: 'payment.recorded' as const,
      data: { payment: presentPayment(payment) },
    };
    this.documents.save(tx, document, actorOf(payment), [recorded, ...also]);
  }

  private take(document: Document, amount: Money, command: RecordPayment, now: Date): Payment {
    // Credit that is spent comes from us: there is nothing that could be left over.
    const onOverpayment = command.method === 'credit_balance' ? 'reject' : command.onOverpayment;
    const { applied } = document.recordPayment(amount, onOverpayment);
    return {
      id: this.ids.next(),
      accountId: command.accountId,
      documentId: command.documentId,
      amount,
      applied,
      method: command.method,
      reference: command.reference,
      note: command.note,
      metadata: command.metadata,
      paidAt: command.paidAt ?? now,
      recordedAt: now,
      source: { by: 'client', clientId: command.clientId },
    };
  }

  /** Under the customer's lock, so that no two documents spend the same credit. */
  private async assertCredit(tx: Tx, document: Document, amount: Money): Promise<void> {
    const { accountId, customerId } = document.state;
    const credit = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    if (credit.compare(amount) >= 0) return;
    throw DomainError.invalid(
      'insufficient_credit',
      '/amount',
      `The customer has ${credit.minor} (${credit}) of credit; send at most that.`,
      { available_credit: credit.toMinorNumber(), currency: credit.currency },
    );
  }
}

function actorOf({ source }: Payment): Actor {
  return source.by === 'client'
    ? { type: 'client', id: publicId('cli', source.clientId) }
    : { type: 'gateway', id: source.gateway };
}

/** What a payment adds to the customer's credit: its rest, or, paid from credit, less than zero. */
function creditFrom({ method, source, amount, applied }: Payment): Money {
  return method === 'credit_balance' && source.by === 'client'
    ? Money.zero(amount.currency).minus(amount)
    : amount.minus(applied);
}

function assertSameCurrency(given: string | null, currency: string): void {
  if (given === null || given === currency) return;
  throw DomainError.invalid(
    'currency_mismatch',
    '/currency',
    `The document is in ${currency}; record the payment in ${currency}.`,
    { currency },
  );
}

function assertNotInFuture(paidAt: Date | null, now: Date): void {
  if (!paidAt || paidAt.getTime() <= now.getTime() + LARGEST_CLOCK_SKEW_MS) return;
  throw DomainError.invalid(
    'paid_at_in_future',
    '/paid_at',
    'paid_at is in the future; record the payment once the money has moved.',
  );
}
