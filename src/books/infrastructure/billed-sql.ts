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
