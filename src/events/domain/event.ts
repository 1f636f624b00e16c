import type { Uuid } from '../../kernel/ids.js';

/** What can happen, by its public name. */
export type EventType =
  | 'document.created'
  | 'document.issued'
  | 'document.accepted'
  | 'document.rejected'
  | 'document.partially_paid'
  | 'document.paid'
  | 'document.overpaid'
  | 'document.voided'
  | 'payment.recorded'
  | 'payment.unmatched'
  | 'payment_link.created'
  | 'payment_link.paid'
  | 'payment_link.canceled';

/** A fact, with a snapshot of what it is about at the moment of the commit. */
export interface Event {
  accountId: Uuid;
  type: EventType;
  /** The document it is about, and the event's place in that document's history. */
  document: { id: Uuid; sequence: number } | null;
  data: object;
  occurredAt: Date;
}
