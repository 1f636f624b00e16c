import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { calculate } from '../../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import type { CalculationStep } from '../../../src/documents/domain/calculation/calculation-step.js';
import { explain } from '../../../src/documents/domain/calculation/explanation.js';
import { presentFigures } from '../../../src/documents/wire/present-document.js';
import { aLine, aRandomRequest, aRequest } from '../requests.js';
import { runsOf } from '../../support/share.js';
import { amountsOf, isTrue } from './true-formula.js';

/** Figures that the calculation alone tells: a line's shares of discounts, charges and total. */
const isShare = ({ figure }: CalculationStep) =>
  /^\/lines\/\d+\/(\w+_share|gross_amount)$/.test(figure);

function explained(request: CalculationRequest) {
  const calculation = calculate(request);
  const { pricesIncludeTax, cashRounding } = request;
  const all = explain(calculation, pricesIncludeTax, cashRounding);
  const steps = all.filter((step) => !isShare(step));
  return { calculation, steps, lineShares: all.filter(isShare) };
}

const falseOf = (steps: CalculationStep[]) =>
  steps
    .map((step) => ({ ...step, amount: step.amount.toMinorNumber() }))
    .filter((step, index) => !step.rule || !isTrue(step, steps[index]?.amount.currency ?? ''));

describe('an explanation', () => {
  it('has one step for each figure, with the same amount, and each formula is true', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const { calculation, steps } = explained(request);
        const coin = request.cashRounding;
        const json = {
          ...presentFigures(calculation),
          ...(coin !== null && { cash_rounding: Number(coin) }),
        };
        const figures = new Map(steps.map(({ figure, amount }) => [figure, Number(amount.minor)]));
        expect(figures).toEqual(new Map(amountsOf(json)));
        expect(steps).toHaveLength(figures.size);
        expect(falseOf(steps)).toEqual([]);
      }),
      runsOf(1000),
    );
  });

  it('says what each line bears of the discounts and charges of the whole document', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const { calculation, lineShares } = explained(request);
        const shares = calculation.lines.flatMap(({ discountShare, chargeShare, gross }, index) => [
          [`/lines/${index}/discount_share`, discountShare.minor],
          [`/lines/${index}/charge_share`, chargeShare.minor],
          [`/lines/${index}/gross_amount`, gross.minor],
        ]);
        expect(lineShares.map(({ figure, amount }) => [figure, amount.minor])).toEqual(
          shares.filter(
            ([figure, minor]) => minor !== 0n || String(figure).endsWith('gross_amount'),
          ),
        );
        expect(falseOf(lineShares)).toEqual([]);
      }),
      runsOf(300),
    );
  });

  it('goes from the lines to the total: nothing is used before it was found', () => {
    const { steps } = explained(
      aRequest({
        lines: [aLine({ discounts: [{ percent: '1' }], charges: [{ percent: '1' }] }), aLine()],
        discounts: [{ percent: '1' }],
        charges: [{ percent: '1' }],
      }),
    );
    const parts = ['/lines/0', '/lines/1', '/discounts', '/charges', '/tax_groups'];
    const places = steps.map(({ figure }) => parts.findIndex((part) => figure.startsWith(part)));
    const order = places.map((place) => (place < 0 ? parts.length : place));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(steps.at(-1)?.figure).toBe('/total');
  });
});

const shownOf = (steps: CalculationStep[]) =>
  steps.map(({ figure, formula }) => `${figure}: ${formula}`);

