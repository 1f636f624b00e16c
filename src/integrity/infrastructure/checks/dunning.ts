import { type IntegrityCheck, ours } from './integrity-check.js';

/** Reminders: how far each document is follows from its letters, and charges are billed to who owes them. */
export const DUNNING_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'a document is as far as the letters that stand',
    prefix: 'doc',
    sql: `SELECT s.document_id AS id, s.level::text AS stored, coalesce(last.level, 0)::text AS derived
      FROM dunning_states s LEFT JOIN (
        SELECT account_id, document_id, max(level) AS level FROM reminder_documents
        WHERE NOT withdrawn GROUP BY account_id, document_id
      ) last USING (account_id, document_id)
      WHERE ${ours('s')} AND s.level <> coalesce(last.level, 0)`,
  },
  {
    name: 'what a letter asked for beside the debt is billed to its customer, in its currency',
    prefix: 'rem',
    sql: `SELECT r.reminder_id AS id, d.customer_id || ' ' || d.currency AS stored,
        r.customer_id || ' ' || r.currency AS derived
      FROM dunning_charges c JOIN reminders r USING (account_id, reminder_id)
        JOIN documents d ON d.account_id = c.account_id AND d.document_id = c.billed_by
      WHERE ${ours('c')} AND (d.customer_id, d.currency) <> (r.customer_id, r.currency)`,
  },
];
