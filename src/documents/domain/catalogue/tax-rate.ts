import { invalidFields } from '../../../kernel/field-refusals.js';
import { Decimal } from '../../../kernel/decimal.js';
import { type FieldError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import { categoryOf, exemptTaxErrors } from '../calculation/calculation-request.js';
import { DocumentRefusal } from '../refusals.js';

/** A tax that lines name. They copy it, and it never changes: another tax is another tax rate. */
export interface TaxRate {
  id: Uuid;
  name: string;
  description: string | null;
  /** Percent. */
  taxRate: string;
  /** UNCL5305. */
  taxCategory: string;
  exemptionReason: string | null;
  /** VATEX. */
  exemptionCode: string | null;
  /** ISO 3166-1. */
  country: string | null;
  metadata: Record<string, string>;
  /** Since when no new line may name it. */
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export type NewTaxRate = Pick<
  TaxRate,
  'name' | 'description' | 'taxRate' | 'exemptionReason' | 'exemptionCode' | 'country' | 'metadata'
> & { taxCategory?: string };

export type TaxRateChange = Partial<Pick<TaxRate, 'name' | 'description' | 'metadata'>>;

export function newTaxRate(id: Uuid, wish: NewTaxRate, now: Date): TaxRate {
  const { exemptionReason: reason, exemptionCode } = wish;
  const { taxRate, taxCategory } = wish;
  const tax = {
    taxRate,
    ...(taxCategory !== undefined && { taxCategory }),
    ...(reason !== null && { exemptionReason: reason }),
    details: { tax_exemption_code: exemptionCode },
  };
  const errors = exemptTaxErrors(tax, '');
  if (errors.length > 0) throw invalidFields(errors);
  return {
    ...wish,
    id,
    taxRate: Decimal.parse(wish.taxRate).toString(),
    taxCategory: categoryOf(wish),
    archivedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

export function changedTaxRate(rate: TaxRate, change: Partial<TaxRate>, now: Date): TaxRate {
  return { ...rate, ...change, updatedAt: now, version: rate.version + 1 };
}

/** Why new lines cannot name it. */
export function taxRateProblem(rate: TaxRate | undefined, pointer: string): FieldError | null {
  if (!rate) {
    const message = 'There is no such tax rate; GET /v1/finance/tax-rates lists them.';
    return DocumentRefusal.unknown_tax_rate.field(pointer, message);
  }
  if (!rate.archivedAt) return null;
  const message = 'The tax rate is archived; unarchive it, or name another one.';
  return DocumentRefusal.tax_rate_archived.field(pointer, message);
}

/** Its own fields, as the API names them. */
export function fieldsOfTaxRate(rate: TaxRate) {
  return {
    name: rate.name,
    description: rate.description,
    tax_rate: rate.taxRate,
    tax_category: rate.taxCategory,
    tax_exemption_reason: rate.exemptionReason,
    tax_exemption_code: rate.exemptionCode,
    country: rate.country,
    metadata: rate.metadata,
    archived_at: rate.archivedAt?.toISOString() ?? null,
  };
}
