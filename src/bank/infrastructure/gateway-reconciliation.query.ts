import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { GatewayMovement, GatewayPart } from '../domain/gateway-reconciliation.js';

interface MovementColumns extends Pick<Row<'transfers'>, 'currency'> {
  /** @derived */
  gateway: string | null;
  /** @derived */
  part: GatewayPart;
  /** @derived */
  before: bigint | null;
  /** @derived */
  within: bigint | null;
}

/**
 * Which gateway a fact is of: the ledger has one account for all of them. An entry of a bank that
 * somebody posted there names none.
 */
const MOVEMENTS = `
  SELECT coalesce(p.gateway, u.gateway, r.gateway, rp.gateway, ru.gateway, o.gateway, d.gateway)
      AS gateway,
    m.currency, m.part,
    sum(m.moved) FILTER (WHERE m.effective_on < $2)::bigint AS before,
    sum(m.moved) FILTER (WHERE m.effective_on >= $2)::bigint AS within
  FROM (
    SELECT fact, fact_id, currency, effective_on,
      CASE split_part(debit, '/', 1) WHEN 'gateway_clearing' THEN amount ELSE -amount END AS moved,
      CASE WHEN 'gateway_fees' IN (split_part(debit, '/', 1), split_part(credit, '/', 1)) THEN 'fees'
        WHEN fact IN ('payment.refunded', 'receipt.refunded', 'refund.returned', 'refund.reversed')
          THEN 'refunds'
        WHEN fact LIKE 'payment.%' OR fact LIKE 'receipt.%' THEN 'payments'
        WHEN fact LIKE 'dispute.%' THEN 'disputes'
        WHEN fact LIKE 'payout.%' THEN 'payouts' ELSE 'other' END AS part
    FROM transfers WHERE account_id = $1 AND effective_on <= $3
      AND 'gateway_clearing' IN (split_part(debit, '/', 1), split_part(credit, '/', 1))
  ) m
  LEFT JOIN payments p ON p.account_id = $1 AND p.payment_id = m.fact_id
  LEFT JOIN unmatched_receipts u ON u.account_id = $1 AND u.receipt_id = m.fact_id
  LEFT JOIN refunds r ON r.account_id = $1 AND r.refund_id = m.fact_id
  LEFT JOIN payments rp ON rp.account_id = $1 AND rp.payment_id = r.payment_id
  LEFT JOIN unmatched_receipts ru ON ru.account_id = $1 AND ru.receipt_id = r.receipt_id
  LEFT JOIN payouts o ON o.account_id = $1 AND o.payout_id = m.fact_id
  LEFT JOIN disputes d ON d.account_id = $1 AND d.dispute_id = m.fact_id
  GROUP BY 1, 2, 3`;

/** The account `gateway_clearing`, told apart by the gateways that its facts are of. */
@Injectable()
export class GatewayReconciliationQuery {
  constructor(private readonly database: Database) {}

  async movements(accountId: Uuid, from: IsoDate, to: IsoDate): Promise<GatewayMovement[]> {
    const rows = await this.database.query<MovementColumns>(MOVEMENTS, [accountId, from, to]);
    return rows.map(({ gateway, currency, part, before, within }) => ({
      gateway,
      currency,
      part,
      before: before ?? 0n,
      within: within ?? 0n,
    }));
  }
}
