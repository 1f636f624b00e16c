import { Decimal, magnitudeOf } from '../../../kernel/decimal.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { FieldRefusal, invalidFields } from '../../../kernel/field-refusals.js';
import type { IssuedTax } from '../document-details.js';
import { DocumentRefusal } from '../refusals.js';
import { categoryOf } from './calculation-request.js';
import type { TaxGroupSums } from './tax-group-sums.js';
import { type TaxGroup, taxGroupKey } from './tax-group.js';

function keyOf({ tax_category: taxCategory, tax_rate: taxRate }: IssuedTax): string {
  const category = categoryOf({ taxRate, ...(taxCategory !== undefined && { taxCategory }) });
  return taxGroupKey({ category, rate: Decimal.parse(taxRate).toString() });
}

/** By the key of their groups (decision 266). */
export function issuedTaxes(said: readonly IssuedTax[]): ReadonlyMap<string, bigint> {
  return new Map(said.map((one) => [keyOf(one), BigInt(one.tax_amount)]));
}

/** @throws DomainError `issued_tax_not_possible`, `said_twice`, with every wrong one */
export function assertIssuedTaxes(
  said: readonly IssuedTax[],
  groups: readonly TaxGroup[],
  groupSums: readonly TaxGroupSums[],
): void {
  const seen = new Set<string>();
  const errors = said.flatMap((one, at): FieldError[] => {
    const [key, tax] = [keyOf(one), BigInt(one.tax_amount)];
    if (seen.has(key)) {
      const message = 'Another one of these has this tax; send each once.';
      return [FieldRefusal.said_twice.field(`/issued_taxes/${at}`, message)];
    }
    seen.add(key);
    const index = groups.findIndex((group) => taxGroupKey(group) === key);
    const base = groupSums[index]?.base ?? 0n;
    const isTaxed = groups[index] !== undefined && groups[index].percent !== 0n;
    if (
      isTaxed ? tax * base >= 0n && magnitudeOf(tax) <= magnitudeOf(base) : index >= 0 && tax === 0n
    )
      return [];
    return [DocumentRefusal.issued_tax_not_possible.field(`/issued_taxes/${at}`)];
  });
  if (errors.length > 0) throw invalidFields(errors);
}
