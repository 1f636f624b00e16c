import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import { type UnmatchedReceiptStatus, type UnmatchedReceipt } from '../domain/unmatched-receipt.js';
import {
  type UnmatchedReceiptColumns,
  SELECT_UNMATCHED_RECEIPTS,
  toUnmatchedReceipt,
} from './unmatched-receipt.repository.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

const STATUS = `CASE WHEN receipt.payment_id IS NOT NULL THEN 'assigned'
  WHEN receipt.refunded = receipt.amount THEN 'refunded'
  WHEN receipt.refunded + receipt.taken_back = receipt.amount THEN 'closed' ELSE 'open' END`;

const LIST = `SELECT * FROM (${SELECT_UNMATCHED_RECEIPTS} WHERE u.account_id = $1
    AND ($3::uuid IS NULL OR u.receipt_id < $3)) receipt
  WHERE ${STATUS} = $2 ORDER BY receipt.receipt_id DESC LIMIT $4`;

/** Unmatched receipts for reading: no locks. */
@Injectable()
export class UnmatchedReceiptsQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<UnmatchedReceipt> {
    const [row] = await this.database.query<UnmatchedReceiptColumns>(
      `${SELECT_UNMATCHED_RECEIPTS} WHERE u.account_id = $1 AND u.receipt_id = $2`,
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.receipt_not_found.of();
    return toUnmatchedReceipt(row);
  }

  /** Newest first, behind the receipt `after`. */
  async list(
    accountId: Uuid,
    status: UnmatchedReceiptStatus,
    after: Uuid | null,
    count: number,
  ): Promise<UnmatchedReceipt[]> {
    const values = [accountId, status, after, count];
    const rows = await this.database.list<UnmatchedReceiptColumns>(LIST, values);
    return rows.map(toUnmatchedReceipt);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, status: UnmatchedReceiptStatus, most: number): Promise<number> {
    return this.database.countRows(LIST, [accountId, status, null, most]);
  }
}
