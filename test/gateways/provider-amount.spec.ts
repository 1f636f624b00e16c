import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { CURRENCIES, minorDigits } from '../../src/kernel/currency.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../src/kernel/money.js';
import { decimalAmount, moneyTaken, rescale } from '../../src/gateways/provider-amount.js';

describe('amounts', () => {
  const aMinor = fc.bigInt({ min: 1n, max: LARGEST_AMOUNT_MINOR });
  const aCurrency = fc.constantFrom(...CURRENCIES);

  it('come back from their decimal notation unchanged', () => {
    fc.assert(
      fc.property(aMinor, aCurrency, fc.nat(4), (minor, currency, zeros) => {
        const text = Money.of(minor, currency).toDecimalString();
        const longer =
          zeros === 0 ? text : `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        expect(moneyTaken(decimalAmount(longer), currency)?.minor).toBe(minor);
      }),
    );
  });

  it('are never rounded', () => {
    fc.assert(
      fc.property(aMinor, aCurrency, fc.integer({ min: 1, max: 9 }), (minor, currency, last) => {
        const digits = minorDigits(currency);
        expect(
          moneyTaken({ units: minor * 10n + BigInt(last), digits: digits + 1 }, currency),
        ).toBe(undefined);
        const there = rescale(minor, digits, digits + last);
        expect(there !== undefined && rescale(there, digits + last, digits)).toBe(minor);
      }),
    );
  });

  it.each(['', '-1', '+1', '1e3', '0x10', ' 1', '1,5', '1.', '.5', '١', 'NaN'])(
    'are not read from %j',
    (text) => expect(decimalAmount(text)).toBe(undefined),
  );

  it.each([
    ['0', 'EUR'],
    ['1', 'XXX'],
    ['1', 'eur'],
    ['100000000000.01', 'EUR'],
    ['0.5', 'JPY'],
  ])('of %s %s are left to a person', (text, currency) =>
    expect(moneyTaken(decimalAmount(text), currency)).toBe(undefined),
  );
});
