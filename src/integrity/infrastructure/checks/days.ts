import { type IntegrityCheck, ours } from './integrity-check.js';

/** A row that says when something happened, and the facts that the ledger has of it. */
interface DatedFact {
  table: string;
  id: string;
  prefix: 'pay' | 'rfnd';
  facts: readonly string[];
  happenedAt: string;
}

const DATED: readonly DatedFact[] = [
  {
    table: 'payments',
    id: 'payment_id',
    prefix: 'pay',
    facts: ['payment.recorded'],
    happenedAt: 'paid_at',
  },
  {
    table: 'refunds',
    id: 'refund_id',
    prefix: 'rfnd',
    facts: ['payment.refunded', 'receipt.refunded'],
    happenedAt: 'settled_at',
  },
  {
    table: 'refund_undoings',
    id: 'refund_id',
    prefix: 'rfnd',
    facts: ['refund.returned', 'refund.reversed'],
    happenedAt: 'undone_at',
  },
];

/** The day somewhere on earth: an account may have had another time zone then. */
const dayWest = (at: string) => `((${at} AT TIME ZONE 'UTC') - interval '12 hours')::date`;
const dayEast = (at: string) => `((${at} AT TIME ZONE 'UTC') + interval '14 hours')::date`;

/** The ledger has each fact on its own day, or on the later one that its row says. */
const OF_ROWS: readonly IntegrityCheck[] = DATED.map(
  ({ table, id, prefix, facts, happenedAt }) => ({
    name: `the ledger has each row of ${table} on the day that it says`,
    prefix,
    sql: `SELECT DISTINCT r.${id} AS id,
        format('%s, booked on %s', r.${happenedAt}, coalesce(r.booked_on::text, 'its own day')) AS stored,
        t.effective_on::text AS derived
      FROM ${table} r JOIN transfers t ON t.account_id = r.account_id AND t.fact_id = r.${id}
        AND t.fact IN (${facts.map((fact) => `'${fact}'`).join(', ')})
      WHERE ${ours('r')} AND CASE WHEN r.booked_on IS NULL
        THEN t.effective_on NOT BETWEEN ${dayWest(`r.${happenedAt}`)} AND ${dayEast(`r.${happenedAt}`)}
        ELSE t.effective_on <> r.booked_on OR r.booked_on <= ${dayWest(`r.${happenedAt}`)} END`,
  }),
);

/** The first part of a move names the fact; the others were written with it. */
const OF_MOVES: IntegrityCheck = {
  name: 'the ledger has each move on the day that its allocations say',
  prefix: 'alloc',
  sql: `SELECT allocation_id AS id,
      format('%s, counts on %s', created_at, coalesce(counts_on::text, 'its own day')) AS stored,
      coalesce(day::text, 'no move') AS derived
    FROM (
      SELECT m.allocation_id, m.created_at, m.counts_on,
        max(t.effective_on) OVER (PARTITION BY m.account_id, m.payment_id, m.xact) AS day
      FROM allocations m LEFT JOIN transfers t ON t.account_id = m.account_id
        AND t.fact_id = m.allocation_id AND t.fact = 'payment.moved'
      -- Only a move counts on another day than its own.
      WHERE ${ours('m')} AND (m.reason = 'move' OR m.counts_on IS NOT NULL)
    ) m
    WHERE CASE WHEN counts_on IS NULL
      THEN day NOT BETWEEN ${dayWest('created_at')} AND ${dayEast('created_at')}
      ELSE day IS DISTINCT FROM counts_on END`,
};

/** An absurd date of a provider counts for the day on which it was told. */
const SAID = `(CASE WHEN s.said_at <= s.recorded_at + interval '5 minutes'
  AND (s.said_at AT TIME ZONE 'UTC') >=
    date_trunc('year', s.recorded_at AT TIME ZONE 'UTC') - interval '10 years'
  THEN s.said_at ELSE s.recorded_at END)`;
const OF_DISPUTE = `t.account_id = s.account_id AND t.fact_id = s.dispute_id
  AND t.fact IN ('dispute.opened', 'dispute.won', 'dispute.lost')`;

/** A dispute has several steps, and each moves what it has to. */
const OF_DISPUTES: readonly IntegrityCheck[] = [
  {
    name: 'the ledger has what a dispute moved on the day of one of its steps',
    prefix: 'dsp',
    sql: `SELECT t.fact_id AS id, t.effective_on::text AS stored, 'the day of a step' AS derived
      FROM transfers t WHERE ${ours('t')}
        AND t.fact IN ('dispute.opened', 'dispute.won', 'dispute.lost')
        AND NOT EXISTS (SELECT FROM dispute_steps s WHERE ${OF_DISPUTE} AND CASE
          WHEN s.booked_on IS NULL
          THEN t.effective_on BETWEEN ${dayWest(SAID)} AND ${dayEast(SAID)}
          ELSE t.effective_on = s.booked_on END)`,
  },
  {
    name: 'a step of a dispute that was booked later is in the ledger on that day',
    prefix: 'dsp',
    sql: `SELECT DISTINCT s.dispute_id AS id, s.booked_on::text AS stored,
        'a later day with transfers' AS derived
      FROM dispute_steps s LEFT JOIN transfers t ON ${OF_DISPUTE} AND t.effective_on = s.booked_on
      WHERE ${ours('s')} AND s.booked_on IS NOT NULL
        AND (t.fact_id IS NULL OR s.booked_on <= ${dayWest(SAID)})`,
  },
];

export const DAY_CHECKS: readonly IntegrityCheck[] = [...OF_ROWS, OF_MOVES, ...OF_DISPUTES];
