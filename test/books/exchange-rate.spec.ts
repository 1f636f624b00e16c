import { describe, expect, it } from 'vitest';
import { type ExchangeRate, rateBetween } from '../../src/books/domain/exchange-rate.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { Money } from '../../src/kernel/money.js';

const told = (base: string, quote: string, rate: string, day = '2026-11-20'): ExchangeRate => ({
  base,
  quote,
  day,
  rate: Decimal.parse(rate),
  source: 'ECB',
});
const found = (known: ExchangeRate[], from: string, to: string, via = 'EUR') => {
  const rate = rateBetween(known, from, to, via);
  return rate && { ...rate, rate: rate.rate.toString() };
};

describe('the rate between two currencies', () => {
  it('is as it was told', () => {
    const known = [told('USD', 'EUR', '0.92')];
    expect(found(known, 'USD', 'EUR')).toEqual({ rate: '0.92', source: 'ECB', day: '2026-11-20' });
  });

  it('is the inverse where it was told the other way round', () => {
    const rate = found([told('EUR', 'USD', '1.0875')], 'USD', 'EUR')?.rate;
    expect(rate).toBe('0.919540229885057471264368');
  });

  it('is the newer one of both directions, and the told one on the same day', () => {
    const direct = told('USD', 'EUR', '0.92');
    expect(found([direct, told('EUR', 'USD', '2', '2026-11-21')], 'USD', 'EUR')?.rate).toBe('0.5');
    expect(found([told('EUR', 'USD', '2'), direct], 'USD', 'EUR')?.rate).toBe('0.92');
  });

  it('goes by way of the base currency, and is as old as the older of the two', () => {
    const known = [told('EUR', 'USD', '1.25'), told('EUR', 'GBP', '0.8', '2026-11-19')];
    const expected = { rate: '0.64', source: 'ECB', day: '2026-11-19' };
    expect(found(known, 'USD', 'GBP')).toEqual(expected);
  });

  it('is unknown where no way leads', () => {
    expect(found([told('EUR', 'USD', '1.25')], 'USD', 'GBP')).toBeNull();
    expect(found([told('CHF', 'USD', '1.25'), told('CHF', 'GBP', '1')], 'USD', 'GBP')).toBeNull();
  });
});

describe('money in another currency', () => {
  it.each([
    [11_000n, 'USD', '0.92', 'EUR', 10_120n],
    [1n, 'USD', '0.5', 'EUR', 1n],
    [12_345n, 'JPY', '0.0061', 'EUR', 7530n],
    [7530n, 'EUR', '163.934426', 'JPY', 12_344n],
    [1234n, 'EUR', '0.3321', 'KWD', 4098n],
    [4098n, 'KWD', '3.0111', 'EUR', 1234n],
    [10_000_000_000_000n, 'VND', '0.0000121', 'KWD', 121_000_000_000n],
  ])('%i %s at %s is %s %i', (minor, from, rate, to, worth) => {
    const money = Money.of(minor, from).exchangedHalfUp(Decimal.parse(rate), to);
    expect(money).toEqual(Money.of(worth, to));
  });
});
