import { Injectable } from '@nestjs/common';
import { Customers, DocumentRepository } from '../../documents/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Gateways } from '../domain/gateways.js';
import { LedgerRepository, leg } from '../../books/index.js';
import type { Payment } from '../domain/payment.js';
import type { PaymentMethod } from '../domain/payment-method.js';
import { unknownCustomer, unknownDocument } from '../domain/payment-refusals.js';
import {
  openAmount,
  openReceipt,
  presentUnmatched,
  receiptNotFound,
  type UnmatchedReceipt,
} from '../domain/unmatched-receipt.js';
import { isOnlyAccount } from '../infrastructure/gateway-owners.query.js';
import { UnmatchedReceiptRepository } from '../infrastructure/unmatched-receipt.repository.js';
import { UnmatchedReceiptsQuery } from '../infrastructure/unmatched-receipts.query.js';
import { type Part, PaymentWriter } from './payment-writer.js';

export interface AssignReceipt {
  accountId: Uuid;
  clientId: Uuid;
  receiptId: Uuid;
  to: { documentId: Uuid } | { customerId: Uuid };
}

export interface AssignedReceipt {
  receipt: UnmatchedReceipt;
  payment: Payment;
}

/** Money that a provider took and no document could take, until somebody gives it a home. */
@Injectable()
export class UnmatchedReceipts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly customers: Customers,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly query: UnmatchedReceiptsQuery,
    private readonly writer: PaymentWriter,
    private readonly ledger: LedgerRepository,
    private readonly events: EventLog,
    private readonly gateways: Gateways,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** The provider holds the money, and we owe it to somebody. */
  keep(tx: Tx, receipt: UnmatchedReceipt): void {
    const { accountId, id, amount, paidAt, receivedAt } = receipt;
    this.receipts.insert(tx, receipt);
    this.ledger.insert(tx, {
      accountId,
      fact: 'receipt.unmatched',
      factId: id,
      customerId: null,
      effective: paidAt,
      recordedAt: receivedAt,
      legs: leg('gateway_clearing', 'unmatched_receipts', amount),
    });
  }

  /**
   * What is left of it becomes a payment: of a document, whose due part it pays, or of a customer.
   * @throws DomainError `receipt_not_found`, `receipt_settled`, `refund_under_way`,
   *   `unknown_document`, `unknown_customer`, `currency_mismatch`, `document_not_payable`
   */
  async assign(
    { accountId, clientId, receiptId, to }: AssignReceipt,
    guard?: CommitGuard<AssignedReceipt>,
  ): Promise<AssignedReceipt> {
    await this.find(accountId, receiptId);
    if ('customerId' in to && !(await this.customers.exists(accountId, to.customerId))) {
      throw unknownCustomer();
    }
    return this.uow.run(async (tx) => {
      const receipt = await this.receipts.getForUpdate(tx, accountId, receiptId);
      const open = openAmount(receipt);
      await this.assertNoRefund(tx, receipt);
      const part =
        'documentId' in to ? await this.payDocument(tx, receipt, to.documentId, open) : null;
      const { gateway, providerPaymentId, fee } = receipt;
      const payment: Payment = {
        id: this.ids.next(),
        accountId,
        customerId: 'customerId' in to ? to.customerId : (part?.document.state.customerId ?? ''),
        documentId: part?.document.state.id ?? null,
        amount: open,
        applied: part?.applied ?? Money.zero(open.currency),
        fee: fee && fee.compare(open) <= 0 ? fee : null,
        method: this.methodOf(gateway),
        reference: providerPaymentId.slice(0, 255),
        note: null,
        metadata: {},
        paidAt: receipt.paidAt,
        recordedAt: this.clock.now(),
        source: { by: 'receipt', clientId, receiptId, gateway, providerPaymentId },
      };
      this.receipts.addSettled(tx, receipt, open);
      this.writer.write(tx, payment, part ? [part] : []);
      const assigned = { ...receipt, settled: receipt.amount, paymentId: payment.id };
      return { receipt: assigned, payment };
    }, guard);
  }

  /**
   * The operator knows whose money it is that came under a name we do not know.
   * @throws DomainError `account_not_found`, `receipt_not_found`, `receipt_settled`,
   *   `gateway_not_found`, `gateway_not_assigned`
   */
  async claim(by: By, gateway: string, providerPaymentId: string): Promise<UnmatchedReceipt> {
    const { accountId } = by;
    return this.uow.run(async (tx) => {
      const kept = await this.receipts.lockKept(tx, gateway, providerPaymentId);
      if (!kept?.unmatched) throw receiptNotFound();
      if (kept.isClaimed || kept.accountId !== null) {
        throw DomainError.conflict(
          'receipt_settled',
          'This receipt belongs to an account already.',
        );
      }
      if (!(await this.receipts.accountExists(tx, accountId))) {
        throw DomainError.notFound('account_not_found', 'There is no such account.');
      }
      // Whose provider account took it, has it.
      this.gateways.getFor(accountId, gateway, await isOnlyAccount(tx, accountId));
      const { unmatched: reason, amount, linkReference, paidAt } = kept;
      const now = this.clock.now();
      const receipt = openReceipt({
        id: this.ids.next(),
        accountId,
        gateway,
        providerPaymentId,
        amount,
        fee: null,
        reason,
        documentId: null,
        paymentLinkId: null,
        linkReference,
        paidAt,
        receivedAt: now,
      });
      this.keep(tx, receipt);
      this.events.append(tx, [
        {
          accountId,
          type: 'payment.unmatched',
          actor: by.actor,
          document: null,
          data: presentUnmatched(receipt),
          occurredAt: now,
        },
      ]);
      return receipt;
    });
  }

  private async payDocument(
    tx: Tx,
    { accountId }: UnmatchedReceipt,
    documentId: Uuid,
    open: Money,
  ): Promise<Part> {
    const [document] = await this.documents.findForUpdate(tx, accountId, [documentId]);
    if (!document) throw unknownDocument('/document_id');
    const { currency } = document.state;
    if (currency !== open.currency) {
      throw DomainError.invalid(
        'currency_mismatch',
        '/document_id',
        `The document is in ${currency}, and the money came in ${open.currency}; refund it, or ` +
          'assign it to the customer.',
        { currency },
      );
    }
    const { applied, waived } = document.recordPayment(open, 'credit');
    return { document, applied, waived };
  }

  /** @throws DomainError `receipt_not_found` */
  async find(accountId: Uuid, id: Uuid): Promise<UnmatchedReceipt> {
    const receipt = await this.query.find(accountId, id);
    if (!receipt) throw receiptNotFound();
    return receipt;
  }

  private async assertNoRefund(tx: Tx, receipt: UnmatchedReceipt): Promise<void> {
    if (!(await this.receipts.hasRefundUnderWay(tx, receipt))) return;
    throw DomainError.conflict(
      'refund_under_way',
      'A part of this receipt is on its way back; wait until that refund is settled.',
    );
  }

  private methodOf(gateway: string): PaymentMethod {
    return this.gateways.all().find(({ name }) => name === gateway)?.method ?? 'other';
  }
}
