import { describe, expect, it } from 'vitest';
import { lateInterest } from '../../src/dunning/domain/late-interest.js';
import { knownUntil, LAWS, statutoryRates } from '../../src/dunning/domain/late-payment-law.js';

const said = (
  country: string,
  kind: 'business' | 'consumer',
  own: { from: string; percent: string }[] = [],
) =>
  statutoryRates(country, kind, own).map(({ from, through, percent }) => [
    from,
    through,
    String(percent),
  ]);

describe('statutory rates', () => {
  it('follow the base rate of each half year', () => {
    expect(said('DE', 'business').slice(-3)).toEqual([
      ['2024-07-01', '2024-12-31', '12.37'],
      ['2025-01-01', '2025-06-30', '11.27'],
      ['2025-07-01', '2026-06-30', '10.27'],
    ]);
    expect(said('DE', 'business')[0]).toEqual(['2016-07-01', '2022-12-31', '8.12']);
    expect(said('DE', 'consumer').at(-1)?.[2]).toBe('6.27');
    expect(said('AT', 'business').at(-1)?.[2]).toBe('10.73');
    expect(said('AT', 'consumer')).toEqual([['2016-07-01', '2026-06-30', '4']]);
    expect(said('FR', 'business').at(-1)?.[2]).toBe('12.15');
    expect(said('IE', 'consumer')).toEqual([]);
    expect(LAWS).toHaveLength(9);
  });

  it('have those that an account adds, for their half year alone', () => {
    const own = [
      { from: '2026-01-01', percent: '2' },
      { from: '2027-01-01', percent: '3' },
    ];
    expect(said('DE', 'business', own).slice(-3)).toEqual([
      ['2025-07-01', '2025-12-31', '10.27'],
      ['2026-01-01', '2026-06-30', '11'],
      ['2027-01-01', '2027-06-30', '12'],
    ]);
    expect(knownUntil(own)).toBe('2026-06-30');
    expect(knownUntil([...own, { from: '2026-07-01', percent: '2' }])).toBe('2027-06-30');
  });
});

describe('interest', () => {
  it('is none for days whose rate nobody said, nor for days on which nothing was owed', () => {
    const owed = [
      { from: '2026-06-01', amount: 100_000n },
      { from: '2026-06-20', amount: 0n },
      { from: '2026-06-25', amount: 50_000n },
    ];
    const { parts, amount } = lateInterest(
      owed,
      statutoryRates('DE', 'business', []),
      '2026-06-11',
      '2026-08-31',
    );
    expect(parts.map(({ from, through, days }) => [from, through, days])).toEqual([
      ['2026-06-11', '2026-06-19', 9],
      ['2026-06-25', '2026-06-30', 6],
    ]);
    // 1,000.00 for 9 days and 500.00 for 6 at 10.27 %: 2.532 and 0.844.
    expect(amount).toBe(338n);
  });

  it('counts 365 days to a year, also in a leap year', () => {
    const rates = [
      {
        from: '2024-01-01',
        through: '2024-12-31',
        percent: statutoryRates('AT', 'consumer', [])[0]!.percent,
      },
    ];
    const owed = [{ from: '2024-01-01', amount: 100_000n }];
    expect(lateInterest(owed, rates, '2024-01-01', '2024-12-31').amount).toBe(4011n);
  });
});
