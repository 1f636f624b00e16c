import { Injectable } from '@nestjs/common';
import { Accounts, AuditLog } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  changedTaxRate,
  fieldsOfTaxRate,
  type NewTaxRate,
  newTaxRate,
  type TaxRate,
  type TaxRateChange,
} from '../../domain/catalogue/tax-rate.js';
import { TaxRateRepository } from '../../infrastructure/catalogue/tax-rate.repository.js';
import { DocumentRefusal } from '../../domain/refusals.js';

type Guard = CommitGuard<TaxRate>;

/** Make, rename and archive tax rates. None is deleted, as lines keep their names. */
@Injectable()
export class TaxRates {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: TaxRateRepository,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError as `newTaxRate` */
  async create(by: By, wish: NewTaxRate, guard?: Guard): Promise<TaxRate> {
    const rate = newTaxRate(this.ids.next(), wish, this.clock.now());
    return this.uow.run(async (tx) => {
      this.repository.insert(tx, by.accountId, rate);
      const [subject, after] = [publicId('txr', rate.id), fieldsOfTaxRate(rate)];
      this.audit.record(tx, by, { action: 'tax_rate.created', subject, before: null, after });
      return rate;
    }, guard);
  }

  async change(
    by: By,
    id: Uuid,
    change: TaxRateChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<TaxRate> {
    return this.uow.run(async (tx) => {
      const rate = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, rate.version);
      return this.save(tx, by, 'updated', rate, change);
    }, guard);
  }

  async archive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<TaxRate> {
    return this.uow.run(async (tx) => {
      // First the account: that lock is held where it is made the default, too.
      const account = await this.accounts.getForUpdate(tx, by.accountId);
      const rate = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, rate.version);
      if (rate.archivedAt) return rate;
      if (account.defaultTaxRateId === id) throw isDefault();
      return this.save(tx, by, 'archived', rate, { archivedAt: this.clock.now() });
    }, guard);
  }

  async unarchive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<TaxRate> {
    return this.uow.run(async (tx) => {
      const rate = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, rate.version);
      return rate.archivedAt ? this.save(tx, by, 'unarchived', rate, { archivedAt: null }) : rate;
    }, guard);
  }

  private save(
    tx: Tx,
    by: By,
    step: 'updated' | 'archived' | 'unarchived',
    rate: TaxRate,
    change: Partial<TaxRate>,
  ): TaxRate {
    const next = changedTaxRate(rate, change, this.clock.now());
    this.repository.update(tx, by.accountId, next);
    const [before, after] = [fieldsOfTaxRate(rate), fieldsOfTaxRate(next)];
    const subject = publicId('txr', rate.id);
    this.audit.record(tx, by, { action: `tax_rate.${step}`, subject, before, after });
    return next;
  }
}

function isDefault(): DomainError {
  return DocumentRefusal.tax_rate_in_use.of();
}
