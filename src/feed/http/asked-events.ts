import type { EventType, FeedFilter, PastEvent } from '../../events/index.js';
import { insufficientScope } from '../../platform/http/access.js';
import type { ApiRequest, Caller } from '../../platform/http/request.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { type ListEventsQuery, presentEvent } from '../wire/event.js';
import { scopeOf, typesAskedFor } from '../wire/event-types.js';

type Asked = Partial<
  Pick<ListEventsQuery, 'types' | 'document' | 'customer' | 'payment' | 'from' | 'to'>
>;

/** @throws HttpProblem 403 for a type that is named and not for the caller */
export function eventFilter(query: Asked, caller: Caller): FeedFilter {
  const asked = typesAskedFor(query.types);
  // It is no empty list.
  if (query.types) assertReads(caller, asked);
  return {
    types: asked.filter((type) => reads(caller, type)),
    documentId: idIn('doc', query.document),
    document: query.document,
    customer: query.customer,
    payment: query.payment,
    from: instantIn(query.from),
    to: instantIn(query.to),
  };
}

const reads = ({ scopes }: Caller, type: string) => {
  const scope = scopeOf(type);
  return scope !== undefined && scopes.includes(scope);
};

/** @throws HttpProblem 403 with the scope that it lacks */
export function assertReads(caller: Caller, types: readonly EventType[]): void {
  for (const type of types) {
    const scope = scopeOf(type);
    if (scope && !caller.scopes.includes(scope)) throw insufficientScope(scope, `Reading ${type}`);
  }
}

export const shownTo = (caller: Caller) => (event: PastEvent) =>
  presentEvent(event, caller.scopes.includes('documents:read'));

/** Nobody waits for a client that has hung up. */
export function goneOf(request: ApiRequest): AbortSignal {
  const controller = new AbortController();
  request.res?.once('close', () => controller.abort());
  return controller.signal;
}
