import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';

/**
 * The data of each type of event, by its public name. A module adds those that it writes, as the
 * schemas of its `application/*-events.ts` define them; docs/events.md lists all.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface EventData {}

/** The types of events, by their public names. */
export type EventType = keyof EventData;

/** An event, with a snapshot of its subject at the moment of the commit. */
export type Event = {
  [Type in EventType]: {
    accountId: Uuid;
    type: Type;
    actor: Actor;
    /** The document it is about, and the event's place in that document's history. */
    document: { id: Uuid; sequence: number } | null;
    data: EventData[Type];
    occurredAt: Date;
  };
}[EventType];
