import { describe, expect, it } from 'vitest';
import { calculate } from '../../../src/documents/domain/calculation/calculation.js';
import {
  type AdjustmentRequest,
  assertCalculable,
  type CalculationRequest,
  type LineRequest,
} from '../../../src/documents/domain/calculation/calculation-request.js';
import { TAX_CATEGORIES } from '../../../src/documents/domain/calculation/tax-categories.js';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { LARGEST_AMOUNT_MINOR } from '../../../src/kernel/money.js';
import { aLine, aRequest } from '../requests.js';

function refusalOf(request: Partial<CalculationRequest>): { code: string; fields: string[][] } {
  try {
    calculate(aRequest(request));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.kind).toBe('invalid');
    return {
      code: error.code,
      fields: error.errors.map((field) => [field.pointer, field.code]),
    };
  }
  return { code: 'accepted', fields: [] };
}

const codeOf = (...lines: LineRequest[]) => refusalOf({ lines }).code;

describe('refusals', () => {
  it('tell of every wrong line at once', () => {
    const lines = [
      aLine({ unitAmountMinor: undefined }),
      aLine({ unitAmountMinor: 1n, unitAmountDecimal: '1' }),
      aLine({ taxCategory: 'S' }),
      aLine({ taxCategory: 'AE', taxRate: '19' }),
      aLine(),
    ];
    expect(refusalOf({ lines })).toEqual({
      code: 'validation_failed',
      fields: [
        ['/lines/0/unit_amount', 'one_price_required'],
        ['/lines/1/unit_amount', 'one_price_required'],
        ['/lines/2/tax_rate', 'tax_rate_required'],
        ['/lines/3/tax_rate', 'tax_rate_not_allowed'],
      ],
    });
  });

  it.each(TAX_CATEGORIES)('know which rates go with category %s', (taxCategory) => {
    const taxed = codeOf(aLine({ taxCategory, taxRate: '5' }));
    const untaxed = codeOf(aLine({ taxCategory, taxRate: '0.00' }));
    const zeroOnly = ['Z', 'E', 'AE', 'K', 'G', 'O'].includes(taxCategory);
    expect(taxed).toBe(zeroOnly ? 'tax_rate_not_allowed' : 'accepted');
    expect(untaxed).toBe(taxCategory === 'S' ? 'tax_rate_required' : 'accepted');
  });

  it('draw the line at 10^13, tax included', () => {
    const most = aLine({ unitAmountMinor: LARGEST_AMOUNT_MINOR });
    expect(calculate(aRequest({ lines: [most] })).total.minor).toBe(LARGEST_AMOUNT_MINOR);
    expect(codeOf(most, aLine({ unitAmountMinor: 1n }))).toBe('total_too_large');
    const taxed = aLine({ unitAmountMinor: LARGEST_AMOUNT_MINOR, taxRate: '0.0001' });
    expect(codeOf(taxed)).toBe('total_too_large');
    const huge = aLine({ quantity: '1000000000', unitAmountMinor: LARGEST_AMOUNT_MINOR });
    expect(codeOf(...Array.from({ length: 1000 }, () => huge))).toBe('total_too_large');
  });
});

