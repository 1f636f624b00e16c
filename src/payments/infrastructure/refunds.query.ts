import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { type Refund, refundNotFound } from '../domain/refund.js';
import { type RefundColumns, SELECT_REFUNDS, toRefund } from './refund-columns.js';

/** Refunds for reading: no locks. */
@Injectable()
export class RefundsQuery {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `refund_not_found` */
  async get(accountId: Uuid, id: Uuid): Promise<Refund> {
    const [row] = await this.database.query<RefundColumns>(
      `${SELECT_REFUNDS} WHERE r.account_id = $1 AND r.refund_id = $2`,
      [accountId, id],
    );
    if (!row) throw refundNotFound();
    return toRefund(row);
  }

  /** Oldest first. */
  async ofPayment(accountId: Uuid, paymentId: Uuid): Promise<Refund[]> {
    const rows = await this.database.query<RefundColumns>(
      `${SELECT_REFUNDS} WHERE r.account_id = $1 AND r.payment_id = $2 ORDER BY r.refund_id`,
      [accountId, paymentId],
    );
    return rows.map(toRefund);
  }
}
