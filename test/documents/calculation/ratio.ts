/** An exact fraction, never reduced: the numbers of one document stay short. */
export class Ratio {
  constructor(
    readonly above: bigint,
    readonly below = 1n,
  ) {}

  static parse(text: string): Ratio {
    const [whole = '', fraction = ''] = text.split('.');
    return new Ratio(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  }

  times(factor: Ratio): Ratio {
    return new Ratio(this.above * factor.above, this.below * factor.below);
  }

  over(divisor: Ratio): Ratio {
    return new Ratio(this.above * divisor.below, this.below * divisor.above);
  }

  plus(other: Ratio): Ratio {
    return new Ratio(this.above * other.below + other.above * this.below, this.below * other.below);
  }

  compare(other: Ratio): number {
    const left = this.above * other.below;
    const right = other.above * this.below;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** Towards minus infinity. */
  floor(): bigint {
    const towardsZero = this.above / this.below;
    return this.above < towardsZero * this.below ? towardsZero - 1n : towardsZero;
  }

  /** The rest above the floor: from 0 to below 1. */
  rest(): Ratio {
    return new Ratio(this.above - this.floor() * this.below, this.below);
  }
}

/** Plain notation without idle zeros: `019.50` is `19.5`. */
export function plain(text: string): string {
  if (text.startsWith('-')) {
    const size = plain(text.slice(1));
    return size === '0' ? size : `-${size}`;
  }
  const [whole = '', fraction = ''] = text.split('.');
  const digits = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${digits && `.${digits}`}`;
}

/** Nothing, of what is below zero. */
export const most = (amount: bigint) => (amount > 0n ? amount : 0n);

export const magnitude = (amount: bigint) => (amount < 0n ? -amount : amount);

export const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new Error(`nothing at ${index}`);
  return value;
}
