import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Position } from '../../../platform/http/paging.js';
import { type CatalogueItem } from '../../domain/catalogue/catalogue-item.js';
import {
  FIND_ITEM,
  ITEM_COLUMNS,
  type ItemColumns,
  toCatalogueItem,
} from './catalogue-item.repository.js';
import { DocumentRefusal } from '../../domain/refusals.js';

export interface ItemFilter {
  /** Absent: both. */
  archived?: boolean;
  externalId?: string;
  sku?: string;
  /** Words, each of which must begin a word of the item. */
  q?: string;
}

const LIST = `SELECT ${ITEM_COLUMNS} FROM items i WHERE i.account_id = $1
    AND ($2::boolean IS NULL OR (i.archived_at IS NOT NULL) = $2)
    AND ($3::text IS NULL OR i.external_id = $3)
    AND ($4::text IS NULL OR i.sku = $4)
    AND ($5::text IS NULL OR i.search @@ (SELECT search_query($1, $5)))
    AND ($6::uuid IS NULL OR i.item_id < $6)
  ORDER BY i.item_id DESC LIMIT $7`;

/** Items for reading: no locks. */
@Injectable()
export class CatalogueItemsQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<CatalogueItem> {
    const [row] = await this.database.query<ItemColumns>(FIND_ITEM, [accountId, id]);
    if (!row) throw DocumentRefusal.catalogue_item_not_found.of();
    return toCatalogueItem(row);
  }

  /** The first `count` behind a place, newest first. */
  async list(
    accountId: Uuid,
    filter: ItemFilter,
    after: Position | null,
    count: number,
  ): Promise<CatalogueItem[]> {
    const values = valuesOf(accountId, filter, after, count);
    const rows = await this.database.list<ItemColumns>(LIST, values);
    return rows.map(toCatalogueItem);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: ItemFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}

function valuesOf(
  accountId: Uuid,
  { archived, externalId, sku, q }: ItemFilter,
  after: Position | null,
  count: number,
): unknown[] {
  return [accountId, archived, externalId, sku, q, after?.id, count];
}
