import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../books/index.js';
import {
  isFromCredit,
  type NewPayment,
  type Payment,
  type PaymentSource,
  type PaymentTerms,
  saidOf,
} from '../domain/payment.js';
import { Clock, type IsoDate } from '../../../kernel/clock.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import { Money } from '../../../kernel/money.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { allocationsExceed } from '../../port/domain/payment-refusals.js';
import { type PaidFor, PaidPlaces, type PaidWhere } from './paid-places.js';
import { PaymentSettingsService } from './payment-settings.service.js';
import { type PaymentPart, PaymentWriter } from './payment-writer.js';

export interface RecordAllocatedPayment extends PaymentTerms, PaidWhere {
  source: Extract<PaymentSource, { by: 'client' | 'bank' | 'receipt' }>;
}

export interface AllocatedPayment {
  payment: Payment;
  parts: PaymentPart[];
  /** The first open day, where that of the payment is closed. */
  bookedOn: IsoDate | null;
}

/** One payment that pays several documents, or none: what no document takes becomes credit. */
@Injectable()
export class AllocatedPayments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly places: PaidPlaces,
    private readonly settings: PaymentSettingsService,
    private readonly writer: PaymentWriter,
    private readonly clock: Clock,
  ) {}

  async record(
    command: RecordAllocatedPayment,
    guard?: CommitGuard<AllocatedPayment>,
  ): Promise<AllocatedPayment> {
    assertHappened('paid_at', command.paidAt, this.clock.now());
    await this.places.assertCustomer(command);
    return this.uow.run(async (tx) => this.receive(tx, command), guard);
  }

  /** The same within a transaction that began with locks of its own. */
  async receive(tx: Tx, command: RecordAllocatedPayment): Promise<AllocatedPayment> {
    const now = tx.now();
    const paidFor = await this.places.lock(tx, command);
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
    const made: NewPayment = {
      accountId,
      customerId: paidFor.customerId,
      documentId: parts.length === 1 && only ? only.document.state.id : null,
      amount,
      conversion,
      applied,
      ...saidOf(command, now),
      source: command.source,
    };
    if (isFromCredit(made)) {
      await this.writer.assertCredit(tx, made);
      if (applied.compare(amount) < 0) throw allocationsExceed(applied, '/amount');
    }
    const bookedOn = await laterDay(tx, accountId, paidAt, now);
    const payment = this.writer.write(tx, made, parts);
    return { payment, parts, bookedOn };
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
