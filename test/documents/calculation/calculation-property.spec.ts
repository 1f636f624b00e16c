import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../support/share.js';
import { explained, type Run, run } from './calculation-check.js';

const DOCUMENTS = tries({ pushed: 8_000, full: 50_000 });
/** Another one each time: a failure names it, and the command that repeats it. */
const seed = randomInt(2 ** 31);

const COVERING = 50_000;
/** At least this many of as many documents, or the generator has stopped looking there. */
const COVERED = {
  'net prices': 10_000,
  'tax-inclusive prices': 10_000,
  'in EUR': 1000,
  'in JPY': 1000,
  'in KWD': 1000,
  'lines: 1': 1000,
  'lines: 6 to 30': 1000,
  'lines: 31 to 1000': 25,
  'tax groups: 1': 1000,
  'tax groups: 4': 500,
  'tax groups: more': 100,
  'tax group without lines': 1000,
  'line discount or charge': 1000,
  'several on one line': 1000,
  'several document discounts': 1000,
  'discount with a tax of its own': 500,
  'discount on charges': 50,
  'tax of elsewhere': 500,
  'amount of another sign': 100,
  'price of several': 1000,
  'document charge': 1000,
  'charge with a tax of its own': 1000,
  'everything discounted': 500,
  'quantity 0': 1000,
  'line below zero': 1000,
  'tax group below zero': 1000,
  'discount of a line below zero': 100,
  '12-place price': 500,
  'total 0': 200,
  'total above 10^12': 500,
  'cash rounding down': 1000,
  'cash rounding up': 1000,
  'rounding given': 500,
  'exact half rounded': 5000,
  'equal claims on a last unit': 1000,
  'nothing to weigh by': 25,
  'refused: discount_too_large': 100,
  'refused: discount_without_lines': 50,
  'refused: issued_tax_not_possible': 100,
  'refused: rounding_too_large': 10,
  'refused: tax_rate_required': 50,
  'refused: tax_rate_not_allowed': 50,
  'refused: total_below_zero': 500,
  'refused: total_too_large': 50,
};

describe(`${DOCUMENTS} random documents of seed ${seed}`, () => {
  let found: Run;
  beforeAll(() => {
    found = run(seed, 0, DOCUMENTS);
  });

  it('are calculated as the oracle does, and keep the rules of EN 16931', () => {
    const { failure } = found;
    if (failure) throw new Error(explained(seed, failure));
  });

  it('cover every kind of trouble', () => {
    // The run ends with its first failure.
    if (found.failure) throw new Error(`only ${found.failure.index} documents were judged`);
    const seldom = Object.entries(COVERED).flatMap(([trait, figure]) => {
      const least = Math.floor((figure * DOCUMENTS) / COVERING);
      const count = found.coverage.get(trait) ?? 0;
      return count < least ? [`${trait}: ${count} of ${least}`] : [];
    });
    expect(seldom).toEqual([]);
  });
});
