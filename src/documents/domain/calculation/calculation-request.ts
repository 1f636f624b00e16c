import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { type FieldError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { IssuedTax, SaidLineDetails } from '../document-details.js';
import { isChargeReason, isDiscountReason, isExemptionOf } from '../codes/code-lists.js';
import { FieldRefusal, invalidFields } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../refusals.js';

/** Categories whose rate is 0 by definition (EN 16931 BR-Z-05, BR-E-05, BR-AE-05, ...). */
const UNTAXED = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);

/** Categories that say why there is no tax; the others must not (BR-S-10, BR-Z-10). */
const EXEMPT = new Set(['E', 'AE', 'K', 'G', 'O']);

/** A discount or charge as it was asked for. Exactly one of percent and amount is given. */
export interface AdjustmentRequest {
  /** Decimal string. */
  percent?: string;
  amountMinor?: bigint;
  reason?: string;
  /** UNTDID 5189 of a discount, 7161 of a charge. */
  reasonCode?: string;
  /** Only on a document: a tax of its own, instead of those of the lines. */
  taxRate?: string;
  taxCategory?: string;
}

/** By which others know a line: neither calculated nor printed. */
export interface LineNames {
  /** It stays with the line for as long as there is one. */
  id: Uuid | null;
  /** The line in the caller's own books. */
  externalId: string | null;
  /** The seller's number of what is sold (EN 16931 BT-155). */
  sku: string | null;
  metadata: Record<string, string>;
  /** The item of the catalogue that it copied what it did not say from. */
  itemId: Uuid | null;
  /** The tax rate of the catalogue that it has its tax from. */
  taxRateId: Uuid | null;
  /** On a credit note: the line that it takes from. */
  creditedLineId: Uuid | null;
}

/** A line as it was asked for. Exactly one of the two prices is given. */
export interface LineRequest extends Partial<LineNames> {
  /** Empty until the description of its item is copied. */
  description: string;
  /** Decimal string. */
  quantity: string;
  /** UNECE Recommendation 20; `C62`, one, when absent. */
  unit?: string;
  /** Price of one unit in whole minor units. */
  unitAmountMinor?: bigint;
  /** The same with up to 12 decimal places. */
  unitAmountDecimal?: string;
  /** Percent; 0 when absent. */
  taxRate?: string;
  /** `S` for a rate above 0, else `Z`, when absent. */
  taxCategory?: string;
  exemptionReason?: string;
  details?: SaidLineDetails;
  discounts?: AdjustmentRequest[];
  charges?: AdjustmentRequest[];
}

/** Everything that decides the figures of a document. */
export interface CalculationRequest {
  currency: Currency;
  /** Prices, discounts and charges are meant with tax, and the gross is kept exactly. */
  pricesIncludeTax: boolean;
  lines: LineRequest[];
  discounts: AdjustmentRequest[];
  charges: AdjustmentRequest[];
  /** The smallest coin in minor units, such as 5 for Swiss cash; null: no rounding. */
  cashRounding: bigint | null;
  /** A rounding that is given instead; a credit note gives back the one of its invoice. */
  roundingMinor?: bigint | null;
  /** Taxes that are given instead, by group: a credit note gives back those of its invoice. */
  taxes?: ReadonlyMap<string, bigint>;
  details?: { issued_taxes?: readonly IssuedTax[] | null };
}

/** @throws DomainError with every wrong field at once */
export function assertCalculable({ lines, discounts, charges }: CalculationRequest): void {
  const errors = [
    ...lines.flatMap((line, index) => lineErrors(line, `/lines/${index}`)),
    ...saidTwice(lines),
    ...differingExemptions(lines),
    ...adjustmentErrors(discounts, '/discounts', isDiscountReason),
    ...adjustmentErrors(charges, '/charges', isChargeReason),
    ...discounts.flatMap((discount, index) => taxErrors(discount, `/discounts/${index}`)),
    ...charges.flatMap((charge, index) => taxErrors(charge, `/charges/${index}`)),
  ];
  if (errors.length > 0) throw invalidFields(errors);
}

function saidTwice(lines: readonly LineRequest[]): FieldError[] {
  const seen = new Set<string>();
  return lines.flatMap(({ externalId }, index): FieldError[] => {
    if (externalId == null || !seen.has(externalId)) {
      if (externalId != null) seen.add(externalId);
      return [];
    }
    const message = 'Another line of this document has this external_id; send another one.';
    return [FieldRefusal.said_twice.field(`/lines/${index}/external_id`, message)];
  });
}

function lineErrors(line: LineRequest, pointer: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((line.unitAmountMinor === undefined) === (line.unitAmountDecimal === undefined)) {
    errors.push(
      DocumentRefusal.one_price_required.field(
        `${pointer}/unit_amount`,
        'Send either unit_amount or unit_amount_decimal.',
      ),
    );
  }
  return [
    ...errors,
    ...exemptTaxErrors(line, pointer),
    ...grossPriceErrors(line, pointer),
    ...adjustmentErrors(line.discounts ?? [], `${pointer}/discounts`, isDiscountReason),
    ...adjustmentErrors(line.charges ?? [], `${pointer}/charges`, isChargeReason),
  ];
}

/** EN 16931 BR-28, and a price that was reduced is not above the one that it was reduced from. */
function grossPriceErrors(line: LineRequest, pointer: string): FieldError[] {
  const gross = line.details?.gross_unit_amount_decimal;
  if (gross == null || Decimal.parse(gross).compare(unitAmountOf(line)) >= 0) return [];
  const message = 'The list price is below the price; leave gross_unit_amount_decimal out.';
  return [DocumentRefusal.price_above_gross.field(`${pointer}/gross_unit_amount_decimal`, message)];
}

