import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/documents/domain/calculation/calculation.js';
import type {
  CalculationRequest,
  LineRequest,
} from '../../../src/documents/domain/calculation/calculation-request.js';
import { printed } from './calculation-check.js';
import { judge } from './calculation-oracle.js';
import type { Expected } from './verdict.js';

// Known hard cases, worked out by hand. Amounts are minor units. The oracle of the property test has
// to know them, too: an oracle that nobody has checked proves nothing.

type Lines = Omit<LineRequest, 'description'>[];

const line = (unitAmountMinor: bigint, taxRate?: string, quantity = '1') => {
  return { quantity, unitAmountMinor, taxRate };
};

/** An adjustment with a tax of its own. */
const taxed = (amountMinor: bigint, taxRate = '7') => ({ amountMinor, taxRate });

/** Costs nothing but for its charge. */
const charged = (amountMinor: bigint) => ({ ...line(0n, '19'), charges: [{ amountMinor }] });

const aRequest = ({
  lines,
  ...rest
}: Partial<Omit<CalculationRequest, 'lines'>> & { lines: Lines }): CalculationRequest => ({
  currency: 'EUR',
  pricesIncludeTax: false,
  discounts: [],
  charges: [],
  cashRounding: null,
  lines: lines.map((line, index) => ({ description: `Line ${index + 1}`, ...line })),
  ...rest,
});

const SOLVERS: { by: string; solve: (request: CalculationRequest) => Expected }[] = [
  { by: 'the calculation', solve: (request) => printed(calculate(request)) },
  {
    by: 'the oracle',
    solve: (request) => {
      const { expected, refusals } = judge(request);
      if (!expected) throw Object.assign(new Error('refused'), { code: [...refusals].join() });
      return expected;
    },
  },
];

