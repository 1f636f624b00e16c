import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';

/** It waits for no lock: a client that is being changed is written a minute later. */
export async function writeApiClientUse(
  database: Database,
  seen: ReadonlyMap<Uuid, Date>,
): Promise<void> {
  await database.query(
    `WITH free AS (SELECT client_id FROM api_clients WHERE client_id = ANY ($1)
       FOR NO KEY UPDATE SKIP LOCKED)
     UPDATE api_clients c SET last_used_at = greatest(c.last_used_at, seen.at)
     FROM free JOIN unnest($1::uuid[], $2::timestamptz[]) AS seen (client_id, at)
       USING (client_id) WHERE c.client_id = free.client_id`,
    [[...seen.keys()], [...seen.values()]],
  );
}
