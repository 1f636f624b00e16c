import fc from 'fast-check';
import { type Calculation, calculate } from '../../src/documents/domain/calculation/calculation.js';
import type {
  AdjustmentRequest,
  CalculationRequest,
  LineRequest,
} from '../../src/documents/domain/calculation/calculation-request.js';
import { DomainError } from '../../src/kernel/domain-error.js';

/** One hour of consulting for 1.00, without tax. */
export function aLine(over: Partial<LineRequest> = {}): LineRequest {
  const priced = 'unitAmountDecimal' in over || 'unitAmountMinor' in over;
  return {
    description: 'Consulting',
    quantity: '1',
    ...(!priced && { unitAmountMinor: 100n }),
    ...over,
  };
}

/** One line in euros, net prices, nothing else. */
export function aRequest(over: Partial<CalculationRequest> = {}): CalculationRequest {
  return {
    currency: 'EUR',
    pricesIncludeTax: false,
    lines: [aLine()],
    discounts: [],
    charges: [],
    cashRounding: null,
    ...over,
  };
}

/** Undefined where a random document is refused, as one is whose discounts are above its lines. */
export function calculated(request: CalculationRequest): Calculation | undefined {
  try {
    return calculate(request);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

export const aDecimalText = (most: number, places: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(most), fc.nat(places), fc.nat(10 ** places - 1))
    .map(([whole, kept, decimals]) =>
      kept === 0 ? `${whole}` : `${whole}.${String(decimals).padStart(places, '0').slice(0, kept)}`,
    );

type Tax = Pick<LineRequest, 'taxRate' | 'taxCategory'>;

const TAXES: Tax[] = [
  { taxRate: '19' },
  { taxRate: '7.00' },
  {},
  { taxRate: '5.5', taxCategory: 'S' },
  { taxRate: '7', taxCategory: 'L' },
  { taxRate: '0.0001' },
  { taxRate: '100' },
  { taxCategory: 'AE' },
  { taxRate: '0', taxCategory: 'E' },
  { taxRate: '0', taxCategory: 'M' },
];

const aTax: fc.Arbitrary<Tax> = fc.constantFrom(...TAXES);

const anAdjustment = (mostPercent: number, most: bigint): fc.Arbitrary<AdjustmentRequest> =>
  fc.oneof(
    aDecimalText(mostPercent, 2).map((percent) => ({ percent })),
    fc.bigInt({ min: 0n, max: most }).map((amountMinor) => ({ amountMinor })),
    fc.record({ percent: aDecimalText(mostPercent, 4), reason: fc.constant('Agreed') }),
  );

const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, fc.array(one, { maxLength: 3 }));

const aRandomLine: fc.Arbitrary<LineRequest> = fc
  .record({
    quantity: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('1', '2', '3') },
      { weight: 4, arbitrary: aDecimalText(50, 3) },
      { weight: 1, arbitrary: aDecimalText(3, 2).map((quantity) => `-${quantity}`) },
    ),
    price: fc.oneof(fc.bigInt({ min: 0n, max: 20_000n }), aDecimalText(5000, 4)),
    tax: aTax,
    discounts: few(anAdjustment(20, 50n)),
    charges: few(anAdjustment(20, 50n)),
    exemption: fc.constantFrom(undefined, undefined, 'Article 44'),
  })
  .map(({ quantity, price, tax, discounts, charges, exemption }) => ({
    description: 'Consulting',
    quantity,
    ...(typeof price === 'bigint' ? { unitAmountMinor: price } : { unitAmountDecimal: price }),
    ...tax,
    ...(discounts.length > 0 && { discounts }),
    ...(charges.length > 0 && { charges }),
    ...(['AE', 'E'].includes(tax.taxCategory ?? '') && { exemptionReason: exemption }),
  }));

/** At times with a tax of its own. */
const anyTaxed = (adjustment: fc.Arbitrary<AdjustmentRequest>): fc.Arbitrary<AdjustmentRequest> =>
  fc.tuple(adjustment, fc.option(aTax, { nil: {} })).map(([one, tax]) => ({ ...one, ...tax }));

/**
 * Small documents with everything in them, small enough to shrink to what matters. All of them
 * calculate.
 */
export const aRandomRequest: fc.Arbitrary<CalculationRequest> = fc
  .record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    pricesIncludeTax: fc.boolean(),
    lines: fc.array(aRandomLine, { minLength: 1, maxLength: 5 }),
    discounts: few(anyTaxed(anAdjustment(30, 300n))),
    charges: few(anyTaxed(anAdjustment(30, 300n))),
    cashRounding: fc.constantFrom(null, null, 5n, 10n, 100n),
  })
  .filter((request) => calculated(request) !== undefined);
