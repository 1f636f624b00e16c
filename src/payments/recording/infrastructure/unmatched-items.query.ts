import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import { type UnmatchedItem, type UnmatchedItemStatus } from '../domain/unmatched-item.js';
import { type ItemRow, SELECT_ITEMS, toItem } from './unmatched-item.repository.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

const LIST = `SELECT * FROM (${SELECT_ITEMS}) item
  WHERE item.account_id = $1 AND item.status = $2 AND ($3::uuid IS NULL OR item.item_id < $3)
  ORDER BY item.item_id DESC LIMIT $4`;

/** Unmatched items for reading: no locks. */
@Injectable()
export class UnmatchedItemsQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<UnmatchedItem> {
    const [row] = await this.database.query<ItemRow>(
      `${SELECT_ITEMS} WHERE i.account_id = $1 AND i.item_id = $2`,
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.item_not_found.of();
    return toItem(row);
  }

  /** Newest first, behind the item `after`. */
  async list(
    accountId: Uuid,
    status: UnmatchedItemStatus,
    after: Uuid | null,
    count: number,
  ): Promise<UnmatchedItem[]> {
    const values = [accountId, status, after, count];
    const rows = await this.database.list<ItemRow>(LIST, values);
    return rows.map(toItem);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, status: UnmatchedItemStatus, most: number): Promise<number> {
    return this.database.countRows(LIST, [accountId, status, null, most]);
  }
}
