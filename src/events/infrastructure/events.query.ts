import { Injectable } from '@nestjs/common';
import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
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

/** @table events */
interface EventColumns {
  event_id: Uuid;
  type: EventType;
  /** @notNull In a document's history. */
  sequence: number;
  data: EventData[EventType];
  occurred_at: Date;
  actor_type: Actor['type'] | null;
  actor_id: string | null;
}

@Injectable()
export class EventsQuery {
  constructor(private readonly database: Database) {}

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
