import { addDays, type IsoDate } from '../../src/kernel/clock.js';

// Days as somebody with a wall calendar finds them: one after the other, without a formula of ours.

const DAY_MS = 86_400_000;
const at = (date: IsoDate) => new Date(`${date}T00:00:00Z`);
const dayOf = (date: IsoDate) => at(date).getUTCDate();
const monthOf = (date: IsoDate) => at(date).getUTCMonth() + 1;
const yearOf = (date: IsoDate) => at(date).getUTCFullYear();
/** 1 is Monday. */
const weekdayOf = (date: IsoDate) => at(date).getUTCDay() || 7;
export const apart = (one: IsoDate, other: IsoDate) =>
  (at(other).getTime() - at(one).getTime()) / DAY_MS;

/** A day of a month, or its last one. */
function isDayOfMonth(date: IsoDate, day: number): boolean {
  const isLast = dayOf(addDays(date, 1)) === 1;
  return dayOf(date) === day || (isLast && dayOf(date) < day);
}

export type Rule =
  | { every: 'day'; interval: number }
  | { every: 'week'; interval: number; weekday: string }
  | { every: 'month'; interval: number; day: number }
  | { every: 'year'; interval: number; month: number; day: number }
  | { rrule: string };

export const WEEK = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The rules of RFC 5545 that are tried, as a reader understands them. */
export const RRULES: Record<string, (date: IsoDate) => boolean> = {
  'FREQ=MONTHLY;BYDAY=-1FR': (date) =>
    weekdayOf(date) === 5 && monthOf(addDays(date, 7)) !== monthOf(date),
  'FREQ=MONTHLY;BYDAY=2TU': (date) => weekdayOf(date) === 2 && dayOf(date) > 7 && dayOf(date) < 15,
  'FREQ=MONTHLY;BYMONTHDAY=31': (date) => dayOf(date) === 31,
  'FREQ=MONTHLY;BYMONTHDAY=-1': (date) => dayOf(addDays(date, 1)) === 1,
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1': (date) => {
    let last = addDays(date, 31);
    while (monthOf(last) !== monthOf(date) || weekdayOf(last) > 5) last = addDays(last, -1);
    return last === date;
  },
};

/** The days of a rule from a day to another one; those before its anchor, too, where it has them. */
export function ruleDays(rule: Rule, anchor: IsoDate, from: IsoDate, to: IsoDate): IsoDate[] {
  const isDay = testOf(rule, anchor);
  const days: IsoDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) if (isDay(date)) days.push(date);
  return days;
}

function testOf(rule: Rule, anchor: IsoDate): (date: IsoDate) => boolean {
  if ('rrule' in rule) {
    const isDay = RRULES[rule.rrule]!;
    return (date) => date >= anchor && isDay(date);
  }
  const isMultiple = (count: number) => count % rule.interval === 0;
  if (rule.every === 'day') return (date) => isMultiple(apart(anchor, date));
  if (rule.every === 'week') {
    const isDay = (date: IsoDate) => weekdayOf(date) === WEEK.indexOf(rule.weekday) + 1;
    const first = firstFrom(anchor, isDay);
    return (date) => isDay(date) && isMultiple(apart(first, date) / 7);
  }
  if (rule.every === 'month') {
    const isDay = (date: IsoDate) => isDayOfMonth(date, rule.day);
    const months = (date: IsoDate) => yearOf(date) * 12 + monthOf(date);
    const first = firstFrom(anchor, isDay);
    return (date) => isDay(date) && isMultiple(months(date) - months(first));
  }
  const isDay = (date: IsoDate) => monthOf(date) === rule.month && isDayOfMonth(date, rule.day);
  const first = firstFrom(anchor, isDay);
  return (date) => isDay(date) && isMultiple(yearOf(date) - yearOf(first));
}

function firstFrom(anchor: IsoDate, isDay: (date: IsoDate) => boolean): IsoDate {
  let date = anchor;
  while (!isDay(date)) date = addDays(date, 1);
  return date;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Easter Sunday, by the rule of Gauss and Lichtenberg. */
function easter(year: number): IsoDate {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const d =
    (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const sum = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return `${year}-${two(Math.floor(sum / 31))}-${two((sum % 31) + 1)}`;
}

/** Of all of Germany. */
function isGermanHoliday(date: IsoDate): boolean {
  const fixed = ['01-01', '05-01', '10-03', '12-25', '12-26'];
  const moving = [-2, 1, 39, 50].map((days) => addDays(easter(yearOf(date)), days));
  return fixed.includes(date.slice(5)) || moving.includes(date);
}

export function germanBusinessDay(date: IsoDate, move: 'after' | 'before'): IsoDate {
  let day = date;
  while (weekdayOf(day) > 5 || isGermanHoliday(day)) day = addDays(day, move === 'after' ? 1 : -1);
  return day;
}
