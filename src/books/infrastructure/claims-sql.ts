/** How a transfer `t` moves what customers owe, what they refused, and their credit. */
export const CLAIMS = {
  owed: `CASE 'receivables/' || t.currency
    WHEN t.debit THEN t.amount WHEN t.credit THEN -t.amount ELSE 0 END`,
  rejected: `CASE 'rejected_receivables/' || t.currency
    WHEN t.debit THEN t.amount WHEN t.credit THEN -t.amount ELSE 0 END`,
  credit: `CASE 'customer_credit/' || t.currency
    WHEN t.credit THEN t.amount WHEN t.debit THEN -t.amount ELSE 0 END`,
};

/** That it moves one of them. As patterns, which the planner knows to be most of the transfers. */
export const IS_OF_CLAIMS = `(
  t.debit LIKE ANY ('{receivables/%,rejected_receivables/%,customer_credit/%}')
  OR t.credit LIKE ANY ('{receivables/%,rejected_receivables/%,customer_credit/%}'))`;
