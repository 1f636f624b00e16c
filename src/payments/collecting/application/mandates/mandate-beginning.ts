import { Injectable } from '@nestjs/common';
import { DocumentRefusal } from '../../../../documents/index.js';
import type { By } from '../../../../kernel/actor.js';
import { Clock } from '../../../../kernel/clock.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { type CommitGuard, lookUpOf } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import type { Mandate } from '../../domain/mandates/mandate.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { MandateCalls } from './mandate-calls.js';
import { MandateRecords } from './mandate-records.js';

export interface NewMandate extends By {
  customerId: Uuid;
  /** A configured name, or the id or name of an own one. */
  gateway: string;
  currency: string;
  collectsAutomatically: boolean;
  returnUrl: string | null;
}

/** Longer than the calls that make a page. */
const MADE_WITHIN_MS = 600_000;

/** Mandates before their providers hear of them. */
@Injectable()
export class MandateBeginning {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly mandates: MandateRepository,
    private readonly calls: MandateCalls,
    private readonly records: MandateRecords,
    private readonly clock: Clock,
  ) {}

  /** @param guard of the request that this is the first part of */
  async begin(wish: NewMandate, guard?: CommitGuard<Mandate>): Promise<Mandate> {
    return this.uow.run(async (tx) => {
      const { accountId, customerId, currency } = wish;
      const customer = await this.mandates.holdCustomer(tx, accountId, customerId);
      if (!customer) throw DocumentRefusal.customer_not_found.of();
      if (customer.erasedAt) throw DocumentRefusal.customer_erased.of();
      const gateway = await this.calls.keeperFor(tx, accountId, wish);
      const now = tx.now();
      const mandate: Mandate = {
        id: tx.newId(),
        accountId,
        customerId,
        gateway,
        currency,
        status: 'pending',
        url: null,
        providerRequestId: null,
        providerMandateId: null,
        scheme: null,
        reference: null,
        accountEnding: null,
        automaticSince: wish.collectsAutomatically ? now : null,
        failure: null,
        version: 1,
        createdAt: now,
        askedAt: null,
        activatedAt: null,
        endedAt: null,
        // Should we die before the provider has answered.
        nextLookAt: new Date(this.clock.serverNow().getTime() + MADE_WITHIN_MS),
      };
      this.mandates.insert(tx, mandate);
      this.records.created(tx, mandate, wish, now);
      return mandate;
    }, lookUpOf(guard));
  }
}
