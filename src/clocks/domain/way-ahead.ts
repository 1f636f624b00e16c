import { addDays, dateIn, startOfDay } from '../../kernel/clock.js';
import { ClockRefusal } from './clock-refusals.js';

const DAY_MS = 86_400_000;
export const MOST_DAYS = 366;
const MOST_YEARS_MS = 20 * MOST_DAYS * DAY_MS;

/** How far a clock is to go: to an instant, or so many days. */
export type Advance = { to: Date } | { days: number };

/**
 * The places on a clock's way at which something may be due: the beginning of each day, and its goal.
 * @param clock what the account's clock says, and the server's
 * @throws DomainError `test_clock_only_forward`, `test_clock_too_far`
 */
export function wayAhead(
  advance: Advance,
  clock: { own: Date; server: Date },
  timeZone: string,
): Date[] {
  const { own, server } = clock;
  const goal = 'to' in advance ? advance.to : new Date(own.getTime() + advance.days * DAY_MS);
  if (goal <= own) throw ClockRefusal.test_clock_only_forward.at('/to');
  const isFar = goal.getTime() - own.getTime() > MOST_DAYS * DAY_MS;
  if (isFar || goal.getTime() - server.getTime() > MOST_YEARS_MS) {
    throw ClockRefusal.test_clock_too_far.at('to' in advance ? '/to' : '/days');
  }
  const places: Date[] = [];
  let day = addDays(dateIn(timeZone, own), 1);
  for (let at = startOfDay(day, timeZone); at < goal; at = startOfDay(day, timeZone)) {
    places.push(at);
    day = addDays(day, 1);
  }
  return [...places, goal];
}
