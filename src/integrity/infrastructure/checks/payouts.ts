import { type IntegrityCheck, ours } from './integrity-check.js';

const undone = (kind: string) => `payouts t JOIN payout_undoings u USING (account_id, payout_id)
  LEFT JOIN payout_undoings f ON f.kind = 'failed' AND f.account_id = t.account_id
    AND f.payout_id = t.payout_id
  WHERE u.kind = '${kind}'`;

/** The fees of things that were told after their payout; they are booked behind it. */
const LATE = `coalesce((SELECT sum(l.booked_fee) FROM payout_lines l
  WHERE (l.account_id, l.payout_id) = (t.account_id, t.payout_id)
    AND l.completes IS NOT NULL), 0)`;

/** The movements of a payout; one that failed has its amount with the provider already. */
export const PAYOUT_MOVES = [
  {
    fact: 'payout.sent',
    from: 'payouts t WHERE true',
    id: 't.payout_id',
    moved: {
      transit: 't.amount',
      fees: `t.booked_fee + ${LATE}`,
      clearing: `-(t.amount + t.booked_fee + ${LATE})`,
    },
  },
  {
    fact: 'payout.failed',
    from: undone('failed'),
    id: 't.payout_id',
    moved: { transit: '-t.amount', clearing: 't.amount' },
  },
  {
    fact: 'payout.reversed',
    from: undone('reversed'),
    id: 't.payout_id',
    moved: {
      transit: 'CASE WHEN f.kind IS NULL THEN -t.amount ELSE 0 END',
      fees: `-(t.booked_fee + ${LATE})`,
      clearing: `t.booked_fee + ${LATE} + CASE WHEN f.kind IS NULL THEN t.amount ELSE 0 END`,
    },
  },
];

/** The part of a fee that a payout books: nothing for what a payment has booked itself. */
const BOOKED = `CASE WHEN l.kind = 'fee' THEN l.fee - l.amount
  WHEN num_nonnulls(l.payment_id, l.receipt_id, l.refund_id) = 0
    OR coalesce(p.fee, r.fee) IS NOT NULL THEN 0 ELSE coalesce(c.fee, l.fee) END`;
/** The line that \`l\` completes. */
const COMPLETED = `LEFT JOIN payout_lines c
  ON (c.account_id, c.payout_id, c.position) = (l.account_id, l.payout_id, l.completes)`;