/** It comes to less than nothing: by its quantity, or as it was issued elsewhere. */
export function takesBack({
  quantity,
  details,
}: Pick<LineRequest, 'quantity' | 'details'>): boolean {
  const issued = BigInt(details?.issued_net_amount_decimal ?? 0);
  return issued === 0n ? Decimal.parse(quantity).isNegative() : issued < 0n;
}

/** The price of one, or of the base quantity, in minor units. */
export function unitAmountOf({
  unitAmountDecimal,
  unitAmountMinor,
}: Pick<LineRequest, 'unitAmountDecimal' | 'unitAmountMinor'>): Decimal {
  return unitAmountDecimal === undefined
    ? Decimal.of(unitAmountMinor ?? 0n)
    : Decimal.parse(unitAmountDecimal);
}

type PricedParts = Pick<
  LineRequest,
  'quantity' | 'unitAmountMinor' | 'unitAmountDecimal' | 'details'
>;

/** Quantity times price in minor units, rounded half up. */
export function productOf(line: PricedParts): bigint {
  const price = Decimal.parse(line.quantity).times(unitAmountOf(line));
  const base = line.details?.price_base_quantity;
  if (base == null) return price.roundHalfUp();
  return price.dividedHalfUp(Decimal.parse(base), 0).roundHalfUp();
}

/** A category has one code on a document (BT-121). */
function differingExemptions(lines: readonly LineRequest[]): FieldError[] {
  const said = new Map<string, string>();
  return lines.flatMap((line, index): FieldError[] => {
    const code = line.details?.tax_exemption_code ?? null;
    if (code === null) return [];
    const first = said.get(categoryOf(line)) ?? code;
    said.set(categoryOf(line), first);
    if (first === code) return [];
    return [
      DocumentRefusal.exemptions_differ.field(
        `/lines/${index}/tax_exemption_code`,
        `Another line of category ${categoryOf(line)} says ${first}; bill this line apart.`,
      ),
    ];
  });
}

/** Of a tax with its exemption. */
export function exemptTaxErrors(
  taxed: Pick<LineRequest, 'taxRate' | 'taxCategory' | 'exemptionReason' | 'details'>,
  pointer: string,
): FieldError[] {
  const errors = taxErrors(taxed, pointer);
  const category = categoryOf(taxed);
  if (taxed.exemptionReason !== undefined && !EXEMPT.has(category)) {
    errors.push(
      DocumentRefusal.exemption_not_allowed.field(
        `${pointer}/tax_exemption_reason`,
        `Category ${category} has no exemption; leave tax_exemption_reason out.`,
      ),
    );
  }
  const exemption = taxed.details?.tax_exemption_code ?? null;
  if (exemption !== null && !isExemptionOf(category, exemption)) {
    errors.push(
      DocumentRefusal.exemption_not_allowed.field(
        `${pointer}/tax_exemption_code`,
        `${exemption} is no exemption of category ${category}; leave it out, or send its category.`,
      ),
    );
  }
  return errors;
}

function taxErrors(taxed: { taxRate?: string; taxCategory?: string }, pointer: string) {
  const errors: FieldError[] = [];
  const isTaxed = !Decimal.parse(taxed.taxRate ?? '0').isZero();
  const { taxCategory } = taxed;
  if (taxCategory === 'S' && !isTaxed) {
    errors.push(
      DocumentRefusal.tax_rate_required.field(
        `${pointer}/tax_rate`,
        'Category S needs a tax_rate above 0; use Z for a zero rate.',
      ),
    );
  }
  if (taxCategory !== undefined && UNTAXED.has(taxCategory) && isTaxed) {
    errors.push(
      DocumentRefusal.tax_rate_not_allowed.field(
        `${pointer}/tax_rate`,
        `Category ${taxCategory} has no tax; leave tax_rate out or send 0.`,
      ),
    );
  }
  return errors;
}

function adjustmentErrors(
  adjustments: AdjustmentRequest[],
  pointer: string,
  isReason: (code: string) => boolean,
): FieldError[] {
  return adjustments.flatMap(({ percent, amountMinor, reasonCode }, index) => {
    const errors: FieldError[] = [];
    if ((percent === undefined) === (amountMinor === undefined)) {
      const message = 'Send either percent or amount.';
      errors.push(FieldRefusal.one_value_required.field(`${pointer}/${index}/percent`, message));
    }
    if (reasonCode !== undefined && !isReason(reasonCode)) {
      const list = isReason === isDiscountReason ? 'UNTDID 5189' : 'UNTDID 7161';
      const message = `${reasonCode} is not in ${list}; leave reason_code out, and say the reason.`;
      errors.push(
        DocumentRefusal.unknown_reason_code.field(`${pointer}/${index}/reason_code`, message),
      );
    }
    return errors;
  });
}

/** The category that was asked for, or the one that the rate implies. */
export function categoryOf(taxed: { taxRate?: string; taxCategory?: string }): string {
  if (taxed.taxCategory !== undefined) return taxed.taxCategory;
  return Decimal.parse(taxed.taxRate ?? '0').isZero() ? 'Z' : 'S';
}

export function hasOwnTax({
  taxRate,
  taxCategory,
}: Pick<AdjustmentRequest, 'taxRate' | 'taxCategory'>): boolean {
  return taxRate !== undefined || taxCategory !== undefined;
}
