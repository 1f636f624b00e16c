import type { Database } from '../../platform/database/database.js';

/** Entries of the audit log, by the names of their columns. One text serves any number of rows. */
export async function insertRefusals(database: Database, rows: readonly object[]): Promise<void> {
  await database.query(
    `INSERT INTO audit_entries (account_id, entry_id, action, subject, actor_type, address,
       request_id, occurrences, occurred_at)
     SELECT account_id, entry_id, action, subject, 'none', address, request_id, occurrences,
       occurred_at
     FROM jsonb_to_recordset($1) AS row (account_id uuid, entry_id uuid, action text, subject text,
       address inet, request_id text, occurrences integer, occurred_at timestamptz)`,
    [JSON.stringify(rows)],
  );
}
