import { Injectable } from '@nestjs/common';
import { type DocumentView, payableOf } from '../../../../documents/index.js';
import { Clock, type IsoDate } from '../../../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../../../kernel/ids.js';
import type { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { Gateways } from '../../../port/domain/gateways.js';
import { type PaymentLink, paymentLinkStatus } from '../../domain/payment-link.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { DebitRetryRepository } from '../../infrastructure/mandates/debit-retry.repository.js';
import { MandatesQuery } from '../../infrastructure/mandates/mandates.query.js';

/** A debit that a client has to expect, and need not pay for otherwise. */
export interface PlannedCollection {
  amount: Money;
  on: IsoDate;
  /** The provider, by the name that payers know. */
  provider: string;
  /** The mandate's reference, as the provider told it last. */
  reference: string | null;
  accountEnding: string | null;
}

type CollectedView = Pick<
  DocumentView,
  'id' | 'amountDue' | 'amountUndecided' | 'amountWrittenOff' | 'dueDate'
>;

/** Debits to come, for clients: they would pay twice if they did not know. */
@Injectable()
export class PlannedCollections {
  constructor(
    private readonly collections: CollectionRepository,
    private readonly retries: DebitRetryRepository,
    private readonly mandates: MandatesQuery,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
  ) {}

  /**
   * The debit that has begun and is not at the bank yet, else the one that will begin by itself: again
   * after one that failed, or for the first time.
   * @param links all of the document
   */
  async of(
    accountId: Uuid,
    view: CollectedView,
    links: readonly PaymentLink[],
    today: IsoDate,
  ): Promise<PlannedCollection | null> {
    const next = await this.next(null, accountId, view, links, today);
    if (!next) return null;
    const { amount, on } = next;
    const { gateway, reference, accountEnding } = await this.mandates.get(
      accountId,
      next.mandateId,
    );
    return { amount, on, provider: await this.titleOf(gateway), reference, accountEnding };
  }

  /** The day of the same; null: none will come. */
  async dayOf(
    tx: Tx,
    accountId: Uuid,
    view: CollectedView,
    links: readonly PaymentLink[],
    today: IsoDate,
  ): Promise<IsoDate | null> {
    return (await this.next(tx, accountId, view, links, today))?.on ?? null;
  }

  private async next(
    tx: Tx | null,
    accountId: Uuid,
    view: CollectedView,
    links: readonly PaymentLink[],
    today: IsoDate,
  ): Promise<(Pick<PlannedCollection, 'amount' | 'on'> & { mandateId: Uuid }) | null> {
    const now = this.clock.now();
    for (const link of links) {
      if (!link.collection || paymentLinkStatus(link, now) !== 'open') continue;
      const { mandateId, chargeOn } = link.collection;
      // It is begun again for the rest where a part was paid since.
      const amount = link.amount.min(payableOf(view));
      return { mandateId, amount, on: notBefore(today, chargeOn) };
    }
    const documentId = uuidOf('doc', view.id);
    const amount = view.amountDue.minus(view.amountUndecided);
    if (!documentId || !amount.isPositive()) return null;
    const retry = links.some(({ collection }) => collection !== null)
      ? await this.retries.toCome(tx, accountId, documentId)
      : undefined;
    if (retry) return { mandateId: retry.mandateId, amount, on: notBefore(today, retry.tryOn) };
    const mandateId = await this.collections.mandateToCome(tx, accountId, documentId);
    if (mandateId === undefined) return null;
    return { mandateId, amount, on: notBefore(today, view.dueDate) };
  }

  /** A page is shown also while nobody can read the gateway's settings. */
  private async titleOf(name: string): Promise<string> {
    try {
      return (await this.gateways.find(name)).title ?? name;
    } catch {
      return name;
    }
  }
}

/** A day that is over has not been the day of the debit. */
function notBefore(today: IsoDate, day: IsoDate | null): IsoDate {
  return day !== null && day > today ? day : today;
}
