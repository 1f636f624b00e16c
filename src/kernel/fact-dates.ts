import type { IsoDate } from './clock.js';
import { DomainError } from './domain-error.js';
import { FieldRefusal } from './field-refusals.js';

/** The clocks of honest callers differ by no more. */
const LARGEST_CLOCK_SKEW_MS = 300_000;
/** Most countries let books go after so many years: an older date is a slip. */
const LONGEST_KEPT_YEARS = 10;

/** The first day that a fact of today may be dated to, where nothing nearer bounds it. */
export function oldestDay(now: Date): IsoDate {
  return `${now.getUTCFullYear() - LONGEST_KEPT_YEARS}-01-01`;
}

/** The fact that another one cannot precede, with its name for the caller. */
interface Earlier {
  at: Date;
  name: string;
}

/**
 * An instant that a caller names for something that has happened.
 * @param earlier a refund, for instance, does not come before its payment
 * @param within the pointer to what has the field, where it is a part of the body
 */
export function assertHappened(
  field: 'paid_at' | 'refunded_at' | 'reversed_at' | 'moved_at' | 'assigned_at',
  told: Date | null,
  now: Date,
  earlier?: Earlier,
  within = '',
): void {
  if (!told) return;
  if (told.getTime() > now.getTime() + LARGEST_CLOCK_SKEW_MS) {
    const { paid_at_in_future: ofPayment, date_in_future: ofOthers } = FieldRefusal;
    throw (field === 'paid_at' ? ofPayment : ofOthers).at(
      `${within}/${field}`,
      `${field} is in the future; record it once the money has moved.`,
    );
  }
  if (told < new Date(oldestDay(now))) throw tooEarly(field, oldestDay(now), within);
  if (earlier && told < earlier.at) {
    throw tooEarly(field, `${earlier.at.toISOString()}, ${earlier.name}`, within);
  }
}

/** The same for a day. */
export function assertDayHappened(
  field: string,
  told: IsoDate,
  today: IsoDate,
  earlier: { day: IsoDate; name: string } | null,
): void {
  if (told > today) {
    throw FieldRefusal.date_in_future.at(
      `/${field}`,
      `${field} is in the future; send ${today} at the latest.`,
    );
  }
  if (earlier && told < earlier.day) throw tooEarly(field, `${earlier.day}, ${earlier.name}`);
}

export function tooEarly(field: string, bound: string, within = ''): DomainError {
  return FieldRefusal.date_too_early.at(
    `${within}/${field}`,
    `${field} must not be before ${bound}; check the year.`,
  );
}

/** The day for which money of a provider counts: it is never refused, and an absurd date is now. */
export function believable(told: Date, now: Date): Date {
  return isBelievable(told, now) ? told : now;
}

export function isBelievable(told: Date, now: Date): boolean {
  const latest = now.getTime() + LARGEST_CLOCK_SKEW_MS;
  return told >= new Date(oldestDay(now)) && told.getTime() <= latest;
}
