import { AsyncLocalStorage } from 'node:async_hooks';
import type { Uuid } from './ids.js';

/** The time of the account that is worked for; null: it is not known, or goes by the server's clock. */
const own = new AsyncLocalStorage<{ at: Date | null } | undefined>();

/** Facts and days of `work` are of this time; null: of the server's. */
export function atTime<Result>(at: Date | null, work: () => Result): Result {
  return own.run({ at }, work);
}

/** The same work in the time of whoever asks for it now, whoever begins it later. */
export function inAskersTime<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  const time = own.getStore();
  return (...args) =>
    own.getStore() === time ? work(...args) : own.run(time, () => work(...args));
}

/** The one source of "now": abstract class, so that it is port and injection token at once. */
export abstract class Clock {
  /** Clocks of accounts made for trying, and when they stand; all others go by the server's. */
  private readonly testClocks = new Map<Uuid, Date>();

  /** For queues, leases, limits, secrets and signatures: all that is about programs, not about money. */
  abstract serverNow(): Date;
  /** Milliseconds since some beginning, which pass whatever somebody sets the clock to. */
  abstract elapsedMs(): number;

  /** For facts and days: the time of the account that is worked for. */
  now(): Date {
    return own.getStore()?.at ?? this.serverNow();
  }

  /** When the server's clock is as far from now as that is from the account's. */
  onServer(at: Date): Date {
    const time = own.getStore()?.at;
    return time ? new Date(this.serverNow().getTime() + at.getTime() - time.getTime()) : at;
  }

  /** Clocks go forward only: a time that is older says nothing new. */
  standAt(accountId: Uuid, at: Date): void {
    const known = this.testClocks.get(accountId);
    if (!known || known < at) this.testClocks.set(accountId, at);
  }

  accountsWithOwn(): Uuid[] {
    return [...this.testClocks.keys()];
  }

  /** Null: it goes by the server's clock. */
  timeOf(accountId: Uuid): Date | null {
    return this.testClocks.get(accountId) ?? null;
  }

  /** For a request of which nobody knows yet whose it is. */
  forSomebody<Result>(work: () => Result): Result {
    return this.testClocks.size === 0 ? work() : atTime(null, work);
  }

  /** It is this account's: from here on to its end it is in its time. */
  enter(accountId: Uuid): void {
    const time = own.getStore();
    if (time) time.at = this.timeOf(accountId);
  }

  /** Work of a job for one account. */
  inTimeOf<Result>(accountId: Uuid, work: () => Result): Result {
    return this.testClocks.size === 0 ? work() : atTime(this.timeOf(accountId), work);
  }
}

export class SystemClock extends Clock {
  serverNow(): Date {
    return new Date();
  }

  elapsedMs(): number {
    return performance.now();
  }
}

const DAY_MS = 86_400_000;

// Making one costs fifty times what using one costs; there are some 400 zones.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** A calendar date, `YYYY-MM-DD`, with no time and no zone. */
export type IsoDate = string;

/** The calendar date of an instant in an IANA time zone. */
export function dateIn(timeZone: string, instant: Date): IsoDate {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(instant);
}

/** True for an IANA name such as `Europe/Berlin`; an offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
}

export function addDays(date: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** In whatever order they are given. */
export function daysBetween(one: IsoDate, other: IsoDate): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS;
}

/** The first instant of a calendar date in an IANA time zone, whatever the clocks do that night. */
export function startOfDay(date: IsoDate, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Zones are at most 14 hours away from UTC: the instant lies between, and is found by halving.
  let [before, after] = [midnight - DAY_MS, midnight + DAY_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dateIn(timeZone, new Date(middle)) < date) before = middle;
    else after = middle;
  }
  return new Date(after);
}

/** Real time, whatever the clock says. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

export function daysAfter(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/** True only for a date that exists: `2026-02-30` does not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
