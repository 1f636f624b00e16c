import { addDays, type IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { BooksRefusal } from './refusals.js';

/** A month of the books, `2026-10`. */
export type Month = string;

export const PERIOD_STATUSES = ['open', 'closing', 'closed'] as const;

export const CLOSING_ACTIONS = ['closed', 'reopened'] as const;

export interface BooksPeriod {
  month: Month;
  from: IsoDate;
  to: IsoDate;
  /** `closing`: no new fact gets in, and some that were under way may not have ended yet. */
  status: (typeof PERIOD_STATUSES)[number];
  closedAt: Date | null;
}

/** A decision that stands in the books. */
export interface PeriodClosing {
  action: (typeof CLOSING_ACTIONS)[number];
  openFrom: IsoDate;
  decidedAt: Date;
  /** The chart that the closed months keep; null: not known, or of a reopening. */
  chartVersion: number | null;
}

/** The state of an account's books: where they begin, and where they are open. */
export interface BooksOpen {
  booksFrom: IsoDate;
  openFrom: IsoDate;
  today: IsoDate;
  /** In the order in which they were decided. */
  closings: readonly PeriodClosing[];
}

const monthOf = (day: IsoDate): Month => day.slice(0, 7);
export const firstDayOf = (month: Month): IsoDate => `${month}-01`;

/** Four days after the 28th it is the next month, whatever the month. */
export const firstDayAfter = (month: Month): IsoDate =>
  firstDayOf(monthOf(addDays(`${month}-28`, 4)));

/** Both belong to it. */
export interface Days {
  from: IsoDate;
  to: IsoDate;
}

/** Some days, parted where a month ends. */
export function monthsOf({ from, to }: Days): Days[] {
  const months: Days[] = [];
  for (let [first, next] = [from, from]; first <= to; first = next) {
    next = firstDayAfter(monthOf(first));
    months.push({ from: first, to: next <= to ? addDays(next, -1) : to });
  }
  return months;
}

/** From the month of today back to the first one of the books. */
export function booksPeriods(books: BooksOpen): BooksPeriod[] {
  const months: Month[] = [];
  const last = monthOf(books.today);
  for (let month = monthOf(books.booksFrom); month <= last; month = monthOf(firstDayAfter(month))) {
    months.push(month);
  }
  return months.toReversed().map((month) => booksPeriod(month, books));
}

/** @throws DomainError `period_not_found` for what is no month, or before the books */
export function booksPeriod(
  month: Month,
  { booksFrom, openFrom, closings }: BooksOpen,
): BooksPeriod {
  const isMonth = /^(19|2[0-8])\d\d-(0[1-9]|1[0-2])$/.test(month);
  if (!isMonth || month < monthOf(booksFrom)) throw periodNotFound(booksFrom);
  const after = firstDayAfter(month);
  const days = { month, from: firstDayOf(month), to: addDays(after, -1) };
  if (openFrom < after) return { ...days, status: 'open', closedAt: null };
  const at = closedAt(days.from, openFrom, closings);
  return { ...days, status: at ? 'closed' : 'closing', closedAt: at };
}

/** When the month of a day was closed; null while it is open, or not closed for good. */
export function closedAt(
  day: IsoDate,
  openFrom: IsoDate,
  closings: readonly PeriodClosing[],
): Date | null {
  return closingOn(day, openFrom, closings)?.decidedAt ?? null;
}

/** The closing that the month of a day has; null while it is open, or not closed for good. */
export function closingOn(
  day: IsoDate,
  openFrom: IsoDate,
  closings: readonly PeriodClosing[],
): PeriodClosing | null {
  return openFrom < firstDayAfter(monthOf(day)) ? null : closingOf(monthOf(day), closings);
}

/** The first one since it was opened last. */
function closingOf(month: Month, closings: readonly PeriodClosing[]): PeriodClosing | null {
  const after = firstDayAfter(month);
  let last: PeriodClosing | null = null;
  for (const closing of closings) {
    const { action, openFrom } = closing;
    if (action === 'reopened' && openFrom < after) last = null;
    if (action === 'closed' && openFrom >= after) last ??= closing;
  }
  return last;
}

export function assertEnded({ month, to }: BooksPeriod, today: IsoDate): void {
  if (to < today) return;
  throw BooksRefusal.period_not_ended.of(`${month} ends on ${to}; close it after that day.`, {
    ends_on: to,
  });
}

function periodNotFound(booksFrom: IsoDate): DomainError {
  return BooksRefusal.period_not_found.of(
    `There is no such month; send one such as 2026-10. Your books begin on ${booksFrom}.`,
  );
}

/** Zones are at most so far from UTC. */
const FARTHEST_ZONE_MS = 14 * 3_600_000;

/** Whether an instant may be in a month that has ended, in whatever zone: only those are closed. */
export function mayBeClosed(instant: Date, now: Date): boolean {
  const latest = new Date(now.getTime() + FARTHEST_ZONE_MS);
  const month = Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth(), 1);
  return instant.getTime() < month + FARTHEST_ZONE_MS;
}
