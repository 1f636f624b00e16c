import { Decimal } from '../../../kernel/decimal.js';
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import {
  categoryOf,
  hasOwnTax,
  type LineNames,
  type LineRequest,
} from '../calculation/calculation-request.js';
import { type TaxRate, taxRateProblem } from './tax-rate.js';

/** The tax rate that a line has its tax from: the one that it names, or the account's default. */
export function taxRateOf(line: LineRequest, defaultId: Uuid | null): Uuid | null {
  return line.taxRateId ?? (hasOwnTax(line) ? null : defaultId);
}

/**
 * The lines with the taxes that they name.
 * @param before lines that are there already: what they name may have been archived since
 * @throws DomainError `unknown_tax_rate`, `tax_rate_archived`, `tax_rate_differs`, with every wrong line
 */
export function taxedByName(
  lines: LineRequest[],
  rates: ReadonlyMap<Uuid, TaxRate>,
  defaultId: Uuid | null,
  before: readonly Pick<LineNames, 'taxRateId'>[],
): LineRequest[] {
  const kept = new Set(before.map(({ taxRateId }) => taxRateId));
  const errors: FieldError[] = [];
  const taxed = lines.map((line, index) => {
    const id = taxRateOf(line, defaultId);
    if (id === null) return line;
    const rate = rates.get(id);
    const problem =
      taxRateProblem(
        rate && kept.has(id) ? { ...rate, archivedAt: null } : rate,
        `/lines/${index}/tax_rate_id`,
      ) ??
      (rate && difference(line, rate, `/lines/${index}`));
    if (problem) errors.push(problem);
    return problem || !rate ? line : taxedBy(line, rate);
  });
  if (errors.length > 0) throw DomainError.invalidFields(errors);
  return taxed;
}

/** The words of the line win: a reason may say more than that of the tax rate. */
function taxedBy(line: LineRequest, rate: TaxRate): LineRequest {
  const reason = line.exemptionReason ?? rate.exemptionReason;
  const exemption = line.details?.tax_exemption_code ?? rate.exemptionCode;
  return {
    ...line,
    taxRateId: rate.id,
    taxRate: rate.taxRate,
    taxCategory: rate.taxCategory,
    ...(reason !== null && { exemptionReason: reason }),
    details: { ...line.details, tax_exemption_code: exemption },
  };
}

/** A line that names one tax and says another would be counted under the wrong one. */
function difference(line: LineRequest, rate: TaxRate, pointer: string): FieldError | null {
  if (!hasOwnTax(line)) return null;
  const percent = Decimal.parse(line.taxRate ?? rate.taxRate);
  const isSame =
    percent.compare(Decimal.parse(rate.taxRate)) === 0 &&
    (line.taxCategory ?? rate.taxCategory) === rate.taxCategory;
  if (isSame) return null;
  return {
    pointer: `${pointer}/tax_rate`,
    code: 'tax_rate_differs',
    message: `The tax rate is ${categoryOf(rate)} ${rate.taxRate} %, and the line says another tax; leave tax_rate and tax_category out.`,
  };
}
