import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agedFigures, NOTHING_OWED } from '../../src/books/domain/aging.js';
import { BaseRates, inBaseOf, summed, withoutRate } from '../../src/books/domain/base-currency.js';
import { closedAt } from '../../src/books/domain/period.js';
import { type PeriodFlow, revenueReport } from '../../src/books/domain/revenue.js';
import { revenueInBase } from '../../src/books/domain/revenue-in-base.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { Decimal } from '../../src/kernel/decimal.js';

// Figures of reports beside the originals, in currencies with no, two and three decimal places.

const DAY = '2026-11-20';
const CURRENCIES = ['EUR', 'JPY', 'KWD', 'USD', 'VND'];

const ratesOf = (base: string, told: Record<string, string>) =>
  new BaseRates(base, ({ currency, day }) => {
    const text = told[currency];
    return text ? { rate: Decimal.parse(text), day, source: 'ECB' } : null;
  });

/** By another way than ours: the nearest of a fraction, halves away from zero. */
function worthOf(minor: bigint, from: string, rate: string, base: string): bigint {
  const [whole = '', places = ''] = rate.split('.');
  const over = minor * BigInt(whole + places) * 10n ** BigInt(minorDigits(base));
  const under = 10n ** BigInt(places.length + minorDigits(from));
  const half = over < 0n ? -under : under;
  return (2n * over + half) / (2n * under);
}

const aRate = fc
  .tuple(fc.nat(2000), fc.integer({ min: 1, max: 999_999 }))
  .map(([whole, places]) => `${whole}.${String(places).padStart(6, '0')}`);
const aMinor = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

describe('figures in the base currency', () => {
  it('are each the original at its rate, rounded once, and add up to the sums', () => {
    const told = fc.dictionary(fc.constantFrom(...CURRENCIES), aRate);
    const lines = fc.array(fc.tuple(fc.constantFrom(...CURRENCIES), aMinor, aMinor));
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES), told, lines, (base, known, amounts) => {
        const rates = ratesOf(base, known);
        const shown = amounts.map(([currency, total, credit]) => {
          const figures = agedFigures({ ...NOTHING_OWED, total, credit });
          return { currency, figures, inBase: inBaseOf(figures, { currency, day: DAY }, rates) };
        });
        let [totals, credits] = [0n, 0n];
        for (const { currency, figures, inBase } of shown) {
          const rate = currency === base ? '1' : known[currency];
          expect(inBase === null).toBe(rate === undefined);
          if (!inBase || !rate) continue;
          expect(inBase.figures.total).toBe(worthOf(figures.total, currency, rate, base));
          expect(inBase.figures.credit).toBe(worthOf(figures.credit, currency, rate, base));
          totals += inBase.figures.total;
          credits += inBase.figures.credit;
        }
        const sums = summed([NOTHING_OWED, ...shown.flatMap((line) => line.inBase?.figures ?? [])]);
        expect([sums.total, sums.credit, sums.not_due]).toEqual([totals, credits, 0n]);
        const used = new Set(shown.map(({ currency }) => currency));
        expect(withoutRate(shown)).toEqual(
          CURRENCIES.filter((one) => used.has(one) && one !== base && !(one in known)),
        );
      }),
    );
  });

  it('are themselves in the base currency, at no rate of anybody', () => {
    const rates = ratesOf('KWD', { KWD: '2' });
    const inBase = inBaseOf({ total: -1001n }, { currency: 'KWD', day: DAY }, rates);
    expect(inBase).toMatchObject({ figures: { total: -1001n }, rate: { day: null, source: null } });
    expect(inBase?.rate.rate.toString()).toBe('1');
  });
});

const flow = (period: string, currency: string, amount: bigint): PeriodFlow => ({
  period,
  currency,
  amount,
  fact: 'document.issued',
  debit: 'receivables',
  credit: 'revenue',
});

describe('revenue in the base currency', () => {
  const days = { from: '2026-09-10', to: '2026-11-20', interval: 'month' } as const;
  const tax = { category: 'S', rate: '19', base: 101n, tax: 19n };

  it('takes the rate of the last day of each period, and tells who has none', () => {
    const flows = [
      flow('2026-09-01', 'EUR', 100n),
      flow('2026-09-01', 'USD', 101n),
      flow('2026-10-01', 'JPY', 7n),
      flow('2026-11-01', 'USD', 103n),
    ];
    const taxes = [
      { ...tax, period: '2026-09-01', currency: 'USD' },
      { ...tax, period: '2026-11-01', currency: 'USD' },
    ];
    const told: Record<string, string> = { '2026-09-30': '0.5', '2026-11-20': '2' };
    const rates = new BaseRates('EUR', ({ currency, day }) => {
      const text = currency === 'USD' && told[day];
      return text ? { rate: Decimal.parse(text), day, source: 'ECB' } : null;
    });
    const { periods, base } = revenueInBase(revenueReport(days, flows, taxes).periods, rates);
    expect(periods.map(({ inBase }) => inBase?.figures.net.total)).toEqual([
      100n,
      51n,
      undefined,
      206n,
    ]);
    expect(base.withoutRate).toEqual(['JPY']);
    expect(base.figures.invoiced).toMatchObject({ net: 357n, total: 357n });
    expect(base.taxes).toEqual([{ ...tax, base: 51n + 202n, tax: 10n + 38n }]);
    expect(
      base.periods.map(({ from, withoutRate: none, figures }) => [from, none, figures.net.net]),
    ).toEqual([
      ['2026-09-10', [], 151n],
      ['2026-10-01', ['JPY'], 0n],
      ['2026-11-01', [], 206n],
    ]);
  });
});

const decided = (action: 'closed' | 'reopened', openFrom: string, hour: number) => ({
  action,
  openFrom,
  decidedAt: new Date(Date.UTC(2026, 10, 22, hour)),
  chartVersion: null,
});

describe('the instant of a closing', () => {
  it('is that of its closing; after a reopening, of the one that followed', () => {
    const closings = [decided('closed', '2026-10-01', 1), decided('closed', '2026-11-01', 2)];
    const hours = (openFrom: string, all: typeof closings) =>
      ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'].map(
        (day) => closedAt(day, openFrom, all)?.getUTCHours() ?? null,
      );
    expect(hours('2026-11-01', closings)).toEqual([1, 2, 2, null]);
    const reopened = [...closings, decided('reopened', '2026-10-01', 3)];
    expect(hours('2026-10-01', reopened)).toEqual([1, null, null, null]);
    // Between the two steps of a closing no fact gets in, but it is not closed yet.
    expect(hours('2026-11-01', reopened)).toEqual([1, null, null, null]);
    const again = [...reopened, decided('closed', '2026-11-01', 4)];
    expect(hours('2026-11-01', again)).toEqual([1, 4, 4, null]);
  });
});
