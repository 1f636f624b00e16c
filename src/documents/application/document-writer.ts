import { Injectable } from '@nestjs/common';
import { type Event, EventLog, type EventType } from '../../events/index.js';
import type { Actor } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Document } from '../domain/document.js';
import type { DocumentContent } from '../domain/document-view.js';
import { DocumentRepository } from '../infrastructure/document.repository.js';

/** An event of another module that led to a change, such as `payment.recorded`. */
export interface LeadingEvent {
  type: EventType;
  data: object;
}

/** Writes a document together with what happened to it. Its row must be locked, or new. */
@Injectable()
export class DocumentWriter {
  constructor(
    private readonly repository: DocumentRepository,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  insert(tx: Tx, document: Document, content: DocumentContent, actor: Actor): void {
    const events = this.eventsOf(document, actor);
    this.repository.insert(tx, document, content);
    this.events.append(tx, events);
  }

  /** A draft that was edited or issued. */
  saveDraft(tx: Tx, document: Document, content: DocumentContent, actor: Actor): void {
    const events = this.eventsOf(document, actor);
    this.repository.updateDraft(tx, document, content);
    this.events.append(tx, events);
  }

  /** State and sums; nothing is written where nothing happened. */
  save(tx: Tx, document: Document, actor: Actor, first: LeadingEvent[] = []): void {
    const events = this.eventsOf(document, actor, first);
    if (events.length === 0) return;
    if (document.hasMoved) this.repository.updateLifecycle(tx, document);
    else this.repository.updateSums(tx, document);
    this.events.append(tx, events);
  }

  saveMetadata(tx: Tx, document: Document, metadata: Record<string, string>, actor: Actor): void {
    const events = this.eventsOf(document, actor);
    this.repository.updateMetadata(tx, document, metadata);
    this.events.append(tx, events);
  }

  delete(tx: Tx, document: Document, actor: Actor): void {
    this.events.append(tx, this.eventsOf(document, actor));
    this.repository.delete(tx, document);
  }

  private eventsOf(document: Document, actor: Actor, first: LeadingEvent[] = []): Event[] {
    const { accountId, id } = document.state;
    const occurredAt = this.clock.now();
    const shown = snapshot(document);
    const led = first.map(({ type, data }) => ({ type, sequence: document.nextSequence(), data }));
    const facts = document.takeFacts();
    const from = document.previousStatus;
    return [
      ...led.map((one) => ({
        ...one,
        data: { document: shown, previous_status: from, ...one.data },
      })),
      ...facts.map(({ type, sequence, to, version, ...fact }) => ({
        type,
        sequence,
        data: {
          document: { ...shown, status: to, version },
          previous_status: fact.from,
          ...fact.data,
        },
      })),
    ].map(({ type, sequence, data }) => ({
      accountId,
      type,
      actor,
      document: { id, sequence },
      data,
      occurredAt,
    }));
  }
}

/** What an event says of a document: enough to act on, nothing that may be looked up. */
function snapshot(document: Document) {
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
    }),
    ...(state.amountWaived.isPositive() && { amount_waived: state.amountWaived.toMinorNumber() }),
    ...(state.creditNotesTotal.isPositive() && {
      amount_credited: state.amountCredited.toMinorNumber(),
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
