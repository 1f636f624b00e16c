import { Injectable } from '@nestjs/common';
import { assert } from '../../../../kernel/assert.js';
import { type Document, DocumentRepository, DocumentWriter } from '../../../../documents/index.js';
import { Clock } from '../../../../kernel/clock.js';
import { Config } from '../../../../platform/config/config.js';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { failedLink, type PaymentLink } from '../../domain/payment-link.js';
import { presentPaymentLink } from '../../wire/payment-link.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';

type Guard = CommitGuard<PaymentLink>;

/** Writes what became of the calls that collect links. Of their money the provider tells later. */
@Injectable()
export class CollectionSettlement {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly writer: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly collections: CollectionRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The provider has the payment. One that is not wanted any more is closed by its next look-up. */
  async placed(link: PaymentLink, providerPaymentId: string, guard?: Guard): Promise<PaymentLink> {
    return this.uow.run(async (tx) => {
      const { current } = await this.lock(tx, link);
      if (current.providerObjectId !== null) return current;
      const placed: PaymentLink = { ...current, providerObjectId: providerPaymentId };
      this.links.setCheckout(tx, placed);
      const isWanted = placed.status !== 'canceled';
      const wait = isWanted ? this.config.checkoutLookUpSeconds * 1000 : 0;
      this.links.lookUpAgain(tx, placed, new Date(this.clock.serverNow().getTime() + wait));
      return placed;
    }, guard);
  }

  /** Nobody knows what happened, so a look-up sends the debit again. */
  async unknown(link: PaymentLink, guard?: Guard): Promise<PaymentLink> {
    return this.uow.run(async (tx) => (await this.lock(tx, link)).current, guard);
  }

  /** The provider clearly says no. */
  async refused(link: PaymentLink, reason: string): Promise<void> {
    await this.uow.run(async (tx) => {
      const { document, current } = await this.lock(tx, link);
      const now = tx.now();
      const failed = failedLink(current, now, reason);
      if (!failed || current.providerObjectId !== null) return;
      this.links.setProgress(tx, failed);
      const data = { payment_link: presentPaymentLink(failed, now) };
      const actor = { type: 'gateway', id: link.gateway } as const;
      this.writer.save(tx, document, actor, [{ type: 'payment_link.failed', data }]);
    });
  }

  /**
   * The link as it is now. A debit over more than is due would take money that nobody owes, so it is
   * canceled as long as that may be.
   */
  async upToDate(link: PaymentLink): Promise<PaymentLink> {
    return this.uow.run(async (tx) => {
      const { document, current } = await this.lock(tx, link);
      if (current.status !== 'open' || document.amountPayable.compare(current.amount) >= 0) {
        return current;
      }
      const now = tx.now();
      const canceled: PaymentLink = { ...current, status: 'canceled', canceledAt: now };
      this.links.cancel(tx, current, now);
      this.collections.withdraw(tx, current, now);
      const data = { payment_link: presentPaymentLink(canceled, now) };
      const actor = { type: 'operator', id: null } as const;
      this.writer.save(tx, document, actor, [{ type: 'payment_link.canceled', data }]);
      return canceled;
    });
  }

  private async lock(
    tx: Tx,
    { id }: PaymentLink,
  ): Promise<{ document: Document; current: PaymentLink }> {
    const [document, current] = await Promise.all([
      this.documents.findForUpdateBy(tx, this.links.documentOf(id)),
      this.links.findById(tx, id),
    ]);
    assert(document && current, 'a collection has a link and a document');
    return { document, current };
  }
}
