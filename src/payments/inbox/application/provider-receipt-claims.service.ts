import { Injectable } from '@nestjs/common';
import type { By } from '../../../kernel/actor.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Gateways, payeeOf } from '../../port/domain/gateways.js';
import { type UnmatchedReceipt } from '../../recording/domain/unmatched-receipt.js';
import { subjectOf } from '../../recording/domain/unmatched-item.js';
import { payableAccount } from '../../port/infrastructure/gateway-accounts.query.js';
import { closeItem } from '../../recording/infrastructure/unmatched-item.repository.js';
import { UnmatchedReceiptRepository } from '../../recording/infrastructure/unmatched-receipt.repository.js';
import { ProviderReportRepository } from '../../port/infrastructure/provider-report.repository.js';
import { UnmatchedReceiptWriter } from '../../recording/application/unmatched-receipt-writer.js';
import { ReportBooking } from './report-booking.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';
import { AuthRefusal } from '../../../auth/index.js';

/** Gives an account money that a provider took for nobody we know. */
@Injectable()
export class ProviderReceiptClaims {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly gateways: Gateways,
    private readonly reports: ProviderReportRepository,
    private readonly booking: ReportBooking,
    private readonly writer: UnmatchedReceiptWriter,
  ) {}

  /** The operator knows whose money it is that came under a name we do not know. */
  async claim(by: By, gateway: string, providerPaymentId: string): Promise<UnmatchedReceipt> {
    const { accountId } = by;
    const { receipt, early } = await this.uow.run(async (tx) => {
      const told = await this.reports.lockEarly(tx, gateway, providerPaymentId);
      const kept = await this.receipts.lockProviderReceipt(tx, gateway, providerPaymentId);
      if (!kept?.unmatched) throw PaymentRefusal.receipt_not_found.of();
      if (kept.isTakenBack) {
        throw PaymentRefusal.receipt_settled.of('The provider has taken this money back.');
      }
      if (kept.isClaimed || kept.accountId !== null) {
        throw PaymentRefusal.receipt_settled.of('This receipt belongs to an account already.');
      }
      if (!(await this.receipts.accountExists(tx, accountId))) {
        throw AuthRefusal.account_not_found.of();
      }
      // The money belongs to the account whose provider account took it.
      await this.gateways.getFor(gateway, await payableAccount(tx, accountId));
      const { unmatched: reason, amount, linkReference, paidAt } = kept;
      const claimed = this.writer.keep(
        tx,
        {
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
          receivedAt: tx.now(),
        },
        by.actor,
        null,
      );
      const item = { providerPaymentId, subject: subjectOf.payment(providerPaymentId) };
      closeItem(tx, gateway, item, 'The operator gave this money to an account.', tx.now());
      return { receipt: claimed, early: told };
    });
    const collector = await this.gateways.getFor(gateway, payeeOf(accountId));
    await this.booking.meet(collector, early, { providerPaymentId });
    return receipt;
  }
}
