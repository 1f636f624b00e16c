import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Row } from '../../platform/database/row.js';
import type { EventData, EventType } from '../domain/event.js';

/** An event as it was written. */
export interface PastEvent {
  accountId: Uuid;
  id: Uuid;
  type: EventType;
  /** The document in whose history it is, and its place there. */
  documentId: Uuid | null;
  sequence: number | null;
  data: EventData[EventType];
  occurredAt: Date;
  actor: Actor | null;
  /** The transaction that wrote it. */
  xact: bigint;
}

export type EventColumns = Row<
  'events',
  { type: EventType; data: EventData[EventType]; actor_type: Actor['type'] }
>;

export const EVENT_COLUMNS = `account_id, event_id, type, document_id, sequence, data, occurred_at,
  actor_type, actor_id, xact`;

export function toPastEvent(row: EventColumns): PastEvent {
  return {
    accountId: row.account_id,
    id: row.event_id,
    type: row.type,
    documentId: row.document_id,
    sequence: row.sequence,
    data: row.data,
    occurredAt: row.occurred_at,
    actor: row.actor_type && { type: row.actor_type, id: row.actor_id },
    xact: row.xact,
  };
}
