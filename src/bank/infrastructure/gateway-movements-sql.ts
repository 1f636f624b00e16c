/**
 * Movements of transfers at gateways: `account_id, day, gateway, currency, part, moved`. The ledger has one
 * account for all gateways, and the fact of a transfer knows which it is; an entry of a bank that
 * somebody posted there names none.
 * @param which of `transfers t`
 */
export function gatewayMovements(which: string): string {
  return `
    SELECT m.account_id, m.day,
      coalesce(p.gateway, u.gateway, r.gateway, rp.gateway, ru.gateway, o.gateway, d.gateway, '')
        AS gateway,
      m.currency, m.part, m.moved
    FROM (
      SELECT account_id, fact, fact_id, currency, effective_on AS day,
        CASE split_part(debit, '/', 1) WHEN 'gateway_clearing' THEN amount ELSE -amount END AS moved,
        CASE WHEN 'gateway_fees' IN (split_part(debit, '/', 1), split_part(credit, '/', 1)) THEN 'fees'
          WHEN fact IN ('payment.refunded', 'receipt.refunded', 'refund.returned', 'refund.reversed')
            THEN 'refunds'
          WHEN fact LIKE 'payment.%' OR fact LIKE 'receipt.%' THEN 'payments'
          WHEN fact LIKE 'dispute.%' THEN 'disputes'
          WHEN fact LIKE 'payout.%' THEN 'payouts' ELSE 'other' END AS part
      FROM transfers t WHERE ${which}
        AND 'gateway_clearing' IN (split_part(debit, '/', 1), split_part(credit, '/', 1))
    ) m
    LEFT JOIN payments p ON p.account_id = m.account_id AND p.payment_id = m.fact_id
    LEFT JOIN unmatched_receipts u ON u.account_id = m.account_id AND u.receipt_id = m.fact_id
    LEFT JOIN refunds r ON r.account_id = m.account_id AND r.refund_id = m.fact_id
    LEFT JOIN payments rp ON rp.account_id = m.account_id AND rp.payment_id = r.payment_id
    LEFT JOIN unmatched_receipts ru ON ru.account_id = m.account_id AND ru.receipt_id = r.receipt_id
    LEFT JOIN payouts o ON o.account_id = m.account_id AND o.payout_id = m.fact_id
    LEFT JOIN disputes d ON d.account_id = m.account_id AND d.dispute_id = m.fact_id`;
}
