import type { Currency } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { LARGEST_AMOUNT_MINOR, Money } from '../../kernel/money.js';
import type { LineView, TaxGroupView } from './document-view.js';

/** UNCL5305: standard, zero, exempt, reverse charge, intra-community, export, outside, IGIC, IPSI. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;

/** Categories whose rate is 0 by definition (EN 16931 BR-Z-05, BR-E-05, BR-AE-05, ...). */
const UNTAXED = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);

/** A line as it was asked for. Exactly one of the two prices is given. */
export interface LineRequest {
  description: string;
  /** Decimal string. */
  quantity: string;
  /** Price of one unit in whole minor units. */
  unitAmountMinor?: bigint;
  /** The same with up to 12 decimal places. */
  unitAmountDecimal?: string;
  /** Percent; 0 when absent. */
  taxRate?: string;
  /** `S` for a rate above 0, else `Z`, when absent. */
  taxCategory?: string;
}

/** Lines, tax groups and totals of a document: the one result that everything is printed from. */
export interface Calculation {
  lines: LineView[];
  taxGroups: TaxGroupView[];
  netTotal: Money;
  taxTotal: Money;
  total: Money;
}

/**
 * EN 16931: each line is rounded (BR-LIN), tax is rounded once for each (category, rate) group
 * (BR-CO-17), and the sums are exact (BR-CO-10, -13, -14, -15).
 * @throws DomainError with every wrong line at once
 */
export function calculate(requests: readonly LineRequest[], currency: Currency): Calculation {
  const errors: FieldError[] = requests.flatMap((line, index) => lineErrors(line, index));
  if (errors.length > 0) {
    const [only] = errors;
    throw errors.length === 1 && only
      ? new DomainError('invalid', only.code, only.message, {}, errors)
      : new DomainError(
          'invalid',
          'validation_failed',
          `${errors.length} line fields are wrong; errors lists each of them.`,
          {},
          errors,
        );
  }
  const lines = requests.map((request, index) => priced(request, index + 1, currency));
  const taxGroups = grouped(lines, currency);
  const netTotal = Money.sum(
    lines.map((line) => line.net),
    currency,
  );
  const taxTotal = Money.sum(
    taxGroups.map((group) => group.tax),
    currency,
  );
  const total = netTotal.plus(taxTotal);
  if (total.minor > LARGEST_AMOUNT_MINOR) {
    throw DomainError.invalid(
      'total_too_large',
      '/lines',
      `The total is above ${LARGEST_AMOUNT_MINOR}; split it over several documents.`,
    );
  }
  return { lines, taxGroups, netTotal, taxTotal, total };
}

function lineErrors(line: LineRequest, index: number): FieldError[] {
  const pointer = `/lines/${index}`;
  const errors: FieldError[] = [];
  if ((line.unitAmountMinor === undefined) === (line.unitAmountDecimal === undefined)) {
    errors.push({
      pointer: `${pointer}/unit_amount`,
      code: 'one_price_required',
      message: 'Send either unit_amount or unit_amount_decimal.',
    });
  }
  const taxed = !Decimal.parse(line.taxRate ?? '0').isZero();
  const { taxCategory } = line;
  if (taxCategory === 'S' && !taxed) {
    errors.push({
      pointer: `${pointer}/tax_rate`,
      code: 'tax_rate_required',
      message: 'Category S needs a tax_rate above 0; use Z for a zero rate.',
    });
  }
  if (taxCategory !== undefined && UNTAXED.has(taxCategory) && taxed) {
    errors.push({
      pointer: `${pointer}/tax_rate`,
      code: 'tax_rate_not_allowed',
      message: `Category ${taxCategory} has no tax; leave tax_rate out or send 0.`,
    });
  }
  return errors;
}

function priced(request: LineRequest, position: number, currency: Currency): LineView {
  const unitAmount =
    request.unitAmountDecimal === undefined
      ? Decimal.of(request.unitAmountMinor ?? 0n)
      : Decimal.parse(request.unitAmountDecimal);
  const quantity = Decimal.parse(request.quantity);
  const taxRate = Decimal.parse(request.taxRate ?? '0');
  return {
    position,
    description: request.description,
    quantity: quantity.toString(),
    unitAmountDecimal: unitAmount.toString(),
    taxRate: taxRate.toString(),
    taxCategory: request.taxCategory ?? (taxRate.isZero() ? 'Z' : 'S'),
    net: Money.of(quantity.times(unitAmount).roundHalfUp(), currency),
  };
}

/** Highest rate first; the order in which documents are read back. */
function byRateThenCategory(one: TaxGroupView, other: TaxGroupView): number {
  const byRate = Decimal.parse(other.rate).compare(Decimal.parse(one.rate));
  return byRate || (one.category < other.category ? -1 : 1);
}

function grouped(lines: readonly LineView[], currency: Currency): TaxGroupView[] {
  const bases = new Map<string, TaxGroupView>();
  for (const { taxCategory: category, taxRate: rate, net } of lines) {
    const key = `${category} ${rate}`;
    const group = bases.get(key);
    const base = group ? group.base.plus(net) : net;
    bases.set(key, { category, rate, base, tax: Money.zero(currency) });
  }
  return [...bases.values()]
    .map((group) => ({
      ...group,
      tax: group.base.timesRoundedHalfUp(Decimal.parse(group.rate).percent()),
    }))
    .sort(byRateThenCategory);
}
