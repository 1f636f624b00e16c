import type { Database } from '../../src/platform/database/database.js';
import { Presence } from '../../src/feed/infrastructure/presence.js';
import type { TestDatabase } from '../support/database.js';

/** All endpoints are another process's, which sends nothing. @returns what ends it as a kill would */
export async function leasedByAnother(database: TestDatabase): Promise<() => Promise<void>> {
  const client = await database.connect();
  const other = new Presence({ connect: async () => client } as unknown as Database);
  await other.show();
  await database.query(
    `UPDATE webhook_queues SET leased_by = $1, leased_until = now() + interval '1 hour'`,
    [other.process],
  );
  return async () => client.end();
}
