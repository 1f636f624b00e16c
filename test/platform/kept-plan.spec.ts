import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  KEPT_UNITS,
  keptOf,
  keptPlan,
  type KeptPlan,
} from '../../src/platform/config/kept-plan.js';

const day = (text: string) => ({ at: new Date(`${text}T03:00:00Z`) });
const days = (kept: Set<{ at: Date }>) =>
  [...kept].map(({ at }) => at.toISOString().slice(0, 10)).toSorted();

const made = fc.array(
  fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  { minLength: 1, maxLength: 60 },
);
const plans = fc
  .dictionary(fc.constantFrom(...KEPT_UNITS), fc.integer({ min: 1, max: 20 }), { minKeys: 1 })
  .map((plan) => plan as KeptPlan);

describe('the plan of backups', () => {
  it('is read', () => {
    expect(keptPlan('7 daily, 4 weekly, 12 monthly')).toEqual({ daily: 7, weekly: 4, monthly: 12 });
    expect(keptPlan('1 yearly')).toEqual({ yearly: 1 });
  });

  it.each(['', '7', '0 daily', 'daily', '7 daily,', '7 daily, 2 daily', '-1 daily', '7 hourly'])(
    'is none: "%s"',
    (text) => expect(keptPlan(text)).toBeUndefined(),
  );

  it('keeps the newest of each period, and a period without one takes no place', () => {
    const all = [
      '2026-11-28',
      '2026-11-27',
      '2026-11-22',
      '2026-10-31',
      '2026-10-30',
      '2025-01-01',
    ];
    const some = all.map(day);
    expect(days(keptOf(some, { daily: 2 }))).toEqual(['2026-11-27', '2026-11-28']);
    // 22 November 2026 is a Sunday.
    expect(days(keptOf(some, { weekly: 2 }))).toEqual(['2026-11-22', '2026-11-28']);
    expect(days(keptOf(some, { monthly: 3 }))).toEqual(['2025-01-01', '2026-10-31', '2026-11-28']);
    expect(days(keptOf(some, { yearly: 5 }))).toEqual(['2025-01-01', '2026-11-28']);
  });

  it('never gives up the newest, nor more than its counts keep', () => {
    fc.assert(
      fc.property(made, plans, (dates, plan) => {
        const all = dates.map((at) => ({ at }));
        const kept = keptOf(all, plan);
        const newest = Math.max(...dates.map(Number));
        expect([...kept].some(({ at }) => Number(at) === newest)).toBe(true);
        const most = Object.values(plan).reduce((sum, count) => sum + count, 0);
        expect(kept.size).toBeLessThanOrEqual(most);
        for (const one of kept) expect(all).toContain(one);
      }),
    );
  });

  it('keeps the same when it is asked again of what it kept', () => {
    fc.assert(
      fc.property(made, plans, (dates, plan) => {
        const kept = keptOf(
          dates.map((at) => ({ at })),
          plan,
        );
        expect(keptOf([...kept], plan)).toEqual(kept);
      }),
    );
  });
});
