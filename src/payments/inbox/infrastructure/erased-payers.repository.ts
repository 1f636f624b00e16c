import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';

const LINKS = `SELECT l.payment_link_id, l.provider_object_id FROM payment_links l
  JOIN documents d USING (account_id, document_id) WHERE d.account_id = $1 AND d.customer_id = $2`;

const PAYMENTS = `SELECT p.provider_payment_id FROM payments p
  WHERE p.account_id = $1 AND p.provider_payment_id IS NOT NULL AND (
    p.document_id IS NULL AND p.customer_id = $2
    OR p.document_id IN (SELECT d.document_id FROM documents d
      WHERE d.account_id = $1 AND d.customer_id = $2))`;

/** One that waits to be worked off stays: its provider does not send it again. */
const FORGET_CALLS = `DELETE FROM gateway_deliveries g
  WHERE g.account_id = $1 AND NOT g.is_unfinished AND EXISTS (
    SELECT FROM jsonb_to_recordset(g.names) AS n(payment text, link uuid, object text, refund uuid)
    WHERE n.payment IN (${PAYMENTS})
      OR n.link IN (SELECT payment_link_id FROM (${LINKS}) l)
      OR n.object IN (SELECT provider_object_id FROM (${LINKS}) l)
      OR n.refund IN (SELECT refund_id FROM refunds WHERE account_id = $1 AND customer_id = $2))`;

/** A payer who is erased, beside bookings. */
@Injectable()
export class ErasedPayersRepository {
  /** The provider's names of mandates stay: debits are booked by them. */
  erase(tx: Tx, accountId: Uuid, customerId: Uuid): void {
    tx.write(
      `UPDATE mandates SET url = NULL, provider_request_id = NULL, account_ending = NULL,
         version = version + 1
       WHERE account_id = $1 AND customer_id = $2`,
      [accountId, customerId],
    );
    tx.write(FORGET_CALLS, [accountId, customerId]);
  }
}
