import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  addDays,
  dateIn,
  daysAfter,
  isCalendarDate,
  isTimeZone,
  startOfDay,
  SystemClock,
} from '../../src/kernel/clock.js';
import { runsOf } from '../support/share.js';

const pad = (value: number, length = 2) => String(value).padStart(length, '0');
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

const text = ([year, month, day]: readonly [number, number, number]) =>
  `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

const aYear = fc.integer({ min: 1, max: 9999 });
const aDate = fc
  .tuple(aYear, fc.integer({ min: 1, max: 12 }), fc.nat(30))
  .map(([year, month, day]) => [year, month, 1 + (day % daysIn(year, month))] as const);

describe('calendar dates', () => {
  it('exist when the calendar has them', () => {
    const parts = fc.tuple(aYear, fc.nat(13), fc.nat(32));
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
        expect(isCalendarDate(`${pad(year, 4)}-${pad(month)}-${pad(day)}`)).toBe(exists);
      }),
      runsOf(2000),
    );
  });

  it.each([
    '',
    '2026-2-1',
    '2026-02-30',
    '2025-02-29',
    '26-01-01',
    '2026-01-01T00:00',
    '+02026-01-01',
  ])('are not %j', (text) => expect(isCalendarDate(text)).toBe(false));

  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('are %s', (text) =>
    expect(isCalendarDate(text)).toBe(true),
  );

  it('follow each other by one day', () => {
    fc.assert(
      fc.property(aDate, ([year, month, day]) => {
        const last = day === daysIn(year, month);
        const next = [
          last && month === 12 ? year + 1 : year,
          last ? (month % 12) + 1 : month,
          last ? 1 : day + 1,
        ] as const;
        fc.pre(next[0] <= 9999);
        expect(addDays(text([year, month, day]), 1)).toBe(text(next));
        expect(addDays(text(next), -1)).toBe(text([year, month, day]));
      }),
      runsOf(2000),
    );
  });

  it('add up', () => {
    fc.assert(
      fc.property(fc.nat(3650), fc.nat(3650), (one, other) => {
        const start = '2026-11-20';
        expect(addDays(addDays(start, one), other)).toBe(addDays(start, one + other));
        expect(addDays(addDays(start, one), -one)).toBe(start);
      }),
    );
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-12-20', 14)).toBe('2027-01-03');
  });
});

describe('instants', () => {
  it.each([
    ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['Europe/Berlin', '2026-11-20T22:59:59Z', '2026-11-20'],
    ['Europe/Berlin', '2026-11-20T23:00:00Z', '2026-11-21'],
    ['Europe/Berlin', '2026-06-30T22:00:00Z', '2026-07-01'],
    ['America/Los_Angeles', '2027-01-01T07:59:59Z', '2026-12-31'],
    ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
    ['Asia/Kathmandu', '2026-11-20T18:15:00Z', '2026-11-21'],
  ])('are dates in %s: %s is %s', (zone, instant, date) => {
    expect(dateIn(zone, new Date(instant))).toBe(date);
  });

  it('have a date that exists, at most a day from UTC’s', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const instant = fc.date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2200-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zone, instant, (zone, instant) => {
        const date = dateIn(zone, instant);
        expect(isCalendarDate(date)).toBe(true);
        const utc = instant.toISOString().slice(0, 10);
        expect([addDays(utc, -1), utc, addDays(utc, 1)]).toContain(date);
      }),
    );
  });

  it('move by whole days', () => {
    const instant = new Date('2026-11-20T12:34:56.789Z');
    expect(daysAfter(instant, 30).toISOString()).toBe('2026-12-20T12:34:56.789Z');
  });

  it('come from the system', () => {
    const [before, now, after] = [Date.now(), new SystemClock().now().getTime(), Date.now()];
    expect(before <= now && now <= after).toBe(true);
  });
});

describe('time zones', () => {
  it('are known by every IANA name', () => {
    const names = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata', 'EST5EDT'];
    expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
  });

  it.each(['', ' ', 'Mars/Olympus', 'Europe', 'Europe/Berlin ', '+01:00', '-05', 'UTC+1', 'a\0'])(
    'are none otherwise: %j',
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});

describe('a day begins', () => {
  it.each([
    ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z', 'at midnight'],
    ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z', 'in summer time'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00.000Z', 'at a quarter to'],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00.000Z', 'first of all'],
    ['Etc/GMT+12', '2026-11-20', '2026-11-20T12:00:00.000Z', 'last of all'],
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 'at 1:00, with no midnight'],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z', 'at 1:00, with no midnight'],
    ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00.000Z', 'at 1:00, with no midnight'],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z', 'after 23:00 came twice'],
    ['Africa/Cairo', '2024-11-01', '2024-10-31T22:00:00.000Z', 'after 23:00 came twice'],
    ['Asia/Beirut', '2024-10-27', '2024-10-26T22:00:00.000Z', 'after 23:00 came twice'],
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z', 'at the first of two midnights'],
    ['Australia/Lord_Howe', '2026-10-05', '2026-10-04T13:00:00.000Z', 'after half an hour less'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 'after one that never was'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 'as the next: it never was'],
  ])('in %s on %s at %s: %s', (zone, date, instant) => {
    expect(startOfDay(date, zone).toISOString()).toBe(instant);
  });

  // Since 2011 no zone has left out a day, or gone back to one.
  it('where the day before ends, in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+12', 'Etc/GMT-14');
    const date = fc.nat(365 * 90).map((days) => addDays('2012-01-02', days));
    fc.assert(
      fc.property(zone, date, (zone, date) => {
        const start = startOfDay(date, zone);
        expect(dateIn(zone, start)).toBe(date);
        const before = new Date(start.getTime() - 1);
        expect(dateIn(zone, before)).toBe(addDays(date, -1));
      }),
      runsOf(1000),
    );
  });

  it('where the day before ends, on each day that clocks change at midnight', () => {
    const zones = ['America/Asuncion', 'America/Havana', 'America/Santiago'];
    for (const zone of [...zones, 'Africa/Cairo', 'Asia/Beirut', 'Asia/Gaza']) {
      for (let date = '2023-01-01'; date < '2025-01-01'; date = addDays(date, 1)) {
        const start = startOfDay(date, zone);
        const before = new Date(start.getTime() - 1);
        expect([dateIn(zone, before), dateIn(zone, start)]).toEqual([addDays(date, -1), date]);
      }
    }
  });
});