describe('a worked example', () => {
  const lines = [
    aLine({
      quantity: '2',
      unitAmountMinor: 4750n,
      taxRate: '19',
      discounts: [{ percent: '10' }],
      charges: [{ amountMinor: 50n }],
    }),
    aLine({ quantity: '0.5', unitAmountDecimal: '1.25', taxRate: '7' }),
  ];
  const rest = {
    discounts: [{ amountMinor: 100n }],
    charges: [{ percent: '5' }, { amountMinor: 10n, taxCategory: 'Z' }],
    cashRounding: 5n,
  };

  it('with net prices', () => {
    const { steps } = explained(aRequest({ lines, ...rest }));
    expect(shownOf(steps)).toEqual([
      '/lines/0/subtotal: 2 × 47.50 = 95.00',
      '/lines/0/discounts/0/amount: 95.00 × 10 % = 9.50',
      '/lines/0/discounts/0/net_amount: 9.50',
      '/lines/0/charges/0/amount: 0.50',
      '/lines/0/charges/0/net_amount: 0.50',
      '/lines/0/amount: 95.00 − 9.50 + 0.50 = 86.00',
      '/lines/0/net_amount: 86.00',
      '/lines/1/subtotal: 0.5 × 0.0125 = 0.01',
      '/lines/1/amount: 0.01',
      '/lines/1/net_amount: 0.01',
      '/discounts/0/amount: 1.00',
      '/discounts/0/shares/0/amount: 1.00 of 1.00 on S 19 %',
      '/discounts/0/shares/0/net_amount: 1.00',
      '/charges/0/amount: 86.01 × 5 % = 4.30',
      '/charges/0/shares/0/amount: 4.30 of 4.30 on S 19 %',
      '/charges/0/shares/0/net_amount: 4.30',
      '/charges/1/amount: 0.10',
      '/charges/1/shares/0/amount: 0.10 of 0.10 on Z 0 %',
      '/charges/1/shares/0/net_amount: 0.10',
      '/tax_groups/0/taxable_amount: 86.00 − 1.00 + 4.30 = 89.30',
      '/tax_groups/0/tax_amount: 89.30 × 19 % = 16.97',
      '/tax_groups/1/taxable_amount: 0.01',
      '/tax_groups/1/tax_amount: 0.01 × 7 % = 0.00',
      '/tax_groups/2/taxable_amount: 0.00 + 0.10 = 0.10',
      '/tax_groups/2/tax_amount: 0.10 × 0 % = 0.00',
      '/subtotal: 86.00 + 0.01 = 86.01',
      '/discount_total: 1.00',
      '/charge_total: 4.30 + 0.10 = 4.40',
      '/net_total: 86.01 − 1.00 + 4.40 = 89.41',
      '/tax_total: 16.97 + 0.00 + 0.00 = 16.97',
      '/cash_rounding: 0.05',
      '/rounding_amount: 106.38 to 106.40',
      '/total: 89.41 + 16.97 + 0.02 = 106.40',
    ]);
  });

  it('with prices that include tax', () => {
    const { steps } = explained(aRequest({ lines, ...rest, pricesIncludeTax: true }));
    expect(shownOf(steps).filter((step) => /net_amount|tax_groups|total|round/.test(step))).toEqual(
      [
        '/lines/0/subtotal: 2 × 47.50 = 95.00',
        '/lines/0/discounts/0/net_amount: 9.50 without 19 % = 7.98',
        '/lines/0/charges/0/net_amount: 0.50 without 19 % = 0.42',
        '/lines/0/net_amount: 86.00 without 19 % = 72.27',
        '/lines/1/subtotal: 0.5 × 0.0125 = 0.01',
        '/lines/1/net_amount: 0.01 without 7 % = 0.01',
        '/discounts/0/shares/0/net_amount: 1.00 without 19 % = 0.84',
        '/charges/0/shares/0/net_amount: 4.30 without 19 % = 3.61',
        '/charges/1/shares/0/net_amount: 0.10 without 0 % = 0.10',
        '/tax_groups/0/taxable_amount: 89.30 − 14.26 = 75.04',
        '/tax_groups/0/tax_amount: 89.30 × 19 / (100 + 19) = 14.26',
        '/tax_groups/1/taxable_amount: 0.01 − 0.00 = 0.01',
        '/tax_groups/1/tax_amount: 0.01 × 7 / (100 + 7) = 0.00',
        '/tax_groups/2/taxable_amount: 0.10 − 0.00 = 0.10',
        '/tax_groups/2/tax_amount: 0.10 × 0 / (100 + 0) = 0.00',
        '/subtotal: 72.27 + 0.01 = 72.28',
        '/discount_total: 0.84',
        '/charge_total: 3.61 + 0.10 = 3.71',
        '/net_total: 72.28 − 0.84 + 3.71 = 75.15',
        '/tax_total: 14.26 + 0.00 + 0.00 = 14.26',
        '/cash_rounding: 0.05',
        '/rounding_amount: 89.41 to 89.40',
        '/total: 75.15 + 14.26 − 0.01 = 89.40',
      ],
    );
  });

  it.each([
    ['JPY', '2 × 4750 = 9500', '0.5 × 1.25 = 1'],
    ['KWD', '2 × 4.750 = 9.500', '0.5 × 0.00125 = 0.001'],
  ])('in %s has its digits', (currency, first, second) => {
    const shown = shownOf(explained(aRequest({ lines, ...rest, currency })).steps);
    expect(shown).toContain(`/lines/0/subtotal: ${first}`);
    expect(shown).toContain(`/lines/1/subtotal: ${second}`);
  });
});

