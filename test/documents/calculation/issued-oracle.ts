import type { CalculationRequest } from '../../../src/documents/domain/calculation/calculation-request.js';
import { plain } from './ratio.js';
import { type Expected, keyOf } from './verdict.js';

// Taxes that were issued elsewhere, as the oracle sees them.

/** By the key of their groups. */
export function issuedOf({ details }: CalculationRequest): Map<string, bigint> {
  return new Map(
    (details?.issued_taxes ?? []).map(
      ({ tax_rate: rate, tax_category: category, tax_amount: amount }) => {
        const taxCategory = category ?? (plain(rate) === '0' ? 'Z' : 'S');
        return [keyOf({ category: taxCategory, rate: plain(rate) }), BigInt(amount)];
      },
    ),
  );
}

/** Each is of a group, with the sign of its base, and at most that; where there is no rate, it is zero. */
export function mayHaveIssued(request: CalculationRequest, groups: Expected['taxGroups']): boolean {
  return [...issuedOf(request)].every(([key, tax]) => {
    const group = groups.find((one) => keyOf(one) === key);
    if (group === undefined) return false;
    const [low, high] = group.base < 0n ? [group.base, 0n] : [0n, group.base];
    return tax >= low && tax <= high && (group.rate !== '0' || tax === 0n);
  });
}
