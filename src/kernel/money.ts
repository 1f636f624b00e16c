import { assert } from './assert.js';
import { type Currency, minorDigits } from './currency.js';
import { Decimal, magnitudeOf } from './decimal.js';
import { DomainError } from './domain-error.js';
import { FieldRefusal } from './field-refusals.js';

/** The largest amount of one document or payment, in minor units: 10^13. */
export const LARGEST_AMOUNT_MINOR = 10_000_000_000_000n;

/** An amount in the minor unit of its currency: `minor: 1250n, currency: 'EUR'` is 12.50 EUR. */
export class Money {
  private constructor(
    readonly minor: bigint,
    readonly currency: Currency,
  ) {}

  static of(minor: bigint, currency: Currency): Money {
    minorDigits(currency);
    return new Money(minor, currency);
  }

  static zero(currency: Currency): Money {
    return Money.of(0n, currency);
  }

  static sum(parts: readonly Money[], currency: Currency): Money {
    return parts.reduce((total, part) => total.plus(part), Money.zero(currency));
  }

  plus(other: Money): Money {
    return new Money(this.minor + this.sameCurrency(other).minor, this.currency);
  }

  minus(other: Money): Money {
    return new Money(this.minor - this.sameCurrency(other).minor, this.currency);
  }

  negated(): Money {
    return new Money(-this.minor, this.currency);
  }

  /** Multiplies exactly, then rounds once; halves go away from zero. */
  timesRoundedHalfUp(factor: Decimal): Money {
    return new Money(Decimal.of(this.minor).times(factor).roundHalfUp(), this.currency);
  }

  /** Its worth in another currency, at the price of one unit: exact, then rounded half up once. */
  exchangedHalfUp(rate: Decimal, currency: Currency): Money {
    const major = Decimal.of(this.minor, minorDigits(this.currency)).times(rate);
    const minor = major.times(Decimal.of(10n ** BigInt(minorDigits(currency))));
    return new Money(minor.roundHalfUp(), currency);
  }

  min(other: Money): Money {
    return this.minor <= this.sameCurrency(other).minor ? this : other;
  }

  /** The amount itself, or zero if it is below zero. */
  atLeastZero(): Money {
    return this.isNegative() ? Money.zero(this.currency) : this;
  }

  compare(other: Money): number {
    const difference = this.minor - this.sameCurrency(other).minor;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  isZero(): boolean {
    return this.minor === 0n;
  }

  isPositive(): boolean {
    return this.minor > 0n;
  }

  isNegative(): boolean {
    return this.minor < 0n;
  }

  /** In major units with every digit of the currency: 1250 EUR is `12.50`, 1250 JPY is `1250`. */
  toDecimalString(): string {
    const digits = minorDigits(this.currency);
    const sign = this.minor < 0n ? '-' : '';
    const text = magnitudeOf(this.minor)
      .toString()
      .padStart(digits + 1, '0');
    if (digits === 0) return sign + text;
    return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }

  /** The minor units as JSON has them. Exact: nothing we book is above 2^53. */
  toMinorNumber(): number {
    return minorNumber(this.minor);
  }

  toString(): string {
    return `${this.toDecimalString()} ${this.currency}`;
  }

  private sameCurrency(other: Money): Money {
    assert(other.currency === this.currency, `${this.currency} does not add to ${other.currency}`);
    return other;
  }
}

/**
 * Minor units as JSON has them.
 * @throws DomainError `sum_too_large` rather than say a figure that is not exact
 */
export function minorNumber(minor: bigint): number {
  const value = Number(minor);
  if (!Number.isSafeInteger(value)) throw sumTooLarge();
  return value;
}

/** Only many amounts together can be: the largest one is far below. */
export function sumTooLarge(): DomainError {
  return FieldRefusal.sum_too_large.of(
    `A sum is above ${Number.MAX_SAFE_INTEGER}, the largest that every reader of JSON takes exactly; ` +
      'ask for fewer days, one customer or one currency, or add up the lines of /v1/finance/ledger.',
  );
}
