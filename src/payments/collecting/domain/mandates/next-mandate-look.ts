import { isOver, type Mandate } from './mandate.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than a page lives where a mandate is given. */
const MOST_PENDING_MS = 30 * DAY_MS;
/** A bank may take an end back for that long. */
const MOST_OVER_MS = 30 * DAY_MS;

/**
 * When the provider is to be asked next how a mandate stands, if no event tells before. One that is
 * asked for: after as long again as it waits; one that is active: once a day.
 */
export function nextMandateLook(mandate: Mandate, now: Date, firstSeconds: number): Date | null {
  const { status, createdAt, endedAt } = mandate;
  const waited = now.getTime() - createdAt.getTime();
  if (status === 'pending' && waited > MOST_PENDING_MS) return null;
  if (isOver(mandate) && now.getTime() - (endedAt ?? now).getTime() > MOST_OVER_MS) return null;
  const wait = status === 'pending' ? Math.min(waited, 6 * HOUR_MS) : DAY_MS;
  return new Date(now.getTime() + Math.max(wait, firstSeconds * 1000));
}
