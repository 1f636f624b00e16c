import { type IntegrityCheck, ours } from './integrity-check.js';
import { OWNED_RECEIPTS } from './providers.js';

/** Money that disputes took off payments and receipts and what became a loss or none, or gave them again. */
const ofDispute = (sign: '>=' | '<') => `(
  SELECT account_id, dispute_id, sum(amount) AS amount,
    sum(from_credit) AS from_credit, sum(lost) AS lost,
    sum(CASE WHEN payment_id IS NULL THEN amount - lost ELSE 0 END) AS of_receipt
  FROM provider_reversals v
  WHERE dispute_id IS NOT NULL AND amount ${sign} 0 AND ${ours('v')} GROUP BY 1, 2)`;

/** Money that providers took out of their balances for disputes, or put back. */
const ofSteps = (sign: '>' | '<') => `(
  SELECT account_id, dispute_id,
    sum(CASE WHEN withdrawn ${sign} 0 THEN withdrawn ELSE 0 END) AS withdrawn,
    sum(CASE WHEN fee ${sign} 0 THEN fee ELSE 0 END) AS fee
  FROM dispute_steps s WHERE ${ours('s')} GROUP BY 1, 2)`;

const LOST = {
  due: 'v.amount - v.from_credit - v.lost - v.of_receipt',
  credit: 'v.from_credit',
  unmatched: 'v.of_receipt',
  losses: 'v.lost',
  disputed: '-v.amount',
};

/** The amounts that disputes should have moved in the ledger. */
export const OF_DISPUTES = [
  {
    fact: 'dispute.opened',
    from: `disputes t JOIN ${ofSteps('>')} s USING (account_id, dispute_id) WHERE true`,
    id: 't.dispute_id',
    moved: { disputed: 's.withdrawn', fees: 's.fee', clearing: '-s.withdrawn - s.fee' },
  },
  {
    fact: 'dispute.lost',
    from: `disputes t JOIN ${ofDispute('>=')} v USING (account_id, dispute_id) WHERE true`,
    id: 't.dispute_id',
    moved: LOST,
  },
  {
    fact: 'dispute.won',
    from: `disputes t JOIN ${ofSteps('<')} s USING (account_id, dispute_id)
      LEFT JOIN ${ofDispute('<')} v USING (account_id, dispute_id) WHERE true`,
    id: 't.dispute_id',
    moved: {
      ...Object.fromEntries(
        Object.entries(LOST).map(([column, sql]) => [column, `coalesce(${sql}, 0)`]),
      ),
      disputed: 's.withdrawn - coalesce(v.amount, 0)',
      fees: 's.fee',
      clearing: '-s.withdrawn - s.fee',
    },
  },
];

/** Whether the steps of disputes agree with each other, with their money and with its documents. */
export const DISPUTE_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'a dispute that was told before its payment is there',
    prefix: null,
    sql: `SELECT format('%s %s', f.gateway, f.reference) AS id, 'kept' AS stored,
        f.dispute_status AS derived
      FROM provider_failures f JOIN ${OWNED_RECEIPTS} r USING (gateway, provider_payment_id)
      WHERE f.kind = 'dispute' AND f.currency = r.currency
        AND ${ours('r')} AND NOT EXISTS (SELECT FROM disputes d
          WHERE (d.gateway, d.provider_dispute_id) = (f.gateway, f.reference))`,
  },
  {
    name: 'a dispute is of the money that its gateway took',
    prefix: 'dsp',
    sql: `SELECT d.dispute_id AS id,
        format('%s %s, %s', d.gateway, d.provider_payment_id, d.currency) AS stored,
        format('%s %s, %s', m.gateway, m.provider_payment_id, m.currency) AS derived
      FROM disputes d LEFT JOIN dispute_steps s USING (account_id, dispute_id)
      LEFT JOIN LATERAL (
        SELECT gateway, provider_payment_id, currency FROM payments p
        WHERE p.account_id = s.account_id AND p.payment_id = s.payment_id
        UNION ALL
        SELECT gateway, provider_payment_id, currency FROM unmatched_receipts u
        WHERE u.account_id = s.account_id AND u.receipt_id = s.receipt_id
      ) m ON true
      WHERE ${ours('d')} AND (d.gateway, d.provider_payment_id, d.currency)
        IS DISTINCT FROM (m.gateway, m.provider_payment_id, m.currency)`,
  },
  {
    name: 'what a provider holds for a dispute, and what may not move, is nothing once it is decided',
    prefix: 'dsp',
    sql: `SELECT s.dispute_id AS id, format('held %s, disputed %s', held, s.disputed) AS stored,
        l.status AS derived
      FROM (
        SELECT account_id, dispute_id, sum(disputed) AS disputed, sum(withdrawn) AS withdrawn,
          max(step) AS step, count(*) AS steps
        FROM dispute_steps s WHERE ${ours('s')} GROUP BY 1, 2
      ) s JOIN dispute_steps l USING (account_id, dispute_id, step)
      LEFT JOIN (
        SELECT account_id, dispute_id, sum(amount) AS amount FROM provider_reversals v
        WHERE dispute_id IS NOT NULL AND ${ours('v')} GROUP BY 1, 2
      ) v USING (account_id, dispute_id)
      CROSS JOIN LATERAL (SELECT s.withdrawn - coalesce(v.amount, 0) AS held) h
      WHERE held < 0 OR s.disputed < held OR s.steps <> s.step
        OR l.status = 'lost' AND (held <> 0 OR s.disputed <> 0)
        OR l.status NOT IN ('open', 'lost') AND s.disputed <> held`,
  },
  {
    name: 'document amount_disputed is the sum of the parts of disputes',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_disputed AS stored, coalesce(p.amount, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(amount) AS amount FROM dispute_parts t
        WHERE ${ours('t')} GROUP BY 1, 2
      ) p USING (account_id, document_id)
      WHERE ${ours('d')} AND d.amount_disputed <> coalesce(p.amount, 0)`,
  },
  {
    name: 'the documents of a dispute are those of its payment, and no more of it than is disputed',
    prefix: 'dsp',
    sql: `SELECT p.dispute_id AS id, format('%s of documents', p.amount) AS stored,
        format('%s disputed', coalesce(s.disputed, 0)) AS derived
      FROM (
        SELECT account_id, dispute_id, payment_id, sum(amount) AS amount FROM dispute_parts t
        WHERE ${ours('t')} GROUP BY 1, 2, 3
      ) p LEFT JOIN (
        SELECT account_id, dispute_id, payment_id, sum(disputed) AS disputed FROM dispute_steps s
        WHERE ${ours('s')} GROUP BY 1, 2, 3
      ) s USING (account_id, dispute_id, payment_id)
      WHERE p.amount NOT BETWEEN 0 AND coalesce(s.disputed, -1)`,
  },
];
