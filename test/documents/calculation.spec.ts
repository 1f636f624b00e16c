import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  calculate,
  type LineRequest,
  TAX_CATEGORIES,
} from '../../src/documents/domain/calculation.js';
import type { DomainError } from '../../src/kernel/domain-error.js';
import { CURRENCIES } from '../../src/kernel/currency.js';
import { LARGEST_AMOUNT_MINOR } from '../../src/kernel/money.js';

function aLine(over: Partial<LineRequest> = {}): LineRequest {
  const priced = 'unitAmountDecimal' in over || 'unitAmountMinor' in over;
  return {
    description: 'Consulting',
    quantity: '1',
    ...(!priced && { unitAmountMinor: 100n }),
    ...over,
  };
}

const sums = (lines: LineRequest[], currency = 'EUR') => {
  const { netTotal, taxTotal, total } = calculate(lines, currency);
  return [netTotal, taxTotal, total].map(({ minor }) => minor);
};

function refusalOf(lines: LineRequest[]): { code: string; fields: string[][] } {
  try {
    calculate(lines, 'EUR');
  } catch (error) {
    const { code, errors } = error as DomainError;
    return { code, fields: errors.map((field) => [field.pointer, field.code]) };
  }
  return { code: 'accepted', fields: [] };
}

describe('known cases of EN 16931', () => {
  it('taxes 138.66 with 19 %', () => {
    const lines = [aLine({ unitAmountMinor: 13_866n, taxRate: '19' })];
    expect(sums(lines)).toEqual([13_866n, 2635n, 16_501n]);
  });

  it('taxes three lines of 33.33 once, not three times', () => {
    const lines = Array.from({ length: 3 }, () => aLine({ unitAmountMinor: 3333n, taxRate: '19' }));
    expect(sums(lines)).toEqual([9999n, 1900n, 11_899n]);
  });

  it('adds 0.1 and 0.2', () => {
    expect(sums([aLine({ unitAmountMinor: 10n }), aLine({ unitAmountMinor: 20n })])[2]).toBe(30n);
    const parts = [aLine({ quantity: '0.1' }), aLine({ quantity: '0.2' })];
    expect(sums(parts)[2]).toBe(30n);
  });

  it('rounds each line before it adds', () => {
    const lines = [aLine({ quantity: '0.005' }), aLine({ quantity: '0.005' })];
    expect(sums(lines)[0]).toBe(2n);
  });

  it('rounds a half of tax up', () => {
    expect(sums([aLine({ unitAmountMinor: 50n, taxRate: '1' })])[1]).toBe(1n);
    expect(sums([aLine({ unitAmountMinor: 49n, taxRate: '1' })])[1]).toBe(0n);
  });

  it('multiplies prices below a minor unit exactly', () => {
    const line = aLine({ quantity: '1000000000', unitAmountDecimal: '0.000000000001' });
    expect(sums([line])[0]).toBe(0n);
    expect(sums([{ ...line, unitAmountDecimal: '0.0000000005' }])[0]).toBe(1n);
    expect(sums([aLine({ quantity: '40000', unitAmountDecimal: '0.0125' })])[0]).toBe(500n);
  });

  it.each(CURRENCIES.filter((code) => ['EUR', 'JPY', 'KWD'].includes(code)))(
    'counts %s in its own minor unit',
    (currency) => expect(sums([aLine({ taxRate: '10' })], currency)).toEqual([100n, 10n, 110n]),
  );
});

describe('tax groups', () => {
  it('are one for each category and rate, highest rate first', () => {
    const { taxGroups, taxTotal } = calculate(
      [
        aLine({ unitAmountMinor: 1000n, taxRate: '19' }),
        aLine({ unitAmountMinor: 500n, taxRate: '7' }),
        aLine({ unitAmountMinor: 250n, taxRate: '19.00' }),
        aLine({ unitAmountMinor: 100n }),
        aLine({ unitAmountMinor: 50n, taxCategory: 'AE' }),
        aLine({ unitAmountMinor: 25n, taxCategory: 'L', taxRate: '7' }),
      ],
      'EUR',
    );
    const seen = taxGroups.map(({ category, rate, base, tax }) => [
      category,
      rate,
      base.minor,
      tax.minor,
    ]);
    expect(seen).toEqual([
      ['S', '19', 1250n, 238n],
      ['L', '7', 25n, 2n],
      ['S', '7', 500n, 35n],
      ['AE', '0', 50n, 0n],
      ['Z', '0', 100n, 0n],
    ]);
    expect(taxTotal.minor).toBe(275n);
  });

  it('keep the lines as they were asked for, numbered', () => {
    const lines = [aLine({ quantity: '2.50', taxRate: '7.0' }), aLine({ description: 'Travel' })];
    expect(calculate(lines, 'EUR').lines).toMatchObject([
      { position: 1, quantity: '2.5', taxRate: '7', taxCategory: 'S', unitAmountDecimal: '100' },
      { position: 2, description: 'Travel', taxCategory: 'Z' },
    ]);
  });
});

