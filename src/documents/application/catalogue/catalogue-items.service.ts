import { invalidFields } from '../../../kernel/field-refusals.js';
import { Injectable } from '@nestjs/common';
import { type AuditedTx, AuditedWork } from '../../../auth/index.js';
import { EventLog } from '../../../events/index.js';
import type { By } from '../../../kernel/actor.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
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
import { itemStep, itemUpdate } from '../../wire/catalogue/item-events.js';
import { assertFree } from '../external-ids.js';

type Guard = CommitGuard<CatalogueItem>;

/** Make, change and archive items. None is deleted, as lines keep their names. */
@Injectable()
export class CatalogueItems {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: CatalogueItemRepository,
    private readonly taxRates: TaxRateRepository,
    private readonly events: EventLog,
  ) {}

  /** @throws DomainError as `newItem`, `external_id_taken`, `unknown_tax_rate`, `tax_rate_archived` */
  async create(by: By, wish: NewItem, guard?: Guard): Promise<CatalogueItem> {
    return this.audited.run(by, guard, async ({ tx, accountId, record }) => {
      const item = newItem(tx.newId(), wish, tx.now());
      await assertFree('item', this.repository, tx, accountId, item.externalId);
      await this.assertTaxRate(tx, accountId, item.taxRateId);
      this.repository.insert(tx, accountId, item);
      const [subject, after] = [publicId('prod', item.id), fieldsOfItem(item)];
      record({ action: 'item.created', subject, before: null, after });
      this.events.tell(tx, by, 'item.created', itemStep(item));
      return item;
    });
  }

  /** @throws DomainError as `create`, `catalogue_item_not_found`, `version_mismatch` */
  async change(
    by: By,
    id: Uuid,
    change: ItemChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId } = audited;
      const item = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, item.version);
      const next = changedItem(item, change, tx.now());
      if (next.externalId !== item.externalId) {
        await assertFree('item', this.repository, tx, accountId, next.externalId);
      }
      if (next.taxRateId !== item.taxRateId) {
        await this.assertTaxRate(tx, accountId, next.taxRateId);
      }
      return this.save(audited, 'updated', item, next);
    });
  }

  async archive(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId } = audited;
      const item = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, item.version);
      if (item.archivedAt) return item;
      const at = tx.now();
      return this.save(audited, 'archived', item, movedToArchive(item, at, at));
    });
  }

  async unarchive(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<CatalogueItem> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId } = audited;
      const item = await this.repository.getForUpdate(tx, accountId, id);
      assertVersion(expected, item.version);
      if (!item.archivedAt) return item;
      return this.save(audited, 'unarchived', item, movedToArchive(item, null, tx.now()));
    });
  }

  private async assertTaxRate(tx: Tx, accountId: Uuid, id: Uuid | null): Promise<void> {
    if (id === null) return;
    const [found] = await this.taxRates.named(tx, accountId, [id]);
    const problem = taxRateProblem(found, '/tax_rate_id');
    if (problem) throw invalidFields([problem]);
  }

  private save(
    { tx, accountId, actor, record }: AuditedTx,
    step: 'updated' | 'archived' | 'unarchived',
    item: CatalogueItem,
    next: CatalogueItem,
  ): CatalogueItem {
    this.repository.update(tx, accountId, next);
    const [before, after] = [fieldsOfItem(item), fieldsOfItem(next)];
    const subject = publicId('prod', item.id);
    record({ action: `item.${step}`, subject, before, after });
    const told = step === 'updated' ? itemUpdate(item, next) : itemStep(next);
    this.events.tell(tx, { accountId, actor }, `item.${step}`, told);
    return next;
  }
}
