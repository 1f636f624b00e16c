import { Injectable } from '@nestjs/common';
import { IdGenerator } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Event, EventType } from '../domain/event.js';

type Listener = (tx: Tx, event: Event) => void;

/**
 * The append-only log of what happened, written in the transaction of the fact. Modules to the
 * right may listen and add their own writes to that same transaction.
 */
@Injectable()
export class EventLog {
  private readonly listeners = new Map<EventType, Listener[]>();

  constructor(private readonly ids: IdGenerator) {}

  on(type: EventType, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  append(tx: Tx, events: readonly Event[]): void {
    if (events.length === 0) return;
    tx.write(
      insertOf(events.length),
      events.flatMap(({ accountId, type, document, data, occurredAt, actor }) => [
        accountId,
        this.ids.next(),
        type,
        document?.id ?? null,
        document?.sequence ?? null,
        JSON.stringify(data),
        occurredAt,
        actor.type,
        actor.id,
      ]),
    );
    for (const event of events) {
      for (const listener of this.listeners.get(event.type) ?? []) listener(tx, event);
    }
  }
}

const COLUMNS = [
  'account_id',
  'event_id',
  'type',
  'document_id',
  'sequence',
  'data',
  'occurred_at',
  'actor_type',
  'actor_id',
];

/** Plain rows: lists as parameters cost PostgreSQL more than all that is written of a payment. */
function insertOf(rows: number): string {
  const places = Array.from({ length: rows }, (_, row) =>
    COLUMNS.map((_, column) => `$${row * COLUMNS.length + column + 1}`).join(', '),
  );
  return `INSERT INTO events (${COLUMNS.join(', ')}) VALUES (${places.join('), (')})`;
}
