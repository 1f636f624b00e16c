import { Injectable } from '@nestjs/common';
import { IS_OWED } from '../../../../documents/sql.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Database } from '../../../../platform/database/database.js';
import { type Refund, type ShownRefundStatus } from '../../domain/refund.js';
import type { RefundMeaningName } from '../../../recording/domain/payment-settings.js';
import { type RefundColumns, SELECT_REFUNDS, toRefund } from '../refund-columns.js';
import { LAST_MEANING, UNDECIDED_PARTS } from './refund-meaning-columns.js';
import { PaymentRefusal } from '../../../port/domain/payment-refusals.js';

/** The filters of a list of refunds. */
export interface RefundFilter {
  status?: ShownRefundStatus;
  gateway?: string;
  madeBy?: 'client' | 'gateway';
  meaning?: RefundMeaningName;
  /** And something of it is due. */
  isUndecided?: boolean;
  paymentId?: Uuid;
  receiptId?: Uuid;
  documentId?: Uuid;
  customerId?: Uuid;
  currency?: string;
  requestedFrom?: Date;
  requestedTo?: Date;
}

/** Those of one customer, $9: through its payments, as an index has the documents of a customer. */
const OF_CUSTOMER = `r.customer_id = $9 AND r.payment_id IN (
  SELECT f.payment_id FROM documents d JOIN payments f USING (account_id, document_id)
  WHERE d.account_id = $1 AND d.customer_id = $9
  UNION ALL
  SELECT f.payment_id FROM payments f
  WHERE f.account_id = $1 AND f.customer_id = $9 AND f.document_id IS NULL)`;

/** A part of it is due on its document, and nobody is asked for it. */
const IS_UNDECIDED = `r.status = 'succeeded' AND v.kind IS NULL AND EXISTS (
    SELECT FROM (${UNDECIDED_PARTS}) u JOIN documents d USING (account_id, document_id)
    WHERE (u.account_id, u.refund_id) = (r.account_id, r.refund_id) AND ${IS_OWED})`;

const LIST = `${SELECT_REFUNDS} WHERE r.account_id = $1
    AND ($2::text IS NULL OR coalesce(v.kind, r.status) = $2)
    AND ($3::text IS NULL OR r.gateway = $3)
    AND ($4::text IS NULL OR ($4 = 'gateway') = (r.client_id IS NULL))
    AND ($5::uuid IS NULL OR r.payment_id = $5) AND ($6::uuid IS NULL OR r.receipt_id = $6)
    AND ($7::uuid IS NULL OR r.refund_id IN (SELECT t.refund_id FROM refund_parts t
      WHERE t.account_id = $1 AND t.document_id = $7))
    AND ($8::text IS NULL OR r.currency = $8) AND ($9::uuid IS NULL OR ${OF_CUSTOMER})
    AND ($10::timestamptz IS NULL OR r.requested_at >= $10)
    AND ($11::timestamptz IS NULL OR r.requested_at < $11)
    AND ($12::text IS NULL OR ${LAST_MEANING} = $12)
    AND ($13::boolean IS NULL OR $13 = (${IS_UNDECIDED}))
    AND ($14::uuid IS NULL OR r.refund_id < $14)
  ORDER BY r.refund_id DESC LIMIT $15`;

function valuesOf(accountId: Uuid, filter: RefundFilter, after: Uuid | null, count: number) {
  const { status, gateway, madeBy, paymentId, receiptId, documentId, currency } = filter;
  const { customerId, requestedFrom, requestedTo, meaning, isUndecided } = filter;
  const about = [status, gateway, madeBy, paymentId, receiptId, documentId, currency, customerId];
  return [accountId, ...about, requestedFrom, requestedTo, meaning, isUndecided, after, count];
}

/** Refunds for reading: no locks. */
@Injectable()
export class RefundsQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Refund> {
    const [row] = await this.database.query<RefundColumns>(
      `${SELECT_REFUNDS} WHERE r.account_id = $1 AND r.refund_id = $2`,
      [accountId, id],
    );
    if (!row) throw PaymentRefusal.refund_not_found.of();
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

  /** Newest first, behind the refund `after`. */
  async list(
    accountId: Uuid,
    filter: RefundFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Refund[]> {
    const values = valuesOf(accountId, filter, after, count);
    return (await this.database.list<RefundColumns>(LIST, values)).map(toRefund);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: RefundFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}
