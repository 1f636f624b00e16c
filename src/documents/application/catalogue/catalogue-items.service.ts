import { invalidFields } from '../../../kernel/field-refusals.js';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../../auth/index.js';
import type { By } from '../../../kernel/actor.js';
import { Clock } from '../../../kernel/clock.js';
import { IdGenerator, publicId, type Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  type CatalogueItem,
  changedItem,
  fieldsOfItem,
  type ItemChange,
  movedToArchive,
  type NewItem,
  newItem,
} from '../../domain/catalogue/catalogue-item.js';
import { taxRateProblem } from '../../domain/catalogue/tax-rate.js';
import { CatalogueItemRepository } from '../../infrastructure/catalogue/catalogue-item.repository.js';
import { TaxRateRepository } from '../../infrastructure/catalogue/tax-rate.repository.js';
import { assertFree } from '../external-ids.js';

type Guard = CommitGuard<CatalogueItem>;

/** Make, change and archive items. None is deleted, as lines keep their names. */
@Injectable()
export class CatalogueItems {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: CatalogueItemRepository,
    private readonly taxRates: TaxRateRepository,
    private readonly audit: AuditLog,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError as `newItem`, `external_id_taken`, `unknown_tax_rate`, `tax_rate_archived` */
  async create(by: By, wish: NewItem, guard?: Guard): Promise<CatalogueItem> {
    const item = newItem(this.ids.next(), wish, this.clock.now());
    return this.uow.run(async (tx) => {
      await assertFree('item', this.repository, tx, by.accountId, item.externalId);
      await this.assertTaxRate(tx, by.accountId, item.taxRateId);
      this.repository.insert(tx, by.accountId, item);
      const [subject, after] = [publicId('prod', item.id), fieldsOfItem(item)];
      this.audit.record(tx, by, { action: 'item.created', subject, before: null, after });
      return item;
    }, guard);
  }

  /** @throws DomainError as `create`, `catalogue_item_not_found`, `version_mismatch` */
  async change(
    by: By,
    id: Uuid,
    change: ItemChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.uow.run(async (tx) => {
      const item = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, item.version);
      const next = changedItem(item, change, this.clock.now());
      if (next.externalId !== item.externalId) {
        await assertFree('item', this.repository, tx, by.accountId, next.externalId);
      }
      if (next.taxRateId !== item.taxRateId) {
        await this.assertTaxRate(tx, by.accountId, next.taxRateId);
      }
      return this.save(tx, by, 'updated', item, next);
    }, guard);
  }

  async archive(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.uow.run(async (tx) => {
      const item = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, item.version);
      if (item.archivedAt) return item;
      const now = this.clock.now();
      return this.save(tx, by, 'archived', item, movedToArchive(item, now, now));
    }, guard);
  }

  async unarchive(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.uow.run(async (tx) => {
      const item = await this.repository.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, item.version);
      if (!item.archivedAt) return item;
      const next = movedToArchive(item, null, this.clock.now());
      return this.save(tx, by, 'unarchived', item, next);
    }, guard);
  }

  private async assertTaxRate(tx: Tx, accountId: Uuid, id: Uuid | null): Promise<void> {
    if (id === null) return;
    const [found] = await this.taxRates.named(tx, accountId, [id]);
    const problem = taxRateProblem(found, '/tax_rate_id');
    if (problem) throw invalidFields([problem]);
  }

  private save(
    tx: Tx,
    by: By,
    step: 'updated' | 'archived' | 'unarchived',
    item: CatalogueItem,
    next: CatalogueItem,
  ): CatalogueItem {
    this.repository.update(tx, by.accountId, next);
    const [before, after] = [fieldsOfItem(item), fieldsOfItem(next)];
    const subject = publicId('prod', item.id);
    this.audit.record(tx, by, { action: `item.${step}`, subject, before, after });
    return next;
  }
}