describe('refusals', () => {
  it('tell of every wrong line at once', () => {
    const lines = [
      aLine({ unitAmountMinor: undefined }),
      aLine({ unitAmountMinor: 1n, unitAmountDecimal: '1' }),
      aLine({ taxCategory: 'S' }),
      aLine({ taxCategory: 'AE', taxRate: '19' }),
      aLine(),
    ];
    expect(refusalOf(lines)).toEqual({
      code: 'validation_failed',
      fields: [
        ['/lines/0/unit_amount', 'one_price_required'],
        ['/lines/1/unit_amount', 'one_price_required'],
        ['/lines/2/tax_rate', 'tax_rate_required'],
        ['/lines/3/tax_rate', 'tax_rate_not_allowed'],
      ],
    });
  });

  it.each(TAX_CATEGORIES)('know which rates go with category %s', (taxCategory) => {
    const taxed = refusalOf([aLine({ taxCategory, taxRate: '5' })]).code;
    const untaxed = refusalOf([aLine({ taxCategory, taxRate: '0.00' })]).code;
    const zeroOnly = ['Z', 'E', 'AE', 'K', 'G', 'O'].includes(taxCategory);
    expect(taxed).toBe(zeroOnly ? 'tax_rate_not_allowed' : 'accepted');
    expect(untaxed).toBe(taxCategory === 'S' ? 'tax_rate_required' : 'accepted');
  });

  it('draw the line at 10^13, tax included', () => {
    const most = aLine({ unitAmountMinor: LARGEST_AMOUNT_MINOR });
    expect(sums([most])[2]).toBe(LARGEST_AMOUNT_MINOR);
    expect(refusalOf([most, aLine({ unitAmountMinor: 1n })]).code).toBe('total_too_large');
    const taxed = aLine({ unitAmountMinor: LARGEST_AMOUNT_MINOR, taxRate: '0.0001' });
    expect(refusalOf([taxed]).code).toBe('total_too_large');
    const huge = aLine({ quantity: '1000000000', unitAmountMinor: LARGEST_AMOUNT_MINOR });
    expect(refusalOf(Array.from({ length: 1000 }, () => huge)).code).toBe('total_too_large');
  });
});

/** A decimal text as a fraction. */
function fraction(text: string): [bigint, bigint] {
  const [whole = '', decimals = ''] = text.split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}

/** Halves up by long division: the remainder decides. */
function divided(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return (numerator % denominator) * 2n >= denominator ? quotient + 1n : quotient;
}

/** The same sums, written the other way round: fractions, and a pass over the lines per group. */
function oracle(lines: LineRequest[]): [bigint, bigint, bigint] {
  const nets = lines.map((line) => {
    const [quantity, perQuantity] = fraction(line.quantity);
    const [price, perPrice] = fraction(line.unitAmountDecimal ?? `${line.unitAmountMinor}`);
    return divided(quantity * price, perQuantity * perPrice);
  });
  // In millionths of a percent, so that 7 and 7.00 are one rate.
  const rates = lines.map(({ taxRate }) => {
    const [rate, per] = fraction(taxRate ?? '0');
    return (rate * 1_000_000n) / per;
  });
  let [net, tax] = [0n, 0n];
  for (const value of nets) net += value;
  for (const rate of new Set(rates)) {
    let base = 0n;
    for (const [at, value] of nets.entries()) if (rates[at] === rate) base += value;
    tax += divided(base * rate, 100_000_000n);
  }
  return [net, tax, net + tax];
}

const aDecimalText = (most: number, places: number) =>
  fc
    .tuple(fc.nat(most), fc.nat(places), fc.nat(10 ** places - 1))
    .map(([whole, kept, decimals]) =>
      kept === 0 ? `${whole}` : `${whole}.${String(decimals).padStart(places, '0').slice(0, kept)}`,
    );

const aRandomLine: fc.Arbitrary<LineRequest> = fc
  .record({
    quantity: aDecimalText(5000, 6),
    price: fc.oneof(fc.bigInt({ min: 0n, max: 1_000_000n }), aDecimalText(100_000, 9)),
    taxRate: fc.oneof(
      fc.constantFrom(undefined, '0', '7', '7.00', '19', '19.0', '5.5', '100', '0.0001'),
      aDecimalText(99, 4),
    ),
  })
  .map(({ quantity, price, taxRate }) => ({
    description: 'Consulting',
    quantity,
    ...(typeof price === 'bigint' ? { unitAmountMinor: price } : { unitAmountDecimal: price }),
    ...(taxRate !== undefined && { taxRate }),
  }));

describe('any document', () => {
  it('has the sums that an independent calculation finds', () => {
    fc.assert(
      fc.property(fc.array(aRandomLine, { minLength: 1, maxLength: 12 }), (lines) => {
        const result = calculate(lines, 'EUR');
        const found = [result.netTotal, result.taxTotal, result.total].map(({ minor }) => minor);
        expect(found).toEqual(oracle(lines));
        const bases = result.taxGroups.reduce((sum, { base }) => sum + base.minor, 0n);
        expect(bases).toBe(result.netTotal.minor);
        const nets = result.lines.reduce((sum, { net }) => sum + net.minor, 0n);
        expect(nets).toBe(result.netTotal.minor);
      }),
      { numRuns: 5000 },
    );
  });

  it('has the same total whatever the order of its lines', () => {
    fc.assert(
      fc.property(fc.array(aRandomLine, { minLength: 2, maxLength: 8 }), (lines) => {
        expect(sums(lines.toReversed())).toEqual(sums(lines));
      }),
    );
  });
});
