import { z } from 'zod';
import { nameWords } from '../../platform/http/openapi/words.js';
import { count, instant } from '../../platform/http/validation/answer-fields.js';
import { instantText } from '../../platform/http/validation/date-fields.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import type { ClockStanding } from '../application/test-clock-moves.service.js';
import { ClockRefusal } from '../domain/clock-refusals.js';
import { DUE_WORK } from '../domain/due-work-names.js';
import { type Advance, MOST_DAYS } from '../domain/way-ahead.js';

const STATUSES = ['running', 'standing'] as const;
nameWords({ TestClockStatus: STATUSES, TestClockWork: DUE_WORK });

export const AdvanceTestClockRequest = requestShape('AdvanceTestClockRequest', {
  to: instantText({
    optional: true,
    description: `Where the clock is to stand, at most ${MOST_DAYS} days ahead of where it is.`,
  }),
  days: wholeNumber({
    min: 1,
    max: MOST_DAYS,
    optional: true,
    description: 'Instead of `to`: so many times 24 hours.',
    example: 31,
  }),
});
export type AdvanceTestClockRequest = z.output<typeof AdvanceTestClockRequest>;

export const TestClockBody = answerShape('TestClockBody', {
  now: instant.describe('What the clock of the account says.'),
  status: z.enum(STATUSES).meta({
    description:
      '`running`: with the clock of the server. `standing`: it was advanced, and stands still until it is again.',
  }),
  happened: z
    .array(
      answerShape('TestClockHappening', {
        at: instant,
        work: z.enum(DUE_WORK).describe('Whose turn it was.'),
        count: count.describe('How many events, messages or debits that made.'),
      }),
    )
    .describe('What this call did on the way, in this order. The events tell each.'),
});
export type TestClockBody = z.output<typeof TestClockBody>;

/** @throws DomainError `one_of_to_and_days` */
export function toAdvance({ to, days }: AdvanceTestClockRequest): Advance {
  if (to !== undefined && days === undefined) return { to: new Date(to) };
  if (to === undefined && days !== undefined) return { days };
  throw ClockRefusal.one_of_to_and_days.at('/to');
}

export function presentTestClock({ now, isStanding, happened }: ClockStanding): TestClockBody {
  return {
    now: now.toISOString(),
    status: isStanding ? 'standing' : 'running',
    happened: happened.map(({ at, work, count: many }) => ({
      at: at.toISOString(),
      work,
      count: many,
    })),
  };
}
