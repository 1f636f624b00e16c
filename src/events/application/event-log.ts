import { Injectable } from '@nestjs/common';
import type { By } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Event, EventData, EventType } from '../domain/event.js';
import { CommittedFacts } from './committed-facts.js';
import { FactListeners } from './fact-listeners.js';

/** The append-only log of what happened, written in the transaction in which it happens. */
@Injectable()
export class EventLog {
  private appendedAt = -Infinity;

  constructor(
    private readonly facts: FactListeners,
    private readonly committed: CommittedFacts,
  ) {}

  /** One that is in the history of no document. @returns its id */
  tell<Type extends EventType>(
    tx: Tx,
    { accountId, actor }: Pick<By, 'accountId' | 'actor'>,
    type: Type,
    data: EventData[Type],
  ): Uuid {
    const occurredAt = tx.now();
    const event = { accountId, actor, type, data, document: null, occurredAt } as Event;
    return this.append(tx, [event])[0]!;
  }

  /** Whether this process wrote one a moment ago: those who send events need not ask the database. */
  hasNewSince(ms: number): boolean {
    return performance.now() - this.appendedAt < ms;
  }

  /** @returns their ids */
  append(tx: Tx, events: readonly Event[]): Uuid[] {
    if (events.length === 0) return [];
    const ids = events.map(() => tx.newId());
    tx.insert(
      'events',
      ...events.map(({ accountId, type, document, data, occurredAt, actor }, index) => ({
        account_id: accountId,
        event_id: ids[index],
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
    tx.onCommit(() => this.committed.note(events, ids));
    this.appendedAt = performance.now();
    return ids;
  }
}
