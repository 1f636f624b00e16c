import type { BANK_EVENTS } from '../bank/index.js';
import type { PERIOD_EVENTS } from '../books/index.js';
import type { CUSTOMER_EVENTS, DOCUMENT_EVENTS, ITEM_EVENTS } from '../documents/index.js';
import type { DataOf, OwnTables } from '../events/index.js';
import type { Actor } from '../kernel/actor.js';
import type { Uuid } from '../kernel/ids.js';
import type { MESSAGE_EVENTS } from '../mail/index.js';
import type { GATEWAY_EVENTS, PAYMENT_EVENTS } from '../payments/index.js';

/** The data of each event, by its type; docs/events.md shows them. */
export type EventDataByType = DataOf<typeof DOCUMENT_EVENTS> &
  DataOf<typeof CUSTOMER_EVENTS> &
  DataOf<typeof ITEM_EVENTS> &
  DataOf<typeof PAYMENT_EVENTS> &
  DataOf<typeof GATEWAY_EVENTS> &
  DataOf<typeof BANK_EVENTS> &
  DataOf<typeof PERIOD_EVENTS> &
  DataOf<typeof MESSAGE_EVENTS>;
export type EventName = keyof EventDataByType;

/**
 * An event of one type. Amounts in its data are in minor units of the currency beside them. Written
 * out: in one file of declarations the type of all events would have no field.
 */
export interface EventOf<Type extends EventName> {
  accountId: Uuid;
  type: Type;
  actor: Actor;
  /** The document it is about, and its place in that document's history. */
  document: { id: Uuid; sequence: number } | null;
  data: EventDataByType[Type];
  occurredAt: Date;
}

/**
 * Calls listeners in the transaction of what happened, before its commit. A class of its own, since
 * declarations in one file lose what modules add to a type.
 */
export abstract class Facts {
  /**
   * @param type another one than docs/events.md lists keeps the service from starting
   * @param listener called once for each event; it may refuse with a DomainError, and is not async
   */
  abstract on<Type extends EventName>(
    type: Type,
    listener: (tx: OwnTables, event: EventOf<Type>) => void,
  ): void;
}
