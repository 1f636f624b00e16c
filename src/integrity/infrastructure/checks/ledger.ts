import { DUE } from '../../../documents/sql.js';
import { IS_UNDONE } from '../../../payments/sql.js';
import { type IntegrityCheck, ours } from './integrity-check.js';
import { PAYMENTS_AS_RECEIVED } from './conversions.js';

const isOn = (side: 'debit' | 'credit', accounts: readonly string[]) =>
  accounts.map((account) => `${side} = '${account}'`).join(' OR ');

/** Transfers with the names of their accounts, which are cut off the currency once a row. */
export const LEDGER_ENTRIES = `(
  SELECT account_id, fact, fact_id, split_part(debit, '/', 1) AS debit,
    split_part(credit, '/', 1) AS credit, amount, currency, document_id, customer_id
  FROM transfers t WHERE ${ours('t')} OFFSET 0)`;

/** The balance of some accounts of the chart, debits less credits: of `ENTRIES`. */
export function ledgerBalance(...accounts: string[]): string {
  const [debit, credit] = [isOn('debit', accounts), isOn('credit', accounts)];
  const between = accounts.length > 1 ? `WHEN (${debit}) AND (${credit}) THEN 0` : '';
  return `coalesce(sum(CASE ${between} WHEN ${debit} THEN amount WHEN ${credit} THEN -amount END), 0)`;
}

/** Balances: what the ledger says of a document, a customer, an account, and what is stored. */
export const LEDGER_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'what a document is due is what the ledger has as receivable, or as lost',
    prefix: 'doc',
    sql: `SELECT document_id AS id,
        format('receivable %s, rejected %s, lost %s, waived %s', due.receivable, due.rejected,
          due.lost, due.waived) AS stored,
        format('receivable %s, rejected %s, lost %s, waived %s', coalesce(t.receivable, 0),
          coalesce(t.rejected, 0),
          coalesce(t.lost, 0), coalesce(t.waived, 0)) AS derived
      FROM (SELECT * FROM documents d WHERE ${ours('d')}) d FULL JOIN (
        SELECT account_id, document_id, ${ledgerBalance('receivables')} AS receivable,
          ${ledgerBalance('rejected_receivables')} AS rejected,
          ${ledgerBalance('bad_debt')} AS lost, ${ledgerBalance('payment_differences')} AS waived
        FROM ${LEDGER_ENTRIES} t WHERE document_id IS NOT NULL GROUP BY document_id, account_id
      ) t USING (document_id, account_id) LEFT JOIN (
        SELECT account_id, document_id, sum(tax) AS tax FROM tax_reliefs f
        WHERE ${ours('f')} GROUP BY 1, 2
      ) f USING (document_id, account_id)
      CROSS JOIN LATERAL (SELECT
        CASE WHEN d.kind = 'invoice' AND d.lifecycle = 'open' THEN ${DUE} ELSE 0 END AS receivable,
        CASE WHEN d.kind = 'invoice' AND d.lifecycle = 'rejected' THEN ${DUE} ELSE 0 END AS rejected,
        CASE d.lifecycle WHEN 'uncollectible' THEN ${DUE} ELSE 0 END
          - CASE WHEN d.amount_waived = 0 THEN coalesce(f.tax, 0) ELSE 0 END AS lost,
        coalesce(d.amount_waived, 0)
          - CASE WHEN d.amount_waived > 0 THEN coalesce(f.tax, 0) ELSE 0 END AS waived) due
      WHERE due.receivable <> coalesce(t.receivable, 0)
        OR due.rejected <> coalesce(t.rejected, 0) OR due.lost <> coalesce(t.lost, 0)
        OR due.waived <> coalesce(t.waived, 0)`,
  },
  {
    name: 'a transfer about a document is of its account, currency and customer',
    prefix: 'xfer',
    sql: `SELECT transfer_id AS id, format('%s, customer %s', t.currency, t.customer_id) AS stored,
        format('%s, customer %s', d.currency, d.customer_id) AS derived
      FROM transfers t LEFT JOIN (
        SELECT account_id, document_id, currency, customer_id FROM documents d
        WHERE ${ours('d')} OFFSET 0
      ) d USING (account_id, document_id)
      WHERE t.document_id IS NOT NULL AND ${ours('t')}
        AND (t.currency, t.customer_id) IS DISTINCT FROM (d.currency, d.customer_id)`,
  },
  {
    name: 'a transfer is in the currency of both its accounts',
    prefix: 'xfer',
    sql: `SELECT transfer_id AS id, format('%s to %s', debit, credit) AS stored, currency AS derived
      FROM transfers t WHERE ${ours('t')} AND (debit = credit OR amount <= 0
        OR split_part(debit, '/', 2) <> currency OR split_part(credit, '/', 2) <> currency)`,
  },
  {
    name: 'a customer balance is what the ledger has as customer credit',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, format('%s %s', coalesce(b.credit, 0), currency) AS stored,
        format('%s %s', coalesce(t.credit, 0), currency) AS derived
      FROM (SELECT * FROM customer_balances b WHERE ${ours('b')}) b FULL JOIN (
        SELECT account_id, customer_id, currency, -${ledgerBalance('customer_credit')} AS credit
        FROM ${LEDGER_ENTRIES} t WHERE 'customer_credit' IN (debit, credit)
        GROUP BY 1, 2, 3
      ) t USING (account_id, customer_id, currency)
      WHERE coalesce(b.credit, 0) <> coalesce(t.credit, 0)`,
  },
  {
    name: 'money without a home in the ledger is what the open receipts are',
    prefix: 'acc',
    sql: `SELECT account_id AS id, format('%s %s', coalesce(u.open, 0), currency) AS stored,
        format('%s %s', coalesce(t.open, 0), currency) AS derived
      FROM (
        SELECT u.account_id, u.currency, sum(u.amount - coalesce(r.amount, 0)
          - coalesce(p.amount, 0) - coalesce(v.amount, 0)) AS open
        FROM unmatched_receipts u LEFT JOIN (
          SELECT account_id, receipt_id, sum(amount - lost) AS amount FROM refunds r
          WHERE status = 'succeeded' AND receipt_id IS NOT NULL AND NOT ${IS_UNDONE}
            AND ${ours('r')} GROUP BY 1, 2
        ) r USING (account_id, receipt_id) LEFT JOIN (
          SELECT account_id, receipt_id, sum(received) AS amount
          FROM ${PAYMENTS_AS_RECEIVED} p
          WHERE receipt_id IS NOT NULL AND NOT is_reversed AND ${ours('p')} GROUP BY 1, 2
        ) p USING (account_id, receipt_id) LEFT JOIN (
          SELECT account_id, receipt_id, sum(amount - lost) AS amount FROM provider_reversals v
          WHERE receipt_id IS NOT NULL AND ${ours('v')} GROUP BY 1, 2
        ) v USING (account_id, receipt_id)
        WHERE ${ours('u')} GROUP BY 1, 2
      ) u FULL JOIN (
        SELECT account_id, currency, -${ledgerBalance('unmatched_receipts')} AS open FROM ${LEDGER_ENTRIES} t
        WHERE 'unmatched_receipts' IN (debit, credit)
        GROUP BY 1, 2
      ) t USING (account_id, currency)
      WHERE coalesce(u.open, 0) <> coalesce(t.open, 0)`,
  },
];
