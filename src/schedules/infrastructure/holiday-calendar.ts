import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import type { RRule as Rules } from 'rrule';
import { addDays, type IsoDate } from '../../kernel/clock.js';
import { type Boundaries, plainBoundaries, type Recurrence } from '../domain/recurrence.js';
import type { BusinessDays } from '../domain/schedule.js';
import { ScheduleCalendar } from '../domain/schedule-calendar.js';

const require = createRequire(import.meta.url);
// Its module for imports names no exports that Node finds.
const { RRule } = require('rrule') as { RRule: typeof Rules };

/** A place, its holidays by year, and the days of its weekend: 1 is Monday. */
interface Place {
  holidaysOf(year: number): ReadonlySet<IsoDate>;
  weekend: readonly number[];
}

const at = (date: IsoDate) => new Date(`${date}T00:00:00Z`);
const dateAt = (found: Date | null) => found?.toISOString().slice(0, 10) ?? null;
const MOST_PLACES = 500;
/** No country has so many in a row. */
const LONGEST_HOLIDAYS = 60;

/** Rules of RFC 5545, and holidays of countries (decision 271). */
export class HolidayCalendar extends ScheduleCalendar {
  private readonly places = new Map<string, Place | null>();

  boundaries(recurrence: Recurrence, from: IsoDate): Boundaries {
    if (!('rrule' in recurrence)) return plainBoundaries(recurrence, from);
    const options = RRule.parseString(recurrence.rrule);
    const rule = new RRule({ ...options, dtstart: at(from) });
    return {
      after: (date) => dateAt(rule.after(at(date))),
      atOrBefore: (date) => dateAt(rule.before(at(date), true)),
    };
  }

  businessDay(date: IsoDate, { country, region, move }: BusinessDays): IsoDate {
    const place = this.placeOf(country, region);
    if (!place) return date;
    const step = move === 'after' ? 1 : -1;
    for (let days = 0; days < LONGEST_HOLIDAYS; days += 1) {
      const day = addDays(date, days * step);
      const weekday = at(day).getUTCDay() || 7;
      if (place.weekend.includes(weekday)) continue;
      if (!place.holidaysOf(at(day).getUTCFullYear()).has(day)) return day;
    }
    return date;
  }

  knows({ country, region }: Pick<BusinessDays, 'country' | 'region'>): boolean {
    return this.placeOf(country, region) !== null;
  }

  private placeOf(country: string, region: string | undefined): Place | null {
    const key = `${country}-${region ?? ''}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    if (this.places.size >= MOST_PLACES) this.places.clear();
    const place = placeOf(country, region);
    this.places.set(key, place);
    return place;
  }
}

function placeOf(country: string, region: string | undefined): Place | null {
  // All countries are 12 MB on the disk: whoever needs none waits for none.
  const Known = require('date-holidays') as typeof Holidays;
  const all = new Known();
  if (!Object.hasOwn(all.getCountries(), country)) return null;
  if (region !== undefined && !Object.hasOwn(all.getStates(country) ?? {}, region)) return null;
  const of = region === undefined ? new Known(country) : new Known(country, region);
  const years = new Map<number, ReadonlySet<IsoDate>>();
  const holidaysOf = (year: number) => {
    const found = years.get(year) ?? new Set(of.getHolidays(year).flatMap(daysOf));
    years.set(year, found);
    return found;
  };
  return { holidaysOf, weekend: weekendOf(country) };
}

/** Its days, where it is one on which nobody works. */
function daysOf({
  type,
  date,
  start,
  end,
}: ReturnType<Holidays['getHolidays']>[number]): IsoDate[] {
  if (type !== 'public') return [];
  const first = date.slice(0, 10);
  const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
  return Array.from({ length }, (_, index) => addDays(first, index));
}

interface WeekInfo {
  weekend: number[];
}

/** Node 20 has it as a property, later ones as a method. */
function weekendOf(country: string): readonly number[] {
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & {
    weekInfo?: WeekInfo;
    getWeekInfo?(): WeekInfo;
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.weekend ?? [6, 7];
}
