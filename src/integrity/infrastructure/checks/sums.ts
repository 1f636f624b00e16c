import { type IntegrityCheck, ours } from './integrity-check.js';
import { LEDGER_ENTRIES, ledgerBalance } from './ledger.js';

/** Of `t`: behind the mark, reports read the transfers themselves. */
const IS_IN_SUMS = `t.xact < (SELECT through_xact FROM event_marks WHERE consumer = 'sums')`;

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
        SELECT account_id, span, begins_on, currency, due_date, sum(owed) AS owed,
          sum(rejected) AS rejected, sum(credit) AS credit
        FROM (
          SELECT t.account_id, t.day, t.currency, coalesce(d.due_date, 'infinity') AS due_date,
            ${ledgerBalance('receivables')} AS owed,
            ${ledgerBalance('rejected_receivables')} AS rejected,
            -${ledgerBalance('customer_credit')} AS credit
          FROM ${LEDGER_ENTRIES} t
          LEFT JOIN (SELECT account_id, document_id, due_date FROM documents) d
            USING (account_id, document_id)
          WHERE ${IS_IN_SUMS}
            AND ARRAY[debit, credit] && '{receivables,rejected_receivables,customer_credit}'
          GROUP BY 1, 2, 3, 4 OFFSET 0
        ) t ${SPANS} GROUP BY 1, 2, 3, 4, 5
      ) t USING (account_id, span, begins_on, currency, due_date)
      WHERE (s.owed, s.rejected, s.credit) IS DISTINCT FROM (t.owed, t.rejected, t.credit)`,
  },
];
