import { Injectable } from '@nestjs/common';
import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { EventData, EventType } from '../domain/event.js';

/** An event as it was written. */
export interface PastEvent {
  id: Uuid;
  type: EventType;
  sequence: number;
  data: EventData[EventType];
  occurredAt: Date;
  actor: Actor | null;
}

interface EventColumns extends Omit<
  Row<'events', { type: EventType; data: EventData[EventType]; actor_type: Actor['type'] }>,
  'account_id' | 'document_id' | 'xact'
> {
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

  /** Everything that happened to a document, oldest first. */
  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<PastEvent[]> {
    const rows = await this.database.query<EventColumns>(
      `SELECT event_id, type, sequence, data, occurred_at, actor_type, actor_id FROM events
       WHERE account_id = $1 AND document_id = $2 ORDER BY sequence`,
      [accountId, documentId],
    );
    return rows.map((row) => ({
      id: row.event_id,
      type: row.type,
      sequence: row.sequence,
      data: row.data,
      occurredAt: row.occurred_at,
      actor: row.actor_type && { type: row.actor_type, id: row.actor_id },
    }));
  }
}
