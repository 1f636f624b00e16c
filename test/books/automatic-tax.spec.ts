import fc from 'fast-check';
import { expect, it } from 'vitest';
import { taxCorrections } from '../../src/books/domain/automatic-tax.js';

/** Rounded half up by the distance to the next whole number; the mirror below zero. */
function taxOf(gross: bigint, percent: number): bigint {
  const [part, whole] = [BigInt(percent), BigInt(100 + percent)];
  const size = gross < 0n ? -gross : gross;
  const rest = (size * part) % whole;
  const tax = (size * part - rest) / whole + (2n * rest >= whole ? 1n : 0n);
  return gross < 0n ? -tax : tax;
}

it('lines that come to zero make up for what a program would compute otherwise', () => {
  const gross = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
  const missing = fc.bigInt({ min: -3n, max: 3n });
  fc.assert(
    fc.property(gross, missing, fc.integer({ min: 1, max: 100 }), (amount, cents, percent) => {
      const tax = taxOf(amount, percent) + cents;
      const lines = taxCorrections(amount, tax, String(percent));
      expect(lines.reduce((sum, one) => sum + one, 0n)).toBe(0n);
      const all = [amount, ...lines].reduce((sum, one) => sum + taxOf(one, percent), 0n);
      expect(all).toBe(tax);
      expect(lines).toHaveLength(3 * Math.abs(Number(cents)));
    }),
  );
});

it('none follow where tax was rounded from its base, nor at a rate of zero', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1_000_000n }), fc.constantFrom(7n, 19n), (base, rate) => {
      const tax = (2n * base * rate + 100n) / 200n;
      expect(taxCorrections(base + tax, tax, String(rate))).toEqual([]);
    }),
  );
  expect(taxCorrections(100n, 0n, '0')).toEqual([]);
});
