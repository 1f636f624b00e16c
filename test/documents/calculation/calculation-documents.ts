import type { IssuedTax } from '../../../src/documents/domain/document-details.js';
import type {
  AdjustmentRequest,
  CalculationRequest,
  LineRequest,
} from '../../../src/documents/domain/calculation/calculation-request.js';

// Random documents that are meant to hurt: equal claims, exact halves, sub-cent prices, the limits.

const CURRENCIES = ['EUR', 'USD', 'CHF', 'JPY', 'KRW', 'KWD', 'TND'];
const RATES = '19 7 20 10 5.5 2.1 21 25 50 100 8.1 2.6 7.7 8.875 33.3333 0.5 0.0001'.split(' ');
const LARGEST = 10_000_000_000_000;

/** Each favours another kind of trouble; all may meet in one document. */
type Flavour = 'ordinary' | 'equal' | 'halves' | 'hostile' | 'huge' | 'brink' | 'nothing';

/** Reproduces document `index` of a seed alone, so that a failure needs no replay. */
export function randomDocument(seed: number, index: number): CalculationRequest {
  return new Author(new Dice(seed, index)).document();
}

/** The small fast counting generator sfc32 (PractRand). */
export class Dice {
  private readonly state: Uint32Array;

  constructor(seed: number, index: number) {
    this.state = Uint32Array.of(seed, Math.floor(seed / 2 ** 32), index, 1);
    for (let round = 0; round < 12; round += 1) this.word();
  }

  below(bound: number): number {
    return Math.floor(((this.word() * 2 ** 21 + (this.word() >>> 11)) / 2 ** 53) * bound);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.below(1000) < percent * 10;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  /** As many numbers of one digit as of `digits` digits. */
  magnitude(digits: number): number {
    const most = this.between(1, digits);
    return this.below(10 ** most);
  }

  digits(count: number): string {
    return String(this.below(10 ** count)).padStart(count, '0');
  }

  private word(): number {
    const s = this.state as unknown as [number, number, number, number];
    const word = (s[0] + s[1] + s[3]) >>> 0;
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = s[2] + (s[2] << 3);
    s[2] = ((s[2] << 21) | (s[2] >>> 11)) + word;
    return word;
  }
}

type Price = Pick<LineRequest, 'quantity' | 'unitAmountMinor' | 'unitAmountDecimal'>;

interface Priced {
  line: LineRequest;
  /** Its subtotal without the fraction, to aim amounts at. */
  worth: bigint;
}

class Author {
  private readonly flavour: Flavour;
  private readonly rates: string[];
  private readonly lineCount: number;
  /** One price for all lines of an `equal` document. */
  private readonly price: number;

  constructor(private readonly dice: Dice) {
    this.flavour = this.weighted<Flavour>([
      ['ordinary', 31],
      ['equal', 22],
      ['halves', 18],
      ['hostile', 14],
      ['huge', 7],
      ['brink', 4],
      ['nothing', 4],
    ]);
    this.rates = Array.from({ length: dice.between(1, 4) }, () => this.rate());
    const usual = this.weighted<() => number>([
      [() => dice.between(1, 4), 62],
      [() => dice.between(5, 12), 30],
      [() => dice.between(13, 30), 7],
      [() => dice.between(31, 200), 0.96],
      [() => dice.between(900, 1000), 0.04],
    ]);
    this.lineCount = this.flavour === 'brink' ? dice.between(1, 2) : usual();
    this.price = dice.magnitude(5) + 1;
  }

  document(): CalculationRequest {
    const { dice } = this;
    const priced = Array.from({ length: this.lineCount }, (_, index) => this.line(index));
    const all = priced.reduce((sum, { worth }) => sum + worth, 0n);
    const worth = all < 0n ? 0n : all;
    const chargeCount = dice.chance(30) ? dice.between(1, 3) : 0;
    const charges = Array.from({ length: chargeCount }, () => this.documentCharge(worth));
    const discounts = dice.chance(40) ? this.documentDiscounts(worth) : [];
    const pricesIncludeTax = dice.chance(50);
    const isIssued = !pricesIncludeTax && dice.chance(8);
    return {
      currency: dice.pick(CURRENCIES),
      pricesIncludeTax,
      ...(isIssued && { details: { issued_taxes: this.issuedTaxes(priced) } }),
      lines: priced.map(({ line }) => line),
      discounts: discounts.map((one) => this.taxed(one, charges)),
      charges,
      cashRounding: dice.chance(25) ? dice.pick([5n, 10n, 50n, 100n]) : null,
      roundingMinor: dice.chance(3) ? this.rounding(worth) : undefined,
    };
  }

