import type { DocumentView } from '../../src/documents/index.js';
import { minorDigits } from '../../src/kernel/currency.js';
import { Decimal } from '../../src/kernel/decimal.js';
import { allAt, type ReadElement, textAt } from './xml-reader.js';

/** A discount or charge on the document (BG-20, BG-21), as another program reads it. */
export interface ReadAdjustment {
  isCharge: boolean;
  amount: string;
  base: string | null;
  percent: string | null;
  category: string | null;
  rate: string | null;
}

export function adjustmentsOfUbl(root: ReadElement): ReadAdjustment[] {
  return allAt(root, 'a:AllowanceCharge').map((one) => ({
    isCharge: textAt(one, 'b:ChargeIndicator') === 'true',
    amount: textAt(one, 'b:Amount') ?? '',
    base: textAt(one, 'b:BaseAmount'),
    percent: textAt(one, 'b:MultiplierFactorNumeric'),
    category: textAt(one, 'a:TaxCategory/b:ID'),
    rate: textAt(one, 'a:TaxCategory/b:Percent'),
  }));
}

export function adjustmentsOfCii(settlement: ReadElement): ReadAdjustment[] {
  return allAt(settlement, 'ram:SpecifiedTradeAllowanceCharge').map((one) => ({
    isCharge: textAt(one, 'ram:ChargeIndicator/udt:Indicator') === 'true',
    amount: textAt(one, 'ram:ActualAmount') ?? '',
    base: textAt(one, 'ram:BasisAmount'),
    percent: textAt(one, 'ram:CalculationPercent'),
    category: textAt(one, 'ram:CategoryTradeTax/ram:CategoryCode'),
    rate: textAt(one, 'ram:CategoryTradeTax/ram:RateApplicablePercent'),
  }));
}

interface WantedAdjustment {
  isCharge: boolean;
  /** Minor units, as those below. */
  amount: bigint;
  percent: string | null;
  category: string;
  rate: string;
  /** Sums that a percentage may be of. */
  bases: bigint[];
}

const sumOf = (nets: { minor: bigint }[]) => nets.reduce((sum, { minor }) => sum + minor, 0n);

function wantedAdjustments(view: DocumentView): WantedAdjustment[] {
  const basesOf = (category: string, rate: string) => [
    sumOf(
      view.lines
        .filter((line) => line.taxCategory === category && line.taxRate === rate)
        .map(({ net }) => net),
    ),
    sumOf(
      view.charges
        .flatMap(({ shares }) => shares)
        .filter((share) => share.category === category && share.rate === rate)
        .map(({ net }) => net),
    ),
    sumOf(view.lines.map(({ net }) => net)),
  ];
  const of = (list: DocumentView['discounts'], isCharge: boolean) =>
    list.flatMap(({ shares, ownTax, percent }) => {
      const borne = shares.filter(({ net }) => net.minor !== 0n);
      const empty = ownTax && { ...ownTax, net: { minor: 0n } };
      return (borne.length === 0 && empty ? [empty] : borne).map(({ category, rate, net }) => ({
        isCharge,
        amount: net.minor,
        percent,
        category,
        rate,
        bases: basesOf(category, rate),
      }));
    });
  return [...of(view.discounts, false), ...of(view.charges, true)];
}

/** Of a percentage, half a unit of the last digit, or what its shares are rounded by. */
export function adjustmentDifferences(
  view: DocumentView,
  read: readonly ReadAdjustment[],
): string[] {
  const wanted = wantedAdjustments(view);
  if (read.length !== wanted.length) return ['discounts and charges are missing'];
  const digits = minorDigits(view.currency);
  const minorOf = (amount: string) =>
    Decimal.parse(amount)
      .times(Decimal.of(10n ** BigInt(digits)))
      .roundHalfUp();
  return wanted.flatMap((one, at): string[] => {
    const told = read[at] as ReadAdjustment;
    const name = `${one.isCharge ? 'charge' : 'discount'} ${at + 1}`;
    const rate = told.category === 'O' ? '0' : (told.rate ?? '');
    const isSame =
      told.isCharge === one.isCharge &&
      minorOf(told.amount) === one.amount &&
      told.category === one.category &&
      Decimal.parse(rate).compare(Decimal.parse(one.rate)) === 0;
    if (!isSame) return [`${name} is ${JSON.stringify(told)}`];
    if ((told.base === null) !== (told.percent === null)) return [`${name} has half a percentage`];
    if (told.base === null || told.percent === null) {
      const [lines = 0n] = one.bases;
      const isExact =
        one.percent !== null && lines !== 0n && percentOf(lines, one.percent) === one.amount;
      return isExact && digits > 1 ? [`${name} lacks its percentage`] : [];
    }
    const base = minorOf(told.base);
    const off = percentOf(base, told.percent) - one.amount;
    const isRight =
      one.percent !== null &&
      Decimal.parse(told.percent).compare(Decimal.parse(one.percent)) === 0 &&
      one.bases.includes(base) &&
      off >= -1n &&
      off <= (digits > 1 ? 1n : 0n);
    return isRight ? [] : [`${name} is ${told.percent} % of ${told.base}: ${told.amount}`];
  });
}

const percentOf = (base: bigint, percent: string) =>
  Decimal.of(base).times(Decimal.parse(percent)).dividedHalfUp(Decimal.of(100n), 0).roundHalfUp();
