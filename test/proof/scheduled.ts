import { expectedOf, type Planned } from '../schedules/planned-year.js';
import { type Books, type Figures, figuresOf, type Invoice } from './books.js';
import type { Line } from './issued.js';

export interface Schedule {
  id: string;
  customer: string;
  currency: string;
  rate: number;
  planned: Planned;
  status: 'active' | 'paused';
  /** How many periods are behind it. */
  passed: number;
  /** First days of periods that are left out. */
  skips: string[];
  /** The line of one time is on a document. */
  isSetUp: boolean;
  /** Reports of use, and whether a document bills them. */
  used: { on: string; quantity: number; isBilled: boolean }[];
}

/** A document that nobody has issued yet. */
export interface Draft extends Figures, Pick<Invoice, 'charged' | 'chargedIn'> {
  id: string;
  customer: string;
  currency: string;
  lines: Line[];
  /** It is issued by itself, unless somebody does so before. */
  isReviewed: boolean;
  madeOn: string;
}

export interface ScheduledBooks {
  schedules: Schedule[];
  drafts: Draft[];
}

/** The periods of a schedule that come, the next one first; they are as many as anybody looks at. */
export function periodsTo({ planned, passed }: Pick<Schedule, 'planned' | 'passed'>, last: string) {
  return expectedOf(planned, last).slice(passed);
}

/** The lines of a period; none where nothing was used. */
export function linesOf(schedule: Schedule, period: { end: string; runsOn: string }): Line[] {
  const { planned, rate, isSetUp } = schedule;
  const used = usedIn(schedule, period).reduce((sum, { quantity }) => sum + quantity, 0);
  const quantity = planned.used ? used : planned.quantity;
  return [
    ...(quantity > 0 ? [{ amount: quantity * planned.price, rate }] : []),
    ...(planned.oneOff > 0 && !isSetUp ? [{ amount: planned.oneOff, rate: 0 }] : []),
  ];
}

/** All that no document has billed, up to the end of the period or the day of the document. */
export function usedIn({ used }: Schedule, { end, runsOn }: { end: string; runsOn: string }) {
  const last = end < runsOn ? end : runsOn;
  return used.filter(({ on, isBilled }) => !isBilled && on <= last);
}

export function scheduledFigures(lines: readonly Line[]): Figures {
  return figuresOf(lines, null);
}

export function scheduleOf({ schedules }: Books, id: string): Schedule {
  return schedules.find((one) => one.id === id)!;
}