  /** Near the tax of a line or two, or far from it, and at times of a tax that no line has. */
  private issuedTaxes(priced: readonly Priced[]): IssuedTax[] {
    const { dice } = this;
    const taxes = new Map<string, IssuedTax>();
    for (const { line, worth } of priced.slice(0, dice.between(1, 3))) {
      const { taxRate = '0', taxCategory } = dice.chance(10) ? this.tax() : line;
      const near = (worth * BigInt(Math.round(Number(taxRate) * 100))) / 10_000n;
      const amount = dice.chance(70)
        ? near + BigInt(dice.between(-9, 9))
        : BigInt(dice.magnitude(7));
      const category = taxCategory ?? (Number(taxRate) === 0 ? 'Z' : 'S');
      taxes.set(`${category} ${Number(taxRate)}`, {
        tax_rate: taxRate,
        tax_category: taxCategory as IssuedTax['tax_category'],
        tax_amount: Number(amount),
      });
    }
    return [...taxes.values()];
  }

  /** Of a coin, or any, which may be more than there is. */
  private rounding(worth: bigint): bigint {
    const { dice } = this;
    if (dice.chance(60)) return BigInt(dice.between(-49, 50));
    const most = Math.min(Number(worth), 1e9);
    return BigInt(dice.between(-most - 1, most));
  }

  /** At times only off one tax, which there may be none of, or that of a charge. */
  private taxed(
    discount: AdjustmentRequest,
    charges: readonly AdjustmentRequest[],
  ): AdjustmentRequest {
    const { dice } = this;
    if (!dice.chance(25)) return discount;
    const { taxRate, taxCategory } =
      charges.length > 0 && dice.chance(50) ? dice.pick(charges) : this.tax();
    return {
      ...discount,
      ...(taxRate !== undefined && { taxRate }),
      ...(taxCategory !== undefined && { taxCategory }),
    };
  }

  private line(index: number): Priced {
    const { dice } = this;
    const { quantity: size, ...price } = dice.chance(6) ? this.decimalHalf() : this.usualPrice();
    const quantity = index > 0 && dice.chance(36 / Math.max(4, this.lineCount)) ? `-${size}` : size;
    const worth = wholeProduct(quantity, price.unitAmountDecimal ?? String(price.unitAmountMinor));
    const line: LineRequest = { description: `Line ${index + 1}`, quantity, ...price };
    if (dice.chance(10)) {
      const base = dice.pick(['1', '3', '7', '100', '1000', '0.5', '0.000001', '12.50']);
      line.details = { price_base_quantity: base };
    }
    Object.assign(line, this.tax());
    if (dice.chance(3)) {
      const isBack = /^-.*[1-9]/.test(quantity) !== (index > 0 && dice.chance(20));
      const sign = isBack ? '-' : '';
      const issued = `${sign}${dice.magnitude(9)}`;
      line.details = { ...line.details, issued_net_amount_decimal: issued };
    }
    const magnitude = worth < 0n ? -worth : worth;
    if (dice.chance(18)) line.discounts = this.lineDiscounts(magnitude);
    if (dice.chance(12)) line.charges = this.several(() => this.adjustment(magnitude));
    if (this.flavour === 'brink' && dice.chance(50)) line.charges = [this.brink()];
    return { line, worth };
  }

  /** 1.005 at 100 and the like: a half that binary fractions miss. At times just beside it. */
  private decimalHalf(): Price {
    const { dice } = this;
    const places = dice.between(1, 6);
    const half = `${dice.magnitude(6)}5`.padStart(places + 1, '0');
    if (dice.chance(15)) return { quantity: '1', unitAmountDecimal: `${half}.499999999999` };
    const quantity = `${half.slice(0, -places)}.${half.slice(-places)}`;
    const fraction = dice.pick(['0', '000000000001']);
    return { quantity, unitAmountDecimal: `${10 ** (places - 1)}.${fraction}` };
  }

  private usualPrice(): Price {
    return { quantity: this.quantity(), ...this.unitAmount() };
  }

  private quantity(): string {
    const { dice } = this;
    if (dice.chance(this.flavour === 'nothing' ? 50 : 2)) return dice.pick(['0', '0.000000']);
    if (this.flavour === 'brink') return '1';
    if (this.flavour === 'equal') return dice.pick(['1', '1', '1', '2', '1.0', '01']);
    if (this.flavour === 'halves') return `${dice.below(30)}.${dice.pick(['5', '50', '25', '75'])}`;
    if (this.flavour === 'huge') return dice.pick(['1', '10', '1000', '0.1', '3']);
    if (this.flavour === 'hostile') {
      return dice.pick([
        '0.000001',
        '0.333333',
        `${dice.below(100)}.${dice.digits(6)}`,
        `${dice.magnitude(9)}.${dice.digits(dice.between(1, 6))}`,
        '999999999.999999',
        '1000000000',
      ]);
    }
    return dice.pick([String(dice.between(1, 20)), String(dice.magnitude(3)), '1', '0.5', '7.25']);
  }

