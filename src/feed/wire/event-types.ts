import { DOCUMENT_EVENTS } from '../../documents/index.js';
import type { EventType } from '../../events/index.js';
import { PAYMENT_EVENTS } from '../../payments/index.js';
import type { Scope } from '../../platform/http/access.js';

/** The scope that reads the objects of events. */
const SCOPES = new Map<Scope, readonly string[]>([
  ['documents:read', Object.keys(DOCUMENT_EVENTS)],
  ['payments:read', Object.keys(PAYMENT_EVENTS)],
]);

export const EVENT_TYPES = [...SCOPES.values()].flat() as readonly EventType[];

const familyOf = (type: EventType) => `${type.split('.')[0]}.*`;

/** Words of a filter: types, and `document.*` for all of one subject. */
export const TYPES_TO_ASK_FOR: readonly string[] = [
  ...new Set([...EVENT_TYPES.map(familyOf), ...EVENT_TYPES]),
];

export const scopeOf = (type: string): Scope | undefined =>
  [...SCOPES].find(([, types]) => types.includes(type))?.[0];

/** The types of a filter. @param asked undefined: all */
export function typesAskedFor(asked: readonly string[] | undefined): readonly EventType[] {
  if (asked === undefined) return EVENT_TYPES;
  return EVENT_TYPES.filter((type) => asked.includes(type) || asked.includes(familyOf(type)));
}
