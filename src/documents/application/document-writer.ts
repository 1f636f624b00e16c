import { Injectable } from '@nestjs/common';
import { type Event, type EventData, EventLog, type EventType } from '../../events/index.js';
import type { Actor } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Listeners } from '../../platform/database/listeners.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Document } from '../domain/document.js';
import type { DocumentEventType, DocumentFact } from '../domain/document-fact.js';
import type { DocumentContent } from '../domain/document-view.js';
import type { DocumentStatus } from '../domain/lifecycle.js';
import type { ReliefChange } from '../domain/tax-relief.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';
import type { DocumentSnapshot } from '../wire/document-events.js';

/** An event that led to a change, or tells of none, such as `payment.recorded`. */
export type LeadingEvent = {
  [Type in EventType]: {
    type: Type;
    data: Omit<EventData[Type], 'document' | 'previous_status'>;
    /** The status before, where time has changed it already. */
    from?: DocumentStatus;
  };
}[EventType];

/** A fact that is being written, with the document as it is now. */
export interface WrittenDocumentFact {
  document: Document;
  fact: DocumentFact;
  at: Date;
  /** The day for which the step counts, or the instant. */
  effective: IsoDate | Date;
}

/** A document whose status is another one than before, whatever step led there. */
export interface WrittenStatus {
  document: Document;
  at: Date;
}

/** Taxes that are claimed back of a loss, or owed again. */
export interface WrittenTaxRelief {
  document: Document;
  changes: readonly ReliefChange[];
  /** The day it counts for, or the instant. */
  effective: IsoDate | Date;
  at: Date;
}

/**
 * Writes a document together with what happened to it. Its row must be locked, or new (decision 4).
 */
@Injectable()
export class DocumentWriter {
  private readonly listeners = new Map<DocumentEventType, Listeners<WrittenDocumentFact>>();
  private readonly statuses = new Listeners<WrittenStatus>();
  private readonly reliefs = new Listeners<WrittenTaxRelief>();

  constructor(
    private readonly repository: DocumentRepository,
    private readonly events: EventLog,
  ) {}

  /** Modules to the right may add their own writes to the transaction in which it happens. */
  on(type: DocumentEventType, listener: (tx: Tx, happened: WrittenDocumentFact) => void): void {
    const listeners = this.listeners.get(type) ?? new Listeners();
    this.listeners.set(type, listeners);
    listeners.add(listener);
  }

  /** The same of every change of status: refunds and moved credit make one without a fact. */
  onStatus(listener: (tx: Tx, changed: WrittenStatus) => void): void {
    this.statuses.add(listener);
  }

  /** The same of the tax of losses, whatever step changes it. */
  onTaxRelief(listener: (tx: Tx, relief: WrittenTaxRelief) => void): void {
    this.reliefs.add(listener);
  }

  insert(tx: Tx, document: Document, content: DocumentContent, actor: Actor): void {
    this.tell(tx, document, actor, () => this.repository.insert(tx, document, content));
  }

  /** A draft that was edited or issued. */
  saveDraft(tx: Tx, document: Document, content: DocumentContent, actor: Actor): void {
    this.tell(tx, document, actor, () => this.repository.updateDraft(tx, document, content));
  }

  /**
   * State and sums; nothing is written where nothing happened.
   * @param effective the day for which the step counts, if that is not now
   * @param movedOn the day for which credit of its notes moved, if that is another one
   */
  save(
    tx: Tx,
    document: Document,
    actor: Actor,
    first: LeadingEvent[] = [],
    effective: IsoDate | Date | null = null,
    movedOn: IsoDate | Date | null = effective,
  ): void {
    const write = () => {
      if (document.hasMoved) this.repository.updateLifecycle(tx, document);
      else this.repository.updateSums(tx, document);
    };
    this.tell(tx, document, actor, write, first, effective);
    for (const note of document.noted?.takeMoved() ?? []) {
      this.tell(tx, note, actor, () => this.repository.updateSums(tx, note), [], movedOn);
    }
    const changes = document.taxRelief.takeChanges();
    if (changes.length === 0) return;
    const at = tx.now();
    this.reliefs.tell(tx, { document, changes, effective: effective ?? at, at });
  }

  saveLabels(tx: Tx, document: Document, metadata: Record<string, string>, actor: Actor): void {
    this.tell(tx, document, actor, () => this.repository.updateLabels(tx, document, metadata));
  }

  delete(tx: Tx, document: Document, actor: Actor): void {
    this.tell(tx, document, actor, () => this.repository.delete(tx, document));
  }

  /** @param write the row itself, with its last place in the history */
  private tell(
    tx: Tx,
    document: Document,
    actor: Actor,
    write: () => void,
    first: LeadingEvent[] = [],
    effective: IsoDate | Date | null = null,
  ): void {
    const { accountId, id } = document.state;
    const at = tx.now();
    const shown = snapshot(document);
    const led = first.map((one) => ({
      ...one,
      sequence: document.nextSequence(),
      shown: { document: shown, previous_status: one.from ?? document.previousStatus },
    }));
    const facts = document.takeFacts();
    const happened = facts.map(({ type, sequence, data, from, to, version }) => ({
      type,
      data,
      sequence,
      shown: { document: { ...shown, status: to, version }, previous_status: from },
    }));
    const events = [...led, ...happened].map(
      ({ type, data, sequence, shown }) =>
        ({
          accountId,
          type,
          actor,
          document: { id, sequence },
          data: { ...shown, ...data },
          occurredAt: at,
        }) as Event,
    );
    if (events.length === 0) return;
    write();
    this.events.append(tx, events);
    for (const fact of facts) {
      this.listeners.get(fact.type)?.tell(tx, { document, fact, at, effective: effective ?? at });
    }
    if (document.status !== document.previousStatus) this.statuses.tell(tx, { document, at });
  }
}

function snapshot(document: Document): DocumentSnapshot {
  const { state } = document;
  const { origin } = state;
  return {
    id: publicId('doc', state.id),
    kind: state.kind,
    number: state.number,
    status: document.status,
    currency: state.currency,
    customer_id: publicId('cus', state.customerId),
    total: state.total.toMinorNumber(),
    amount_paid: state.amountPaid.toMinorNumber(),
    amount_due: document.amountDue.toMinorNumber(),
    version: state.version,
    ...(state.amountRefunded.isPositive() && {
      amount_refunded: state.amountRefunded.toMinorNumber(),
      refund_status: document.refunded.status,
      amount_undecided: document.refunded.undecided.toMinorNumber(),
    }),
    ...(state.amountWaived.isPositive() && { amount_waived: state.amountWaived.toMinorNumber() }),
    ...(state.amountProcessing.isPositive() && {
      amount_processing: state.amountProcessing.toMinorNumber(),
    }),
    ...(state.creditNotesTotal.isPositive() && {
      amount_credited: state.amountCredited.toMinorNumber(),
      amount_creditable: document.amountCreditable.toMinorNumber(),
    }),
    ...(state.kind === 'credit_note' && {
      amount_applied: state.amountApplied.toMinorNumber(),
      customer_credit: state.total.minus(state.amountApplied).toMinorNumber(),
    }),
    ...(origin && {
      origin: { relation: origin.relation, id: publicId('doc', origin.documentId) },
    }),
    ...(state.rejection && { rejection_reason: state.rejection.reason }),
  };
}
