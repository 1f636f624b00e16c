import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Decimal } from '../../src/kernel/decimal.js';

const aDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(18))
  .map(([units, scale]) => Decimal.of(units, scale));

/** `units / 10^places` of a plain decimal text, read digit by digit. */
function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0') || '0');
  return text.startsWith('-') ? -units : units;
}

describe('Decimal', () => {
  it('prints what it parsed, without trailing zeros', () => {
    fc.assert(
      fc.property(aDecimal, (decimal) => {
        const text = decimal.toString();
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(text).not.toBe('-0');
        expect(Decimal.parse(text).compare(decimal)).toBe(0);
        expect(Decimal.parse(text).toString()).toBe(text);
        expect(scaled(text, 18)).toBe(decimal.units * 10n ** BigInt(18 - decimal.scale));
      }),
    );
  });

  it.each([
    ['1.50', '1.5'],
    ['007', '7'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['100', '100'],
    ['0.000000000001', '0.000000000001'],
  ])('reads %s as %s', (text, printed) => {
    expect(Decimal.parse(text).toString()).toBe(printed);
  });

  it.each(['', ' ', '1.', '.5', '+1', '1e3', '0x10', '1,5', '--1', 'NaN', '١', '1 ', '1\n', '1_0'])(
    'does not read %j',
    (text) => {
      expect(Decimal.isDecimal(text)).toBe(false);
      expect(() => Decimal.parse(text)).toThrow('not a decimal');
    },
  );

  it('compares as numbers do', () => {
    fc.assert(
      fc.property(aDecimal, aDecimal, (one, other) => {
        const difference = scaled(one.toString(), 18) - scaled(other.toString(), 18);
        expect(one.compare(other)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
        expect(one.isZero()).toBe(scaled(one.toString(), 18) === 0n);
        expect(one.isNegative()).toBe(scaled(one.toString(), 18) < 0n);
      }),
    );
  });

  it('multiplies exactly', () => {
    fc.assert(
      fc.property(aDecimal, aDecimal, (one, other) => {
        const product = scaled(one.toString(), 18) * scaled(other.toString(), 18);
        expect(scaled(one.times(other).toString(), 36)).toBe(product);
        expect(scaled(one.percent().toString(), 20)).toBe(scaled(one.toString(), 18));
      }),
    );
  });

  it.each([
    ['1', '3', 4, '0.3333'],
    ['2', '3', 4, '0.6667'],
    ['1', '1.0875', 12, '0.919540229885'],
    ['-1', '8', 2, '-0.13'],
    ['0.001', '0.00002', 0, '50'],
  ])('divides %s by %s to %i places', (over, under, places, result) => {
    expect(Decimal.parse(over).dividedHalfUp(Decimal.parse(under), places).toString()).toBe(result);
  });

  it('rounds to the nearest, and a half away from zero', () => {
    fc.assert(
      fc.property(aDecimal, (decimal) => {
        // The rounded number is the only one that is at most a half away, on the outer side.
        const one = 10n ** BigInt(decimal.scale);
        const rounded = decimal.roundHalfUp();
        const twice = 2n * (decimal.units - rounded * one);
        const outward = decimal.units < 0n ? -twice : twice;
        expect(outward < one && outward >= -one).toBe(true);
      }),
    );
  });

  it.each([
    ['0.5', 1n],
    ['-0.5', -1n],
    ['1.5', 2n],
    ['2.5', 3n],
    ['-2.5', -3n],
    ['2.4999999999999999999', 2n],
    ['0.49', 0n],
    ['-0.49', 0n],
    ['138.665', 139n],
    ['7', 7n],
  ])('rounds %s to %s', (text, rounded) => {
    expect(Decimal.parse(text).roundHalfUp()).toBe(rounded);
  });
});
