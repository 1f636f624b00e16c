import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { KnownRefund } from '../../port/domain/told-refund.js';
import { IS_UNDONE } from '../../recording/infrastructure/undone-refunds.js';

/** A payment as its provider knows it, and whose it is here. */
export interface OfProvider {
  accountId: Uuid;
  gateway: string;
  providerPaymentId: string;
}

/** Refunds by the names of their providers; read under the lock of the provider's payment. */
@Injectable()
export class ProviderRefundRepository {
  /** The refund that a provider knows by this id, and whether it is of this payment and amount. */
  async named(
    tx: Tx,
    { accountId, gateway, providerPaymentId }: OfProvider,
    { name, amount }: { name: string; amount: Money },
  ): Promise<{ id: Uuid; isSame: boolean } | undefined> {
    const [row] = await tx.read<{ refund_id: Uuid; is_same: boolean }>(
      `SELECT r.refund_id, n.amount = $5
         AND coalesce(p.provider_payment_id, u.provider_payment_id) IS NOT DISTINCT FROM $4
           AS is_same
       FROM (
         SELECT refund_id, amount FROM refunds
         WHERE account_id = $1 AND gateway = $2 AND provider_refund_id = $3
         UNION ALL
         SELECT refund_id, amount FROM refund_names
         WHERE account_id = $1 AND gateway = $2 AND provider_refund_id = $3
       ) n JOIN refunds r ON r.account_id = $1 AND r.refund_id = n.refund_id
         LEFT JOIN payments p USING (account_id, payment_id)
         LEFT JOIN unmatched_receipts u ON (u.account_id, u.receipt_id) = (r.account_id, r.receipt_id)`,
      [accountId, gateway, name, providerPaymentId, amount.minor],
    );
    return row && { id: row.refund_id, isSame: row.is_same };
  }

  /** All that left the provider, is on its way, failed or came back. */
  async knownOf(tx: Tx, { accountId, gateway, providerPaymentId }: OfProvider) {
    const rows = await tx.read<{
      refund_id: Uuid;
      amount: bigint;
      currency: string;
      names: string[];
      made_by: KnownRefund['madeBy'];
      settled_at: Date | null;
      stands: boolean;
    }>(
      `SELECT r.refund_id, r.amount, r.currency, r.settled_at,
         array_remove(ARRAY(SELECT n.provider_refund_id FROM refund_names n
           WHERE (n.account_id, n.refund_id) = (r.account_id, r.refund_id))
           || r.provider_refund_id, NULL) AS names,
         CASE WHEN r.gateway IS NULL THEN 'hand' WHEN r.client_id IS NULL THEN 'gateway'
           ELSE 'client' END AS made_by,
         r.status <> 'failed' AND NOT ${IS_UNDONE} AS stands
       FROM refunds r
       WHERE r.account_id = $1 AND r.paid_from = 'gateway_clearing' AND (
           r.payment_id IN (SELECT payment_id FROM payments
             WHERE account_id = $1 AND gateway = $2 AND provider_payment_id = $3
               AND NOT is_reversed)
           OR r.receipt_id IN (SELECT receipt_id FROM unmatched_receipts
             WHERE account_id = $1 AND gateway = $2 AND provider_payment_id = $3))
       ORDER BY r.refund_id`,
      [accountId, gateway, providerPaymentId],
    );
    return rows.map((row): KnownRefund => ({
      id: row.refund_id,
      amount: Money.of(row.amount, row.currency),
      names: row.names,
      madeBy: row.made_by,
      at: row.settled_at,
      stands: row.stands,
    }));
  }

  /** Its key lets a refund of a provider have one name here. */
  insertName(
    tx: Tx,
    { accountId, gateway }: Omit<OfProvider, 'providerPaymentId'>,
    name: { providerRefundId: string; refundId: Uuid; amount: Money; at: Date },
  ): void {
    tx.insert('refund_names', {
      account_id: accountId,
      gateway,
      provider_refund_id: name.providerRefundId,
      refund_id: name.refundId,
      amount: name.amount.minor,
      named_at: name.at,
    });
  }
}
