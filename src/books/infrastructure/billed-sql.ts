/**
 * The facts that bill a document, or take that back, on their days. Each has its amounts by rate in
 * the tax groups of the document. Of a few cents there may be revenue without tax, or tax without
 * revenue, so either tells. The first condition on `transfers` is the caller's.
 */
export const billed = (within: string) => `
  SELECT DISTINCT fact_id, effective_on AS day, currency,
    CASE WHEN fact IN ('document.issued', 'credit_note.voided') THEN 1 ELSE -1 END AS sign
  FROM transfers
  WHERE ${within} AND fact IN
      ('document.issued', 'document.voided', 'credit_note.issued', 'credit_note.voided')
    AND ARRAY['revenue', 'tax_payable'] && ARRAY[split_part(debit, '/', 1), split_part(credit, '/', 1)]`;

/** Base and tax by rate of what is billed between two days, less losses whose tax is claimed back. $1 is the account. */
export function billedAndRelieved(from: string, to: string): string {
  const within = `account_id = $1 AND effective_on BETWEEN ${from} AND ${to}`;
  return `
    SELECT b.fact_id AS document_id, b.currency, g.tax_category, g.tax_rate,
      b.sign * g.base AS base, b.sign * g.tax AS tax
    FROM (${billed(within)}) b
    JOIN document_tax_groups g ON g.account_id = $1 AND g.document_id = b.fact_id
    UNION ALL
    SELECT document_id, currency, tax_category, tax_rate, -base, -tax
    FROM tax_reliefs WHERE ${within}`;
}