  private unitAmount(): Omit<Price, 'quantity'> {
    const { dice } = this;
    if (dice.chance(this.flavour === 'nothing' ? 50 : 2)) {
      return dice.pick([{ unitAmountMinor: 0n }, { unitAmountDecimal: '0.000000000000' }]);
    }
    if (this.flavour === 'equal') return { unitAmountMinor: BigInt(this.price) };
    if (this.flavour === 'brink') {
      return {
        unitAmountMinor: dice.chance(30) ? this.brink().amountMinor : BigInt(dice.below(9)),
      };
    }
    if (this.flavour === 'huge') {
      const share = Math.floor(LARGEST / this.lineCount);
      return { unitAmountMinor: BigInt(dice.pick([share, share - 1, dice.below(share)])) };
    }
    if (this.flavour === 'hostile') {
      return {
        unitAmountDecimal: dice.pick([
          '0.000000000001',
          `0.${dice.digits(12)}`,
          `${dice.magnitude(4)}.${dice.digits(12)}`,
          `${dice.magnitude(3)}.${dice.digits(dice.between(1, 11))}`,
          '99.999999999999',
        ]),
      };
    }
    return dice.chance(20)
      ? { unitAmountDecimal: `${dice.magnitude(5)}.${dice.pick(['5', '25', '005', '3333'])}` }
      : { unitAmountMinor: BigInt(dice.magnitude(dice.chance(10) ? 9 : 5)) };
  }

  private rate(): string {
    const { dice } = this;
    if (dice.chance(10)) return `${dice.below(100)}.${dice.digits(4)}`;
    return dice.chance(25) ? '0' : dice.pick(RATES);
  }

  /** Seldom one that is refused. */
  private tax(): Pick<LineRequest, 'taxRate' | 'taxCategory'> {
    const { dice } = this;
    const rate = dice.pick(this.rates);
    const taxRate = rate.includes('.') || !dice.chance(15) ? rate : `${rate}.00`;
    const zero = /^[0.]+$/.test(rate);
    if (dice.chance(0.3)) return { taxRate, taxCategory: zero ? 'S' : dice.pick(['Z', 'E', 'O']) };
    if (!dice.chance(30)) return zero && dice.chance(50) ? {} : { taxRate };
    if (!zero) return { taxRate, taxCategory: dice.pick(['S', 'S', 'L', 'M']) };
    const taxCategory = dice.pick(['Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M']);
    return dice.chance(50) ? { taxCategory } : { taxRate, taxCategory };
  }

  private lineDiscounts(worth: bigint): AdjustmentRequest[] {
    const { dice } = this;
    if (dice.chance(this.flavour === 'nothing' ? 40 : 8)) return [{ percent: '100' }];
    if (dice.chance(5)) return [{ amountMinor: worth }];
    return this.several(() => this.adjustment(worth / 3n));
  }

  private documentDiscounts(worth: bigint): AdjustmentRequest[] {
    const { dice } = this;
    if (dice.chance(4)) return [{ percent: '100' }];
    if (this.flavour === 'brink') return [{ percent: dice.pick(['50', '100']) }];
    if (dice.chance(4)) return [{ amountMinor: worth }];
    if (dice.chance(4)) return ['33.3333', '33.3333', '33.3334'].map((percent) => ({ percent }));
    return this.several(() => this.adjustment(worth / 4n));
  }

  private documentCharge(worth: bigint): AdjustmentRequest {
    const brink = this.flavour === 'brink' && this.dice.chance(30);
    const charge = brink ? this.brink() : this.adjustment(worth / 4n);
    if (this.dice.chance(55)) return charge;
    if (this.dice.chance(50)) return { ...charge, ...this.tax() };
    const taxRate = this.rate();
    return { ...charge, taxRate };
  }

  /** Up to about `worth`, often of just a few units, so that there is little to go round. */
  private adjustment(worth: bigint): AdjustmentRequest {
    const { dice } = this;
    const reason = dice.chance(10) ? { reason: 'Agreed' } : {};
    if (dice.chance(45)) {
      const odd = `${dice.below(30)}.${dice.digits(dice.between(1, 4))}`;
      return {
        percent: dice.pick(['10', '5', '50', '2.5', '12.50', '0', '33.3333', odd]),
        ...reason,
      };
    }
    const few = dice.between(0, 1 + Math.min(this.lineCount, 12));
    const most = Math.min(Number(worth), LARGEST);
    return { amountMinor: BigInt(dice.chance(50) ? few : dice.below(most + 1)), ...reason };
  }

  /** The limit, or one beside it. */
  private brink() {
    return { amountMinor: BigInt(LARGEST + this.dice.between(-1, 1)) };
  }

  private several(make: () => AdjustmentRequest): AdjustmentRequest[] {
    const count = this.dice.chance(65) ? 1 : this.dice.between(2, 3);
    return Array.from({ length: count }, make);
  }

  private weighted<T>(choices: [T, percent: number][]): T {
    let rest = this.dice.below(100_000) / 1000;
    return (choices.find(([, percent]) => (rest -= percent) < 0) ?? choices[0]!)[0];
  }
}

function wholeProduct(left: string, right: string): bigint {
  const digits = BigInt(left.replace('.', '')) * BigInt(right.replace('.', ''));
  return digits / 10n ** BigInt(placesOf(left) + placesOf(right));
}

const placesOf = (text: string) => (text.split('.')[1] ?? '').length;
