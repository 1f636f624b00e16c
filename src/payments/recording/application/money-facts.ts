import { Injectable } from '@nestjs/common';
import { type LedgerEntry, LedgerRepository } from '../../../books/index.js';
import { type Document, DocumentWriter, type LeadingEvent } from '../../../documents/index.js';
import { type Event, EventLog } from '../../../events/index.js';
import type { Actor } from '../../../kernel/actor.js';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';

/** A step in the history of a document that a fact of money touches. */
interface HistoryStep {
  document: Document;
  events: LeadingEvent[];
  /** As `DocumentWriter.save` has them. */
  effective?: IsoDate | Date | null | undefined;
  movedOn?: IsoDate | Date | undefined;
}

/** How a fact is told: in the history of documents, and by itself where none has it. */
interface Telling {
  actor: Actor;
  steps?: readonly HistoryStep[];
  alone?: LeadingEvent | null;
}

/** Facts of money: in the ledger, in the histories of documents, and among the events. */
@Injectable()
export class MoneyFacts {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly documents: DocumentWriter,
    private readonly events: EventLog,
  ) {}

  write(tx: Tx, entry: LedgerEntry, telling?: Telling): void {
    this.ledger.insert(tx, entry);
    if (telling) this.tell(tx, entry, telling);
  }

  tell(
    tx: Tx,
    { accountId, recordedAt: occurredAt }: { accountId: Uuid; recordedAt: Date },
    { actor, steps = [], alone }: Telling,
  ): void {
    for (const { document, events, effective, movedOn } of steps) {
      this.documents.save(tx, document, actor, events, effective, movedOn);
    }
    if (!alone) return;
    this.events.append(tx, [{ ...alone, accountId, actor, document: null, occurredAt } as Event]);
  }
}
