import { minorDigits } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import type { Money } from '../../../kernel/money.js';

/** One number of a document: which one, how it came to be, and by which rule. */
export interface CalculationStep {
  /** JSON pointer of the figure in the document. */
  figure: string;
  /** Such as `2 × 47.50 = 95.00`; amounts in the currency's major unit. */
  formula: string;
  /** The rule that is applied, with its place in EN 16931 if it has one. */
  rule: string;
  amount: Money;
}

/** `first − less + plus = result`; of a first one alone only the result. */
export function sumText(
  first: Money,
  less: readonly Money[],
  plus: readonly Money[],
  result: Money,
): string {
  const terms = termsText([...less.map((part) => part.negated()), ...plus]);
  const sum = result.toDecimalString();
  return terms === '' ? sum : `${first.toDecimalString()}${terms} = ${sum}`;
}

/** ` + 1.00 − 2.00`: each part with its sign. */
export function termsText(parts: readonly Money[]): string {
  const texts = parts.map((part) =>
    part.isNegative() ? ` − ${part.negated().toDecimalString()}` : ` + ${part.toDecimalString()}`,
  );
  return texts.join('');
}

/** A term that is left out where it is zero. */
export function ifAny(amount: Money): Money[] {
  return amount.isZero() ? [] : [amount];
}

const MOST_TERMS = 20;

/** `a + b + c = sum`; of many terms only their number, of one or none the sum alone. */
export function equation(terms: readonly Money[], result: Money): string {
  const sum = result.toDecimalString();
  if (terms.length < 2) return sum;
  return terms.length > MOST_TERMS
    ? `${terms.length} amounts = ${sum}`
    : sumText(terms[0] ?? result, [], terms.slice(1), result);
}

/** A price in minor units as major ones, with all its digits: `4750` is `47.50`. */
export function majorText(unitAmountDecimal: string, currency: string): string {
  const minor = Decimal.parse(unitAmountDecimal);
  const digits = minorDigits(currency);
  const text = Decimal.of(minor.units, minor.scale + digits).toString();
  const [whole = '', decimals = ''] = text.split('.');
  return digits === 0 ? text : `${whole}.${decimals.padEnd(digits, '0')}`;
}
