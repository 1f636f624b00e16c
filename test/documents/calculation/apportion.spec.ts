import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  apportion,
  apportionByWeight,
  ratioRounded,
  sum,
} from '../../../src/documents/domain/calculation/apportion.js';
import { runsOf } from '../../support/share.js';

const MANY = runsOf(2000);
const anAmount = fc.bigInt({ min: 0n, max: 10n ** 13n });
const aWeight = fc.oneof(fc.constantFrom(0n, 1n, 100n), fc.bigInt({ min: 0n, max: 10n ** 13n }));
const weights = fc.array(aWeight, { minLength: 1, maxLength: 20 });

const absolute = (amount: bigint) => (amount < 0n ? -amount : amount);

describe('by weight', () => {
  it.each([
    ['equally, the earlier first where a unit is left', 1000n, [1n, 1n, 1n], [334n, 333n, 333n]],
    ['two units to the first two', 11n, [1n, 1n, 1n], [4n, 4n, 3n]],
    ['by the largest fraction, not by the largest weight', 10n, [101n, 102n, 797n], [1n, 1n, 8n]],
    ['a unit alone to the largest', 1n, [1n, 3n, 2n], [0n, 1n, 0n]],
    ['nothing where the weight is nothing', 100n, [0n, 1n, 0n, 1n], [0n, 50n, 0n, 50n]],
    ['nothing of nothing', 0n, [5n, 7n], [0n, 0n]],
    ['all where there is only one', 7n, [3n], [7n]],
    ['more than the weights', 10n, [1n, 2n], [3n, 7n]],
    ['all to the fallback where no weight is above nothing', 9n, [0n, 0n, 0n], [0n, 9n, 0n]],
  ])('%s', (_, total, weights, parts) => {
    expect(apportionByWeight(total, weights, 1)).toEqual(parts);
  });

  it('sums to the total, each part within one unit of its due', () => {
    fc.assert(
      fc.property(anAmount, weights, fc.nat(19), (total, weights, fallback) => {
        const place = fallback % weights.length;
        const parts = apportionByWeight(total, weights, place);
        const all = sum(weights);
        expect(parts).toHaveLength(weights.length);
        expect(sum(parts)).toBe(total);
        if (all === 0n) {
          expect(parts[place]).toBe(total);
          return;
        }
        for (const [index, part] of parts.entries()) {
          const weight = weights[index] ?? 0n;
          expect(absolute(part * all - total * weight) < all).toBe(true);
          if (weight === 0n) expect(part).toBe(0n);
          if (total <= all) expect(part <= weight).toBe(true);
        }
      }),
      MANY,
    );
  });

  it('rounds up the largest fractions, and of equal ones the earlier', () => {
    fc.assert(
      fc.property(anAmount, weights, (total, weights) => {
        const all = sum(weights);
        fc.pre(all > 0n);
        const parts = apportionByWeight(total, weights, 0);
        const due = weights.map((weight, index) => ({
          fraction: (total * weight) % all,
          isUp: (parts[index] ?? 0n) > (total * weight) / all,
        }));
        for (const [index, one] of due.entries()) {
          for (const other of due.slice(index + 1)) {
            if (one.isUp === other.isUp) continue;
            const isFair = one.isUp
              ? one.fraction >= other.fraction
              : one.fraction < other.fraction;
            expect(isFair).toBe(true);
          }
        }
      }),
      MANY,
    );
  });

  it('gives equal weights parts that differ by a unit at most', () => {
    fc.assert(
      fc.property(anAmount, fc.integer({ min: 1, max: 30 }), (total, count) => {
        const parts = apportionByWeight(
          total,
          Array.from({ length: count }, () => 7n),
          0,
        );
        expect(parts).toEqual(parts.toSorted((one, other) => (one > other ? -1 : 1)));
        expect((parts[0] ?? 0n) - (parts.at(-1) ?? 0n) <= 1n).toBe(true);
      }),
      MANY,
    );
  });
});

describe('exact parts', () => {
  it.each([
    // 100 and -7.5 with a sum of 92.5: up or down, the fraction decides.
    ['of both signs, rounded up', 93n, [1000n, -75n], 10n, [100n, -7n]],
    ['of both signs, rounded down', 92n, [1000n, -75n], 10n, [100n, -8n]],
    ['below zero that are whole', -3n, [-20n, -10n], 10n, [-2n, -1n]],
    ['below zero', -3n, [-15n, -15n], 10n, [-1n, -2n]],
  ])('%s', (_, total, exact, denominator, parts) => {
    expect(apportion(total, exact, denominator)).toEqual(parts);
  });

  const aPart = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  const aDenominator = fc.oneof(
    fc.constantFrom(1n, 119n, 100n),
    fc.bigInt({ min: 1n, max: 10n ** 6n }),
  );

  it('sum to their rounded sum, each within one unit', () => {
    const parts = fc.array(aPart, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, aDenominator, fc.boolean(), (exact, denominator, up) => {
        const all = sum(exact);
        const floor = (all - (((all % denominator) + denominator) % denominator)) / denominator;
        const total = up && floor * denominator !== all ? floor + 1n : floor;
        const parts = apportion(total, exact, denominator);
        expect(sum(parts)).toBe(total);
        for (const [index, part] of parts.entries()) {
          expect(absolute(part * denominator - (exact[index] ?? 0n)) < denominator).toBe(true);
        }
      }),
      MANY,
    );
  });

  it('are a bug of ours where the total is another one', () => {
    expect(() => apportion(3n, [10n, 10n], 10n)).not.toThrow();
    expect(() => apportion(1n, [10n, 10n], 10n)).toThrow('assertion');
    expect(() => apportion(5n, [10n, 10n], 10n)).toThrow('assertion');
  });
});

it('ratios are rounded to the nearest whole, halves up', () => {
  for (const [numerator, denominator, rounded] of [
    [0n, 7n, 0n],
    [1n, 2n, 1n],
    [3n, 2n, 2n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [149n, 100n, 1n],
    [7n, 7n, 1n],
  ] as const) {
    expect(ratioRounded(numerator, denominator)).toBe(rounded);
  }
});
