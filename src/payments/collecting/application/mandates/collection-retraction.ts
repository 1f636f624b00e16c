import { Injectable } from '@nestjs/common';
import { OPERATOR } from '../../../../kernel/actor.js';
import { DocumentWriter } from '../../../../documents/index.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import type { PaymentLink } from '../../domain/payment-link.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { DebitRetryRepository } from '../../infrastructure/mandates/debit-retry.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import { presentPaymentLink } from '../../wire/payment-link.js';
import { PaymentLinkReports } from '../payment-link-reports.service.js';
import { lockCollection } from './collection-settlement.js';

/** Takes back collections of what nobody owes any more. */
@Injectable()
export class CollectionRetraction {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: PaymentLinkReports,
    private readonly writer: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly collections: CollectionRepository,
    private readonly retries: DebitRetryRepository,
  ) {}

  /**
   * The link as it is now. A debit over more than is due would take money that nobody owes, so it is
   * canceled as long as that may be.
   */
  async upToDate(link: PaymentLink): Promise<PaymentLink> {
    return this.uow.run(async (tx) => {
      const { document, current } = await lockCollection(tx, this.reports, link);
      if (current.status !== 'open' || document.amountPayable.compare(current.amount) >= 0) {
        return current;
      }
      const now = tx.now();
      const canceled: PaymentLink = { ...current, status: 'canceled', canceledAt: now };
      this.links.cancel(tx, current, now);
      this.collections.withdraw(tx, current, now);
      this.retries.reopen(tx, current);
      const data = { payment_link: presentPaymentLink(canceled, now) };
      this.writer.save(tx, document, OPERATOR, [{ type: 'payment_link.canceled', data }]);
      return canceled;
    });
  }
}
