import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../books/index.js';
import { Customers, DocumentRepository, unknownPayingCustomer } from '../../../documents/index.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Gateways, payeeOf } from '../../port/domain/gateways.js';
import { type CountedAs, foreignFrom } from '../domain/conversion.js';
import type { NewPayment, Payment } from '../domain/payment.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import { unknownDocument, PaymentRefusal } from '../../port/domain/payment-refusals.js';
import { assignableAmount, type UnmatchedReceipt } from '../domain/unmatched-receipt.js';
import { UnmatchedReceiptRepository } from '../infrastructure/unmatched-receipt.repository.js';
import { discountFor } from './cash-discounts.js';
import { type PaymentPart, PaymentWriter } from './payment-writer.js';

export interface AssignUnmatchedReceipt {
  accountId: Uuid;
  clientId: Uuid;
  receiptId: Uuid;
  to: { documentId: Uuid } | { customerId: Uuid };
  /** Set if the document is in another currency than the money. */
  countsAs: CountedAs | null;
  /** The day it counts for; when it was paid, if null. */
  assignedAt: Date | null;
}

export interface AssignedUnmatchedReceipt {
  receipt: UnmatchedReceipt;
  payment: Payment;
  /** The first open day, where that of the payment is closed. */
  bookedOn: IsoDate | null;
}

/** Money that a provider took and no document could take, until somebody assigns it. */
@Injectable()
export class UnmatchedReceipts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly customers: Customers,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly writer: PaymentWriter,
    private readonly gateways: Gateways,
  ) {}

  /**
   * The open part of it becomes a payment: of a document, whose due part it pays, or of a customer.
   * @throws DomainError `receipt_not_found`, `receipt_settled`, `refund_under_way`,
   *   `unknown_document`, `unknown_customer`, `currency_mismatch`, `document_not_payable`,
   *   `date_in_future`, `date_too_early`, and as `Conversions.convert`
   */
  async assign(
    { accountId, clientId, receiptId, to, countsAs, assignedAt }: AssignUnmatchedReceipt,
    guard?: CommitGuard<AssignedUnmatchedReceipt>,
  ): Promise<AssignedUnmatchedReceipt> {
    // Asked before the transaction: within it, this would take a second connection.
    const isKnown =
      !('customerId' in to) || (await this.customers.exists(accountId, to.customerId));
    return this.uow.run(async (tx) => {
      const receipt = await this.receipts.getForUpdate(tx, accountId, receiptId);
      if (!isKnown) throw unknownPayingCustomer();
      const open = assignableAmount(receipt);
      await this.assertNoRefund(tx, receipt);
      const amount = countsAs ? Money.of(countsAs.amountMinor, countsAs.currency) : open;
      const part =
        'documentId' in to ? await this.payDocument(tx, receipt, to.documentId, amount) : null;
      const now = tx.now();
      const cameAt = { at: receipt.paidAt, name: 'when it was paid' };
      assertHappened('assigned_at', assignedAt, now, cameAt);
      const paidAt = assignedAt ?? receipt.paidAt;
      const conversion = countsAs
        ? await this.writer.conversionOf(
            tx,
            accountId,
            foreignFrom(open, countsAs),
            amount.currency,
            paidAt,
          )
        : null;
      const { gateway, providerPaymentId } = receipt;
      const made: NewPayment = {
        accountId,
        customerId: 'customerId' in to ? to.customerId : (part?.document.state.customerId ?? ''),
        documentId: part?.document.state.id ?? null,
        amount,
        conversion,
        applied: part?.applied ?? Money.zero(amount.currency),
        // The receipt has booked it.
        fee: null,
        method: await this.methodOf(tx, accountId, gateway),
        reference: providerPaymentId.slice(0, 255),
        note: null,
        metadata: {},
        paidAt,
        recordedAt: now,
        source: { by: 'receipt', clientId, receiptId, gateway, providerPaymentId },
      };
      const bookedOn = await laterDay(tx, accountId, paidAt, now);
      this.receipts.addSettled(tx, receipt, open);
      const payment = this.writer.write(tx, made, part ? [part] : []);
      const assigned = { ...receipt, settled: receipt.amount, paymentId: payment.id };
      return { receipt: assigned, payment, bookedOn };
    }, guard);
  }

  private async payDocument(
    tx: Tx,
    { accountId, paidAt }: UnmatchedReceipt,
    documentId: Uuid,
    amount: Money,
  ): Promise<PaymentPart> {
    const [document] = await this.documents.findForUpdate(tx, accountId, [documentId]);
    if (!document) throw unknownDocument('/document_id');
    const { currency } = document.state;
    if (currency !== amount.currency) {
      throw PaymentRefusal.currency_mismatch.at(
        '/document_id',
        `The document is in ${currency}, and the money in ${amount.currency}; send what it counts ` +
          `for in ${currency} in counts_as, refund it, or assign it to the customer.`,
        { currency },
      );
    }
    const discount = await discountFor(tx, document, amount, paidAt);
    await this.writer.loadNotes(tx, document, amount);
    const { applied, waived } = document.recordPayment(amount, 'credit', discount);
    return { document, applied, waived };
  }

  private async assertNoRefund(tx: Tx, receipt: UnmatchedReceipt): Promise<void> {
    if (!(await this.receipts.hasRefundUnderWay(tx, receipt))) return;
    throw PaymentRefusal.refund_under_way.of(
      'A part of this receipt is on its way back; wait until that refund is settled.',
    );
  }

  /** Of a configured gateway also where it is another account's by now. */
  private async methodOf(tx: Tx, accountId: Uuid, key: string): Promise<PaymentMethod> {
    const configured = this.gateways.all().find(({ name }) => name === key);
    const found = configured ?? (await this.gateways.findFor(key, payeeOf(accountId, tx)));
    return found?.method ?? 'other';
  }
}
