import { minorDigits } from '../../../src/kernel/currency.js';
import { Decimal } from '../../../src/kernel/decimal.js';

// Formulas are text for people. They are read back here, and calculated again.

/** Integers of a document that are no amounts. */
const COUNTS = /\/(?:position|days|version|revision)$/;

/** Every amount of the JSON by its pointer. */
export function amountsOf(value: unknown, pointer = ''): [string, number][] {
  if (typeof value === 'number') return COUNTS.test(pointer) ? [] : [[pointer, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => amountsOf(member, `${pointer}/${name}`));
}

interface ShownStep {
  figure: string;
  formula: string;
  /** In minor units. */
  amount: number;
}

/** Whether a formula comes to the amount of its step, and is right. */
export function isTrue({ figure, formula, amount }: ShownStep, currency: string): boolean {
  const digits = minorDigits(currency);
  if (resultOf(figure, formula).compare(Decimal.of(BigInt(amount), digits)) !== 0) return false;
  for (const [form, holds] of FORMS) {
    const match = form.exec(formula);
    if (match) return holds(match.slice(1), digits);
  }
  const [left = '', result = '', ...more] = formula.split(' = ');
  // Halves of what is lost go up, also of a rate below zero.
  const raised = figure.startsWith('/loss/') ? FAR : ZERO;
  return more.length === 0 && valueOf(left, digits, raised).compare(Decimal.parse(result)) === 0;
}

/** The number that a formula comes to. */
function resultOf(figure: string, formula: string): Decimal {
  if (figure.includes('/shares/') && formula.includes(' of ')) {
    return Decimal.parse(formula.split(' of ')[0] ?? '');
  }
  if (figure === '/rounding_amount') {
    const [from = '', to = ''] = formula.split(' to ');
    return minus(Decimal.parse(to), Decimal.parse(from));
  }
  return Decimal.parse(formula.split(' = ').at(-1) ?? '');
}

const ZERO = Decimal.of(0n);
/** Above zero by more than any amount is below it. */
const FAR = Decimal.of(10n ** 30n);

const AMOUNT = String.raw`-?\d+(?:\.\d+)?`;
const form = (text: string) => new RegExp(`^${text.replaceAll('N', `(${AMOUNT})`)}$`);

/** All forms but sums. The last number is the figure that is explained. */
const FORMS: [RegExp, (numbers: string[], digits: number) => boolean][] = [
  [form('N'), () => true],
  [
    // A share of the group's base: within one unit, where the largest remainders go.
    form('N without N % = N'),
    ([gross = '', rate = '', net = ''], digits) =>
      isWithinOne(Decimal.parse(gross).times(HUNDRED), withTax(rate), Decimal.parse(net), digits),
  ],
  [
    // A line's share of the group's base and tax.
    form('(.+), with N % = N'),
    ([sum = '', rate = '', gross = ''], digits) =>
      isWithinOne(valueOf(sum, digits).times(withTax(rate)), HUNDRED, Decimal.parse(gross), digits),
  ],
  [
    form(String.raw`N of N on [A-Z]{1,2} N %`),
    ([part = '', all = '']) => Decimal.parse(part).compare(Decimal.parse(all)) <= 0,
  ],
  [form('N to N'), () => true],
  [/^\d+ amounts = /, () => true],
];

const HUNDRED = Decimal.of(100n);
const withTax = (rate: string) => HUNDRED.plus(Decimal.parse(rate));

/** Whether a quotient is off by no more than one unit. */
function isWithinOne(a: Decimal, b: Decimal, shown: Decimal, digits: number): boolean {
  const off = minus(shown.times(b), a);
  const most = b.times(Decimal.of(1n, digits));
  return off.compare(most) <= 0 && off.plus(most).compare(ZERO) >= 0;
}

/** The value of `a − b × c % + d`: each product is rounded, and then all of them are added. */
function valueOf(sum: string, digits: number, raised = ZERO): Decimal {
  const [first = '', ...rest] = sum.split(/ ([−+]) (?!\S+\))/);
  return rest.reduce(
    (value, text, index) => {
      if (index % 2 === 0) return value;
      const term = productOf(text, digits, raised);
      return rest[index - 1] === '+' ? value.plus(term) : minus(value, term);
    },
    productOf(first, digits, raised),
  );
}

/**
 * `a`, `a × b`, `a × b %` or `a × b / c`, rounded to the digits of the currency.
 * @param raised is added while it is rounded
 */
function productOf(text: string, digits: number, raised: Decimal): Decimal {
  const [, a = '', b, percent, by, over] = PRODUCT.exec(text) ?? [];
  if (b === undefined) return Decimal.parse(a);
  const divisor = over ? withTax(over) : by ? Decimal.parse(by) : percent ? HUNDRED : ONE;
  const product = Decimal.parse(a).times(Decimal.parse(b)).plus(raised.times(divisor));
  return minus(product.dividedHalfUp(divisor, digits), raised);
}

const ONE = Decimal.of(1n);
const PRODUCT = new RegExp(
  `^(${AMOUNT})(?: × (${AMOUNT})( %| / (?:(${AMOUNT})|\\(100 [+] (${AMOUNT})\\)))?)?$`,
);

const minus = (one: Decimal, other: Decimal) => one.plus(Decimal.of(-other.units, other.scale));
