import { Injectable } from '@nestjs/common';
import { type Document, DocumentWriter } from '../../../../documents/index.js';
import { assert } from '../../../../kernel/assert.js';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { failedLink, type PaymentLink } from '../../domain/payment-link.js';
import { presentPaymentLink } from '../../wire/payment-link.js';
import { PaymentLinkRepository } from '../../infrastructure/payment-link.repository.js';
import { PaymentLinkReports } from '../payment-link-reports.service.js';
import { DebitRetries } from './debit-retries.js';
import { PlannedLookUps } from '../planned-look-ups.js';

type Guard = CommitGuard<PaymentLink>;

/** Writes what became of the calls that collect links. Of their money the provider tells later. */
@Injectable()
export class CollectionSettlement {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: PaymentLinkReports,
    private readonly writer: DocumentWriter,
    private readonly links: PaymentLinkRepository,
    private readonly lookUps: PlannedLookUps,
    private readonly retries: DebitRetries,
  ) {}

  /** The provider has the payment. One that is not wanted any more is closed by its next look-up. */
  async placed(link: PaymentLink, providerPaymentId: string, guard?: Guard): Promise<PaymentLink> {
    return this.uow.run(async (tx) => {
      const { current } = await lockCollection(tx, this.reports, link);
      if (current.providerObjectId !== null) return current;
      const placed: PaymentLink = { ...current, providerObjectId: providerPaymentId };
      this.links.setCheckout(tx, placed);
      this.lookUps.again(tx, placed, placed.status !== 'canceled');
      return placed;
    }, guard);
  }

  /** Nobody knows what happened, so a look-up sends the debit again. */
  async unknown(link: PaymentLink, guard?: Guard): Promise<PaymentLink> {
    return this.uow.run(
      async (tx) => (await lockCollection(tx, this.reports, link)).current,
      guard,
    );
  }

  /** The provider clearly says no. */
  async refused(link: PaymentLink, reason: string): Promise<void> {
    await this.uow.run(async (tx) => {
      const { document, current } = await lockCollection(tx, this.reports, link);
      const now = tx.now();
      const failed = failedLink(current, now, reason);
      if (!failed || current.providerObjectId !== null) return;
      this.links.setProgress(tx, failed);
      const data = { payment_link: presentPaymentLink(failed, now) };
      const actor = { type: 'gateway', id: link.gateway } as const;
      const more = await this.retries.afterFailure(tx, document, failed);
      this.writer.save(tx, document, actor, [{ type: 'payment_link.failed', data }, ...more]);
    });
  }
}

/** A link that is collected, as it is now, and its document. */
export async function lockCollection(
  tx: Tx,
  links: PaymentLinkReports,
  { id }: PaymentLink,
): Promise<{ document: Document; current: PaymentLink }> {
  const { document, link: current } = await links.lock(tx, id);
  assert(document && current, 'a collection has a link and a document');
  return { document, current };
}
