import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { LastNoted } from '../../platform/last-noted.js';
import type { Event } from '../domain/event.js';
import { EventsQuery } from '../infrastructure/events.query.js';

/** Half a minute of a busy process, and a few megabytes. */
const MOST = 20_000;

/** An event whose commit was answered: whoever called was told that it holds. */
export interface CommittedFact {
  accountId: Uuid;
  eventId: Uuid;
  type: string;
  documentId: Uuid | null;
  /** Of its document, where that has one. */
  number: string | null;
}

/** The last facts that this process was told are stored, oldest first: no server may have lost them. */
@Injectable()
export class CommittedFacts {
  private readonly facts = new LastNoted<CommittedFact>(MOST);

  constructor(private readonly events: EventsQuery) {}

  note(events: readonly Event[], ids: readonly Uuid[]): void {
    for (const [index, { accountId, type, document, data }] of events.entries()) {
      const eventId = ids[index];
      if (eventId === undefined) continue;
      const { document: shown } = data as { document?: { number?: string | null } };
      const [documentId, number] = [document?.id ?? null, shown?.number ?? null];
      this.facts.note({ accountId, eventId, type, documentId, number });
    }
  }

  get newest(): CommittedFact | undefined {
    return this.facts.newest;
  }

  last(): CommittedFact[] {
    return this.facts.last();
  }

  /** Those that the database lacks. */
  async lost(): Promise<CommittedFact[]> {
    const facts = this.last();
    const missing = await this.events.missing(facts);
    return facts.filter(({ eventId }) => missing.has(eventId));
  }

  /** They were told as lost, and are not told again. */
  forget(lost: readonly CommittedFact[]): void {
    const ids = new Set(lost.map(({ eventId }) => eventId));
    this.facts.forget(({ eventId }) => ids.has(eventId));
  }
}
