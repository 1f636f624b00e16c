import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../../kernel/ids.js';
import { BothOf, SomeFieldsOf } from '../../../platform/http/validation/composed-bodies.js';
import { DecimalText, OneOf, Paragraph, Text } from '../../../platform/http/validation/fields.js';
import { Metadata } from '../../../platform/http/validation/list-fields.js';
import { MergePatchOf } from '../../../platform/http/validation/merge-patch.js';
import { CountedEnds, CountedQuery } from '../../../platform/http/paging.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import {
  type Archived,
  ArchivedParameter,
} from '../../../platform/http/validation/standard-fields.js';
import { TAX_CATEGORIES } from '../../domain/calculation/calculation-request.js';
import {
  fieldsOfTaxRate,
  type NewTaxRate,
  type TaxRate,
  type TaxRateChange,
} from '../../domain/catalogue/tax-rate.js';
import type { TaxRateFilter } from '../../infrastructure/catalogue/tax-rates.query.js';
import { LineRequestBody } from '../document.dto.js';
import { CountryCode } from '../party.dto.js';

nameWords({ TaxCategory: TAX_CATEGORIES });

class TaxRateNames {
  @Text({ max: 200, example: 'VAT Germany' })
  name!: string;

  @Paragraph({ max: 500, optional: true, description: 'What it is for. No document prints it.' })
  description?: string;

  @Metadata({ description: 'At most 50 keys of your own.' })
  metadata?: Record<string, string>;
}

export class PatchTaxRateRequest extends MergePatchOf(TaxRateNames) {}

class TaxOfLine extends SomeFieldsOf(LineRequestBody, [
  'tax_category',
  'tax_exemption_reason',
  'tax_exemption_code',
]) {}

export class CreateTaxRateRequest extends BothOf(TaxRateNames, TaxOfLine) {
  @DecimalText({ min: '0', max: '100', places: 4, example: '19', description: 'In percent.' })
  tax_rate!: string | number;

  @CountryCode()
  country?: string;
}

export class ListTaxRatesQuery extends CountedQuery {
  @ArchivedParameter()
  archived?: Archived;

  @OneOf(TAX_CATEGORIES, { optional: true })
  tax_category?: string;

  @CountryCode()
  country?: string;
}

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class TaxRateBody {
  @ApiProperty({ example: 'txr_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() version!: number;
  @ApiProperty({ example: 'VAT Germany' }) name!: string;
  @ApiProperty(NULLABLE_TEXT) description!: string | null;
  @ApiProperty({ example: '19' }) tax_rate!: string;
  @ApiProperty({ enum: TAX_CATEGORIES }) tax_category!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why there is no tax (BT-120).' })
  tax_exemption_reason!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'A VATEX code (BT-121).' })
  tax_exemption_code!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'DE' }) country!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ ...NULLABLE_TEXT, format: 'date-time' }) archived_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

export class TaxRatePage extends CountedEnds {
  @ApiProperty({ type: [TaxRateBody] }) data!: TaxRateBody[];
}

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
