import { Injectable } from '@nestjs/common';
import { Accounts } from '../../../../auth/index.js';
import { type CommitGuard, lookUpOf } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import type { DebitRetry } from '../../domain/mandates/debit-retry.js';
import type { PaymentLink } from '../../domain/payment-link.js';
import type { DueCollection } from '../../infrastructure/mandates/collection.repository.js';
import { CollectionBeginning, type NewCollectionRequest } from './collection-beginning.js';
import { CollectionCalls } from './collection-calls.js';
import { DebitRetries } from './debit-retries.js';

type Guard = CommitGuard<PaymentLink>;

/** Debits of what documents ask for, by mandates of their customers. */
@Injectable()
export class Collections {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly beginning: CollectionBeginning,
    private readonly calls: CollectionCalls,
    private readonly retries: DebitRetries,
  ) {}

  /**
   * Collects all that is due. If the provider does not answer, the link is there and is sent again.
   */
  async collect(request: NewCollectionRequest, guard?: Guard): Promise<PaymentLink> {
    const today = await this.accounts.today(request.accountId);
    const link = await this.uow.run(
      (tx) => this.beginning.begin(tx, request, today),
      lookUpOf(guard),
    );
    return this.calls.send(link, false, guard);
  }

  /**
   * The collection of an invoice that is collected by itself: once, whatever comes of it. Undefined
   * where that is not so any more.
   * @throws DomainError `gateway_refused`, with the link failed
   */
  async collectAutomatically(due: DueCollection): Promise<PaymentLink | undefined> {
    const today = await this.accounts.today(due.accountId);
    const link = await this.uow.run((tx) => this.beginning.beginAutomatic(tx, due, today));
    return link && this.calls.send(link, false);
  }

  /**
   * The next try of a document whose debit failed. Undefined where it waits for other money, or is never
   * made any more.
   * @throws DomainError `gateway_refused`, with the link failed and the try after it planned
   */
  async retry(of: Pick<DebitRetry, 'accountId' | 'documentId'>): Promise<PaymentLink | undefined> {
    const link = await this.uow.run((tx) => this.retries.begin(tx, of));
    return link && this.calls.send(link, false);
  }
}
