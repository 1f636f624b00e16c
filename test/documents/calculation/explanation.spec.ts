import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  type Calculation,
  calculate,
} from '../../../src/documents/domain/calculation/calculation.js';
import type { CalculationRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import {
  explain,
  type SettledAmounts,
  type CalculationStep,
} from '../../../src/documents/domain/calculation/explanation.js';
import { presentFigures } from '../../../src/documents/http/present-document.js';
import { minorDigits } from '../../../src/kernel/currency.js';
import { Decimal } from '../../../src/kernel/decimal.js';
import { Money } from '../../../src/kernel/money.js';
import { eur } from '../a-document.js';
import { aLine, aRandomRequest, aRequest } from '../requests.js';
import { runsOf } from '../../support/share.js';

const isShare = ({ figure }: CalculationStep) => /^\/lines\/\d+\/\w+_share$/.test(figure);

function explained(request: CalculationRequest, settled: SettledAmounts | null = null) {
  const calculation = calculate(request);
  const { pricesIncludeTax, cashRounding } = request;
  const all = explain(calculation, pricesIncludeTax, cashRounding, settled);
  const steps = all.filter((step) => !isShare(step));
  return { calculation, steps, lineShares: all.filter(isShare) };
}

/** Every number of the JSON by its pointer, but for the lines' positions: those are not amounts. */
function numbersOf(value: unknown, pointer = ''): [string, number][] {
  if (typeof value === 'number') return pointer.endsWith('/position') ? [] : [[pointer, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => numbersOf(member, `${pointer}/${name}`));
}

const minus = (one: Decimal, other: Decimal) => plus(one, Decimal.of(-other.units, other.scale));

function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  return Decimal.of(at(one) + at(other), scale);
}

const AMOUNT = String.raw`-?\d+(?:\.\d+)?`;
const form = (text: string) => new RegExp(`^${text.replaceAll('N', `(${AMOUNT})`)}$`);

/**
 * The forms that formulas have. Each says whether its numbers are true; the last one is always the
 * figure that is explained. `digits` are those of the currency, to which products are rounded.
 */
const FORMS: [RegExp, (numbers: Decimal[], digits: number) => boolean][] = [
  [form('N'), () => true],
  [form('N × N = N'), ([a, b, c], digits) => isRounded(a!.times(b!), c!, digits)],
  [form('N × N % = N'), ([a, b, c], digits) => isRounded(a!.times(b!.percent()), c!, digits)],
  [
    // The tax in a gross: c is right when a × b = c × (100 + b) but for half a unit.
    form(String.raw`N × N / \(100 \+ N\) = N`),
    ([a, b, again, c], digits) => {
      const whole = plus(Decimal.of(100n), b!);
      return b!.compare(again!) === 0 && isQuotient(a!.times(b!), whole, c!, digits, 1n);
    },
  ],
  [
    // A share of the group's base: within one unit, where the largest remainders go.
    form('N without N % = N'),
    ([a, rate, c], digits) => {
      const whole = plus(Decimal.of(100n), rate!);
      return isQuotient(a!.times(Decimal.of(100n)), whole, c!, digits, 2n);
    },
  ],
  [form(String.raw`N of N on [A-Z]{1,2} N %`), ([a, b]) => a!.compare(b!) <= 0],
  [form('N to N'), () => true],
  [form(String.raw`\d+ amounts = N`), () => true],
];

function isRounded(exact: Decimal, shown: Decimal, digits: number): boolean {
  const minor = exact.times(Decimal.of(10n ** BigInt(digits))).roundHalfUp();
  return Decimal.of(minor, digits).compare(shown) === 0;
}

/** Whether a quotient is off by less than so many halves of a unit, or by just that, upwards. */
function isQuotient(a: Decimal, b: Decimal, shown: Decimal, digits: number, halves: bigint) {
  const off = minus(shown.times(b), a);
  const most = b.times(Decimal.of(halves * 5n, digits + 1));
  return off.compare(most) <= 0 && off.compare(Decimal.of(-most.units, most.scale)) >= 0;
}

/** `a − b + c = d`, with as many terms as there are. */
function isSum(formula: string): boolean | null {
  const [left = '', result = '', ...rest] = formula.split(' = ');
  const first = new RegExp(`^${AMOUNT}`).exec(left)?.[0];
  const terms = [...left.slice(first?.length).matchAll(new RegExp(` ([−+]) (${AMOUNT})`, 'g'))];
  const length = terms.reduce((sum, [text]) => sum + text.length, first?.length ?? 0);
  if (!first || rest.length > 0 || length < left.length || !result) return null;
  const sum = terms.reduce(
    (all, [, sign, term = '']) =>
      sign === '+' ? plus(all, Decimal.parse(term)) : minus(all, Decimal.parse(term)),
    Decimal.parse(first),
  );
  return sum.compare(Decimal.parse(result)) === 0;
}

/** The number that a formula comes to. */
function resultOf({ figure, formula }: CalculationStep): string {
  if (figure.includes('/shares/') && formula.includes(' of '))
    return formula.split(' of ')[0] ?? '';
  if (figure === '/rounding_amount') {
    const [from = '', to = ''] = formula.split(' to ');
    return minus(Decimal.parse(to), Decimal.parse(from)).toString();
  }
  return formula.split(' = ').at(-1) ?? '';
}

/** Whether a formula comes to the step's amount, and is right. */
function isTrue(step: CalculationStep): boolean {
  const { formula, amount } = step;
  const result = Decimal.parse(resultOf(step));
  if (result.compare(Decimal.parse(amount.toDecimalString())) !== 0) return false;
  const digits = minorDigits(amount.currency);
  for (const [form, holds] of FORMS) {
    const match = form.exec(formula);
    if (match) return holds(match.slice(1).map(Decimal.parse), digits);
  }
  return isSum(formula) ?? false;
}

describe('an explanation', () => {
  it('has one step for each figure, with the same amount, and each formula is true', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const { calculation, steps } = explained(request);
        const json = JSON.parse(JSON.stringify(presentFigures(calculation)));
        const figures = new Map(steps.map(({ figure, amount }) => [figure, Number(amount.minor)]));
        expect(figures).toEqual(new Map(numbersOf(json)));
        expect(steps).toHaveLength(figures.size);
        expect(steps.filter((step) => !isTrue(step) || !step.rule)).toEqual([]);
      }),
      runsOf(1000),
    );
  });

  it('says what each line bears of the discounts and charges of the whole document', () => {
    fc.assert(
      fc.property(aRandomRequest, (request) => {
        const { calculation, lineShares } = explained(request);
        const shares = calculation.lines.flatMap(({ discountShare, chargeShare }, index) => [
          [`/lines/${index}/discount_share`, discountShare.minor],
          [`/lines/${index}/charge_share`, chargeShare.minor],
        ]);
        expect(lineShares.map(({ figure, amount }) => [figure, amount.minor])).toEqual(
          shares.filter(([, minor]) => minor !== 0n),
        );
        expect(lineShares.filter((step) => !isTrue(step) || !step.rule)).toEqual([]);
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
      '/lines/0/charges/0/amount: 0.50',
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
      '/rounding_amount: 106.38 to 106.40',
      '/total: 89.41 + 16.97 + 0.02 = 106.40',
    ]);
  });

  it('with prices that include tax', () => {
    const { steps } = explained(aRequest({ lines, ...rest, pricesIncludeTax: true }));
    expect(shownOf(steps).filter((step) => /net_amount|tax_groups|total|round/.test(step))).toEqual(
      [
        '/lines/0/subtotal: 2 × 47.50 = 95.00',
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

const due = (calculation: Calculation, paid: bigint, credited: bigint, amountDue: bigint) =>
  explain(calculation, false, null, {
    amountPaid: eur(paid),
    amountRefunded: eur(0n),
    amountWaived: eur(0n),
    amountCredited: eur(credited),
    amountDue: eur(amountDue),
  }).at(-1);

describe('what is due', () => {
  const calculation = calculate(aRequest({ lines: [aLine({ unitAmountMinor: 10_000n })] }));

  it('is the total less what is paid and credited', () => {
    expect(due(calculation, 2500n, 1500n, 6000n)).toMatchObject({
      figure: '/amount_due',
      formula: '100.00 − 15.00 − 25.00 = 60.00',
      rule: expect.stringContaining('BR-CO-16'),
      amount: eur(6000n),
    });
  });

  it('of a credit note is nothing, and no false sum says so', () => {
    expect(due(calculation, 0n, 0n, 0n)).toMatchObject({
      formula: '0.00',
      amount: Money.zero('EUR'),
    });
  });

  it('is not said of what does not exist', () => {
    const figures = explained(aRequest()).steps.map(({ figure }) => figure);
    expect(figures).not.toContain('/amount_due');
  });
});
