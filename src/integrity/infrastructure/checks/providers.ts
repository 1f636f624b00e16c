import { type IntegrityCheck, ours } from './integrity-check.js';
import { PAYMENTS_AS_RECEIVED } from './conversions.js';

/** Money that providers told of, under the account that has it: of a link, or that claimed it. */
export const OWNED_RECEIPTS = `(
  SELECT gateway, provider_payment_id, r.currency, r.paid_at,
    coalesce(r.account_id, u.account_id) AS account_id
  FROM provider_receipts r LEFT JOIN unmatched_receipts u USING (gateway, provider_payment_id)
  WHERE coalesce(r.account_id, u.account_id) IS NOT NULL)`;

/** Whether what providers told us, and what our history tells, became the money that is stored. */
export const PROVIDER_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'a payment link is paid when a payment came through it, and failed when it was taken back',
    prefix: 'plink',
    sql: `SELECT payment_link_id AS id, l.status AS stored,
        CASE WHEN p.stands THEN 'paid' WHEN p.stands = false THEN 'failed' ELSE 'not paid' END
          AS derived
      FROM payment_links l LEFT JOIN (
        SELECT account_id, payment_link_id,
          bool_or(coalesce(v.amount, 0) < p.amount) AS stands
        FROM payments p LEFT JOIN (
          SELECT account_id, payment_id, sum(amount) AS amount FROM provider_reversals v
          WHERE ${ours('v')} GROUP BY 1, 2
        ) v USING (account_id, payment_id)
        WHERE payment_link_id IS NOT NULL AND ${ours('p')} GROUP BY 1, 2
      ) p USING (account_id, payment_link_id)
      WHERE ${ours('l')} AND ((l.status = 'paid') <> coalesce(p.stands, false)
        OR p.stands = false AND l.status NOT IN ('failed', 'processing', 'unmatched'))`,
  },
  {
    name: 'document amount_processing is the sum of its payment links that are on their way',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_processing AS stored, coalesce(p.amount, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(amount) AS amount FROM payment_links l
        WHERE status = 'processing' AND ${ours('l')} GROUP BY 1, 2
      ) p USING (account_id, document_id)
      WHERE ${ours('d')} AND d.amount_processing <> coalesce(p.amount, 0)`,
  },
  {
    name: 'a payment link is unmatched when its money is a receipt, and waits for none that is here',
    prefix: 'plink',
    sql: `SELECT payment_link_id AS id, l.status AS stored,
        CASE WHEN u.paid_at IS NULL THEN 'no receipt' ELSE 'unmatched' END AS derived
      FROM payment_links l LEFT JOIN (
        SELECT account_id, payment_link_id, max(paid_at) AS paid_at FROM unmatched_receipts u
        WHERE payment_link_id IS NOT NULL AND reason <> 'payment_reversed' AND ${ours('u')}
        GROUP BY 1, 2
      ) u USING (account_id, payment_link_id)
      WHERE ${ours('l')} AND (l.status = 'unmatched' AND u.paid_at IS NULL
        OR l.status = 'processing' AND u.paid_at >= l.processing_at)`,
  },
  {
    name: 'a payment that had failed before it was reported is taken back',
    prefix: null,
    sql: `SELECT format('%s %s', f.gateway, f.provider_payment_id) AS id, 'kept' AS stored,
        f.kind AS derived
      FROM provider_failures f JOIN ${OWNED_RECEIPTS} r USING (gateway, provider_payment_id)
      WHERE ${ours('r')}
        AND (f.kind = 'unpaid_again' OR f.kind = 'failed' AND f.failed_at > r.paid_at)
        AND NOT EXISTS (SELECT FROM provider_reversals v
          WHERE (v.gateway, v.provider_payment_id) = (f.gateway, f.provider_payment_id))`,
  },
  {
    name: 'a refund that was told before its payment is booked',
    prefix: null,
    sql: `SELECT format('%s %s', f.gateway, f.reference) AS id, 'kept' AS stored, f.kind AS derived
      FROM provider_failures f JOIN ${OWNED_RECEIPTS} r USING (gateway, provider_payment_id)
      WHERE ${ours('r')} AND f.kind = 'refund_succeeded'
        AND NOT EXISTS (SELECT FROM provider_failures o WHERE o.kind = 'refund_failed'
          AND (o.gateway, o.reference) = (f.gateway, f.reference))
        AND NOT EXISTS (SELECT FROM refunds o WHERE o.account_id = r.account_id
          AND (o.gateway, o.provider_refund_id) = (f.gateway, f.reference))
        AND NOT EXISTS (SELECT FROM refund_names o WHERE o.account_id = r.account_id
          AND (o.gateway, o.provider_refund_id) = (f.gateway, f.reference))`,
  },
  {
    name: 'nobody is asked to see to money that came into the books later',
    prefix: 'item',
    sql: `SELECT i.item_id AS id, 'open' AS stored, 'closed' AS derived
      FROM unmatched_items i LEFT JOIN unmatched_item_steps s USING (account_id, item_id)
      WHERE s.step IS NULL AND i.provider_payment_id IS NOT NULL AND ${ours('i')} AND (
        EXISTS (SELECT FROM disputes d WHERE d.xact > i.xact AND i.subject
            = 'out ' || d.provider_dispute_id
          AND (d.gateway, d.provider_payment_id) = (i.gateway, i.provider_payment_id))
        OR EXISTS (SELECT FROM provider_reversals v WHERE v.xact > i.xact AND v.amount > 0
          AND v.dispute_id IS NULL AND i.subject = 'out ' || coalesce(v.reference, v.provider_payment_id)
          AND (v.gateway, v.provider_payment_id) = (i.gateway, i.provider_payment_id))
        OR i.direction = 'in' AND EXISTS (
          SELECT FROM provider_receipts r JOIN unmatched_receipts u USING (gateway, provider_payment_id)
          WHERE r.account_id IS NULL
            AND (gateway, provider_payment_id) = (i.gateway, i.provider_payment_id)))`,
  },
  {
    name: 'a provider payment and its receipt agree',
    prefix: 'pay',
    sql: `SELECT payment_id AS id, format('%s %s', p.amount, p.currency) AS stored,
        format('%s %s', coalesce(r.amount, 0), r.currency) AS derived
      FROM (
        SELECT * FROM payments p WHERE gateway IS NOT NULL AND receipt_id IS NULL AND ${ours('p')}
      ) p FULL JOIN (
        SELECT * FROM provider_receipts r WHERE payment_id IS NOT NULL AND ${ours('r')}
      ) r USING (account_id, payment_id)
      WHERE (p.amount, p.currency, p.gateway, p.provider_payment_id, p.payment_link_id)
        IS DISTINCT FROM (r.amount, r.currency, r.gateway, r.provider_payment_id, r.payment_link_id)`,
  },
  {
    name: 'what a provider took and no document could take is a receipt to be settled',
    prefix: null,
    sql: `SELECT format('%s %s', gateway, provider_payment_id) AS id,
        format('%s %s, %s', u.amount, u.currency, u.reason) AS stored,
        format('%s %s, %s', r.amount, r.currency, r.unmatched_reason) AS derived
      FROM (SELECT * FROM unmatched_receipts u WHERE ${ours('u')}) u FULL JOIN (
        -- What came under no account is of the one that the operator gave it to.
        SELECT * FROM (
          SELECT r.gateway, r.provider_payment_id, r.amount, r.currency,
            coalesce(r.unmatched_reason, 'payment_reversed') AS unmatched_reason, r.payment_link_id, coalesce(r.account_id, c.account_id) AS account_id
          FROM provider_receipts r LEFT JOIN unmatched_receipts c
            ON r.account_id IS NULL
              AND (c.gateway, c.provider_payment_id) = (r.gateway, r.provider_payment_id)
          WHERE r.unmatched_reason IS NOT NULL OR EXISTS (SELECT FROM payment_reversals v
            WHERE (v.account_id, v.payment_id) = (r.account_id, r.payment_id))
        ) r WHERE account_id IS NOT NULL AND ${ours('r')}
      ) r USING (account_id, gateway, provider_payment_id)
      WHERE (u.amount, u.currency, u.reason, u.payment_link_id)
        IS DISTINCT FROM (r.amount, r.currency, r.unmatched_reason, r.payment_link_id)`,
  },
  {
    name: 'a payment that settles a receipt is of that money',
    prefix: 'pay',
    sql: `SELECT payment_id AS id,
        format('%s %s %s', p.received_in, p.gateway, p.provider_payment_id) AS stored,
        format('%s %s %s', u.currency, u.gateway, u.provider_payment_id) AS derived
      FROM ${PAYMENTS_AS_RECEIVED} p LEFT JOIN unmatched_receipts u USING (account_id, receipt_id)
      WHERE p.receipt_id IS NOT NULL AND ${ours('p')}
        AND (p.received_in, p.gateway, p.provider_payment_id)
          IS DISTINCT FROM (u.currency, u.gateway, u.provider_payment_id)`,
  },
  {
    name: 'the fee of a receipt is the one that its event tells',
    prefix: 'rcpt',
    sql: `SELECT u.receipt_id AS id, u.fee AS stored, (e.data->>'fee')::bigint AS derived
      FROM unmatched_receipts u JOIN events e ON e.account_id = u.account_id
        AND e.type = 'payment.unmatched' AND e.data->>'gateway' = u.gateway
        AND e.data->>'provider_payment_id' = u.provider_payment_id AND e.data ? 'fee'
      WHERE ${ours('u')} AND u.fee IS DISTINCT FROM (e.data->>'fee')::bigint`,
  },
  {
    name: 'the fee of a receipt is booked with it or with its payment, not with both',
    prefix: 'pay',
    sql: `SELECT p.payment_id AS id, p.fee AS stored, u.booked_fee AS derived
      FROM payments p JOIN unmatched_receipts u USING (account_id, receipt_id)
      WHERE ${ours('p')} AND p.fee IS NOT NULL AND u.booked_fee <> 0`,
  },
  {
    name: 'a provider told of each receipt in an event of its own',
    prefix: null,
    sql: `SELECT format('%s %s', r.gateway, r.event_id) AS id,
        format('%s receipts', count(*)) AS stored,
        CASE count(e.event_id) WHEN 0 THEN 'no event' ELSE '1 receipt' END AS derived
      FROM provider_receipts r LEFT JOIN provider_events e USING (gateway, event_id)
      WHERE ${ours('r')}
      GROUP BY r.gateway, r.event_id HAVING count(*) <> 1 OR count(e.event_id) <> 1`,
  },
  {
    name: 'a bank entry that is booked and its payment agree',
    prefix: 'pay',
    sql: `SELECT payment_id AS id, format('%s %s', p.received, p.received_in) AS stored,
        format('%s %s, %s', b.amount, b.currency, b.status) AS derived
      FROM (
        SELECT * FROM ${PAYMENTS_AS_RECEIVED} p WHERE bank_entry_id IS NOT NULL AND ${ours('p')}
          -- One that was undone is reversed, and its entry is free for another payment.
          AND (NOT is_reversed OR EXISTS (SELECT FROM bank_entries e
            WHERE e.account_id = p.account_id AND e.payment_id = p.payment_id))
      ) p FULL JOIN (
        SELECT * FROM bank_entries b
        WHERE status = 'booked' AND ${ours('b')}
      ) b USING (account_id, payment_id)
      WHERE (p.bank_entry_id, p.received, p.received_in, 'booked')
        IS DISTINCT FROM (b.entry_id, b.amount, b.currency, b.status)`,
  },
  {
    name: 'a bank entry and the payment that it was said to be, or took back, agree',
    prefix: 'bentry',
    sql: `SELECT b.entry_id AS id, format('%s, %s %s', b.status, b.amount, b.currency) AS stored,
        format('%s %s%s', p.received, p.received_in,
          CASE WHEN r.payment_id IS NULL THEN '' ELSE ', reversed' END) AS derived
      FROM bank_entries b LEFT JOIN ${PAYMENTS_AS_RECEIVED} p USING (account_id, payment_id)
        LEFT JOIN payment_reversals r USING (account_id, payment_id)
      WHERE b.status IN ('recorded', 'returned') AND ${ours('b')} AND NOT CASE b.status
        WHEN 'recorded' THEN (b.amount, b.currency) = (p.received, p.received_in)
          AND num_nonnulls(p.gateway, p.receipt_id, p.bank_entry_id) = 0
        ELSE b.currency = p.received_in AND b.amount + b.fee >= p.received
          AND r.payment_id IS NOT NULL END`,
  },
  {
    name: 'a bank statement has the entries that it brought',
    prefix: 'bstmt',
    sql: `SELECT statement_id AS id, s.entries - s.known_before AS stored, b.entries AS derived
      FROM (SELECT * FROM bank_statements s WHERE ${ours('s')}) s FULL JOIN (
        SELECT account_id, statement_id, count(*) AS entries FROM bank_entries b
        WHERE ${ours('b')} GROUP BY 1, 2
      ) b USING (account_id, statement_id)
      WHERE s.statement_id IS NULL OR s.entries - s.known_before <> coalesce(b.entries, 0)`,
  },
  {
    name: 'the history of a document tells of the payments that were recorded on it',
    prefix: 'doc',
    sql: recorded('document_id', 'document_id IS NOT NULL'),
  },
  {
    name: 'the events tell of the payments that stand for themselves',
    prefix: 'acc',
    sql: recorded('account_id', 'document_id IS NULL'),
  },
];

/** Both sides summed by one column. Events of early versions may say less, and are let be. */
function recorded(by: string, where: string): string {
  const columns = by === 'account_id' ? 'account_id' : `account_id, ${by}`;
  return `SELECT ${by} AS id, format('%s payments, %s', coalesce(e.found, 0), coalesce(e.amount, 0))
        AS stored,
      format('%s payments, %s', coalesce(p.found, 0), coalesce(p.amount, 0)) AS derived
    FROM (
      SELECT ${columns}, count(*) AS found, sum(amount) AS amount FROM payments p
      WHERE ${where} AND ${ours('p')} GROUP BY ${columns}
    ) p FULL JOIN (
      SELECT ${columns}, count(*) AS found, bool_and(amount IS NOT NULL) AS tells,
        sum(amount) AS amount
      FROM (
        SELECT ${columns}, (data->'payment'->'amount')::bigint AS amount
        FROM events e WHERE type = 'payment.recorded' AND ${where} AND ${ours('e')} OFFSET 0
      ) told GROUP BY ${columns}
    ) e USING (${columns})
    WHERE coalesce(p.found, 0) <> coalesce(e.found, 0)
      OR e.tells AND p.amount IS DISTINCT FROM e.amount`;
}
