import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/tx.js';
import { CLAIMS, IS_OF_CLAIMS } from './claims-sql.js';

/** Adds transfers to the sums that reports read, by day and by month. */
@Injectable()
export class TransferSumsRepository {
  /**
   * @param window transactions that have ended, and are not in the sums yet
   * @returns how many transfers they wrote
   */
  async add(tx: Tx, { from, through }: { from: bigint; through: bigint }): Promise<bigint> {
    const [row] = await tx.read<{ count: bigint }>(ADD_TO_SUMS, [from, through]);
    return row?.count ?? 0n;
  }
}

/** How long a sum is of. */
export const SUM_SPANS = ['day', 'month'] as const;

/** The day and the month of `t.day`. */
export const SPANS = `CROSS JOIN LATERAL (SELECT s.span, date_trunc(s.span, t.day::timestamp)::date
  FROM unnest('{${SUM_SPANS.join(',')}}'::text[]) AS s (span)) AS s (span, begins_on)`;

/** $1 the first transaction of the window, $2 the first after it. */
export const ADD_TO_SUMS = `
  WITH days AS MATERIALIZED (
    SELECT t.account_id, t.effective_on AS day, t.fact, t.debit, t.credit, t.currency,
      coalesce(d.due_date, 'infinity') AS due_date, sum(t.amount) AS amount, count(*) AS transfers
    FROM transfers t LEFT JOIN documents d USING (account_id, document_id)
    WHERE t.xact >= $1 AND t.xact < $2 GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), flows AS (
    INSERT INTO transfer_sums AS o (account_id, span, begins_on, fact, debit, credit, amount)
    SELECT t.account_id, s.span, s.begins_on, t.fact, t.debit, t.credit, sum(t.amount)
    FROM days t ${SPANS} GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, span, begins_on, fact, debit, credit)
      DO UPDATE SET amount = o.amount + excluded.amount
  ), claims AS (
    INSERT INTO claim_sums AS o
      (account_id, span, begins_on, currency, due_date, owed, rejected, credit)
    SELECT t.account_id, s.span, s.begins_on, t.currency, t.due_date,
      sum(${CLAIMS.owed}), sum(${CLAIMS.rejected}), sum(${CLAIMS.credit})
    FROM days t ${SPANS} WHERE ${IS_OF_CLAIMS} GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, span, begins_on, currency, due_date) DO UPDATE SET
      owed = o.owed + excluded.owed, rejected = o.rejected + excluded.rejected,
      credit = o.credit + excluded.credit
  )
  SELECT coalesce(sum(transfers), 0)::bigint AS count FROM days`;