describe('refusals of discounts and charges', () => {
  const both: AdjustmentRequest = { percent: '1', amountMinor: 1n };

  it('name each that has neither percent nor amount, or both', () => {
    const request = {
      lines: [aLine(), aLine({ discounts: [{ percent: '1' }, {}], charges: [both] })],
      discounts: [{}, { amountMinor: 0n }],
      charges: [{ amountMinor: 1n }, both],
    };
    expect(refusalOf(request)).toEqual({
      code: 'validation_failed',
      fields: [
        ['/lines/1/discounts/1/percent', 'one_value_required'],
        ['/lines/1/charges/0/percent', 'one_value_required'],
        ['/discounts/0/percent', 'one_value_required'],
        ['/charges/1/percent', 'one_value_required'],
      ],
    });
    expect(refusalOf({ charges: [both] })).toEqual({
      code: 'one_value_required',
      fields: [['/charges/0/percent', 'one_value_required']],
    });
    expect(() => assertCalculable(aRequest({ discounts: [{}] }))).toThrow(DomainError);
  });

  it('know which rates go with a charge’s own category', () => {
    const charges = [
      { amountMinor: 1n, taxCategory: 'S' },
      { amountMinor: 1n, taxCategory: 'E', taxRate: '7' },
      { amountMinor: 1n, taxCategory: 'E' },
    ];
    expect(refusalOf({ charges })).toEqual({
      code: 'validation_failed',
      fields: [
        ['/charges/0/tax_rate', 'tax_rate_required'],
        ['/charges/1/tax_rate', 'tax_rate_not_allowed'],
      ],
    });
  });

  it.each(TAX_CATEGORIES)('allow an exemption for some categories: %s', (taxCategory) => {
    const taxRate = taxCategory === 'S' ? '19' : '0';
    const refusal = refusalOf({ lines: [aLine({ taxCategory, taxRate, exemptionReason: 'So' })] });
    expect(refusal).toEqual(
      ['E', 'AE', 'K', 'G', 'O'].includes(taxCategory)
        ? { code: 'accepted', fields: [] }
        : {
            code: 'exemption_not_allowed',
            fields: [['/lines/0/tax_exemption_reason', 'exemption_not_allowed']],
          },
    );
  });

  it('of a line name the line', () => {
    const line = aLine({ charges: [{ amountMinor: 10n }] });
    const lines = [aLine(), { ...line, discounts: [{ amountMinor: 111n }] }];
    expect(refusalOf({ lines })).toEqual({
      code: 'discount_too_large',
      fields: [['/lines/1/discounts', 'discount_too_large']],
    });
    expect(codeOf({ ...line, discounts: [{ amountMinor: 110n }] })).toBe('accepted');
    const halves = [{ percent: '50' }, { percent: '51' }];
    expect(codeOf(aLine({ discounts: halves }))).toBe('discount_too_large');
  });

  it('of the document are about the lines alone, not the charges', () => {
    const lines = [aLine(), aLine({ unitAmountMinor: 50n })];
    const discounts = [{ amountMinor: 100n }, { amountMinor: 51n }];
    expect(refusalOf({ lines, discounts, charges: [{ amountMinor: 1000n }] })).toEqual({
      code: 'discount_too_large',
      fields: [['/discounts', 'discount_too_large']],
    });
    expect(refusalOf({ lines, discounts: [{ amountMinor: 150n }] }).code).toBe('accepted');
  });
});

const tooLarge = (pointer: string) => ({
  code: 'total_too_large',
  fields: [[pointer, 'total_too_large']],
});

describe('the largest amount', () => {
  const most = { unitAmountMinor: LARGEST_AMOUNT_MINOR };
  const allOff = [{ percent: '100' }];

  it('is that of a line, too, whatever is taken off', () => {
    const lines = [aLine(), aLine({ ...most, quantity: '1.000001', discounts: allOff })];
    expect(refusalOf({ lines })).toEqual(tooLarge('/lines/1'));
    expect(codeOf(aLine({ ...most, discounts: allOff }))).toBe('accepted');
    const charged = { charges: [{ amountMinor: 1n }, { amountMinor: LARGEST_AMOUNT_MINOR }] };
    expect(refusalOf({ lines: [aLine({ ...charged, discounts: allOff })] })).toEqual(
      tooLarge('/lines/0'),
    );
  });

  it('is that of all lines, hidden by a discount or not', () => {
    const lines = [aLine(most), aLine({ unitAmountMinor: 1n })];
    expect(refusalOf({ lines, discounts: allOff })).toEqual(tooLarge('/lines'));
    expect(refusalOf({ lines: [aLine(most)], discounts: allOff }).code).toBe('accepted');
  });

  it('is that of the charges, each and together', () => {
    const charge = { amountMinor: LARGEST_AMOUNT_MINOR, taxCategory: 'Z' };
    const free = [aLine({ unitAmountMinor: 0n })];
    expect(refusalOf({ lines: free, charges: [charge] }).code).toBe('accepted');
    const over = { ...charge, amountMinor: LARGEST_AMOUNT_MINOR + 1n };
    expect(refusalOf({ lines: free, charges: [over] })).toEqual(tooLarge('/charges'));
    const more = [charge, { ...charge, amountMinor: 1n }];
    expect(refusalOf({ lines: free, charges: more })).toEqual(tooLarge('/lines'));
  });

  it('is that of the total, with tax and rounding', () => {
    const taxed = { lines: [aLine({ ...most, taxRate: '0.0001' })] };
    expect(refusalOf(taxed)).toEqual(tooLarge('/lines'));
    expect(refusalOf({ ...taxed, pricesIncludeTax: true }).code).toBe('accepted');
    const lines = [aLine({ unitAmountMinor: LARGEST_AMOUNT_MINOR - 1n })];
    expect(refusalOf({ lines, cashRounding: 3n }).code).toBe('accepted');
    expect(refusalOf({ lines: [aLine(most)], cashRounding: 9n }).code).toBe('accepted');
    expect(refusalOf({ lines: [aLine(most)], cashRounding: 6n })).toEqual(tooLarge('/lines'));
  });
});
