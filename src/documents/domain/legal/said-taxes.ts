import { invalidFields } from '../../../kernel/field-refusals.js';
import { type FieldError } from '../../../kernel/domain-error.js';
import {
  type CalculationRequest,
  categoryOf,
  hasOwnTax,
} from '../calculation/calculation-request.js';
import type { Seller } from '../parties/party.js';
import { isValidVatNumber } from './vat-number.js';
import { DocumentRefusal } from '../refusals.js';

type SaidTaxes = Pick<CalculationRequest, 'lines' | 'charges'>;

type TaxedSeller = Pick<Seller, 'tax_id' | 'small_business'>;

/**
 * Judges the taxes that a caller writes. Copies of documents that are there are not judged again.
 * @throws DomainError with every wrong field at once
 */
export function assertTaxesSaid(said: SaidTaxes, seller: TaxedSeller): void {
  const errors = [...ratesMissing(said, seller), ...notAlone(said)];
  if (errors.length > 0) throw invalidFields(errors);
}

/** A seller with a VAT number charges tax, unless it is a small business: no rate is no zero rate. */
function ratesMissing(
  { lines }: SaidTaxes,
  { tax_id: id, small_business: isSmall }: TaxedSeller,
): FieldError[] {
  if (isSmall || id === null || isValidVatNumber(id) === null) return [];
  return lines.flatMap((line, index) =>
    hasOwnTax(line)
      ? []
      : DocumentRefusal.tax_rate_required.field(
          `/lines/${index}/tax_rate`,
          'The seller has a VAT number: send a tax_rate, or the tax_category that has none.',
        ),
  );
}

function notAlone({ lines, charges }: SaidTaxes): FieldError[] {
  const ofLines = lines.map(categoryOf);
  const ofCharges = charges.map((charge) => (hasOwnTax(charge) ? categoryOf(charge) : null));
  return outOfScopeBesideOthers(ofLines, ofCharges).map((pointer) =>
    DocumentRefusal.tax_category_alone.field(
      pointer,
      'Category O stands beside no other one; use a document of its own.',
    ),
  );
}

/**
 * EN 16931 BR-O-11 to 14: pointers to what is of category O, if anything else is not.
 * @param ofCharges null: spread over the categories of the lines
 */
export function outOfScopeBesideOthers(
  ofLines: readonly string[],
  ofCharges: readonly (string | null)[],
): string[] {
  const said = [
    ...ofLines.map((category, index) => ({ at: `/lines/${index}`, category })),
    ...ofCharges.flatMap((category, index) =>
      category === null ? [] : { at: `/charges/${index}`, category },
    ),
  ];
  if (said.every(({ category }) => category === 'O')) return [];
  return said.flatMap(({ at, category }) => (category === 'O' ? `${at}/tax_category` : []));
}
