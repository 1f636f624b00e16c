import { z } from 'zod';
import {
  answerShape,
  patchOf,
  queryShape,
  requestShape,
  some,
} from '../../../platform/http/validation/shapes.js';
import { publicId } from '../../../kernel/ids.js';
import { decimalText, oneOf } from '../../../platform/http/validation/fields.js';
import { paragraph, shortText } from '../../../platform/http/validation/text-fields.js';
import { metadata } from '../../../platform/http/validation/list-fields.js';
import { countedPage, listQuery } from '../../../platform/http/paging.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { archivedParameter } from '../archived.js';
import { TAX_CATEGORIES } from '../../domain/calculation/tax-categories.js';
import {
  fieldsOfTaxRate,
  type NewTaxRate,
  type TaxRate,
  type TaxRateChange,
} from '../../domain/catalogue/tax-rate.js';
import type { TaxRateFilter } from '../../infrastructure/catalogue/tax-rates.query.js';
import { LineFields } from '../document.js';
import { countryCode } from '../party.js';

nameWords({ TaxCategory: TAX_CATEGORIES });

const TaxRateNames = requestShape('TaxRateNames', {
  name: shortText({ max: 200, example: 'VAT Germany' }),
  description: paragraph({
    max: 500,
    optional: true,
    description: 'What it is for. No document prints it.',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own.' }),
});
type TaxRateNames = z.output<typeof TaxRateNames>;

export const PatchTaxRateRequest = requestShape('PatchTaxRateRequest', patchOf(TaxRateNames.shape));
export type PatchTaxRateRequest = z.output<typeof PatchTaxRateRequest>;

const TaxOfLine = answerShape(
  'TaxOfLine',
  some(LineFields.shape, ['tax_category', 'tax_exemption_reason', 'tax_exemption_code']),
);
type TaxOfLine = z.output<typeof TaxOfLine>;

export const CreateTaxRateRequest = requestShape('CreateTaxRateRequest', {
  ...TaxRateNames.shape,
  ...TaxOfLine.shape,
  tax_rate: decimalText({
    min: '0',
    max: '100',
    places: 4,
    example: '19',
    description: 'In percent.',
  }),
  country: countryCode(),
});
export type CreateTaxRateRequest = z.output<typeof CreateTaxRateRequest>;

export const ListTaxRatesQuery = queryShape({
  ...listQuery(() => TaxRateBody).shape,
  archived: archivedParameter(),
  tax_category: oneOf(TAX_CATEGORIES, { optional: true }),
  country: countryCode(),
});
export type ListTaxRatesQuery = z.output<typeof ListTaxRatesQuery>;

export const TaxRateBody = answerShape('TaxRateBody', {
  id: z.string().meta({ example: 'txr_01h455vb4pex5vsknk084sn02q' }),
  version: z.number(),
  name: z.string().meta({ example: 'VAT Germany' }),
  description: z.string().nullable(),
  tax_rate: z.string().meta({ example: '19' }),
  tax_category: z.string().meta({ enum: TAX_CATEGORIES }),
  tax_exemption_reason: z.string().nullable().describe('Why there is no tax (BT-120).'),
  tax_exemption_code: z.string().nullable().describe('A VATEX code (BT-121).'),
  country: z.string().nullable().meta({ example: 'DE' }),
  metadata: z.record(z.string(), z.string()),
  archived_at: z.string().nullable().meta({ format: 'date-time' }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type TaxRateBody = z.output<typeof TaxRateBody>;

export const TaxRatePage = countedPage('TaxRatePage', TaxRateBody);
export type TaxRatePage = z.output<typeof TaxRatePage>;

export function toNewTaxRate(body: CreateTaxRateRequest): NewTaxRate {
  return {
    name: body.name,
    description: body.description ?? null,
    taxRate: String(body.tax_rate),
    ...(body.tax_category != null && { taxCategory: body.tax_category }),
    exemptionReason: body.tax_exemption_reason ?? null,
    exemptionCode: body.tax_exemption_code ?? null,
    country: body.country ?? null,
    metadata: body.metadata ?? {},
  };
}

/** An absent field stays; null empties one. */
export function toTaxRateChange(body: PatchTaxRateRequest): TaxRateChange {
  const { name, description, metadata } = body;
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  };
}

export function toTaxRateFilter(query: ListTaxRatesQuery): TaxRateFilter {
  const { archived = 'false', tax_category: taxCategory, country } = query;
  return {
    ...(archived !== 'all' && { archived: archived === 'true' }),
    ...(taxCategory !== undefined && { taxCategory }),
    ...(country !== undefined && { country }),
  };
}

export function presentTaxRate(rate: TaxRate): TaxRateBody {
  return {
    id: publicId('txr', rate.id),
    version: rate.version,
    ...fieldsOfTaxRate(rate),
    created_at: rate.createdAt.toISOString(),
    updated_at: rate.updatedAt.toISOString(),
  };
}