const ruleOf = (request: Partial<CalculationRequest>, figure: string) =>
  explained(aRequest(request)).steps.find((step) => step.figure === figure)?.rule;

describe('a rule', () => {
  it('of a tax is its exemption, where there is one', () => {
    const lines = [aLine({ taxCategory: 'E', exemptionReason: 'Article 44' })];
    expect(ruleOf({ lines }, '/tax_groups/0/tax_amount')).toBe('Article 44');
    expect(ruleOf({}, '/tax_groups/0/tax_amount')).toContain('BR-CO-17');
  });

  it('of a rounding says whether there is one', () => {
    const figure = '/rounding_amount';
    expect(ruleOf({}, figure)).toBe('no cash rounding');
    expect(ruleOf({ cashRounding: 5n }, figure)).toContain('BT-114');
    expect(ruleOf({ roundingMinor: 3n }, figure)).toContain('BT-114');
  });

  it('tells an amount from a percentage, and a tax of its own from a share', () => {
    const charges = [{ percent: '5' }, { amountMinor: 10n, taxCategory: 'AE' }];
    const rules = [0, 1].flatMap((index) => [
      ruleOf({ charges }, `/charges/${index}/amount`),
      ruleOf({ charges }, `/charges/${index}/shares/0/amount`),
    ]);
    expect(rules).toEqual([
      expect.stringContaining('percent of the amounts of all lines'),
      expect.stringContaining('largest remainder'),
      'as it was given',
      'a tax of its own',
    ]);
  });
});

const subtotalOf = (count: number) => {
  const lines = Array.from({ length: count }, () => aLine());
  return explained(aRequest({ lines })).steps.find(({ figure }) => figure === '/subtotal');
};

describe('many terms', () => {
  it('are counted, few are listed', () => {
    expect(subtotalOf(2)?.formula).toBe('1.00 + 1.00 = 2.00');
    expect(subtotalOf(20)?.formula.split(' + ')).toHaveLength(20);
    expect(subtotalOf(21)?.formula).toBe('21 amounts = 21.00');
  });

  it('are one or none: the figure alone', () => {
    const steps = shownOf(explained(aRequest()).steps);
    expect(steps).toContain('/subtotal: 1.00');
    expect(steps).toContain('/tax_groups/0/taxable_amount: 1.00');
    expect(steps).toContain('/total: 1.00 + 0.00 = 1.00');
    expect(steps).toContain('/discount_total: 0.00');
    expect(steps).toContain('/charge_total: 0.00');
  });
});

describe('a formula that is wrong', () => {
  it.each([
    ['1.00 + 2.00 − 0.50 = 2.51', 251],
    ['1.00 + 2.00 = 3.00', 301],
    ['2 × 1.255 = 2.52', 252],
    ['10.00 × 19 % = 1.91', 191],
    ['11.90 × 19 / (100 + 19) = 1.91', 191],
    ['19.00 × 10.00 / 119.00 = 1.61', 161],
    ['10.00 − 10.00 × 2 % = 9.79', 979],
    ['11.90 without 19 % = 10.02', 1002],
    ['10.00 − 1.00, with 19 % = 10.73', 1073],
    ['2.00 of 1.00 on S 19 %', 200],
  ])('is found: %s', (formula, amount) => {
    const figure = formula.includes(' of ') ? '/discounts/0/shares/0/amount' : '/total';
    expect(isTrue({ figure, formula, amount }, 'EUR')).toBe(false);
  });
});
