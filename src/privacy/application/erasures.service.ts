import { Injectable } from '@nestjs/common';
import { CustomerErasing } from '../../documents/index.js';
import { ErasedDebtorsRepository } from '../../dunning/index.js';
import type { By } from '../../kernel/actor.js';
import { dateIn } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { ReaderErasing } from '../../mail/index.js';
import { ErasedPayersRepository } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { ErasedSchedulesRepository } from '../../schedules/index.js';
import { type Kept, keptOnErasure } from '../domain/kept.js';
import { notErasable } from '../domain/open-business.js';
import { OpenBusinessRepository } from '../infrastructure/open-business.repository.js';

export interface Erasure {
  customerId: Uuid;
  erasedAt: Date;
  kept: Kept[];
}

/** A person is forgotten: each module forgets its part, in one transaction. */
@Injectable()
export class Erasures {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly customers: CustomerErasing,
    private readonly readers: ReaderErasing,
    private readonly payers: ErasedPayersRepository,
    private readonly schedules: ErasedSchedulesRepository,
    private readonly debtors: ErasedDebtorsRepository,
    private readonly business: OpenBusinessRepository,
    private readonly config: Config,
  ) {}

  /**
   * Nothing more is done to one who is erased already.
   * @throws DomainError `customer_not_found`, `customer_not_erasable`
   */
  async erase(by: By, id: Uuid, guard?: CommitGuard<Erasure>): Promise<Erasure> {
    const { accountId } = by;
    return this.uow.run(async (tx) => {
      const customer = await this.customers.lock(tx, accountId, id);
      const now = tx.now();
      const lastDay = await this.business.lastDay(tx, accountId, id);
      const today = dateIn('UTC', now);
      const kept = keptOnErasure(lastDay, today, this.config.idempotencyHours);
      const { erasedAt } = customer;
      if (erasedAt) return { customerId: id, erasedAt, kept };
      const open = await this.business.of(tx, accountId, id, now);
      if (open.length > 0) throw notErasable(open);
      const schedules = await this.business.schedules(tx, accountId, id);
      const reader = {
        accountId,
        customerId: id,
        customer: publicId('cus', id),
        schedules: schedules.map((one) => publicId('sch', one)),
      };
      await this.readers.erase(tx, reader, customer.profile.email);
      this.payers.erase(tx, accountId, id);
      this.schedules.erase(tx, accountId, id);
      this.debtors.erase(tx, accountId, id);
      this.customers.erase(tx, by, customer, now);
      return { customerId: id, erasedAt: now, kept };
    }, guard);
  }
}
