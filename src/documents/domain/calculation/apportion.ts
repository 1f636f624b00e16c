import { assert } from '../../../kernel/assert.js';

/**
 * Splits `total` into whole parts as near as can be to `exact[i] / denominator`, by largest
 * remainder. Each part is rounded down first. The missing units go to the largest fractions, one
 * each, the earlier first if they are equal. The parts sum to `total`, which must be the sum of the
 * exact parts or that sum rounded to the nearest whole.
 */
export function apportion(total: bigint, exact: readonly bigint[], denominator: bigint): bigint[] {
  const parts = exact.map((part) => floorDivide(part, denominator));
  const missing = total - parts.reduce((sum, part) => sum + part, 0n);
  assert(missing >= 0n && missing <= exact.length, `${total} is not the sum of its parts`);
  const fractions = exact.map((part, index) => part - (parts[index] ?? 0n) * denominator);
  const byFraction = fractions
    .map((fraction, index) => ({ fraction, index }))
    .sort((one, other) => descending(one.fraction, other.fraction) || one.index - other.index);
  byFraction.forEach(({ index }, rank) => {
    if (rank < missing) parts[index] = (parts[index] ?? 0n) + 1n;
  });
  return parts;
}

/**
 * Splits `total` by weights; where all of them are zero, `fallback` gets everything. No part is
 * above its weight as long as `total` is not above their sum.
 */
export function apportionByWeight(
  total: bigint,
  weights: readonly bigint[],
  fallback: number,
): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return weights.map((_, index) => (index === fallback ? total : 0n));
  return apportion(
    total,
    weights.map((weight) => total * weight),
    sum,
  );
}

/** Rounds toward minus infinity, where `/` rounds toward zero. */
function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}

function descending(one: bigint, other: bigint): number {
  return one === other ? 0 : one > other ? -1 : 1;
}

/** Halves go away from zero. */
export function ratioRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator < 0n) return ratioRounded(-numerator, -denominator);
  if (numerator < 0n) return -ratioRounded(-numerator, denominator);
  return (2n * numerator + denominator) / (2n * denominator);
}

export function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((total, part) => total + part, 0n);
}
