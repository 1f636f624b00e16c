import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { EVENT_COLUMNS, type EventColumns, type PastEvent, toPastEvent } from './past-event.js';

/** An event in a document's history. */
export type HistoryEvent = PastEvent & { sequence: number };

interface HistoryColumns extends EventColumns {
  /** @notNull In a document's history. */
  sequence: number;
}

const MOST_EVENTS = 5000;
const CLOCKS_DIFFER_MS = 60_000;

/** The least UUIDv7 of a moment: it begins with the milliseconds. */
function firstIdAt(ms: number): Uuid {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

@Injectable()
export class EventsQuery {
  constructor(private readonly database: Database) {}

  /**
   * The documents to which something happened since an instant, or some seconds before it. Null: too
   * much happened to tell them apart from all. Ids sort by time, so that this reads the new events only.
   */
  async documentsSince(accountId: Uuid, since: Date): Promise<Uuid[] | null> {
    const rows = await this.database.query<{ document_id: Uuid | null }>(
      `SELECT document_id FROM events WHERE account_id = $1 AND event_id >= $2
       ORDER BY event_id LIMIT $3`,
      [accountId, firstIdAt(since.getTime() - CLOCKS_DIFFER_MS), MOST_EVENTS],
    );
    if (rows.length === MOST_EVENTS) return null;
    return [...new Set(rows.flatMap((row) => row.document_id ?? []))];
  }

  /** Of these events, those that the database does not have. */
  async missing(events: readonly { accountId: Uuid; eventId: Uuid }[]): Promise<Set<Uuid>> {
    const rows = await this.database.query<{ event_id: Uuid }>(
      `SELECT f.event_id FROM unnest($1::uuid[], $2::uuid[]) AS f (account_id, event_id)
       WHERE NOT EXISTS (SELECT FROM events e
         WHERE e.account_id = f.account_id AND e.event_id = f.event_id)`,
      [events.map(({ accountId }) => accountId), events.map(({ eventId }) => eventId)],
    );
    return new Set(rows.map(({ event_id }) => event_id));
  }

  /** Everything that happened to a document, oldest first. */
  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<HistoryEvent[]> {
    const rows = await this.database.query<HistoryColumns>(
      `SELECT ${EVENT_COLUMNS} FROM events
       WHERE account_id = $1 AND document_id = $2 ORDER BY sequence`,
      [accountId, documentId],
    );
    return rows.map((row) => ({ ...toPastEvent(row), sequence: row.sequence }));
  }
}
