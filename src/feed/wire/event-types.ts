import { BANK_EVENTS } from '../../bank/index.js';
import { PERIOD_EVENTS } from '../../books/index.js';
import { CUSTOMER_EVENTS, DOCUMENT_EVENTS, ITEM_EVENTS } from '../../documents/index.js';
import { REMINDER_EVENTS } from '../../dunning/index.js';
import type { EventDefinitions, EventType } from '../../events/index.js';
import { MESSAGE_EVENTS } from '../../mail/index.js';
import { GATEWAY_EVENTS, PAYMENT_EVENTS } from '../../payments/index.js';
import type { Scope } from '../../platform/http/access.js';
import { SCHEDULE_EVENTS } from '../../schedules/index.js';
import { ENDPOINT_EVENTS } from './endpoint-events.js';

/** The events of modules, and the scope that reads their objects. */
const READ_WITH: readonly [Scope, EventDefinitions][] = [
  ['documents:read', DOCUMENT_EVENTS],
  ['payments:read', PAYMENT_EVENTS],
  ['webhooks:manage', ENDPOINT_EVENTS],
  ['documents:read', CUSTOMER_EVENTS],
  ['documents:read', ITEM_EVENTS],
  ['payments:read', GATEWAY_EVENTS],
  ['payments:read', BANK_EVENTS],
  ['reports:read', PERIOD_EVENTS],
  ['documents:read', SCHEDULE_EVENTS],
  ['documents:read', MESSAGE_EVENTS],
  ['documents:read', REMINDER_EVENTS],
];

/** When each event is written, and what it says, by its public name. */
export const EVENTS: EventDefinitions = Object.assign(
  {},
  ...READ_WITH.map(([, events]) => events),
) as EventDefinitions;

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

const familyOf = (type: EventType) => `${type.split('.')[0]}.*`;

/** Words of a filter: types, and `document.*` for all of one subject. */
export const TYPES_TO_ASK_FOR: readonly string[] = [
  ...new Set([...EVENT_TYPES.map(familyOf), ...EVENT_TYPES]),
];

export const scopeOf = (type: string): Scope | undefined =>
  READ_WITH.find(([, events]) => type in events)?.[0];

/** The types of a filter. @param asked undefined: all */
export function typesAskedFor(asked: readonly string[] | undefined): readonly EventType[] {
  if (asked === undefined) return EVENT_TYPES;
  return EVENT_TYPES.filter((type) => asked.includes(type) || asked.includes(familyOf(type)));
}

/** That of one endpoint alone comes by no question. */
const OF_ONE: EventType = 'webhook_endpoint.test';

/** Types with what asks for them, and the scope that reads them: for a question in SQL. */
export const TYPES_BY_SCOPE = EVENT_TYPES.filter((type) => type !== OF_ONE).map((type) => ({
  type,
  family: familyOf(type),
  scope: scopeOf(type)!,
}));

/** Of a caller's scopes those that read objects of events. */
export const readScopesOf = (scopes: readonly string[]): string[] => [
  ...new Set(READ_WITH.map(([scope]) => scope as string).filter((scope) => scopes.includes(scope))),
];