export const PAYOUT_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'the lines of a payout, less all fees, sum to it, and its booked fee is theirs and its own',
    prefix: 'pout',
    sql: `SELECT o.payout_id AS id,
        format('%s, fee booked %s, %s lines', o.amount, o.booked_fee, o.lines) AS stored,
        format('%s, fee booked %s, %s lines', l.amount - o.fee, coalesce(l.booked, 0) + o.fee,
          coalesce(l.lines, 0)) AS derived
      FROM payouts o LEFT JOIN (
        SELECT account_id, payout_id, sum(amount - fee) AS amount, sum(booked_fee) AS booked,
          count(*) AS lines
        FROM payout_lines l WHERE ${ours('l')} AND completes IS NULL GROUP BY 1, 2
      ) l USING (account_id, payout_id)
      WHERE ${ours('o')} AND (o.amount <> l.amount - o.fee OR o.lines <> coalesce(l.lines, 0)
        OR o.booked_fee <> o.fee + coalesce(l.booked, 0))`,
  },
  {
    name: 'a line of a payout books the fee that nothing else has booked',
    prefix: 'pout',
    sql: `SELECT l.payout_id AS id, format('line %s: %s', l.position, l.booked_fee) AS stored,
        format('%s or 0', ${BOOKED}) AS derived
      FROM payout_lines l LEFT JOIN payments p USING (account_id, payment_id)
        LEFT JOIN unmatched_receipts r ON r.account_id = l.account_id
          AND r.receipt_id = l.receipt_id ${COMPLETED}
      WHERE ${ours('l')} AND l.booked_fee <> ${BOOKED}
        -- Another payout or line may have booked it.
        AND (l.booked_fee <> 0 OR ${BOOKED} = 0)`,
  },
  {
    name: 'a line that completes one of a payout names what that names, which was unknown',
    prefix: 'pout',
    sql: `SELECT l.payout_id AS id, concat_ws(' ', l.position, l.kind, l.provider_id) AS stored,
        coalesce(concat_ws(' ', c.position, c.kind, c.provider_id), 'none') AS derived
      FROM payout_lines l JOIN payouts o USING (account_id, payout_id) ${COMPLETED}
      WHERE ${ours('l')} AND l.completes IS NOT NULL AND ((l.kind, l.provider_id)
          IS DISTINCT FROM (c.kind, c.provider_id) OR c.completes IS NOT NULL OR l.position <= o.lines
        OR num_nonnulls(c.payment_id, c.receipt_id, c.refund_id) > 0)`,
  },
  {
    name: 'what a payout does not know yet, it waits for',
    prefix: 'pout',
    sql: `SELECT l.payout_id AS id, concat_ws(' ', l.kind, l.provider_id) AS stored, 'a wait' AS derived
      FROM payout_lines l JOIN payouts o USING (account_id, payout_id)
      WHERE ${ours('l')} AND l.completes IS NULL AND l.kind IN ('payment', 'refund')
        AND l.provider_id IS NOT NULL AND num_nonnulls(l.payment_id, l.receipt_id, l.refund_id) = 0
        AND NOT l.is_reversed AND NOT EXISTS (SELECT FROM provider_payout_waits w
          WHERE (w.gateway, w.provider_id, w.kind, w.provider_payout_id)
            = (o.gateway, l.provider_id, l.kind, o.provider_payout_id))`,
  },
  {
    name: 'no fee of a payment, receipt or refund is booked twice',
    prefix: 'pout',
    sql: `SELECT min(l.payout_id::text)::uuid AS id, format('%s times', count(*)) AS stored,
        'once' AS derived
      FROM payout_lines l JOIN payouts o USING (account_id, payout_id)
      WHERE ${ours('l')} AND l.booked_fee <> 0 AND o.status <> 'reversed' AND l.kind <> 'fee'
      GROUP BY l.account_id, l.payment_id, l.receipt_id, l.refund_id HAVING count(*) > 1`,
  },
  {
    name: 'a line of a payout is of the payment, receipt or refund that its provider names',
    prefix: 'pout',
    sql: `SELECT l.payout_id AS id,
        format('line %s: %s %s', l.position, o.gateway, l.provider_id) AS stored,
        concat_ws(' ', coalesce(p.gateway, r.gateway, n.gateway, f.gateway),
          coalesce(p.provider_payment_id, r.provider_payment_id, n.provider_refund_id,
            f.provider_refund_id)) AS derived
      FROM payout_lines l JOIN payouts o USING (account_id, payout_id)
        LEFT JOIN payments p USING (account_id, payment_id)
        LEFT JOIN unmatched_receipts r ON (r.account_id, r.receipt_id) = (l.account_id, l.receipt_id)
        LEFT JOIN refunds f ON (f.account_id, f.refund_id) = (l.account_id, l.refund_id)
        -- Of one that was recorded here before its provider named it.
        LEFT JOIN refund_names n
          ON (n.account_id, n.refund_id, n.gateway, n.provider_refund_id)
            = (l.account_id, l.refund_id, o.gateway, l.provider_id)
      WHERE ${ours('l')} AND num_nonnulls(l.payment_id, l.receipt_id, l.refund_id) > 0
        AND (o.gateway, l.provider_id, l.kind) IS DISTINCT FROM (
          coalesce(p.gateway, r.gateway, n.gateway, f.gateway),
          coalesce(p.provider_payment_id, r.provider_payment_id, n.provider_refund_id,
            f.provider_refund_id),
          CASE WHEN l.refund_id IS NULL THEN 'payment' ELSE 'refund' END)`,
  },
  {
    name: 'the status of a payout is what became of it, and its lines are reversed with it',
    prefix: 'pout',
    sql: `SELECT o.payout_id AS id, o.status AS stored, became AS derived
      FROM payouts o LEFT JOIN (
        SELECT account_id, payout_id, max(kind) AS kind FROM payout_undoings GROUP BY 1, 2
      ) u USING (account_id, payout_id)
      LEFT JOIN bank_entries b USING (account_id, payout_id)
      CROSS JOIN LATERAL (
        SELECT coalesce(u.kind, CASE WHEN b.entry_id IS NULL THEN 'sent' ELSE 'paid' END)
          || CASE WHEN u.kind IS NOT NULL AND b.entry_id IS NOT NULL THEN ', and at the bank'
            ELSE '' END AS became) of_it
      WHERE ${ours('o')} AND (o.status <> became OR EXISTS (SELECT FROM payout_lines l
        WHERE (l.account_id, l.payout_id) = (o.account_id, o.payout_id)
          AND l.is_reversed <> (o.status = 'reversed')))`,
  },
  {
    name: 'a bank entry that is a payout has its amount and currency',
    prefix: 'bentry',
    sql: `SELECT b.entry_id AS id, format('%s %s %s', b.direction, b.amount, b.currency) AS stored,
        format('%s %s', o.amount, o.currency) AS derived
      FROM bank_entries b LEFT JOIN payouts o USING (account_id, payout_id)
      WHERE b.payout_id IS NOT NULL AND ${ours('b')} AND (b.currency,
        CASE b.direction WHEN 'credit' THEN b.amount ELSE -b.amount END)
        IS DISTINCT FROM (o.currency, o.amount)`,
  },
];
