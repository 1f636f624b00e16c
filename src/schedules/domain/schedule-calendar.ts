import { addDays, daysBetween, type IsoDate } from '../../kernel/clock.js';
import type { Boundaries, Recurrence } from './recurrence.js';
import type { BusinessDays, Schedule } from './schedule.js';

/** Days by rules of RFC 5545 and holidays of countries. Abstract class: port and injection token at once. */
export abstract class ScheduleCalendar {
  /** @param from the first period begins there */
  abstract boundaries(recurrence: Recurrence, from: IsoDate): Boundaries;
  /** The same day, or the next or last one that is a business day. */
  abstract businessDay(date: IsoDate, days: BusinessDays): IsoDate;
  /** Whether its holidays are known. */
  abstract knows(days: Pick<BusinessDays, 'country' | 'region'>): boolean;
}

/** Both days are in it. */
export interface PlannedPeriod {
  start: IsoDate;
  end: IsoDate;
  /** The day on which its document is made. */
  runsOn: IsoDate;
  /** Days of it, and of the whole period of which it is a part; null: it is whole. */
  part: { days: number; of: number } | null;
  isTrial: boolean;
}

type Planned = Pick<Schedule, 'terms' | 'anchor' | 'nextStart' | 'movedTo' | 'count'>;

/** The next period; null: there is none. */
export function nextPeriodOf(schedule: Planned, calendar: ScheduleCalendar): PlannedPeriod | null {
  const { nextStart: start, terms, movedTo } = schedule;
  if (start === null) return null;
  if (terms.trial_end !== null && start <= terms.trial_end) {
    return { start, end: terms.trial_end, runsOn: start, part: null, isTrial: true };
  }
  if (terms.periods !== null && schedule.count >= terms.periods) return null;
  if (terms.end_date !== null && start > terms.end_date) return null;
  const boundaries = calendar.boundaries(terms.recurrence, schedule.anchor);
  const next = boundaries.after(start);
  if (next === null) return null;
  const whole = addDays(next, -1);
  const end = terms.end_date !== null && terms.end_date < whole ? terms.end_date : whole;
  const on = terms.timing === 'in_advance' ? start : addDays(end, 1);
  const { business_days: business } = terms;
  const runsOn = movedTo ?? (business ? calendar.businessDay(on, business) : on);
  return periodAgain(schedule, { start, end, runsOn }, calendar);
}

/** The schedule behind a period. */
export function behind(
  schedule: Schedule,
  period: PlannedPeriod,
  calendar: ScheduleCalendar,
): Schedule {
  const next = {
    ...schedule,
    nextStart: addDays(period.end, 1),
    movedTo: null,
    skips: schedule.skips.filter((start) => start > period.end),
    count: schedule.count + (period.isTrial ? 0 : 1),
  };
  return planned(next, calendar);
}

/** With the day of its next period; without one, it has ended. */
export function planned(schedule: Schedule, calendar: ScheduleCalendar): Schedule {
  const period = nextPeriodOf(schedule, calendar);
  if (!period)
    return { ...schedule, status: 'ended', nextStart: null, nextOn: null, movedTo: null };
  return { ...schedule, nextOn: period.runsOn };
}

/** Whether a period to come has a document: it is no trial, and nobody leaves it out. */
export const hasDocument = ({ skips }: Pick<Schedule, 'skips'>, period: PlannedPeriod): boolean =>
  !period.isTrial && !skips.includes(period.start);

/** The next step of a period whose day has come. */
export type PeriodDecision = 'make' | 'trial' | 'skip' | 'pass' | 'wait';

/** @param today in the zone of the account */
export function decisionOn(
  schedule: Schedule,
  period: PlannedPeriod,
  calendar: ScheduleCalendar,
  today: IsoDate,
): PeriodDecision {
  if (period.isTrial) return 'trial';
  if (schedule.skips.includes(period.start)) return 'skip';
  const { missed } = schedule.terms;
  if (period.runsOn >= today || missed === 'all') return 'make';
  if (missed === 'ask') return 'wait';
  const following = nextPeriodOf(behind(schedule, period, calendar), calendar);
  return following && following.runsOn <= today ? 'pass' : 'make';
}

/** A period that had its day, with the whole of which it is a part. */
export function periodAgain(
  { terms, anchor }: Pick<Schedule, 'terms' | 'anchor'>,
  { start, end, runsOn }: Pick<PlannedPeriod, 'start' | 'end' | 'runsOn'>,
  calendar: ScheduleCalendar,
): PlannedPeriod {
  const boundaries = calendar.boundaries(terms.recurrence, anchor);
  const next = boundaries.after(start);
  const of = next === null ? 0 : daysBetween(boundaries.atOrBefore(start) ?? start, next);
  const days = daysBetween(start, end) + 1;
  return { start, end, runsOn, part: days < of ? { days, of } : null, isTrial: false };
}
