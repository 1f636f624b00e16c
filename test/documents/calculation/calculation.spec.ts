import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { calculate } from '../../../src/documents/domain/calculation/calculation.js';
import type { LineRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import { CURRENCIES } from '../../../src/kernel/currency.js';
import { aDecimalText, aLine, aRequest } from '../requests.js';
import { runsOf } from '../../support/share.js';

const calculated = (lines: LineRequest[], currency = 'EUR') =>
  calculate(aRequest({ lines, currency }));

const sums = (lines: LineRequest[], currency = 'EUR') => {
  const { netTotal, taxTotal, total } = calculated(lines, currency);
  return [netTotal, taxTotal, total].map(({ minor }) => minor);
};

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
    const { taxGroups, taxTotal } = calculated([
      aLine({ unitAmountMinor: 1000n, taxRate: '19' }),
      aLine({ unitAmountMinor: 500n, taxRate: '7' }),
      aLine({ unitAmountMinor: 250n, taxRate: '19.00' }),
      aLine({ unitAmountMinor: 100n }),
      aLine({ unitAmountMinor: 50n, taxCategory: 'AE' }),
      aLine({ unitAmountMinor: 25n, taxCategory: 'L', taxRate: '7' }),
    ]);
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
    expect(calculated(lines).lines).toMatchObject([
      { position: 1, quantity: '2.5', taxRate: '7', taxCategory: 'S', unitAmountDecimal: '100' },
      { position: 2, description: 'Travel', taxCategory: 'Z' },
    ]);
  });

  it('say why there is no tax: what the lines say, each once, else the usual words', () => {
    const [ae, e, ...others] = calculated([
      aLine({ taxCategory: 'E', exemptionReason: 'Article 44' }),
      aLine({ taxCategory: 'E', exemptionReason: 'Article 45' }),
      aLine({ taxCategory: 'E', exemptionReason: 'Article 44' }),
      aLine({ taxCategory: 'AE' }),
      aLine({ taxCategory: 'Z' }),
      aLine({ taxRate: '19' }),
    ]).taxGroups.toSorted((one, other) => (one.category < other.category ? -1 : 1));
    expect(ae).toMatchObject({ category: 'AE', exemptionCode: 'VATEX-EU-AE' });
    expect(ae?.exemptionReason).toBeTruthy();
    expect(e).toMatchObject({ category: 'E', exemptionReason: 'Article 44; Article 45' });
    expect(others).toMatchObject([
      { category: 'S', exemptionCode: null, exemptionReason: null },
      { category: 'Z', exemptionCode: null, exemptionReason: null },
    ]);
  });
});

describe('a line', () => {
  it('has a unit, an exemption and its adjustments, or nothing of the kind', () => {
    const lines = [
      aLine({
        unit: 'HUR',
        taxCategory: 'K',
        discounts: [{ percent: '10.0', reason: 'Loyalty' }, { amountMinor: 5n }],
        charges: [{ amountMinor: 1n }],
      }),
      aLine(),
    ];
    const [full, plain] = calculated(lines).lines;
    expect(full).toMatchObject({
      unit: 'HUR',
      exemptionReason: expect.any(String),
      discounts: [
        { percent: '10', amount: { minor: 10n }, reason: 'Loyalty' },
        { percent: null, amount: { minor: 5n }, reason: null },
      ],
      charges: [{ percent: null, amount: { minor: 1n }, reason: null }],
      amount: { minor: 86n },
    });
    expect(plain).toMatchObject({ unit: 'C62', exemptionReason: null, discounts: [], charges: [] });
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
        const result = calculated(lines);
        const found = [result.netTotal, result.taxTotal, result.total].map(({ minor }) => minor);
        expect(found).toEqual(oracle(lines));
        const bases = result.taxGroups.reduce((sum, { base }) => sum + base.minor, 0n);
        expect(bases).toBe(result.netTotal.minor);
        const nets = result.lines.reduce((sum, { net }) => sum + net.minor, 0n);
        expect(nets).toBe(result.netTotal.minor);
      }),
      runsOf(5000),
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