describe.each(SOLVERS)('a document, by $by:', ({ solve }) => {
  const solved = (request: Parameters<typeof aRequest>[0]) => solve(aRequest(request));
  const refusalOf = (request: Parameters<typeof aRequest>[0]) => {
    try {
      solved(request);
    } catch (error) {
      return (error as { code?: string }).code;
    }
    return 'accepted';
  };

  describe('rounding', () => {
    it('138.66 with 19 % is 165.01', () => {
      // 13866 x 0.19 = 2634.54, up to 2635
      expect(solved({ lines: [line(13866n, '19')] })).toMatchObject({
        netTotal: 13866n,
        taxTotal: 2635n,
        total: 16501n,
      });
    });

    it('138.66 including 19 % has 22.14 tax', () => {
      // 13866 x 19 / 119 = 263454 / 119 = 2213.899, up to 2214
      const made = solved({ lines: [line(13866n, '19')], pricesIncludeTax: true });
      expect(made).toMatchObject({ netTotal: 11652n, taxTotal: 2214n, total: 13866n });
    });

    it('three lines of 33.33 are taxed once, as a group', () => {
      // 9999 x 0.19 = 1899.81, up to 1900; by line it would be 3 x 633 = 1899
      const made = solved({ lines: [line(3333n, '19'), line(3333n, '19'), line(3333n, '19')] });
      expect(made).toMatchObject({ netTotal: 9999n, taxTotal: 1900n, total: 11899n });
      // 3333 x 1.19 = 3966.27 each, floors 11898; the unit that is missing goes to the first
      expect(made.lines.map(({ gross }) => gross)).toEqual([3967n, 3966n, 3966n]);
    });

    it('three lines of 33.33 including tax keep their sum', () => {
      // tax 9999 x 19 / 119 = 1596.48, down to 1596; base 8403
      // net 3333 x 100 / 119 = 2800.84 each, floors 8400; each gets one of the 3 that are missing
      const lines = [line(3333n, '19'), line(3333n, '19'), line(3333n, '19')];
      const made = solved({ lines, pricesIncludeTax: true });
      expect(made).toMatchObject({ netTotal: 8403n, taxTotal: 1596n, total: 9999n });
      expect(made.lines.map(({ net }) => net)).toEqual([2801n, 2801n, 2801n]);
    });

    it('353.90 including 19 % stays 353.90', () => {
      // 35390 x 19 / 119 = 672410 / 119 = 5650.504, up to 5651; base 29739.
      // No base has this gross: 29739 gives 5650, 29740 gives 5651, so BR-CO-17 is a cent off.
      const made = solved({ lines: [line(35390n, '19')], pricesIncludeTax: true });
      expect(made).toMatchObject({ netTotal: 29739n, taxTotal: 5651n, total: 35390n });
      expect(made.lines[0]).toMatchObject({ net: 29739n, gross: 35390n });
    });

    it('0.1 + 0.2 is 0.3', () => {
      // quantities 0.1 and 0.2 of 10.00: 100 + 200; prices 0.1 and 0.2 of a cent, 10 of each: 1 + 2
      const made = solved({
        lines: [
          line(1000n, '0', '0.1'),
          line(1000n, '0', '0.2'),
          { quantity: '10', unitAmountDecimal: '0.1' },
          { quantity: '10', unitAmountDecimal: '0.2' },
        ],
      });
      expect(made.lines.map(({ net }) => net)).toEqual([100n, 200n, 1n, 2n]);
      expect(made.total).toBe(303n);
    });

    it.each([
      // In binary floating point 1.005 x 100 is 100.49999999999999.
      { quantity: '1.005', price: '100', subtotal: 101n },
      { quantity: '0.5', price: '1', subtotal: 1n },
      { quantity: '0.499999', price: '1', subtotal: 0n },
      { quantity: '1', price: '2.5', subtotal: 3n },
      { quantity: '1', price: '2.499999999999', subtotal: 2n },
    ])('$quantity of $price is $subtotal', ({ quantity, price, subtotal }) => {
      const made = solved({ lines: [{ quantity, unitAmountDecimal: price }] });
      expect(made.lines[0]?.subtotal).toBe(subtotal);
    });

    it.each([
      { quantity: '1', price: '0.000000000001', total: 0n },
      { quantity: '1000000000', price: '0.000000000001', total: 0n },
      // 10^9 x 5 x 10^-10 = 0.5
      { quantity: '1000000000', price: '0.0000000005', total: 1n },
      { quantity: '1000000000', price: '0.000000000499', total: 0n },
      // 10^9 x 500.000000000001 = 500000000000.001
      { quantity: '1000000000', price: '500.000000000001', total: 500_000_000_000n },
      { quantity: '1000000000', price: '500.0000000005', total: 500_000_000_001n },
    ])('$quantity at $price come to $total', ({ quantity, price, total }) => {
      expect(solved({ lines: [{ quantity, unitAmountDecimal: price }] }).total).toBe(total);
    });
  });

  describe('discounts', () => {
    it('10.00 over three equal groups is 3.34, 3.33 and 3.33', () => {
      // 1000 / 3 = 333.33 each, floors 999; the missing one to the highest rate, first in order
      const made = solved({
        lines: [line(10000n), line(10000n, '7'), line(10000n, '19')],
        discounts: [{ amountMinor: 1000n }],
      });
      expect(made.discounts[0]?.shares.map(({ rate, amount }) => [rate, amount])).toEqual([
        ['19', 334n],
        ['7', 333n],
        ['0', 333n],
      ]);
      // 9666 x 0.19 = 1836.54, 9667 x 0.07 = 676.69
      expect(made.taxGroups.map(({ base, tax }) => [base, tax])).toEqual([
        [9666n, 1837n],
        [9667n, 677n],
        [9667n, 0n],
      ]);
      expect(made).toMatchObject({ subtotal: 30000n, discountTotal: 1000n, total: 31514n });
    });

    it('of one unit each go to one group after the other', () => {
      // 1/3 each: to 19 %. Then 99/299, 100/299, 100/299: to 7 %. Then 99, 99, 100 of 298: to 0 %.
      const made = solved({
        lines: [line(100n, '19'), line(100n, '7'), line(100n)],
        discounts: [{ amountMinor: 1n }, { amountMinor: 1n }, { amountMinor: 1n }],
      });
      const rates = made.discounts.flatMap(({ shares }) => shares.map(({ rate }) => rate));
      expect(rates).toEqual(['19', '7', '0']);
    });

    it('in percent round their halves up, each by itself', () => {
      // Line 1: 250 x 5 % = 12.5, up to 13, twice: 250 - 26 = 224
      // Document: (224 + 76) x 2.5 % = 7.5, up to 8; of it 8 x 224 / 300 = 5.97 and 2.03: 6 and 2
      const five = { percent: '5' };
      const made = solved({
        lines: [{ ...line(250n, '19'), discounts: [five, five] }, line(76n)],
        discounts: [{ percent: '2.5' }],
      });
      expect(made.lines[0]).toMatchObject({
        subtotal: 250n,
        discounts: [
          { percent: '5', amount: 13n },
          { percent: '5', amount: 13n },
        ],
        amount: 224n,
      });
      expect(made.discounts[0]?.shares.map(({ amount }) => amount)).toEqual([6n, 2n]);
      // 218 x 0.19 = 41.42
      expect(made).toMatchObject({ netTotal: 292n, taxTotal: 41n, total: 333n });
    });

    it('in percent are of the same sum, one like the other', () => {
      // 10 % and 10 % of 100.00 are 20.00, not 19.00
      const made = solved({
        lines: [line(10000n)],
        discounts: [{ percent: '10' }, { percent: '10' }],
      });
      expect(made.total).toBe(8000n);
    });

    it('of 10.00 on 119.00 at 19 % and 107.00 at 7 %, tax included, keep the gross', () => {
      const made = solved({
        lines: [line(11900n, '19'), line(10700n, '7')],
        discounts: [{ amountMinor: 1000n }],
        pricesIncludeTax: true,
      });
      // Shares: 1000 x 11900 / 22600 = 526.55 and 473.45: 527 and 473
      // 19 %: 11373 x 19 / 119 = 1815.86, up to 1816; base 9557. Components 10000 and -442.86, whose
      //       floor is -443: 9557 already.
      // 7 %:  10227 x 7 / 107 = 669.06, down to 669; base 9558. Components 10000 and -442.06, whose
      //       floor is -443: 9557, so the discount gets the unit, -442.
      expect(made.discounts[0]?.shares).toEqual([
        { category: 'S', rate: '19', amount: 527n, net: 443n },
        { category: 'S', rate: '7', amount: 473n, net: 442n },
      ]);
      expect(made.taxGroups.map(({ base, tax }) => [base, tax])).toEqual([
        [9557n, 1816n],
        [9558n, 669n],
      ]);
      expect(made.lines.map(({ net, gross }) => [net, gross])).toEqual([
        [10000n, 11373n],
        [10000n, 10227n],
      ]);
      expect(made).toMatchObject({
        subtotal: 20000n,
        discountTotal: 885n,
        netTotal: 19115n,
        taxTotal: 2485n,
        total: 21600n,
      });
    });

    it('of 100 % leave nothing', () => {
      const everything = { lines: [line(10000n, '19')], discounts: [{ percent: '100' }] };
      expect(solved(everything)).toMatchObject({
        lines: [{ net: 10000n, gross: 0n }],
        discountTotal: 10000n,
        netTotal: 0n,
        taxTotal: 0n,
        total: 0n,
      });
      // Including tax: components 8403.36 and -8403.36, floors 8403 and -8404; base 0, so one unit is
      // missing, and the discount has the larger rest: -8403.
      expect(solved({ ...everything, pricesIncludeTax: true })).toMatchObject({
        lines: [{ net: 8403n, gross: 0n }],
        discountTotal: 8403n,
        total: 0n,
      });
      const ofLine = { ...line(10000n, '19'), discounts: [{ percent: '100' }] };
      expect(solved({ lines: [ofLine] })).toMatchObject({
        lines: [{ subtotal: 10000n, discounts: [{ amount: 10000n }], amount: 0n, net: 0n }],
        total: 0n,
      });
    });

    it('above what there is are refused', () => {
      const tooMuch = { ...line(100n), discounts: [{ amountMinor: 101n }] };
      expect(refusalOf({ lines: [tooMuch] })).toBe('discount_too_large');
      const lines = [line(100n)];
      expect(refusalOf({ lines, discounts: [{ amountMinor: 101n }] })).toBe('discount_too_large');
      expect(refusalOf({ lines, discounts: [{ amountMinor: 100n }] })).toBe('accepted');
      // Two halves of one cent are two cents.
      const half = { percent: '50' };
      expect(refusalOf({ lines: [line(1n)], discounts: [half, half] })).toBe('discount_too_large');
    });
  });

  describe('charges', () => {
    it('with a tax of their own are a group of their own', () => {
      // 10000 x 0.19 = 1900, 490 x 0.07 = 34.3
      const made = solved({
        lines: [line(10000n, '19')],
        charges: [{ amountMinor: 490n, taxRate: '7.0' }],
      });
      expect(made.taxGroups).toEqual([
        { category: 'S', rate: '19', base: 10000n, tax: 1900n },
        { category: 'S', rate: '7', base: 490n, tax: 34n },
      ]);
      expect(made.lines[0]?.gross).toBe(11900n);
      expect(made).toMatchObject({ chargeTotal: 490n, netTotal: 10490n, total: 12424n });
    });

    it('of a tax that no line has bear the discounts of that tax', () => {
      // 10 % are of 490, as of lines: 49. 490 - 90 - 49 = 351, and 351 x 0.07 = 24.57
      const request = { lines: [line(10000n, '19')], charges: [taxed(490n)] };
      const discounts = [taxed(90n), { percent: '10', taxRate: '7' }];
      expect(solved({ ...request, discounts })).toMatchObject({
        taxGroups: [{ tax: 1900n }, { rate: '7', base: 351n, tax: 25n }],
        lines: [{ discountShare: 0n, gross: 11900n }],
        total: 12276n,
      });
      const codeOf = (...more: object[]) =>
        refusalOf({ ...request, discounts: [...discounts, ...more] });
      expect(codeOf(taxed(351n), taxed(0n))).toBe('accepted');
      expect(codeOf(taxed(352n))).toBe('discount_too_large');
      expect(codeOf(taxed(0n, '5'))).toBe('discount_without_lines');
      // They take nothing of what discounts on lines may take.
      expect(codeOf({ percent: '100' })).toBe('accepted');
    });

    it('follow the line amounts, not what discounts left', () => {
      // The discount takes all of 19 % and 7 % alike; the charge of 3 still goes 2 : 1.
      const made = solved({
        lines: [line(200n, '19'), line(100n, '7')],
        discounts: [{ percent: '100' }],
        charges: [{ amountMinor: 3n }],
      });
      expect(made.charges[0]?.shares.map(({ amount }) => amount)).toEqual([2n, 1n]);
      // 2 x 0.19 = 0.38 and 1 x 0.07 = 0.07: no tax
      expect(made.total).toBe(3n);
    });

    it('go to the first line where no line has an amount', () => {
      // A quantity of 0. 500 x 0.07 = 35
      const made = solved({
        lines: [line(1000n, '7', '0'), line(1000n, '19', '0')],
        charges: [{ amountMinor: 500n }],
      });
      expect(made.taxGroups.map(({ rate, base, tax }) => [rate, base, tax])).toEqual([
        ['19', 0n, 0n],
        ['7', 500n, 35n],
      ]);
      expect(made.lines.map(({ net, gross }) => [net, gross])).toEqual([
        [0n, 535n],
        [0n, 0n],
      ]);
      expect(made.total).toBe(535n);
    });
  });

  it('with a line of quantity 0 has that line, and nothing for it', () => {
    const made = solved({ lines: [line(1000n, '19', '0'), line(100n, '19')] });
    expect(made.lines[0]).toMatchObject({ subtotal: 0n, amount: 0n, net: 0n, gross: 0n });
    expect(made.total).toBe(119n);
  });

  it('in yen has no fractions, in dinars three digits', () => {
    // 3 x 333 x 0.10 = 99.9; 3 x 0.5 = 1.5
    expect(solved({ currency: 'JPY', lines: [line(333n, '10', '3')] }).total).toBe(1099n);
    const halves = [{ quantity: '3', unitAmountDecimal: '0.5' }];
    expect(solved({ currency: 'JPY', lines: halves }).total).toBe(2n);
    // 3 x 12.345 KWD = 37.035; 37035 x 0.05 = 1851.75
    const made = solved({ currency: 'KWD', lines: [line(12345n, '5', '3')] });
    expect(made).toMatchObject({ netTotal: 37035n, taxTotal: 1852n, total: 38887n });
  });

  it.each([
    { net: 103n, step: 5n, rounding: 2n, total: 105n },
    { net: 102n, step: 5n, rounding: -2n, total: 100n },
    { net: 105n, step: 5n, rounding: 0n, total: 105n },
    // 10.5 tens: the half goes up
    { net: 105n, step: 10n, rounding: 5n, total: 110n },
    { net: 104n, step: 10n, rounding: -4n, total: 100n },
    { net: 49n, step: 100n, rounding: -49n, total: 0n },
  ])('of $net in cash by $step is $total', ({ net, step, rounding, total }) => {
    const made = solved({ currency: 'CHF', lines: [line(net)], cashRounding: step });
    expect(made).toMatchObject({ netTotal: net, rounding, total });
  });

  it('rounds cash after the tax', () => {
    // 10001 x 0.081 = 810.081; 10811 is nearest to 10810
    const lines = [line(10001n, '8.1')];
    const made = solved({ currency: 'CHF', lines, cashRounding: 5n });
    expect(made).toMatchObject({ taxTotal: 810n, rounding: -1n, total: 10810n });
  });

  it('keeps a rounding that is given, whatever the coins', () => {
    const made = solved({ lines: [line(103n)], cashRounding: 5n, roundingMinor: -3n });
    expect(made).toMatchObject({ rounding: -3n, total: 100n });
  });

  it('reaches 10^13 and no further', () => {
    expect(solved({ lines: [line(10_000_000_000_000n)] }).total).toBe(10_000_000_000_000n);
    expect(refusalOf({ lines: [line(10_000_000_000_001n)] })).toBe('total_too_large');
    // 8403361344538 x 0.19 = 1596638655462.22; the sum is 10^13 exactly
    expect(solved({ lines: [line(8_403_361_344_538n, '19')] })).toMatchObject({
      taxTotal: 1_596_638_655_462n,
      total: 10_000_000_000_000n,
    });
    expect(refusalOf({ lines: [line(8_403_361_344_539n, '19')] })).toBe('total_too_large');
    const halves = [line(5_000_000_000_000n), line(5_000_000_000_000n)];
    expect(solved({ lines: halves }).total).toBe(10_000_000_000_000n);
    expect(refusalOf({ lines: [...halves, line(1n)] })).toBe('total_too_large');
  });

  it('has no charge above 10^13, even where a discount takes it back', () => {
    const half = { discounts: [{ percent: '50' }], pricesIncludeTax: true };
    expect(solved({ lines: [charged(10_000_000_000_000n)], ...half }).total).toBe(
      5_000_000_000_000n,
    );
    expect(refusalOf({ lines: [charged(10_000_000_000_001n)], ...half })).toBe('total_too_large');
  });

  it('groups by category and rate, the highest rate first', () => {
    const lines = [
      { ...line(1n, '0'), taxCategory: 'K' },
      line(2n),
      line(4n, '7.0'),
      { ...line(8n), taxCategory: 'AE' },
      line(16n, '10'),
      { ...line(32n, '7'), taxCategory: 'L' },
      line(64n, '7'),
    ];
    const made = solved({ lines });
    const groups = made.taxGroups.map(({ category, rate, base }) => `${category} ${rate}: ${base}`);
    expect(groups).toEqual(['S 10: 16', 'L 7: 32', 'S 7: 68', 'AE 0: 8', 'K 0: 1', 'Z 0: 2']);
  });

  it.each([
    { taxCategory: 'S', taxRate: '0', code: 'tax_rate_required' },
    { taxCategory: 'S', taxRate: undefined, code: 'tax_rate_required' },
    ...['Z', 'E', 'AE', 'K', 'G', 'O'].flatMap((taxCategory) => [
      { taxCategory, taxRate: '7', code: 'tax_rate_not_allowed' },
      { taxCategory, taxRate: '0.00', code: 'accepted' },
    ]),
    ...['L', 'M'].flatMap((taxCategory) => [
      { taxCategory, taxRate: '7', code: 'accepted' },
      { taxCategory, taxRate: '0', code: 'accepted' },
    ]),
  ])('with category $taxCategory and rate $taxRate: $code', ({ code, ...tax }) => {
    expect(refusalOf({ lines: [{ ...line(100n), ...tax }] })).toBe(code);
    const charges = [{ amountMinor: 100n, ...tax }];
    expect(refusalOf({ lines: [line(100n)], charges })).toBe(code);
  });
});
