import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/documents/domain/calculation/calculation.js';
import { taxesLess, taxParts } from '../../../src/documents/domain/calculation/tax-part.js';
import { Money } from '../../../src/kernel/money.js';
import { runsOf } from '../../support/share.js';
import { eur } from '../a-document.js';
import { aRandomRequest } from '../requests.js';

const TAXES = [
  { category: 'S', rate: '19', base: eur(10_000n), tax: eur(1900n) },
  { category: 'S', rate: '7', base: eur(5000n), tax: eur(350n) },
  { category: 'AE', rate: '0', base: eur(2750n), tax: eur(0n) },
];

const shown = (part: bigint) =>
  taxParts(TAXES, eur(part), eur(20_000n)).map(({ base, tax }) => `${base.minor} + ${tax.minor}`);

describe('the taxes in a part of a total', () => {
  it.each([
    [0n, ['0 + 0', '0 + 0', '0 + 0']],
    // A quarter of everything; the base takes what the rounding of the gross leaves.
    [5000n, ['2500 + 475', '1250 + 88', '687 + 0']],
    [1n, ['1 + 0', '0 + 0', '0 + 0']],
    [20_000n, ['10000 + 1900', '5000 + 350', '2750 + 0']],
    // More than there is left to tax has no more tax.
    [25_000n, ['10000 + 1900', '5000 + 350', '2750 + 0']],
  ])('of %s are its share of each', (part, expected) => {
    expect(shown(part)).toEqual(expected);
  });

  it('come to the part less its rounding, and never fall where the part grows', () => {
    fc.assert(
      fc.property(aRandomRequest, fc.nat(1000), fc.nat(1000), (request, share, more) => {
        const { taxGroups, total, rounding } = calculate(request);
        // Cash rounding may leave nothing of a small amount, and so no part of it.
        fc.pre(total.isPositive());
        const part = (total.minor * BigInt(share)) / 1000n;
        const larger = part + ((total.minor - part) * BigInt(more)) / 1000n;
        const of = (minor: bigint) => taxParts(taxGroups, Money.of(minor, total.currency), total);
        const sumOf = (minor: bigint) =>
          of(minor).reduce((sum, { base, tax }) => sum + base.minor + tax.minor, 0n);
        // The rounding is a part of the part, or takes from it.
        const rest = part - sumOf(part);
        const most = rounding.isNegative() ? -rounding.minor : rounding.minor;
        expect(rest * (rounding.isNegative() ? -1n : 1n) >= -1n && rest <= most + 1n).toBe(true);
        const taxOf = (minor: bigint) => of(minor).map(({ tax }) => sizeOf(tax));
        expect(taxOf(part).every((tax, index) => tax <= (taxOf(larger)[index] ?? 0n))).toBe(true);
        expect(taxesLess(taxGroups, of(total.minor)).every(isNothing)).toBe(true);
      }),
      runsOf(1000),
    );
  });
});

/** Of a rate below zero, the tax goes the other way. */
function sizeOf(tax: Money): bigint {
  return tax.isNegative() ? -tax.minor : tax.minor;
}

function isNothing({ base, tax }: { base: Money; tax: Money }): boolean {
  return base.isZero() && tax.isZero();
}
