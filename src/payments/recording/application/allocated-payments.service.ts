import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../books/index.js';
import {
  MOST_DOCUMENTS,
  isFromCredit,
  type Payment,
  type PaymentSource,
  type PaymentTerms,
  saidOf,
} from '../domain/payment.js';
import {
  Customers,
  type Document,
  DocumentRepository,
  unknownPayingCustomer,
} from '../../../documents/index.js';
import { Clock, type IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import { IdGenerator, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  allocationsExceed,
  currencyMismatch,
  customerMismatch,
  unknownDocument,
} from '../../port/domain/payment-refusals.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';
import { PaymentSettingsService } from './payment-settings.service.js';
import { type PaymentPart, PaymentWriter } from './payment-writer.js';
import { assertCredit } from './payments.service.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

export interface RecordAllocatedPayment extends PaymentTerms {
  accountId: Uuid;
  source: Extract<PaymentSource, { by: 'client' | 'bank' | 'receipt' }>;
  /** The customer who gets the rest; the one of the documents when null. */
  customerId: Uuid | null;
  /** How much each document gets, or all that is due as far as the money goes. */
  allocate: readonly { documentId: Uuid; amountMinor: bigint | null }[] | 'oldest_first' | 'none';
}

export interface AllocatedPayment {
  payment: Payment;
  parts: PaymentPart[];
  /** The first open day, where that of the payment is closed. */
  bookedOn: IsoDate | null;
}

/** The customer who paid, and the documents that the money is for, locked. */
interface PaidFor {
  customerId: Uuid;
  currency: string;
  documents: Document[];
}

/** One payment that pays several documents, or none: what no document takes becomes credit. */
@Injectable()
export class AllocatedPayments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly customers: Customers,
    private readonly documents: DocumentRepository,
    private readonly payments: PaymentRepository,
    private readonly settings: PaymentSettingsService,
    private readonly writer: PaymentWriter,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  async record(
    command: RecordAllocatedPayment,
    guard?: CommitGuard<AllocatedPayment>,
  ): Promise<AllocatedPayment> {
    assertHappened('paid_at', command.paidAt, this.clock.now());
    const { accountId, customerId } = command;
    if (customerId && !(await this.customers.exists(accountId, customerId))) {
      throw unknownPayingCustomer();
    }
    return this.uow.run(async (tx) => this.receive(tx, command), guard);
  }

  /** The same within a transaction that began with locks of its own. */
  async receive(tx: Tx, command: RecordAllocatedPayment): Promise<AllocatedPayment> {
    const now = this.clock.now();
    const paidFor = await this.paidFor(tx, command);
    const amount = Money.of(command.amountMinor, paidFor.currency);
    const { accountId, received, paidAt } = command;
    const conversion = received
      ? await this.writer.conversionOf(tx, accountId, received, amount.currency, paidAt ?? now)
      : null;
    const parts = await this.apply(tx, command, paidFor, amount, paidAt ?? now);
    const applied = Money.sum(
      parts.map((part) => part.applied),
      paidFor.currency,
    );
    const [only] = parts;
    const payment: Payment = {
      id: this.ids.next(),
      accountId,
      customerId: paidFor.customerId,
      documentId: parts.length === 1 && only ? only.document.state.id : null,
      amount,
      conversion,
      applied,
      ...saidOf(command, now),
      source: command.source,
    };
    if (isFromCredit(payment)) {
      await assertCredit(this.payments, tx, payment);
      if (applied.compare(amount) < 0) throw allocationsExceed(applied, '/amount');
    }
    const bookedOn = await laterDay(tx, payment.accountId, command.paidAt, now);
    this.writer.write(tx, payment, parts);
    return { payment, parts, bookedOn };
  }

  private async paidFor(tx: Tx, command: RecordAllocatedPayment): Promise<PaidFor> {
    const { accountId, allocate } = command;
    if (typeof allocate !== 'string' && allocate.length > 0)
      return this.paidForDocuments(tx, command);
    const { customerId, currency } = command;
    if (customerId === null) throw required('/customer_id');
    if (currency === null) throw required('/currency');
    const documents =
      allocate === 'oldest_first'
        ? await this.documents.findOldestDueForUpdate(
            tx,
            accountId,
            customerId,
            currency,
            MOST_DOCUMENTS,
          )
        : [];
    return { customerId, currency, documents };
  }

  private async paidForDocuments(tx: Tx, command: RecordAllocatedPayment): Promise<PaidFor> {
    const wanted = typeof command.allocate === 'string' ? [] : command.allocate;
    const ids = wanted.map(({ documentId }) => documentId);
    const found = await this.documents.findForUpdate(tx, command.accountId, ids);
    const documents = ids.map((id, index) => {
      const document = found.find(({ state }) => state.id === id);
      if (document) return document;
      throw unknownDocument(`/allocations/${index}/document_id`);
    });
    const [first] = documents;
    const customerId = command.customerId ?? first?.state.customerId ?? '';
    const currency = command.currency ?? first?.state.currency ?? '';
    documents.forEach(({ state }, index) => {
      if (state.currency !== currency) throw currencyMismatch(state.currency);
      if (state.customerId !== customerId) {
        throw customerMismatch(`/allocations/${index}/document_id`);
      }
    });
    return { customerId, currency, documents };
  }

  private async apply(
    tx: Tx,
    { allocate }: RecordAllocatedPayment,
    { documents, currency }: PaidFor,
    amount: Money,
    paidAt: Date,
  ): Promise<PaymentPart[]> {
    const asked = typeof allocate === 'string' ? [] : allocate;
    let left = amount;
    const parts: PaymentPart[] = [];
    for (const [index, document] of documents.entries()) {
      const wish = asked[index]?.amountMinor ?? null;
      const share = wish === null ? left.min(document.amountPayable) : Money.of(wish, currency);
      if (share.compare(left) > 0) throw allocationsExceed(amount, `/allocations/${index}/amount`);
      if (share.isZero() && wish === null) {
        document.assertMay('pay');
        continue;
      }
      const allowance = await this.settings.allowanceFor(tx, document, share, paidAt);
      const { applied, waived } = document.recordPayment(share, 'reject', allowance);
      parts.push({ document, applied, waived });
      left = left.minus(applied);
    }
    return parts;
  }
}

function required(pointer: string): DomainError {
  return FieldRefusal.required.at(
    pointer,
    `${pointer.slice(1)} is required if no document is named that has it.`,
  );
}
