import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Event } from '../domain/event.js';

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
  private facts: CommittedFact[] = [];

  note(events: readonly Event[], ids: readonly Uuid[]): void {
    for (const [index, { accountId, type, document, data }] of events.entries()) {
      const eventId = ids[index];
      if (eventId === undefined) continue;
      const { document: shown } = data as { document?: { number?: string | null } };
      const [documentId, number] = [document?.id ?? null, shown?.number ?? null];
      this.facts.push({ accountId, eventId, type, documentId, number });
    }
    // Seldom, since it copies them.
    if (this.facts.length > 2 * MOST) this.facts = this.last();
  }

  get newest(): CommittedFact | undefined {
    return this.facts.at(-1);
  }

  last(): CommittedFact[] {
    return this.facts.slice(-MOST);
  }

  /** They were told as lost, and are not told again. */
  forget(lost: ReadonlySet<Uuid>): void {
    this.facts = this.facts.filter(({ eventId }) => !lost.has(eventId));
  }
}
