/** SQL: documents of a customer. $1 the account, $2 the customer. */
export const DOCUMENTS = `SELECT document_id FROM documents WHERE account_id = $1 AND customer_id = $2`;

/** SQL: whether a payment `p` of the account is of the customer. */
export const PAID_BY_CUSTOMER = `(p.document_id IS NULL AND p.customer_id = $2
  OR p.document_id IN (${DOCUMENTS}))`;
