import { assert } from './assert.js';
import { trimEndWhile } from './trim-end.js';

const FORM = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * An exact decimal: `units / 10^scale`. Quantities, prices below a cent and rates are of this
 * type; it never rounds by itself.
 */
export class Decimal {
  private constructor(
    readonly units: bigint,
    readonly scale: number,
  ) {}

  /** @throws when `text` is not plain decimal notation (no exponent, no sign but a minus). */
  static parse(text: string): Decimal {
    const match = FORM.exec(text);
    assert(match, `not a decimal: ${text}`);
    const [, sign, whole = '', fraction = ''] = match;
    const units = BigInt(whole + fraction);
    return new Decimal(sign ? -units : units, fraction.length);
  }

  static of(units: bigint, scale = 0): Decimal {
    return new Decimal(units, scale);
  }

  static isDecimal(text: string): boolean {
    return FORM.test(text);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** Rounds once, to so many places; halves go away from zero. */
  dividedHalfUp(divisor: Decimal, places: number): Decimal {
    assert(!divisor.isZero(), 'nothing is divided by zero');
    const over = this.units * 10n ** BigInt(divisor.scale + places);
    const under = divisor.units * 10n ** BigInt(this.scale);
    const isBelowZero = over < 0n !== under < 0n;
    const [up, down] = [magnitudeOf(over), magnitudeOf(under)];
    const magnitude = (2n * up + down) / (2n * down);
    return new Decimal(isBelowZero ? -magnitude : magnitude, places);
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  /** A percentage as a factor: 19 becomes 0.19. */
  percent(): Decimal {
    return new Decimal(this.units, this.scale + 2);
  }

  isNegative(): boolean {
    return this.units < 0n;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = this.unitsAt(scale) - other.unitsAt(scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** The nearest integer; halves go away from zero (commercial rounding, EN 16931). */
  roundHalfUp(): bigint {
    const divisor = 10n ** BigInt(this.scale);
    const rounded = (2n * magnitudeOf(this.units) + divisor) / (2n * divisor);
    return this.units < 0n ? -rounded : rounded;
  }

  /** Plain notation without trailing zeros: `1.50` is `1.5`. */
  toString(): string {
    const sign = this.units < 0n ? '-' : '';
    const digits = magnitudeOf(this.units)
      .toString()
      .padStart(this.scale + 1, '0');
    const whole = digits.slice(0, digits.length - this.scale);
    const fraction = trimEndWhile(
      digits.slice(digits.length - this.scale),
      (digit) => digit === '0',
    );
    return `${sign}${whole}${fraction && `.${fraction}`}`;
  }

  private unitsAt(scale: number): bigint {
    return this.units * 10n ** BigInt(scale - this.scale);
  }
}

/** Without its sign. */
export const magnitudeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
