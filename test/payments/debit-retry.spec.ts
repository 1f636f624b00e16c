import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween } from '../../src/kernel/clock.js';
import {
  afterDebitFailure,
  type RetryCircumstances,
} from '../../src/payments/collecting/domain/mandates/debit-retry.js';

const TODAY = '2026-02-27';
const circumstances = (over: Partial<RetryCircumstances> = {}): RetryCircumstances => ({
  mandateStatus: 'active',
  collectionMethod: null,
  days: [3, 7],
  isDisputed: false,
  ...over,
});
const after = (made: number, over: Partial<RetryCircumstances> = {}, reason = 'no_money') =>
  afterDebitFailure({ reason, today: TODAY }, made, circumstances(over));

describe('after a debit has failed', () => {
  it('the next try is so many days behind this failure, over the end of the month', () => {
    expect(after(0)).toEqual({ number: 1, tryOn: '2026-03-02' });
    expect(after(1)).toEqual({ number: 2, tryOn: '2026-03-06' });
  });

  it.each([
    [2, {}, 'no_money', 'plan_used_up'],
    [1, { days: [] }, 'no_money', 'plan_used_up'],
    [0, {}, 'AC04', 'never_works'],
    [0, {}, 'mandate_cancelled', 'never_works'],
    [0, { mandateStatus: 'suspended' }, 'no_money', 'mandate_not_active'],
    [0, { collectionMethod: 'send_invoice' }, 'no_money', 'paid_by_client'],
    [0, { isDisputed: true }, 'no_money', 'disputed'],
  ] as const)('%i times before, with %j and the reason %s, it is given up: %s', (...of) => {
    const [made, over, reason, givenUp] = of;
    expect(after(made, over as Partial<RetryCircumstances>, reason)).toEqual({ givenUp });
  });

  it('nothing follows where there is no plan, whatever the reason', () => {
    for (const reason of ['no_money', 'AC04']) expect(after(0, { days: [] }, reason)).toBeNull();
  });

  it('each try of a random plan is once, in its order, and then it is given up once', () => {
    const plans = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(plans, fc.array(fc.nat(20), { minLength: 6, maxLength: 6 }), (days, delays) => {
        let today = TODAY;
        const waits: number[] = [];
        for (let made = 0; ; made += 1) {
          const next = afterDebitFailure({ reason: null, today }, made, circumstances({ days }));
          if (next === null || 'givenUp' in next) {
            expect([next, waits]).toEqual([{ givenUp: 'plan_used_up' }, days]);
            return;
          }
          expect(next.number).toBe(made + 1);
          waits.push(daysBetween(today, next.tryOn));
          today = addDays(next.tryOn, delays[made] ?? 0);
        }
      }),
    );
  });
});
