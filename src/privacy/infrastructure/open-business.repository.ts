import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { MOST_NAMED, type OpenBusiness } from '../domain/open-business.js';
import { DOCUMENTS, PAID_BY_CUSTOMER } from './of-customer.js';

const OF_CUSTOMER = 'd.account_id = $1 AND d.customer_id = $2';

/** $3 the time of the account. */
const OPEN = `SELECT what, id FROM (
    SELECT CASE
        WHEN d.lifecycle = 'draft' THEN 'draft'
        WHEN d.kind = 'quote' AND (d.lifecycle = 'accepted'
          OR d.lifecycle = 'open' AND (d.lapses_at IS NULL OR d.lapses_at > $3)) THEN 'quote'
        WHEN d.kind = 'invoice' AND d.lifecycle = 'open' AND d.settled_at IS NULL THEN 'invoice'
        WHEN d.amount_processing > 0 THEN 'processing'
        WHEN d.amount_undecided > 0 THEN 'undecided'
      END AS what, d.document_id::text AS id
    FROM documents d WHERE ${OF_CUSTOMER}
    UNION ALL
    SELECT 'credit', currency FROM customer_balances
    WHERE account_id = $1 AND customer_id = $2 AND credit > 0
    UNION ALL
    SELECT 'refund', refund_id::text FROM refunds
    WHERE account_id = $1 AND customer_id = $2 AND status IN ('pending', 'unknown')
    UNION ALL
    SELECT 'receipt', r.receipt_id::text FROM unmatched_receipts r
    WHERE r.account_id = $1 AND r.settled < r.amount AND r.document_id IN (${DOCUMENTS})
    UNION ALL
    SELECT 'dispute', s.dispute_id::text FROM (
      SELECT DISTINCT ON (s.dispute_id) s.dispute_id, s.status FROM dispute_steps s
        JOIN payments p USING (account_id, payment_id)
      WHERE p.account_id = $1 AND ${PAID_BY_CUSTOMER}
      ORDER BY s.dispute_id, s.step DESC) s
    WHERE s.status IN ('inquiry', 'open')
    UNION ALL
    SELECT 'mandate', mandate_id::text FROM mandates
    WHERE account_id = $1 AND customer_id = $2 AND ended_at IS NULL
    UNION ALL
    SELECT 'schedule', schedule_id::text FROM schedules
    WHERE account_id = $1 AND customer_id = $2 AND status <> 'ended'
  ) open WHERE what IS NOT NULL ORDER BY what, id LIMIT ${MOST_NAMED + 1}`;

interface OpenColumns {
  /** @notNull */
  what: OpenBusiness['what'];
  /** @notNull */
  id: string;
}

/** Reasons not to erase a customer yet. */
@Injectable()
export class OpenBusinessRepository {
  /** The customer must be locked for erasure. */
  async of(tx: Tx, accountId: Uuid, customerId: Uuid, now: Date): Promise<OpenBusiness[]> {
    return tx.read<OpenColumns>(OPEN, [accountId, customerId, now]);
  }

  /** Of its schedules. */
  async schedules(tx: Tx, accountId: Uuid, customerId: Uuid): Promise<Uuid[]> {
    const rows = await tx.read<{ id: Uuid }>(
      `SELECT schedule_id AS id FROM schedules WHERE account_id = $1 AND customer_id = $2`,
      [accountId, customerId],
    );
    return rows.map(({ id }) => id);
  }

  /** The latest day of an issued document, a payment or a refund; null: there is none. */
  async lastDay(tx: Tx, accountId: Uuid, customerId: Uuid): Promise<IsoDate | null> {
    const [row] = await tx.read<{ day: IsoDate | null }>(
      `SELECT greatest(
         (SELECT max(issue_date) FROM documents d WHERE ${OF_CUSTOMER} AND lifecycle <> 'draft'),
         (SELECT max(p.recorded_at)::date FROM payments p
           WHERE p.account_id = $1 AND ${PAID_BY_CUSTOMER}),
         (SELECT max(r.settled_at)::date FROM refunds r
           WHERE r.account_id = $1 AND r.customer_id = $2)) AS day`,
      [accountId, customerId],
    );
    return row?.day ?? null;
  }
}
