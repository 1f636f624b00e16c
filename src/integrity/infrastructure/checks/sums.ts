import { gatewayMovements } from '../../../bank/sql.js';
import { type IntegrityCheck, ours } from './integrity-check.js';

/** Of `t`: behind the mark, reports read the transfers themselves. */
const IS_IN_SUMS = `t.xact < (SELECT through_xact FROM event_marks WHERE consumer = 'sums')`;

/** As patterns, which the planner knows to be most of the transfers. */
const CLAIMS = `'{receivables/%,rejected_receivables/%,customer_credit/%}'`;
const nameOf = (side: 'debit' | 'credit') => `left(t.${side}, -4)`;

/** Debits less credits. */
const balanceOf = (account: string) => `sum(CASE '${account}'
  WHEN ${nameOf('debit')} THEN t.amount WHEN ${nameOf('credit')} THEN -t.amount ELSE 0 END)`;

const SPANS = `CROSS JOIN LATERAL (VALUES ('day', t.day),
  ('month', t.day - extract(day FROM t.day)::int + 1)) s (span, begins_on)`;

/** The sums that reports read are those of the transfers. */
export const SUM_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'sums of days and months are what their transfers come to',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('%s %s: %s, %s to %s, %s', span, begins_on, fact, debit, credit, s.amount) AS stored,
        format('%s %s: %s, %s to %s, %s', span, begins_on, fact, debit, credit, t.amount) AS derived
      FROM (SELECT * FROM transfer_sums s WHERE ${ours('s')}) s FULL JOIN (
        SELECT account_id, span, begins_on, fact, debit, credit, sum(amount) AS amount
        FROM (
          SELECT account_id, effective_on AS day, fact, debit, credit, sum(amount) AS amount
          FROM transfers t WHERE ${ours('t')} AND ${IS_IN_SUMS} GROUP BY 1, 2, 3, 4, 5 OFFSET 0
        ) t ${SPANS} GROUP BY 1, 2, 3, 4, 5, 6
      ) t USING (account_id, span, begins_on, fact, debit, credit)
      WHERE s.amount IS DISTINCT FROM t.amount`,
  },
  {
    name: 'sums of claims by due date are what their transfers come to',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('%s %s %s, due %s: owed %s, rejected %s, credit %s', span, begins_on, currency,
          due_date, s.owed, s.rejected, s.credit) AS stored,
        format('%s %s %s, due %s: owed %s, rejected %s, credit %s', span, begins_on, currency,
          due_date, t.owed, t.rejected, t.credit) AS derived
      FROM (SELECT * FROM claim_sums s WHERE ${ours('s')}) s FULL JOIN (
        SELECT account_id, span, begins_on, right(debit, 3) AS currency, due_date,
          ${balanceOf('receivables')} AS owed, ${balanceOf('rejected_receivables')} AS rejected,
          -${balanceOf('customer_credit')} AS credit
        FROM (
          SELECT t.account_id, t.effective_on AS day, coalesce(d.due_date, 'infinity') AS due_date,
            t.debit, t.credit, sum(t.amount) AS amount
          FROM transfers t LEFT JOIN documents d USING (account_id, document_id)
          WHERE ${ours('t')} AND ${IS_IN_SUMS}
            AND (t.debit LIKE ANY (${CLAIMS}) OR t.credit LIKE ANY (${CLAIMS}))
          GROUP BY 1, 2, 3, 4, 5 OFFSET 0
        ) t ${SPANS} GROUP BY 1, 2, 3, 4, 5
      ) t USING (account_id, span, begins_on, currency, due_date)
      WHERE (s.owed, s.rejected, s.credit) IS DISTINCT FROM (t.owed, t.rejected, t.credit)`,
  },
  {
    name: 'sums of gateways are what their transfers come to',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('%s %s %s %s %s: %s', span, begins_on, gateway, currency, part, s.moved) AS stored,
        format('%s %s %s %s %s: %s', span, begins_on, gateway, currency, part, t.moved) AS derived
      FROM (SELECT * FROM gateway_sums s WHERE ${ours('s')}) s FULL JOIN (
        SELECT account_id, span, begins_on, gateway, currency, part, sum(moved) AS moved
        FROM (${gatewayMovements(`${ours('t')} AND ${IS_IN_SUMS}`)}) t ${SPANS}
        GROUP BY 1, 2, 3, 4, 5, 6
      ) t USING (account_id, span, begins_on, gateway, currency, part)
      WHERE s.moved IS DISTINCT FROM t.moved`,
  },
];
