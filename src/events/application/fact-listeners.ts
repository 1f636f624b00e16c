import { Injectable } from '@nestjs/common';
import { Listeners } from '../../platform/database/listeners.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Event, EventType } from '../domain/event.js';
import { OwnTables } from './own-tables.js';

/**
 * For extensions: they add rows of their own to the transaction in which something happens. A
 * listener that throws takes back all of it. Work that takes time follows the events instead.
 */
@Injectable()
export class FactListeners {
  private readonly known = new Set<string>();
  private readonly listeners = new Map<string, Listeners<Event>>();

  /** A module tells the types of the events that it writes. */
  define(types: readonly string[]): void {
    for (const type of types) this.known.add(type);
  }

  /**
   * @param type as docs/events.md lists them; another one keeps the service from starting
   * @param listener called once for each event, before the commit; it may refuse with a DomainError
   */
  on(type: EventType, listener: (tx: OwnTables, event: Event) => void): void {
    const listeners = this.listeners.get(type) ?? new Listeners<Event>();
    this.listeners.set(type, listeners);
    listeners.add((tx, event) => listener(new OwnTables(tx), event));
  }

  tell(tx: Tx, event: Event): void {
    this.listeners.get(event.type)?.tell(tx, event);
  }

  /** Types that a listener waits for, and no event has. */
  unknown(): string[] {
    return [...this.listeners.keys()].filter((type) => !this.known.has(type));
  }
}
