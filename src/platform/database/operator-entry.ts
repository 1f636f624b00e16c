import { NO_ACCOUNT, UuidV7Generator } from '../../kernel/ids.js';
import { operator } from '../process-identity.js';

interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/**
 * Writes an operator's work on the whole database to the audit log. It is plain SQL, because the
 * module with that log stands on this one.
 */
export async function recordOperator(
  connection: Connection,
  action: 'schema.migrated' | 'cli.backup',
  after: object,
): Promise<void> {
  const { type, id } = operator();
  await connection.query(
    `INSERT INTO audit_entries
       (account_id, entry_id, action, actor_type, actor_id, after, occurred_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [NO_ACCOUNT, new UuidV7Generator().next(), action, type, id, after],
  );
}
