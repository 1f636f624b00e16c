import type { Uuid } from './ids.js';

export const ACTOR_TYPES = ['client', 'portal', 'gateway', 'operator'] as const;

/**
 * The one who did it: an API client, the holder of a portal token, a gateway, the operator, or
 * time.
 */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number];
  /** Its public id or name; null where there is none. */
  id: string | null;
}

/** Nobody asked: it was time, or done on the machine itself. */
export const OPERATOR = { type: 'operator', id: null } as const satisfies Actor;

/** Which request it was, and where that came from. */
export interface RequestOrigin {
  requestId: string;
  /** An IP address; null where the connection had gone before anybody asked. */
  address: string | null;
}

/** In whose account something is done, by whom, and from where. */
export interface By {
  accountId: Uuid;
  actor: Actor;
  /** Null for what is done on the machine itself. */
  origin: RequestOrigin | null;
}

/** Work of an account that nobody asked for. */
export const byTime = (accountId: Uuid): By => ({ accountId, actor: OPERATOR, origin: null });
