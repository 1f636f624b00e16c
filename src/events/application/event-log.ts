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
      `INSERT INTO events (account_id, event_id, type, document_id, sequence, data, occurred_at,
         actor_type, actor_id)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[],
         $6::jsonb[], $7::timestamptz[], $8::text[], $9::text[])`,
      [
        events.map((event) => event.accountId),
        events.map(() => this.ids.next()),
        events.map((event) => event.type),
        events.map((event) => event.document?.id ?? null),
        events.map((event) => event.document?.sequence ?? null),
        events.map((event) => JSON.stringify(event.data)),
        events.map((event) => event.occurredAt),
        events.map((event) => event.actor.type),
        events.map((event) => event.actor.id),
      ],
    );
    for (const event of events) {
      for (const listener of this.listeners.get(event.type) ?? []) listener(tx, event);
    }
  }
}
