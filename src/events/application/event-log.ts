import { Injectable } from '@nestjs/common';
import { IdGenerator } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Event } from '../domain/event.js';
import { FactListeners } from './fact-listeners.js';

/** The append-only log of what happened, written in the transaction in which it happens. */
@Injectable()
export class EventLog {
  constructor(
    private readonly ids: IdGenerator,
    private readonly facts: FactListeners,
  ) {}

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
    for (const event of events) this.facts.tell(tx, event);
  }
}
