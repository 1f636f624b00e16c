import { IS_UNDONE, UNDECIDED_PARTS } from '../../../payments/sql.js';
import { type IntegrityCheck, ours } from './integrity-check.js';
import { PAYMENTS_AS_RECEIVED } from './conversions.js';

/** Refunds `r` whose money went, and did not come back. */
const STANDS = `NOT ${IS_UNDONE}`;

/** Money that took the customer's credit instead of coming in. */
export const IS_FROM_CREDIT = `p.method = 'credit_balance'
  AND num_nonnulls(p.gateway, p.receipt_id, p.bank_entry_id) = 0`;

/** The amount that each payment pays of documents now, refunds apart. */
const APPLIED_NOW = `
  SELECT account_id, payment_id, sum(amount) AS amount FROM allocations a
  WHERE ${ours('a')} GROUP BY 1, 2`;

/** Sums that providers took back of payments or receipts, without losses. */
const TAKEN_BACK = (id: string) => `
  SELECT account_id, ${id}, sum(amount - lost) AS amount FROM provider_reversals v
  WHERE ${id} IS NOT NULL AND ${ours('v')} GROUP BY 1, 2`;

/** The stored sums of payments, refunds and credits. */
export const PAYMENT_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'document amount_paid is the sum of its payments and allocations',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_paid AS stored, coalesce(p.applied, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(applied) AS applied FROM (
          SELECT account_id, document_id, applied FROM payments p
          WHERE document_id IS NOT NULL AND ${ours('p')}
          UNION ALL
          SELECT account_id, document_id, amount FROM allocations a WHERE ${ours('a')}
        ) parts GROUP BY 1, 2
      ) p USING (account_id, document_id)
      WHERE ${ours('d')} AND d.amount_paid <> coalesce(p.applied, 0)`,
  },
  {
    name: 'document amount_prepaid is the sum of the payments that its issue recorded',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.amount_prepaid AS stored, coalesce(p.amount, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, xact, sum(amount) AS amount FROM payments p
        WHERE document_id IS NOT NULL AND ${ours('p')} GROUP BY 1, 2, 3
      ) p ON (p.account_id, p.document_id, p.xact) = (d.account_id, d.document_id, d.issued_xact)
      WHERE ${ours('d')} AND d.amount_prepaid <> coalesce(p.amount, 0)`,
  },
  {
    name: 'an allocation is in the currency of its payment and of its document',
    prefix: 'alloc',
    sql: `SELECT allocation_id AS id, a.currency AS stored,
        concat_ws(', ', p.currency, d.currency) AS derived
      FROM allocations a LEFT JOIN payments p USING (account_id, payment_id)
        LEFT JOIN documents d ON (d.account_id, d.document_id) = (a.account_id, a.document_id)
      WHERE ${ours('a')} AND (a.currency IS DISTINCT FROM p.currency
        OR a.currency IS DISTINCT FROM d.currency OR p.customer_id <> d.customer_id)`,
  },
  {
    name: 'document amount_refunded is the sum of its parts of refunds',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_refunded AS stored, coalesce(r.amount, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(part.amount) AS amount
        FROM refund_parts part JOIN refunds r USING (account_id, refund_id)
        WHERE r.status = 'succeeded' AND ${STANDS} AND ${ours('r')} GROUP BY 1, 2
      ) r USING (account_id, document_id)
      WHERE ${ours('d')} AND d.amount_refunded <> coalesce(r.amount, 0)`,
  },
  {
    name: 'document amount_undecided is the sum of its parts that nobody has decided',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_undecided AS stored, coalesce(u.amount, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT u.account_id, u.document_id, sum(u.amount) AS amount
        FROM (${UNDECIDED_PARTS}) u JOIN refunds r USING (account_id, refund_id)
        WHERE r.status = 'succeeded' AND ${STANDS} AND ${ours('u')} GROUP BY 1, 2
      ) u USING (account_id, document_id)
      WHERE ${ours('d')} AND d.amount_undecided <> coalesce(u.amount, 0)`,
  },
  {
    name: 'a credit note of a refund is of its document, and over what that gave',
    prefix: 'doc',
    sql: `SELECT n.credit_note_id AS id, concat_ws(' ', c.origin_document_id, c.total) AS stored,
        concat_ws(' ', n.document_id, p.amount) AS derived
      FROM refund_credit_notes n
        LEFT JOIN documents c ON (c.account_id, c.document_id) = (n.account_id, n.credit_note_id)
        LEFT JOIN refund_parts p ON (p.account_id, p.refund_id, p.document_id)
          = (n.account_id, n.refund_id, n.document_id)
      WHERE ${ours('n')} AND (c.origin IS DISTINCT FROM 'credit'
        OR c.origin_document_id IS DISTINCT FROM n.document_id OR c.total IS DISTINCT FROM p.amount)`,
  },
  {
    name: 'a refund that lowers its documents has their credit notes',
    prefix: 'rfnd',
    sql: `SELECT p.refund_id AS id, 'no credit note' AS stored, p.amount AS derived
      FROM refund_parts p JOIN refunds r USING (account_id, refund_id)
        JOIN refund_meanings m USING (account_id, refund_id)
      WHERE ${ours('p')} AND r.status = 'succeeded' AND ${STANDS}
        AND m.meaning = 'lowers_document' AND m.problem IS NULL
        AND m.step = (SELECT max(step) FROM refund_meanings l
          WHERE (l.account_id, l.refund_id) = (m.account_id, m.refund_id))
        AND NOT EXISTS (SELECT FROM refund_credit_notes n
          WHERE (n.account_id, n.refund_id, n.document_id)
            = (p.account_id, p.refund_id, p.document_id))`,
  },
  {
    name: 'a refund gives something of a document exactly where it says what that means',
    prefix: 'rfnd',
    sql: `SELECT refund_id AS id, count(m.step) AS stored, max(m.step) AS derived
      FROM refund_meanings m LEFT JOIN refunds r USING (account_id, refund_id)
      WHERE ${ours('m')} GROUP BY m.account_id, refund_id
      HAVING count(m.step) <> max(m.step) OR NOT EXISTS (SELECT FROM refund_parts p
        WHERE (p.account_id, p.refund_id) = (m.account_id, m.refund_id))`,
  },
  {
    name: 'a refund is what credit gives, what documents give and what is lost',
    prefix: 'rfnd',
    sql: `SELECT refund_id AS id, r.amount AS stored,
        r.from_credit + r.lost + coalesce(p.amount, 0) AS derived
      FROM refunds r LEFT JOIN (
        SELECT account_id, refund_id, sum(amount) AS amount FROM refund_parts part
        WHERE ${ours('part')} GROUP BY 1, 2
      ) p USING (account_id, refund_id)
      WHERE ${ours('r')} AND r.payment_id IS NOT NULL
        AND r.amount <> r.from_credit + r.lost + coalesce(p.amount, 0)`,
  },
  {
    name: 'a refund is named by its provider for no more than its amount',
    prefix: 'rfnd',
    sql: `SELECT refund_id AS id, r.amount AS stored, n.amount AS derived
      FROM (
        SELECT account_id, refund_id, sum(amount) AS amount FROM refund_names n
        WHERE ${ours('n')} GROUP BY 1, 2
      ) n LEFT JOIN refunds r USING (account_id, refund_id)
      WHERE r.amount IS NULL OR n.amount > r.amount OR r.paid_from <> 'gateway_clearing'`,
  },
  {
    name: 'what went back of a payment, or is on its way, is the sum of its refunds and reversals',
    prefix: 'pay',
    sql: `SELECT payment_id AS id, p.returned AS stored, due.amount AS derived
      FROM payments p LEFT JOIN (
        SELECT account_id, payment_id, sum(amount - lost) AS amount FROM refunds r
        WHERE status <> 'failed' AND ${STANDS} AND ${ours('r')} GROUP BY 1, 2
      ) r USING (account_id, payment_id)
      LEFT JOIN payment_reversals v USING (account_id, payment_id)
      LEFT JOIN (${TAKEN_BACK('payment_id')}) b USING (account_id, payment_id)
      CROSS JOIN LATERAL (SELECT coalesce(r.amount, 0) + coalesce(b.amount, 0)
        + CASE WHEN v.payment_id IS NULL THEN 0 ELSE p.amount END AS amount) due
      WHERE ${ours('p')} AND p.returned <> due.amount`,
  },
  {
    name: 'a payment that says that it is reversed has its reversal',
    prefix: 'pay',
    sql: `SELECT payment_id AS id, p.is_reversed AS stored, v.payment_id IS NOT NULL AS derived
      FROM payments p LEFT JOIN payment_reversals v USING (account_id, payment_id)
      WHERE ${ours('p')} AND p.is_reversed <> (v.payment_id IS NOT NULL)`,
  },
  {
    name: 'what is settled of a receipt is the sum of its refunds, or its payment',
    prefix: 'rcpt',
    sql: `SELECT receipt_id AS id, u.settled AS stored,
        coalesce(r.amount, 0) + coalesce(p.amount, 0) + coalesce(b.amount, 0) AS derived
      FROM unmatched_receipts u LEFT JOIN (
        SELECT account_id, receipt_id, sum(amount - lost) AS amount FROM refunds r
        WHERE status <> 'failed' AND ${STANDS} AND ${ours('r')} GROUP BY 1, 2
      ) r USING (account_id, receipt_id) LEFT JOIN (
        SELECT account_id, receipt_id, sum(received) AS amount
        FROM ${PAYMENTS_AS_RECEIVED} p
        WHERE receipt_id IS NOT NULL AND NOT is_reversed AND ${ours('p')} GROUP BY 1, 2
      ) p USING (account_id, receipt_id)
      LEFT JOIN (${TAKEN_BACK('receipt_id')}) b USING (account_id, receipt_id)
      WHERE ${ours('u')} AND u.settled
        <> coalesce(r.amount, 0) + coalesce(p.amount, 0) + coalesce(b.amount, 0)`,
  },
  {
    name: 'what a payment did not apply, and did not give back, is customer credit',
    prefix: 'pay',
    sql: `SELECT payment_id AS id, coalesce(c.amount, 0) AS stored, due.amount AS derived
      FROM payments p
      LEFT JOIN (${APPLIED_NOW}) a USING (account_id, payment_id)
      LEFT JOIN (
        SELECT account_id, payment_id, sum(from_credit) AS amount FROM refunds r
        WHERE status = 'succeeded' AND ${STANDS} AND ${ours('r')} GROUP BY 1, 2
      ) r USING (account_id, payment_id)
      LEFT JOIN payment_reversals v USING (account_id, payment_id)
      LEFT JOIN (${TAKEN_BACK('payment_id')}) b USING (account_id, payment_id)
      LEFT JOIN (
        SELECT account_id, payment_id, sum(amount) AS amount FROM customer_credits c
        WHERE payment_id IS NOT NULL AND ${ours('c')} GROUP BY 1, 2
      ) c USING (account_id, payment_id)
      CROSS JOIN LATERAL (SELECT
        CASE WHEN ${IS_FROM_CREDIT} OR v.payment_id IS NOT NULL THEN 0 ELSE p.amount END
          - p.applied - coalesce(a.amount, 0) - coalesce(r.amount, 0)
          - coalesce(b.amount, 0) AS amount) due
      WHERE ${ours('p')} AND coalesce(c.amount, 0) <> due.amount`,
  },
  {
    name: 'what a credit note did not apply is customer credit',
    prefix: 'doc',
    sql: `SELECT document_id AS id, coalesce(c.amount, 0) AS stored, due.amount AS derived
      FROM documents d
      CROSS JOIN LATERAL (SELECT CASE d.lifecycle WHEN 'open'
        THEN d.total - d.amount_applied - d.amount_moved ELSE 0 END AS amount) due
      LEFT JOIN (
        SELECT account_id, credit_note_id AS document_id, sum(amount) AS amount
        FROM customer_credits c WHERE credit_note_id IS NOT NULL AND ${ours('c')} GROUP BY 1, 2
      ) c USING (account_id, document_id)
      WHERE ${ours('d')} AND d.kind = 'credit_note' AND coalesce(c.amount, 0) <> due.amount`,
  },
  {
    name: 'a customer balance is the sum of the customer credits',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, format('%s %s', b.credit, currency) AS stored,
        format('%s %s', c.amount, currency) AS derived
      FROM (SELECT * FROM customer_balances b WHERE ${ours('b')}) b FULL JOIN (
        SELECT account_id, customer_id, currency, sum(amount) AS amount
        FROM customer_credits c WHERE ${ours('c')} GROUP BY 1, 2, 3
      ) c USING (account_id, customer_id, currency)
      WHERE b.credit IS DISTINCT FROM c.amount`,
  },
  {
    name: 'what is reserved of a balance is on its way back in refunds',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, format('%s %s', b.reserved, currency) AS stored,
        format('%s %s', coalesce(r.amount, 0), currency) AS derived
      FROM (SELECT * FROM customer_balances b WHERE ${ours('b')}) b FULL JOIN (
        SELECT account_id, customer_id, currency, sum(from_credit + credit_kept) AS amount
        FROM refunds r WHERE status IN ('pending', 'unknown') AND from_credit + credit_kept > 0
          AND ${ours('r')} GROUP BY 1, 2, 3
      ) r USING (account_id, customer_id, currency)
      WHERE coalesce(b.reserved, 0) <> coalesce(r.amount, 0)`,
  },
  {
    name: 'customer credit is never below zero',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, sum(amount) AS stored, 0 AS derived FROM customer_credits c
      WHERE ${ours('c')} GROUP BY account_id, customer_id, currency HAVING sum(amount) < 0`,
  },
];
