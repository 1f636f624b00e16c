import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../books/index.js';
import {
  type ShortfallAllowance,
  type Document,
  DocumentRepository,
  type OnOverpayment,
} from '../../../documents/index.js';
import { Clock, type IsoDate } from '../../../kernel/clock.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Conversion } from '../domain/conversion.js';
import {
  isFromCredit,
  type NewPayment,
  type Payment,
  type PaymentTerms,
  saidOf,
} from '../domain/payment.js';
import { currencyMismatch } from '../../port/domain/payment-refusals.js';
import { findSimilarPayment } from '../infrastructure/payment.repository.js';
import { PaymentSettingsService } from './payment-settings.service.js';
import { type PaymentPart, PaymentWriter } from './payment-writer.js';

export interface RecordPayment extends PaymentTerms {
  accountId: Uuid;
  clientId: Uuid;
  documentId: Uuid;
  onOverpayment: OnOverpayment;
  /** Of the document. */
  expected: ExpectedVersions;
  /** Without an Idempotency-Key a payment that looks like a recent one gets a warning. */
  warnOfSimilar: boolean;
}

export interface RecordedPayment {
  payment: Payment;
  document: Document;
  /** An earlier payment that looks the same. */
  similar: Uuid | null;
  /** The first open day, where that of the payment is closed. */
  bookedOn: IsoDate | null;
}

/** Money that is about to be a payment of a document. */
interface Taken {
  document: Document;
  amount: Money;
  conversion: Conversion | null;
  allowance: ShortfallAllowance | null;
}

const SIMILAR_WITHIN_MS = 24 * 3_600_000;

/** Money that an integration reports. */
@Injectable()
export class Payments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documentRepository: DocumentRepository,
    private readonly settings: PaymentSettingsService,
    private readonly writer: PaymentWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Document, payment, events and idempotency record in one transaction, under the document's lock.
   */
  async record(
    command: RecordPayment,
    guard?: CommitGuard<RecordedPayment>,
  ): Promise<RecordedPayment> {
    const now = this.clock.now();
    assertHappened('paid_at', command.paidAt, now);
    const shared = {
      owner: command.accountId,
      rows: [command.documentId],
      isRepeatable: guard !== undefined,
    };
    const work = async (tx: Tx): Promise<RecordedPayment> => {
      const { accountId, documentId, method, reference } = command;
      const [document, similar, bookedOn] = await Promise.all([
        this.documentRepository.getForUpdate(tx, accountId, documentId),
        command.warnOfSimilar
          ? findSimilarPayment(
              tx,
              { accountId, documentId, method, reference, minor: command.amountMinor },
              new Date(now.getTime() - SIMILAR_WITHIN_MS),
            )
          : undefined,
        laterDay(tx, accountId, command.paidAt, now),
      ]);
      document.assertVersion(command.expected);
      const { currency } = document.state;
      if (command.currency !== null && command.currency !== currency) {
        throw currencyMismatch(currency);
      }
      const amount = Money.of(command.amountMinor, document.state.currency);
      const conversion = command.received
        ? await this.writer.conversionOf(
            tx,
            accountId,
            command.received,
            currency,
            command.paidAt ?? now,
          )
        : null;
      const { paidAt } = command;
      const allowance = await this.settings.allowanceFor(tx, document, amount, paidAt ?? now);
      if (command.onOverpayment === 'credit') await this.writer.loadNotes(tx, document, amount);
      const { made, part } = take({ document, amount, conversion, allowance }, command, now);
      if (isFromCredit(made)) await this.writer.assertCredit(tx, made);
      const payment = this.writer.write(tx, made, [part]);
      return { payment, document, similar: similar ?? null, bookedOn };
    };
    return this.uow.runInGroup(shared, work, guard);
  }
}

function take(
  { document, amount, conversion, allowance }: Taken,
  command: RecordPayment,
  now: Date,
): { made: NewPayment; part: PaymentPart } {
  // Credit that is spent comes from us: there is nothing that could be left over.
  const onOverpayment = command.method === 'credit_balance' ? 'reject' : command.onOverpayment;
  const { applied, waived } = document.recordPayment(amount, onOverpayment, allowance);
  const made: NewPayment = {
    accountId: command.accountId,
    customerId: document.state.customerId,
    documentId: command.documentId,
    amount,
    conversion,
    applied,
    ...saidOf(command, now),
    source: { by: 'client', clientId: command.clientId },
  };
  return { made, part: { document, applied, waived } };
}
