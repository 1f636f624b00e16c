import { NO_ACCOUNT, UuidV7Generator } from '../../kernel/ids.js';
import { operator } from '../process-identity.js';
import { insertInto } from './sql-statement.js';

interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/**
 * Writes an operator's work on the whole database to the audit log. It is plain SQL, because the
 * module with that log stands on this one.
 */
export async function recordOperator(
  connection: Connection,
  action:
    | 'schema.migrated'
    | 'backup.begun'
    | 'cli.backup'
    | 'cli.restored'
    | 'cli.files.move'
    | 'cli.files.prune'
    | 'history.lost'
    | 'history.loss_accepted',
  after: object,
): Promise<void> {
  const { type, id } = operator();
  const row = {
    account_id: NO_ACCOUNT,
    entry_id: new UuidV7Generator().next(),
    action,
    actor_type: type,
    actor_id: id,
    after,
    occurred_at: new Date(),
  };
  const { text, values } = insertInto('audit_entries', [row]);
  await connection.query(text, values);
}
