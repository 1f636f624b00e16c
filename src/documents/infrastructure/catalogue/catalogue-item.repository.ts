import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  type CatalogueItem,
  type ItemDetails,
  itemDetailsOf,
  type ItemPrice,
} from '../../domain/catalogue/catalogue-item.js';
import { storedDetails } from '../../domain/document-details.js';
import { DocumentRefusal } from '../../domain/refusals.js';

export const ITEM_COLUMNS = `i.item_id, i.name, i.description, i.external_id, i.sku, i.unit, i.prices,
  i.prices_include_tax, i.tax_rate_id, trim_scale(i.tax_rate)::text AS rate, i.tax_category,
  i.exemption_reason, i.exemption_code, i.details, i.metadata, i.archived_at, i.created_at,
  i.updated_at, i.version`;

/** @json */
interface StoredPrice {
  currency: string;
  unit_amount_decimal: string;
}

export interface ItemColumns extends Omit<
  Row<
    'items',
    { prices: StoredPrice[]; details: Partial<ItemDetails>; metadata: Record<string, string> }
  >,
  'account_id' | 'search' | 'tax_rate'
> {
  /** @derived */
  rate: string | null;
}

export const FIND_ITEM = `SELECT ${ITEM_COLUMNS} FROM items i
  WHERE i.account_id = $1 AND i.item_id = $2`;
const NAMED = `SELECT ${ITEM_COLUMNS} FROM items i
  WHERE i.account_id = $1 AND i.item_id = ANY ($2::uuid[])`;

@Injectable()
export class CatalogueItemRepository {
  constructor(private readonly database: Database) {}

  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<CatalogueItem> {
    const [row] = await tx.read<ItemColumns>(`${FIND_ITEM} FOR NO KEY UPDATE`, [accountId, id]);
    if (!row) throw DocumentRefusal.catalogue_item_not_found.of();
    return toCatalogueItem(row);
  }

  /** Takes no lock: of two that use one external id at once, one fails on its key and looks again. */
  async findByExternalId(tx: Tx, accountId: Uuid, externalId: string): Promise<Uuid | undefined> {
    const [row] = await tx.read<{ item_id: Uuid }>(
      'SELECT item_id FROM items WHERE account_id = $1 AND external_id = $2',
      [accountId, externalId],
    );
    return row?.item_id;
  }

  /** All of them at once, and without a lock: a line copies what it sees. */
  async named(tx: Tx | null, accountId: Uuid, ids: readonly Uuid[]): Promise<CatalogueItem[]> {
    if (ids.length === 0) return [];
    const values = [accountId, [...new Set(ids)]];
    const rows = await this.database.queryIn<ItemColumns>(tx, NAMED, values);
    return rows.map(toCatalogueItem);
  }

  insert(tx: Tx, accountId: Uuid, item: CatalogueItem): void {
    const { createdAt: created_at } = item;
    tx.insert('items', { account_id: accountId, item_id: item.id, ...columnsOf(item), created_at });
  }

  /** The row must be locked. */
  update(tx: Tx, accountId: Uuid, item: CatalogueItem): void {
    tx.update('items', { account_id: accountId, item_id: item.id }, columnsOf(item));
  }
}

function columnsOf(item: CatalogueItem) {
  return {
    name: item.name,
    description: item.description,
    external_id: item.externalId,
    sku: item.sku,
    unit: item.unit,
    prices: JSON.stringify(item.prices.map(storedPrice)),
    prices_include_tax: item.pricesIncludeTax,
    tax_rate_id: item.taxRateId,
    tax_rate: item.taxRate,
    tax_category: item.taxCategory,
    exemption_reason: item.exemptionReason,
    exemption_code: item.exemptionCode,
    details: storedDetails(item.details),
    metadata: item.metadata,
    archived_at: item.archivedAt,
    updated_at: item.updatedAt,
    version: item.version,
  };
}

function storedPrice({ currency, unitAmountDecimal }: ItemPrice): StoredPrice {
  return { currency, unit_amount_decimal: unitAmountDecimal };
}

export function toCatalogueItem(row: ItemColumns): CatalogueItem {
  const { details } = row;
  return {
    id: row.item_id,
    name: row.name,
    description: row.description,
    externalId: row.external_id,
    sku: row.sku,
    unit: row.unit,
    prices: row.prices.map(({ currency, unit_amount_decimal: unitAmountDecimal }) => ({
      currency,
      unitAmountDecimal,
    })),
    pricesIncludeTax: row.prices_include_tax,
    taxRateId: row.tax_rate_id,
    taxRate: row.rate,
    taxCategory: row.tax_category,
    exemptionReason: row.exemption_reason,
    exemptionCode: row.exemption_code,
    details: itemDetailsOf(details),
    metadata: row.metadata,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
