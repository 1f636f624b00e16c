import pg from 'pg';
import type { EventType } from '../../src/events/index.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { TestDatabase } from '../support/database.js';

/**
 * A transaction that stays open with an event in it, as an account has one of that type. Its id is of long ago: ids
 * do not tell the order of commits.
 * @returns what commits it
 */
export async function holdAnEvent(
  { url }: TestDatabase,
  accountId: Uuid,
  type: EventType,
): Promise<() => Promise<void>> {
  const slow = new pg.Client(url);
  await slow.connect();
  await slow.query('BEGIN');
  const { rowCount } = await slow.query(
    `INSERT INTO events (account_id, event_id, type, data, actor_type, actor_id, occurred_at)
     SELECT account_id, '01900000-0000-7000-8000-000000000001', type, data, actor_type, actor_id,
       occurred_at FROM events WHERE account_id = $1 AND type = $2 LIMIT 1`,
    [accountId, type],
  );
  if (rowCount !== 1) throw new Error('the account has no such event');
  return async () => {
    await slow.query('COMMIT');
    await slow.end();
  };
}
