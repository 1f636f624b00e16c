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
    tx.insert(
      'events',
      ...events.map(({ accountId, type, document, data, occurredAt, actor }) => ({
        account_id: accountId,
        event_id: this.ids.next(),
        type,
        document_id: document?.id ?? null,
        sequence: document?.sequence ?? null,
        data: JSON.stringify(data),
        occurred_at: occurredAt,
        actor_type: actor.type,
        actor_id: actor.id,
      })),
    );
    for (const event of events) {
      for (const listener of this.listeners.get(event.type) ?? []) listener(tx, event);
    }
  }
}
