import { expect } from 'vitest';
import type { TestDatabase } from './database.js';
import { EVENTS } from '../../src/feed/wire/event-types.js';

type Written = { type: string; data: unknown };

/** Every event that was written is as docs/events.md says; of a kind many say the same. */
export async function expectEventsAsDefined(database: TestDatabase): Promise<void> {
  const written = await database.query<Written>('SELECT type, data FROM events');
  for (const { type, data } of written) {
    // Events that tests write themselves, to tamper with books, have no type of ours.
    const parsed = EVENTS[type]?.data.safeParse(data);
    if (!parsed) continue;
    if (!parsed.success) expect.fail(`${type}: ${parsed.error.message}`);
    // Fields that nobody defined are left out of what was parsed.
    expect({ type, data: parsed.data }).toEqual({ type, data });
  }
}
