import { LOST, taxPartsOf } from '../../../documents/sql.js';
import { type IntegrityCheck, ours } from './integrity-check.js';

/** The taxes that credit notes left of documents whose losses are relieved of tax. */
const TAXES_LEFT = `
  SELECT d.account_id, d.document_id, g.tax_category, g.tax_rate, g.base - coalesce(n.base, 0) AS base,
    g.tax - coalesce(n.tax, 0) AS tax, ${LOST} AS part, d.total - d.credit_notes_total AS whole
  FROM documents d JOIN document_tax_groups g USING (account_id, document_id)
  LEFT JOIN LATERAL (
    SELECT sum(c.base) AS base, sum(c.tax) AS tax
    FROM documents o JOIN document_tax_groups c USING (account_id, document_id)
    WHERE o.account_id = d.account_id AND o.origin_document_id = d.document_id
      AND o.origin = 'credit' AND o.lifecycle = 'open'
      AND (c.tax_category, c.tax_rate) = (g.tax_category, g.tax_rate)
  ) n ON true
  WHERE ${ours('d')} AND d.tax_relief IS NOT NULL`;

const SHOWN = (side: 't' | 'r') =>
  `format('%s %s: %s on %s', tax_category, tax_rate, coalesce(${side}.tax, 0), coalesce(${side}.base, 0))`;

/**
 * Shortfalls that went with payments of documents with cash discounts, without those that credit
 * notes touched: their discount was of what was left then.
 */
const SHORTFALLS = `
  SELECT d.document_id, t.amount, EXISTS (
      SELECT FROM jsonb_array_elements(d.cash_discounts) c
      WHERE coalesce(u.paid_at, p.paid_at) < (c->>'lapses_at')::timestamptz
        AND t.amount <= round(d.total * (c->>'percent')::numeric / 100)) AS is_agreed,
    EXISTS (SELECT FROM tax_reliefs r WHERE r.account_id = t.account_id
      AND r.document_id = t.document_id AND r.xact = t.xact) AS is_relieved,
    EXISTS (SELECT FROM tax_reliefs r WHERE r.account_id = t.account_id
      AND r.document_id = t.document_id AND r.xact < t.xact) AS was_relieved
  FROM transfers t
  JOIN payments p ON p.account_id = t.account_id AND p.payment_id = t.fact_id
  JOIN documents d ON d.account_id = t.account_id AND d.document_id = t.document_id
  LEFT JOIN unmatched_receipts u ON u.account_id = p.account_id AND u.receipt_id = p.receipt_id
  WHERE ${ours('t')} AND t.fact = 'payment.recorded' AND t.debit LIKE 'payment_differences/%'
    AND d.cash_discounts IS NOT NULL AND NOT EXISTS (
      SELECT FROM documents n WHERE n.account_id = d.account_id
        AND n.origin_document_id = d.document_id AND n.origin = 'credit')`;

/** The tax that is claimed back of losses: with the losses, and with the ledger. */
export const TAX_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'the tax that is claimed back of a loss is the tax in what was let go',
    prefix: 'doc',
    sql: `SELECT document_id AS id, ${SHOWN('r')} AS stored, ${SHOWN('t')} AS derived
      FROM (
        ${taxPartsOf(TAXES_LEFT, 'account_id, document_id')}
      ) t FULL JOIN (
        SELECT account_id, document_id, tax_category, tax_rate, sum(base) AS base, sum(tax) AS tax
        FROM tax_reliefs r WHERE ${ours('r')} GROUP BY 1, 2, 3, 4
      ) r USING (account_id, document_id, tax_category, tax_rate)
      WHERE (coalesce(t.base, 0), coalesce(t.tax, 0)) <> (coalesce(r.base, 0), coalesce(r.tax, 0))`,
  },
  {
    name: 'the taxes that a document keeps for its relief are those that credit notes left',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.tax_relief::text AS stored, t.taxes::text AS derived
      FROM documents d JOIN (
        SELECT account_id, document_id, jsonb_agg(jsonb_build_object('category', tax_category,
          'rate', trim_scale(tax_rate)::text, 'base', base::text, 'tax', tax::text)
          ORDER BY tax_rate DESC, tax_category) AS taxes
        FROM (${TAXES_LEFT}) t GROUP BY 1, 2
      ) t USING (account_id, document_id)
      WHERE d.tax_relief <> t.taxes`,
  },
  {
    name: 'the tax of a shortfall is claimed with its payment where a cash discount let it pass',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('%s, claimed: %s', amount, is_relieved) AS stored,
        format('%s, claimed: %s', amount, is_agreed) AS derived
      FROM (${SHORTFALLS}) s WHERE is_agreed <> is_relieved AND NOT was_relieved`,
  },
  {
    name: 'a tax relief is of the day, the loss, the document and the currency of its transfers',
    prefix: 'trel',
    sql: `SELECT r.relief_id AS id,
        format('%s, %s, %s, document %s', r.effective_on, r.loss, r.currency, r.document_id) AS stored,
        format('%s, %s, %s, document %s', t.effective_on, t.loss, t.currency, t.document_id) AS derived
      FROM tax_reliefs r JOIN (
        SELECT *, CASE WHEN 'bad_debt' IN (split_part(debit, '/', 1), split_part(credit, '/', 1))
          THEN 'write_off' ELSE 'waiver' END AS loss FROM transfers
      ) t ON t.account_id = r.account_id
        AND t.fact = 'document.tax_relieved' AND t.fact_id = r.relief_id
      WHERE ${ours('r')}
        AND (r.effective_on, r.recorded_at, r.currency, r.document_id, r.loss)
        IS DISTINCT FROM (t.effective_on, t.recorded_at, t.currency, t.document_id, t.loss)`,
  },
];
