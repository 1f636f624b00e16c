import { Injectable } from '@nestjs/common';
import { Accounts, type AuditedTx, AuditedWork } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard } from '../../../platform/database/tx.js';
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
    private readonly audited: AuditedWork,
    private readonly repository: TaxRateRepository,
    private readonly accounts: Accounts,
  ) {}

  /** @throws DomainError as `newTaxRate` */
  async create(by: By, wish: NewTaxRate, guard?: Guard): Promise<TaxRate> {
    return this.audited.run(by, guard, async ({ tx, accountId, record }) => {
      const rate = newTaxRate(tx.newId(), wish, tx.now());
      this.repository.insert(tx, accountId, rate);
      const [subject, after] = [publicId('txr', rate.id), fieldsOfTaxRate(rate)];
      record({ action: 'tax_rate.created', subject, before: null, after });
      return rate;
    });
  }

  async change(
    by: By,
    id: Uuid,
    change: TaxRateChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<TaxRate> {
    return this.audited.run(by, guard, async (audited) => {
      const rate = await this.repository.getForUpdate(audited.tx, by.accountId, id);
      assertVersion(expected, rate.version);
      return this.save(audited, 'updated', rate, change);
    });
  }

  async archive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<TaxRate> {
    return this.audited.run(by, guard, async (change) => {
      const { tx, accountId } = change;
      // First the account: that lock is held where it is made the default, too.
      const account = await this.accounts.getForUpdate(tx, accountId);
      const rate = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, rate.version);
      if (rate.archivedAt) return rate;
      if (account.defaultTaxRateId === id) throw isDefault();
      return this.save(change, 'archived', rate, { archivedAt: tx.now() });
    });
  }

  async unarchive(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<TaxRate> {
    return this.audited.run(by, guard, async (change) => {
      const rate = await this.repository.getForUpdate(change.tx, by.accountId, id);
      assertVersion(expected, rate.version);
      return rate.archivedAt ? this.save(change, 'unarchived', rate, { archivedAt: null }) : rate;
    });
  }

  private save(
    { tx, accountId, record }: AuditedTx,
    step: 'updated' | 'archived' | 'unarchived',
    rate: TaxRate,
    change: Partial<TaxRate>,
  ): TaxRate {
    const next = changedTaxRate(rate, change, tx.now());
    this.repository.update(tx, accountId, next);
    const [before, after] = [fieldsOfTaxRate(rate), fieldsOfTaxRate(next)];
    const subject = publicId('txr', rate.id);
    record({ action: `tax_rate.${step}`, subject, before, after });
    return next;
  }
}

function isDefault(): DomainError {
  return DocumentRefusal.tax_rate_in_use.of();
}
