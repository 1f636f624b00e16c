import { expect, vi } from 'vitest';
import { ENDED_XACT } from '../../src/platform/database/ended-transactions.js';
import type { TestDatabase } from '../support/database.js';

/**
 * Until the feed has all that was committed: transactions of other tests, which share the server, hold
 * it up, too.
 */
export async function allIsShown(database: TestDatabase): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await database.query<{ isShown: boolean }>(
      `SELECT max(xact) < ${ENDED_XACT} AS "isShown" FROM events`,
    );
    expect(row).toEqual({ isShown: true });
  }, 60_000);
}
