import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';

/** What can happen, by its public name. */
export type EventType =
  | 'document.created'
  | 'document.updated'
  | 'document.deleted'
  | 'document.issued'
  | 'document.accepted'
  | 'document.rejected'
  | 'document.converted'
  | 'document.conversion_undone'
  | 'document.partially_paid'
  | 'document.paid'
  | 'document.overpaid'
  | 'document.reopened'
  | 'document.credited'
  | 'document.credit_reversed'
  | 'document.written_off'
  | 'document.voided'
  | 'credit_note.created'
  | 'credit_note.updated'
  | 'credit_note.deleted'
  | 'credit_note.issued'
  | 'credit_note.voided'
  | 'payment.recorded'
  | 'payment.moved'
  | 'payment.reversed'
  | 'payment.refunded'
  | 'payment.unmatched'
  | 'refund.failed'
  | 'payment_link.created'
  | 'payment_link.paid'
  | 'payment_link.canceled';

/** A fact, with a snapshot of what it is about at the moment of the commit. */
export interface Event {
  accountId: Uuid;
  type: EventType;
  actor: Actor;
  /** The document it is about, and the event's place in that document's history. */
  document: { id: Uuid; sequence: number } | null;
  data: object;
  occurredAt: Date;
}
