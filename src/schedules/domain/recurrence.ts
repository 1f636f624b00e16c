import { addDays, type IsoDate } from '../../kernel/clock.js';

export const RECURRENCE_UNITS = ['day', 'week', 'month', 'year'] as const;
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/** Every so many days, weeks, months or years. A month without the day has its last day instead. */
export interface PlainRule {
  every: (typeof RECURRENCE_UNITS)[number];
  interval: number;
  /** Of a month or a year: 1 to 31. */
  day?: number;
  /** Of a year: 1 to 12. */
  month?: number;
  /** Of a week. */
  weekday?: (typeof WEEKDAYS)[number];
}

/** The same as RFC 5545 writes it, which skips a month without the day. */
interface CalendarRule {
  rrule: string;
}

export type Recurrence = PlainRule | CalendarRule;

/** The days on which periods begin. */
export interface Boundaries {
  /** Null: there is no further one. */
  after(date: IsoDate): IsoDate | null;
  /** Null: there is none so early. */
  atOrBefore(date: IsoDate): IsoDate | null;
}

const DAY_MS = 86_400_000;
const MONTHS = 12;

const dateOf = (date: IsoDate) => new Date(`${date}T00:00:00Z`);

/** Counted from the year 0. */
function monthOf(date: IsoDate): number {
  const at = dateOf(date);
  return at.getUTCFullYear() * MONTHS + at.getUTCMonth();
}

/** The day of a month, or its last one. */
function dayIn(month: number, day: number): IsoDate {
  const [year, index] = [Math.floor(month / MONTHS), month % MONTHS];
  const last = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, index, Math.min(day, last))).toISOString().slice(0, 10);
}

/** The rule with the days that it takes from its first one, so that they stay when it is moved. */
export function anchored(rule: PlainRule, from: IsoDate): PlainRule {
  const at = dateOf(from);
  const weekday = WEEKDAYS[(at.getUTCDay() + 6) % 7]!;
  if (rule.every === 'week') return { weekday, ...rule };
  if (rule.every === 'month') return { day: at.getUTCDate(), ...rule };
  if (rule.every === 'year') return { day: at.getUTCDate(), month: at.getUTCMonth() + 1, ...rule };
  return rule;
}

/** @param from the first period begins there, also where that is no day of the rule */
export function plainBoundaries(rule: PlainRule, from: IsoDate): Boundaries {
  const days = anchored(rule, from);
  const { at, near } =
    days.every === 'month' || days.every === 'year' ? byMonths(days, from) : byDays(days, from);
  const lastAt = (date: IsoDate) => {
    const index = near(date);
    return at(index) > date ? index - 1 : index;
  };
  return {
    after: (date) => at(lastAt(date) + 1),
    atOrBefore: (date) => at(lastAt(date)),
  };
}

/** The boundary by its index, and an index that is the last before a date, or the one behind it. */
interface Numbered {
  at(index: number): IsoDate;
  near(date: IsoDate): number;
}

function byDays({ every, interval, weekday }: PlainRule, from: IsoDate): Numbered {
  const step = every === 'week' ? interval * 7 : interval;
  const own = (dateOf(from).getUTCDay() + 6) % 7;
  const ahead = weekday === undefined ? 0 : (WEEKDAYS.indexOf(weekday) - own + 7) % 7;
  const first = addDays(from, every === 'week' ? ahead : 0);
  return {
    at: (index) => addDays(first, index * step),
    near: (date) => Math.floor((Date.parse(date) - Date.parse(first)) / DAY_MS / step),
  };
}

function byMonths({ every, interval, day = 1, month = 1 }: PlainRule, from: IsoDate): Numbered {
  const unit = every === 'year' ? MONTHS : 1;
  const step = interval * unit;
  const begun = monthOf(from);
  const first = every === 'year' ? begun - (begun % MONTHS) + month - 1 : begun;
  const origin = dayIn(first, day) < from ? first + unit : first;
  return {
    at: (index) => dayIn(origin + index * step, day),
    near: (date) => Math.floor((monthOf(date) - origin) / step),
  };
}
